import { TeamStrategy, type TeamGame } from "../../bots/teams.js";
import { cardContract, type CardStats } from "./cards.js";
import type { Assessment } from "../assessment.js";
import type { Team } from "../module.js";
import type { Turn } from "../moves.js";
import { byStrength, POOL, remembered, weighTeam } from "../teams.js";
import { cards } from "./characters.js";
import { battle } from "./engine.js";
import type { Mode } from "./mode.js";
import { modeIn, ownCards, teamBytes } from "./moves.js";

/** Denominator of a card's `critical` and `luck`. */
const CHANCES = 1000;

const game: TeamGame<Mode, CardStats> = {
  sizeOf: ({ teamSize }) => teamSize,
  strength,
  fight: (seed, mode, teams) => battle(seed, mode, teams).winner,
};

const strategy = guardiansStrategy();

/**
 * Creates a strategy that chooses as many cards as the mode requires.
 * @example
 * ```ts
 * import { cryptoSource, guardiansStrategy } from "duello/bots";
 * import { defaultMode } from "duello/games/guardians";
 *
 * const card = { power: 50, defense: 20, hp: 300, speed: 10, critical: 100, luck: 50 };
 * const own = Array.from({ length: 5 }, (_, type) => ({ ...card, type }));
 * const team = guardiansStrategy().choose({ mode: defaultMode, seat: 2, own }, cryptoSource);
 * team.length; // => 3
 * ```
 */
export function guardiansStrategy(): TeamStrategy<Mode, CardStats> {
  return new TeamStrategy(game);
}

/** Chooses a team of as many cards as the mode requires. */
export async function chooseCards(_round: number, turn: Turn): Promise<Team> {
  return (await assessCards(turn)).move;
}

/** Chooses a team of as many cards as the mode requires, and estimates how likely it is to win. */
export async function assessCards(turn: Turn): Promise<Assessment<Team>> {
  const mode = await modeIn(turn);
  const { game: address, history } = turn;
  const choice = {
    game: address,
    mode,
    length: teamBytes(mode),
    strategy,
    characters: cards,
    minted: remembered((ids) => history.characters(cardContract, ids)),
  };
  return weighTeam(turn, (await byStrength(await ownCards(turn), choice)).slice(0, POOL), choice);
}

/** Estimates the value of a card by the damage that it deals and withstands, weighted as measured in random battles. */
function strength({ power, defense, hp, speed, critical, luck }: CardStats, { dodgeCap }: Mode): number {
  const dodged = Math.min(luck, dodgeCap, CHANCES - 1);
  const dealt = 3 * Math.log(power) + 0.8 * Math.log(1 + critical / CHANCES);
  const stood = 1.5 * Math.log(hp) + 1.5 * Math.log(200 + defense) - 1.2 * Math.log(1 - dodged / CHANCES);
  return dealt + stood + 0.15 * Math.log(speed);
}
