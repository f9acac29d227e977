import { useLoaded } from "../parts/use.ts";
import type { Player } from "../player/player.ts";
import { loadPart } from "../store/missing-part.ts";

/** Loads the parts of the lobby about the channels of a player; undefined until then, and without a player. */
export function useOwn(you: Player | undefined) {
  return useLoaded(you && (() => loadPart(() => import("./own.tsx"))), [you !== undefined]).value;
}
