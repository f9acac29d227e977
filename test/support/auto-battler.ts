import { expect } from "chai";
import type { ContractTransactionReceipt, ContractTransactionResponse } from "ethers";
import {
  encodeAnswer,
  encodeReveal,
  encodeCommitment,
  NO_STATE,
  commitmentOf,
} from "../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  ethers,
  logsIn,
  DAY,
  receiptOf,
  Seat,
  type Terms,
  termsFor,
  time,
  type Player,
  type World,
  offerHashOf,
} from "./index.js";

export type Send = () => Promise<ContractTransactionResponse>;
export type Team<T> = [T, T, T, T, T];
export type Tiers = [number, number, number, number, number, number];

export const DEFAULTS = [10, 10, 7500, 5000, 2500, 17500, 1, 2, 4, 1, 2, 4, 4, 8, 16, 1, 2, 4, 1, 2, 4, 1, 2, 4, 86400];
const FIRST_VALUE = 6;
export const COOLDOWN = 24;
export const SIDES = { 0: Seat.One, 1: Seat.Two } as const;

/** Encodes a mode's 25 numbers: 24 of two bytes and the cooldown of four. */
export const modeBytes = (numbers: number[]) =>
  ethers.concat(numbers.map((n, i) => ethers.toBeHex(n, i === COOLDOWN ? 4 : 2)));
export const changed = (changes: Record<number, number>) => DEFAULTS.map((n, i) => changes[i] ?? n);
export const moveOf = (team: bigint[]) => ethers.concat(team.map((id) => ethers.toBeHex(id, 16)));
export const saltOf = (text: string) => ethers.id(text);

/** Returns tiers that differ between fighters. */
export const tiersOf = (n: number): Tiers =>
  [0, 1, 2, 3, 4, 5].map((stat) => 1 + ((n * 7 + stat * 5 + ((n * stat) % 4)) % 3)) as Tiers;

/** Makes an item for each of five slots. */
export const five = <T>(of: (slot: number) => T): Team<T> => [of(0), of(1), of(2), of(3), of(4)];

export async function mint(w: World, player: Player, tiers: Tiers, golden = false): Promise<bigint> {
  const { logs } = await receiptOf(w.fighters.mint(player, 7, tiers, golden));
  return BigInt(logs[0].topics[3]);
}

export async function teamOf(
  w: World,
  player: Player,
  tiers: (slot: number) => Tiers = tiersOf,
  golden = false,
): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let slot = 0; slot < 5; slot++) ids.push(await mint(w, player, tiers(slot), golden));
  return ids;
}

/** The players of a match, by default alice and bob; all other fields change the terms. */
interface MatchOptions extends Partial<Terms> {
  player1?: Player;
  player2?: Player;
  /** Distinguishes this match's salts from those of other matches. */
  salt?: string;
}

/** Plays one match of alice against bob through the arena, step by step. */
export class MatchDriver {
  id = 0n;
  team2: bigint[] = [];

  private constructor(
    readonly w: World,
    readonly team1: bigint[],
    readonly terms: Terms,
    readonly player1: Player,
    readonly player2: Player,
    readonly salt1: string,
    readonly salt2: string,
  ) {}

  static async create(
    w: World,
    team1: bigint[],
    { player1 = w.alice, player2 = w.bob, salt = "", ...changes }: MatchOptions = {},
  ): Promise<MatchDriver> {
    const game = await w.autoBattler.getAddress();
    const terms = await termsFor(w, { game, clock: DAY, ...changes });
    const driver = new MatchDriver(
      w,
      team1,
      terms,
      player1,
      player2,
      saltOf(`salt 1 ${salt}`),
      saltOf(`salt 2 ${salt}`),
    );
    const firmUntil = (await time.latest()) + 20 * 86400;
    await w.arena
      .connect(player1)
      .create(terms, player2, firmUntil, encodeCommitment({ commitment: await driver.commitment(), note: "0x" }));
    driver.id = await w.arena.matchCount();
    return driver;
  }

  async commitment(): Promise<Hex> {
    return commitmentOf(
      31337,
      await this.w.autoBattler.getAddress(),
      this.player1.address,
      moveOf(this.team1),
      this.salt1,
    );
  }

  async join(team2: bigint[]): Promise<ContractTransactionResponse> {
    const header = { round: 1, state: NO_STATE, commitment: await this.commitment() };
    const answer = encodeAnswer({ ...header, move: moveOf(team2), salt: this.salt2 });
    const { arena } = this.w;
    const sent = await arena.connect(this.player2).join(this.id, await offerHashOf(arena, this.id), answer);
    this.team2 = team2;
    return sent;
  }

  revealData(): string {
    const { salt1: salt, salt2: answerSalt } = this;
    const header = { round: 1, state: NO_STATE, next: "0x" };
    return encodeReveal({ ...header, salt, move: moveOf(this.team1), answerMove: moveOf(this.team2), answerSalt });
  }

  reveal(): Promise<ContractTransactionResponse> {
    return this.w.arena.connect(this.player1).act(this.id, this.revealData());
  }

  get seed(): string {
    const types = ["uint256", "uint256", "bytes32", "bytes32"];
    return ethers.keccak256(ethers.AbiCoder.defaultAbiCoder().encode(types, [this.id, 1, this.salt1, this.salt2]));
  }
}

/** Returns the log entries of a match from its event. */
export function entriesOf({ autoBattler }: World, receipt: ContractTransactionReceipt): bigint[] {
  return logsIn(autoBattler, receipt)[0].entries;
}

