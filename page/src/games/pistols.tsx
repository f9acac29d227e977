import type { PistolsFrame } from "duello/games/pistols";
import type { GameView } from "./game.ts";
import { hintAt } from "./pistols/hints.ts";
import { Picker } from "./pistols/picker.tsx";
import { Scene } from "./pistols/scene.tsx";
import { blowOf, timeOf } from "./pistols/poses.ts";
import { sentence } from "./pistols/sentence.ts";
import "./pistols.css";

const view: GameView<PistolsFrame> = { Scene, Picker, sentence, timeOf, blowOf, hintAt };
export default view;
