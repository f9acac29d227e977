import type { TicTacToeFrame } from "duello/games/tic-tac-toe";
import type { GameView } from "./game.ts";
import { hintAt } from "./tic-tac-toe/hints.ts";
import { Picker } from "./tic-tac-toe/picker.tsx";
import { Scene } from "./tic-tac-toe/scene.tsx";
import { sentence } from "./tic-tac-toe/sentence.ts";
import "./tic-tac-toe.css";

/** Milliseconds of a step: a mark is seen at once. */
const STEP_TIME = 450;

const view: GameView<TicTacToeFrame> = {
  Scene,
  Picker,
  isPickedInScene: true,
  sentence,
  timeOf: () => STEP_TIME,
  hintAt,
};
export default view;
