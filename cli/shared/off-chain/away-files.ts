import { join } from "node:path";
import type { Provider } from "ethers";
import type { Deployment } from "../../../sdk/chain/deployment.js";
import {
  LogConflict,
  checkPlace,
  entryText,
  parseEntry,
  type AwayEntry,
  type AwayLog,
} from "../../../sdk/player/away/log.js";
import type { AwayMessage } from "../../../sdk/protocol/away/messages.js";
import { isKind } from "../../../sdk/protocol/error-kind.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { withFullStop } from "../../../sdk/protocol/text.js";
import { NewerVersion } from "../../../sdk/protocol/version.js";
import { LineFile, Overtaken } from "../files/line-file.js";
import { waitForLock } from "../files/lock.js";
import { chainMarkOf } from "../node/chain-mark.js";
import { log } from "../command/output.js";
import type { Vault } from "../files/vault.js";

/** Milliseconds for which a command waits for another one that plays the same match. */
const LOCK_PATIENCE = 60_000;

/** Facts of a command by which its logs are found. */
interface LogPlace {
  readonly vault: Vault;
  readonly chainId: number;
  readonly deployment: Deployment;
  readonly provider: Provider;
}

/** A command whose caller may have logs. */
interface LogOwner extends LogPlace {
  /** Returns the caller's address; undefined if the command names nobody. */
  caller(): Promise<string | undefined>;
}

/** Message that this machine has kept. */
export interface KeptMessage {
  readonly message: AwayMessage;
  /** Name of its place in sentences. */
  readonly place: string;
}

/** Log of a seat as a file, with an entry a line. */
export class FileAwayLog implements AwayLog {
  private readonly file: LineFile;
  private count = 0;

  constructor(readonly path: string) {
    this.file = new LineFile(path, "the log of a seat");
  }

  /** @throws InputError for a damaged file, or one of another version; it names the way out. */
  async read(): Promise<AwayEntry[]> {
    const { entries, damage } = await this.readable();
    if (!damage) return entries;
    throw damage instanceof NewerVersion ? damage : this.damageAt(damage.path, damage.problem);
  }

  damage(place: number, problem: string): InputError {
    return this.damageAt(this.placeOf(place), problem);
  }

  /** Names an entry in errors. @param place Number of the entries before it. */
  placeOf(place: number): string {
    return this.file.placeOf(place);
  }

  /** Reads the entries before the first line that no entry is written in. @returns also what is wrong with that line. */
  async readable(): Promise<{ entries: AwayEntry[]; damage?: InputError }> {
    const entries: AwayEntry[] = [];
    try {
      const lines = await this.file.read();
      this.count = lines.length;
      for (const [i, line] of lines.entries()) entries.push(parseEntry(line, this.placeOf(i)));
      return { entries };
    } catch (damage) {
      if (!isKind(damage, InputError)) throw damage;
      return { entries, damage };
    }
  }

  /** Returns whether another process has added an entry since the log was read. */
  isOvertaken(): Promise<boolean> {
    return this.file.isOvertaken();
  }

  async append(entry: AwayEntry, place: number): Promise<void> {
    checkPlace(this.count, place);
    try {
      await this.file.append(entryText(entry));
    } catch (error) {
      throw error instanceof Overtaken ? new LogConflict(error.message) : error;
    }
    this.count++;
  }

  /** Names what is wrong, and the way out. */
  private damageAt(path: string, problem: string): InputError {
    const wayOut = `Move ${this.path} away, and give the command again with a relay that has the match: your messages are taken back from it before anything is signed`;
    return new InputError(path, `${withFullStop(problem)} ${wayOut}`);
  }
}

/** Returns the path of the log of a player in a match that is played away from the chain. */
export async function awayLogFile(context: LogPlace, matchId: bigint, player: string): Promise<string> {
  const { vault, chainId, deployment, provider } = context;
  const mark = await chainMarkOf(provider, chainId);
  const chain = mark === undefined ? chainId : `${chainId}-${mark}`;
  return join(vault.folder, "away", `${chain}-${deployment.addresses.Arena}`, `${matchId}-${player}.jsonl`);
}

/**
 * Makes a function that reads the messages of a match that the caller has kept: none if nobody is named, or nothing is
 * kept. What it cannot read it reports once: who only looks at a match needs no log.
 */
export function keptMessages(context: LogOwner): (matchId: bigint) => Promise<KeptMessage[]> {
  const reported = new Set<string>();
  return async (matchId) => {
    const player = await context.caller();
    if (player === undefined) return [];
    const path = await awayLogFile(context, matchId, player);
    const kept = new FileAwayLog(path);
    const { entries, damage } = await kept
      .readable()
      .catch((error: unknown) => ({ entries: [], damage: new InputError(path, (error as Error).message) }));
    if (damage && !reported.has(damage.message)) {
      reported.add(damage.message);
      log(`${withFullStop(damage.message)} Moves that only this log has are not shown.`);
    }
    return entries.flatMap((entry, i) =>
      entry.type === "message" ? [{ message: entry.message, place: kept.placeOf(i) }] : [],
    );
  };
}

/**
 * Runs what signs for a player in a match, and nothing else of this machine that does at the same time.
 * @param patience Milliseconds to wait for another process that does.
 * @throws Locked if it takes longer.
 */
export async function alone<T>(path: string, run: () => Promise<T>, patience = LOCK_PATIENCE): Promise<T> {
  const release = await waitForLock(path.replace(/\.jsonl$/, ".lock"), "This match is played", patience);
  try {
    return await run();
  } finally {
    release();
  }
}
