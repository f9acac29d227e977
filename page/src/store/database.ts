import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";

/** What the browser keeps of this page. Each store has its own file that says what is in it. */
export interface Kept extends DBSchema {
  /** Saved archives, by deployment. */
  archives: { key: string; value: unknown };
  /** Small settings by their names. */
  settings: { key: string; value: unknown };
  /** Practice matches that are not over, by game and mode. */
  practice: { key: string; value: unknown };
  /** Keys and secrets of players, encrypted. */
  secrets: { key: string; value: unknown };
  /** The key that encrypts them, which cannot be read out of the browser. */
  locks: { key: string; value: CryptoKey };
  /** Transactions that were begun, by player, match and action. */
  transactions: { key: string; value: unknown };
  /** Answers that were shown to others, by player and match. */
  answers: { key: string; value: unknown };
  /** What was played away from the chain, by player, match and place. */
  away: { key: string; value: unknown };
}

const STORES = ["archives", "settings", "practice", "secrets", "locks", "transactions", "answers", "away"] as const;

let opening: Promise<IDBPDatabase<Kept>> | undefined;

/** Opens what the browser keeps. @throws Error where the browser keeps nothing, e.g. in some private windows */
export function database(): Promise<IDBPDatabase<Kept>> {
  opening ??= openDB<Kept>("duello", 2, {
    upgrade(changed) {
      // What an earlier version of the page has kept stays.
      for (const store of STORES) if (!changed.objectStoreNames.contains(store)) changed.createObjectStore(store);
    },
    blocking(_current, _blocked, event) {
      // Another tab has a newer version of the page: it must not wait for this one.
      (event.target as IDBDatabase).close();
    },
  });
  return opening;
}

/** Deletes all that the browser keeps of this page. What is open cannot write any more. */
export async function forgetEverything(): Promise<void> {
  const open = await opening?.catch(() => undefined);
  open?.close();
  await deleteDB("duello");
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith("duello.")) localStorage.removeItem(name);
  }
}
