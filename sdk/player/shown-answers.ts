import { traitsOf } from "../chain/traits.js";
import { gameAt } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import type { Moves, OpenTurn } from "../games/moves.js";
import type { Hex } from "../protocol/hex.js";
import type { Client } from "./client.js";
import { customError } from "./errors.js";
import type { ComposedAction } from "./turn.js";

/** A round of a match in which a commitment is answered. */
export interface Round {
  chainId: number;
  arena: string;
  matchId: bigint;
  /** Number of messages in the match before this answer, counting the creation, joining, and every action. */
  after: number;
  /** The commitment that is answered. */
  commitment: Hex;
}

/** An answer that was shown in a round. Its move is text, since people read it in errors and warnings. */
export interface ShownAnswer {
  /** Arguments of the move, separated by blanks. */
  moveArgs: string;
  answer: Hex;
}

/** Store of the answers that a player has shown. It outlives the program. */
export interface ShownAnswers {
  /** Returns the answer that was shown in a round before. */
  shown(round: Round): Promise<ShownAnswer | undefined>;
  /** Returns answers that were shown in this round to other commitments, in blocks that were undone. */
  shownElsewhere(round: Round): Promise<ShownAnswer[]>;
  /**
   * Stores the answer of a round.
   * @param before Earlier answer that the new one replaces, if there is one.
   * @returns false if another answer was stored since `before` was read.
   */
  keepShown(round: Round, shown: ShownAnswer, before?: ShownAnswer): Promise<boolean>;
  /** Names the place where a round's answer is stored, for stores that people can inspect. */
  placeOf?(round: Round): string;
}

/** Chain and games of a player. */
export interface AnswerContext {
  chainId: bigint | number;
  games: readonly GameModule[];
}

/** An answer that is about to be sent. */
export interface AnswerAttempt {
  round: Round;
  moveArgs: readonly string[];
  /** Games that the answer may belong to. If such a game rejects the answer, the rejection is final. */
  games: readonly GameModule[];
  /**
   * Encodes the answer for the current state, with the salt of an answer that was shown earlier, if any.
   * @throws Error if the answer is rejected.
   */
  make(shown?: Hex): Promise<Hex>;
  /** Asks the chain whether it would accept the answer. @throws Error with the chain's reason if not. */
  dryRun(answer: Hex): Promise<unknown>;
}

/** Temporary errors, which do not mean that the answer itself is invalid. */
const TEMPORARY_ERRORS = ["JoinTooSoon", "TooLate"];

/**
 * Returns the answer to send in a round: the stored answer while the chain accepts it, otherwise the same move and salt
 * encoded for the current state. Stores the answer before anyone sees it: the opponent must never see two moves.
 * @throws Error if another move was stored before.
 * @throws Error with the chain's reason, if the chain refuses the answer for now.
 * @example
 * ```ts
 * import { answerTo, answerToSend, games, offerHash } from "duello";
 *
 * const round = { chainId: 31_337, arena: addresses.Arena, matchId: 7n, after: 1, commitment: salt };
 * const make = async () => answerTo(turn.record.createData, "0x02");
 * const dryRun = (answer: string) => arena.join.staticCall(7n, offerHash(offer), answer);
 * const answer = await answerToSend(shownAnswers, { round, moveArgs: ["2"], games, make, dryRun });
 * ```
 */
export async function answerToSend(store: ShownAnswers, attempt: AnswerAttempt): Promise<Hex> {
  const { round, moveArgs, games, make, dryRun } = attempt;
  const kept = await store.shown(round);
  const said = moveArgs.join(" ");
  if (kept && kept.moveArgs !== said) {
    const place = store.placeOf ? ` ${store.placeOf(round)} keeps it.` : "";
    throw new Error(`This commitment was answered with ${kept.moveArgs} before: send that again.${place}`);
  }
  if (kept) {
    const refusal = await dryRun(kept.answer).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (!refusal) return kept.answer;
    const { name = TEMPORARY_ERRORS[0] } = customError(refusal.error, games) ?? {};
    if (TEMPORARY_ERRORS.includes(name)) throw refusal.error;
  }
  const answer = await make(kept?.answer);
  const isKept = await store.keepShown(round, { moveArgs: said, answer }, kept);
  return isKept ? answer : answerToSend(store, attempt);
}

