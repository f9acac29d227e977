import { signal } from "@preact/signals";
import { checkVersion, NewerVersion, VERSIONS } from "duello";
import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";

/** This page's data in the browser. Each store has its own file, which documents its content. */
export interface Kept extends DBSchema {
  /** Saved archives, by deployment. */
  archives: { key: string; value: unknown };
  /** Small settings by their names. */
  settings: { key: string; value: unknown };
  /** Unfinished practice matches, by game and mode. */
  practice: { key: string; value: unknown };
  /** Keys and secrets of players, encrypted. */
  secrets: { key: string; value: unknown };
  /** The key that encrypts those secrets, which cannot be read out of the browser. */
  locks: { key: string; value: CryptoKey };
  /** Transactions that were started, by player, match and action. */
  transactions: { key: string; value: unknown };
  /** Answers that were shown to others, by player and match. */
  answers: { key: string; value: unknown };
  /** Players' channels, searches, and logs of signed messages. */
  channels: { key: string; value: unknown };
}

const STORES = ["archives", "settings", "practice", "secrets", "locks", "transactions", "answers", "channels"] as const;

const NAME = "duello";
const FORMAT = "the page's data";

/** Reason why this page does not use the browser's data: a newer version of the page has written it. */
export const newerData = signal<string | undefined>(undefined);

let opening: Promise<IDBPDatabase<Kept>> | undefined;

/**
 * Opens the browser's storage.
 * @throws NewerVersion if a newer version of the page has written it
 * @throws Error if the browser stores nothing, e.g. in some private windows
 */
export function database(): Promise<IDBPDatabase<Kept>> {
  opening ??= open().catch(refuseNewer);
  return opening;
}

/** Opens the browser's storage; undefined if the browser stores nothing. @throws NewerVersion as `database` */
export async function databaseIfKept(): Promise<IDBPDatabase<Kept> | undefined> {
  return database().catch((error: unknown) => {
    // If the storage were treated as empty, the page would show and sign things twice.
    if (error instanceof NewerVersion) throw error;
    return undefined;
  });
}

function open(): Promise<IDBPDatabase<Kept>> {
  return openDB<Kept>(NAME, VERSIONS[FORMAT], {
    upgrade(changed) {
      // Data of an earlier version of the page stays.
      for (const store of STORES) if (!changed.objectStoreNames.contains(store)) changed.createObjectStore(store);
    },
    blocking(_current, _blocked, event) {
      // Another tab runs a newer version of the page, and must not wait for this tab.
      (event.target as IDBDatabase).close();
    },
  });
}

/** @throws NewerVersion instead of the browser's error about a newer version; any other error unchanged. */
async function refuseNewer(error: unknown): Promise<never> {
  if ((error as Error).name === "VersionError") {
    const kept = (await indexedDB.databases()).find(({ name }) => name === NAME);
    try {
      checkVersion(FORMAT, kept?.version, "This browser");
    } catch (newer) {
      newerData.value = (newer as Error).message;
      throw newer;
    }
  }
  throw error;
}

/** Deletes all data of this page in the browser. Open connections cannot write any more. */
export async function forgetEverything(): Promise<void> {
  const open = await opening?.catch(() => undefined);
  open?.close();
  await deleteDB(NAME);
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith("duello.")) localStorage.removeItem(name);
  }
}
