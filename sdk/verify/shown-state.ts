import { getAddress, isAddress, MaxUint256 } from "ethers";
import type { History } from "../chain/history.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import type { MatchRecord } from "../chain/record.js";
import { gameAt } from "../games/list.js";
import type { GameModule, HiddenState } from "../games/module.js";
import { hexOf, sized } from "../protocol/bytes.js";
import type { Secret } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import { bytes32, InputError, integer, object, text, type Reader } from "../protocol/input.js";
import { seatOfPlayer } from "../protocol/sides.js";
import { Seat } from "../protocol/status.js";

/** Maximum bytes of a hidden state. */
const MAX_BYTES = 1024;

/**
 * State that a player hid in a match and shows afterwards, for others to check. The move and the salt open only the
 * commitment to this state in that match.
 */
export interface ShownState {
  chainId: number;
  /** Address of the game. */
  game: string;
  matchId: bigint;
  /** Address of the player. */
  player: string;
  /** The state, in the layout of the game's page. */
  move: Hex;
  /** Salt of the commitment, 32 bytes. */
  salt: Hex;
}

/** A shown state that was compared with the events of its match. */
export interface CheckedState {
  record: MatchRecord;
  /** Seat of the player who shows the state. */
  seat: bigint;
  secret: Secret;
  hidden: HiddenState;
  /** First mismatch; undefined if the player has played by the rules. */
  mismatch?: LocatedMismatch;
}

const address: Reader<string> = (value, path) => {
  const given = text(value, path);
  if (!isAddress(given)) throw new InputError(path, "not an address");
  return getAddress(given);
};

const decimal: Reader<bigint> = (value, path) => {
  const digits = text(value, path);
  if (!/^[1-9]\d{0,77}$/.test(digits) || BigInt(digits) > MaxUint256)
    throw new InputError(path, "not a match's number");
  return BigInt(digits);
};

const state: Reader<Hex> = (value, path) => hexOf(sized(text(value, path), path, 1, MAX_BYTES));

const fields = object({
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  game: address,
  matchId: decimal,
  player: address,
  move: state,
  salt: bytes32,
});

/**
 * Reads a shown state.
 * @throws InputError naming the wrong field.
 * @example
 * ```ts
 * import { readShownState } from "duello";
 *
 * const state = { chainId: 31_337, game: addresses.Warmancer, matchId: "7", player: alice, move: "0x01", salt };
 * readShownState(state, "army.json").matchId; // => 7n
 * ```
 */
export const readShownState: Reader<ShownState> = (value, path) => fields(value, path);

/**
 * Compares a state that a player shows with the events of its match: with the commitment, the rules, and everything
 * that the match revealed.
 * @param path Name of the state in errors.
 * @throws InputError if the chain or the game is not that of the match, or if the account does not play the match.
 * @throws Error if the player has hidden nothing in the match, or the match is not over.
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { checkShownState, games, locatedMismatchText, readShownState } from "duello";
 *
 * const shown = readShownState(JSON.parse(await readFile("army.json", "utf8")), "army.json");
 * const { hidden, mismatch } = await checkShownState(history, games, shown, "army.json");
 * console.log(mismatch ? locatedMismatchText(mismatch) : `The ${hidden.noun} is what the player committed to.`);
 * ```
 */
export async function checkShownState(
  history: History,
  games: readonly GameModule[],
  shown: ShownState,
  path: string,
): Promise<CheckedState> {
  const { matchId, move, salt, player } = shown;
  const record = await history.match(matchId);
  for (const [name, given, expected] of [
    ["chainId", BigInt(shown.chainId), record.chainId],
    ["game", shown.game, record.terms.game],
  ]) {
    if (given !== expected) throw new InputError(path, `${name} is ${given}, that of match ${matchId} is ${expected}`);
  }
  const seat = seatOfPlayer(player, record);
  if (seat === Seat.None) throw new InputError(path, `${player} is no player of match ${matchId}`);
  const { hidden } = await hiddenIn(record, seat, history, games);
  const secret = { move, salt };
  const mismatch = await hidden.mismatch(record, seat, secret, history);
  const at = `the ${hidden.noun} of player ${seat}`;
  return { record, seat, secret, hidden, ...(mismatch && { mismatch: { matchId, at, ...mismatch } }) };
}

/**
 * Finds the state that a seat has hidden in a finished match.
 * @throws Error if the seat has hidden nothing, or if the match is not over: the opponent could use the state.
 */
export async function hiddenIn(record: MatchRecord, seat: bigint, history: History, games: readonly GameModule[]) {
  const { matchId, terms, settlement } = record;
  const { hidden } = gameAt(terms.game, games, history.addresses);
  if (!hidden) throw new Error(`The game of match ${matchId} hides nothing beyond the end.`);
  if (!settlement) throw new Error(`Match ${matchId} is not over: until then the ${hidden.noun} stays hidden.`);
  const commitment = await hidden.commitmentOf(record, seat, history);
  if (!commitment) throw new Error(`Player ${seat} has hidden no ${hidden.noun} in match ${matchId}.`);
  return { hidden, commitment };
}

/** Explains in a sentence the result of a comparison without a mismatch. */
export function honestText({ record: { matchId }, seat, hidden }: CheckedState): string {
  return `The ${hidden.noun} of player ${seat} in match ${matchId} is the one that it committed to, and fits all that was proved and moved.`;
}
