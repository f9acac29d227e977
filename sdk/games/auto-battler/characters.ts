import { AutoBattler__factory } from "../../../typechain-types/index.js";
import { pick } from "../../bots/source.js";
import { boolean, integer, object, oneOf, optional } from "../../protocol/input.js";
import { nextTime } from "../../chain/time.js";
import { interfaceOf } from "../../chain/events.js";
import type { Characters } from "../module.js";
import { counted } from "./audit.js";
import { counters, fought, type FighterCounters } from "./counters.js";
import { moveChecks } from "./move-checks.js";
import { decodeTeam, obstacleOf } from "./moves.js";
import { CHARACTERS } from "./story.js";
import { fighterContract, type FighterTraits } from "./fighters.js";

const STATS = ["attack", "defense", "health", "speed", "range", "combo"];

/** Names of the tiers 1 to 3. */
const TIERS = ["low", "medium", "high"] as const;

/** On average, one in this many random fighters is golden. */
const GOLDEN_ONE_IN = 8;

const readTier = oneOf(...TIERS);
const readStats = object({
  attack: readTier,
  defense: readTier,
  health: readTier,
  speed: readTier,
  range: readTier,
  combo: readTier,
  golden: optional(boolean, false),
  character: optional(integer(0, 2 ** 32 - 1), 1),
});

/** Fighters. A fighter cannot fight while it is in a match, or while it rests after a battle. */
export const fighters: Characters<FighterTraits> = {
  ...fighterContract,
  idsIn: decodeTeam,
  moveChecks,
  ownedBy: (player, history) => history.ownedBy(player, fighterContract),
  async describe(id, history, address) {
    const { provider } = history;
    const game = AutoBattler__factory.connect(address, provider);
    // Read first, since this read reports a nonexistent fighter as never minted.
    const traits = await history.character(fighterContract, id);
    const [{ matchId, until }, now] = await Promise.all([game.busyUntil(id), nextTime(provider)]);
    const stats = STATS.map((stat, i) => `${stat} ${traits.tiers[i]}`).join(" ");
    return {
      data: { id, ...traits, matchId, until },
      text: traits.golden ? `${stats}  golden` : stats,
      obstacle: obstacleOf({ matchId, until }, BigInt(now)),
    };
  },
  countedBy: "contract",
  mainCounters: ["kills", "deaths"],
  battleCounters: ["kills", "deaths", "damageDealt"],
  counters,
  add: (before, more) => ({ ...before, ...counted(before as FighterCounters, more) }),
  fought,
  example: {
    attack: "high",
    defense: "low",
    health: "medium",
    speed: "high",
    range: "low",
    combo: "medium",
    golden: false,
    character: 1,
  },
  atRandom(source) {
    const stats = Object.fromEntries(STATS.map((stat) => [stat, pick(TIERS, source)]));
    return { ...stats, golden: source.below(GOLDEN_ONE_IN) === 0, character: 1 + source.below(CHARACTERS.length) };
  },
  encodeMint(to, stats, path) {
    const { attack, defense, health, speed, range, combo, golden, character } = readStats(stats, path);
    const tiers = [attack, defense, health, speed, range, combo].map((name) => 1 + TIERS.indexOf(name));
    return interfaceOf(fighterContract.minted).encodeFunctionData("mint", [to, character, tiers, golden]);
  },
};
