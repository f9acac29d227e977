import { testLaws } from "../../sdk/laws/laws.js";
import { derivedMiniGames, derivedTicTacToe } from "../support/laws/derived.js";
import { lawOptions } from "../support/laws/options.js";

for (const game of [derivedMiniGames(), derivedTicTacToe()]) testLaws(game, lawOptions);
