import { effect } from "@preact/signals";
import { player } from "./player/current.ts";
import { Player } from "./player/player.ts";
import { chainOf } from "./store/chain.ts";
import { chain } from "./store/current.ts";
import { deployment } from "./store/deployments.ts";
import { database, databaseIfKept } from "./store/database.ts";
import { findDeployments } from "./store/find-deployments.ts";
import { tellOfTurns } from "./store/notices.ts";
import { account, reconnectTest, startAccount } from "./wallet/account.ts";

// What needs a chain or a wallet: the frame of the page is shown before this is loaded.
export { AccountButton } from "./parts/account-button.tsx";
export { DataNotice } from "./parts/data-notice.tsx";
export { AddressTip } from "./people/person.tsx";
export { TransactionList } from "./parts/transaction-list.tsx";

/** Starts following the chain that the address names, and playing with the connected account. */
export function start(): void {
  effect(() => {
    chain.value = deployment.value && chainOf(deployment.value);
  });
  startAccount();
  effect(() => {
    const shown = chain.value;
    const connected = account.value;
    if (shown && !connected) void reconnectTest(shown);
    const next = shown && connected ? new Player(connected, shown) : undefined;
    player.value = next;
    next?.start();
    if (next) void followChannels(next);
    return () => next?.stop();
  });
  // The user learns at once if saved data is not used.
  void database().catch(() => undefined);
  tellOfTurns();
  void findDeployments();
}

/** Follows the channels of a player, if this browser has any: whatever view is open, the page does what is due in them. */
async function followChannels(you: Player): Promise<void> {
  try {
    const kept = await databaseIfKept();
    if (you.chain.deployment.relay === undefined || !(await kept?.count("channels"))) return;
    await (await import("./channels/channels.ts")).channelsOf(you);
  } catch {
    // Views of channels read them again, and say why they cannot.
  }
}
