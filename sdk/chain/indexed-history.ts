import type { Provider } from "ethers";
import { isKind } from "../protocol/error-kind.js";
import type { Addresses } from "./addresses.js";
import type { AnyEvent, ChainEvent } from "./events.js";
import { FINAL_DEPTH } from "./finality.js";
import { History, type MatchOptions, type OnProgress, type PastActions, type PastQuery } from "./history.js";
import { IndexTrouble, type IndexClient } from "./index-client.js";
import { hashOf, latestBlock } from "./source.js";

/** Milliseconds for which a failed index is not queried again. */
const REST = 60_000;

/** How a history uses an index. */
export interface IndexUse {
  /** Finds the index, on the first query and after a failure. @throws IndexTrouble */
  open(): Promise<IndexClient>;
  /** Addresses of the games whose logs the index stores. */
  games: readonly string[];
  /**
   * Called with each failure of the index, after which the history queries the chain instead. Called without an
   * argument when the index answers.
   */
  onTrouble?(trouble?: IndexTrouble): void;
}

/** Index that a history has found, and the time until which it is not queried. */
interface Known {
  index?: IndexClient;
  restsUntil: number;
}

/**
 * History that reads players' actions in earlier matches from an index. It reads everything else from the chain, and
 * these actions too if the index fails.
 * @example
 * ```ts
 * import { IndexClient, IndexedPast, modeHash, stockGame } from "duello";
 *
 * const open = () => IndexClient.open("https://index.example", { chainId: 31_337, addresses });
 * const history = new IndexedPast(provider, addresses, 1, { open, games: [addresses.MiniGames] });
 * const modes = [modeHash(stockGame("mini-games").modes.coin.content)];
 * const past = await history.pastActions({ player: bob, game: addresses.MiniGames, modes, max: 50 });
 * ```
 */
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

  /** Reads the actions of a player and its opponents in the player's latest matches of a game, however old, oldest first. */
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

  /** Queries the index, unless the index has just failed. @returns undefined if the index fails. */
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
 * History that also reads the events of matches from an index, up to the index's last block. It reads later events from
 * the chain, and calls contracts as usual.
 * @example
 * ```ts
 * import { IndexClient, IndexedHistory } from "duello";
 *
 * const open = () => IndexClient.open("https://index.example", { chainId: 31_337, addresses });
 * const history = new IndexedHistory(provider, addresses, 1, { open, games: [addresses.Pistols] });
 * const { actions } = await history.match(7n);
 * ```
 */
export class IndexedHistory extends IndexedPast {
  protected override async about(matchId: bigint, options: MatchOptions): Promise<readonly AnyEvent[]> {
    if (!this.pasts.has(matchId)) await this.ask((index) => this.learn(matchId, index));
    return super.about(matchId, options);
  }

  /** Reads the events of a match from the index, if the node's chain has them. */
  private async learn(matchId: bigint, index: IndexClient): Promise<void> {
    const found = await index.match(matchId);
    if (!found) return;
    const { match, events, block } = found;
    const [created] = events as [ChainEvent<"Created">];
    const terms = await this.terms(created.args.termsHash).catch(() => undefined);
    if (terms?.game !== match.game)
      throw new IndexTrouble(index.url, `has match ${matchId} of a game that it is not of`);
    const isOurs = Object.values<string>(this.addresses).includes(match.game);
    // The index has no logs of an unknown game.
    if (isOurs && !this.use.games.includes(match.game)) return;
    const latest = await latestBlock(this.provider);
    const last = block < latest.number ? { number: block, hash: await hashOf(this.provider, block) } : latest;
    const end = events.at(-1)!;
    if (end.block > last.number) return;
    // A reorganisation may have undone events that the index still has.
    if (end.block > latest.number - FINAL_DEPTH) {
      const receipt = await this.provider.getTransactionReceipt(end.transaction);
      if (receipt?.blockNumber !== end.block) return;
    }
    this.remember(matchId, { game: match.game, events, last });
  }
}
