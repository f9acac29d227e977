import { setImmediate as nextTurn } from "node:timers/promises";
import type { History, MatchOptions } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { modeContent } from "../../../sdk/games/modes.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import { actionsOf, virtualRecord } from "../../../sdk/games/virtual-record.js";
import { unlessAborted } from "../../../sdk/chain/waiting.js";
import { readAwayFacts, type AwayFacts } from "../../../sdk/player/away/match-facts.js";
import type { Transport } from "../../../sdk/player/away/transport.js";
import type { AwayStanding } from "../../../sdk/player/next-step.js";
import {
  MAX_MATCH_BYTES,
  messageText,
  type AwayAgreement,
  type AwayAsk,
  type AwayMessage,
  type AwayMove,
} from "../../../sdk/protocol/away/messages.js";
import { checkMove, checkNote } from "../../../sdk/protocol/away/transcript.js";
import { isKind } from "../../../sdk/protocol/error-kind.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError, oneLine } from "../../../sdk/protocol/input.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { withFullStop } from "../../../sdk/protocol/text.js";
import type { Arena } from "../../../typechain-types/index.js";
import type { KeptMessage } from "./away-files.js";
import { log } from "../command/output.js";
import { transportsOf, type RelaySource } from "./relays.js";

/** Milliseconds for which what was read is new enough. */
const FRESH = 1000;

/** Matches that are remembered, at most. */
const REMEMBERED = 100;

/** Milliseconds for which a relay that has failed is not asked again. */
const REST = 30_000;

/** Milliseconds for which a transport is read at once. */
const LIMIT = 10_000;

/** Answers of a transport that are read at once, at most. */
const MAX_ANSWERS = 64;

/** Messages that count for nothing, after which a transport is read no more. */
const MAX_REFUSED = 64;

/** Proposals and agreements of a seat that are kept in a position, at most. */
const MAX_NOTES = 64;

/** The context of a command, as far as reading needs it. */
interface ReadContext extends RelaySource {
  readonly arena: Arena;
  readonly history: History;
  /** Finds the game at an address; undefined for a foreign one. */
  findGame(address: string): GameModule | undefined;
}

/** Transport of a match, and how far it was read. */
class Source {
  /** Place from which to read on. */
  seen = 0;
  /** Number of messages that counted for nothing. */
  refused = 0;
  /** Number of moves that were known when a message came before its turn; undefined if none has since the start. */
  earlyAt?: number;
  /** Time in milliseconds until which the transport is not asked again. */
  restsUntil = 0;

  constructor(readonly transport: Transport) {}

  /** Begins to read again. */
  restart(): void {
    this.seen = 0;
    this.earlyAt = undefined;
  }
}

/** Messages of a match that were played away from the chain, as anybody can read them. */
interface Read {
  /** Time in milliseconds of the last read. */
  time: number;
  readonly sources: readonly Source[];
  /** Facts by which messages are checked, and how the match began. */
  facts: AwayFacts;
  readonly begun: { base: Hex; turn: bigint };
  readonly moves: AwayMove[];
  /** Bytes of the moves. */
  bytes: number;
  /** Proposals and agreements since the last move. */
  notes: (AwayAsk | AwayAgreement)[];
}

/**
 * Reads what was played away from the chain: from relays, and from what this machine has kept of the caller's own matches.
 * Signatures are checked, whoever brings a message.
 */
export class AwayReader {
  /** Returns whether relays are read, for which a program has to wait, beside what this machine has kept. */
  asksRelays = true;
  private readonly read = new Map<bigint, Read>();
  /** Places of kept messages that were reported. */
  private readonly warned = new Set<string>();

  constructor(
    private readonly context: ReadContext,
    /** Reads the messages of a match that are kept on this machine. */
    private readonly kept: (matchId: bigint) => Promise<readonly KeptMessage[]> = async () => [],
    /** Milliseconds for which a transport is read at once, at most. */
    private readonly limit = LIMIT,
    /** Describes the time in milliseconds. */
    private readonly now: () => number = Date.now,
  ) {}

  /** Returns the moves of a match as far as they are known; undefined if it is none that is played away. */
  async movesOf(record: MatchRecord): Promise<readonly AwayMove[] | undefined> {
    const game = await this.gameOf(record);
    return game && (await this.refreshed(game, record))?.moves;
  }

  /** Describes how a match stands that is away from the chain. @returns undefined if it is none, or nobody can tell. */
  async standing(record: MatchRecord): Promise<AwayStanding | undefined> {
    const game = await this.gameOf(record);
    const read = game && (await this.refreshed(game, record));
    return read && standingOf(game, record, read, this.context.history);
  }

  /** Has a match read again the next time: something was done in it. */
  forget(matchId: bigint): void {
    const known = this.read.get(matchId);
    if (known) known.time = 0;
  }

  /** Returns the game of a match that is played away; undefined for any other match. */
  private async gameOf({ terms, joinData }: MatchRecord): Promise<GameModule | undefined> {
    const { history } = this.context;
    const game = this.context.findGame(terms.game);
    if (joinData === undefined || !game?.away) return undefined;
    return game.away.isAway(await modeContent(game, terms, history)) ? game : undefined;
  }

