import type { Client } from "../../sdk/player/client.js";
import { customError } from "../../sdk/player/errors.js";
import { isFinal, untilFinal } from "../../sdk/chain/finality.js";
import type { GameModule } from "../../sdk/games/module.js";
import { isOpenTurn, type OpenTurn, type Turn } from "../../sdk/games/moves.js";
import type { Risk } from "../../sdk/player/risks.js";
import { playerInTurn } from "../../sdk/protocol/sides.js";
import { Status } from "../../sdk/protocol/status.js";
import { takeTurn, type ComposedAction } from "../../sdk/player/turn.js";
import { exposureWarnings, actionToSend } from "../../sdk/player/shown-answers.js";
import { joinDataFor, canJoinInOneStep, joiningTurn } from "../../sdk/player/join.js";
import { isFor, nextStep } from "../../sdk/player/next-step.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import type { CommandContext } from "../shared/command/context.js";
import { moveChecksOf } from "../shared/match/risks.js";
import { MoveStore } from "./move-store.js";
import type { EventLog } from "./event-log.js";

const HURRY = "The deadline is near: I act before the opponent's move is final.";

/** Thrown when a step is too early: the step is due again at the next block. */
export class NotYet extends Error {
  override readonly name = "NotYet";
}

/** Kind of step that is due in a match. */
export type Due = "act" | "join" | "timeout";

/** Returns the step that a player must take at a time, in seconds since 1970; undefined if there is none. */
export function dueOf(view: MatchView, game: GameModule, player: string, now: bigint): Due | undefined {
  const step = nextStep(view, game, now);
  if (!step || !isFor(step, player, view)) return undefined;
  if (step.action === "timeout") return step.action;
  // A match with an unfunded seat is still an offer, and the policy decides about offers.
  if (view.status < Status.AllDeposited) return undefined;
  return step.action === "join" ? "join" : "act";
}

/**
 * Sends all transactions of an agent in a match. Nothing here waits for blocks: a step that is too early throws
 * `NotYet`.
 */
export class Turns {
  readonly moveStore: MoveStore;

  constructor(
    private readonly context: CommandContext,
    private readonly client: Client,
    private readonly eventLog: EventLog,
  ) {
    this.moveStore = new MoveStore(context);
  }

  /** Returns the turn of the second seat in a match that is offered on chain. */
  async joiningTurn(view: MatchView): Promise<OpenTurn> {
    return joiningTurn(this.context.history, this.client, view);
  }

  /**
   * Assesses a seat before it is taken.
   * @param stake Stake of the seat.
   * @returns an obstacle to playing it, or the chance of winning from 0 to 1, if the game's module can estimate it.
   */
  async assess(turn: Turn, stake: bigint): Promise<{ obstacle?: string; winProbability?: number }> {
    const game = this.context.gameAt(turn.game);
    try {
      const { move, winProbability } = await this.firstMove(turn, stake, game);
      const exposure = isOpenTurn(turn) ? await exposureWarnings(this.context.vault, this.context, turn, move) : [];
      const moveChecks = await moveChecksOf(this.context, game, turn.game, move);
      return { obstacle: [...exposure, ...moveChecks].at(0), winProbability };
    } catch (error) {
      return { obstacle: this.context.tokens.explain(error) };
    } finally {
      this.moveStore.forget();
    }
  }

  /** Returns whether joining in one step would show an answer to a commitment that is not final. */
  async mustWait(view: MatchView): Promise<boolean> {
    if (!this.context.gameAt(view.terms.game).moves.pendingCommitments || !(await canJoinInOneStep(this.client, view)))
      return false;
    return !(await isFinal(this.client.arena, view.matchId));
  }

  /** Takes the second seat: joins if one step is safe, otherwise only funds the seat. */
  async take(view: MatchView, acceptedRisks: readonly Risk[]): Promise<void> {
    const { matchId } = view;
    if (await canJoinInOneStep(this.client, view)) return this.join(view, acceptedRisks);
    await this.client.fund(view, { acceptedRisks });
    this.eventLog.report({ event: "funded", matchId, text: "My stake is in; I answer when that is final." });
  }

