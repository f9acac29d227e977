import type { Chain } from "../store/chain.ts";
import { databaseIfKept } from "../store/database.ts";
import type { Account } from "../wallet/account.ts";
import { Player } from "./player.ts";

// Code that only a connected account needs.
export { tellOfTurns } from "../store/notices.ts";

/** Starts playing with an account on a chain. */
export function startPlaying(account: Account, chain: Chain): Player {
  const you = new Player(account, chain);
  you.start();
  void followChannels(you);
  return you;
}

/** Follows the channels of a player, if this browser has any, so that due actions are taken in every view. */
async function followChannels(you: Player): Promise<void> {
  try {
    const kept = await databaseIfKept();
    if (you.chain.deployment.relay === undefined || !(await kept?.count("channels"))) return;
    await (await import("../channels/channels.ts")).channelsOf(you);
  } catch {
    // Views of channels read the channels again, and show the error.
  }
}
