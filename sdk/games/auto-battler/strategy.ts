import { ZeroHash } from "ethers";
import type { Turn } from "../../moves.js";
import { autoBattlerStrategy } from "../../strategy/auto-battler.js";
import { chooseTeam, POOL } from "../teams.js";
import { fighters } from "./characters.js";
import { TEAM_BYTES } from "./match.js";
import { decodeMode, defaultMode } from "./mode.js";
import { restedFighters } from "./team.js";

const strategy = autoBattlerStrategy();

/** A team of fighters that may fight now. */
export async function chooseFighters(_round: number, turn: Turn): Promise<string[]> {
  const { mode, history } = turn;
  const game = history.addresses.AutoBattler;
  return chooseTeam(turn, await restedFighters(turn, POOL), {
    game,
    mode: mode === ZeroHash ? defaultMode : decodeMode(await history.mode(game, mode)),
    length: TEAM_BYTES,
    strategy,
    characters: fighters,
    minted: async (ids) => (await history.fighters(ids)).map(({ tiers }) => tiers),
  });
}
