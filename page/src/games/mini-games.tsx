import type { MiniGameFrame } from "duello/games/mini-games";
import type { GameView } from "./game";
import { Picker } from "./mini-games/picker";
import { Scene } from "./mini-games/scene";
import "./mini-games.css";

const view: GameView<MiniGameFrame> = { Scene, Picker };
export default view;
