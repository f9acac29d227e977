import { findGame } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { RecordError } from "../games/revealed-rounds.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import { explain } from "../player/errors.js";
import { isKind } from "../protocol/error-kind.js";
import { InputError, oneLine } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import type { Transcript } from "../protocol/away/messages.js";
import type { MatchRecord } from "../chain/record.js";
import { checkAway, unsignedPost, type AwayCheck } from "./away.js";
import type { TurnOrder } from "./expected-match.js";
import { replay } from "./replay.js";
import type { Expectation } from "./state.js";
import type { Window } from "./window.js";

/** A match that was replayed up to its latest event. */
export interface CheckedMatch {
  /** Undefined if the game does not belong to the deployment, so that it could not be replayed. */
  turnOrder?: TurnOrder;
  /** Expected answers of the game about the match. */
  expectations: Expectation[];
  mismatch?: LocatedMismatch;
  /** Proof of the result; undefined if the match was not replayed. */
  away?: AwayCheck;
}

/**
 * Lists the transcripts of a match's off-chain actions; undefined if there are none. They are read one by one until one
 * leads to the agreed result, and any of them may fail.
 */
export type Transcripts = (matchId: bigint) => Iterable<Transcript | undefined | Promise<Transcript | undefined>>;

/**
 * Replays a match up to its latest event, and finds the first mismatch.
 * @param transcripts Lists the transcripts of off-chain actions; defaults to none.
 */
export async function checkMatch(
  window: Window,
  games: readonly GameModule[],
  matchId: bigint,
  transcripts: Transcripts = () => [],
): Promise<CheckedMatch> {
  try {
    const { terms } = await window.match(matchId);
    const game = findGame(terms.game, games, window.addresses);
    if (!game) return { expectations: [] };
    let known = await checkReplay(window, game, matchId);
    // For any other match, a transcript shows nothing beyond the chain.
    if (known.away?.verdict !== "agreed, not shown") return known;
    const problems = new Set<string>();
    for await (const shown of readTranscripts(transcripts, matchId)) {
      if (typeof shown === "string") {
        problems.add(shown);
        continue;
      }
      const checked = await checkReplay(window, game, matchId, shown);
      const { mismatch, away, turnOrder } = checked;
      if (mismatch || away?.verdict === "agreed and shown") return checked;
      // It may still show the accepted state, so that later actions can be compared.
      if (!turnOrder?.unshown) known = checked;
      if (away?.problem !== undefined) problems.add(away.problem);
    }
    if (problems.size === 0) return known;
    return { ...known, away: { verdict: "agreed, not shown", problem: [...problems].join("; ") } };
  } catch (error) {
    const what = isKind(error, RecordError) ? oneLine(error.problem) : explain(error, { games });
    return { expectations: [], mismatch: { matchId, at: "what was sent", what } };
  }
}

/** Replays a match with a transcript, or without one, and finds the first mismatch. */
async function checkReplay(
  window: Window,
  game: GameModule,
  matchId: bigint,
  transcript?: Transcript,
): Promise<CheckedMatch> {
  const { record, replayed, mismatch } = await replay(window, [game], matchId, { transcript });
  const { terms } = record;
  const { turns, unshown, position } = replayed;
  const kept = { address: window.addresses.Arena, matchId, view: "positionOf", args: [matchId], answer: [position] };
  const expectations = unshown ? [] : [kept];
  const checked = { turnOrder: { turns, unshown }, expectations };
  if (!mismatch) {
    const unsigned = turns[0] === Seat.Either ? await unsignedIn(window, record, game) : undefined;
    if (unsigned) return { ...checked, mismatch: unsigned };
    return { ...checked, away: await checkAway(record, game, window) };
  }
  const { event, index, ...values } = mismatch;
  const address = event === "Log" ? terms.game : window.addresses.Arena;
  const block = (await window.events(address, event, { matchId })).at(index)?.block;
  return { ...checked, mismatch: { matchId, at: event, ...(block !== undefined && { block }), ...values } };
}

/** Finds the first post of a match that not both players have signed. */
async function unsignedIn(
  window: Window,
  record: MatchRecord,
  { away }: GameModule,
): Promise<LocatedMismatch | undefined> {
  const { matchId } = record;
  const { Arena } = window.addresses;
  const [acted, pledged] = await Promise.all([
    window.events(Arena, "Acted", { matchId }),
    window.events(Arena, "Pledged", { matchId }),
  ]);
  return away && unsignedPost(record, away, acted, pledged, window);
}

/**
 * Reads transcripts one after the other, of which any may be invalid. @returns each, or a sentence about its problem.
 */
async function* readTranscripts(transcripts: Transcripts, matchId: bigint): AsyncGenerator<Transcript | string> {
  try {
    for (const reading of transcripts(matchId)) {
      const shown = await Promise.resolve(reading).catch(problemOf);
      if (shown !== undefined) yield shown;
    }
  } catch (error) {
    yield problemOf(error);
  }
}

function problemOf(error: unknown): string {
  return isKind(error, InputError) ? oneLine(error.message) : explain(error);
}
