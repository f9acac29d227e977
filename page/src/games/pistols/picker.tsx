import type { PistolsFrame } from "duello/games/pistols";
import type { PickerProps } from "../game.ts";
import { BladesPicker } from "./blades-picker.tsx";
import { PacesPicker } from "./paces-picker.tsx";

/** Paces for the pistols of round 1, then blades. */
export function Picker(props: PickerProps<PistolsFrame>) {
  return props.turn.record?.joinData === undefined ? <PacesPicker {...props} /> : <BladesPicker {...props} />;
}
