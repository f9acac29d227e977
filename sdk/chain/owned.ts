import type { Provider } from "ethers";
import { Characters__factory } from "../../typechain-types/index.js";
import { firstWhere } from "./bisect.js";
import { decodeEvent, topicsFor } from "./events.js";
import { LogReader, type ReadManner, type Stretch } from "./logs.js";
import { revertData } from "./revert.js";
import { QUESTIONS_BEFORE_BISECTION } from "./search.js";

/** Number of characters whose owners are requested at once. */
const AT_ONCE = 20;

/** A contract of characters, and the blocks in which a search looks for its transfers. */
export interface Kind {
  provider: Provider;
  /** Address of the contract. */
  token: string;
  /** Block of the deployment, or an earlier one, and the latest block. */
  blocks: readonly [first: number, last: number];
  /** Returns whether the character with a number, counted from 1, was ever minted. */
  exists(id: bigint): Promise<boolean>;
  /** Called with all logs that were read. */
  onStretch(stretch: Stretch): void;
  manner: ReadManner;
}

/**
 * Finds the characters that a player owns, in the order of their numbers. Reads the transfers to the player, the latest
 * first, until it has found as many characters as the player's balance. If that would take more requests than there are
 * characters, requests the owner of each character.
 * @throws Outage or Refused if the node stops answering.
 */
export async function ownedBy(player: string, kind: Kind): Promise<bigint[]> {
  const { provider, token, blocks, manner } = kind;
  const search = new OwnerSearch(player, kind);
  await search.begin();
  if (search.isComplete) return [];
  const reader = LogReader.of(provider);
  let questions = 0;
  const filter = { ...manner, address: token, topics: topicsFor("Transfer", { to: player }) };
  for await (const stretch of reader.backward(filter, ...blocks)) {
    kind.onStretch(stretch);
    await search.add(stretch.logs.map((log) => (decodeEvent(log).args as { id: bigint }).id));
    if (search.isComplete) break;
    if (++questions !== QUESTIONS_BEFORE_BISECTION) continue;
    const questionsLeft = (stretch.from - blocks[0]) / reader.span;
    if (await search.addAll(questionsLeft)) break;
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

  /** Adds those of the given characters that the player owns. */
  async add(ids: readonly bigint[]): Promise<void> {
    const fresh = [...new Set(ids)].filter((id) => !this.seen.has(id));
    for (const id of fresh) this.seen.add(id);
    const owners = await Promise.all(fresh.map((id) => this.contract.ownerOf(id).catch(nobody)));
    this.owned.push(...fresh.filter((_, i) => owners[i] === this.player));
  }

  /**
   * Adds the player's characters among all existing characters, unless there are more than `max`.
   * @returns false if there are more.
   */
  async addAll(max: number): Promise<boolean> {
    const exists = (id: number) => this.kind.exists(BigInt(id));
    let [low, high] = [1, 2];
    for (; await exists(high); high *= 2) {
      if (high > max) return false;
      low = high;
    }
    const count = (await firstWhere(low + 1, high, async (id) => !(await exists(id)))) - 1;
    for (let id = count; id > 0 && !this.isComplete; id -= AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, id) }, (_, i) => BigInt(id - i));
      await this.add(ids);
    }
    return true;
  }
}

/** Returns no owner for a burned character, whose query reverts. */
function nobody(error: unknown): undefined {
  if (revertData(error) === undefined) throw error;
}
