import type { TicTacToeFrame } from "duello/games/tic-tac-toe";
import type { GameView } from "./game";
import { Picker } from "./tic-tac-toe/picker";
import { Scene } from "./tic-tac-toe/scene";
import "./tic-tac-toe.css";

const view: GameView<TicTacToeFrame> = { Scene, Picker, isPickedInScene: true };
export default view;
