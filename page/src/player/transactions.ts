import { signal, type ReadonlySignal } from "@preact/signals";
import {
  actionHash,
  Begun,
  completes,
  Failed,
  neverCounts,
  Outbox,
  Replaced,
  untilMined,
  walletSentence,
  type Action,
  type Call,
  type PendingTransaction,
  type Stage,
} from "duello";
import type { Provider, TransactionReceipt } from "ethers";
import { databaseIfKept } from "../store/database.ts";

/** State of a transaction. */
export type TransactionState =
  /** Nothing is sent yet: the page waits until the opponent's action is final. */
  | "waiting"
  /** The wallet is asked. */
  | "asking"
  /** The wallet was asked before the page was loaded, and has not sent the transaction as far as the chain shows. */
  | "uncertain"
  /** The page itself is sending the transaction, with the key of a session. */
  | "sending"
  | "sent"
  | "mined"
  /** Another transaction was sent instead. */
  | "replaced"
  | "failed";

/** An action as displayed, with the state of the last of its transactions. */
export interface Transaction {
  /** Key of the action. */
  readonly id: string;
  readonly title: string;
  /** Function that the transaction calls; undefined for a payment, and while there is no transaction yet. */
  readonly method?: string;
  readonly matchId?: bigint;
  readonly state: TransactionState;
  readonly hash?: string;
  /** Sentence about what went wrong. */
  readonly text?: string;
}

/** A transaction as stored in the browser, from before it is sent until its outcome is known. */
interface Entry extends PendingTransaction {
  readonly id: string;
  /** Key of the action, which identifies it in the list. */
  readonly key: string;
  readonly matchId?: bigint;
  /** Id of the batch, if the transaction is one. */
  readonly batch?: string;
  /** True if the page sends the transaction with the key of a session. */
  readonly bySession: boolean;
}

/** An earlier transaction, and its outcome. */
interface Found {
  readonly entry: Entry;
  readonly receipt: TransactionReceipt;
}

/** Milliseconds for which a transaction that is done stays in the list. */
const SHOWN = 5000;

const shown = signal<readonly Transaction[]>([]);

/** Actions with pending or just finished transactions, the oldest first. */
export const transactions: ReadonlySignal<readonly Transaction[]> = shown;

/** Reports how many transactions of a restarted chain were dropped. */
export const dropped = signal(0);

/** Removes a finished action from the list. */
export function dismiss(id: string): void {
  shown.value = shown.value.filter((each) => each.id !== id);
}

/** Chain and player of the stored transactions. */
interface OutboxScope {
  readonly chainId: number;
  /** Hash of the chain's first block: each start of a local chain begins a new chain under the same number. */
  readonly genesis: string;
  readonly account: string;
}

/** Dependencies of an outbox. */
interface OutboxOptions {
  readonly provider: Provider;
  /** Waits until a batch is done. @param onUnknown Called whenever the wallet does not know the batch. */
  readonly waitForBatch: (id: string, onUnknown: () => void) => Promise<TransactionReceipt>;
  /** Explains an error in a sentence. */
  readonly explain: (error: unknown) => string;
}

/** Records the stages of one action's transactions. */
export interface Recorder {
  /** Records a stage of a transaction. @param from Address that sends. @param bySession True if the page sends it. */
  stage(stage: Stage, from: string, bySession?: boolean): Promise<void>;
  /** Records the hash as soon as the wallet returns it. */
  hash(hash: string): Promise<void>;
  /** Records a batch before the wallet is asked for it. */
  batch(id: string, calls: readonly Call[], from: string): Promise<void>;
  /** Records that the wallet has accepted the batch, possibly under another id. */
  batchSent(id: string): Promise<void>;
  /** Records that the transaction that was started last is not sent after all. */
  drop(): Promise<void>;
  /** Describes the event that the page waits for before it sends. */
  wait(text: string): void;
  /** Ends the wait for a transaction if the chain no longer exists. @throws Error */
  checkChain(): void;
}

/** Outbox of a player on a chain: it resumes each transaction after a reload, so that no action happens twice. */
export class PageOutbox {
  private readonly outbox: Outbox<Entry>;
  private readonly running = new Map<string, Promise<TransactionReceipt>>();
  private readonly watched = new Map<string, Promise<Found | undefined>>();
  private readonly forgotten = new Set<string>();
  private isAbandoned = false;

  constructor(
    readonly scope: OutboxScope,
    private readonly options: OutboxOptions,
  ) {
    const store = { all: () => this.entries(), put: keep, remove };
    this.outbox = new Outbox(store, {
      wait: (entry, action) => this.watch(entry, action !== undefined),
      onFailed: (entry, error) => this.showFailed(entry, error),
    });
  }

