import type { Client } from "../../sdk/player/client.js";
import { customError } from "../../sdk/player/errors.js";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import { gameAt } from "../../sdk/games/index.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Session } from "./session.js";
import type { Round, Vault } from "./vault.js";

/** What the chain refuses at one time only. */
const TEMPORARY_ERRORS = ["JoinTooSoon", "TooLate"];

/** An answer on its way: a move, and how it becomes something to send. */
export interface AnswerAttempt {
  round: Round;
  moveArgs: readonly string[];
  /**
   * Makes it for what holds now, with the salt of what was shown before, if anything was. @throws Error if it is
   * refused.
   */
  make(shown?: Hex): Promise<Hex>;
  /** Asks the chain whether it would take it. @throws Error with what it says, if not. */
  attempt(answer: Hex): Promise<unknown>;
}

/**
 * What to send in a round: what was kept for it before, as long as the chain takes that, else the same move and salt
 * made for what holds now. It is kept before anyone sees it. With two moves in the open the other side could choose
 * between them.
 * @throws Error if another move was kept before.
 */
export async function answerToSend(vault: Vault, answering: AnswerAttempt): Promise<Hex> {
  const { round, moveArgs, make, attempt } = answering;
  const kept = await vault.shown(round);
  const said = moveArgs.join(" ");
  if (kept && kept.moveArgs !== said) {
    const file = vault.answerFile(round);
    throw new Error(`This commitment was answered with ${kept.moveArgs} before: send that again. ${file} keeps it.`);
  }
  if (kept) {
    const refusal = await attempt(kept.answer).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (!refusal) return kept.answer;
    const { name = TEMPORARY_ERRORS[0] } = customError(refusal.error) ?? {};
    if (TEMPORARY_ERRORS.includes(name)) throw refusal.error;
  }
  const answer = await make(kept?.answer);
  const isKept = await vault.keepShown(round, { moveArgs: said, answer }, kept);
  return isKept ? answer : answerToSend(vault, answering);
}

/** The same of an action, which was made already, and is made anew with the salt of what was shown before. */
export async function actionToSend(
  vault: Vault,
  { arena }: Client,
  {
    action,
    anew,
    ...of
  }: Pick<AnswerAttempt, "round" | "moveArgs"> & { action: Hex; anew: (shown: Hex) => Promise<Hex> },
): Promise<Hex> {
  const attempt = (answer: Hex) => arena.act.staticCall(of.round.matchId, answer, { blockTag: "pending" });
  const make = async (shown?: Hex) => {
    if (shown === undefined) return action;
    const answer = await anew(shown);
    await attempt(answer);
    return answer;
  };
  return answerToSend(vault, { ...of, make, attempt });
}

/** The round that a turn answers in, if it answers a commitment. */
export async function answeredRound(session: Session, turn: OpenTurn): Promise<Round | undefined> {
  const { moves } = gameAt(turn.record.terms.game, session.deployment.addresses);
  const commitment = await moves.answeredCommitment?.(turn);
  return commitment === undefined ? undefined : roundOf(session, turn, commitment);
}

/** The round of a turn in which something is answered. */
export function roundOf({ chainId, deployment }: Session, { record }: OpenTurn, commitment: Hex): Round {
  const { matchId, joinData, actions } = record;
  const after = 1 + Number(joinData !== undefined) + actions.length;
  return { chainId, arena: deployment.addresses.Arena, matchId, after, commitment };
}

/**
 * What is to be known of a turn that answers a commitment in whose place another one was answered before: blocks were
 * undone, and who committed anew may have seen that answer.
 * @param moveArgs The move that is about to be shown, if it is known.
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
    return `You have shown ${each.moveArgs} in match ${turn.record.matchId}, to a commitment that is no more. This one may have been made by who knows that${now}.`;
  });
}
