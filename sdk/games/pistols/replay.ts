import { arenaAt } from "../../chain/arena.js";
import { Archive } from "../../chain/archive.js";
import { sized } from "../../protocol/bytes.js";
import { Dice, seedOf } from "../../protocol/dice.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import {
  actionsOf,
  expectedPosition,
  RecordError,
  playedRounds,
  takingTurns,
  type AnsweredState,
  type Lengths,
  type PlayedRound,
} from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import {
  decodeAnswer,
  decodeCommitment,
  decodeReveal,
  stateHashOf,
  type Answer,
} from "../../protocol/commit-reveal.js";
import type { Secret } from "../../protocol/commitment.js";
import { Seat } from "../../protocol/status.js";
import { fight, shoot, type Fought } from "./engine.js";
import { ARCHETYPES, type Duelist } from "./honour.js";
import { encodeResult } from "./log.js";
import { areBlades, MAX_PACES, type Blades, type Pair } from "./legal-moves.js";
import { duelistNow, frozenStandings } from "./records.js";
import { decodeState, encodeState, stateBeforeJoining, type State } from "./state.js";

/** Length of a player's move in bytes, by round. */
const LENGTHS = [1, 2];

/**
 * Returns the lengths of both players' moves in a round, in bytes. Rounds after the second, which no honest game has,
 * use the lengths of the second, so that they can be described.
 */
export const lengths: Lengths = (round) => {
  const length = LENGTHS[Math.min(round, 2) - 1];
  return [length, length];
};

/** Both players as duelists when they created and joined the match; player 2's is undefined before player 2 joins. */
type Standings = readonly [Duelist, Duelist?];

const NOBODY: Duelist = { archetype: 0, strength: 0 };

/** All pairs of archetype and strength. */
const ALL_DUELISTS: readonly Duelist[] = ARCHETYPES.flatMap((_, archetype) =>
  Array.from({ length: 101 }, (_m, strength) => ({ archetype, strength })),
);

/** Revealed rounds of a match, as the engine plays them, and the state of the round that follows. */
interface ReplayedRounds {
  rounds: Fought[];
  state: State;
}

/**
 * Replays a match from its events: checks commitments, states and frozen standings, and plays the rounds in the engine.
 * @throws RecordError if the data that the players sent is inconsistent.
 */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const { rounds, state } = replayRounds(record, await standingsIn(record, history));
  const logs = rounds.map((round, i) => ({
    round: BigInt(i + 1),
    entries: round.over ? [...round.entries, encodeResult(round)] : round.entries,
  }));
  const last = rounds.at(-1);
  const over = last?.over ?? false;
  return {
    logs,
    result: over ? { winner: BigInt(last!.winner), taker: BigInt(last!.pot) } : undefined,
    turns: takingTurns(record, over),
    position: expectedPosition(record, lengths, encodeState(state), over),
  };
}

/**
 * Returns the state, 32 bytes, of a match's current round, which an answer or reveal must contain.
 * @throws Error if the duel is over.
 */
export async function stateOf(record: MatchRecord, history: History): Promise<Hex> {
  const { rounds, state } = replayRounds(record, await knownStandings(record, history));
  if (rounds.at(-1)?.over) throw new Error(`The duel of match ${record.matchId} is over.`);
  return encodeState(state);
}

/**
 * Plays round 1 in the way that player 1's reveal will, given the secret. Unless that ends the duel, the reveal also
 * commits to player 1's blades, so player 1 can choose them with this result in mind.
 * @throws Error if player 2 has not joined.
 */
export async function foresee(record: MatchRecord, secret: Secret, history: History): Promise<Fought> {
  const { move, salt } = firstAnswer(record);
  const dice = new Dice(seedOf(record.matchId, 1, secret.salt, salt));
  return shoot(await joinedDuelists(record, history), [pacesIn(secret.move), pacesIn(move)], dice.roll(0));
}

