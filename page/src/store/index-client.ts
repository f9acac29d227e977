import type { IndexClient } from "duello";
import type { Chain } from "./chain.ts";

const clients = new WeakMap<Chain, Promise<IndexClient>>();

/**
 * Returns the client of the index that a deployment names; undefined if it names none. An index is not trusted: it
 * finds matches and players, and the chain is read before anything is opened or signed.
 */
export function indexOf(chain: Chain): Promise<IndexClient> | undefined {
  const { index } = chain.deployment;
  if (index === undefined) return undefined;
  const known = clients.get(chain);
  if (known) return known;
  const opening = import("./open-index.ts").then(({ openIndex }) => openIndex(index, chain.deployment));
  clients.set(chain, opening);
  // An index that does not answer is asked again.
  opening.catch(() => clients.delete(chain));
  return opening;
}
