import { ZeroAddress } from "ethers";
import { Game__factory } from "../../typechain-types/index.js";
import { refusedIn } from "../chain/channels.js";
import type { History } from "../chain/history.js";
import type { MatchRecord, Replayed } from "../chain/record.js";
import { isRevert } from "../chain/revert.js";
import { NeverMinted } from "../chain/characters.js";
import { channelMatchIdOf, type Channel } from "../protocol/channels/messages.js";
import { isKind } from "../protocol/error-kind.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import { otherSeat } from "../protocol/sides.js";
import { Seat } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";
import { modeContent } from "./modes.js";
import type { GameModule } from "./module.js";
import { RecordError } from "./revealed-rounds.js";

/** Match in a channel before its first action. */
export interface OfferedMatch {
  chainId: bigint;
  channelId: Hex;
  channel: Channel;
  nonce: number;
  terms: Terms;
  /** True if the channel's player 2 has seat One. */
  swapped: boolean;
  /** Data that would create the match on chain. */
  data: Hex;
  /** Position that the offer names; undefined while the offer is being made. */
  position?: Hex;
}

/** Action of a match with the seat that took it. */
export interface SeatAction {
  seat: bigint;
  data: Hex;
}

/** State of a match after its actions, as the contracts have it. */
export interface Progress {
  /** Number of actions. */
  count: number;
  /** Seat in turn; None once the match is over. */
  turn: bigint;
  /** Position, 32 bytes; zero once the match is over. */
  position: Hex;
  winner: bigint;
  /** Seat that takes the pot; None while the match continues, or if each player gets its stake back. */
  taker: bigint;
  /** Seat that acted last; None before the first action. */
  mover: bigint;
  /** Reason why the game refuses the last action, so that its seat loses; undefined if the game accepts the action. */
  refusal?: string;
}

/** Step that a game returns, or undefined if it refuses the action. */
export type Step = Pick<Progress, "turn" | "winner" | "taker" | "position"> | undefined;

/** Number of actions of a match that ends with its only reveal. */
const ONE_ROUND = 2;

/** Returns the record of a match in a channel, from which the game's module can replay it and find moves. */
export function channelRecord(match: OfferedMatch, actions: readonly SeatAction[] = []): MatchRecord {
  const { chainId, channelId, channel, nonce, terms, swapped, data, position } = match;
  const { player1, player2 } = channel;
  const [one, two] = swapped ? [player2, player1] : [player1, player2];
  const [joined, ...later] = actions;
  return {
    chainId,
    matchId: channelMatchIdOf(channelId, nonce),
    terms,
    player1: one,
    player2: two,
    funded: [
      { seat: Seat.One, player: one },
      { seat: Seat.Two, player: two },
    ],
    createData: data,
    joinData: joined?.data,
    actions: later,
    logs: [],
    channel: { offered: position },
  };
}

/**
 * Computes the position after `create`, which an offer names.
 * @throws RecordError or InputError for data that creates no match, or for a position that differs from the record's.
 */
export async function offeredPosition(record: MatchRecord, module: GameModule, history: History): Promise<Hex> {
  return (await offered(record, module, history)).position;
}

async function offered(record: MatchRecord, module: GameModule, history: History): Promise<Replayed> {
  const replayed = await module.replay(record, history);
  const { position } = replayed;
  const offered = record.channel?.offered;
  if (offered !== undefined && offered !== position) {
    throw new RecordError(`the data makes the position ${position}, not the one offered, ${offered}`);
  }
  return replayed;
}

/**
 * Computes the state of a match in a channel with the engine of its game. It cannot detect refusals that depend on the
 * chain, e.g. because a character was sold; `contractStep` can.
 */
export async function progressOf(record: MatchRecord, module: GameModule, history: History): Promise<Progress> {
  const { joinData, actions, channel } = record;
  const base = { winner: Seat.None, taker: Seat.None };
  if (joinData === undefined) {
    return { ...base, count: 0, turn: Seat.Two, position: channel!.offered!, mover: Seat.None };
  }
  const count = 1 + actions.length;
  const mover = actions.at(-1)?.seat ?? Seat.Two;
  const over = { count, turn: Seat.None, position: `0x${"00".repeat(32)}`, mover };
  let replayed: Replayed;
  try {
    replayed = await module.replay(record, history);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const winner = otherSeat(mover);
    return { ...over, winner, taker: winner, refusal: error.message };
  }
  const { result, position, turns } = replayed;
  if (result) return { ...over, ...result };
  const turn = turns.at(-1);
  if (turn === undefined) throw new Error(`The engine of ${module.title} does not know whose turn it is.`);
  return { ...base, count, turn, position, mover };
}

/** Match as its record shows it, with the data and seats of its actions. */
export interface UnfoldedMatch {
  /** Record without the refused action, if any. */
  record: MatchRecord;
  /** Seat whose last action the game has refused. */
  refused?: bigint;
  /** Record with the refused action; undefined if that action answers no offer. */
  attempt?: MatchRecord;
}

/**
 * Finds the offer's data and the seats of actions in a match from a channel. If the match starts from a base, its
 * actions are those after the base, provided that the game can resume there.
 * @param record Record as a history reads it.
 * @throws RecordError or InputError for an action that the game refuses, except the action of a forfeit.
 * @example
 * ```ts
 * import { stockGame, unfolded } from "duello";
 *
 * const played = await history.match(7n); // a match that was settled in its channel
 * const { record, refused } = await unfolded(played, stockGame("tic-tac-toe"), history);
 * console.log(record.actions.length, refused);
 * ```
 */
