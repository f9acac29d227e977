import { RestartableRelay } from "../../cli/relay/restartable.js";
import type { Clock } from "../../sdk/chain/waiting.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import type { Chain } from "./chain.js";

/** Limit of requests per client that no soak reaches. */
const PLENTY = { burst: 1e9, perSecond: 1e9 };

/** A relay in this process that can be killed, and uses the time of the chain. */
export class SoakRelay {
  private relay!: RestartableRelay;
  private trouble?: string;

  private constructor(private readonly chain: Chain) {}

  static async start(chain: Chain, at: ChannelsAt): Promise<SoakRelay> {
    const relay = new SoakRelay(chain);
    relay.relay = await RestartableRelay.start({
      ...at,
      port: 0,
      now: relay.clock.now,
      limits: { clientRequests: PLENTY, clientChannels: PLENTY },
      onTrouble: (line) => (relay.trouble = line),
    });
    return relay;
  }

  get url(): string {
    return this.relay.url;
  }

  /** Clock of the relay and its clients. All waits end at once. */
  get clock(): Clock {
    const now = () => this.chain.now * 1000;
    return { now, pause: async () => undefined, random: () => 0 };
  }

  get isDown(): boolean {
    return this.relay.isDown;
  }

  async kill(): Promise<void> {
    await this.relay.stop();
  }

  async resume(): Promise<void> {
    await this.relay.resume();
  }

  /** Restarts the relay without its messages. */
  async lose(): Promise<void> {
    await this.kill();
    await this.chain.jumpTo(this.chain.now + 1);
    await this.relay.lose();
  }

  /** @throws Error if the relay has failed and was not killed on purpose */
  async close(): Promise<void> {
    await this.relay.close();
    if (this.trouble !== undefined) throw new Error(`the relay has failed: ${this.trouble}`);
  }
}
