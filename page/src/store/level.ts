import { effect, signal } from "@preact/signals";
import { LEVELS, type Level } from "duello/practice";
import { keepLocalText, localText } from "./local.ts";

const NAME = "duello.level";

/** Level at which the computer plays in practice; the browser stores the choice. */
export const level = signal<Level>(LEVELS.find((each) => each === localText(NAME)) ?? "usual");

effect(() => keepLocalText(NAME, level.value));
