import type { AwayFacts } from "../../sdk/player/away/match-facts.js";
import { Busy } from "./busy.js";

/** Milliseconds for which the facts of a match are believed, and those that do not fit a signature. */
const FACTS_LIFE = 60_000;
const DOUBTED_LIFE = 2_000;
/** Matches whose facts are remembered, at most. */
const MAX_FACTS = 10_000;

/** Facts of a match, and the hash that its game keeps of it while it is played away. */
export interface RelayedMatch extends AwayFacts {
  /** State hash of the match in its game; left out for a game that keeps none. */
  stateHash?: string;
}

/** Source of the facts. */
export interface FactsSource {
  /** Reads a match from the chain; undefined for one that nobody has joined. */
  readMatch(matchId: bigint): Promise<RelayedMatch | undefined>;
  /** Tells if there are messages of a match. */
  hasMessages(matchId: bigint): boolean;
  /** Called with each failure of the chain. */
  onTrouble(error: unknown): void;
  /** Returns milliseconds since some moment. */
  now(): number;
}

/** Facts of matches, which are read from the chain now and then. */
export class FactsCache {
  private readonly facts = new Map<bigint, { read: Promise<RelayedMatch | undefined>; time: number }>();
  private reads = 0;

  /** @param maxReads Matches that are read at once, at most; half as many of those that have no messages. */
  constructor(
    private readonly source: FactsSource,
    private readonly maxReads: number,
  ) {}

  /**
   * Checks something by the facts of a match, which are undefined for one that nobody has joined.
   * @param check Throws for what the facts do not allow.
   * @throws what `check` throws; Busy
   */
  async check(matchId: bigint, check: (facts: RelayedMatch | undefined) => void): Promise<void> {
    const facts = await this.read(matchId, FACTS_LIFE);
    try {
      check(facts);
    } catch (error) {
      // Since the facts were read the match may have been joined, or a key pledged.
      const anew = await this.read(matchId, DOUBTED_LIFE);
      if (anew === facts) throw error;
      check(anew);
    }
  }

  /** @param life Milliseconds for which what was read is believed. */
  private async read(matchId: bigint, life: number): Promise<RelayedMatch | undefined> {
    const { source } = this;
    const now = source.now();
    let known = this.facts.get(matchId);
    if (!known || now - known.time > life) {
      // Anybody can ask for matches that nobody plays: half of the reads are left for those that go on.
      const most = source.hasMessages(matchId) ? this.maxReads : this.maxReads / 2;
      if (this.reads >= most) throw new Busy("the relay is busy");
      this.reads++;
      const read = source.readMatch(matchId).finally(() => this.reads--);
      known = { read, time: now };
      this.facts.delete(matchId);
      this.facts.set(matchId, known);
      if (this.facts.size > MAX_FACTS) this.facts.delete(this.facts.keys().next().value!);
    }
    return known.read.catch((error: unknown) => {
      this.facts.delete(matchId);
      source.onTrouble(error);
      throw new Busy("the chain does not answer the relay");
    });
  }
}