export interface Attack {
  round: number;
  side: 0 | 1;
  slot: number;
  target: number;
  dodge: boolean;
  combo: boolean;
  kill: boolean;
  penalty: number;
  dodgeRoll: number;
  comboRoll: number;
  before: number;
  after: number;
  damage: number;
  rest: bigint;
}

/** Decodes an entry of the log by the table of the rules page. */
export function read(entry: bigint): Attack {
  const bits = (from: bigint, to: bigint) => Number((entry >> from) & ((1n << (to - from + 1n)) - 1n));
  return {
    round: bits(0n, 6n),
    side: bits(7n, 7n) as 0 | 1,
    slot: bits(8n, 10n),
    target: bits(11n, 13n),
    dodge: bits(14n, 14n) === 1,
    combo: bits(15n, 15n) === 1,
    kill: bits(16n, 16n) === 1,
    penalty: bits(17n, 18n),
    dodgeRoll: bits(32n, 47n),
    comboRoll: bits(48n, 63n),
    before: bits(64n, 95n),
    after: bits(96n, 127n),
    damage: bits(128n, 191n),
    rest: ((entry >> 19n) & 0x1fffn) | (entry >> 192n),
  };
}

/** Checks each field of every log entry against the others, and against the rules that need no dice. */
export function checkLog(entries: bigint[], numbers: number[], tiers: [Tiers[], Tiers[]], winner: bigint) {
  const valueOf = (side: 0 | 1, slot: number, stat: number) =>
    numbers[FIRST_VALUE + 3 * stat + tiers[side][slot][stat] - 1];
  const hp = ([0, 1] as const).map((side) => five((slot) => valueOf(side, slot, 2)));
  const living = (side: number) => hp[side].filter((points) => points > 0).length;
  const first = read(entries[0]).side;
  let last = -1;
  for (const [i, entry] of entries.entries()) {
    const a = read(entry);
    const other = (a.side ^ 1) as 0 | 1;
    expect(a.rest).to.equal(0n);
    const turn = (a.round - 1) * 10 + a.slot * 2 + (a.side ^ first);
    for (let skipped = last + 1; skipped < turn; skipped++) {
      expect(hp[first ^ (skipped & 1)][(skipped % 10) >> 1], `attack ${i} skips the living`).to.equal(0);
    }
    expect(turn > last && turn < 1000).to.equal(true);
    last = turn;
    expect(hp[a.side][a.slot] > 0 && a.before > 0, "the dead neither attack nor are hit").to.equal(true);
    expect(a.before).to.equal(hp[other][a.target]);
    expect(a.dodgeRoll <= numbers[0] && a.comboRoll <= numbers[1]).to.equal(true);
    expect(a.dodge).to.equal(valueOf(other, a.target, 3) >= a.dodgeRoll * valueOf(a.side, a.slot, 3));
    if (a.dodge) {
      expect([a.combo, a.kill, a.penalty, a.comboRoll, a.after, a.damage]).to.deep.equal([
        false,
        false,
        0,
        0,
        a.before,
        0,
      ]);
    } else {
      const far = Math.abs(a.slot - a.target) - valueOf(a.side, a.slot, 4);
      const penalty = Math.min(3, Math.max(0, far));
      const combo = valueOf(a.side, a.slot, 5) >= a.comboRoll;
      const [attack, defense] = [BigInt(valueOf(a.side, a.slot, 0)), BigInt(valueOf(other, a.target, 1))];
      const factors = BigInt(penalty === 0 ? 10_000 : numbers[1 + penalty]) * BigInt(combo ? numbers[5] : 10_000);
      const floored =
        attack > defense ? (attack * attack * factors) / (defense * 10n ** 8n) : (attack * factors) / 10n ** 8n;
      const damage = floored === 0n ? 1 : Number(floored);
      expect([a.penalty, a.combo, a.damage]).to.deep.equal([penalty, combo, damage]);
      expect(a.after).to.equal(Math.max(0, a.before - damage));
      expect(a.kill).to.equal(a.after === 0);
    }
    hp[other][a.target] = a.after;
    if (living(other) === 0) expect(i).to.equal(entries.length - 1);
  }
  expect(winner).to.equal(living(1) > living(0) ? Seat.Two : Seat.One);
  if (living(0) > 0 && living(1) > 0) expect(read(entries.at(-1)!).round).to.equal(100);
  return { hp, rounds: read(entries.at(-1)!).round };
}

export interface Score {
  kills: bigint;
  deaths: bigint;
  dodges: bigint;
  combos: bigint;
  damageDealt: bigint;
  damageReceived: bigint;
}

/** Adds a match's log entries to the scores of its fighters. */
export function addScores(scores: Map<bigint, Score>, entries: bigint[], teams: [bigint[], bigint[]]) {
  const scoreOf = (id: bigint) => {
    const none = { kills: 0n, deaths: 0n, dodges: 0n, combos: 0n, damageDealt: 0n, damageReceived: 0n };
    if (!scores.has(id)) scores.set(id, none);
    return scores.get(id)!;
  };
  for (const a of entries.map(read)) {
    const attacker = scoreOf(teams[a.side][a.slot]);
    const defender = scoreOf(teams[a.side ^ 1][a.target]);
    attacker.kills += BigInt(a.kill);
    defender.deaths += BigInt(a.kill);
    defender.dodges += BigInt(a.dodge);
    attacker.combos += BigInt(a.combo);
    attacker.damageDealt += BigInt(a.damage);
    defender.damageReceived += BigInt(a.damage);
  }
}

export async function scoreOf(w: World, id: bigint): Promise<Score> {
  const { kills, deaths, dodges, combos, damageDealt, damageReceived } = await w.autoBattler.fighterOf(id);
  return { kills, deaths, dodges, combos, damageDealt, damageReceived };
}
