import { battle } from "./engine.js";
import type { Mode } from "./mode.js";
import type { CardStats } from "../../chain/characters.js";
import { TeamStrategy, type TeamGame } from "../../bots/teams.js";

const BPS = 1000;

/** What the stats of a card are worth, as battles at random tell; above all what it deals out, and what it stands. */
function strength({ power, defense, hp, speed, critical, luck }: CardStats, { dodgeCap }: Mode): number {
  const dodged = Math.min(luck, dodgeCap, BPS - 1);
  const dealt = 3 * Math.log(power) + 0.8 * Math.log(1 + critical / BPS);
  const stood = 1.5 * Math.log(hp) + 1.5 * Math.log(200 + defense) - 1.2 * Math.log(1 - dodged / BPS);
  return dealt + stood + 0.15 * Math.log(speed);
}

const game: TeamGame<Mode, CardStats> = {
  sizeOf: ({ teamSize }) => teamSize,
  strength,
  fight: (seed, mode, teams) => battle(seed, mode, teams).winner,
};

/** Brings as many cards as the mode asks for; simulates so many battles to choose them. */
export function guardiansStrategy(battles?: number): TeamStrategy<Mode, CardStats> {
  return new TeamStrategy(game, battles);
}
