import { games } from "../../../sdk/games/index.js";
import { deployedGames } from "../../../sdk/games/list.js";
import { IndexClient, IndexTrouble } from "../../../sdk/chain/index-client.js";
import { IndexedHistory, type IndexUse } from "../../../sdk/chain/indexed-history.js";
import type { History } from "../../../sdk/chain/history.js";
import { isKind } from "../../../sdk/protocol/error-kind.js";
import { withFullStop } from "../../../sdk/protocol/text.js";
import { log } from "../command/output.js";
import type { CommandContext } from "../command/context.js";

/** Option of the commands that ask an index. */
export const INDEX_OPTION = [
  "--index <url>",
  "an index to ask in place of all events; DUELLO_INDEX by default",
] as const;

/** Source of a command's output, as data. */
export type Source = { index: string; block: number } | { events: string };

/** Finds the index of a command's deployment. @throws IndexTrouble, InputError for an invalid URL */
export async function openIndex({ provider, chainId, addresses }: CommandContext, url: string): Promise<IndexClient> {
  // If the node no longer has the first block, the block cannot be compared.
  const genesis = (await provider.getBlock(0))?.hash ?? undefined;
  return IndexClient.open(url, { chainId, addresses, genesis });
}

/** Returns the addresses of the games whose logs an index of a deployment keeps. */
export function indexedGames({ addresses }: CommandContext): string[] {
  return deployedGames(games, addresses).map(({ contract }) => addresses[contract]);
}

/** The index that a command may ask. If it fails or is not named, the command reads events. */
export class CommandIndex {
  private client?: IndexClient;
  /** Reason for reading the events instead of the index. */
  private reason?: string;
  /** Block up to which the index had read the chain at the last request. */
  private block = 0;

  private constructor(
    private readonly context: CommandContext,
    /** True if an index is named. */
    readonly isNamed: boolean,
  ) {}

  /** Finds the index that a command line or the environment names; an empty name means no index. */
  static async open(context: CommandContext, url = process.env.DUELLO_INDEX ?? ""): Promise<CommandIndex> {
    const index = new CommandIndex(context, url !== "");
    if (!index.isNamed) return index;
    await index.tried(async () => {
      index.client = await openIndex(context, url);
    });
    return index;
  }

  /** Asks the index. @returns undefined if there is no index, or the index fails: the caller then reads events. */
  async ask<T>(question: (client: IndexClient) => Promise<T>): Promise<T | undefined> {
    const { client } = this;
    if (!client) return undefined;
    return this.tried(async () => {
      const answer = await question(client);
      this.block = await client.block();
      return answer;
    });
  }

  /** Returns the history of the context; if there is an index, its events of matches come from there. */
  history(): History {
    const { client, context } = this;
    const { provider, deployment, history } = context;
    const { addresses, block } = deployment;
    if (!client) return history;
    const use = {
      open: async () => client,
      games: indexedGames(context),
      onTrouble: (trouble?: IndexTrouble) => trouble && log(`${trouble.message} The chain is asked in its place.`),
    } satisfies IndexUse;
    return new IndexedHistory(provider, addresses, block, use, context.onBlocks);
  }

  /** Source of the output, in a line; empty if no index is named. */
  get lines(): string[] {
    return this.isNamed ? [this.line] : [];
  }

  /** Source of the output, in a line. */
  get line(): string {
    const { client, block, reason } = this;
    if (client) return `From the index at ${client.url}, up to block ${block}.`;
    return withFullStop(`From the events${reason === undefined ? "" : `: ${reason}`}`);
  }

  /** Source of the output, as data. */
  get source(): Source {
    const { client, block, reason = "no index is named" } = this;
    return client ? { index: client.url, block } : { events: reason };
  }

  private async tried<T>(asking: () => Promise<T>): Promise<T | undefined> {
    try {
      return await asking();
    } catch (error) {
      if (!isKind(error, IndexTrouble)) throw error;
      this.client = undefined;
      this.reason = error.message;
      return undefined;
    }
  }
}
