import type { Hex } from "duello";
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { getAddress, type JsonRpcApiProvider, type Provider } from "ethers";
import { loadPlaying } from "../player/loaded.ts";
import type { Chain } from "../store/chain.ts";
import { chain as shown } from "../store/current.ts";
import { isTestChain } from "../store/deployments.ts";
import { keepLocalText, LAST_WALLET, localText } from "../store/local.ts";
import { askWallet, discover, wallets, type Eip1193, type FoundWallet } from "./discovery.ts";

/** Account that the person plays with. */
export interface Account {
  readonly address: string;
  /** Name of the wallet, in one line. */
  readonly name: string;
  readonly kind: "wallet" | "test" | "guest";
  readonly provider: Eip1193;
}

const current = signal<Account | undefined>(undefined);

/** The account that is connected. */
export const account: ReadonlySignal<Account | undefined> = current;

/** Number of the wallet's chain; undefined if the wallet is on no chain, or does not report the number. */
export const walletChain = signal<bigint | undefined>(undefined);

/** Value in that entry if the most recent wallet was a guest's. */
const GUEST = "guest";

/** Stops listening to the connected wallet. */
let release = () => {};

/** Number of changes of the account: a connection that began before a change must not complete after it on its own. */
let changes = 0;
const isUnchangedSince = (before: number) => () => changes === before;

/**
 * Begins to look for wallets, and reconnects the last one if it still lets the page see an account. The person is not
 * asked.
 */
export function startAccount(): void {
  discover();
  const last = localText(LAST_WALLET);
  if (last === GUEST) void reconnectGuest().catch(() => undefined);
  else if (last !== undefined && !last.startsWith("test ")) reconnectWallet(last);
}

function reconnectWallet(last: string): void {
  const stop = effect(() => {
    const found = wallets.value.find(({ rdns }) => rdns === last);
    if (!found) return;
    queueMicrotask(() => stop());
    void reconnect(found).catch(() => undefined);
  });
}

/** Connects the test account used last, once its chain is shown. */
export async function reconnectTest(chain: Chain): Promise<void> {
  const [, index] = /^test (\d+)$/.exec(localText(LAST_WALLET) ?? "") ?? [];
  if (index === undefined || current.value || !isTestChain(chain.deployment)) return;
  await connectTest(chain, Number(index), isUnchangedSince(changes)).catch(() => undefined);
}

/** Asks a wallet for its account. @throws the error of the wallet if the person or the wallet refuses */
export async function connect(found: FoundWallet): Promise<void> {
  const accounts = await askWallet(found.provider, "eth_requestAccounts");
  await adopt(found, accounts);
  if (!current.value) throw new Error("The wallet has given no account: choose one in the wallet.");
}

/** Lists the accounts of a test chain's node, which anybody may use. */
export async function testAccounts({ provider, deployment }: Chain): Promise<string[]> {
  if (!isTestChain(deployment)) return [];
  const accounts = (await nodeOf(provider).send("eth_accounts", [])) as string[];
  return accounts.map((each) => getAddress(each));
}

/** Plays as an account of a test chain's node; the node signs for the account. */
export async function connectTest(chain: Chain, index: number, isWanted = () => true): Promise<void> {
  const address = (await testAccounts(chain))[index];
  if (address === undefined) throw new Error(`The node has no test account ${index}.`);
  await loadPlaying();
  if (shown.peek() !== chain) throw new Error("The page shows another chain now.");
  if (!isWanted()) return;
  begin();
  const node = nodeOf(chain.provider);
  current.value = {
    address,
    name: `Test account ${index}`,
    kind: "test",
    provider: { request: ({ method, params = [] }) => node.send(method, [...params]) },
  };
  walletChain.value = BigInt(chain.deployment.chainId);
  keepLocalText(LAST_WALLET, `test ${index}`);
}

/** Plays as this browser's guest; creates the guest's key once. @throws Error if the browser stores nothing */
export async function connectGuest(): Promise<void> {
  const guest = await loadGuest();
  adoptGuest(guest, await guest.madeGuestKey());
  keepLocalText(LAST_WALLET, GUEST);
}

