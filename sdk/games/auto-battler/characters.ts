import { AutoBattler__factory } from "../../../typechain-types/index.js";
import { timeText } from "../../protocol/text.js";
import { nextTime } from "../../chain/time.js";
import type { Characters } from "../module.js";
import { decodeTeam } from "./moves.js";

const STATS = ["attack", "defense", "health", "speed", "range", "combo"];

/** Fighters, of which one that is engaged in a match, or rests after a battle, cannot fight. */
export const fighters: Characters = {
  noun: "fighter",
  contract: "Fighters",
  idsIn: decodeTeam,
  ownedBy: (player, history) => history.fightersOf(player),
  async describe(id, history) {
    const { addresses, provider } = history;
    const game = AutoBattler__factory.connect(addresses.AutoBattler, provider);
    const [traits, { matchId, until }] = await Promise.all([history.fighter(id), game.busyUntil(id)]);
    const now = BigInt(await nextTime(provider));
    const stats = STATS.map((stat, i) => `${stat} ${traits.tiers[i]}`).join(" ");
    const rest = until > now ? `cools down until ${timeText(until)}` : undefined;
    return {
      data: { id, ...traits, matchId, until },
      text: traits.golden ? `${stats}  golden` : stats,
      obstacle: matchId > 0n ? `in match ${matchId}` : rest,
    };
  },
};
