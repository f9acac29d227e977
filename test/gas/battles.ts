import { id, keccak256, type TransactionReceipt } from "ethers";
import { Dice } from "../../sdk/protocol/dice.js";
import { encodeMode } from "../../sdk/games/auto-battler/mode.js";
import { billed } from "./bill.js";
import { COIN } from "../../sdk/protocol/terms.js";
import { DAY, UNIT } from "./chain.js";
import { ATTACKS, create, join, reveal, planMatch, STAKE, usual, type Options, type Plan } from "./match.js";
import { friendly, mintFighters, range, type Costs, type World } from "./world.js";

const BATTLES = 300;
const POOL = 100;
const TEAM = 5;
const DODGE = 1n << 14n;

/** A thousand of the most expensive attacks: nobody dies or dodges, every hit is a combo, stronger than the defense. */
const DEAREST = {
  dodgeMaxRandom: 1000,
  comboMaxRandom: 1,
  rangeFactors: [10_000, 10_000, 10_000],
  comboFactor: 60_000,
  attackValues: [2, 2, 2],
  defenseValues: [1, 1, 1],
  healthValues: [65_535, 65_535, 65_535],
  speedValues: [1, 1, 1],
  rangeValues: [0, 0, 0],
  comboValues: [1, 1, 1],
  cooldownSecs: 2_592_000,
};

/** The three transactions of a match together. */
export async function wholeMatches(world: World): Promise<Costs> {
  const { alice, bob, carol, dave } = world;
  const kinds: [string, [typeof alice, typeof bob], Options["terms"]][] = [
    ["first-time players and fighters, rated, with stakes", [carol, dave], {}],
    ["first-time players and fighters, unrated, without stakes", [carol, dave], friendly],
    ["returning players and fighters, rated, with stakes", [alice, bob], {}],
    ["returning players and fighters, unrated, without stakes", [alice, bob], friendly],
  ];
  const costs: Costs = {};
  for (const [kind, players, terms] of kinds) {
    await world.snapshot.restore();
    const match = await planMatch(world, ...players, { terms, wanted: usual });
    const from = world.sent.length;
    costs[`whole match of ${ATTACKS} attacks: ${kind}`] = (await play(world, match)).gas;
    if (kind.startsWith("returning") && terms !== friendly)
      Object.assign(costs, await billed(world, `an auto-battle of ${ATTACKS} attacks`, from));
  }
  return costs;
}

/** Measures how the gas of a battle depends on its length: least squares over random teams of returning fighters. */
export async function randomBattles(world: World): Promise<Costs> {
  const [pool1, pool2] = [range(21, POOL), range(21 + POOL, POOL)];
  await mintFighters(world, world.alice.address, pool1);
  await mintFighters(world, world.bob.address, pool2);
  for (const each of [world.alice, world.bob]) await each.arena.deposit(world.fight, 10_000n * UNIT, each.address);
  const fight = async (team1: bigint[], team2: bigint[]) => {
    await world.wait(2 * DAY); // until no fighter cools down
    return play(world, await planMatch(world, { ...world.alice, team: team1 }, { ...world.bob, team: team2 }));
  };
  for (let at = 0; at < POOL; at += TEAM) await fight(pool1.slice(at, at + TEAM), pool2.slice(at, at + TEAM));

  const played = [];
  for (let i = 0; i < BATTLES; i++) {
    const dice = new Dice(id(`battle ${i}`));
    played.push(await fight(draw(pool1, dice, 0), draw(pool2, dice, TEAM)));
  }
  const { slope, intercept } = leastSquares(played.map(({ attacks, revealed }) => [attacks, revealed]));
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  const matches = played.map(({ gas }) => gas);
  return {
    [`${BATTLES} random default battles: attacks`]: sum(played.map(({ attacks }) => attacks)),
    [`${BATTLES} random default battles: an attack, with log and statistics (slope)`]: Math.round(slope),
    [`${BATTLES} random default battles: a reveal but for its attacks (intercept)`]: Math.round(intercept),
    [`${BATTLES} random default battles: whole match on average`]: Math.round(sum(matches) / BATTLES),
    [`${BATTLES} random default battles: dearest whole match`]: Math.max(...matches),
  };
}

/**
 * The most expensive legal reveal: in the most expensive mode, by an operator, with an unneeded next commitment.
 * Every word it writes was zero before: first-time players and fighters, purses emptied by their stakes, a coin
 * never paid out.
 */
export async function worstBattle(world: World): Promise<Costs> {
  const { carol, dave, stranger, autoBattler } = world;
  const content = encodeMode(DEAREST);
  await autoBattler.registerMode(content);
  await carol.arena.allow(stranger.address, (await world.now()) + DAY);
  const match = await planMatch(world, carol, dave, {
    terms: { mode: keccak256(content), token: COIN },
    mode: DEAREST,
    wanted: ({ entries }) => entries.length === 1000 && entries.every((entry) => (entry & DODGE) === 0n),
    next: `0x${"5a".repeat(128)}`,
  });
  await create(match, STAKE);
  await join(match, STAKE);
  return { "worst legal battle, its reveal": await world.gasOf(reveal(match, stranger)) };
}

async function play(world: World, match: Plan) {
  const created = await world.gasOf(create(match));
  const joined = await world.gasOf(join(match));
  const receipt = await world.receiptOf(reveal(match));
  const revealed = Number(receipt.gasUsed);
  return { attacks: attacksOf(world, receipt), revealed, gas: created + joined + revealed };
}

function attacksOf({ autoBattler }: World, { logs }: TransactionReceipt): number {
  const parsed = logs.map((log) => autoBattler.interface.parseLog(log)).find((log) => log?.name === "Log");
  return (parsed!.args.logEntries as bigint[]).length;
}

/** Five different fighters. */
function draw(pool: readonly bigint[], dice: Dice, from: number): bigint[] {
  const left = [...pool];
  return Array.from({ length: TEAM }, (_, i) => left.splice(dice.roll(from + i).lane(0, left.length), 1)[0]);
}

function leastSquares(points: [number, number][]): { slope: number; intercept: number } {
  const mean = (of: (point: [number, number]) => number) =>
    points.reduce((sum, each) => sum + of(each), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const slope = mean((point) => (point[0] - x) * (point[1] - y)) / mean((point) => (point[0] - x) ** 2);
  return { slope, intercept: y - slope * x };
}
