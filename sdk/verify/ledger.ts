import {
  addStakes,
  applyResult,
  NEWCOMER,
  NO_STAKES,
  resultsBy,
  type PlayerRecord,
  type Stakes,
} from "../protocol/ladder.js";
import type { ExpectedAnswer } from "../chain/record.js";
import type { Ending } from "../chain/settlement.js";
import { otherSide } from "../protocol/sides.js";
import type { Terms } from "../protocol/terms.js";
import { PairMap } from "./pair-map.js";

/** Money and ratings of all players of an arena: the TypeScript engine of purse and ladder. */
export class Ledger {
  /** Amounts by player and token. */
  private readonly purses = new PairMap<bigint>();
  /** Sums of purses and of stakes of open matches, by token. */
  private readonly totals = new Map<string, bigint>();
  /** Records by game and player. */
  private readonly records = new PairMap<PlayerRecord>();
  /** Stakes by player and token. */
  private readonly stakes = new PairMap<Stakes>();

  /** Returns the amount of a token in a player's purse. */
  purse(player: string, token: string): bigint {
    return this.purses.get(player, token) ?? 0n;
  }

  /** Adds money from outside to a purse. */
  deposit(player: string, token: string, amount: bigint): void {
    this.totals.set(token, this.total(token) + amount);
    this.credit(player, token, amount);
  }

  /** Takes money out of a purse and out of the arena. */
  withdraw(player: string, token: string, amount: bigint): void {
    this.totals.set(token, this.total(token) - amount);
    this.debit(player, token, amount);
  }

  /** Adds money of a match to a purse. */
  credit(player: string, token: string, amount: bigint): void {
    this.purses.set(player, token, this.purse(player, token) + amount);
  }

  /** Takes money out of a purse, for a match. */
  debit(player: string, token: string, amount: bigint): void {
    this.credit(player, token, -amount);
  }

  /** Adds a player of a game, so that its record in the ladder is compared. */
  addPlayer(game: string, player: string): void {
    this.records.set(game, player, this.record(game, player));
  }

  /**
   * Rates a match.
   * @param players Addresses of player 1 and player 2.
   * @param time Time of the settlement, in seconds since 1970.
   * @returns The new ratings of player 1 and player 2.
   */
  rate({ game, token, stake1, stake2 }: Terms, players: readonly string[], ending: Ending, time: bigint): bigint[] {
    const { status, paid1, paid2 } = ending;
    const before = players.map((player) => this.record(game, player));
    const results = resultsBy(status);
    const after = before.map((record, side) => {
      return applyResult(record, before[otherSide(side)].rating, results[side], time);
    });
    for (const [side, player] of players.entries()) this.records.set(game, player, after[side]);
    this.addStakes(players[0], token, stake1, paid1);
    this.addStakes(players[1], token, stake2, paid2);
    return after.map(({ rating }) => rating);
  }

  /** Returns the expected answers of the arena's views. */
  expectedAnswers(): ExpectedAnswer[] {
    return [
      ...this.purses.map((args, amount) => ({ view: "purseOf", args, answer: [amount] })),
      ...Array.from(this.totals, ([token, amount]) => ({ view: "totalOf", args: [token], answer: [amount] })),
      ...this.records.map((args, record) => ({ view: "recordOf", args, answer: [record] })),
      ...this.stakes.map((args, stakes) => ({ view: "stakesOf", args, answer: [stakes] })),
    ];
  }

  private total(token: string): bigint {
    return this.totals.get(token) ?? 0n;
  }

  private record(game: string, player: string): PlayerRecord {
    return this.records.get(game, player) ?? NEWCOMER;
  }

  private addStakes(player: string, token: string, staked: bigint, won: bigint): void {
    const before = this.stakes.get(player, token) ?? NO_STAKES;
    this.stakes.set(player, token, addStakes(before, { staked, won }));
  }
}
