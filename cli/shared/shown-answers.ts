import type { Client } from "../../sdk/player/client.js";
import { customError } from "../../sdk/player/errors.js";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Session } from "./session.js";
import type { Round, Vault } from "./vault.js";

/** Errors that pass with time: they say nothing against the answer itself. */
const TEMPORARY_ERRORS = ["JoinTooSoon", "TooLate"];

/** An answer that is about to be sent. */
export interface AnswerAttempt {
  round: Round;
  moveArgs: readonly string[];
  /** Games that the answer may be of, whose refusals are final. */
  games: readonly GameModule[];
  /**
   * Encodes the answer for the current state, with the salt of an answer shown before if there is one.
   * @throws Error if it is refused.
   */
  make(shown?: Hex): Promise<Hex>;
  /** Asks the chain whether it would accept the answer. @throws Error with the chain's reason if not. */
  dryRun(answer: Hex): Promise<unknown>;
}

/**
 * Returns the answer to send in a round: the stored one while the chain accepts it, else the same move and salt encoded
 * for the current state. It is stored before anyone sees it: of two moves in the open, the other player could choose.
 * @throws Error if another move was stored before.
 */
export async function answerToSend(vault: Vault, attempt: AnswerAttempt): Promise<Hex> {
  const { round, moveArgs, games, make, dryRun } = attempt;
  const kept = await vault.shown(round);
  const said = moveArgs.join(" ");
  if (kept && kept.moveArgs !== said) {
    const file = vault.answerFile(round);
    throw new Error(`This commitment was answered with ${kept.moveArgs} before: send that again. ${file} keeps it.`);
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
  const isKept = await vault.keepShown(round, { moveArgs: said, answer }, kept);
  return isKept ? answer : answerToSend(vault, attempt);
}

/** An action that is about to be sent. */
export interface ActionAttempt extends Pick<AnswerAttempt, "round" | "moveArgs"> {
  /** The action as it was encoded already. */
  action: Hex;
  /** Encodes the action anew, with the salt of what was shown before. */
  anew(shown: Hex): Promise<Hex>;
}

/**
 * Returns the action to send in a round, in the same way as `answerToSend`.
 * @throws Error if another move was stored before.
 */
export async function actionToSend(
  vault: Vault,
  { arena, games }: Client,
  { round, moveArgs, action, anew }: ActionAttempt,
): Promise<Hex> {
  const dryRun = (answer: Hex) => arena.act.staticCall(round.matchId, answer, { blockTag: "pending" });
  const make = async (shown?: Hex) => {
    if (shown === undefined) return action;
    const answer = await anew(shown);
    await dryRun(answer);
    return answer;
  };
  return answerToSend(vault, { round, moveArgs, games, make, dryRun });
}

/** Returns the round that a turn answers in; undefined if the turn answers no commitment. */
export async function answeredRound(session: Session, turn: OpenTurn): Promise<Round | undefined> {
  const { moves } = session.gameAt(turn.record.terms.game);
  const commitment = await moves.answeredCommitment?.(turn);
  return commitment === undefined ? undefined : roundOf(session, turn, commitment);
}

/** Returns the round of a turn in which a commitment is answered. */
export function roundOf({ chainId, deployment }: Session, { record }: OpenTurn, commitment: Hex): Round {
  const { matchId, joinData, actions } = record;
  const after = 1 + Number(joinData !== undefined) + actions.length;
  return { chainId, arena: deployment.addresses.Arena, matchId, after, commitment };
}

/**
 * Warns if a commitment replaces another one that was answered before: blocks were undone, and whoever committed anew
 * may have seen that answer.
 * @param moveArgs Move that is about to be shown, if it is known.
 */
export async function exposureWarnings(
  session: Session,
  turn: OpenTurn,
  moveArgs?: readonly string[],
): Promise<string[]> {
  const round = BigInt(session.chainId) === TEST_CHAIN ? undefined : await answeredRound(session, turn);
  const shown = round ? await session.vault.shownElsewhere(round) : [];
  return shown.map((each) => {
    const now = moveArgs?.join(" ") === each.moveArgs ? ": the same move again may lose for certain" : "";
    return `You have shown ${each.moveArgs} in match ${turn.record.matchId}, to a commitment that was undone since. Whoever made this one may know that${now}.`;
  });
}
