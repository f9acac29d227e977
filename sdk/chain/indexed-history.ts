import type { Provider } from "ethers";
import { isKind } from "../protocol/error-kind.js";
import type { Addresses } from "./addresses.js";
import type { AnyEvent, ChainEvent } from "./events.js";
import { History, type MatchOptions, type OnProgress, type PastActions, type PastQuery } from "./history.js";
import { IndexTrouble, type IndexClient } from "./index-client.js";
import { hasBlock, hashOf, latestBlock } from "./source.js";

/** Milliseconds for which an index that has failed is not asked again. */
const REST = 60_000;
/** Blocks within which a reorganisation may have undone what an index still has. */
const UNSURE_BLOCKS = 64;

/** The index that a history asks, and how. */
export interface IndexUse {
  index: IndexClient;
  /** Addresses of the games whose logs the index keeps. */
  games: readonly string[];
  /** Called when the index fails, and the chain is asked in its place. */
  onTrouble?: (trouble: IndexTrouble) => void;
}

/**
 * History that takes the events of matches from an index, up to the block to which the index has read, and those of
 * later blocks from the chain. Where the index fails the chain is asked for all. Contracts are asked as ever.
 */
export class IndexedHistory extends History {
  private readonly rest = { until: 0 };

  constructor(
    provider: Provider,
    addresses: Addresses,
    fromBlock: number,
    private readonly use: IndexUse,
    onProgress?: OnProgress,
  ) {
    super(provider, addresses, fromBlock, onProgress);
  }

  /** Reads what a player and its opponents did in its latest matches of a game, of whatever age, oldest first. */
  override async pastActions(query: PastQuery): Promise<PastActions> {
    const { player, game, modes, max } = query;
    const past = await this.ask(async ({ index }) => {
      const where = { game, mode_in: modes, OR: [{ player1: player }, { player2: player }] };
      const matches = await index.page("match", { where, orderBy: "matchId", descending: true, limit: max });
      const ids = matches.rows.map(({ matchId }) => matchId);
      const joined = new Set(matches.rows.flatMap(({ matchId, player2 }) => (player2 === player ? [matchId] : [])));
      return { joined, actions: ids.length === 0 ? [] : await index.actions(ids) };
    });
    return past ?? super.pastActions(query);
  }

  protected override async about(matchId: bigint, options: MatchOptions): Promise<readonly AnyEvent[]> {
    if (!this.pasts.has(matchId)) await this.ask((use) => this.learn(matchId, use));
    return super.about(matchId, options);
  }

  /** Takes the events of a match from the index, as far as the chain of the node has them. */
  private async learn(matchId: bigint, { index, games }: IndexUse): Promise<void> {
    const found = await index.match(matchId);
    if (!found) return;
    const { match, events, block } = found;
    const [created] = events as [ChainEvent<"Created">];
    const terms = await this.terms(created.args.termsHash).catch(() => undefined);
    if (terms?.game !== match.game)
      throw new IndexTrouble(index.url, `has match ${matchId} of a game that it is not of`);
    const isOurs = Object.values<string>(this.addresses).includes(match.game);
    // Of a game that the index does not know it has no logs.
    if (isOurs && !games.includes(match.game)) return;
    const latest = await latestBlock(this.provider);
    const last = block < latest.number ? { number: block, hash: await hashOf(this.provider, block) } : latest;
    const end = events.at(-1)!;
    if (end.block > last.number) return;
    if (end.block > latest.number - UNSURE_BLOCKS) {
      const receipt = await this.provider.getTransactionReceipt(end.transaction);
      if (receipt?.blockNumber !== end.block || !(await hasBlock(this.provider, last))) return;
    }
    this.remember(matchId, { game: match.game, events, last });
  }

  /** Asks the index, unless it has just failed. @returns undefined if it fails. */
  private async ask<T>(question: (use: IndexUse) => Promise<T>): Promise<T | undefined> {
    if (Date.now() < this.rest.until) return undefined;
    try {
      return await question(this.use);
    } catch (error) {
      if (!isKind(error, IndexTrouble)) throw error;
      this.rest.until = Date.now() + REST;
      this.use.onTrouble?.(error);
      return undefined;
    }
  }
}
