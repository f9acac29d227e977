import { signal, type ReadonlySignal } from "@preact/signals";
import { Client, gasPrice, nextTime, SESSION_GAS, sessionKey, type Hex } from "duello";
import { computeAddress, type Signer } from "ethers";
import type { Chain } from "../store/chain.ts";
import { database, databaseIfKept } from "../store/database.ts";
import type { Keyring } from "./keys.ts";

/** State of the session in which this browser plays without asking the wallet. */
export interface SessionState {
  /** Address of the key that acts; undefined if no session was opened in this browser. */
  readonly address?: string;
  /** End in seconds since 1970. */
  readonly until: number;
  /** Coin that the key has for gas, in the coin's smallest unit. */
  readonly coin: bigint;
  readonly isOpen: boolean;
  /** Reason why an opened session no longer acts. */
  readonly problem?: "expired" | "empty" | "revoked";
}

const NONE: SessionState = { until: 0, coin: 0n, isOpen: false };

/** Milliseconds between two reads of a session. */
const PAUSE = 30_000;
/** Maximum gas of one turn; a key that cannot pay for it no longer acts. */
const TURN_GAS = SESSION_GAS / 20n;
/** Seconds that a session must still last, so that a turn is in a block before its end. */
const MIN_REST = 60;

/** The session key of a player: this browser remembers that the key exists, and the chain has the key's state. */
export class SessionKey {
  private readonly current = signal<SessionState>(NONE);
  private readonly timer = setInterval(() => {
    if (document.visibilityState === "visible") void this.refresh();
  }, PAUSE);

  /** Number of times that the session was opened or closed here. */
  private changes = 0;

  /** @param signer Signer of the owner. */
  constructor(
    private readonly owner: string,
    private readonly chain: Chain,
    private readonly signer: Signer,
  ) {}

  get state(): ReadonlySignal<SessionState> {
    return this.current;
  }

  /** Reads the session again; values that the node does not return stay unchanged. */
  async refresh(): Promise<void> {
    try {
      const { changes } = this;
      const store = await database();
      if (this.chain.isRestarted.value) await store.delete("settings", this.name);
      const address = (await store.get("settings", this.name)) as string | undefined;
      const state = address === undefined ? NONE : await this.read(address);
      // A session that was opened or closed meanwhile is newer than the read state.
      if (changes === this.changes) this.current.value = state;
    } catch {
      // The session is read again soon, and a failing action reports the reason.
    }
  }

  /** Returns whether the session can take a turn now. */
  async isUsable(): Promise<boolean> {
    await this.refresh();
    return this.current.value.isOpen;
  }

  /** Returns the key of the session if it can take a turn now. */
  async usableKey(keyring: Keyring): Promise<Hex | undefined> {
    if (!(await this.isUsable())) return undefined;
    const key = sessionKey(await keyring.keys());
    return computeAddress(key) === this.current.value.address ? key : undefined;
  }

  /** Records that a session was opened. @param address Address of its key. */
  async begin(address: string): Promise<void> {
    this.changes++;
    await (await databaseIfKept())?.put("settings", address, this.name);
    this.current.value = await this.read(address);
  }

  /** Records that the session was closed. */
  async end(): Promise<void> {
    this.changes++;
    await (await databaseIfKept())?.delete("settings", this.name);
    this.current.value = NONE;
  }

  /** Stops polling the session. */
  stop(): void {
    clearInterval(this.timer);
  }

  private async read(address: string): Promise<SessionState> {
    const { provider, deployment } = this.chain;
    const { arena } = await Client.connect(deployment.addresses, [], this.signer);
    const [until, coin, now, price] = await Promise.all([
      arena.operatorUntil(this.owner, address),
      provider.getBalance(address),
      nextTime(provider),
      gasPrice(provider),
    ]);
    const needed = TURN_GAS * price;
    const problem =
      until === 0n ? "revoked" : until < BigInt(now + MIN_REST) ? "expired" : coin < needed ? "empty" : undefined;
    return { address, until: Number(until), coin, isOpen: problem === undefined, ...(problem && { problem }) };
  }

  private get name(): string {
    const { chainId, addresses } = this.chain.deployment;
    return `session/${chainId}-${addresses.Arena}-${this.owner}`;
  }
}
