import { firstRows, type IndexClient, type IndexPage, type Paging, traitsOf } from "duello";
import { useEffect, useState } from "preact/hooks";
import type { Chain } from "../store/chain.ts";
import { indexOf } from "../store/index-client.ts";

/** Milliseconds between two requests to an index, of a local chain and of any other. */
const LOCAL_PAUSE = 1000;
const PAUSE = 10_000;
/** Number of blocks behind the chain at which an index counts as late. */
const MAX_LATE = 20;
/** Rows that are read at first, and each time the user asks for more. */
const PAGE = 50;

/** Answer of an index, with the block up to which it has read the chain. */
interface Indexed {
  readonly block: number;
}

/** Source of a view's content; undefined while there is nothing to show. */
export type Source =
  | {
      readonly from: "index";
      readonly block: number;
      /** Number of blocks by which the index is behind the chain, if it is late. */
      readonly late?: number;
      readonly trouble?: string;
    }
  /** `reason`: why the index is not the source. */
  | { readonly from: "events"; readonly reason?: string }
  | undefined;

/** Data from an index or the events. */
interface Sourced<T> {
  readonly value?: T;
  readonly source: Source;
}

/** Latest answer of an index. */
interface Answer<T> {
  /** Query that the index has answered. */
  readonly key: string;
  readonly value?: T & Indexed;
  readonly late?: number;
  readonly trouble?: string;
}

/** Options of a query to an index. */
interface SourceOptions {
  /** False to read the events, without querying the index once they are loaded; defaults to true. */
  prefersIndex?: boolean;
  /** Changes if the same query requests more rows. */
  size?: number;
}

/**
 * Queries the index of a deployment repeatedly while the view is open. Falls back to the events if there is no index,
 * or it has not answered, fails or is late. The index's previous answer is shown while there are no events yet.
 * @param key Identifies the query: a different key discards the answer.
 * @param fromEvents Computes the same data from the events, once they are read.
 */
export function useSource<T extends object>(
  chain: Chain,
  key: string,
  ask: (index: IndexClient) => Promise<T & Indexed>,
  fromEvents: () => T,
  { prefersIndex = true, size }: SourceOptions = {},
): Sourced<T> {
  const [known, setKnown] = useState<Answer<T>>({ key });
  const { value, late, trouble }: Answer<T> = known.key === key ? known : { key };
  const hasIndex = chain.deployment.index !== undefined;
  const isBad = trouble !== undefined || late !== undefined;
  // While the index answers, or has not answered yet, this does not read the events.
  const isRead = (hasIndex && prefersIndex && !isBad ? chain.archive.peek() : chain.archive.value) !== undefined;
  const isAsked = hasIndex && (prefersIndex || !isRead);
  useEffect(() => {
    if (!isAsked) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const set = (answer: Omit<Answer<T>, "key">) => {
      if (isOpen) setKnown((before) => ({ ...(before.key === key && before), trouble: undefined, ...answer, key }));
    };
    const look = async () => {
      if (document.visibilityState === "visible") {
        try {
          const value = await ask(await indexOf(chain)!);
          // If the node fails, the lag of the index is unknown.
          const head = await chain.provider.getBlockNumber().catch(() => value.block);
          set({ value, late: head - value.block > MAX_LATE ? head - value.block : undefined });
        } catch (error) {
          set({ trouble: (error as Error).message });
        }
      }
      if (isOpen)
        timer = setTimeout(() => void look(), traitsOf(chain.deployment.chainId).minesOnDemand ? LOCAL_PAUSE : PAUSE);
    };
    void look();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [chain, key, size, isAsked]);
  if (isRead && !(isAsked && value !== undefined && !isBad)) {
    const reason = trouble ?? (late !== undefined ? `The index is ${late} blocks behind the chain.` : undefined);
    return { value: fromEvents(), source: { from: "events", ...(isAsked && { reason }) } };
  }
  return value ? { value, source: { from: "index", block: value.block, late, trouble } } : { source: undefined };
}

/** Rows from an index or the events. */
export interface SourcedRows<R> {
  /** Undefined while there is nothing to show. */
  readonly rows?: readonly R[];
  /** Requests more rows; undefined if these are all. */
  readonly more?: () => void;
  readonly source: Source;
}

/** Reads rows page by page, as `useSource` does. @param fromEvents Computes all rows from the events. */
export function useRows<R>(
  chain: Chain,
  key: string,
  ask: (index: IndexClient, paging: Paging) => Promise<IndexPage<R>>,
  fromEvents: () => readonly R[],
  { prefersIndex }: SourceOptions = {},
): SourcedRows<R> {
  const [wanted, setWanted] = useState({ key, size: PAGE });
  const size = wanted.key === key ? wanted.size : PAGE;
  const { value, source } = useSource<{ rows: readonly R[]; next?: string }>(
    chain,
    key,
    (index) => firstRows(size, (paging) => ask(index, paging)),
    () => {
      const rows = fromEvents();
      return { rows: rows.slice(0, size), next: rows.length > size ? "" : undefined };
    },
    { prefersIndex, size },
  );
  const more = value?.next === undefined ? undefined : () => setWanted({ key, size: size + PAGE });
  return { rows: value?.rows, more, source };
}
