import { ZeroHash, type Provider } from "ethers";
import type { Addresses } from "../chain/addresses.js";
import { codeMismatch } from "../chain/code.js";
import { finalityLag } from "../chain/finality.js";
import { findGame } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { modeNamed } from "../games/modes.js";
import type { Offer } from "../protocol/offer.js";
import { Seat } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";
import { durationText } from "../protocol/text.js";

/** Name of a risk of a seat. */
export type Risk = "foreign-game" | "other-code" | "foreign-mode" | "short-clock" | "worse-odds" | "squatters";

/** A risk, in a sentence. */
export interface Warning {
  risk: Risk;
  text: string;
}

/**
 * Thrown by the SDK, before it calls any contract, for risks that the caller has not accepted.
 * @example
 * ```ts
 * import { Risky } from "duello";
 *
 * await client.fund(offer).catch(async (error: unknown) => {
 *   if (!(error instanceof Risky)) throw error;
 *   console.warn(error.message); // show this to the player, and try again only if the player accepts it
 *   await client.fund(offer, { acceptedRisks: error.warnings.map(({ risk }) => risk) });
 * });
 * ```
 */
export class Risky extends Error {
  override readonly name = "Risky";

  constructor(readonly warnings: readonly Warning[]) {
    super(warnings.map(({ text }) => text).join(" "));
  }
}

/** A seat for which a player is about to pay a stake. */
export interface SeatToTake {
  terms: Terms;
  seat: bigint;
  /** True if anyone may take the other seat. */
  open?: boolean;
}

/** Games that a player supports, and the addresses of their deployment. */
export interface Known {
  games: readonly GameModule[];
  addresses: Addresses;
}

/**
 * Returns the seat of an offer that a player would take.
 * @example
 * ```ts
 * import { Seat, seatIn } from "duello";
 *
 * seatIn(offer, bob).seat; // => Seat.Two
 * ```
 */
export function seatIn({ terms, player1 }: Offer, player: string): SeatToTake {
  return { terms, seat: player1 === player ? Seat.One : Seat.Two };
}

/**
 * Lists the risks of a seat. Equal stakes in a published mode of a supported game with a long enough clock have no
 * risks.
 * @param amountText Formats an amount; defaults to the token's smallest unit.
 * @throws like the provider.
 * @example
 * ```ts
 * import { games, risksOf, Seat } from "duello";
 *
 * const risks = await risksOf({ terms, seat: Seat.Two }, { games, addresses }, provider);
 * for (const { risk, text } of risks) console.warn(risk, text); // e.g. "short-clock" …
 * ```
 */
export async function risksOf(
  seatToTake: SeatToTake,
  known: Known,
  provider: Provider,
  amountText: (amount: bigint) => string = String,
): Promise<Warning[]> {
  const { terms, open } = seatToTake;
  const warnings = [
    ...foreign(terms, known),
    ...(await otherCode(terms.game, known, provider)),
    ...odds(seatToTake, known, amountText),
  ];
  const lag = await finalityLag(provider);
  // Half of the clock is for the opponent's answer to become final, and half for the reveal.
  if (terms.clock < 2 * lag) {
    const text = `A clock of ${durationText(Number(terms.clock))} is short here: blocks take ${durationText(lag)} to become final, and a reveal should wait for that.`;
    warnings.push({ risk: "short-clock", text });
  }
  // If player 1 stakes nothing, a squatter who never joins costs player 1 time, but neither money nor rating.
  if (open && terms.stake1 > 0n && terms.stake2 === 0n) {
    const text = "The second seat costs nothing and is open to anyone: squatters may take it. Name the opponent.";
    warnings.push({ risk: "squatters", text });
  }
  return warnings;
}

function foreign({ game: address, mode }: Terms, { games, addresses }: Known): Warning[] {
  const game = findGame(address, games, addresses);
  if (!game) {
    const text = `The game at ${address} is not one of this deployment: it can decide its matches as it likes.`;
    return [{ risk: "foreign-game", text }];
  }
  if (modeNamed(game, mode) !== undefined) return [];
  const what = mode === ZeroHash ? "its default mode" : `the mode ${mode}`;
  return [{ risk: "foreign-mode", text: `${game.title} does not publish ${what}: look at it before you stake.` }];
}

/**
 * Warns about a listed game if the code at its address differs from the code in its module. The code of a deployment's
 * own games is trusted.
 */
async function otherCode(address: string, { games, addresses }: Known, provider: Provider): Promise<Warning[]> {
  const game = findGame(address, games, addresses);
  const mismatch = game?.artifact && (await codeMismatch(provider, address, game.artifact));
  if (mismatch === undefined) return [];
  const text = `The code at ${address} is not that of ${game!.title} as its module brings it: it can decide its matches as it likes.`;
  return [{ risk: "other-code", text }];
}

function odds(
  { terms, seat }: SeatToTake,
  { games, addresses }: Known,
  amountText: (amount: bigint) => string,
): Warning[] {
  const game = findGame(terms.game, games, addresses);
  const mode = game && modeNamed(game, terms.mode);
  const [fair1, fair2] = mode === undefined ? [1n, 1n] : game!.modes[mode].odds;
  const { stake1, stake2 } = terms;
  const surplus = stake1 * fair2 - stake2 * fair1;
  if (seat === Seat.One ? surplus <= 0n : surplus >= 0n) return [];
  const text = `You would stake at worse odds than ${fair1} : ${fair2}: player 1 puts in ${amountText(stake1)}, player 2 ${amountText(stake2)}.`;
  return [{ risk: "worse-odds", text }];
}
