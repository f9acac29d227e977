import { unlessAborted } from "../../sdk/chain/waiting.js";
import type { AwayFacts } from "../../sdk/player/away/match-facts.js";
import { Busy } from "../shared/server/busy.js";
import { FairQueue } from "../shared/node/fair-queue.js";

/** Milliseconds for which the facts of a match are cached, and for which facts that contradict a signature are. */
const FACTS_LIFE = 60_000;
const DOUBTED_LIFE = 2_000;
/** Maximum number of matches whose facts are cached: those with messages, and others. */
const MAX_FACTS = 10_000;

/** Facts of a match, and its position while it is played off-chain. */
export interface RelayedMatch extends AwayFacts {
  /** Position of the match; only while either player is in turn. */
  position?: string;
}

/** Source of the facts. */
interface FactsSource {
  /** Reads a match from the chain; undefined for one that nobody has joined. */
  readMatch(matchId: bigint): Promise<RelayedMatch | undefined>;
  /** Returns whether there are messages of a match. */
  hasMessages(matchId: bigint): boolean;
  /** Called with each failure of the chain. */
  onTrouble(error: unknown): void;
  /** Returns milliseconds since some moment. */
  now(): number;
}

/** Limits of requests to the chain. */
export interface FactsLimits {
  /** Matches with messages whose facts are read at once. Half as many other matches are read in parallel. */
  reads: number;
  /** Milliseconds within which the chain must answer. */
  readTime: number;
  /** Milliseconds for which a request waits for its turn. */
  patience: number;
}

/** Facts that were read of a match. */
interface Reading {
  facts: Promise<RelayedMatch | undefined>;
  time: number;
}

/** Requests to the chain, and their answers. */
class Lane {
  readonly queue: FairQueue;
  readonly readings = new Map<bigint, Reading>();

  constructor(places: number, patience: number) {
    // A node may be slow, and one client must not hold all slots until it answers.
    this.queue = new FairQueue(places, patience, places / 2);
  }
}

/** Facts of matches, read from the chain from time to time. */
export class FactsCache {
  private readonly known: Lane;
  /** Anybody can request matches that nobody plays, so these use neither the slots nor the memory of the others. */
  private readonly unknown: Lane;

  constructor(
    private readonly source: FactsSource,
    private readonly limits: FactsLimits,
  ) {
    const { reads, patience } = limits;
    this.known = new Lane(reads, patience);
    this.unknown = new Lane(reads / 2, patience);
  }

  /** Numbers of requests that wait: for matches with messages, and for others. */
  get waiting(): { known: number; unknown: number } {
    return { known: this.known.queue.waiting, unknown: this.unknown.queue.waiting };
  }

  /**
   * Checks something against the facts of a match, which are undefined for one that nobody has joined.
   * @param check Throws if the facts do not allow it.
   * @throws what `check` throws; Busy
   */
  async check(matchId: bigint, client: string, check: (facts: RelayedMatch | undefined) => void): Promise<void> {
    const facts = await this.read(matchId, client, FACTS_LIFE);
    try {
      check(facts);
    } catch (error) {
      // The match may have been joined, or a key pledged, since the facts were read.
      const newer = await this.read(matchId, client, DOUBTED_LIFE);
      if (newer === facts) throw error;
      check(newer);
    }
  }

  /** @param life Milliseconds for which the facts are cached. */
  private async read(matchId: bigint, client: string, life: number): Promise<RelayedMatch | undefined> {
    const reading = this.find(matchId, life);
    if (reading) return reading.facts;
    const lane = this.source.hasMessages(matchId) ? this.known : this.unknown;
    // Each client has its own queue. Otherwise it would wait behind all requests of strangers.
    return lane.queue.run(client, () => (this.find(matchId, life) ?? this.start(matchId, lane)).facts);
  }

  /** Finds facts of a match that were read at most `life` milliseconds ago. */
  private find(matchId: bigint, life: number): Reading | undefined {
    const since = this.source.now() - life;
    const readings = [this.known, this.unknown].map((lane) => lane.readings.get(matchId));
    return readings.find((reading) => reading && reading.time >= since);
  }

  private start(matchId: bigint, { readings }: Lane): Reading {
    const facts = this.readMatch(matchId).catch((error: unknown) => {
      if (readings.get(matchId) === reading) readings.delete(matchId);
      this.source.onTrouble(error);
      throw new Busy("node", "the chain does not answer the relay");
    });
    const reading = { facts, time: this.source.now() };
    readings.delete(matchId);
    readings.set(matchId, reading);
    if (readings.size > MAX_FACTS) readings.delete(readings.keys().next().value!);
    return reading;
  }

  /** Reads a match. @throws Error if the chain takes too long */
  async readMatch(matchId: bigint): Promise<RelayedMatch | undefined> {
    const { readTime } = this.limits;
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`The chain has not answered within ${readTime / 1000} s.`)),
      readTime,
    );
    return unlessAborted(this.source.readMatch(matchId), late.signal).finally(() => clearTimeout(timer));
  }
}
