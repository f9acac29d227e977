import { concat, dataLength, dataSlice, getBytes, keccak256, toBeHex, ZeroHash } from "ethers";
import { seedOf } from "../../../sdk/protocol/dice.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { commitmentOf } from "../../../sdk/protocol/commit-reveal.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { RecordError } from "../../../sdk/games/revealed-rounds.js";
import { deployMock, ethers, Seat } from "../index.js";
import type { Fraud, LawGame, Piece, Played, Script, Seats, Table } from "../../../sdk/laws/game.js";
import type { Random } from "../../../sdk/laws/random.js";
import { flipped } from "../../../sdk/laws/bytes.js";
import { fitsCommitment, fraudsOf } from "../../../sdk/laws/committed.js";
import { otherSeat } from "../seats.js";

const MODES = ["0x00", "0x01"];
const HEAD = 35;
const KIND = { commitment: "0x01", answer: "0x02", reveal: "0x03" };

/** State of a match of pennies at the start of a round. */
export interface Position {
  round: number;
  rounds: number;
  points: [number, number];
  committer: bigint;
}

/** Matching pennies: either seat commits, and the other seat's answer has a salt or not. */
export const penniesLaws: LawGame = {
  name: "matching pennies",
  async deploy({ arena }): Promise<Table> {
    const game = await deployMock("Pennies", arena);
    return {
      game,
      modes: MODES,
      badModes: { empty: "0x", "two bytes": "0x0000", "a mode of 2": "0x02" },
      script: async (seats, random) => write(await game.getAddress(), seats, random),
      replay: async (record) => replay(record),
    };
  },
};

/** Encodes the position in the header of an action, after the kind: round and state. */
export function headOf({ round, rounds, points, committer }: Position): Hex {
  const state = points[0] + points[1] * 2 ** 8 + Number(committer) * 2 ** 16 + rounds * 2 ** 24;
  return concat([toBeHex(round, 2), toBeHex(state, 32)]);
}

/** Returns the position after a round. */
export function scored({ round, rounds, points, committer }: Position, hit: boolean): Position {
  const scorer = hit ? otherSeat(committer) : committer;
  const added: [number, number] = [points[0] + Number(scorer === Seat.One), points[1] + Number(scorer === Seat.Two)];
  return { round: round + 1, rounds, points: added, committer: scorer };
}

/** Writes a match from its creation to its end. */
async function write(game: string, seats: Seats, random: Random): Promise<Script> {
  const { chainId } = await ethers.provider.getNetwork();
  const salted = seats.mode === "0x01";
  const rounds = 1 + random.below(4);
  const count = toBeHex(rounds, 1);
  const wrongCounts = { "no rounds": "0x00", "ten rounds": "0x0a" };
  const pieces: Piece[] = [
    { seat: Seat.One, data: count, wrong: wrongCounts },
    { seat: Seat.Two, data: count, wrong: { ...wrongCounts, "another number of rounds": flipped(count) } },
  ];
  const commitmentFor = (committer: bigint, side = toBeHex(random.below(2), 1)) => {
    const player = committer === Seat.One ? seats.player1 : seats.player2;
    const salt = random.word();
    return { side, salt, commitment: commitmentOf(chainId, game, player.address, side, salt) };
  };

  let at: Position = { round: 1, rounds, points: [0, 0], committer: Seat.Two };
  let own = commitmentFor(at.committer);
  const frauds: Record<string, Fraud> = {};
  pieces.push(commitmentPiece(at, own.commitment));
  while (at.round <= rounds) {
    const guess = toBeHex(random.below(2), 1);
    const answer = salted ? concat([guess, random.word()]) : guess;
    pieces.push(answerPiece(at, own.commitment, answer, salted));
    const fraud = (side: Hex): Piece[] => {
      const { salt, commitment } = commitmentFor(at.committer, side);
      const committedAt = pieces.length - 2;
      const { data } = pieces[committedAt];
      // The commitment comes last, with or without a reveal.
      const put = { ...pieces[committedAt], data: concat([dataSlice(data, 0, dataLength(data) - 32), commitment]) };
      const opened = revealPiece(at, concat([salt, side, answer]), undefined, true);
      return [...pieces.slice(0, committedAt), put, answerPiece(at, commitment, answer, salted), opened];
    };
    Object.assign(frauds, fraudsOf("OutOfBounds", { [`a side of 2 in round ${at.round}`]: "0x02" }, fraud));
    const after = scored(at, guess === own.side);
    const over = at.round === rounds;
    const next = commitmentFor(after.committer);
    const rides = !over && after.committer === at.committer;
    pieces.push(revealPiece(at, concat([own.salt, own.side, answer]), rides ? next.commitment : undefined, over));
    if (!over && !rides) pieces.push(commitmentPiece(after, next.commitment));
    [at, own] = [after, next];
  }
  return { pieces, frauds, player1Acts: [], player2Acts: [] };
}

