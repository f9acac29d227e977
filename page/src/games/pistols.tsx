import type { PistolsFrame } from "duello/games/pistols";
import type { GameView } from "./game";
import { Picker } from "./pistols/picker";
import { Scene } from "./pistols/scene";
import "./pistols.css";

const view: GameView<PistolsFrame> = { Scene, Picker };
export default view;
