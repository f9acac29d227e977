import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Sent } from "../../sdk/chain/receipt.js";
import {
  boolean,
  bytes32,
  InputError,
  integer,
  object,
  optional,
  text,
  type Reader,
} from "../../sdk/protocol/input.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { readFileAs, writeNew, writeAtomically } from "./files.js";
import { readAddress } from "./arguments.js";

/** A transaction that a command sends, kept from before it is sent until somebody was told what came of it. */
export interface PendingTransaction extends Sent {
  to: string;
  /** What its command is to bring about, and all that tells it from others of the same kind: their hash. */
  action: Hex;
  /** The same in a few words. */
  what: string;
  /** Name of the function that is called, or its selector. */
  call: string;
  /** Whether a node has taken it. */
  isSent: boolean;
  /** The process, and the command of it, that keeps it. */
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
  if (typeof value !== "string" || !/^\d{1,9}-[0-9a-f]{16}$/.test(value)) throw new InputError(path, "not a process");
  return value;
};
const address: Reader<string> = (value, path) => readAddress(text(value, path), path);

const readEntry: Reader<PendingTransaction> = object({
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
});

/** The files of a player's transactions of which nobody was told yet, by their nonces. */
export class PendingTransactions {
  constructor(private readonly folder: string) {}

  /** All of them, in the order of their nonces. */
  async all(): Promise<PendingTransaction[]> {
    const names = await readdir(this.folder).catch(() => []);
    const nonces = names.filter((name) => /^\d+\.json$/.test(name)).map((name) => Number.parseInt(name));
    const entries = await Promise.all(
      nonces.sort((a, b) => a - b).map((nonce) => readFileAs(this.file(nonce), readEntry)),
    );
    return entries.filter((entry) => entry !== undefined);
  }

  /** Keeps one with a nonce that is free. @returns false if it is not. */
  async add(entry: PendingTransaction): Promise<boolean> {
    return writeNew(this.file(entry.nonce), { ...entry, value: String(entry.value) });
  }

  /** Keeps what is known now of one. */
  async update(entry: PendingTransaction): Promise<void> {
    await writeAtomically(this.file(entry.nonce), { ...entry, value: String(entry.value) });
  }

  async remove({ nonce }: PendingTransaction): Promise<void> {
    await rm(this.file(nonce), { force: true });
  }

  private file(nonce: number): string {
    return join(this.folder, `${nonce}.json`);
  }
}
