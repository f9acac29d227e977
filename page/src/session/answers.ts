import { customError, type GameModule, type Hex } from "duello";
import { database } from "../store/database.ts";

/** Round of a match in which a commitment is answered. */
export interface Round {
  readonly chainId: number;
  /** Hash of the chain's first block. */
  readonly genesis: string;
  readonly arena: string;
  readonly matchId: bigint;
  /** Number of messages in the match before this answer: the creation, joining, and every action. */
  readonly after: number;
  /** The commitment that is answered. */
  readonly commitment: Hex;
}

/** Answer that was shown in a round. */
export interface ShownAnswer {
  /** The move as it is written on the command line. */
  readonly moveArgs: string;
  readonly answer: Hex;
}

/** An answer that is about to be sent. */
export interface AnswerAttempt {
  readonly round: Round;
  readonly moveArgs: readonly string[];
  readonly games: readonly GameModule[];
  /** Encodes the answer for the current state, with the salt of an answer shown before if there is one. */
  make(shown?: Hex): Promise<Hex>;
  /** Asks the chain whether it would accept the answer. @throws the chain's refusal */
  dryRun(answer: Hex): Promise<unknown>;
}

/** Errors that pass with time: they say nothing against the answer itself. */
const TEMPORARY = ["JoinTooSoon", "TooLate"];

/**
 * Returns the answer to send in a round: the one kept while the chain accepts it, else the same move and salt encoded for
 * the current state. It is kept before anyone sees it: of two moves in the open, the other player could choose.
 * @throws Error if another move was kept before
 */
export async function answerToSend(attempt: AnswerAttempt): Promise<Hex> {
  const { round, moveArgs, games, make, dryRun } = attempt;
  const kept = await shownIn(round);
  const said = moveArgs.join(" ");
  if (kept && kept.moveArgs !== said) {
    throw new Error(`You have answered this with ${kept.moveArgs} before, which may have been seen: play that again.`);
  }
  if (kept) {
    const refusal = await dryRun(kept.answer).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (!refusal) return kept.answer;
    const { name = TEMPORARY[0] } = customError(refusal.error, games) ?? {};
    if (TEMPORARY.includes(name)) throw refusal.error;
  }
  const answer = await make(kept?.answer);
  return (await keepShown(round, { moveArgs: said, answer }, kept)) ? answer : answerToSend(attempt);
}

/** Lists the answers that were shown in place of a round's to other commitments, in blocks that were undone since. */
export async function shownElsewhere(round: Round): Promise<ShownAnswer[]> {
  const prefix = placeOf(round);
  const kept = await database().catch(() => undefined);
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const keys = (await kept?.getAllKeys("answers", range)) ?? [];
  const others = keys.filter((key) => key !== nameOf(round));
  return (await Promise.all(others.map((key) => kept!.get("answers", key)))) as ShownAnswer[];
}

/** Reads the answer that was shown in a round before. */
export async function shownIn(round: Round): Promise<ShownAnswer | undefined> {
  const kept = await database().catch(() => undefined);
  return (await kept?.get("answers", nameOf(round))) as ShownAnswer | undefined;
}

/** Keeps the answer of a round. @returns false if another tab has kept one since `before` was read */
async function keepShown(round: Round, shown: ShownAnswer, before?: ShownAnswer): Promise<boolean> {
  const kept = await database().catch(() => undefined);
  if (!kept) return true;
  const change = kept.transaction("answers", "readwrite");
  const now = (await change.store.get(nameOf(round))) as ShownAnswer | undefined;
  const isFree = now?.answer === before?.answer;
  if (isFree) await change.store.put(shown, nameOf(round));
  await change.done;
  return isFree;
}

function nameOf(round: Round): string {
  return `${placeOf(round)}${round.commitment}`;
}

function placeOf({ chainId, genesis, arena, matchId, after }: Round): string {
  return `${chainId}-${genesis}-${arena}-${matchId}/${after}-`;
}
