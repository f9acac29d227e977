import type { Provider } from "ethers";
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
import { blades, pistols, type Fought } from "./engine.js";
import { ARCHETYPES, type Duelist } from "./honour.js";
import { decodeBlow, decodeResult, encodeResult, isResult, type Blow, type Result } from "./log.js";
import { answerOf, areBlades, decodeState, encodeState, LENGTHS, MAX_PACES } from "./moves.js";
import type { Blades, Pair, State } from "./moves.js";
import { frozenStandings } from "./records.js";

/** Bytes of both players' moves: of all rounds behind the second, too, so that they can be told. */
export const lengths: Lengths = (round) => LENGTHS[Math.min(round, 2) - 1];

/** What both were when they came, player 2 only if it did. */
type Standings = readonly [Duelist, Duelist?];

const NOBODY: Duelist = { archetype: 0, strength: 0 };

/** All that a player can be. */
const ALL_DUELISTS: readonly Duelist[] = ARCHETYPES.flatMap((_, archetype) =>
  Array.from({ length: 101 }, (_m, strength) => ({ archetype, strength })),
);

/** The rounds of a match that were opened, as the engine has them, and the state of the round that follows. */
interface Retold {
  rounds: Fought[];
  state: State;
}

/** Re-runs a match from its events: commitments, states and frozen standings checked, both rounds by the engine. */
export async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const { rounds, state } = retell(record, await frozenStandings(record, history));
  const logs = rounds.map((fought, i) => ({
    round: BigInt(i + 1),
    entries: fought.over ? [...fought.entries, encodeResult(fought)] : fought.entries,
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
 * The state, 32 bytes, of the round that a match is in: what an answer or reveal must bring.
 * @throws Error if the duel is over.
 */
export async function stateOf(record: MatchRecord, history: History): Promise<Hex> {
  // Who has joined has named all that was frozen, and the contract has looked.
  const standings: Standings =
    record.joinData === undefined ? [await challengerIn(record, history)] : duelistsIn(record);
  const { rounds, state } = retell(record, standings);
  if (rounds.at(-1)?.over) throw new Error(`The duel of match ${record.matchId} is over.`);
  return encodeState(state);
}

/** The move of player 2's answer in round 1: its paces, and what it is as a duelist now. */
export async function answerMove(paces: Hex, player: string, game: string, provider: Provider): Promise<Hex> {
  return answerOf(paces, await duelistNow(player, game, provider));
}

/** What a player is as a duelist now. */
export async function duelistNow(player: string, game: string, provider: Provider): Promise<Duelist> {
  const { standing } = await Pistols__factory.connect(game, provider).duelistOf(player);
  return { archetype: Number(standing.archetype), strength: Number(standing.strength) };
}

/**
 * What round 1 comes to once player 1 opens it with its secret. Unless it is over then, the reveal needs the commitment
 * of player 1's blades, which it can choose knowing this. @throws Error if player 2 has not answered.
 */
export function foresee(record: MatchRecord, secret: Secret): Fought {
  const { move, salt } = firstAnswer(record);
  const dice = new Dice(seedOf(record.matchId, 1, secret.salt, salt));
  return pistols(duelistsIn(record), [pacesIn(secret.move), pacesIn(move)], dice.roll(0));
}

/** Both players as duelists, by player 2's first answer. @throws Error if there is none. */
export function duelistsIn(record: MatchRecord): Pair<Duelist> {
  const { state, move } = firstAnswer(record);
  return [decodeState(state).duelists[0], duelistIn(move)];
}

function firstAnswer({ matchId, joinData }: MatchRecord): Answer {
  if (joinData === undefined) throw new Error(`Player 2 has not joined match ${matchId}.`);
  return decodeAnswer(joinData);
}

/** The decoded log of a match: blows, and the result at its end. */
export function decodeLog({ logs }: MatchRecord): Promise<(Blow | Result)[]> {
  const entries = logs.flatMap((log) => log.entries);
  return Promise.resolve(entries.map((entry) => (isResult(entry) ? decodeResult(entry) : decodeBlow(entry))));
}

/** The opened rounds of a match, commitments and answers found to fit. @throws RecordError where they do not. */
export function roundsOf(record: MatchRecord): PlayedRound[] {
  return [...playedRounds(record, lengths)];
}

/** The two slots that a move of round 2 is. @throws RecordError if it is none. */
export function bladesIn(move: Hex): Blades {
  const [first, second] = sized(move, "move", LENGTHS[1][0]);
  if (!areBlades([first, second])) throw new RecordError(`${move} is no move of round 2`);
  return [first, second];
}

/**
 * What player 1 was as a duelist when it created a match that nobody has joined: what fits the word that the game
 * keeps.
 */
async function challengerIn(record: MatchRecord, history: History): Promise<Duelist> {
  const { terms, matchId } = record;
  const fresh = (one: Duelist): State => ({ duelists: [one, NOBODY], health: [0, 0], paces: [0, 0] });
  if (!(history instanceof Archive)) {
    const word = await Pistols__factory.connect(terms.game, history.provider).stateHashOf(matchId);
    const isKept = (one: Duelist) =>
      expectedStateHash(record, lengths, encodeState(fresh(one)), false).answer[0] === word;
    const found = ALL_DUELISTS.find(isKept);
    if (found) return found;
  }
  const [one] = await frozenStandings(record, history);
  return one;
}

function retell(record: MatchRecord, [one, two]: Standings): Retold {
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
      rounds.push(pistols(duelists, paces, dice.roll(0)));
      state = { duelists, paces, health: rounds[0].health };
    } else {
      rounds.push(blades(state, [bladesIn(move1), bladesIn(move2)], (n) => dice.roll(n)));
    }
  }
  return { rounds, state };
}

function duelistIn(answer: Hex): Duelist {
  const [, archetype, strength] = sized(answer, "move", LENGTHS[0][1]);
  return { archetype, strength };
}

function pacesIn(move: Hex): number {
  const [paces] = sized(move, "move", ...LENGTHS[0]);
  if (paces < 1 || paces > MAX_PACES) throw new RecordError(`${move} is no move of round 1`);
  return paces;
}
