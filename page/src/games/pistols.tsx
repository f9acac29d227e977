import type { PistolsFrame } from "duello/games/pistols";
import type { GameView } from "./game.ts";
import { Picker } from "./pistols/picker.tsx";
import { Scene } from "./pistols/scene.tsx";
import { sentence } from "./pistols/sentence.ts";
import "./pistols.css";

const view: GameView<PistolsFrame> = { Scene, Picker, sentence };
export default view;
