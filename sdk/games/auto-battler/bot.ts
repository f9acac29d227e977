import { battle, type Tiers } from "./engine.js";
import { TEAM_SIZE } from "./match.js";
import type { Mode } from "./mode.js";
import { TeamStrategy, type TeamGame } from "../../bots/teams.js";

/** What a tier more of attack, defense, health, speed, range and combo is worth, as battles at random tell. */
const WORTHS = [12, 5, 7, 3, 2, 1];

const game: TeamGame<Mode, Tiers> = {
  sizeOf: () => TEAM_SIZE,
  strength: (tiers) => tiers.reduce((sum, tier, stat) => sum + tier * WORTHS[stat], 0),
  fight: (seed, mode, teams) => battle(seed, mode, teams).winner,
};

/** Brings five fighters by their tiers; simulates so many battles to choose them. */
export function autoBattlerStrategy(battles?: number): TeamStrategy<Mode, Tiers> {
  return new TeamStrategy(game, battles);
}
