import { join } from "node:path";
import type { Provider } from "ethers";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import {
  LogConflict,
  checkPlace,
  entryText,
  parseEntry,
  type AwayEntry,
  type AwayLog,
} from "../../sdk/player/away/log.js";
import type { AwayMessage } from "../../sdk/protocol/away/messages.js";
import { LineFile, Overtaken } from "./line-file.js";
import { waitForLock } from "./lock.js";
import type { Vault } from "./vault.js";

/** Milliseconds for which a command waits for another one that plays the same match. */
const LOCK_PATIENCE = 60_000;

/** Facts of a session by which its logs are found. */
interface LogPlace {
  readonly vault: Vault;
  readonly chainId: number;
  readonly deployment: Deployment;
  readonly provider: Provider;
}

/** A session whose caller may have logs. */
interface LogOwner extends LogPlace {
  /** Returns the caller's address; undefined if the command names nobody. */
  caller(): Promise<string | undefined>;
}

/** Log of a seat as a file, with an entry a line. */
export class FileAwayLog implements AwayLog {
  private readonly file: LineFile;
  private count = 0;

  constructor(readonly path: string) {
    this.file = new LineFile(path);
  }

  /** @throws InputError for a line that no entry is written in. */
  async read(): Promise<AwayEntry[]> {
    const lines = await this.file.read();
    this.count = lines.length;
    return lines.map((line, i) => parseEntry(line, `${this.path}:${i + 1}`));
  }

  /** Tells if another process has added an entry since the log was read. */
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
}

/** Returns the path of the log of a player in a match that is played away from the chain. */
export async function awayLogFile(session: LogPlace, matchId: bigint, player: string): Promise<string> {
  const { vault, chainId, deployment, provider } = session;
  // All local chains share one id, and each start begins a new chain.
  const first = BigInt(chainId) === TEST_CHAIN ? `${(await provider.getBlock(0))!.hash!.slice(2, 18)}-` : "";
  return join(vault.folder, "away", `${chainId}-${first}${deployment.addresses.Arena}`, `${matchId}-${player}.jsonl`);
}

/** Reads the messages of a match that the caller has kept; none if nobody is named, or nothing is kept. */
export async function keptMessages(session: LogOwner, matchId: bigint): Promise<AwayMessage[]> {
  const player = await session.caller();
  if (player === undefined) return [];
  const entries = await new FileAwayLog(await awayLogFile(session, matchId, player)).read();
  return entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
}

/**
 * Runs what signs for a player in a match, and nothing else of this machine that does at the same time.
 * @param patience Milliseconds to wait for another process that does.
 * @throws Locked if it takes longer.
 */
export async function alone<T>(log: string, run: () => Promise<T>, patience = LOCK_PATIENCE): Promise<T> {
  const release = await waitForLock(log.replace(/\.jsonl$/, ".pid"), "This match is played", patience);
  try {
    return await run();
  } finally {
    release();
  }
}
