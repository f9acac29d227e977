import { expect } from "chai";
import { type Contract } from "ethers";
import { fight, shoot } from "../../../sdk/games/pistols/engine.js";
import { encodeResult } from "../../../sdk/games/pistols/log.js";
import { ALL_BLADES, areBlades } from "../../../sdk/games/pistols/legal-moves.js";
import { encodeState } from "../../../sdk/games/pistols/state.js";
import { bytesOf, hexOf } from "../../../sdk/protocol/bytes.js";
import { keccak } from "../../../sdk/protocol/hash.js";
import { hexWord } from "../../../sdk/protocol/word.js";
import {
  BLADES,
  critChance,
  firstToShoot,
  fought,
  hitChance,
  lethalChance,
  matchBonus,
  slot,
  type Case,
  type Dice4,
  type End,
  type When,
} from "../../support/pistols-oracle.js";
import { deployMock, ethers, loadFixture } from "../../support/index.js";
import { words, wordsIn } from "../../support/words.js";

type Two = readonly [number, number];

/** The chain computes only one in this many cases, because each threshold has hundreds of cases. */
const SHARE = process.env.THOROUGH ? 1 : 7;
const BATCH = 150;
const FULL: Two = [3, 3];
const UNUSED: Dice4 = [100, 100, 100, 100];
const NO_PACES: Two = [3, 8];
const EACH = Array.from({ length: 10 }, (_, i) => i + 1);
const [IDLE, LIGHT, HEAVY, BLOCK, FLEE, STEAL, SEPPUKU] = [0, 1, 2, 3, 4, 5, 6];
/** The thirteen moves of round 2, as listed on the page. */
const MOVES: Two[] = [
  [IDLE, IDLE],
  [IDLE, LIGHT],
  [IDLE, BLOCK],
  [LIGHT, IDLE],
  [LIGHT, LIGHT],
  [LIGHT, BLOCK],
  [BLOCK, IDLE],
  [BLOCK, LIGHT],
  [BLOCK, BLOCK],
  [IDLE, HEAVY],
  [FLEE, IDLE],
  [STEAL, IDLE],
  [SEPPUKU, IDLE],
];
const runs = ([first]: Two) => first >= FLEE;
const pairs = <T>(items: readonly T[]): (readonly [T, T])[] => items.flatMap((a) => items.map((b) => [a, b] as const));
const ARCHETYPES = pairs([0, 1, 2, 3]);
const HEALTHS = pairs([1, 2, 3]);
/** Strengths that are used in rotation, so that each meets every archetype. */
const STRENGTHS: Two[] = [
  [100, 100],
  [0, 100],
  [37, 0],
  [9, 55],
  [82, 16],
];
let turn = 0;
const strengths = () => STRENGTHS[turn++ % STRENGTHS.length];

/** Dice on both sides of the crit, hit and lethal chances. A die equal to a chance succeeds. */
function edges(crit: number, hits: readonly number[], lethal?: number): [number, number][] {
  const chances = lethal === undefined ? hits : [...hits, lethal];
  const dice = [...new Set([...chances.flatMap((chance) => [chance, chance + 1])])];
  const rolled = dice.filter((die) => die >= 1 && die <= 100).map((die): [number, number] => [crit + 1, die]);
  return [[crit, 1], ...rolled];
}

function shotEdges(c: Omit<Case, "dice">, side: 0 | 1, column: number, when: When, healths: readonly number[]) {
  const [own, other] = [c.archetypes[side], c.archetypes[1 - side]];
  const crit = critChance(own, c.strengths[side], other, column, matchBonus(own, when));
  const hits = healths.map((health) => hitChance(own, c.strengths[side], other, column, health));
  return edges(crit, hits, lethalChance(other, column, when));
}

