import { getBytes, hexlify, toBeHex, toBigInt } from "ethers";
import { Dice, seedOf } from "../../../sdk/protocol/dice.js";
import { RecordError, playedRounds } from "../../../sdk/games/revealed-rounds.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { commitmentOf, type Commitment } from "../../../sdk/protocol/commit-reveal.js";
import { deployMock, ethers, Seat } from "../index.js";
import type { LawGame, Piece, Played, Script, Seats, Table } from "../../../sdk/laws/game.js";
import type { Random } from "../../../sdk/laws/random.js";
import { answerPiece, firstCommitment, fraudsOf, revealPiece } from "../../../sdk/laws/committed.js";

const LEAD = 8;
const LENGTHS: [number, number][] = [
  [1, 2],
  [2, 2],
];

/** The result of a round: the scores, and the result of the game if it is over. */
interface Scored {
  scores: [number, number];
  result?: Played["result"];
}

/** A tiny game of one or two committed rounds, in which player 1 always commits. */
export const twoRoundsLaws: LawGame = {
  name: "two committed rounds",
  async deploy({ arena }): Promise<Table> {
    const game = await deployMock("TwoRounds", arena);
    return {
      game,
      modes: ["0x"],
      badModes: { empty: "0x", "a byte": "0x00" },
      script: async (seats, random) => write(await game.getAddress(), seats, random),
      replay: async (record) => replay(record),
    };
  },
};

/** Writes a match from its creation to its end. */
async function write(game: string, seats: Seats, random: Random): Promise<Script> {
  const digits = (...bounds: number[]) => hexlify(new Uint8Array(bounds.map((bound) => random.below(bound + 1))));
  const [start, first, second] = [digits(3), digits(9), digits(9, 9)];
  const [answer1, answer2] = [digits(9, 3), digits(9, 9)];
  const { chainId } = await ethers.provider.getNetwork();
  const [own1, own2, salt1, salt2] = [random.word(), random.word(), random.word(), random.word()];
  const committed = (move: Hex, salt: Hex): Commitment => {
    return { commitment: commitmentOf(chainId, game, seats.player1.address, move, salt), note: "0x" };
  };

  const state1 = toBeHex(start, 32);
  const round1 = { round: 1, state: state1, answerSalt: salt1, answerMove: answer1 };
  const scored = scoreFirst(state1, first, answer1, seedOf(seats.matchId, 1, own1, salt1));
  const played1 = (move: Hex, next?: Commitment): Piece[] => {
    const own = committed(move, own1);
    return [
      firstCommitment(own, start, { "a start of 4": `0x04${own.commitment.slice(2)}` }),
      answerPiece(
        { round: 1, state: state1, commitment: own.commitment, move: answer1, salt: salt1 },
        { "a number of 10": "0x0a00", "a start of 4": "0x0004" },
      ),
      revealPiece({ ...round1, move, salt: own1, next: "0x" }, next),
    ];
  };
  const frauds = {
    ...fraudsOf("TooHigh", { "a number of 10": "0x0a", "a number of 255": "0xff" }, played1),
    ...fraudsOf("WrongLength", { "two numbers": "0x0101" }, played1),
  };
  if (scored.result) return { pieces: played1(first), frauds, player1Acts: [], player2Acts: [] };

  const round2 = { round: 2, state: stateAfter(state1, scored.scores) };
  const played = (move: Hex): Piece[] => {
    const own = committed(move, own2);
    return [
      ...played1(first, own),
      answerPiece({ ...round2, commitment: own.commitment, move: answer2, salt: salt2 }, wrongNumbers),
      revealPiece({ ...round2, move, salt: own2, answerMove: answer2, answerSalt: salt2, next: "0x" }),
    ];
  };
  Object.assign(frauds, fraudsOf("TooHigh", wrongNumbers, played));
  Object.assign(frauds, fraudsOf("WrongLength", { "three numbers": "0x010101" }, played));
  return { pieces: played(second), frauds, player1Acts: [], player2Acts: [] };
}

const wrongNumbers = { "a first number of 10": "0x0a00", "a second number of 255": "0x00ff" };

function replay(record: MatchRecord): Played {
  const logs: Played["logs"] = [];
  let state = toBeHex(getBytes(record.createData)[0], 32);
  // `playedRounds` expects only the commitment here, without player 1's start before it.
  const createData = `0x${record.createData.slice(4)}`;
  for (const played of playedRounds({ ...record, createData }, (round) => LENGTHS[round - 1])) {
    if (played.state !== state) throw new RecordError(`round ${played.round}: another state`);
    if (getBytes(played.move1).some((number) => number > 9)) throw new RecordError(`round ${played.round}: no number`);
    const score = played.round === 1 ? scoreFirst : scoreSecond;
    const { scores, result } = score(state, played.move1, played.move2, played.seed);
    logs.push({ round: BigInt(played.round), entries: [BigInt(scores[0] + scores[1] * 256 + played.round * 65_536)] });
    if (result) return { logs, result };
    state = stateAfter(state, scores);
  }
  return { logs };
}

function scoreFirst(state: Hex, move1: Hex, move2: Hex, seed: Hex): Scored {
  const roll = new Dice(seed).roll(0);
  const score1 = sum(move1) + Number(toBigInt(state)) + roll.lane(0, 10);
  const score2 = sum(move2) + roll.lane(1, 10);
  const leader = score1 > score2 ? Seat.One : Seat.Two;
  const over = Math.abs(score1 - score2) >= LEAD;
  return { scores: [score1, score2], result: over ? { winner: leader, taker: leader } : undefined };
}

function scoreSecond(state: Hex, move1: Hex, move2: Hex, seed: Hex): Scored {
  const roll = new Dice(seed).roll(1);
  const packed = Number(toBigInt(state));
  const score1 = ((packed >> 4) & 255) + sum(move1) + roll.lane(0, 10);
  const score2 = ((packed >> 12) & 255) + sum(move2) + roll.lane(1, 10);
  const lead = score1 - score2;
  const winner = lead === 0 ? Seat.None : lead > 0 ? Seat.One : Seat.Two;
  return { scores: [score1, score2], result: { winner, taker: Math.abs(lead) === 1 ? Seat.None : winner } };
}

function stateAfter(state: Hex, [score1, score2]: [number, number]): Hex {
  return toBeHex(toBigInt(state) + BigInt(score1 * 16 + score2 * 4096), 32);
}

function sum(move: Hex): number {
  return getBytes(move).reduce((total, byte) => total + byte, 0);
}