/** Returns the state of round 2 that player 1 creates by revealing round 1 with its secret. */
export async function foreseenState(record: MatchRecord, secret: Secret, history: History): Promise<State> {
  return {
    duelists: await joinedDuelists(record, history),
    health: (await foresee(record, secret, history)).health,
    paces: [pacesIn(secret.move), pacesIn(firstAnswer(record).move)],
    ...signedIn(record),
  };
}

async function joinedDuelists(record: MatchRecord, history: History): Promise<Pair<Duelist>> {
  const [one, two = NOBODY] = await knownStandings(record, history);
  // A standing has more fields than a duelist.
  return [duelistOf(one), duelistOf(two)];
}

function duelistOf({ archetype, strength }: Duelist): Duelist {
  return { archetype, strength };
}

/** Decodes the answer that player 2 joined with. */
function firstAnswer({ matchId, joinData }: MatchRecord): Answer {
  if (joinData === undefined) throw new Error(`Player 2 has not joined match ${matchId}.`);
  return decodeAnswer(joinData);
}

/**
 * Returns the revealed rounds of a match.
 * @throws RecordError if commitments, answers and reveals do not fit together.
 */
export function roundsOf(record: MatchRecord): PlayedRound[] {
  return [...playedRounds(record, lengths, answeredState)];
}

/**
 * Decodes a move of round 2.
 * @throws RecordError for bytes that are not one of the thirteen moves.
 */
export function bladesIn(move: Hex): Blades {
  const [first, second] = sized(move, "move", LENGTHS[1]);
  if (!areBlades([first, second])) throw new RecordError(`${move} is no move of round 2`);
  return [first, second];
}

/** Maps the state that a reveal names to the state that the answer of the same round named. */
const answeredState: AnsweredState = (state, round) => (round === 1 ? stateBeforeJoining(state) : state);

/** Standings by the record of a match. They are frozen, so cached standings stay correct. */
const known = new WeakMap<MatchRecord, Promise<Standings>>();

/** Finds both players as duelists, with one query per record. */
function knownStandings(record: MatchRecord, history: History): Promise<Standings> {
  const before = known.get(record);
  if (before) return before;
  const found = findStandings(record, history);
  known.set(record, found);
  found.catch(() => known.delete(record));
  return found;
}

/**
 * Finds both players as duelists from the first available source: the data that both players sign in a channel; a
 * reveal, which the contract has checked; the position that the arena stores; earlier duels.
 */
async function findStandings(record: MatchRecord, history: History): Promise<Standings> {
  if (record.channel) return signedStandings(record, history);
  const revealed = revealedStandings(record);
  if (revealed || history instanceof Archive) return revealed ?? frozenStandings(record, history);
  const { matchId, joinData } = record;
  const kept = await arenaAt(history.addresses.Arena, history.provider).positionOf(matchId);
  const isKept = (...duelists: [Duelist, Duelist]) => {
    const state = encodeState({ duelists, health: [0, 0], paces: [0, 0] });
    return expectedPosition(record, lengths, state, false) === kept;
  };
  if (joinData === undefined) {
    const one = ALL_DUELISTS.find((each) => isKept(each, NOBODY));
    if (one) return [one];
  } else {
    const [one] = decodeState(decodeAnswer(joinData).state).duelists;
    const two = ALL_DUELISTS.find((each) => isKept(one, each));
    if (two) return [one, two];
  }
  return frozenStandings(record, history);
}

/**
 * Finds both players as duelists in a channel: from the answer, which names both duelists; before that, from their
 * current records.
 * @throws RecordError unless the duelists match the offered position
 */
