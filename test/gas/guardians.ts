import { id, keccak256 } from "ethers";
import { seedOf } from "../../sdk/protocol/dice.js";
import { battle, type Teams } from "../../sdk/games/guardians/engine.js";
import { encodeTeam } from "../../sdk/games/guardians/moves.js";
import { defaultMode, encodeMode, type Mode } from "../../sdk/games/guardians/mode.js";
import type { CardStats } from "../../sdk/games/guardians/cards.js";
import { encodeAnswer, encodeReveal, NO_STATE, commitmentOf } from "../../sdk/protocol/commit-reveal.js";
import { COIN, type Terms } from "../../sdk/protocol/terms.js";
import { GuardianCards__factory, Guardians__factory } from "../../typechain-types/index.js";
import { chainStats } from "../support/cards.js";
import { billed } from "./bill.js";
import { DAY, type Player } from "./chain.js";
import { create, hashFor, join, reveal, STAKE, termsFor, type Plan } from "./match.js";
import { friendly, range, type Costs, type World } from "./world.js";

/** The length of the compared battles: the average for teams of three. */
const ATTACKS = 20;
const TEAM = 3;

const MODE = encodeMode({ ...defaultMode, teamSize: 1 });
/** Only the intended cards die in 500 turns. */
const ENDLESS: Mode = { teamSize: 5, maxTurns: 500, dodgeCap: 0 };
/** Hash of the encoded mode. */
const endless = keccak256(encodeMode(ENDLESS));

/** Deploys the game with cards for everybody, on the world's chain. */
async function table(world: World) {
  const cards = await new GuardianCards__factory(world.deployer).deploy(world.deployer);
  const game = await new Guardians__factory(world.deployer).deploy(world.arena, cards);
  await cards.setMinter(world.deployer, true);
  for (const [i, { address }] of [world.alice, world.bob, world.carol, world.dave].entries()) {
    for (const card of range(1 + TEAM * i, TEAM)) await cards.mint(address, chainStats(statsOf(card)));
  }
  return { ...world, cards, guardians: game, address: await game.getAddress() };
}

type Table = Awaited<ReturnType<typeof table>>;

/**
 * Minting, modes, whole matches and the worst reveal. First-time players have no record; their purses are not empty.
 */
export async function guardians(world: World): Promise<Costs> {
  const { alice, bob, carol, dave, stranger, takeSnapshot, gasOf } = world;
  const at = await table(world);
  await play(at, await planMatch(at, [alice, teamOf(0)], [bob, teamOf(1)]));
  await create(await planMatch(at, [stranger, []], [bob, []], { terms: friendly })); // stores its terms
  const snapshot = await takeSnapshot();
  const costs: Costs = {};
  const measure = async (name: string, run: () => Promise<number>) => {
    await snapshot.restore();
    costs[name] = await run();
  };

  const stats = chainStats(statsOf(1n));
  await measure("mint a card: first-time owner", () => gasOf(at.cards.mint(stranger.address, stats)));
  await measure("mint a card: returning owner", () => gasOf(at.cards.mint(bob.address, stats)));
  await measure("register a mode of guardians: a new one", () => gasOf(at.guardians.registerMode(MODE)));
  await measure("register a mode of guardians: a known one", async () => {
    await at.guardians.registerMode(MODE);
    return gasOf(at.guardians.registerMode(MODE));
  });
  const pairs: [string, [Player, bigint[]], [Player, bigint[]]][] = [
    ["first-time players", [carol, teamOf(2)], [dave, teamOf(3)]],
    ["returning players", [alice, teamOf(0)], [bob, teamOf(1)]],
  ];
  const bill: Costs = {};
  for (const [who, ...pair] of pairs) {
    for (const [how, terms] of [
      ["rated, with stakes", {}],
      ["unrated, without stakes", friendly],
    ] as const) {
      const from = world.sent.length;
      await measure(`guardians, a match of ${ATTACKS} attacks, three transactions: ${who}, ${how}`, async () =>
        play(at, await planMatch(at, ...pair, { terms, attacks: ATTACKS })),
      );
      if (who === "returning players" && terms !== friendly)
        Object.assign(bill, await billed(world, `a battle of guardians with ${ATTACKS} attacks`, from));
    }
  }
  Object.assign(costs, bill);
  await measure("guardians, the worst legal battle, its reveal", () => worst(at));
  return costs;
}

