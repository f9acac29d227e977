import type { History, MatchOptions } from "../../sdk/chain/history.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import { modeContent } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { RecordError } from "../../sdk/games/revealed-rounds.js";
import { actionsOf, virtualRecord } from "../../sdk/games/virtual-record.js";
import { unlessAborted } from "../../sdk/chain/waiting.js";
import { readAwayFacts, type AwayFacts } from "../../sdk/player/away/match-facts.js";
import type { Transport } from "../../sdk/player/away/transport.js";
import type { AwayStanding } from "../../sdk/player/next-step.js";
import {
  checkMove,
  checkNote,
  type AwayAgreement,
  type AwayAsk,
  type AwayMessage,
  type AwayMove,
} from "../../sdk/protocol/away.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { Seat } from "../../sdk/protocol/status.js";
import { withFullStop } from "../../sdk/protocol/text.js";
import type { Arena } from "../../typechain-types/index.js";
import { log } from "./output.js";
import { transportsOf, type RelaySource } from "./relays.js";

/** Milliseconds for which what was read is new enough. */
const FRESH = 1000;

/** Matches that are remembered, at most. */
const REMEMBERED = 100;

/** Milliseconds for which a relay that has failed is not asked again. */
const REST = 30_000;

/** Milliseconds for which a transport is read at once. */
const LIMIT = 10_000;

/** Answers of a transport that are read at once, and messages in them that do not count, at most. */
const MAX_ANSWERS = 64;
const MAX_REFUSED = 64;

/** Messages that are kept until those before them have come, at most. */
const MAX_EARLY = 1000;

/** A session, as far as reading needs it. */
interface ReadSession extends RelaySource {
  readonly arena: Arena;
  readonly history: History;
  /** Finds the game at an address; undefined for a foreign one. */
  findGame(address: string): GameModule | undefined;
}

/** Messages of a match that were played away from the chain, as anybody can read them. */
interface Read {
  /** Time in milliseconds since 1970 of the last read. */
  time: number;
  readonly transports: readonly Transport[];
  /** Place from which to read on, by transport. */
  readonly seen: Map<Transport, number>;
  /** Time in milliseconds since 1970 until which a transport is not asked again. */
  readonly resting: Map<Transport, number>;
  readonly moves: AwayMove[];
  readonly early: Map<number, AwayMove>;
  readonly notes: (AwayAsk | AwayAgreement)[];
}

/**
 * Reads what was played away from the chain: from relays, and from what this machine has kept of the caller's own matches.
 * Signatures are checked, whoever brings a message.
 */
export class AwayReader {
  /** False for a program that waits for no relay: it reads what this machine has kept alone. */
  asksRelays = true;
  private readonly read = new Map<bigint, Read>();

  constructor(
    private readonly session: ReadSession,
    /** Reads the messages of a match that are kept on this machine. */
    private readonly kept: (matchId: bigint) => Promise<readonly AwayMessage[]> = async () => [],
    /** Milliseconds for which a transport is read at once, at most. */
    private readonly limit = LIMIT,
  ) {}

  /** Returns the moves of a match as far as they are known; undefined if it is none that is played away. */
  async movesOf(record: MatchRecord): Promise<readonly AwayMove[] | undefined> {
    return (await this.isAway(record)) ? (await this.refreshed(record.matchId))?.moves : undefined;
  }

  /** Tells how a match stands that is away from the chain. @returns undefined if it is none, or nobody can tell. */
  async standing(record: MatchRecord): Promise<AwayStanding | undefined> {
    const game = this.session.findGame(record.terms.game);
    if (!game || !(await this.isAway(record))) return undefined;
    const read = await this.refreshed(record.matchId);
    return read && standingOf(game, record, read, this.session.history);
  }

  /** Has a match read anew the next time: something was done in it. */
  forget(matchId: bigint): void {
    const known = this.read.get(matchId);
    if (known) known.time = 0;
  }

  private async isAway({ terms, joinData }: MatchRecord): Promise<boolean> {
    const { history } = this.session;
    const game = this.session.findGame(terms.game);
    return joinData !== undefined && game?.away?.isAway(await modeContent(game, terms, history)) === true;
  }

  /** Reads what is new of a match. */
  private async refreshed(matchId: bigint): Promise<Read | undefined> {
    const known = this.read.get(matchId);
    if (known && Date.now() < known.time + FRESH) return known;
    const facts = await readAwayFacts(this.session.arena, matchId);
    if (!facts) return undefined;
    const read = known ?? this.fresh(facts);
    if (!known && this.read.size >= REMEMBERED) this.read.clear();
    read.time = Date.now();
    this.read.set(matchId, read);
    for (const message of await this.kept(matchId)) take(read, facts, message);
    if (!this.asksRelays) return read;
    await Promise.all(read.transports.map((transport) => this.drain(read, facts, transport)));
    // A relay that takes its time is not asked again at once.
    read.time = Date.now();
    return read;
  }

