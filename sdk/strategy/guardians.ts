import { battle } from "../games/guardians/engine.js";
import type { Mode } from "../games/guardians/mode.js";
import type { CardStats } from "../history.js";
import { TeamStrategy, type TeamGame } from "./teams.js";

const game: TeamGame<Mode, CardStats> = {
  sizeOf: ({ teamSize }) => teamSize,
  fight: (seed, mode, teams) => battle(seed, mode, teams).winner,
};

/** Brings as many cards as the mode asks for; simulates so many battles to choose them. */
export function guardiansStrategy(battles?: number): TeamStrategy<Mode, CardStats> {
  return new TeamStrategy(game, battles);
}
