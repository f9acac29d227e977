import type { Level } from "duello/practice";
import { OPPONENT, scriptUrl } from "./scripts.ts";

/** Request to the Worker for a move of the computer player, who is the player in turn. */
export interface OpponentRequest {
  /** Name of the game. */
  readonly game: string;
  /** The match, with the secrets of the player in turn only. */
  readonly saved: unknown;
  readonly level: Level;
}

/** Answer of the Worker. */
export type OpponentAnswer = { readonly move: unknown } | { readonly error: string };

/**
 * Finds the computer player's move in a Worker, so that the page stays responsive.
 * @param signal Ends the search.
 */
export function chooseOpponentMove(request: OpponentRequest, signal?: AbortSignal): Promise<unknown> {
  const player = new Worker(scriptUrl(OPPONENT), { type: "module" });
  return new Promise((resolve, reject) => {
    player.addEventListener("message", ({ data }: MessageEvent<OpponentAnswer>) => {
      if ("move" in data) resolve(data.move);
      else reject(new Error(data.error));
    });
    player.addEventListener("error", ({ message }) => reject(new Error(message || "The computer player failed.")));
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
    player.postMessage(request);
  }).finally(() => player.terminate());
}
