import { firstRows, type IndexClient, type IndexPage, type Paging, traitsOf } from "duello";
import { useEffect, useState } from "preact/hooks";
import type { Chain } from "../store/chain.ts";
import { indexOf } from "../store/index-client.ts";

/** Milliseconds between two questions to an index of a local chain and of any other. */
const LOCAL_PAUSE = 1000;
const PAUSE = 10_000;
/** Blocks behind the chain by which an index is late. */
const MAX_LATE = 20;
/** Rows that are read before somebody asks for more, and at each time that somebody does. */
const PAGE = 50;

/** Answer of an index, with the block up to which it has read the chain. */
interface Indexed {
  readonly block: number;
}

/** Source of what a view shows; undefined while there is nothing to show. */
export type Source =
  | {
      readonly from: "index";
      readonly block: number;
      /** Blocks by which it is behind the chain, if they are many. */
      readonly late?: number;
      readonly trouble?: string;
    }
  /** `reason`: why it is not the index. */
  | { readonly from: "events"; readonly reason?: string }
  | undefined;

/** Something that an index or the events tell. */
interface Sourced<T> {
  readonly value?: T;
  readonly source: Source;
}

/** What an index has answered last. */
interface Answer<T> {
  /** Question that it answers. */
  readonly key: string;
  readonly value?: T & Indexed;
  readonly late?: number;
  readonly trouble?: string;
}

/** Options of a question to an index. */
interface SourceOptions {
  /** False to read the events, without a question to the index, as soon as they are there; defaults to true. */
  prefersIndex?: boolean;
  /** Changes where the same question wants more. */
  size?: number;
}

/**
 * Asks the index of a deployment again and again while the view is open, and falls back to the events: where there is no
 * index, while it has not answered, where it fails or is late. What it said before is shown where there are no events yet.
 * @param key Question: another one forgets the answer.
 * @param fromEvents Computes the same from the events, once they are read.
 */
export function useSource<T extends object>(
  chain: Chain,
  key: string,
  ask: (index: IndexClient) => Promise<T & Indexed>,
  fromEvents: () => T,
  { prefersIndex = true, size }: SourceOptions = {},
): Sourced<T> {
  const [known, setKnown] = useState<Answer<T>>({ key });
  const isRead = chain.archive.value !== undefined;
  const isAsked = chain.deployment.index !== undefined && (prefersIndex || !isRead);
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
          // Where the node fails, nobody knows how late the index is.
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
  const { value, late, trouble }: Answer<T> = known.key === key ? known : { key };
  const isGood = value !== undefined && trouble === undefined && late === undefined;
  if (isRead && !(isAsked && isGood)) {
    const reason = trouble ?? (late !== undefined ? `The index is ${late} blocks behind the chain.` : undefined);
    return { value: fromEvents(), source: { from: "events", ...(isAsked && { reason }) } };
  }
  return value ? { value, source: { from: "index", block: value.block, late, trouble } } : { source: undefined };
}

/** Rows that an index or the events tell. */
export interface SourcedRows<R> {
  /** Undefined while there is nothing to show. */
  readonly rows?: readonly R[];
  /** Asks for more of them; undefined if these are all. */
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
