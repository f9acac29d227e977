import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { object, text, type Reader } from "../../../sdk/protocol/input.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { readVersioned, versioned } from "../../../sdk/protocol/version.js";
import {
  bytes,
  readStoredKey,
  readStoredSecret,
  type KeyScope,
  type KeyStore,
  type StoredKey,
  type StoredSecret,
} from "../../../sdk/player/key-store.js";
import type { Round, ShownAnswer, ShownAnswers } from "../../../sdk/player/shown-answers.js";
import { readFileAs, writeNew, writeAtomically } from "./files.js";

const FORMAT = "the vault";

function readKept<T>(reader: Reader<T>): Reader<T> {
  return readVersioned(FORMAT, reader);
}

const readShown: Reader<ShownAnswer> = object({ moveArgs: text, answer: bytes });

/**
 * Secret files of this machine: keys of players whose wallets derive no key, imported secrets, and answers that were
 * shown. Only their owner may read them; keys and secrets are never overwritten.
 */
export class Vault implements KeyStore, ShownAnswers {
  constructor(readonly folder = process.env.DUELLO_HOME ?? join(homedir(), ".duello")) {}

  /** Returns the stored key of a player at an arena. */
  async key(scope: KeyScope): Promise<Hex | undefined> {
    return (await readFileAs(this.keyFile(scope), readKept(readStoredKey)))?.key;
  }

  /** Returns the file of a player's stored key; undefined if there is none. */
  keyFileOf(scope: KeyScope): string | undefined {
    const file = this.keyFile(scope);
    return existsSync(file) ? file : undefined;
  }

  /**
   * Stores a key.
   * @returns its file.
   * @throws Error if another key is stored there.
   */
  async keepKey(stored: StoredKey): Promise<string> {
    return keep(this.keyFile(stored), stored, readStoredKey);
  }

  /** Returns the stored secret behind a commitment. */
  async secret(commitment: Hex): Promise<StoredSecret | undefined> {
    return readFileAs(this.secretFile(commitment), readKept(readStoredSecret));
  }

  /**
   * Stores a secret.
   * @returns its file.
   * @throws Error if another secret is stored there.
   */
  async keepSecret(stored: StoredSecret): Promise<string> {
    return keep(this.secretFile(stored.commitment), stored, readStoredSecret);
  }

  /** Returns the answer that was sent before in a round. */
  async shown(round: Round): Promise<ShownAnswer | undefined> {
    return readFileAs(this.placeOf(round), readKept(readShown));
  }

  /**
   * Returns the answers that were sent in this round to other commitments. Those commitments were in blocks that have
   * been undone since.
   */
  async shownElsewhere({ commitment, ...round }: Round): Promise<ShownAnswer[]> {
    const folder = this.answersFolder(round);
    const names = await readdir(folder).catch(() => []);
    const others = names.filter((name) => name.startsWith(`${round.after}-`) && !name.includes(commitment));
    const shown = await Promise.all(others.map((name) => readFileAs(join(folder, name), readKept(readShown))));
    return shown.filter((each) => each !== undefined);
  }

  /**
   * Stores the answer of a round.
   * @param before Answer that the new one replaces, if any was shown before.
   * @returns false if `before` is missing and another command has stored an answer since.
   */
  async keepShown(round: Round, shown: ShownAnswer, before?: ShownAnswer): Promise<boolean> {
    const file = this.placeOf(round);
    const content = versioned(FORMAT, shown);
    if (!before) return writeNew(file, content);
    await writeAtomically(file, content);
    return true;
  }

  /** Returns the path of a round's answer. */
  placeOf({ commitment, ...round }: Round): string {
    return join(this.answersFolder(round), `${round.after}-${commitment}.json`);
  }

  private answersFolder({ chainId, arena, matchId }: Omit<Round, "commitment">): string {
    return join(this.folder, "answers", `${chainId}-${arena}-${matchId}`);
  }

  private keyFile({ chainId, arena, player }: KeyScope): string {
    return join(this.folder, "keys", `${chainId}-${arena}-${player}.json`);
  }

  private secretFile(commitment: Hex): string {
    return join(this.folder, "secrets", `${commitment}.json`);
  }
}

/** Writes a file unless the same content is there. */
async function keep<T extends object>(file: string, content: T, reader: Reader<T>): Promise<string> {
  if (await writeNew(file, versioned(FORMAT, content))) return file;
  if (isDeepStrictEqual(await readFileAs(file, readKept(reader)), content)) return file;
  throw new Error(`${file} keeps another one already, and is not replaced: move it away if it is not needed any more.`);
}
