import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStore } from "../../../cli/relay/folder/store.js";
import { Relay } from "../../../cli/relay/relay.js";
import type { PageDeployment } from "../../../sdk/chain/deployment.js";
import type { TestChain } from "./chain.js";

/** A relay in this process for a test chain, which can be stopped and restarted on its port. */
export class TestRelay {
  private relay?: Relay;

  private constructor(
    private readonly chain: TestChain,
    private readonly folder: string,
    private port: number,
  ) {}

  static async start(chain: TestChain): Promise<TestRelay> {
    const relay = new TestRelay(chain, await mkdtemp(join(tmpdir(), "duello-relay-")), 0);
    await relay.resume();
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Deployment of the chain in the form that the page reads, with this relay. */
  get deployment(): PageDeployment {
    return { ...this.chain.deployment, relay: this.url };
  }

  /** Restarts the relay with all its data. */
  async resume(): Promise<void> {
    this.relay = await Relay.start({
      chainId: 31_337n,
      channels: await this.chain.arena.channels(),
      store: folderStore(this.folder),
      port: this.port,
    });
    this.port = Number(new URL(this.relay.url).port);
  }

  /** Ends the relay like a crash. */
  async kill(): Promise<void> {
    await this.relay?.stop();
    this.relay = undefined;
  }

  /** Ends the relay, and removes its data. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
