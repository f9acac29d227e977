import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isHexString } from "ethers";
import { hexOf, sized } from "../../sdk/protocol/bytes.js";
import { bytes32, InputError, integer, listUpTo, object, text, type Reader } from "../../sdk/protocol/input.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { address } from "./deployment.js";
import { readFileAs, writeNew, writeAtomically } from "./files.js";

/** Where a player's key counts. */
export interface KeyScope {
  chainId: number;
  arena: string;
  player: string;
}

/** A player's key for its commitments. */
export interface StoredKey extends KeyScope {
  key: Hex;
}

/** The secret behind one commitment, enough to open it. */
export interface StoredSecret {
  chainId: number;
  game: string;
  player: string;
  commitment: Hex;
  move: Hex;
  salt: Hex;
}

/** One round for ever. */
export interface Round {
  chainId: number;
  arena: string;
  matchId: bigint;
  /** How much was sent in the match before. */
  after: number;
  /** What is answered. */
  commitment: Hex;
}

/** What was shown in a round. */
export interface ShownAnswer {
  /** The move in words. */
  moveArgs: string;
  answer: Hex;
}

/** Of one match; there are never more than two. */
const MAX_SECRETS = 10;

const chainId = integer(1, Number.MAX_SAFE_INTEGER);
const bytes: Reader<string> = (value, path) => hexOf(sized(text(value, path), path, 0, Infinity));
/** What nobody may read in an error either. */
const hidden: Reader<string> = (value, path) => {
  if (typeof value !== "string" || !isHexString(value, 32)) throw new InputError(path, "not 0x and 64 hex digits");
  return value.toLowerCase();
};

const readKey = object({ chainId, arena: address, player: address, key: hidden });
const readSecret = object({ chainId, game: address, player: address, commitment: bytes32, move: bytes, salt: hidden });
const readShown: Reader<ShownAnswer> = object({ moveArgs: text, answer: bytes });

/**
 * The files of this machine: keys of wallets that give none, imported secrets, and the answers that were shown to the
 * world. Only their owner may read them, and nothing is ever written over.
 */
export class Vault {
  constructor(readonly folder = process.env.DUELLO_HOME ?? join(homedir(), ".duello")) {}

  /** The stored key of a player at an arena. */
  async key(place: KeyScope): Promise<Hex | undefined> {
    return (await readFileAs(this.keyFile(place), readKey))?.key;
  }

  /** The file of a player's key at an arena, if one is kept. */
  keyFileOf(place: KeyScope): string | undefined {
    const file = this.keyFile(place);
    return existsSync(file) ? file : undefined;
  }

  /** Keeps a key. @returns the file it is in. @throws Error if another one is there. */
  async keepKey(stored: StoredKey): Promise<string> {
    return keep(this.keyFile(stored), stored, readKey);
  }

  /** The stored secret behind a commitment. */
  async secret(commitment: Hex): Promise<StoredSecret | undefined> {
    return readFileAs(this.secretFile(commitment), readSecret);
  }

  /** Keeps a secret. @returns the file it is in. @throws Error if another one is there. */
  async keepSecret(stored: StoredSecret): Promise<string> {
    return keep(this.secretFile(stored.commitment), stored, readSecret);
  }

  /** What was shown in a round before, if anything was. */
  async shown(round: Round): Promise<ShownAnswer | undefined> {
    return readFileAs(this.answerFile(round), readShown);
  }

  /** What was shown in its place to other commitments, which blocks that are no more had. */
  async shownElsewhere({ commitment, ...round }: Round): Promise<ShownAnswer[]> {
    const folder = this.answersFolder(round);
    const names = await readdir(folder).catch(() => []);
    const others = names.filter((name) => name.startsWith(`${round.after}-`) && !name.includes(commitment));
    const shown = await Promise.all(others.map((name) => readFileAs(join(folder, name), readShown)));
    return shown.filter((each) => each !== undefined);
  }

  /**
   * Keeps what is about to be shown in a round, in the place of what was shown `before`.
   * @returns false if nothing was, and another command has kept something meanwhile.
   */
  async keepShown(round: Round, shown: ShownAnswer, before?: ShownAnswer): Promise<boolean> {
    const file = this.answerFile(round);
    if (!before) return writeNew(file, shown);
    await writeAtomically(file, shown);
    return true;
  }

  /** The file of what is shown in a round. */
  answerFile({ commitment, ...round }: Round): string {
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

/** Writes a file unless the same is there. */
async function keep<T extends object>(file: string, content: T, reader: Reader<T>): Promise<string> {
  if (await writeNew(file, content)) return file;
  if (isDeepStrictEqual(await readFileAs(file, reader), content)) return file;
  throw new Error(`${file} keeps another one already, and is not replaced: move it away if it is not needed any more.`);
}

/** The key, or the secrets of a match, out of a file that was exported. @throws InputError if it is neither. */
export function readExported(content: unknown, file: string): readonly (StoredKey | StoredSecret)[] {
  if (Array.isArray(content)) return listUpTo(readSecret, MAX_SECRETS)(content, file);
  return [readKey(content, file)];
}