/**
 * Measures the most expensive legal reveal, as for the auto-battler: every word that it writes was zero before, an
 * operator sends it, and it has an unneeded next commitment.
 */
async function worst(at: Table): Promise<number> {
  const { carol, dave, stranger } = at;
  await at.guardians.registerMode(encodeMode(ENDLESS));
  await carol.arena.allow(stranger.address, (await at.now()) + DAY);
  const teams = [range(13, 5), range(18, 5)];
  for (const [side, { address }] of [carol, dave].entries()) {
    for (const slot of teams[side].keys()) await at.cards.mint(address, chainStats(lasting(side, slot)));
  }
  const match = await planMatch(at, [carol, teams[0]], [dave, teams[1]], { terms: { mode: endless, token: COIN } });
  match.revealData += "5a".repeat(128);
  await create(match, STAKE);
  await join(match, STAKE);
  return at.gasOf(reveal(match, stranger));
}

interface Options {
  terms?: Partial<Terms>;
  /** Attacks that the battle must have; defaults to any number. */
  attacks?: number;
}

/** A match between two teams. Player 2's salt is the first of a series that gives a battle of the wanted length. */
async function planMatch(
  at: Table,
  [player1, team1]: [Player, bigint[]],
  [player2, team2]: [Player, bigint[]],
  { terms: changes, attacks }: Options = {},
): Promise<Plan> {
  const matchId = (await at.arena.matchCount()) + 1n;
  const terms = await termsFor(at, { game: at.address, ...changes });
  const [move, answerMove] = [team1, team2].map((team) => (team.length > 0 ? encodeTeam(team) : "0x"));
  const teams = [team1, team2].map((team) => team.map(statsOf));
  const salt = id("salt of player 1");
  const answerSalt = saltFor(matchId, salt, teams, attacks);
  const commitment = commitmentOf(at.chainId, at.address, player1.address, move, salt);
  const head = { round: 1, state: NO_STATE };
  return {
    matchId,
    player1,
    player2,
    terms,
    offerHash: hashFor(terms, player1, commitment),
    firmUntil: (await at.now()) + DAY,
    createData: commitment,
    joinData: encodeAnswer({ ...head, commitment, move: answerMove, salt: answerSalt }),
    revealData: encodeReveal({ ...head, salt, move, answerMove, answerSalt, next: "0x" }),
  };
}

function saltFor(matchId: bigint, salt1: string, teams: Teams, attacks?: number): string {
  for (let i = 0; ; i++) {
    const salt2 = id(`salt ${i} of player 2`);
    if (attacks === undefined) return salt2;
    if (battle(seedOf(matchId, 1, salt1, salt2), defaultMode, teams).entries.length === attacks) return salt2;
  }
}

async function play({ gasOf }: Table, match: Plan): Promise<number> {
  return (await gasOf(create(match))) + (await gasOf(join(match))) + (await gasOf(reveal(match)));
}

function teamOf(player: number): bigint[] {
  return range(1 + TEAM * player, TEAM);
}

/** Returns the stats of a card, which are always the same, and similar to those of other cards. */
function statsOf(card: bigint): CardStats {
  const n = Number(card);
  return {
    power: 450 + ((n * 37) % 150),
    defense: 200 + ((n * 53) % 150),
    hp: 1000 + ((n * 71) % 500),
    speed: 90 + ((n * 29) % 60),
    critical: 180 + ((n * 17) % 120),
    luck: 80 + ((n * 13) % 120),
    type: (n * 3) % 8,
  };
}

/** Only one card per side survives, in a late slot; every hit is critical and has a type factor. */
function lasting(side: number, slot: number): CardStats {
  const lasts = slot === side;
  return {
    power: 1,
    defense: 65_535,
    hp: lasts ? 65_535 : 1,
    speed: 65_535 - side,
    critical: 1000,
    luck: 0,
    type: 7 * side,
  };
}
