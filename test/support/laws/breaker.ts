import { concat, dataLength, dataSlice, toBeHex, toNumber, ZeroHash, zeroPadBytes } from "ethers";
import type { MatchRecord, Replayed } from "../../../sdk/chain/record.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { RecordError, takingTurns } from "../../../sdk/games/revealed-rounds.js";
import type { LawGame, Piece } from "../../../sdk/laws/game.js";
import type { Random } from "../../../sdk/laws/random.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { deployMock } from "../index.js";

/** Laws that `LawBreaker` can break, in the order of its enum. */
export const FAULTS = [
  ...["None", "AnyCaller", "OtherFirstTurn", "ByTime", "BySender", "AnyLength", "AnyNumber", "UnnamedError"],
  ...["StoppedByPlayer2", "DearByPlayer2", "ChangedByPlayer1", "NoWayOut", "MuchGas", "OtherLog", "OtherResult"],
  ...["OtherTurn", "OtherPosition", "ByStakes", "ByOtherMatch", "AnswerVoidedByOtherEnd", "RevealVoidedByOtherEnd"],
  ...["FreeEnd", "EndOfAnotherKind", "ChannelRecord"],
];

/** Returns the game that breaks a law. @param fault One of `FAULTS`; or `KeepsMoney`. */
export function lawBreaker(fault: string): LawGame {
  return {
    name: `breaker: ${fault}`,
    module: { contract: "LawBreaker", replay } as unknown as GameModule,
    async deploy({ arena, fight }) {
      const game = await (fault === "KeepsMoney"
        ? deployMock("CoinTaker", arena, fight)
        : deployMock("LawBreaker", arena, fight, FAULTS.indexOf(fault)));
      const script = async (_: unknown, random: Random) => {
        const [first, second] = [Seat.One, Seat.Two].map((seat) => pieceOf(seat, random));
        const pieces = [first, second, fault === "EndOfAnotherKind" ? ofKind(first) : { ...first }];
        return { pieces, player1Acts: [], player2Acts: [] };
      };
      return { game, modes: ["0x", "0x01"], badModes: { empty: "0x", "two bytes": "0x0101" }, script };
    },
  };
}

function pieceOf(seat: bigint, random: Random): Piece {
  return { seat, data: toBeHex(random.below(10), 1), wrong: { "a number of 10": "0x0a", "a number of 255": "0xff" } };
}

/** Puts the byte of a kind before the number of a piece. */
function ofKind({ seat, data, wrong }: Piece): Piece {
  const kind = (bytes: Hex): Hex => concat(["0x00", bytes]);
  const wrongs = Object.entries(wrong).map(([what, bytes]) => [what, kind(bytes)]);
  return { seat, data: kind(data), wrong: Object.fromEntries(wrongs) };
}

/** Removes the byte of the kind, if there is one. */
function numberIn(data: Hex): Hex {
  return dataLength(data) === 2 ? dataSlice(data, 1) : data;
}

async function replay(record: MatchRecord): Promise<Replayed> {
  const { createData, joinData, actions } = record;
  const sent = [createData, joinData ?? [], actions.map(({ data }) => numberIn(data))].flat();
  if (sent.some((data) => dataLength(data) !== 1 || toNumber(data) > 9)) throw new RecordError("no number", record);
  const isOver = sent.length === 3;
  const [first, second] = sent.map(toNumber);
  const winner = first > second ? Seat.One : Seat.Two;
  return {
    logs: isOver ? [{ round: 1n, entries: [BigInt(concat(sent))] }] : [],
    result: isOver ? { winner, taker: winner } : undefined,
    turns: takingTurns(record, isOver),
    position: isOver ? ZeroHash : zeroPadBytes(concat(sent), 32),
  };
}
