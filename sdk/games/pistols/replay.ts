import { Pistols__factory } from "../../../typechain-types/index.js";
import { Archive } from "../../chain/archive.js";
import { sized } from "../../protocol/bytes.js";
import { Dice, seedOf } from "../../protocol/dice.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import {
  expectedStateHash,
  RecordError,
  playedRounds,
  takingTurns,
  type Lengths,
  type PlayedRound,
} from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import { decodeAnswer, type Answer } from "../../protocol/commit-reveal.js";
import type { Secret } from "../../protocol/commitment.js";
import { fight, shoot, type Fought } from "./engine.js";
import { ARCHETYPES, type Duelist } from "./honour.js";
import { encodeResult } from "./log.js";
import { areBlades, MAX_PACES, type Blades, type Pair } from "./legal-moves.js";
import { frozenStandings } from "./records.js";
import { decodeState, encodeState, type State } from "./state.js";

/** Bytes of both players' moves, by round. */
const LENGTHS: [number, number][] = [
  [1, 3],
  [2, 2],
];

/**
 * Returns the lengths of both players' moves in a round, in bytes. Rounds behind the second, which no honest game has,
 * have those of the second, so that they can be told.
 */
export const lengths: Lengths = (round) => LENGTHS[Math.min(round, 2) - 1];

/** Both players as duelists when they created and joined the match; player 2 is left out until it has joined. */
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
 * Replays a match from its events: checks commitments, states and frozen standings, and plays the rounds by the engine.
 * @throws RecordError where what the players sent does not fit together.
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
    expectedAnswer: expectedStateHash(record, lengths, encodeState(state), over),
  };
}

/**
 * Returns the state, 32 bytes, of the round that a match is in, which an answer or reveal must bring.
 * @throws Error if the duel is over.
 */
export async function stateOf(record: MatchRecord, history: History): Promise<Hex> {
  // The data of joining names both standings, and the contract has checked them.
  const standings: Standings =
    record.joinData === undefined ? [await challengerIn(record, history)] : duelistsIn(record);
  const { rounds, state } = replayRounds(record, standings);
  if (rounds.at(-1)?.over) throw new Error(`The duel of match ${record.matchId} is over.`);
  return encodeState(state);
}

/**
 * Plays round 1 as player 1 will reveal it with its secret. Unless the duel is over then, the reveal needs the
 * commitment to player 1's blades, which it can choose knowing this.
 * @throws Error if player 2 has not joined.
 */
export function foresee(record: MatchRecord, secret: Secret): Fought {
  const { move, salt } = firstAnswer(record);
  const dice = new Dice(seedOf(record.matchId, 1, secret.salt, salt));
  return shoot(duelistsIn(record), [pacesIn(secret.move), pacesIn(move)], dice.roll(0));
}

/** Returns the state of round 2 as player 1 will make it by revealing round 1 with its secret. */
export function foreseenState(record: MatchRecord, secret: Secret): State {
  return {
    duelists: duelistsIn(record),
    health: foresee(record, secret).health,
    paces: [pacesIn(secret.move), pacesIn(firstAnswer(record).move)],
  };
}

/**
 * Returns both players as duelists, by player 2's first answer.
 * @throws Error if player 2 has not joined.
 */
export function duelistsIn(record: MatchRecord): Pair<Duelist> {
  const { state, move } = firstAnswer(record);
  return [decodeState(state).duelists[0], duelistIn(move)];
}

/** Decodes the answer that player 2 joined with. */
function firstAnswer({ matchId, joinData }: MatchRecord): Answer {
  if (joinData === undefined) throw new Error(`Player 2 has not joined match ${matchId}.`);
  return decodeAnswer(joinData);
}

/**
 * Returns the revealed rounds of a match.
 * @throws RecordError where commitments, answers and reveals do not fit together.
 */
export function roundsOf(record: MatchRecord): PlayedRound[] {
  return [...playedRounds(record, lengths)];
}

/**
 * Decodes a move of round 2.
 * @throws RecordError for bytes that are none of the thirteen moves.
 */
export function bladesIn(move: Hex): Blades {
  const [first, second] = sized(move, "move", LENGTHS[1][0]);
  if (!areBlades([first, second])) throw new RecordError(`${move} is no move of round 2`);
  return [first, second];
}

/** Finds player 1's archetype and strength in a match that nobody has joined, by the state hash that the game keeps. */
async function challengerIn(record: MatchRecord, history: History): Promise<Duelist> {
  const { terms, matchId } = record;
  const fresh = (one: Duelist): State => ({ duelists: [one, NOBODY], health: [0, 0], paces: [0, 0] });
  if (!(history instanceof Archive)) {
    const kept = await Pistols__factory.connect(terms.game, history.provider).stateHashOf(matchId);
    const isKept = (one: Duelist) =>
      expectedStateHash(record, lengths, encodeState(fresh(one)), false).answer[0] === kept;
    const found = ALL_DUELISTS.find(isKept);
    if (found) return found;
  }
  const [one] = await frozenStandings(record, history);
  return one;
}

/** Plays the revealed rounds of a match by the engine. @throws RecordError as `replay` does */
export async function foughtRounds(record: MatchRecord, history: History): Promise<Fought[]> {
  return replayRounds(record, await standingsIn(record, history)).rounds;
}

/** Finds the standings of a match by what was before it; one that stands alone is taken at its word. */
async function standingsIn(record: MatchRecord, history: History): Promise<Standings> {
  const isAlone = history instanceof Archive && history.isExcerpt && record.joinData !== undefined;
  return isAlone ? duelistsIn(record) : frozenStandings(record, history);
}

/** Plays the revealed rounds of a match by the engine. */
function replayRounds(record: MatchRecord, [one, two]: Standings): ReplayedRounds {
  let state: State = { duelists: [one, NOBODY], health: [0, 0], paces: [0, 0] };
  const rounds: Fought[] = [];
  for (const { round, state: told, move1, move2, seed } of roundsOf(record)) {
    const where = { matchId: record.matchId, place: `round ${round}` };
    if (rounds.at(-1)?.over) throw new RecordError("the duel was over", where);
    if (told !== encodeState(state)) throw new RecordError("the state is not what the rounds before made it", where);
    const dice = new Dice(seed);
    if (round === 1) {
      const duelist = duelistIn(move2);
      if (duelist.archetype !== two?.archetype || duelist.strength !== two.strength) {
        throw new RecordError("player 2 named another archetype or strength than its duels gave it", where);
      }
      const [duelists, paces] = [[state.duelists[0], duelist] as const, [pacesIn(move1), pacesIn(move2)] as const];
      rounds.push(shoot(duelists, paces, dice.roll(0)));
      state = { duelists, paces, health: rounds[0].health };
    } else {
      rounds.push(fight(state, [bladesIn(move1), bladesIn(move2)], (n) => dice.roll(n)));
    }
  }
  return { rounds, state };
}

/** Decodes the duelist in an answer of round 1. */
function duelistIn(answer: Hex): Duelist {
  const [, archetype, strength] = sized(answer, "move", LENGTHS[0][1]);
  return { archetype, strength };
}

/** Decodes the paces in a move or answer of round 1. */
function pacesIn(move: Hex): number {
  const [paces] = sized(move, "move", ...LENGTHS[0]);
  if (paces < 1 || paces > MAX_PACES) throw new RecordError(`${move} is no move of round 1`);
  return paces;
}
