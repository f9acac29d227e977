import type { WarmancerFrame, WarmancerMove } from "duello/games/warmancer";
import type { GameView, PickerProps } from "./game.ts";
import { hintAt } from "./warmancer/hints.ts";
import { MovePicker } from "./warmancer/move.tsx";
import { Scene } from "./warmancer/scene.tsx";
import { SetupPicker } from "./warmancer/setup.tsx";
import "./warmancer.css";

/** Lets a player set up its army, and then move. */
function Picker(props: PickerProps<WarmancerFrame, WarmancerMove>) {
  return props.turn.record?.joinData === undefined ? <SetupPicker {...props} /> : <MovePicker {...props} />;
}

/** Milliseconds of a step: pawns slide, and fight. */
const STEP_TIME = 700;

export default {
  Scene,
  Picker,
  isPickedInScene: true,
  timeOf: () => STEP_TIME,
  hintAt,
} satisfies GameView<WarmancerFrame>;
