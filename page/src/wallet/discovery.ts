import { computed, signal } from "@preact/signals";
import { oneLine } from "../parts/text.ts";

/** Provider of EIP-1193, through which requests reach a wallet. */
export interface Eip1193 {
  request(asked: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  on?(event: string, listener: (value: never) => void): unknown;
  removeListener?(event: string, listener: (value: never) => void): unknown;
}

/** Wallet of this browser. Its name and icon are unverified. */
export interface FoundWallet {
  /** Id that is valid while the page is open. */
  readonly id: string;
  /** Identity with which the wallet is found again after a reload, e.g. `io.metamask`. */
  readonly rdns: string;
  readonly name: string;
  /** Data URL of an image. */
  readonly icon?: string;
  readonly provider: Eip1193;
}

/**
 * Sends a request to a wallet.
 * @throws Error with the code and the data of the wallet's error, which is often a plain object
 */
export async function askWallet(wallet: Eip1193, method: string, params?: readonly unknown[]): Promise<unknown> {
  try {
    return await wallet.request({ method, ...(params && { params }) });
  } catch (error) {
    if (error instanceof Error) throw error;
    const { message } = (error ?? {}) as { message?: unknown };
    const text = typeof message === "string" ? message : "The wallet has refused without a word.";
    throw Object.assign(new Error(text), error);
  }
}

const NAME_LENGTH = 40;
/** Maximum characters of an icon. */
const ICON_LENGTH = 200_000;
/** Maximum number of wallets that may announce themselves: any script of an extension can announce one. */
const MAX_WALLETS = 30;
/** Name under which the wallet of `window.ethereum` is remembered. */
const LEGACY = "window.ethereum";

const announced = signal<readonly FoundWallet[]>([]);
const legacy = signal<FoundWallet | undefined>(undefined);

/** Wallets of this browser: those that announced themselves (EIP-6963), otherwise the wallet in `window.ethereum`. */
export const wallets = computed<readonly FoundWallet[]>(() => {
  if (announced.value.length > 0) return announced.value;
  return legacy.value ? [legacy.value] : [];
});

/**
 * Begins to look for wallets. Some announce themselves late, so they are asked again whenever the page becomes visible.
 */
export function discover(): void {
  addEventListener("eip6963:announceProvider", (event) => add((event as CustomEvent<unknown>).detail));
  addEventListener("focus", ask);
  ask();
}

function ask(): void {
  dispatchEvent(new Event("eip6963:requestProvider"));
  const { ethereum } = window as { ethereum?: unknown };
  if (isProvider(ethereum) && legacy.value?.provider !== ethereum) {
    legacy.value = { id: LEGACY, rdns: LEGACY, name: "Browser wallet", provider: ethereum };
  }
}

function add(detail: unknown): void {
  const found = readAnnouncement(detail);
  if (!found || announced.value.length >= MAX_WALLETS || announced.value.some(({ id }) => id === found.id)) return;
  announced.value = [...announced.value, found];
}

/** Reads a wallet's announcement; undefined if it does not conform to EIP-6963. */
function readAnnouncement(detail: unknown): FoundWallet | undefined {
  const { info, provider } = (detail ?? {}) as { info?: Record<string, unknown>; provider?: unknown };
  if (typeof info !== "object" || info === null || !isProvider(provider)) return undefined;
  const { uuid, rdns, name, icon } = info;
  if (typeof uuid !== "string" || typeof rdns !== "string" || typeof name !== "string") return undefined;
  const isImage = typeof icon === "string" && icon.startsWith("data:image/") && icon.length <= ICON_LENGTH;
  return {
    id: uuid,
    rdns,
    name: oneLine(name, NAME_LENGTH).trim() || "Wallet without a name",
    ...(isImage && { icon }),
    provider,
  };
}

function isProvider(value: unknown): value is Eip1193 {
  return typeof (value as Partial<Eip1193> | undefined)?.request === "function";
}