/** Dice that just suffice for an execution, a hit and a miss; one pair if the side rolls nothing. */
function strokeEdges(c: Omit<Case, "dice">, side: 0 | 1, health: number, action: number): [number, number][] {
  if (action === IDLE || health === 0) return [[100, 100]];
  const [own, other] = [c.archetypes[side], c.archetypes[1 - side]];
  const crit = critChance(own, c.strengths[side], other, BLADES, 0);
  const hit = hitChance(own, c.strengths[side], other, BLADES, health);
  return [[crit, 100], [crit + 1, hit], ...(hit < 100 ? [[100, hit + 1] as [number, number]] : [])];
}

const together = (one: [number, number], two: [number, number]): Dice4 => [...one, ...two];

/** Yields pairs of both sides' dice: all pairs, or pairs in which each die occurs at least once. */
function* met(sides: readonly [number, number][][], all: boolean): Generator<Dice4> {
  const [one, two] = sides;
  if (all) for (const first of one) for (const second of two) yield together(first, second);
  turn++;
  for (let i = 0; !all && i < Math.max(one.length, two.length); i++) {
    yield together(one[i % one.length], two[(i + turn) % two.length]);
  }
}

function* pistolsCases(): Generator<Case> {
  for (const paces of pairs(EACH)) {
    for (const archetypes of ARCHETYPES) {
      const c = { archetypes, strengths: strengths(), health: FULL, paces };
      const first = firstToShoot(archetypes, paces);
      const sides = ([0, 1] as const).map((side) => {
        const when = first === undefined ? "neither" : first === side ? "first" : "second";
        return shotEdges(c, side, paces[side], when, when === "second" ? [3, 2, 1] : [3]);
      });
      const plain = archetypes[0] === 0 && archetypes[1] === 0;
      for (const dice of met(sides, plain)) yield { ...c, dice: [dice, UNUSED, UNUSED] };
    }
  }
}

function* standingCases(moves: readonly [Two, Two]): Generator<Case> {
  for (const health of HEALTHS) {
    const archetypes = ARCHETYPES[turn % ARCHETYPES.length];
    const c = { archetypes, strengths: strengths(), health, paces: NO_PACES, blades: moves };
    const rolls = (at: number, left: readonly number[]) =>
      strokeEdges(c, 0, left[0], moves[0][at]).flatMap((one) =>
        strokeEdges(c, 1, left[1], moves[1][at]).map((two) => together(one, two)),
      );
    for (const first of rolls(0, health)) {
      const names = moves.map(([action]) => ["Idle", "Light", "Heavy", "Block"][action]);
      const { health: left } = slot({ ...c, dice: [first, first, first] }, health, names, first, 1);
      for (const second of rolls(1, left)) yield { ...c, dice: [first, second, UNUSED] };
    }
  }
}

function* runningCases(moves: readonly [Two, Two]): Generator<Case> {
  for (const health of HEALTHS) {
    for (const archetypes of ARCHETYPES) {
      const c = { archetypes, strengths: strengths(), health, paces: NO_PACES, blades: moves };
      const sides = ([0, 1] as const).map((side) => {
        const [own, other] = [moves[side], moves[1 - side]];
        const duelling = own[0] === STEAL && other[0] === STEAL;
        if (duelling) return shotEdges(c, side, 1, "neither", [1, 2, 3]);
        if (runs(own) || !runs(other) || other[0] === SEPPUKU) return [[1, 1] as [number, number]];
        return shotEdges(c, side, own[1] === HEAVY ? BLADES : other[0] === FLEE ? 10 : 5, "neither", [health[side]]);
      });
      const plain = archetypes[0] === 0 && archetypes[1] === 0;
      for (const dice of met(sides, plain)) yield { ...c, dice: [UNUSED, UNUSED, dice] };
    }
  }
}

/** Encodes a case for the harness, in hex without a prefix. */
function packed(c: Case): string {
  const [one, two] = [0, 1].map((side) => ({ archetype: c.archetypes[side], strength: c.strengths[side] }));
  const state = encodeState({ duelists: [one, two], health: c.health, paces: c.paces });
  const moves = c.blades ? c.blades.flat().reduce((word, action) => 256 * word + action, 1) : 0;
  const dice = c.dice.map((dice4) =>
    dice4.reduce((entry, die, lane) => entry + (BigInt(die - 1) << BigInt(64 * lane)), 0n),
  );
  return state.slice(2) + words(moves, ...dice);
}

