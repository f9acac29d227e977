import { useLoaded } from "../parts/use.ts";
import type { Player } from "../player/player.ts";
import { loadPart } from "../store/missing-part.ts";

/** Loads the lobby's parts about a player's channels; undefined until they are loaded, and without a player. */
export function useOwn(you: Player | undefined) {
  return useLoaded(you && (() => loadPart(() => import("./own.tsx"))), [you !== undefined]).value;
}
