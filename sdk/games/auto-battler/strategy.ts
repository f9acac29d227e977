import type { Turn } from "../moves.js";
import type { Assessment } from "../assessment.js";
import { autoBattlerStrategy } from "./bot.js";
import { byStrength, POOL, remembered, weighTeam, type TeamChoice } from "../teams.js";
import { fighters } from "./characters.js";
import type { Tiers } from "./engine.js";
import { modeOf, TEAM_BYTES } from "./match.js";
import type { Mode } from "./mode.js";
import { restedFighters } from "./team.js";

const strategy = autoBattlerStrategy();

/** A team of fighters that may fight now. */
export async function chooseFighters(_round: number, turn: Turn): Promise<string[]> {
  return (await weighFighters(turn)).moveArgs;
}

/** A team of fighters that may fight now, and its chance. */
export async function weighFighters(turn: Turn): Promise<Assessment> {
  const choice = await choiceIn(turn);
  const owned = await byStrength(await turn.history.fightersOf(turn.player), choice);
  return weighTeam(turn, await restedFighters(turn, owned, POOL), choice);
}

/** What choosing a team is about. */
export async function choiceIn({ mode, history }: Turn): Promise<TeamChoice<Mode, Tiers>> {
  const game = history.addresses.AutoBattler;
  return {
    game,
    mode: await modeOf({ game, mode }, history),
    length: TEAM_BYTES,
    strategy,
    characters: fighters,
    minted: remembered(async (ids) => (await history.fighters(ids)).map(({ tiers }) => tiers)),
  };
}
