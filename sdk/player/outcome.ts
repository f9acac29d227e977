import type { Settlement } from "../chain/record.js";
import { isForfeit, Seat, winnerBy } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";

/** How a match ended for one of its players. In some games, the winner of the duel does not take the pot. */
export interface MatchOutcome {
  readonly duel: "won" | "lost" | "draw";
  /** Player who takes the pot; "none" returns both stakes. */
  readonly pot: "own" | "other" | "none";
  /** True if the loser's clock ran out. */
  readonly isOnTime: boolean;
}

/** Amounts of a finished match for one of its players, in the token's smallest unit. */
export interface Payoff {
  readonly stake: bigint;
  readonly pot: bigint;
  /** The house's share. */
  readonly fee: bigint;
  readonly paid: bigint;
  /** Amount paid minus the stake. */
  readonly net: bigint;
}

/** Status and payments of a finished match. */
type Paid = Pick<Settlement, "status" | "paid1" | "paid2" | "house">;

/**
 * Returns how a match ended for a player.
 * @param result Seats of the winner and of the player who takes the pot.
 * @example
 * ```ts
 * import { outcomeFor, Seat } from "duello";
 *
 * outcomeFor({ winner: Seat.One, taker: Seat.One }, Seat.Two).duel; // => "lost"
 * ```
 */
export function outcomeFor(
  { winner, taker }: { readonly winner: bigint; readonly taker: bigint },
  seat: bigint,
  isOnTime = false,
): MatchOutcome {
  return {
    duel: winner === Seat.None ? "draw" : winner === seat ? "won" : "lost",
    pot: taker === Seat.None ? "none" : taker === seat ? "own" : "other",
    isOnTime,
  };
}

/**
 * Returns how a settled match ended for a player. Without stakes, the winner also takes the pot.
 * @example
 * ```ts
 * import { Seat, settledOutcome, Status } from "duello";
 *
 * const paid = { status: Status.P1WinInactive, paid1: 19n, paid2: 0n, house: 1n };
 * settledOutcome(paid, { stake1: 10n, stake2: 10n }, Seat.One); // => { duel: "won", pot: "own", isOnTime: true }
 * ```
 */
export function settledOutcome(
  { status, paid1, paid2, house }: Paid,
  { stake1, stake2 }: Pick<Terms, "stake1" | "stake2">,
  seat: bigint,
): MatchOutcome {
  const winner = winnerBy(status);
  const isTaken = house > 0n || paid1 !== stake1 || paid2 !== stake2;
  const taker = stake1 + stake2 === 0n ? winner : !isTaken ? Seat.None : paid1 > 0n ? Seat.One : Seat.Two;
  return outcomeFor({ winner, taker }, seat, isForfeit(status));
}

/**
 * Returns the amounts of a settled match for a player.
 * @example
 * ```ts
 * import { payoffOf, Seat, Status } from "duello";
 *
 * const paid = { status: Status.P1Win, paid1: 19n, paid2: 0n, house: 1n };
 * payoffOf(paid, { stake1: 10n, stake2: 10n }, Seat.One).net; // => 9n
 * ```
 */
export function payoffOf(
  { paid1, paid2, house: fee }: Paid,
  { stake1, stake2 }: Pick<Terms, "stake1" | "stake2">,
  seat: bigint,
): Payoff {
  const [stake, paid] = seat === Seat.One ? [stake1, paid1] : [stake2, paid2];
  return { stake, pot: stake1 + stake2, fee, paid, net: paid - stake };
}

/** Subject of the sentence: "You", "I", or a player's name with the opponent's name. */
export type OutcomeSubject = "You" | "I" | { readonly name: string; readonly other: string };

/**
 * Describes in a sentence how a match ended for a player.
 * @example
 * ```ts
 * import { outcomeText } from "duello";
 *
 * outcomeText({ duel: "won", pot: "own", isOnTime: true }); // => "You win on time."
 * ```
 */
export function outcomeText({ duel, pot, isOnTime }: MatchOutcome, subject: OutcomeSubject = "You"): string {
  const names = typeof subject === "object" ? subject : undefined;
  const [you, other] = names ? [names.name, names.other] : [subject as string, "the other player"];
  const s = names ? "s" : "";
  const time = isOnTime ? " on time" : "";
  if (duel === "draw") {
    if (pot === "none") return "A draw.";
    return `A draw, and ${pot === "other" ? `${other} takes` : `${you === "You" ? "you" : you} take${s}`} the pot.`;
  }
  const verb = `${you} ${duel === "won" ? "win" : "lose"}${s}`;
  if (pot === (duel === "won" ? "own" : "other")) return `${verb}${time}.`;
  if (pot === "none") return `${verb} the duel: both stakes go back.`;
  return pot === "own" ? `${verb} the duel, and take${s} the pot.` : `${verb} the duel, and ${other} takes the pot.`;
}