  private fresh(facts: AwayFacts): Read {
    const transports = transportsOf(this.session, facts);
    return { time: 0, transports, seen: new Map(), resting: new Map(), moves: [], early: new Map(), notes: [] };
  }

  private async drain(read: Read, facts: AwayFacts, transport: Transport): Promise<void> {
    if (Date.now() < (read.resting.get(transport) ?? 0)) return;
    const name = oneLine(transport.name);
    const late = new Error(`${name} has not sent all messages within ${this.limit / 1000} s`);
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(late), this.limit);
    const { signal } = stop;
    try {
      for (let answers = 0, refused = 0; answers < MAX_ANSWERS && refused <= MAX_REFUSED; answers++) {
        const from = read.seen.get(transport) ?? 0;
        const { messages, seen } = await unlessAborted(transport.after(from, { signal }), signal);
        read.seen.set(transport, seen);
        let isNew = false;
        for (const message of messages) {
          if (refused > MAX_REFUSED) break;
          const taken = take(read, facts, message);
          if (taken === "refused") refused++;
          if (taken !== "known") isNew = true;
        }
        // An answer that only repeats what is known ends the reading like an empty one.
        if (!isNew) return;
      }
      throw new Error(`${name} sends messages without end`);
    } catch (error) {
      read.resting.set(transport, Date.now() + REST);
      log(`${withFullStop((error as Error).message)} What was played away from the chain may be missing.`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Tells how a match stands by the messages that were read of it. */
export async function standingOf(
  game: GameModule,
  record: MatchRecord,
  { moves, notes }: Pick<Read, "moves" | "notes">,
  history: History,
): Promise<AwayStanding | undefined> {
  const { turns, result } = await game
    .replay(virtualRecord(record, actionsOf(moves)), history)
    .catch((error: unknown) => {
      // Both players have signed what cannot have been, or one of them has.
      if (!isKind(error, RecordError) && !isKind(error, InputError)) throw error;
      return { turns: [], result: undefined };
    });
  const turn = turns.at(-1);
  const last = moves.at(-1);
  if (turn === undefined || (last !== undefined && last.turn !== turn)) return undefined;
  const halves = notes.filter((note) => note.type === "agreement" && note.nonce === moves.length);
  const winner = result?.winner ?? halves.at(-1)?.winner;
  const agreed = [Seat.One, Seat.Two].filter((seat) =>
    halves.some((half) => half.seat === seat && half.winner === winner),
  );
  const asks = notes.filter((note) => note.type === "ask" && note.nonce === moves.length);
  const proposed = [Seat.One, Seat.Two].flatMap((seat) => {
    const last = asks.findLast((ask) => ask.seat === seat);
    return last ? [{ seat, winner: last.winner }] : [];
  });
  return {
    nonce: moves.length,
    turn,
    ...(winner !== undefined && { winner }),
    agreed,
    ...(proposed.length > 0 && { proposed }),
  };
}

/**
 * Returns a history that gives the records of matches with what was played of them away from the chain.
 * @param movesOf Returns the moves of a match as far as they are known.
 */
export function withTranscripts(
  history: History,
  movesOf: (record: MatchRecord) => Promise<readonly AwayMove[] | undefined>,
): History {
  const { match: bare } = history;
  return Object.create(history, {
    match: {
      async value(this: History, matchId: bigint, options?: MatchOptions): Promise<MatchRecord> {
        const record = await bare.call(this, matchId, options);
        const transcript = await movesOf(record);
        return transcript === undefined || transcript.length === 0 ? record : { ...record, transcript };
      },
    },
  }) as History;
}

/** Takes a message, if it fits: whoever brings it may have written anything. */
function take(read: Read, facts: AwayFacts, message: AwayMessage): "new" | "known" | "refused" {
  try {
    if (message.type !== "move") {
      if (read.notes.some(({ signature }) => signature === message.signature)) return "known";
      checkNote(facts, message);
      read.notes.push(message);
      return "new";
    }
    if (message.nonce <= read.moves.length) return "known";
    if (message.nonce > read.moves.length + 1) {
      const early = read.early.get(message.nonce);
      if (early?.signature === message.signature || (!early && read.early.size >= MAX_EARLY)) return "known";
      read.early.set(message.nonce, message);
      return "new";
    }
    checkMove(facts, read.moves.at(-1), message);
    read.moves.push(message);
  } catch (error) {
    if (!isKind(error, InputError)) throw error;
    return "refused";
  }
  const next = read.early.get(read.moves.length + 1);
  read.early.delete(read.moves.length + 1);
  if (next) take(read, facts, next);
  return "new";
}
