import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { bytes32, InputError, integer, object, type Reader } from "../../sdk/input.js";
import type { Hex } from "../../sdk/seal.js";
import { readJson } from "../json.js";
import { readAddress } from "./arguments.js";

/** Where a player's key counts. */
export interface KeyPlace {
  chainId: number;
  arena: string;
  player: string;
}

/** A player's key for its seals. */
export interface StoredKey extends KeyPlace {
  key: Hex;
}

/** The secret behind one seal, enough to open it. */
export interface StoredSecret {
  chainId: number;
  game: string;
  player: string;
  seal: Hex;
  move: Hex;
  salt: Hex;
}

/** Names a round for ever: chain, arena, match and seal. */
export type Round = readonly (string | bigint | number)[];

const chainId = integer(1, Number.MAX_SAFE_INTEGER);
const address: Reader<string> = (value, path) => readAddress(String(value), path);
const bytes: Reader<string> = (value, path) => {
  if (typeof value !== "string" || !/^0x([0-9a-f]{2})*$/.test(value))
    throw new InputError(path, "not 0x and hex bytes");
  return value;
};

const readKey = object({ chainId, arena: address, player: address, key: bytes32 });
const readSecret = object({ chainId, game: address, player: address, seal: bytes32, move: bytes, salt: bytes32 });
const readAnswer = object({ words: (value) => String(value), answer: bytes });

/**
 * The files of this machine: keys of wallets that give none, imported secrets, and the answers that were shown to the
 * world. Only their owner may read them.
 */
export class Vault {
  constructor(readonly folder = process.env.DUELLO_HOME ?? join(homedir(), ".duello")) {}

  /** The stored key of a player at an arena. */
  async key(place: KeyPlace): Promise<Hex | undefined> {
    return (await this.read(this.keyFile(place), readKey))?.key;
  }

  /** The file of a player's key at an arena, if one is kept. */
  keyFileOf(place: KeyPlace): string | undefined {
    const file = this.keyFile(place);
    return existsSync(file) ? file : undefined;
  }

  /** Keeps a key. @returns the file it is in. */
  async keepKey(stored: StoredKey): Promise<string> {
    return this.write(this.keyFile(stored), stored);
  }

  /** The stored secret behind a seal. */
  async secret(seal: Hex): Promise<StoredSecret | undefined> {
    return this.read(this.secretFile(seal), readSecret);
  }

  /** Keeps a secret. @returns the file it is in. */
  async keepSecret(stored: StoredSecret): Promise<string> {
    return this.write(this.secretFile(stored.seal), stored);
  }

  /** What was shown in a round before, if anything was. */
  async shown(round: Round): Promise<{ words: string; answer: Hex } | undefined> {
    return this.read(this.answerFile(round), readAnswer);
  }

  /**
   * The answer to show to a seal: the one that was shown before, or a fresh one, kept before anyone sees it. With two
   * answers in the open the other side could choose between them.
   * @param words The move in words.
   * @throws Error if another move was shown before.
   */
  async answer(round: Round, words: string, fresh: Hex): Promise<Hex> {
    const file = this.answerFile(round);
    const kept = await this.shown(round);
    if (!kept) await this.write(file, { words, answer: fresh });
    if (!kept || kept.words === words) return kept?.answer ?? fresh;
    throw new Error(`This seal was answered with ${kept.words} before: send that again. ${file} keeps it.`);
  }

  private answerFile(round: Round): string {
    return join(this.folder, "answers", `${round.join("-")}.json`);
  }

  private keyFile({ chainId, arena, player }: KeyPlace): string {
    return join(this.folder, "keys", `${chainId}-${arena}-${player}.json`);
  }

  private secretFile(seal: Hex): string {
    return join(this.folder, "secrets", `${seal}.json`);
  }

  private async read<T>(file: string, reader: Reader<T>): Promise<T | undefined> {
    return existsSync(file) ? reader(await readJson(file), file) : undefined;
  }

  /** All or nothing, and on the disk when it returns. */
  private async write(file: string, content: object): Promise<string> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const draft = await open(`${file}.${process.pid}`, "w", 0o600);
    await draft.writeFile(`${JSON.stringify(content, undefined, 2)}\n`);
    await draft.sync();
    await draft.close();
    await rename(`${file}.${process.pid}`, file);
    return file;
  }
}

/** The key, or the secrets of a match, out of a file that was exported. @throws InputError if it is neither. */
export function readExported(content: unknown, file: string): readonly (StoredKey | StoredSecret)[] {
  if (Array.isArray(content)) return content.map((each, i) => readSecret(each, `${file}[${i}]`));
  return [readKey(content, file)];
}