async function reconnectGuest(): Promise<void> {
  const isWanted = isUnchangedSince(changes);
  const guest = await loadGuest();
  const key = await guest.guestKey();
  if (key !== undefined && isWanted()) adoptGuest(guest, key);
}

async function loadGuest() {
  await loadPlaying();
  return import("./guest.ts");
}

function adoptGuest({ addressOf, guestWallet }: Awaited<ReturnType<typeof loadGuest>>, key: Hex): void {
  begin();
  const chainOf = () => ({ chainId: shown.value!.deployment.chainId, provider: shown.value!.provider });
  current.value = { address: addressOf(key), name: "Guest", kind: "guest", provider: guestWallet(key, chainOf) };
  walletChain.value = undefined;
}

/** Forgets the account, and notifies the wallet if it has a method for that. */
export async function disconnect(): Promise<void> {
  const { kind, provider } = current.value ?? {};
  begin();
  [current.value, walletChain.value] = [undefined, undefined];
  keepLocalText(LAST_WALLET, undefined);
  if (kind !== "wallet") return;
  // Not every wallet supports this method, and the page has forgotten the account anyway.
  await askWallet(provider!, "wallet_revokePermissions", [{ eth_accounts: {} }]).catch(() => undefined);
}

/** Disconnects the previous account. */
function begin(): void {
  release();
  changes++;
}

/** Reads the number of the wallet's chain; undefined if the wallet does not report it. */
export async function chainOf(provider: Eip1193): Promise<bigint | undefined> {
  try {
    return BigInt((await askWallet(provider, "eth_chainId")) as string);
  } catch {
    return undefined;
  }
}

/** Returns a provider in the form that accepts any request, like the page's own providers. */
function nodeOf(provider: Provider): Pick<JsonRpcApiProvider, "send"> {
  return provider as unknown as JsonRpcApiProvider;
}

async function reconnect(found: FoundWallet): Promise<void> {
  const isWanted = isUnchangedSince(changes);
  const accounts = await askWallet(found.provider, "eth_accounts").catch(() => []);
  await adopt(found, accounts, isWanted);
}

/** Takes the first of a wallet's accounts, and follows the wallet's events from now on. */
async function adopt({ provider, name, rdns }: FoundWallet, accounts: unknown, isWanted = () => true): Promise<void> {
  const address = firstOf(accounts);
  if (address === undefined) return;
  const [chain] = await Promise.all([chainOf(provider), loadPlaying()]);
  if (!isWanted()) return;
  begin();
  const show = (each: string) => (current.value = { address: each, name, kind: "wallet", provider });
  const listeners: Readonly<Record<string, (value: never) => void>> = {
    accountsChanged: (changed: unknown) => {
      const next = firstOf(changed);
      // A locked wallet gives no account; the page is connected again once it is unlocked.
      if (next === undefined) current.value = undefined;
      else if (next !== current.value?.address) show(next);
    },
    chainChanged: (chainId: unknown) => (walletChain.value = quantity(chainId)),
    connect: (info: { chainId?: unknown }) => (walletChain.value = quantity(info.chainId) ?? walletChain.value),
    disconnect: () => (walletChain.value = undefined),
  };
  for (const [event, listener] of Object.entries(listeners)) provider.on?.(event, listener);
  release = () => {
    for (const [event, listener] of Object.entries(listeners)) provider.removeListener?.(event, listener);
    release = () => {};
  };
  show(address);
  walletChain.value = chain;
  keepLocalText(LAST_WALLET, rdns);
}

function firstOf(accounts: unknown): string | undefined {
  const [first] = Array.isArray(accounts) ? (accounts as unknown[]) : [];
  try {
    return typeof first === "string" ? getAddress(first) : undefined;
  } catch {
    return undefined;
  }
}

function quantity(value: unknown): bigint | undefined {
  try {
    return BigInt(value as string);
  } catch {
    return undefined;
  }
}
