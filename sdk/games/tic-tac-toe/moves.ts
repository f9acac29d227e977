import { concat, randomBytes, toBeHex } from "ethers";
import type { MatchRecord } from "../../chain/record.js";
import { sized } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import { Seat } from "../../protocol/status.js";
import type { Moves } from "../moves.js";
import { RecordError } from "../revealed-rounds.js";
import { freeCells } from "./engine.js";

/** Number of the mark that the first action of a match brings; creating and joining it bring the marks before. */
const FIRST_OF_ACTIONS = 3;

/** Moves are cells, in the open. */
export const moves: Moves = {
  usage: ["CELL", "CELL"],
  async read([cell, ...more]) {
    if (more.length > 0 || !/^[0-8]$/.test(cell ?? ""))
      throw new InputError("cell", "a move is one number from 0 to 8");
    return toBeHex(cell, 1);
  },
  async suggest({ record }) {
    const free = freeCells(record ? cellsOf(record) : []);
    return [String(free[randomBytes(1)[0] % free.length])];
  },
  choices: async ({ record }) => freeCells(record ? cellsOf(record) : []).map(String),
  create: async (move) => move,
  join: async (move, { record: { createData } }) => concat([createData, move]),
  act: async (move, { record }) => concat([toBeHex(FIRST_OF_ACTIONS + record.actions.length, 1), move]),
};

/**
 * Lists the cells that have been marked in a match, from X's first on.
 * @throws RecordError for a mark that was sent for another position or out of turn.
 * @throws InputError for data of another length.
 */
export function cellsOf({ matchId, createData, joinData, actions }: MatchRecord): number[] {
  const [first] = sized(createData, "createData", 1);
  if (joinData === undefined) return [first];
  const [named, second] = sized(joinData, "joinData", 2);
  if (named !== first) throw new RecordError(`the answer is to another first mark`, { matchId });
  const later = actions.map(({ seat, data }, i) => {
    const due = FIRST_OF_ACTIONS + i;
    const [number, cell] = sized(data, "data", 2);
    if (number !== due) throw new RecordError(`mark ${due} was sent as mark ${number}`, { matchId });
    if (seat !== seatToMark(number)) throw new RecordError(`mark ${number} out of turn`, { matchId });
    return cell;
  });
  return [first, second, ...later];
}

/** Returns the seat that makes a mark, by its number from 1. */
function seatToMark(number: number): bigint {
  return number % 2 === 1 ? Seat.One : Seat.Two;
}