  /** Reads what is new of a match. */
  private async refreshed(game: GameModule, record: MatchRecord): Promise<Read | undefined> {
    const { matchId } = record;
    const known = this.read.get(matchId);
    if (known && this.now() < known.time + FRESH) return known;
    const facts = await readAwayFacts(this.context.arena, matchId);
    if (!facts) return undefined;
    const read = known ?? (await this.fresh(game, record, facts));
    if (!known && this.read.size >= REMEMBERED) this.read.clear();
    read.time = this.now();
    this.read.set(matchId, read);
    // What was signed by a key that was not known then may count now.
    if (facts.keys.length !== read.facts.keys.length) {
      for (const source of read.sources) {
        source.restart();
        source.refused = 0;
      }
    }
    read.facts = facts;
    for (const { message, place } of await this.kept(matchId)) {
      const taken = take(read, message);
      if (taken === "known") continue;
      // Notes may be of positions on the chain.
      if (taken === "refused" || (taken === "early" && message.type === "move")) {
        this.warnOf(place);
        break;
      }
      await nextTurn();
    }
    if (!this.asksRelays) return read;
    const { sources } = read;
    await Promise.all(sources.map((source) => this.drain(read, source)));
    // What came before its turn on one may count by what came on another.
    const early = sources.filter(({ earlyAt = Infinity }) => earlyAt < read.moves.length);
    await Promise.all(early.map((source) => this.drain(read, source)));
    // A relay that takes its time is not asked again at once.
    read.time = this.now();
    return read;
  }

  private async fresh(game: GameModule, record: MatchRecord, facts: AwayFacts): Promise<Read> {
    const { context } = this;
    const { turns, position } = await game.replay(virtualRecord(record, []), context.history);
    const begun = { base: position, turn: turns.at(-1)! };
    const sources = transportsOf(context, facts).map((transport) => new Source(transport));
    return { time: 0, sources, facts, begun, moves: [], bytes: 0, notes: [] };
  }

  /** Reports a message that was kept and is none of its match, once. */
  private warnOf(place: string): void {
    if (this.warned.has(place)) return;
    this.warned.add(place);
    log(`${place}: this message is none of the match. Moves that only this log has are not shown.`);
  }

  private async drain(read: Read, source: Source): Promise<void> {
    if (this.now() < source.restsUntil || source.refused > MAX_REFUSED) return;
    const { transport } = source;
    const name = oneLine(transport.name);
    const late = new Error(`${name} has not sent all messages within ${this.limit / 1000} s`);
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(late), this.limit);
    const { signal } = stop;
    try {
      for (let answers = 0; answers < MAX_ANSWERS; answers++) {
        const { messages, seen } = await unlessAborted(transport.after(source.seen, { signal }), signal);
        const isNew = await takeAll(read, source, messages, signal);
        source.seen = seen;
        // An answer that only repeats what is known ends the reading like an empty one.
        if (isNew) continue;
        // What came before its turn is read again once there are more moves.
        if (source.earlyAt === undefined || source.earlyAt === read.moves.length) return;
        source.restart();
      }
      throw new Error(`${name} sends messages without end`);
    } catch (error) {
      source.restsUntil = this.now() + REST;
      log(`${withFullStop((error as Error).message)} What was played away from the chain may be missing.`);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Describes how a match stands by the messages that were read of it. */
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

/**
 * Takes the messages of an answer. To check them takes time, in which others have their turn.
 * @returns false if all were known.
 * @throws the reason of the signal; Error for a transport that is read no more.
 */
async function takeAll(
  read: Read,
  source: Source,
  messages: readonly AwayMessage[],
  signal: AbortSignal,
): Promise<boolean> {
  let isNew = false;
  for (const message of messages) {
    const taken = take(read, message);
    if (taken === "known") continue;
    isNew = true;
    if (taken === "early") source.earlyAt ??= read.moves.length;
    if (taken === "refused" && ++source.refused > MAX_REFUSED) {
      throw new Error(`${oneLine(source.transport.name)} sends what counts for nothing, and is read no more`);
    }
    await nextTurn();
    signal.throwIfAborted();
  }
  return isNew;
}

/** Takes a message, if it fits: whoever brings it may have written anything. */
function take(read: Read, message: AwayMessage): "new" | "known" | "early" | "refused" {
  const { moves } = read;
  // Notes belong behind the move of their nonce.
  const next = message.type === "move" ? moves.length + 1 : moves.length;
  if (message.nonce < next) return "known";
  if (message.nonce > next) return "early";
  try {
    if (message.type !== "move") return takeNote(read, message) ? "new" : "known";
    takeMove(read, message);
    return "new";
  } catch (error) {
    if (!isKind(error, InputError)) throw error;
    return "refused";
  }
}

/** @throws InputError for a move that is none of the match. */
function takeMove(read: Read, move: AwayMove): void {
  const { facts, begun, moves } = read;
  const bytes = read.bytes + messageText(move).length;
  if (bytes > MAX_MATCH_BYTES) throw new InputError("move", `the moves have more than ${MAX_MATCH_BYTES} bytes`);
  // Either player could sign a first move of another match, which would hide those of this one.
  if (moves.length === 0 && (move.base !== begun.base || move.seat !== begun.turn)) {
    throw new InputError("move.base", "the match did not begin so");
  }
  checkMove(facts, moves.at(-1), move);
  moves.push(move);
  read.bytes = bytes;
  read.notes = [];
}

/** @returns false for a note that is known, or one too many. @throws InputError for one that no player has signed. */
function takeNote({ facts, notes }: Read, note: AwayAsk | AwayAgreement): boolean {
  if (notes.some(({ signature }) => signature === note.signature)) return false;
  if (notes.filter(({ seat }) => seat === note.seat).length >= MAX_NOTES) return false;
  checkNote(facts, note);
  notes.push(note);
  return true;
}