export async function unfolded(record: MatchRecord, module: GameModule, history: History): Promise<UnfoldedMatch> {
  const { code, brought } = record.channel!.shown!;
  if (code.turn !== Seat.None && !module.channels?.resume) return { record };
  const isAnswered = code.turn === Seat.None;
  const begun = isAnswered ? await answered(record, module, history) : record;
  if (!begun) return { record, refused: Seat.Two };
  const taken = code.forfeit ? brought.slice(0, refusedIn(code, brought.length) + 1) : brought;
  const data = taken.slice(isAnswered ? 1 : 0);
  const last = code.forfeit ? data.pop() : undefined;
  // The answer itself was refused.
  if (code.forfeit && last === undefined) return { record, refused: Seat.Two, attempt: begun };
  const turnsAfter = async (actions: SeatAction[]): Promise<bigint[]> => {
    const { turns } = await replayUnfolded({ ...begun, settlement: undefined, actions, logs: [] }, module, scratch);
    return [...(isAnswered ? [] : [code.turn]), ...turns.map((turn) => turn ?? Seat.None)];
  };
  // Engines cache unfinished matches by history. With this copy, they are cached only for the time of this call.
  const scratch = Object.create(history) as History;
  // In most games the players alternate.
  let actions: SeatAction[] = data.map((each, i) => ({ seat: i % 2 === 0 ? Seat.One : Seat.Two, data: each }));
  let turns = await turnsAfter(actions).catch((): bigint[] => []);
  if (turns.length === 0 || actions.some(({ seat }, i) => seat !== turns[i])) {
    actions = [];
    for (const each of data) actions.push({ seat: (await turnsAfter([...actions])).at(-1)!, data: each });
    turns = await turnsAfter(actions);
  }
  const whole = { ...begun, actions: [...actions, ...record.actions] };
  if (last === undefined) return { record: whole };
  const refused = turns.at(-1)!;
  return { record: whole, refused, attempt: { ...whole, actions: [...actions, { seat: refused, data: last }] } };
}

/** Replays a match from a channel, from its offer or from its base. @throws as the module's `replay` does */
export async function replayUnfolded(record: MatchRecord, module: GameModule, history: History): Promise<Replayed> {
  const { code, position } = record.channel!.shown!;
  if (code.turn === Seat.None || record.joinData !== undefined) return module.replay(record, history);
  const data = record.actions.map((action) => action.data);
  return module.channels!.resume!(record, { turn: code.turn, position }, data, history);
}

/**
 * Adds the offer's data, the logs that the game would make of it, and the answer to a record.
 * @returns undefined if the first action was refused because it does not answer an offer
 */
async function answered(record: MatchRecord, module: GameModule, history: History): Promise<MatchRecord | undefined> {
  const { code, brought } = record.channel!.shown!;
  const [answer] = brought;
  const content = await modeContent(module, record.terms, history);
  try {
    const createData = module.channels!.createdBy(answer, content);
    const channel = { ...record.channel, answer };
    const opening = { ...record, createData, actions: [], logs: [], channel, settlement: undefined };
    const { logs } = await offered(opening, module, Object.create(history) as History);
    return { ...record, createData, joinData: answer, logs: [...logs, ...record.logs] };
  } catch (error) {
    if (code.forfeit && refusedIn(code, brought.length) === 0 && isRefusal(error)) return undefined;
    throw error;
  }
}

/**
 * Returns whether a match is over and can no longer change. Unless the other player has confirmed the end, this holds
 * only if the mover had no choice.
 * @param seen True if the other player has confirmed that it has seen the end.
 */
export function isFinal({ turn, count, refusal }: Progress, seen: boolean): boolean {
  return turn === Seat.None && (seen || (count === ONE_ROUND && refusal === undefined));
}

/** Returns whether a match is over and its last mover lost: only the opponent would settle the match on chain. */
export function hasMoverLost({ turn, taker, mover }: Progress): boolean {
  return turn === Seat.None && taker !== Seat.None && taker !== mover;
}

/**
 * Calls a game's contract with an action, as its channels contract would, without a transaction.
 * @param channels Address of the channels contract.
 * @param record Match up to the action.
 * @param position Position before the action.
 * @throws the provider's error if the chain cannot be read.
 */
export async function contractStep(
  { provider }: Pick<History, "provider">,
  channels: string,
  { matchId, terms, player1, player2 = ZeroAddress, joinData }: MatchRecord,
  position: Hex,
  { seat, data }: SeatAction,
): Promise<Step> {
  const { mode, rated, game } = terms;
  const duel = { id: matchId, mode, rated, player1, player2, position };
  const call =
    joinData === undefined
      ? GAME.encodeFunctionData("join", [duel, data])
      : GAME.encodeFunctionData("act", [duel, seat, data]);
  try {
    const answer = await provider.call({ from: channels, to: game, data: call });
    const [step] = GAME.decodeFunctionResult("act", answer);
    const { turn, winner, taker, position: next } = step as NonNullable<Step>;
    return { turn, winner, taker, position: next };
  } catch (error) {
    if (isRevert(error)) return undefined;
    throw error;
  }
}

const GAME = Game__factory.createInterface();

/** Returns whether an error is an engine's refusal of an action by the game's rules. */
export function isRefusal(error: unknown): error is Error {
  return isKind(error, RecordError) || isKind(error, InputError) || isKind(error, NeverMinted);
}
