import { readFileSync } from "node:fs";
import type { Artifact } from "../../sdk/chain/code.js";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import { defineGame } from "../../sdk/games/module.js";
import { ticTacToe } from "../../sdk/games/tic-tac-toe/index.js";

function artifactOf(folder: string, name: string): Artifact {
  const file = new URL(`../../artifacts/contracts/games/${folder}/${name}.sol/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Artifact;
}

/** Tic-tac-toe as a custom game, with a different message for an error of the same name. */
export const noughts = defineGame({
  ...ticTacToe,
  name: "noughts",
  title: "Noughts and crosses",
  contract: "Noughts",
  decoder: { ...ticTacToe.decoder!, contract: "NoughtsLog" },
  artifact: artifactOf("tic-tac-toe", "TicTacToe"),
  errors: { OccupiedCell: "Somebody was at {cell} before you." },
});

/** The mini-games as a custom game, whose first move is committed. */
const toss = defineGame({
  ...miniGames,
  name: "toss",
  title: "Toss",
  contract: "Toss",
  decoder: { ...miniGames.decoder!, contract: "TossLog" },
  artifact: artifactOf("mini-games", "MiniGames"),
});

export default [noughts, toss];