/** Encodes an end as the harness does before it hashes it. */
const textOf = ({ entries, health }: Pick<End, "entries" | "health">) => words(...entries, ...health);

function engine(c: Case): End {
  const duelists = [0, 1].map((side) => ({ archetype: c.archetypes[side], strength: c.strengths[side] }));
  const [one, two] = duelists;
  const lanes = (n: number) => ({ lane: (k: number, strength: number) => (c.dice[n][k] - 1) % strength });
  const state = { duelists: [one, two] as const, health: c.health, paces: c.paces };
  const end = c.blades ? fight(state, c.blades, (n) => lanes(n - 1)) : shoot(state.duelists, c.paces, lanes(0));
  const { winner, pot, health, honour, entries } = end;
  return { winner, pot, health: [...health], honour: [...honour], entries: [...entries, encodeResult(end)] };
}

describe("Pistols: engines", () => {
  let harness: Contract;
  const deploy = () => deployMock("DuellingHarness");

  beforeEach(async () => (harness = await loadFixture(deploy)));

  /** Returns the chain's hashes of the ends. */
  async function told(cases: readonly Case[]): Promise<string[]> {
    const body = cases.map(packed).join("");
    const { selector } = harness.interface.getFunction("fight")!;
    const data = `${selector}${words(32, body.length / 2)}${body}`;
    const answer = (await ethers.provider.send("eth_call", [{ to: harness.target, data }])) as string;
    return wordsIn(answer, 64).map(hexWord);
  }

  async function expectAlike(cases: Iterable<Case>, min: number): Promise<void> {
    let batch: { c: Case; hash: string }[] = [];
    let count = 0;
    const check = async () => {
      const hashes = await told(batch.map(({ c }) => c));
      expect(hashes).to.have.length(batch.length);
      for (const [i, { c, hash }] of batch.entries()) {
        if (hashes[i] !== hash) expect.fail(`the chain differs: ${JSON.stringify(c)}`);
      }
      batch = [];
    };
    for (const c of cases) {
      const expected = fought(c);
      const ours = engine(c);
      const text = textOf(expected);
      if (textOf(ours) !== text) expect(ours, JSON.stringify(c)).to.deep.equal(expected);
      if (count++ % SHARE === 0) batch.push({ c, hash: hexOf(keccak(bytesOf(`0x${text}`))) });
      if (batch.length === BATCH) await check();
    }
    await check();
    expect(count).to.be.at.least(min);
  }

  it("follow the rules for all 10 x 10 paces of all archetypes, at every threshold of the dice", () =>
    expectAlike(pistolsCases(), 10_000));

  it("follow the rules for all pairs of blades when nobody runs, at every threshold of the dice of both slots", async () => {
    const still = pairs(MOVES.filter((move) => !runs(move)));
    expect(still).to.have.length(100);
    for (const moves of still) await expectAlike(standingCases(moves), 9);
  });

  it("follow the rules for all pairs of blades when one or both run, at every threshold of the dice", async () => {
    const running = pairs(MOVES).filter((moves) => moves.some(runs));
    expect(running).to.have.length(69);
    for (const moves of running) await expectAlike(runningCases(moves), 144);
  });

  it("accept exactly thirteen moves in round 2", async () => {
    const known = new Set(MOVES.map(String));
    expect(ALL_BLADES.map(String).sort()).to.deep.equal([...known].sort());
    const values = [...Array.from({ length: 10 }, (_, i) => i), 16, 127, 128, 255];
    for (const move of pairs(values)) {
      expect(areBlades(move), `${move}`).to.equal(known.has(String(move)));
      expect(await harness.isMove(...move), `${move}`).to.equal(known.has(String(move)));
    }
  });
});
