import type { MiniGameFrame } from "duello/games/mini-games";
import type { GameView } from "./game.ts";
import { Picker } from "./mini-games/picker.tsx";
import { Scene } from "./mini-games/scene.tsx";
import { sentence } from "./mini-games/sentence.ts";
import "./mini-games.css";

const view: GameView<MiniGameFrame> = { Scene, Picker, sentence };
export default view;
