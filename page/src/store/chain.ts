import { signal } from "@preact/signals";
import {
  Archive,
  reasonOf,
  InputError,
  type AnyEvent,
  type GameModule,
  type PageDeployment,
  textOf,
  traitsOf,
} from "duello";
import { WebSocketProvider, type JsonRpcApiProvider, type Provider } from "ethers";
import { catalogue } from "../catalogue.ts";
import { database } from "./database.ts";
import { HttpProvider } from "./http-provider.ts";
import { Ledger } from "./ledger.ts";

/** Milliseconds between two polls of a local chain and of any other, and between two saves. */
const LOCAL_PAUSE = 500;
const PAUSE = 4000;
const KEEP_PAUSE = 10_000;
const RETRY_PAUSE = 3000;
/** Maximum bytes of a node's answer. */
const MAX_ANSWER = 100_000_000;

/** State of the connection to a chain. */
export type Connection =
  | { readonly state: "reading"; readonly read: number; readonly wanted: number }
  | { readonly state: "live" }
  /** The node fails, and the page retries. */
  | { readonly state: "trouble"; readonly reason: string };

/**
 * A deployment and its whole history: one archive, which is stored in the browser and follows the chain. The history is
 * read once something needs it; then the signals change with each new block that matters.
 */
export class Chain {
  readonly connection = signal<Connection>({ state: "reading", read: 0, wanted: 1 });
  /** The whole history; undefined until it was read once. */
  readonly archive = signal<Archive | undefined>(undefined, { watched: () => this.read() });
  /** State of all matches, from the archive. */
  readonly ledger = signal<Ledger>(new Ledger([]), { watched: () => this.read() });
  /** True if the chain was restarted since the page last read it. */
  readonly isRestarted = signal(false);
  /** Events that the latest reorganisation has undone; emptied when new events arrive. */
  readonly undone = signal<readonly AnyEvent[]>([]);
  readonly provider: Provider;
  private readonly modules = new Map<string, Promise<GameModule>>();
  private keeping?: ReturnType<typeof setTimeout>;
  private isRead = false;

  constructor(readonly deployment: PageDeployment) {
    this.provider = providerOf(deployment);
  }

  /** Starts reading the history and following the chain, once. A view that shows the history does so automatically. */
  read(): void {
    if (this.isRead) return;
    this.isRead = true;
    void this.run();
    addEventListener("pagehide", () => void this.keep());
  }

  /** Loads the module of a game by its name, once. */
  module(name: string): Promise<GameModule> {
    const known = this.modules.get(name);
    if (known) return known;
    const loading = catalogue.find((each) => each.name === name)!.load();
    this.modules.set(name, loading);
    // A failed load is tried again.
    loading.catch(() => this.modules.delete(name));
    return loading;
  }

  /** Loads the modules of all games that are deployed. */
  allModules(): Promise<GameModule[]> {
    const { addresses } = this.deployment;
    const deployed = catalogue.filter(({ contract }) => Object.hasOwn(addresses, contract));
    return Promise.all(deployed.map(({ name }) => this.module(name)));
  }

  private readonly onTrouble = (reason: string) => {
    this.connection.value = { state: "trouble", reason };
  };

  private get key(): string {
    return `${this.deployment.chainId}-${this.deployment.addresses.Arena}`;
  }

  private async run(): Promise<void> {
    for (;;) {
      try {
        await this.follow(await this.begin());
      } catch (error) {
        this.connection.value = { state: "trouble", reason: reasonOf(error) };
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE));
      }
    }
  }

  /** Resumes from the browser's storage, or starts empty. */
  private async begin(): Promise<Archive> {
    const { provider, deployment } = this;
    const kept = await readKept(this.key);
    if (kept !== undefined) {
      try {
        return await Archive.load(provider, deployment.addresses, kept);
      } catch (error) {
        // Data of another chain or version is useless; a failing node is retried.
        if (!(error instanceof InputError)) throw error;
        if (error.message.includes("restarted")) this.isRestarted.value = true;
      }
    }
    return Archive.read(provider, deployment.addresses, deployment.block, {
      onProgress: (read, wanted) => (this.connection.value = { state: "reading", read, wanted }),
      onTrouble: this.onTrouble,
    });
  }

  private async follow(first: Archive): Promise<void> {
    const { deployment } = this;
    this.show(first, first.all, []);
    const pause = pauseOf(deployment);
    const { onTrouble } = this;
    const onRecovery = () => (this.connection.value = { state: "live" });
    for await (const update of first.follow({ pause, onTrouble, onRecovery })) {
      const { archive, added, undone, isRestarted } = update;
      if (isRestarted) this.isRestarted.value = true;
      this.show(archive, added, undone);
    }
  }

  private show(archive: Archive, added: readonly AnyEvent[], undone: readonly AnyEvent[]): void {
    const isSame = this.archive.peek() === archive;
    // The archive is set before the ledger: code that sees the matches can then read the events.
    this.archive.value = archive;
    if (!isSame) this.ledger.value = new Ledger(archive.all);
    else if (added.length > 0) this.ledger.value = this.ledger.peek().with(added);
    if (undone.length > 0 || added.length > 0) this.undone.value = undone;
    if (this.connection.value.state !== "live") this.connection.value = { state: "live" };
    // A complete read is saved at once: there is no time for that when the page is closed.
    if (!isSame) void this.keep();
    else if (added.length > 0) this.keeping ??= setTimeout(() => void this.keep(), KEEP_PAUSE);
  }

  private async keep(): Promise<void> {
    clearTimeout(this.keeping);
    this.keeping = undefined;
    const archive = this.archive.value;
    if (!archive) return;
    try {
      await (await database()).put("archives", archive.save(), this.key);
    } catch {
      // Data that cannot be saved is read again.
    }
  }
}

async function readKept(key: string): Promise<unknown> {
  try {
    return await (await database()).get("archives", key);
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds between two polls of a chain. */
function pauseOf({ chainId }: Pick<PageDeployment, "chainId">): number {
  return traitsOf(chainId).minesOnDemand ? LOCAL_PAUSE : PAUSE;
}

/** Creates a provider. The code that reads its signed transactions is loaded for the first one. */
function providerOf(deployment: PageDeployment): Provider {
  const provider = readerOf(deployment);
  provider.broadcastTransaction = async (signed) => (await import("./broadcast.ts")).broadcast(provider, signed);
  return provider;
}

function readerOf({ rpc, chainId }: PageDeployment): JsonRpcApiProvider {
  const url = new URL(rpc[0], location.href);
  if (url.protocol.startsWith("ws")) return new WebSocketProvider(url.href, chainId, { staticNetwork: true });
  const options = { staticNetwork: true, batchStallTime: 5, cacheTimeout: -1 };
  const provider = new HttpProvider(url.href, chainId, options, (answer) => textOf(answer, MAX_ANSWER));
  provider.pollingInterval = pauseOf({ chainId });
  return provider;
}

const chains = new Map<string, Chain>();

/** Returns the chain of a deployment, which is opened once. */
export function chainOf(deployment: PageDeployment): Chain {
  const key = `${deployment.chainId}-${deployment.addresses.Arena}`;
  const known = chains.get(key) ?? new Chain(deployment);
  chains.set(key, known);
  return known;
}
