import type { Provider } from "ethers";
import { Characters__factory } from "../../typechain-types/index.js";
import { decodeEvent, topicsFor } from "./events.js";
import { LogReader, type Stretch } from "./logs.js";
import { revertData } from "./revert.js";
import { QUESTIONS_BEFORE_BISECTION } from "./search.js";

/** Tokens that are asked for at once. */
const AT_ONCE = 20;

/** What one token of characters is asked. */
export interface Kind {
  provider: Provider;
  token: string;
  /** From that of the deployment, or an earlier one, to the latest. */
  blocks: readonly [first: number, last: number];
  /** Whether one of that number was ever minted; they count from 1. */
  exists(id: bigint): Promise<boolean>;
  onStretch(stretch: Stretch): void;
}

/**
 * The characters that a player has, in the order of their numbers: those that came to it, the latest first until there
 * are as many as it has. Where that takes more questions than there are characters, each is asked for its owner.
 */
export async function ownedBy(player: string, kind: Kind): Promise<bigint[]> {
  const { provider, token, blocks } = kind;
  const search = new OwnerSearch(player, kind);
  await search.begin();
  if (search.isComplete) return [];
  const reader = LogReader.of(provider);
  let questions = 0;
  const filter = { address: token, topics: topicsFor("Transfer", { to: player }) };
  for await (const stretch of reader.backward(filter, ...blocks)) {
    kind.onStretch(stretch);
    await search.take(stretch.logs.map((log) => (decodeEvent(log).args as { id: bigint }).id));
    if (search.isComplete) break;
    if (
      ++questions === QUESTIONS_BEFORE_BISECTION &&
      (await search.takeAllOf((stretch.from - blocks[0]) / reader.span))
    )
      break;
  }
  return search.found;
}

class OwnerSearch {
  private readonly contract;
  private readonly seen = new Set<bigint>();
  private readonly owned: bigint[] = [];
  private count = 0n;

  constructor(
    private readonly player: string,
    private readonly kind: Kind,
  ) {
    this.contract = Characters__factory.connect(kind.token, kind.provider);
  }

  async begin(): Promise<void> {
    this.count = await this.contract.balanceOf(this.player);
  }

  get isComplete(): boolean {
    return BigInt(this.owned.length) >= this.count;
  }

  get found(): bigint[] {
    return this.owned.toSorted((a, b) => (a < b ? -1 : 1));
  }

  /** Keeps those that are the player's. */
  async take(ids: readonly bigint[]): Promise<void> {
    const fresh = [...new Set(ids)].filter((id) => !this.seen.has(id));
    for (const id of fresh) this.seen.add(id);
    const owners = await Promise.all(fresh.map((id) => this.contract.ownerOf(id).catch(nobody)));
    this.owned.push(...fresh.filter((_, i) => owners[i] === this.player));
  }

  /** Asks for all characters that there are, unless there are more than so many. @returns whether it did. */
  async takeAllOf(max: number): Promise<boolean> {
    const { exists } = this.kind;
    let [low, high] = [1n, 2n];
    for (; await exists(high); high *= 2n) {
      if (high > max) return false;
      low = high;
    }
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (await exists(middle)) low = middle;
      else high = middle;
    }
    for (let id = low; id > 0n && !this.isComplete; id -= BigInt(AT_ONCE)) {
      await this.take(Array.from({ length: AT_ONCE }, (_, i) => id - BigInt(i)).filter((each) => each > 0n));
    }
    return true;
  }
}

/** A burned one has no owner. */
function nobody(error: unknown): undefined {
  if (revertData(error) === undefined) throw error;
}
