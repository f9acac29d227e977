import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStore } from "./folder/store.js";
import { Relay, type RelayOptions } from "./relay.js";

/** A relay in this process that can be stopped and started again, with or without its messages. */
export class RestartableRelay {
  private relay?: Relay;

  private constructor(
    private readonly options: Omit<RelayOptions, "store">,
    private readonly folder: string,
    private port: number,
  ) {}

  /** Starts a relay whose messages are in a new folder. @throws Error if the port is taken */
  static async start(options: Omit<RelayOptions, "store">): Promise<RestartableRelay> {
    const relay = new RestartableRelay(options, await mkdtemp(join(tmpdir(), "duello-relay-")), options.port);
    try {
      await relay.resume();
    } catch (error) {
      await relay.close();
      throw error;
    }
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isDown(): boolean {
    return this.relay === undefined;
  }

  async stop(): Promise<void> {
    await this.relay?.stop();
    this.relay = undefined;
  }

  /** Starts the relay at the same port, unless it runs. */
  async resume(): Promise<void> {
    this.relay ??= await Relay.start({ ...this.options, port: this.port, store: folderStore(this.messages) });
    this.port = Number(new URL(this.relay.url).port);
  }

  /** Stops the relay, and starts it again. */
  async restart(): Promise<void> {
    await this.stop();
    await this.resume();
  }

  /** Restarts the relay without its messages. */
  async lose(): Promise<void> {
    await this.stop();
    await rm(this.messages, { recursive: true, force: true });
    await this.resume();
  }

  /** Stops the relay and removes its folder. */
  async close(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private get messages(): string {
    return join(this.folder, "messages");
  }
}
