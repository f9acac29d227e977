import { SocketProvider, type Provider } from "ethers";
import type { Clock } from "./waiting.js";

/** Milliseconds for which a provider may return a cached answer from before a new block. */
const CACHED = 300;

/** Waits for new blocks. Polls every node, and also listens to nodes that announce blocks. */
export class HeadWatch {
  private isTold = false;
  private wake: () => void = () => undefined;
  private readonly source?: SocketProvider;

  /**
   * @param pause Milliseconds between polls.
   * @param signal Ends a wait.
   */
  constructor(
    provider: Provider,
    private readonly pause: number,
    private readonly clock: Clock,
    private readonly signal?: AbortSignal,
  ) {
    // Other providers would poll only the number of the block, which reveals no reorganisation.
    if (!(provider instanceof SocketProvider)) return;
    this.source = provider;
    this.source.on("block", this.onBlock).catch(() => undefined);
  }

  /** Waits until there may be another block. @throws the reason of the signal */
  async next(): Promise<void> {
    // After a node announces a block, the node is queried once more, since the first answer may be cached.
    const pause = this.isTold ? Math.min(CACHED, this.pause) : this.pause;
    this.isTold = false;
    const rest = new AbortController();
    const told = new Promise<void>((resolve) => (this.wake = resolve));
    const signal = this.signal ? AbortSignal.any([this.signal, rest.signal]) : rest.signal;
    await Promise.race([told, this.clock.pause(pause, signal)]).finally(() => rest.abort());
  }

  end(): void {
    this.source?.off("block", this.onBlock).catch(() => undefined);
  }

  private readonly onBlock = () => {
    this.isTold = true;
    this.wake();
  };
}
