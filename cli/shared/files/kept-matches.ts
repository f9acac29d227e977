import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { History } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { gameNamed } from "../../../sdk/games/list.js";
import { InputError, object, text } from "../../../sdk/protocol/input.js";
import { readVersioned, versioned } from "../../../sdk/protocol/version.js";
import { decodeRecord, encodeRecord, MAX_SHARED_RECORD, type SharedMatch } from "../../../sdk/player/shared-record.js";
import { writeAtomically } from "./files.js";
import { readSmallJson } from "./json.js";

const FORMAT = "a kept match";
const NAME = /^\d+-0x[0-9a-f]{40}-\d+\.json$/i;
/** Maximum bytes of a file in addition to the record of the match. */
const MAX_ENVELOPE = 1000;

const readKept = readVersioned(FORMAT, object({ record: text }));

/** Finished matches that this machine keeps, one file each, with everything needed to replay them without a node. */
export class KeptMatches {
  private readonly folder: string;

  /** @param home Folder of this machine's files, as a `Vault` names it. */
  constructor(home: string) {
    this.folder = join(home, "replays");
  }

  /** Keeps a match that was replayed. @returns its file. @throws InputError for a match that is too long */
  async keep(record: MatchRecord, history: History, game: GameModule, arena: string): Promise<string> {
    const file = join(this.folder, `${record.chainId}-${arena}-${record.matchId}.json`);
    return writeAtomically(file, versioned(FORMAT, { record: await encodeRecord(record, history, game) }));
  }

  /** Lists the files, the newest first. */
  async files(): Promise<string[]> {
    if (!existsSync(this.folder)) return [];
    const files = (await readdir(this.folder)).filter((name) => NAME.test(name)).map((name) => join(this.folder, name));
    const times = new Map(await Promise.all(files.map(async (file) => [file, (await stat(file)).mtimeMs] as const)));
    return files.sort((one, other) => times.get(other)! - times.get(one)! || one.localeCompare(other));
  }

  /** Finds the file of a match by its number. @throws InputError unless there is exactly one such file */
  async fileOf(matchId: string): Promise<string> {
    const found = (await this.files()).filter((file) => file.endsWith(`-${matchId}.json`));
    if (found.length === 1) return found[0];
    const problem =
      found.length === 0
        ? `no match ${matchId} is kept in ${this.folder}`
        : `matches of this number of ${found.length} arenas are kept: name a file of ${this.folder}`;
    throw new InputError("match", problem);
  }
}

/**
 * Reads a kept match, and replays it. Its content is not compared with any chain.
 * @throws InputError for anything but a kept match, and for a match of an unlisted game.
 */
export async function readKeptMatch(file: string, games: readonly GameModule[]): Promise<SharedMatch> {
  const kept = readKept(await readSmallJson(file, MAX_SHARED_RECORD + MAX_ENVELOPE), file);
  return decodeRecord(kept.record, (name) => gameNamed(name, games));
}
