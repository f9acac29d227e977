import type { Turn } from "../moves.js";
import type { Assessment } from "../assessment.js";
import { guardiansStrategy } from "./bot.js";
import { byStrength, POOL, remembered, weighTeam } from "../teams.js";
import { cards } from "./characters.js";
import { ID_BYTES } from "./match.js";
import { modeOf, ownCards } from "./team.js";

const strategy = guardiansStrategy();

/** A team of as many cards as the mode asks for. */
export async function chooseCards(_round: number, turn: Turn): Promise<string[]> {
  return (await weighCards(turn)).moveArgs;
}

/** A team of as many cards as the mode asks for, and its chance. */
export async function weighCards(turn: Turn): Promise<Assessment> {
  const mode = await modeOf(turn);
  const { history } = turn;
  const choice = {
    game: history.addresses.Guardians,
    mode,
    length: mode.teamSize * ID_BYTES,
    strategy,
    characters: cards,
    minted: remembered((ids) => history.cards(ids)),
  };
  return weighTeam(turn, (await byStrength(await ownCards(turn), choice)).slice(0, POOL), choice);
}