async function signedStandings(record: MatchRecord, { provider }: History): Promise<Pair<Duelist>> {
  const { player1, player2, terms, createData, joinData, channel, matchId } = record;
  const now = async () => {
    const duelists = await Promise.all([player1, player2!].map((each) => duelistNow(each, terms.game, provider)));
    return encodeState({ duelists: duelists as [Duelist, Duelist], health: [0, 0], paces: [0, 0], signed: true });
  };
  const answer = joinData ?? channel!.answer;
  const state = answer === undefined ? await now() : decodeAnswer(answer).state;
  const position = stateHashOf({ round: 1, state }, decodeCommitment(createData).commitment);
  if (channel!.offered !== undefined && channel!.offered !== position) {
    throw new RecordError("the duelists are not those of the offer", { matchId });
  }
  const { duelists, signed } = decodeState(state);
  if (!signed) throw new RecordError("the state is not that of a channel", { matchId });
  return duelists;
}

/** Returns the part of a state that marks the state as part of a channel. */
function signedIn({ channel }: MatchRecord): Pick<State, "signed"> {
  return channel ? { signed: true } : {};
}

/** Decodes both players as duelists from the first reveal; undefined if there is none. */
function revealedStandings(record: MatchRecord): Pair<Duelist> | undefined {
  const [first] = actionsOf(record, Seat.One);
  return first === undefined ? undefined : decodeState(decodeReveal(first, ...lengths(1)).state).duelists;
}

/** Plays the revealed rounds of a match with the engine. @throws RecordError as `replay` does */
export async function foughtRounds(record: MatchRecord, history: History): Promise<Fought[]> {
  return replayRounds(record, await standingsIn(record, history)).rounds;
}

/** Finds the standings of a match from earlier events; if the match is an excerpt, from its own reveal, unchecked. */
async function standingsIn(record: MatchRecord, history: History): Promise<Standings> {
  if (record.channel) return knownStandings(record, history);
  const isAlone = history instanceof Archive && history.isExcerpt;
  return (isAlone ? revealedStandings(record) : undefined) ?? frozenStandings(record, history);
}

/** Plays the revealed rounds of a match with the engine. */
function replayRounds(record: MatchRecord, [one, two = NOBODY]: Standings): ReplayedRounds {
  const duelists = [duelistOf(one), duelistOf(two)] as const;
  let state: State = { duelists, health: [0, 0], paces: [0, 0], ...signedIn(record) };
  const rounds: Fought[] = [];
  for (const { round, state: told, move1, move2, seed } of roundsOf(record)) {
    const where = { matchId: record.matchId, place: `round ${round}` };
    if (rounds.at(-1)?.over) throw new RecordError("the duel was over", where);
    if (told !== encodeState(state)) throw new RecordError("the state is not what the rounds before made it", where);
    const dice = new Dice(seed);
    if (round === 1) {
      const paces = [pacesIn(move1), pacesIn(move2)] as const;
      rounds.push(shoot(duelists, paces, dice.roll(0)));
      state = { ...state, paces, health: rounds[0].health };
    } else {
      rounds.push(fight(state, [bladesIn(move1), bladesIn(move2)], (n) => dice.roll(n)));
    }
  }
  if (!rounds.at(-1)?.over) checkAnswer(record, rounds.length + 1, state);
  return { rounds, state };
}

/** Checks the answer of a round that is not revealed, if there is one. @throws RecordError or InputError */
function checkAnswer(record: MatchRecord, round: number, state: State): void {
  const data = [record.joinData, ...actionsOf(record, Seat.Two)].at(round - 1);
  if (data === undefined) return;
  const answer = decodeAnswer(data);
  const where = { matchId: record.matchId, place: `round ${round}` };
  if (answer.state !== answeredState(encodeState(state), round)) throw new RecordError("the states differ", where);
  if (round === 1) pacesIn(answer.move);
  else bladesIn(answer.move);
}

/** Decodes the paces in a move or answer of round 1. */
function pacesIn(move: Hex): number {
  const [paces] = sized(move, "move", LENGTHS[0]);
  if (paces < 1 || paces > MAX_PACES) throw new RecordError(`${move} is no move of round 1`);
  return paces;
}
