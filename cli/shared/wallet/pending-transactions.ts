import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { OutboxStore, PendingTransaction } from "../../../sdk/player/outbox.js";
import {
  boolean,
  bytes32,
  InputError,
  integer,
  object,
  optional,
  text,
  type Reader,
} from "../../../sdk/protocol/input.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { readVersioned, versioned } from "../../../sdk/protocol/version.js";
import { acquireLock, isLocked, removeLock, waitForLock } from "../files/lock.js";
import { readFileAs, writeAtomically } from "../files/files.js";
import { readAddress } from "../../../sdk/protocol/arguments.js";

/** A transaction of a command, stored from before it is sent until its outcome has been reported. */
export interface CommandTransaction extends PendingTransaction {
  to: string;
  hash?: Hex;
  /** Name of the function that is called, or its selector. */
  call: string;
  /** True if a node has accepted the transaction. */
  isSent: boolean;
  /** Random id of the command that owns the transaction. */
  owner: string;
}

const bytes: Reader<string> = (value, path) => {
  if (typeof value !== "string" || !/^0x([0-9a-f]{2})*$/.test(value)) throw new InputError(path, "not 0x and hex");
  return value;
};
const amount: Reader<bigint> = (value, path) => {
  if (typeof value !== "string" || !/^\d{1,78}$/.test(value)) throw new InputError(path, "not an amount");
  return BigInt(value);
};
const owner: Reader<string> = (value, path) => {
  if (typeof value !== "string" || !/^[0-9a-f]{32}$/.test(value)) throw new InputError(path, "not a command");
  return value;
};
const address: Reader<string> = (value, path) => readAddress(text(value, path), path);

const FORMAT = "sent transactions";

const readEntry: Reader<CommandTransaction> = readVersioned(
  FORMAT,
  object({
    nonce: integer(0, Number.MAX_SAFE_INTEGER),
    from: address,
    to: address,
    data: bytes,
    value: amount,
    hash: optional(bytes32, undefined),
    action: bytes32,
    what: text,
    call: text,
    isSent: boolean,
    owner,
  }),
);

/** Milliseconds after which another command counts as stuck while sending. Normally, sending takes only a few. */
const SENDING_TIMEOUT = 60_000;

/** The pending transactions of a player, a file for each nonce. */
export class PendingTransactions implements OutboxStore<CommandTransaction> {
  constructor(private readonly folder: string) {}

  /** Reads all pending transactions, in the order of their nonces. */
  async all(): Promise<CommandTransaction[]> {
    const names = await readdir(this.folder).catch(() => []);
    const nonces = names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name));
    const entries = await Promise.all(
      nonces.sort((a, b) => a - b).map((nonce) => readFileAs(this.file(nonce), readEntry)),
    );
    return entries.filter((entry) => entry !== undefined);
  }

  async put(entry: CommandTransaction): Promise<void> {
    await writeAtomically(this.file(entry.nonce), contentOf(entry));
  }

  /** Removes a transaction, and its owner's lock file if the owner has ended. */
  async remove(entry: CommandTransaction): Promise<void> {
    await rm(this.file(entry.nonce), { force: true });
    if (!this.isOwned(entry)) removeLock(this.lockOf(entry));
  }

  /**
   * Claims an id for a command, which owns its transactions until the command, or its process, ends.
   * @returns a function that releases the id
   */
  claim(owner: string): () => void {
    const lock = this.lockOf({ owner });
    const release = acquireLock(lock, "A command sends");
    return () => {
      release();
      removeLock(lock);
    };
  }

  /** Returns whether a transaction that was read before is still stored. */
  async has({ nonce, owner }: CommandTransaction): Promise<boolean> {
    return (await readFileAs(this.file(nonce), readEntry))?.owner === owner;
  }

  /** Returns whether the command that owns a transaction is running, in any container. */
  isOwned(entry: CommandTransaction): boolean {
    return isLocked(this.lockOf(entry));
  }

  /**
   * Chooses nonces and sends while no other command does.
   * @throws Locked if another command has been sending for too long.
   */
  async exclusively<T>(send: () => Promise<T>): Promise<T> {
    const release = await waitForLock(join(this.folder, "sending.lock"), "A command sends", SENDING_TIMEOUT);
    try {
      return await send();
    } finally {
      release();
    }
  }

  private lockOf({ owner }: Pick<CommandTransaction, "owner">): string {
    return join(this.folder, `${owner}.lock`);
  }

  private file(nonce: number): string {
    return join(this.folder, `${nonce}.json`);
  }
}

function contentOf(entry: CommandTransaction): object {
  return versioned(FORMAT, { ...entry, value: String(entry.value) });
}
