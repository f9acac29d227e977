import hre, { network } from "hardhat";
import { ticTacToe } from "../../sdk/games/tic-tac-toe/index.js";
import { lawsOf, testGame } from "../../sdk/laws/index.js";

const connection = await network.create();
const game = lawsOf(ticTacToe, {
  deploy: ({ arena }) => connection.ethers.deployContract("TicTacToe", [arena]),
  wrongMoves: () => ({ "cell 200": { move: "0xc8", error: "UnknownCell" } }),
});
testGame({ ...game, name: "tic-tac-toe, in one call" }, { connection, artifacts: hre.artifacts });
