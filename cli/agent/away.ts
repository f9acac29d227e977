import { setTimeout as pause } from "node:timers/promises";
import { isFinal, restSeconds } from "../../sdk/chain/finality.js";
import { isOutage } from "../../sdk/chain/trouble.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import type { Client } from "../../sdk/player/client.js";
import type { AwayStatus, Due, Settle } from "../../sdk/player/away/due.js";
import type { AwaySeat } from "../../sdk/player/away/seat.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import type { Policy } from "../../sdk/player/policy.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { termsHash } from "../../sdk/protocol/terms.js";
import { awayViewOf, isPost, PlayedSeat, type AwayView } from "../shared/off-chain/away-seat.js";
import type { CommandContext } from "../shared/command/context.js";
import type { EventLog } from "./event-log.js";
import type { MoveStore } from "./move-store.js";

/** Milliseconds for which news of the other player is waited for at once, while the agent runs. */
const WAIT = 20_000;

/** Milliseconds between two such waits, in which a command of the same player can look at the match. */
const GAP = 100;

/** Milliseconds after which a match is looked at again that has failed. */
const RETRY = 2000;

/** Transaction that a match at the table takes, which is ready to be sent. */
type Ready =
  | { type: "act"; due: Due["type"]; data: Hex }
  | { type: "settle"; settlement: Settle }
  | { type: "timeout" };

/** Match that the agent plays at the table. */
interface AwayMatch {
  readonly match: AwayView;
  /** True if the agent is only the operator of the player. */
  readonly isWatched: boolean;
  /** Winners whom the agent has agreed to when it was asked: it waits for nobody to settle that a second time. */
  readonly agreed: Set<bigint>;
  played?: PlayedSeat;
  /** Work at the table that is under way; undefined if there is none. */
  work?: Promise<void>;
  /** Ends the present wait for the other player. */
  wake: AbortController;
  ready?: Ready;
}

/**
 * Plays the agent's matches that have begun away from the chain. All that is done at a table goes on beside the rest of
 * what the agent does, match by match, and none of it waits for another; transactions are only made ready here, and sent
 * when their turn comes.
 */
export class AwayMatches {
  private readonly matches = new Map<bigint, AwayMatch>();
  /** Matches that are known to be on the chain from their beginning. */
  private readonly plain = new Set<bigint>();
  private readonly stop = new AbortController();
  private readonly failure = new AbortController();
  private stir = new AbortController();
  private isLive = false;

  constructor(
    private readonly context: CommandContext,
    private readonly client: Client,
    private readonly policy: Pick<Policy, "patience" | "agree">,
    private readonly moveStore: MoveStore,
    private readonly eventLog: EventLog,
  ) {}

  /** Has all matches wait for news by themselves until the signal is aborted; else each look is asked for. */
  live(signal: AbortSignal): void {
    this.isLive = true;
    signal.addEventListener("abort", () => this.close(), { once: true });
  }

  /** Ends all waits. */
  close(): void {
    this.stop.abort();
    for (const { wake } of this.matches.values()) wake.abort();
  }

  /** Signal that is aborted when something becomes ready to be sent; `takeStir` makes a new one. */
  get stirred(): AbortSignal {
    return this.stir.signal;
  }

  /** Signal that is aborted when a match cannot be played on: the log cannot be written. */
  get failed(): AbortSignal {
    return this.failure.signal;
  }

  /** Returns whether something has become ready to be sent since this was asked last. */
  takeStir(): boolean {
    const isStirred = this.stir.signal.aborted;
    if (isStirred) this.stir = new AbortController();
    return isStirred;
  }

  /** Waits until nothing is being done at any table. */
  async settled(): Promise<void> {
    for (const { work } of this.matches.values()) await work;
  }

  /** Has a match looked at again: something has happened in it on chain. */
  onChange(matchId: bigint): void {
    // A reorganisation may have given its number to another match.
    this.plain.delete(matchId);
    const match = this.matches.get(matchId);
    if (!match) return;
    // A post is taken back only when the chain refuses it.
    if (match.ready?.type !== "act" || !isPost(match.ready.due)) match.ready = undefined;
    match.wake.abort();
  }

  /** Forgets a match that is over. */
  forget(matchId: bigint): void {
    this.plain.delete(matchId);
    const match = this.matches.get(matchId);
    match?.wake.abort();
    this.matches.delete(matchId);
  }

