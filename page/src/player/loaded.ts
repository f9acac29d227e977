import type { Chain } from "../store/chain.ts";
import { loadPart } from "../store/missing-part.ts";
import type { Account } from "../wallet/account.ts";
import type { Player } from "./player.ts";

const load = () => loadPart(() => import("./playing.ts"));

let playing: Awaited<ReturnType<typeof load>> | undefined;

/** Loads the code with which an account plays. No account is connected before this code is loaded. */
export async function loadPlaying(): Promise<void> {
  const loaded = await load();
  if (!playing) loaded.tellOfTurns();
  playing = loaded;
}

/** Starts playing with the connected account. */
export function startPlaying(account: Account, chain: Chain): Player {
  return playing!.startPlaying(account, chain);
}