  /** Declines an offer that names the agent. */
  async decline({ matchId }: MatchView): Promise<void> {
    await this.client.decline(matchId);
    this.eventLog.report({ event: "declined", matchId, text: "I have declined it: its challenger is refunded." });
  }

  /** Joins with an answer. @throws NotYet if that is too early. */
  async join(view: MatchView, acceptedRisks: readonly Risk[] = []): Promise<void> {
    const { matchId, terms, status } = view;
    if (status === Status.AllDeposited) await untilFinal(this.client.arena, matchId, { onWait: throwNotYet });
    else if (await this.mustWait(view)) throwNotYet();
    const turn = await joiningTurn(this.context.history, this.client, view);
    const secretStore = this.context.keys.secretStoreOf(terms.game, turn.player);
    const move = await this.moveStore.moveFor(turn, secretStore);
    const round = await this.moveStore.round(turn);
    const joinAnswer = { secretStore, shownAnswers: this.context.vault, move };
    const answer = await joinDataFor(this.client, turn, joinAnswer, {}, round).catch((error: unknown) => {
      throw customError(error)?.name === "JoinTooSoon" ? new NotYet() : error;
    });
    await this.reportExposure(turn, move);
    await this.client.join(view, answer, { acceptedRisks });
    await this.reportSent("joined", turn, move);
  }

  /**
   * Takes the turn in a match, for the agent itself or for a player whose operator the agent is.
   * @throws NotYet if that is too early.
   */
  async act(view: MatchView): Promise<void> {
    const { matchId, terms } = view;
    const secretStore = this.context.keys.secretStoreOf(terms.game, playerInTurn(view));
    let taken: ComposedAction;
    await takeTurn(this.client, this.context.history, matchId, {
      secretStore,
      move: (turn, revealed) => this.moveStore.moveFor(turn, revealed),
      dataToSend: async (composed) => {
        taken = composed;
        const round = await this.moveStore.round(composed.turn);
        const data = await actionToSend(this.context.vault, this.client, round, composed);
        await this.reportExposure(composed.turn, composed.move);
        return data;
      },
      onWait: throwNotYet,
      onHurry: () => this.eventLog.report({ event: "hurry", matchId, text: HURRY }),
    });
    await this.reportSent("acted", taken!.turn, taken!.move);
  }

  /** Ends a match whose deadline has passed. */
  async timeout({ matchId }: MatchView): Promise<void> {
    await this.client.timeout(matchId);
    this.eventLog.report({ event: "timeout", matchId, text: "The clock has run out: I have ended the match." });
  }

  /** Chooses the first move in a seat, and assesses it if the seat has a stake and the game's module can. */
  private async firstMove(
    turn: Turn,
    stake: bigint,
    game: GameModule,
  ): Promise<{ move: unknown; winProbability?: number }> {
    if (stake > 0n && game.bot?.assess) return game.bot.assess(turn);
    return { move: await this.moveStore.moveFor(turn, this.context.keys.secretStoreOf(turn.game, turn.player)) };
  }

  /**
   * Reports a turn in which the opponent may know what was revealed earlier. The agent takes the turn anyway: otherwise
   * it loses the match.
   */
  private async reportExposure(turn: OpenTurn, move: unknown): Promise<void> {
    const text = await exposureWarnings(this.context.vault, this.context, turn, move);
    if (text.length > 0) this.eventLog.report({ event: "exposed", matchId: turn.record.matchId, text });
  }

  /** Reports the sent action, without a move that is only committed. */
  private async reportSent(event: string, turn: OpenTurn, move: unknown): Promise<void> {
    const { matchId, terms } = turn.record;
    const { moves } = this.context.gameAt(terms.game);
    const isOpenTurn = !moves.pendingCommitments || (await moves.answeredCommitment?.(turn)) !== undefined;
    const whose = turn.player === this.client.address ? "" : ` for ${turn.player}`;
    const moveArgs = await moves.args(move, turn);
    const did = turn.record.joinData === undefined ? "I have joined" : "I reveal";
    const text = `${isOpenTurn ? `I play ${moveArgs.join(" ")}` : did}${whose}.`;
    this.eventLog.report({ event, matchId, text, data: isOpenTurn ? { moveArgs } : {} });
  }
}

function throwNotYet(): never {
  throw new NotYet();
}