  /** Returns whether a match of the agent is played here. */
  async isPlayed(view: MatchView): Promise<boolean> {
    const { matchId, status } = view;
    if (status !== Status.AllJoined || this.plain.has(matchId)) return false;
    const known = this.matches.get(matchId);
    if (known && isSameMatch(known.match.view, view)) return true;
    this.forget(matchId);
    const match = await awayViewOf(this.context, view);
    if (!match) this.plain.add(matchId);
    else this.matches.set(matchId, { match, isWatched: false, agreed: new Set(), wake: new AbortController() });
    return match !== undefined;
  }

  /** Returns whether the agent answers for a player in a match here: in one that has begun away from the chain. */
  async isWatched(view: MatchView, player: string): Promise<boolean> {
    const { matchId } = view;
    const known = this.matches.get(matchId);
    if (known?.isWatched && known.match.player === player && isSameMatch(known.match.view, view)) return true;
    const match = await awayViewOf(this.context, view, player);
    if (match) this.matches.set(matchId, { match, isWatched: true, agreed: new Set(), wake: new AbortController() });
    return match !== undefined;
  }

  /** Begins to look at a match, unless that is being done. @returns whether a transaction is ready. */
  look({ matchId }: MatchView): boolean {
    const match = this.matches.get(matchId)!;
    if (match.ready) return true;
    match.work ??= this.play(match)
      .catch((error: unknown) => this.failure.abort(error))
      .finally(() => (match.work = undefined));
    return false;
  }

  /** Sends the transaction that is ready. */
  async send({ matchId }: MatchView): Promise<void> {
    const match = this.matches.get(matchId)!;
    const ready = match.ready!;
    match.ready = undefined;
    if (ready.type === "timeout") await this.client.timeout(matchId);
    else if (ready.type === "act") await match.played!.send(ready.due, () => this.client.act(matchId, ready.data));
    else if (!(await this.settles(matchId, ready.settlement))) return;
    const event = ready.type === "act" ? ready.due : ready.type;
    this.eventLog.report({ event, matchId, text: SAID[event] ?? "I have acted." });
  }

  /** Settles a match. @returns false if it was over before: whoever has both signatures can settle it, too. */
  private async settles(matchId: bigint, { agreement, signatures }: Settle): Promise<boolean> {
    try {
      await this.client.settle(agreement, signatures);
      return true;
    } catch (error) {
      if ((await this.client.arena.statusOf(matchId)) === Status.AllJoined) throw error;
      return false;
    }
  }

  /** Plays a match until something is ready to be sent; in a look that is asked for, once. */
  private async play(match: AwayMatch): Promise<void> {
    const { matchId } = match.match.view;
    const goesOn = () => this.isLive && !match.isWatched && !match.ready && !this.stop.signal.aborted;
    do {
      try {
        await this.step(match);
        this.eventLog.reportTrouble(`away ${matchId}`, undefined, matchId);
      } catch (error) {
        if (this.stop.signal.aborted) return;
        this.eventLog.reportTrouble(`away ${matchId}`, this.context.tokens.explain(error), matchId);
        if (this.isLive) await pause(RETRY, undefined, { signal: this.stop.signal }).catch(() => undefined);
      }
      if (match.wake.signal.aborted) match.wake = new AbortController();
      if (match.ready) this.stir.abort();
      else if (this.isLive) await pause(GAP, undefined, { signal: this.stop.signal }).catch(() => undefined);
    } while (goesOn() && this.matches.get(matchId) === match);
  }

  /** Does all that is due at the table, and makes ready what is due on chain. */
  private async step(match: AwayMatch): Promise<void> {
    match.played ??= match.isWatched
      ? await PlayedSeat.watch(match.match)
      : await PlayedSeat.open(match.match, this.policy.patience);
    const { played } = match;
    const { signal } = match.wake;
    let status = await played.step((seat) => seat.sync());
    for (;;) {
      this.reportTroubles(match, status);
      // Only the player itself plays at the table.
      const next = match.isWatched ? undefined : await this.next(match, played, status);
      if (!next) break;
      status = next;
    }
    match.ready = await this.made(match, status);
    if (match.ready || !this.isLive || match.isWatched) return;
    if (status.due.type !== "wait") {
      await pause(RETRY, undefined, { signal }).catch(() => undefined);
      return;
    }
    // Whatever comes is dealt with in the next step.
    await played
      .step((seat) => seat.sync({ waitMs: WAIT, signal }))
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
  }

