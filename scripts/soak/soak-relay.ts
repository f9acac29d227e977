import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStore } from "../../cli/relay/folder/store.js";
import { Relay } from "../../cli/relay/relay.js";
import type { Clock } from "../../sdk/chain/waiting.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import type { Chain } from "./chain.js";

/** Limit of requests per client that no soak reaches. */
const PLENTY = { burst: 1e9, perSecond: 1e9 };

/** A relay in this process that can be killed, and uses the time of the chain. */
export class SoakRelay {
  private relay?: Relay;
  private port = 0;
  private trouble?: string;

  private constructor(
    private readonly chain: Chain,
    private readonly at: ChannelsAt,
    private readonly folder: string,
  ) {}

  static async start(chain: Chain, at: ChannelsAt): Promise<SoakRelay> {
    const relay = new SoakRelay(chain, at, await mkdtemp(join(tmpdir(), "duello-soak-")));
    await relay.resume();
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Clock of the relay and its clients. All waits end at once. */
  get clock(): Clock {
    const now = () => this.chain.now * 1000;
    return { now, pause: async () => undefined, random: () => 0 };
  }

  get isDown(): boolean {
    return this.relay === undefined;
  }

  async kill(): Promise<void> {
    await this.relay?.stop();
    this.relay = undefined;
  }

  async resume(): Promise<void> {
    this.relay ??= await Relay.start({
      ...this.at,
      store: folderStore(join(this.folder, "messages")),
      port: this.port,
      now: this.clock.now,
      limits: { clientRequests: PLENTY, clientChannels: PLENTY },
      onTrouble: (line) => (this.trouble = line),
    });
    this.port = Number(new URL(this.relay.url).port);
  }

  /** Restarts the relay without its messages. */
  async lose(): Promise<void> {
    await this.kill();
    await rm(join(this.folder, "messages"), { recursive: true });
    await this.chain.jumpTo(this.chain.now + 1);
    await this.resume();
  }

  /** @throws Error if the relay has failed and was not killed on purpose */
  async close(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true });
    if (this.trouble !== undefined) throw new Error(`the relay has failed: ${this.trouble}`);
  }
}
