import { concat, type Contract } from "ethers";
import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { decodeMode, encodeMode, kinds } from "../../../sdk/games/mini-games/mode.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { NO_STATE, commitmentOf } from "../../../sdk/protocol/commit-reveal.js";
import { byte } from "../../../sdk/laws/bytes.js";
import { deployMock, ethers } from "../index.js";
import type { LawGame, Script, Seats, Table } from "../../../sdk/laws/game.js";
import type { Random } from "../../../sdk/laws/random.js";
import { answerPiece, firstCommitment, fraudsOf, padded, revealPiece } from "../../../sdk/laws/committed.js";

/** Every kind with both tie rules. */
export const allModes = Object.keys(kinds).flatMap((kind) => [0, 1].map((ties) => ({ kind: Number(kind), ties })));

/** The mini-games, in all twelve modes. */
export const miniGamesLaws: LawGame = {
  name: "the mini-games",
  module: miniGames,
  async deploy({ arena }) {
    return tableOf(await deployMock("MiniGames", arena));
  },
};

function tableOf(game: Contract): Table {
  const script = (seats: Seats, random: Random) => written(game, seats, random);
  return {
    game,
    modes: allModes.map(encodeMode),
    badModes: {
      empty: "0x",
      "a byte": "0x00",
      "three bytes": "0x000000",
      "kind 4": "0x0401",
      "kind 7": "0x0701",
      "kind 255": "0xff01",
      "tie rule 2": "0x0002",
    },
    script,
    worst: async (seats, random) => padded(await script(seats, random), random),
    worstMode: encodeMode({ kind: 5, ties: 1 }),
  };
}

async function written(game: Contract, { mode, player1 }: Seats, random: Random): Promise<Script> {
  const { chainId } = await ethers.provider.getNetwork();
  const { min, max } = kinds[decodeMode(mode).kind];
  const anyMove = () => byte(min + random.below(max - min + 1));
  const [move, answerMove, salt, answerSalt] = [anyMove(), anyMove(), random.word(), random.word()];
  const head = { round: 1, state: NO_STATE };
  const wrongMoves = {
    "a move too high": byte(max + 1),
    "the highest byte": "0xff",
    ...(min > 0 && { "a move too low": byte(min - 1) }),
  };
  const address = await game.getAddress();
  const committed = (own: Hex) => {
    const commitment = commitmentOf(chainId, address, player1.address, own, salt);
    return [
      firstCommitment({ commitment, note: "0x" }),
      answerPiece({ ...head, commitment, move: answerMove, salt: answerSalt }, wrongMoves),
      revealPiece({ ...head, salt, move: own, answerMove, answerSalt, next: "0x" }),
    ];
  };
  const frauds = {
    ...fraudsOf("MoveOutOfBounds", wrongMoves, committed),
    ...fraudsOf("WrongLength", { "a move and a byte": concat([move, "0x00"]) }, committed),
  };
  return { pieces: committed(move), frauds, player1Acts: [], player2Acts: [] };
}
