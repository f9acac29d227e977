import { effect, signal } from "@preact/signals";
import { player } from "./player/current.ts";
import { chainOf } from "./store/chain.ts";
import { chain } from "./store/current.ts";
import { deployment } from "./store/deployments.ts";
import { database } from "./store/database.ts";
import { findDeployments } from "./store/find-deployments.ts";
import { loadPart } from "./store/missing-part.ts";
import { account, reconnectTest, startAccount } from "./wallet/account.ts";

// What needs a chain or a wallet: the frame of the page is shown before this is loaded.
export { AccountButton } from "./parts/account-button.tsx";
export { DataNotice } from "./parts/data-notice.tsx";
export { AddressTip } from "./people/person.tsx";
export { Transactions } from "./parts/transactions.tsx";

/** The code with which an account plays; undefined until an account is connected for the first time. */
const playing = signal<Awaited<ReturnType<typeof loadPlaying>> | undefined>(undefined);

/** Starts following the chain that the address names, and playing with the connected account. */
export function start(): void {
  effect(() => {
    chain.value = deployment.value && chainOf(deployment.value);
  });
  startAccount();
  effect(() => {
    if (account.value) preparePlaying();
  });
  effect(() => {
    const shown = chain.value;
    const connected = account.value;
    if (shown && !connected) void reconnectTest(shown);
    const next = shown && connected && playing.value?.startPlaying(connected, shown);
    player.value = next;
    return () => next?.stop();
  });
  // The user learns at once if saved data is not used.
  void database().catch(() => undefined);
  void findDeployments();
}

const loadPlaying = () => loadPart(() => import("./player/playing.ts"));

let loading: Promise<void> | undefined;

/** Loads the code with which an account plays, once. */
function preparePlaying(): void {
  loading ??= loadPlaying().then(
    (loaded) => {
      loaded.tellOfTurns();
      playing.value = loaded;
    },
    () => undefined,
  );
}
