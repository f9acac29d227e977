import { setTimeout as pause } from "node:timers/promises";
import type { AwayStatus } from "../../sdk/player/away/due.js";
import { customError } from "../../sdk/player/errors.js";
import { PlayedSeat, type AwayView } from "../shared/off-chain/away-seat.js";
import { log } from "../shared/command/output.js";
import { Stopped } from "./move-prompt.js";
import { doDue } from "./away-steps.js";

/** Milliseconds for which news of the other player is waited for at once. */
const WAIT = 2000;

/** Milliseconds between two such waits, in which another command can play. */
const GAP = 60;

/** Options of a whole match. */
export interface PlayOptions {
  yes?: boolean;
  signal: AbortSignal;
  /** Seconds for which the other player is waited for before the newest state is posted. */
  patience: number;
}

/**
 * Plays the caller's seat until the match is over, or has nothing due but a turn of another kind.
 * @throws Stopped if the signal is aborted.
 */
export async function playAway(match: AwayView, { yes, signal, patience }: PlayOptions): Promise<void> {
  const { context, view } = match;
  const played = await PlayedSeat.open(match, patience);
  const told = new Set<string>();
  for (let waitMs = 0; ;) {
    if (signal.aborted) throw new Stopped();
    const status = await played.step((seat) => seat.sync({ waitMs, signal })).catch(unlessStopped(signal));
    for (const trouble of status.troubles) if (!told.has(trouble)) log(trouble);
    status.troubles.forEach((trouble) => told.add(trouble));
    const { due } = status;
    if (due.type === "over") return;
    waitMs = 0;
    if (played.leavesSettling(status) || due.type === "wait") {
      waitMs = due.type === "wait" && due.for === "finality" ? 0 : WAIT;
      await pause(waitMs === 0 ? context.provider.pollingInterval : GAP, undefined, { signal }).catch(
        unlessStopped(signal),
      );
      continue;
    }
    if (due.type === "post") log(`The opponent was waited for: match ${view.matchId} goes on on the chain.`);
    const stepped = await doDue(played, due, { moveArgs: [], yes, signal }).catch(unlessOvertaken(played, status));
    if (stepped && "receipt" in stepped) await context.markReported();
  }
}

/** Goes on where the match has changed meanwhile, by the other player or anybody, or its time has not run out yet. */
function unlessOvertaken(played: PlayedSeat, before: AwayStatus) {
  return async (error: unknown): Promise<undefined> => {
    if (error instanceof Stopped) throw error;
    if (before.due.type === "timeout" && isTooSoon(error)) return undefined;
    const after = await played.step((seat) => seat.sync()).catch(() => before);
    if (isAlike(before, after)) throw error;
    if (after.phase !== "over") log(played.match.context.tokens.explain(error));
  };
}

/** Returns whether nothing has happened between two looks at a match. */
function isAlike(one: AwayStatus, other: AwayStatus): boolean {
  const { phase, historyHash, poster, deadline, due } = one;
  const isSame = phase === other.phase && historyHash === other.historyHash && poster === other.poster;
  return isSame && deadline === other.deadline && due.type === other.due.type;
}

/** Returns whether a timeout was refused as a block is older than its node's clock, or the opponent has moved in it. */
export function isTooSoon(error: unknown): boolean {
  return ["TooEarly", "WrongStatus"].includes(customError(error)?.name ?? "");
}

function unlessStopped(signal: AbortSignal) {
  return (error: unknown): never => {
    throw signal.aborted ? new Stopped() : error;
  };
}
