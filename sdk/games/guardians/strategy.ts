import type { Turn } from "../../moves.js";
import { guardiansStrategy } from "../../strategy/guardians.js";
import { chooseTeam, POOL } from "../teams.js";
import { cards } from "./characters.js";
import { ID_BYTES } from "./match.js";
import { modeOf, ownCards } from "./team.js";

const strategy = guardiansStrategy();

/** A team of as many cards as the mode asks for. */
export async function chooseCards(_round: number, turn: Turn): Promise<string[]> {
  const mode = await modeOf(turn);
  const { history } = turn;
  return chooseTeam(turn, (await ownCards(turn)).slice(-POOL), {
    game: history.addresses.Guardians,
    mode,
    length: mode.teamSize * ID_BYTES,
    strategy,
    characters: cards,
    minted: (ids) => history.cards(ids),
  });
}