  /** Does the next step at the table. @returns undefined if there is none. */
  private async next({ agreed }: AwayMatch, played: PlayedSeat, status: AwayStatus): Promise<AwayStatus | undefined> {
    const { due } = status;
    const { seat, view } = played.match;
    if (due.type === "act") {
      const winner = status.asked?.winner;
      const { agree = Infinity } = this.policy;
      const isWanted = winner === seat || (winner === Seat.None && status.nonce >= agree);
      if (winner !== undefined && isWanted && !agreed.has(winner)) {
        const after = await this.agree(played, status, winner);
        agreed.add(winner);
        return after;
      }
      const move = await this.moveIn(due.turn);
      const after = await played.step((each) => each.act(move, status.historyHash));
      this.eventLog.report({
        event: "acted",
        matchId: view.matchId,
        text: `I act at the table, action ${after.nonce}.`,
      });
      return after;
    }
    if (due.type !== "agree") return undefined;
    return this.agree(played, status, due.proposal.winner);
  }

  private async agree(played: PlayedSeat, { nonce, historyHash }: AwayStatus, winner: bigint): Promise<AwayStatus> {
    const after = await played.step((seat) => seat.agree({ winner, nonce, historyHash }));
    const what =
      winner === Seat.None ? "a draw" : winner === played.match.seat ? "that I have won" : "that I have lost";
    this.eventLog.report({ event: "agreed", matchId: played.match.view.matchId, text: `I sign ${what}.` });
    return after;
  }

  /** Makes the transaction ready that is due. @returns undefined if none is. */
  private async made(match: AwayMatch, status: AwayStatus): Promise<Ready | undefined> {
    const { isWatched } = match;
    const played = match.played!;
    const { due, phase, historyHash, posted } = status;
    const isTheirs = played.leavesSettling(status);
    const compose = async (run: (seat: AwaySeat) => Promise<Hex>): Promise<Ready> => {
      return { type: "act", due: due.type, data: await played.step(run) };
    };
    switch (due.type) {
      case "timeout":
        return { type: "timeout" };
      case "settle":
        if (isTheirs) return undefined;
        return { type: "settle", settlement: await played.step((seat) => seat.settlement(due.agreed)) };
      case "post":
        return isWatched ? undefined : compose((seat) => seat.post());
      case "supersede":
        return compose((seat) => seat.post());
      case "accept": {
        const accept = (act?: { move: unknown }) => compose((seat) => seat.accept(act, posted));
        if (!due.turn) return accept();
        try {
          return await accept({ move: await this.moveIn(due.turn) });
        } catch (error) {
          // An operator may lack the secrets that a move takes: to accept comes first.
          if (!isWatched || isOutage(error)) throw error;
          return accept();
        }
      }
      case "actOnChain": {
        // What a reorganisation could undo is answered once that cannot happen any more.
        if (phase === "onChain" && (await this.mustWait(played))) return undefined;
        const move = due.turn && (await this.moveIn(due.turn));
        return compose((seat) => seat.actOnChain(move, historyHash));
      }
      default:
        return undefined;
    }
  }

  /** Returns whether what the other player has done on chain is not final, and there is time to wait for that. */
  private async mustWait({ match: { view }, seat }: PlayedSeat): Promise<boolean> {
    const { deadline, time } = seat.status;
    const rest = Math.floor(restSeconds(view.terms.clock));
    return deadline - time > rest && !(await isFinal(this.client.arena, view.matchId));
  }

  private async moveIn(turn: OpenTurn): Promise<unknown> {
    return this.moveStore.moveFor(turn, this.context.keys.secretStoreOf(turn.game, turn.player));
  }

  private reportTroubles({ match: { view } }: AwayMatch, { troubles, logWasLost }: AwayStatus): void {
    const { matchId } = view;
    this.eventLog.reportTrouble(`relays of ${matchId}`, troubles.length > 0 ? troubles.join(" ") : undefined, matchId);
    const lost = "My log of this match was lost, and came back from a relay.";
    if (logWasLost) this.eventLog.reportTrouble(`log of ${matchId}`, lost, matchId);
  }
}

/** Returns whether two views with one number are of one match. */
function isSameMatch(one: MatchView, other: MatchView): boolean {
  const isSame = one.player1 === other.player1 && one.player2 === other.player2;
  return isSame && termsHash(one.terms) === termsHash(other.terms);
}

/** Sentences by what a transaction has done. */
const SAID: Readonly<Record<string, string>> = {
  settle: "We agree on the result: I have settled the match.",
  timeout: "The clock has run out: I have ended the match.",
  post: "I have waited long enough: I have posted the newest state on chain.",
  supersede: "What was posted is old: I have posted a newer state.",
  accept: "I have accepted what was posted: we go on on the chain.",
  actOnChain: "I act on the chain.",
};
