import { TeamStrategy, type TeamGame } from "../../bots/teams.js";
import type { Assessment } from "../assessment.js";
import type { Team } from "../module.js";
import type { Turn } from "../moves.js";
import { byStrength, POOL, remembered, weighTeam, type TeamChoice } from "../teams.js";
import { fighters } from "./characters.js";
import { battle, TEAM_SIZE, type Tiers } from "./engine.js";
import { modeOf, type Mode } from "./mode.js";
import { restedFighters, TEAM_BYTES } from "./moves.js";
import { fighterContract } from "./fighters.js";

/** Value of one more tier of attack, defense, health, speed, range and combo, as measured in random battles. */
const WORTHS = [12, 5, 7, 3, 2, 1];

const game: TeamGame<Mode, Tiers> = {
  sizeOf: () => TEAM_SIZE,
  strength: (tiers) => tiers.reduce((sum, tier, stat) => sum + tier * WORTHS[stat], 0),
  fight: (seed, mode, teams) => battle(seed, mode, teams).winner,
};

const strategy = autoBattlerStrategy();

/**
 * Creates a strategy that chooses five fighters by their tiers.
 * @example
 * ```ts
 * import { autoBattlerStrategy, cryptoSource } from "duello/bots";
 * import { defaultMode } from "duello/games/auto-battler";
 *
 * const fighters = Array.from({ length: 8 }, (_, i) => [1 + (i % 3), 2, 2, 2, 2, 2]);
 * const team = autoBattlerStrategy().choose({ mode: defaultMode, seat: 1, own: fighters }, cryptoSource);
 * team.length; // => 5
 * ```
 */
export function autoBattlerStrategy(): TeamStrategy<Mode, Tiers> {
  return new TeamStrategy(game);
}

/** Chooses a team of fighters that can fight now. */
export async function chooseFighters(_round: number, turn: Turn): Promise<Team> {
  return (await assessFighters(turn)).move;
}

/** Chooses a team of fighters that can fight now, and estimates how likely it is to win. */
export async function assessFighters(turn: Turn): Promise<Assessment<Team>> {
  const choice = await choiceIn(turn);
  const owned = await byStrength(await turn.history.ownedBy(turn.player, fighterContract), choice);
  return weighTeam(turn, await restedFighters(turn, owned, POOL), choice);
}

/** Collects the inputs for choosing a team in a turn. */
export async function choiceIn({ game: address, mode, history }: Turn): Promise<TeamChoice<Mode, Tiers>> {
  return {
    game: address,
    mode: await modeOf({ game: address, mode }, history),
    length: TEAM_BYTES,
    strategy,
    characters: fighters,
    minted: remembered(async (ids) => (await history.characters(fighterContract, ids)).map(({ tiers }) => tiers)),
  };
}