  /**
   * Performs an action, or completes it if it was started before. A second call while the first is under way waits for
   * the first.
   * @param send Sends the transactions that are still needed, and reports them to the recorder.
   * @returns the receipt of the last transaction.
   * @throws Begun if another tab has started the action, or the wallet has not answered since a reload.
   */
  perform(action: Action, send: (recorder: Recorder) => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    const key = `${this.prefix}${actionHash(action)}`;
    const known = this.running.get(key);
    if (known) return known;
    const performed = this.once(key, action, send).finally(() => this.running.delete(key));
    this.running.set(key, performed);
    return performed;
  }

  /** Resumes actions of an earlier load of the page, and drops entries of an older chain with the same number. */
  async resume(): Promise<void> {
    const older = await this.olderKeys();
    if (older.length > 0) {
      const kept = await databaseIfKept();
      for (const key of older) await kept?.delete("transactions", key);
      dropped.value += older.length;
    }
    for (const key of new Set((await this.entries()).map((entry) => entry.key))) this.takeUp(key);
  }

  /** Ends every wait: the chain no longer exists. */
  abandon(): void {
    this.isAbandoned = true;
  }

  /** Forgets an action that the wallet was asked for before the page was loaded. @param key Id of its `Transaction`. */
  async forget(key: string): Promise<void> {
    for (const entry of await this.entries(key)) {
      this.forgotten.add(entry.id);
      await remove(entry);
    }
    dismiss(key);
  }

  private async once(
    key: string,
    action: Action,
    send: (recorder: Recorder) => Promise<TransactionReceipt>,
  ): Promise<TransactionReceipt> {
    const taken = this.watched.get(key);
    if (taken) {
      if (shown.value.some(({ id, state }) => id === key && state === "uncertain")) throw uncertain();
      const found = await taken;
      if (found && completes(action, found.entry)) return found.receipt;
    }
    return withLock(key, { ifAvailable: true }, async (isOurs) => {
      if (!isOurs) throw new Begun("This is being done in another tab of this browser: look there.");
      return this.outbox.once(action, () => this.send(key, action, send));
    });
  }

  private async send(
    key: string,
    action: Action,
    send: (recorder: Recorder) => Promise<TransactionReceipt>,
  ): Promise<TransactionReceipt> {
    let entry: Entry | undefined;
    const current = (): Entry | undefined => entry;
    const { what, matchId } = action;
    const shared = { key, action: actionHash(action), what, matchId };
    const begin = async (call: Call, from: string, bySession: boolean, batchId?: string) => {
      const nonce = await this.options.provider.getTransactionCount(from, "pending");
      const { to, data, value, method } = call;
      const id = `${key}/${batchId ?? crypto.randomUUID()}`;
      entry = { ...shared, id, call: method, from, nonce, to, data, value, batch: batchId, bySession };
      await keep(entry);
      show(entry, bySession ? "sending" : "asking");
    };
    const end = async (state?: TransactionState, text?: string) => {
      if (!entry) return;
      await remove(entry);
      if (state) show(entry, state, text);
      else dismiss(key);
      entry = undefined;
    };
    const told = async (known: Pick<Entry, "hash" | "batch">) => {
      if (!entry) return;
      entry = { ...entry, ...known };
      await keep(entry);
      show(entry, "sent");
    };
    const recorder: Recorder = {
      async stage(stage, from, bySession = false) {
        if (stage.stage === "signing") await begin(stage.call, from, bySession);
        if (stage.stage === "sent") await told({ hash: stage.hash });
        if (stage.stage === "replaced" && stage.by !== undefined && entry) entry = { ...entry, hash: stage.by };
        if (stage.stage === "mined") await end("mined");
      },
      hash: (hash) => told({ hash }),
      batch: (id, calls, from) => begin(calls.at(-1)!, from, false, id),
      batchSent: (batch) => told({ batch }),
      drop: () => end(),
      wait: (text) => show(shared, "waiting", text),
      checkChain: () => this.checkChain(),
    };
    try {
      const receipt = await send(recorder);
      await end("mined");
      return receipt;
    } catch (error) {
      const left = current();
      if (left && isSent(left) && error instanceof Failed) {
        await end(error instanceof Replaced ? "replaced" : "failed", this.options.explain(error));
      } else if (neverCounts(error) || (left?.hash === undefined && walletSentence(error) !== undefined)) {
        // A transaction that was refused before it was sent leaves no entry.
        await end();
      } else if (left) {
        // The transaction is still followed, as after a reload.
        entry = undefined;
        queueMicrotask(() => this.takeUp(key));
      }
      throw error;
    } finally {
      if (shown.value.some(({ id, state }) => id === key && state === "waiting")) dismiss(key);
    }
  }

