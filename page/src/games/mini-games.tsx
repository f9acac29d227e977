import type { MiniGameFrame } from "duello/games/mini-games";
import type { GameView } from "./game.ts";
import { hintAt } from "./mini-games/hints.ts";
import { Picker } from "./mini-games/picker.tsx";
import { Scene } from "./mini-games/scene.tsx";
import { sentence } from "./mini-games/sentence.ts";
import "./mini-games.css";

/** Milliseconds for the hands to turn over and for people to read the reason for the result. */
const STEP_TIME = 2000;

const view: GameView<MiniGameFrame> = { Scene, Picker, sentence, timeOf: () => STEP_TIME, hintAt };
export default view;
