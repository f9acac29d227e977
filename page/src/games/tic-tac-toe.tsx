import type { TicTacToeFrame } from "duello/games/tic-tac-toe";
import type { GameView } from "./game.ts";
import { Picker } from "./tic-tac-toe/picker.tsx";
import { Scene } from "./tic-tac-toe/scene.tsx";
import { sentence } from "./tic-tac-toe/sentence.ts";
import "./tic-tac-toe.css";

const view: GameView<TicTacToeFrame> = { Scene, Picker, isPickedInScene: true, sentence };
export default view;