  private takeUp(key: string): void {
    if (this.watched.has(key)) return;
    const watched = withLock(key, { ifAvailable: true }, async (isOurs) => {
      if (!isOurs) {
        // Another tab follows the transaction; this tab takes over once the other one is closed.
        void withLock(key, {}, async () => {}).then(() => this.takeUp(key));
        return undefined;
      }
      let found: Found | undefined;
      for (const entry of await this.entries(key)) {
        const receipt = await this.outbox.complete(entry);
        if (receipt) found = { entry, receipt };
      }
      return found;
    });
    const settled = watched.catch(() => undefined).finally(() => this.watched.delete(key));
    this.watched.set(key, settled);
  }

  /**
   * Waits for a transaction that was started before. @param isWanted True if a caller waits: it must learn if the
   * wallet has not sent the transaction.
   */
  private async watch(entry: Entry, isWanted: boolean): Promise<TransactionReceipt> {
    const { id, hash, batch: batchId, bySession } = entry;
    show(entry, isSent(entry) ? "sent" : "uncertain");
    const onUnknown = () => {
      // A transaction that the page itself should have sent will never be sent.
      if (bySession || this.isAbandoned || this.forgotten.has(id)) throw new Replaced(hash);
      if (isWanted) throw uncertain();
      show(entry, "uncertain");
    };
    const receipt =
      batchId === undefined
        ? await untilMined(this.options.provider, entry, { onUnknown: async () => onUnknown() })
        : await this.options.waitForBatch(batchId, onUnknown);
    await remove(entry);
    show({ ...entry, hash: receipt.hash }, "mined");
    return receipt;
  }

  private showFailed(entry: Entry, error: unknown): void {
    const { id, key, bySession } = entry;
    if (!isSent(entry) || bySession || this.isAbandoned || this.forgotten.has(id)) dismiss(key);
    else show(entry, error instanceof Replaced ? "replaced" : "failed", this.options.explain(error));
  }

  /** Ends a wait if the chain no longer exists. @throws Error */
  private checkChain(): void {
    if (this.isAbandoned) throw new Failed("The chain was restarted: what was sent to the old one is gone.");
  }

  private get prefix(): string {
    const { chainId, genesis, account } = this.scope;
    return `${chainId}/${genesis}/${account}/`;
  }

  /** Reads the stored transactions of the player, or of one of its actions. */
  private async entries(key = this.prefix): Promise<Entry[]> {
    const kept = await databaseIfKept();
    return ((await kept?.getAll("transactions", IDBKeyRange.bound(key, `${key}\uffff`))) ?? []) as Entry[];
  }

  /** Lists the stored transactions of older chains with the same number as this chain. */
  private async olderKeys(): Promise<string[]> {
    const { chainId, genesis } = this.scope;
    const range = IDBKeyRange.bound(`${chainId}/`, `${chainId}/\uffff`);
    const keys = (await (await databaseIfKept())?.getAllKeys("transactions", range)) ?? [];
    return keys.filter((key) => !key.startsWith(`${chainId}/${genesis}/`));
  }
}

function uncertain(): Begun {
  return new Begun(
    "Your wallet was asked for this before the page was loaded: answer it there, or forget it in the list of transactions and ask again.",
  );
}

/** Returns whether a wallet or a node has taken a transaction. */
function isSent({ hash, batch }: Entry): boolean {
  return hash !== undefined || batch !== undefined;
}

/** Shows an action by one of its transactions. */
function show(
  { key: id, what: title, matchId, call: method, hash }: Pick<Entry, "key" | "what" | "matchId" | "call" | "hash">,
  state: TransactionState,
  text?: string,
): void {
  const now: Transaction = { id, title, matchId, method, hash, state, text };
  const isKnown = shown.value.some((each) => each.id === id);
  shown.value = isKnown ? shown.value.map((each) => (each.id === id ? now : each)) : [...shown.value, now];
  if (state !== "mined") return;
  setTimeout(() => {
    if (shown.value.includes(now)) dismiss(id);
  }, SHOWN);
}

/** Stores a transaction; if the browser stores nothing, the transaction does not survive a reload. */
async function keep(entry: Entry): Promise<void> {
  await (await databaseIfKept())?.put("transactions", entry, entry.id);
}

async function remove({ id }: Entry): Promise<void> {
  await (await databaseIfKept())?.delete("transactions", id);
}

/** Holds a lock that all tabs of the page share. */
export async function withLock<T>(
  name: string,
  options: { ifAvailable?: boolean },
  run: (isOurs: boolean) => Promise<T>,
): Promise<T> {
  // Only pages of a secure origin have locks; without them the user must avoid conflicts between tabs.
  if (!("locks" in navigator)) return run(true);
  return await navigator.locks.request(`duello:${name}`, options, (lock) => run(lock !== null));
}
