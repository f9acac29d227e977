import { effect } from "@preact/signals";
import { player } from "./player/current.ts";
import { startPlaying } from "./player/loaded.ts";
import { chainOf } from "./store/chain.ts";
import { chain } from "./store/current.ts";
import { deployment } from "./store/deployments.ts";
import { database } from "./store/database.ts";
import { findDeployments } from "./store/find-deployments.ts";
import { account, reconnectTest, startAccount } from "./wallet/account.ts";

// Code that needs a chain or a wallet: the frame of the page is shown before this code is loaded.
export { AccountButton } from "./parts/account-button.tsx";
export { DataNotice } from "./parts/data-notice.tsx";
export { AddressTip } from "./people/person.tsx";
export { Transactions } from "./parts/transactions.tsx";

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
    const next = shown && connected && startPlaying(connected, shown);
    player.value = next;
    return () => next?.stop();
  });
  // The database is opened now, so that the user learns immediately if saved data is not used.
  void database().catch(() => undefined);
  void findDeployments();
}
