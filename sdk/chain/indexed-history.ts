import type { Provider } from "ethers";
import { isKind } from "../protocol/error-kind.js";
import type { Addresses } from "./addresses.js";
import type { AnyEvent, ChainEvent } from "./events.js";
import { History, type MatchOptions, type OnProgress, type PastActions, type PastQuery } from "./history.js";
import { IndexTrouble, type IndexClient } from "./index-client.js";
import { hashOf, latestBlock } from "./source.js";

/** Milliseconds for which an index that has failed is not asked again. */
const REST = 60_000;
/** Blocks within which a reorganisation may have undone what an index still has. */
const UNSURE_BLOCKS = 64;

/** The index that a history asks, and how. */
export interface IndexUse {
  /** Finds the index, when it is asked first and after it has failed. @throws IndexTrouble */
  open(): Promise<IndexClient>;
  /** Addresses of the games whose logs the index keeps. */
  games: readonly string[];
  /** Called with each failure of the index, after which the chain is asked in its place, and without one when it answers. */
  onTrouble?(trouble?: IndexTrouble): void;
}

/** Index that a history has found, and the time until which it is left alone. */
interface Known {
  index?: IndexClient;
  restsUntil: number;
}

/** History that takes what players did in earlier matches from an index; where that fails, and all else, of the chain. */
export class IndexedPast extends History {
  private readonly known: Known = { restsUntil: 0 };

  constructor(
    provider: Provider,
    addresses: Addresses,
    fromBlock: number,
    protected readonly use: IndexUse,
    onProgress?: OnProgress,
  ) {
    super(provider, addresses, fromBlock, onProgress);
  }

  /** Reads what a player and its opponents did in its latest matches of a game, of whatever age, oldest first. */
  override async pastActions(query: PastQuery): Promise<PastActions> {
    const { player, game, modes, max } = query;
    const past = this.use.games.includes(game)
      ? await this.ask(async (index) => {
          const where = { game, mode_in: modes, OR: [{ player1: player }, { player2: player }] };
          const matches = await index.page("match", { where, orderBy: "matchId", descending: true, limit: max });
          const ids = matches.rows.map(({ matchId }) => matchId);
          const joined = new Set(matches.rows.flatMap(({ matchId, player2 }) => (player2 === player ? [matchId] : [])));
          return { joined, actions: ids.length === 0 ? [] : await index.actions(ids) };
        })
      : undefined;
    return past ?? super.pastActions(query);
  }

  /** Asks the index, unless it has just failed. @returns undefined if it fails. */
  protected async ask<T>(question: (index: IndexClient) => Promise<T>): Promise<T | undefined> {
    const { known, use } = this;
    if (Date.now() < known.restsUntil) return undefined;
    try {
      const answer = await question((known.index ??= await use.open()));
      use.onTrouble?.();
      return answer;
    } catch (error) {
      if (!isKind(error, IndexTrouble)) throw error;
      known.restsUntil = Date.now() + REST;
      known.index = undefined;
      use.onTrouble?.(error);
      return undefined;
    }
  }
}

/**
 * History that takes the events of matches from an index too, up to the block to which the index has read, and those of
 * later blocks of the chain. Contracts are asked as ever.
 */
export class IndexedHistory extends IndexedPast {
  protected override async about(matchId: bigint, options: MatchOptions): Promise<readonly AnyEvent[]> {
    if (!this.pasts.has(matchId)) await this.ask((index) => this.learn(matchId, index));
    return super.about(matchId, options);
  }

  /** Takes the events of a match from the index, as far as the chain of the node has them. */
  private async learn(matchId: bigint, index: IndexClient): Promise<void> {
    const found = await index.match(matchId);
    if (!found) return;
    const { match, events, block } = found;
    const [created] = events as [ChainEvent<"Created">];
    const terms = await this.terms(created.args.termsHash).catch(() => undefined);
    if (terms?.game !== match.game)
      throw new IndexTrouble(index.url, `has match ${matchId} of a game that it is not of`);
    const isOurs = Object.values<string>(this.addresses).includes(match.game);
    // Of a game that the index does not know it has no logs.
    if (isOurs && !this.use.games.includes(match.game)) return;
    const latest = await latestBlock(this.provider);
    const last = block < latest.number ? { number: block, hash: await hashOf(this.provider, block) } : latest;
    const end = events.at(-1)!;
    if (end.block > last.number) return;
    if (end.block > latest.number - UNSURE_BLOCKS) {
      const receipt = await this.provider.getTransactionReceipt(end.transaction);
      if (receipt?.blockNumber !== end.block) return;
    }
    this.remember(matchId, { game: match.game, events, last });
  }
}
