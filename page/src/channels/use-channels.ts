import { useLoaded } from "../parts/use.ts";
import type { Player } from "../player/player.ts";
import { channelsOf, type Channels } from "./channels.ts";

/** Loads the channels of a player. */
export function useChannels(you: Player): { readonly channels?: Channels; readonly error?: unknown } {
  const { value: channels, error } = useLoaded(async () => channelsOf(you), [you]);
  return { channels, error };
}
