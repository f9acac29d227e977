import { applyResult, NEWCOMER, type PlayerRecord, type Result } from "../protocol/ladder.js";
import type { ExpectedAnswer } from "../chain/record.js";
import type { Ending } from "../chain/settlement.js";
import { winnerBy } from "../chain/settlement.js";
import { Seat, Status } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";
import { saturated } from "../protocol/word.js";

const STAKES_WIDTH = 128;

interface Stakes {
  staked: bigint;
  won: bigint;
}

/** Who owns which money and has which record in an arena: the engine of its purse and its ladder. */
export class Ledger {
  /** By player and token. */
  private readonly purses = new Map<string, bigint>();
  /** By token: purses and stakes of open matches. */
  private readonly totals = new Map<string, bigint>();
  /** By game and player. */
  private readonly records = new Map<string, PlayerRecord>();
  /** By player and token. */
  private readonly stakes = new Map<string, Stakes>();

  /** What a player owns of a token. */
  purse(player: string, token: string): bigint {
    return this.purses.get(`${player} ${token}`) ?? 0n;
  }

  /** Money that comes from outside, or goes there if it is negative. */
  exchange(player: string, token: string, amount: bigint): void {
    this.totals.set(token, (this.totals.get(token) ?? 0n) + amount);
    this.credit(player, token, amount);
  }

  /** Money that comes out of a match, or goes into it if it is negative. */
  credit(player: string, token: string, amount: bigint): void {
    this.purses.set(`${player} ${token}`, this.purse(player, token) + amount);
  }

  /** Notes that somebody plays a game, so that a record is expected of it. */
  meet(game: string, player: string): void {
    this.records.set(`${game} ${player}`, this.record(game, player));
  }

  /** Rates a match. @returns the new ratings. */
  rate({ game, token, stake1, stake2 }: Terms, players: readonly string[], ending: Ending, time: bigint): bigint[] {
    const { status, paid1, paid2 } = ending;
    const before = players.map((player) => this.record(game, player));
    const results = resultsOf(status);
    const after = before.map((record, side) => applyResult(record, before[1 - side].rating, results[side], time));
    for (const [side, player] of players.entries()) {
      this.records.set(`${game} ${player}`, after[side]);
      this.addStakes(player, token, side === 0 ? stake1 : stake2, side === 0 ? paid1 : paid2);
    }
    return after.map(({ rating }) => rating);
  }

  /** What the arena's views must answer. */
  expectedAnswers(): ExpectedAnswer[] {
    const of = <T>(view: string, map: ReadonlyMap<string, T>, answer: (value: T) => readonly unknown[]) =>
      [...map].map(([key, value]) => ({ view, args: key.split(" "), answer: answer(value) }));
    return [
      ...of("purseOf", this.purses, (amount) => [amount]),
      ...of("totalOf", this.totals, (amount) => [amount]),
      ...of("recordOf", this.records, (record) => [record]),
      ...of("stakesOf", this.stakes, (stakes) => [stakes]),
    ];
  }

  private record(game: string, player: string): PlayerRecord {
    return this.records.get(`${game} ${player}`) ?? NEWCOMER;
  }

  private addStakes(player: string, token: string, staked: bigint, won: bigint): void {
    const before = this.stakes.get(`${player} ${token}`) ?? { staked: 0n, won: 0n };
    const sum = (one: bigint, other: bigint) => saturated(one + other, STAKES_WIDTH);
    this.stakes.set(`${player} ${token}`, { staked: sum(before.staked, staked), won: sum(before.won, won) });
  }
}

/** How a match ended for both players. */
function resultsOf(status: bigint): [Result, Result] {
  const winner = winnerBy(status);
  if (winner === Seat.None) return ["draw", "draw"];
  const lost = status === Status.P1WinInactive || status === Status.P2WinInactive ? "forfeit" : "loss";
  return winner === Seat.One ? ["win", lost] : [lost, "win"];
}
