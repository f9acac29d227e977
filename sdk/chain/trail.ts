import { firstWhere } from "./bisect.js";
import type { BlockId } from "./source.js";

/** Maximum number of remembered blocks without events, to find the end of a reorganisation. */
const MAX_HEADS = 128;

/** Blocks that were read. After a reorganisation, finds the newest of these blocks that the chain still has. */
export class BlockTrail {
  private readonly heads: BlockId[] = [];

  /** @param eventful Blocks that have events, in the order of the chain. */
  constructor(readonly eventful: BlockId[] = []) {}

  /** Adds a block that comes after all others. */
  add(block: BlockId, hasEvents: boolean): void {
    const list = hasEvents ? this.eventful : this.heads;
    if (list.at(-1)?.number !== block.number) list.push(block);
    if (this.heads.length > MAX_HEADS) this.heads.shift();
  }

  /** Finds the last block up to a number that the chain still has; undefined if there is none. */
  async lastOnChain(number: number, isOnChain: (block: BlockId) => Promise<boolean>): Promise<BlockId | undefined> {
    const blocks = [...this.eventful, ...this.heads].filter((block) => block.number <= number);
    blocks.sort((one, other) => one.number - other.number);
    // Most reorganisations are shallow, so the steps back start at one block and double.
    let [low, high] = [-1, blocks.length];
    for (let step = 1; high > 0 && low < 0; step *= 2) {
      const at = Math.max(0, high - step);
      if (await isOnChain(blocks[at])) low = at;
      else high = at;
    }
    if (low < 0) return undefined;
    const gone = await firstWhere(low + 1, high, async (at) => !(await isOnChain(blocks[at])));
    return blocks[gone - 1];
  }
}
