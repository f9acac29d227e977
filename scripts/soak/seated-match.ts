import type { ArenaMatch } from "../../sdk/chain/arena.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import type { Plan } from "./plan.js";
import type { Player } from "./player.js";
import type { World } from "./world.js";

/** Two players and their match. */
export interface SeatedMatch {
  readonly world: World;
  readonly game: GameModule;
  readonly seats: readonly [Player, Player];
  readonly plan: Plan;
  readonly matchId: bigint;
  readonly terms: Terms;
  readonly state: ArenaMatch;
  /** Hash of the offer. */
  readonly hash: Hex;
}