/**
 * Returns the action to send in a round, in the same way as `answerToSend`.
 * @throws Error if another move was stored before.
 * @example
 * ```ts
 * import { actionToSend, answeredRound, type ComposedAction } from "duello";
 *
 * const dataToSend = async (composed: ComposedAction) => {
 *   const round = await answeredRound(client, composed.turn);
 *   return round ? actionToSend(shownAnswers, client, round, composed) : composed.data;
 * };
 * ```
 */
export async function actionToSend(
  store: ShownAnswers,
  { arena, games }: Client,
  round: Round,
  { turn, move, data, encodeAgain }: ComposedAction,
): Promise<Hex> {
  const dryRun = (answer: Hex) => arena.act.staticCall(round.matchId, answer, { blockTag: "pending" });
  const make = async (shown?: Hex) => {
    if (shown === undefined) return data;
    const answer = await encodeAgain(shown);
    await dryRun(answer);
    return answer;
  };
  const moveArgs = await movesIn(turn, games).args(move, turn);
  return answerToSend(store, { round, moveArgs, games, make, dryRun });
}

/**
 * Returns the round in which a turn answers a commitment; undefined if the turn does not answer one.
 * @throws InputError for a game that is not among those of the context.
 * @example
 * ```ts
 * import { answeredRound, games, Seat, turnOf } from "duello";
 *
 * const round = await answeredRound({ chainId, games }, turnOf(record, Seat.One, record.player1, archive));
 * round; // => undefined
 * ```
 */
export async function answeredRound(context: AnswerContext, turn: OpenTurn): Promise<Round | undefined> {
  const commitment = await movesIn(turn, context.games).answeredCommitment?.(turn);
  return commitment === undefined ? undefined : roundOf(context, turn, commitment);
}

/**
 * Returns the round of a turn that answers a commitment.
 * @example
 * ```ts
 * import { roundOf, Seat, turnOf } from "duello";
 *
 * const round = roundOf({ chainId }, turnOf(record, Seat.Two, record.player2!, archive), salt);
 * round.after; // => 5
 * ```
 */
export function roundOf(
  { chainId }: Pick<AnswerContext, "chainId">,
  { record, history }: OpenTurn,
  commitment: Hex,
): Round {
  const { matchId, joinData, actions } = record;
  const after = 1 + Number(joinData !== undefined) + actions.length;
  return { chainId: Number(chainId), arena: history.addresses.Arena, matchId, after, commitment };
}

/**
 * Warns if a commitment replaces another commitment that was already answered: blocks were undone, and the player who
 * committed again may have seen that answer.
 * @param move Move that is about to be shown, if it is known.
 * @throws like the history.
 * @example
 * ```ts
 * import { exposureWarnings } from "duello";
 *
 * for (const warning of await exposureWarnings(shownAnswers, client, turn, 4)) console.warn(warning);
 * ```
 */
export async function exposureWarnings(
  store: ShownAnswers,
  context: AnswerContext,
  turn: OpenTurn,
  move?: unknown,
): Promise<string[]> {
  const round = traitsOf(context.chainId).isFinalAtOnce ? undefined : await answeredRound(context, turn);
  const shown = round ? await store.shownElsewhere(round) : [];
  if (shown.length === 0) return [];
  const said = move === undefined ? undefined : (await movesIn(turn, context.games).args(move, turn)).join(" ");
  return shown.map((each) => {
    const now = said === each.moveArgs ? ": the same move again may lose for certain" : "";
    return `You have shown ${each.moveArgs} in match ${turn.record.matchId}, to a commitment that was undone since. Whoever made this one may know that${now}.`;
  });
}

function movesIn({ game, history }: OpenTurn, games: readonly GameModule[]): Moves {
  return gameAt(game, games, history.addresses).moves;
}
