import { concat, dataLength, dataSlice, keccak256 } from "ethers";
import type { MatchRecord, Replayed } from "../../sdk/chain/record.js";
import type { GameModule } from "../../sdk/games/module.js";
import { RecordError } from "../../sdk/games/revealed-rounds.js";
import { NO_STATE } from "../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";

/** Action that passes the turn to a seat. @param note Distinguishes actions. */
export const pass = (seat: bigint, note = "0x"): Hex => concat([`0x0${seat}`, note]);
/** Action that ends the match. */
export const finish = (winner: bigint, taker = winner): Hex => `0x000${winner}0${taker}`;
/** Action that the game refuses. */
export const REFUSED: Hex = "0xff";

/** Returns the data of the offer that an answer responds to. */
export const offerOf = (answer: Hex): Hex => concat(["0xc0", answer]);
/** Returns the position after an offer or action. */
export const positionAfter = (before: Hex, data: Hex): Hex => keccak256(concat([before, data]));
/** Returns the position after an offer. */
export const offeredBy = (offer: Hex): Hex => positionAfter(NO_STATE, offer);
/** Returns the log of an offer or action. */
export const logOf = (data: Hex) => ({ round: BigInt(dataLength(data)), entries: [BigInt(data)] });

/** Options of a made-up game. */
interface Options {
  /** False if the game does not check which seat acts. */
  isStrict?: boolean;
  /** False if the game cannot resume a match. */
  hasResume?: boolean;
}

/**
 * Game whose actions name the next seat or the result, and whose position is the hash of everything before. It logs the
 * offer and each action.
 */
export class MadeUpGame {
  /** Records that were replayed, and matches that were resumed. */
  readonly replayed: MatchRecord[] = [];
  readonly module: GameModule;

  constructor({ isStrict = true, hasResume = true }: Options = {}) {
    this.module = {
      title: "Pass",
      modes: { default: { content: "0x", odds: [1n, 1n] } },
      replay: async (record: MatchRecord) => {
        this.replayed.push(record);
        const { createData, joinData, actions } = record;
        const offer = { logs: [logOf(createData)], turns: [], position: offeredBy(createData) };
        if (joinData === undefined) return offer;
        const sent = [{ seat: Seat.Two, data: joinData }, ...actions];
        return ran({ ...offer, turns: [Seat.Two] }, sent, isStrict);
      },
      channels: {
        createdBy: (answer: Hex) => {
          if (answer === "0x") throw new RecordError("it answers no offer");
          return offerOf(answer);
        },
        ...(hasResume && {
          resume: async (record: MatchRecord, { turn, position }: { turn: bigint; position: Hex }, data: Hex[]) => {
            this.replayed.push(record);
            const sent = data.map((each) => ({ seat: turn, data: each }));
            return ran({ logs: [], turns: [turn], position }, sent, false);
          },
        }),
      },
    } as unknown as GameModule;
  }
}

/** Runs actions. @param start State before them, whose last turn is that of the first action. */
function ran(start: Replayed, sent: readonly { seat: bigint; data: Hex }[], isStrict: boolean): Replayed {
  const logs = [...start.logs];
  const turns = [...start.turns];
  let { position } = start;
  let result: Replayed["result"];
  for (const { seat, data } of sent) {
    if (turns.at(-1) === Seat.None) throw new RecordError("somebody acted after the end");
    if (isStrict && seat !== turns.at(-1)) throw new RecordError("it was the other's turn");
    if (data.startsWith(REFUSED)) throw new RecordError("it is refused");
    const next = BigInt(dataSlice(data, 0, 1));
    logs.push(logOf(data));
    turns.push(next);
    position = next === Seat.None ? NO_STATE : positionAfter(position, data);
    if (next === Seat.None) result = { winner: BigInt(dataSlice(data, 1, 2)), taker: BigInt(dataSlice(data, 2, 3)) };
  }
  // The turn before the first action is no turn after an action.
  return { logs, turns: turns.slice(1), position, ...(result && { result }) };
}