function commitmentPiece(at: Position, commitment: Hex): Piece {
  const head = concat([KIND.commitment, headOf(at)]);
  return {
    seat: at.committer,
    data: concat([head, commitment]),
    fits: (length) => fitsCommitment(length, HEAD),
    wrong: {
      "a commitment of zero": concat([head, ZeroHash]),
      "a kind of 4": concat(["0x04", headOf(at), commitment]),
      "a point more": concat([
        KIND.commitment,
        headOf({ ...at, points: [at.points[0] + 1, at.points[1]] }),
        commitment,
      ]),
      "the next round": concat([KIND.commitment, headOf({ ...at, round: at.round + 1 }), commitment]),
      "an answer": concat([KIND.answer, headOf(at), commitment, "0x00"]),
    },
  };
}

function answerPiece(at: Position, commitment: Hex, answer: Hex, salted: boolean): Piece {
  const head = concat([KIND.answer, headOf(at)]);
  const guess = dataSlice(answer, 0, 1);
  const wrong: Piece["wrong"] = {
    "another commitment": concat([head, keccak256(commitment), answer]),
    "no commitment": concat([head, ZeroHash, answer]),
    "a side of 2": concat([head, commitment, "0x02", dataSlice(answer, 1)]),
    "a commitment in its place": concat([KIND.commitment, headOf(at), keccak256(commitment)]),
    "the next round": concat([KIND.answer, headOf({ ...at, round: at.round + 1 }), commitment, answer]),
  };
  if (salted) wrong["a salt of zero"] = concat([head, commitment, guess, ZeroHash]);
  return { seat: otherSeat(at.committer), data: concat([head, commitment, answer]), wrong };
}

/** @param body Salt, side and answer. */
function revealPiece(at: Position, body: Hex, next: Hex | undefined, over: boolean): Piece {
  const head = concat([KIND.reveal, headOf(at)]);
  const data = concat([head, body]);
  const end = dataLength(data);
  const change = (from: number, by: Hex) =>
    concat([head, dataSlice(body, 0, from), by, dataSlice(body, from + dataLength(by))]);
  return {
    seat: at.committer,
    data: concat([data, next ?? "0x"]),
    fits: (length) =>
      over ? length >= end && length <= end + 128 : next ? fitsCommitment(length, end) : length === end,
    wrong: {
      "a salt of zero": concat([change(0, ZeroHash), next ?? "0x"]),
      "the other side": concat([change(32, flipped(dataSlice(body, 32, 33))), next ?? "0x"]),
      "another answer": concat([change(33, flipped(dataSlice(body, 33, 34))), next ?? "0x"]),
      "a commitment in its place": concat([KIND.commitment, headOf(at), keccak256(body)]),
      ...(next && { "no next commitment": data, "a next commitment of zero": concat([data, ZeroHash]) }),
    },
  };
}

function replay(record: MatchRecord): Played {
  const logs: Played["logs"] = [];
  const rounds = getBytes(record.createData)[0];
  let at: Position = { round: 1, rounds, points: [0, 0], committer: Seat.Two };
  for (const { data, seat } of record.actions.filter((each) => each.data.startsWith(KIND.reveal))) {
    if (seat !== at.committer || dataSlice(data, 1, HEAD) !== headOf(at)) throw new RecordError(`round ${at.round}`);
    const [salt, sides, others] = [
      dataSlice(data, HEAD, HEAD + 32),
      getBytes(dataSlice(data, HEAD + 32, HEAD + 34)),
      dataLength(data) >= HEAD + 66 && isSalted(record) ? dataSlice(data, HEAD + 34, HEAD + 66) : undefined,
    ];
    if (sides[0] > 1) throw new RecordError(`round ${at.round}: no side`);
    const after = scored(at, sides[0] === sides[1]);
    const salts = at.committer === Seat.One ? [salt, others] : [others, salt];
    const seed = others ? BigInt(seedOf(record.matchId, at.round, salts[0]!, salts[1]!)) : 0n;
    const state = BigInt(dataSlice(headOf(after), 2));
    logs.push({ round: BigInt(at.round), entries: [state | (BigInt.asUintN(64, seed) << 32n)] });
    at = after;
  }
  const [points1, points2] = at.points;
  const winner = points1 === points2 ? Seat.None : points1 > points2 ? Seat.One : Seat.Two;
  return at.round > rounds ? { logs, result: { winner, taker: winner } } : { logs };
}

function isSalted({ terms }: MatchRecord): boolean {
  return terms.mode === keccak256("0x01");
}
