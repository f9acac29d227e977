import type { Sight, Telling } from "../../sdk/games/module.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";

/** Options of commands that print a match. */
export const TELLING: NonNullable<PlayCommand["options"]> = [
  ["--turns", "draw the board after every turn, where the game has one"],
  ["--sight <whose>", "ranks that are drawn of a match that is over: end, then, 1 or 2", "end"],
];

/** Reads the options of `TELLING`. @throws InputError */
export function tellingOf(flags: Flags): Telling {
  return { turns: flags.turns === true, sight: readSight(textOf(flags, "sight")!) };
}

function readSight(text: string): Sight {
  if (text === "end" || text === "then") return text;
  if (text === "1" || text === "2") return `player ${text}`;
  throw new InputError("--sight", `${oneLine(text)} is none of end, then, 1 and 2`);
}
