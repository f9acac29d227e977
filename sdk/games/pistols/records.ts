import { toBeHex, type Provider } from "ethers";
import { Pistols__factory } from "../../../typechain-types/index.js";
import { Archive } from "../../chain/archive.js";
import { topicsOf, type AnyEvent } from "../../chain/events.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import { termsHash, type Terms } from "../../protocol/terms.js";
import type { Keeping } from "../module.js";
import { NO_DUELS, standingOf, withDuel, type Duelist, type HonourRecord, type Standing } from "./honour.js";
import { decodeResult, isResult } from "./log.js";

/**
 * Honour record of a player as the game stores it: the current one, and the one before the block that last changed it.
 */
interface StoredHonour {
  current: HonourRecord;
  changedAt: number;
  before: HonourRecord;
}

/** Honour records of a game's players, and the standings that its matches froze, updated event by event. */
class Chronicle {
  /**
   * Frozen standings by match: player 1's as of the creation, player 2's as of joining. Each comes from the record at
   * the start of that block.
   */
  readonly frozen = new Map<bigint, [Standing, Standing?]>();
  /** Honour records by player. */
  private readonly stored = new Map<string, StoredHonour>();
  /** Number of events taken. */
  taken = 0;
  /** Hashes of the game's rated terms. */
  private readonly rated = new Set<string>();
  /** Players of open rated matches, by match. */
  private readonly players = new Map<bigint, string[]>();

  constructor(private readonly game: string) {}

  /** Takes the next event of the deployment. */
  take({ name, args, address, block }: AnyEvent): void {
    this.taken++;
    if (name === "TermsAdded") {
      this.count(termsHash(args.terms), args.terms);
    } else if (name === "Created") {
      this.frozen.set(args.matchId, [this.standing(args.player1, block)]);
      if (this.rated.has(args.termsHash)) this.players.set(args.matchId, [args.player1]);
    } else if (name === "Joined") {
      this.frozen.get(args.matchId)?.push(this.standing(args.player2, block));
      this.players.get(args.matchId)?.push(args.player2);
    } else if (name === "Log" && address === this.game) {
      const last = args.logEntries.at(-1);
      if (last !== undefined && isResult(last)) this.finish(args.matchId, decodeResult(last).honour, block);
    }
  }

  /** Forgets a settled match, but not the honours that the match added. */
  forget(matchId: bigint): void {
    this.frozen.delete(matchId);
    this.players.delete(matchId);
  }

  /** Records the hash of terms if they are rated and of this game. */
  count(hash: Hex, { rated, game }: Terms): void {
    if (rated && game === this.game) this.rated.add(hash);
  }

  /** Lists the players with honour, and their current records. */
  honourRecords(): [player: string, record: HonourRecord][] {
    return [...this.stored].map(([player, { current }]) => [player, current]);
  }

  private finish(matchId: bigint, honour: readonly number[], block: number): void {
    for (const [side, player] of (this.players.get(matchId) ?? []).entries()) {
      const current = withDuel(this.stored.get(player)?.current ?? NO_DUELS, honour[side]);
      this.stored.set(player, { current, changedAt: block, before: this.atBlockStart(player, block) });
    }
  }

  private standing(player: string, block: number): Standing {
    return standingOf(this.atBlockStart(player, block));
  }

  private atBlockStart(player: string, block: number): HonourRecord {
    const stored = this.stored.get(player);
    if (stored === undefined) return NO_DUELS;
    return stored.changedAt === block ? stored.before : stored.current;
  }
}

/** Rules for how duels change a player's honour record. */
export const keeping: Keeping = {
  fresh: { ...NO_DUELS },
  after({ logs }, side, before) {
    const last = logs.at(-1)?.entries.at(-1);
    if (last === undefined || !isResult(last)) return before;
    return { ...withDuel(before as unknown as HonourRecord, decodeResult(last).honour[side]) };
  },
};

/** Chronicles by history and address of the game. */
const chronicles = new WeakMap<History, Map<string, Chronicle>>();

/** Starts a chronicle of a growing history; the caller passes it the events, and `frozenStandings` queries it. */
export function follow(history: History, game: string): Chronicle {
  const chronicle = new Chronicle(game);
  chronicles.set(history, (chronicles.get(history) ?? new Map<string, Chronicle>()).set(game, chronicle));
  return chronicle;
}

/** Returns the chronicle of all events in an archive. */
function chronicleOf(archive: Archive, game: string): Chronicle {
  const chronicle = chronicles.get(archive)?.get(game) ?? follow(archive, game);
  while (chronicle.taken < archive.all.length) chronicle.take(archive.all[chronicle.taken]);
  return chronicle;
}

/**
 * Returns the standings that a match froze, from events alone: player 1's when the match was created, and player 2's
 * when player 2 joined (undefined before that).
 * @throws like the history.
 * @example
 * ```ts
 * import { ARCHETYPES, frozenStandings } from "duello/games/pistols";
 *
 * const [one, two] = await frozenStandings(await history.match(7n), history);
 * console.log(ARCHETYPES[one.archetype], two?.strength);
 * ```
 */
export async function frozenStandings(record: MatchRecord, history: History): Promise<[Standing, Standing?]> {
  const { game } = record.terms;
  const followed = history instanceof Archive ? chronicleOf(history, game) : chronicles.get(history)?.get(game);
  const chronicle = followed ?? (await chronicleAbout(record, history));
  const [one, two] = chronicle.frozen.get(record.matchId)!;
  return [one, two];
}

/** Makes a chronicle of all matches of a match's two players. */
async function chronicleAbout(record: MatchRecord, history: History): Promise<Chronicle> {
  const { matchId, player1, player2 = player1, terms } = record;
  const { Arena } = history.addresses;
  const players = [player1, player2];
  const own = await history.told({
    address: Arena,
    topics: [topicsOf("Created", "Joined"), null, players.map(padded)],
  });
  const ids = [...new Set([...own.map(({ args }) => (args as { matchId: bigint }).matchId), matchId])];
  const about = { address: [Arena, terms.game], topics: [topicsOf("Created", "Joined", "Log"), ids.map(padded)] };
  const events = await history.told(about);
  const chronicle = new Chronicle(terms.game);
  for (const event of events) {
    if (event.name === "Created") {
      chronicle.count(event.args.termsHash, await history.terms(event.args.termsHash));
    }
    chronicle.take(event);
  }
  return chronicle;
}

/** Asks a node for a player's archetype and strength as of now. */
export async function duelistNow(player: string, game: string, provider: Provider): Promise<Duelist> {
  const { standing } = await Pistols__factory.connect(game, provider).duelistOf(player);
  return { archetype: Number(standing.archetype), strength: Number(standing.strength) };
}

/**
 * Asks a node for a player's honour record as of now.
 * @throws like the provider.
 * @example
 * ```ts
 * import { honourRecordNow, standingOf } from "duello/games/pistols";
 *
 * const record = await honourRecordNow(alice, addresses.Pistols, provider);
 * const { honour } = standingOf(record);
 * ```
 */
export async function honourRecordNow(player: string, game: string, provider: Provider): Promise<HonourRecord> {
  const { record } = await Pistols__factory.connect(game, provider).duelistOf(player);
  return { duels: Number(record.duels), total: Number(record.total), last: Number(record.last) };
}

function padded(value: string | bigint): Hex {
  return toBeHex(value, 32);
}
