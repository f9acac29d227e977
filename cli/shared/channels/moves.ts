import { strategyOf } from "../../../sdk/games/assessment.js";
import type { ChannelPorts } from "../../../sdk/player/channels/player.js";
import type { CommandContext } from "../command/context.js";

/** Ways to choose moves without a person: any legal move, or the choice of the game's strategy. */
export const MOVE_SOURCES = ["random", "suggest"] as const;
export type MoveSource = (typeof MOVE_SOURCES)[number];

/** Makes a function that chooses the moves of the caller without asking. */
export function movesBy(context: CommandContext, source: MoveSource): ChannelPorts["choose"] {
  return async (turn, module) => {
    const chooser = source === "suggest" ? strategyOf(module) : strategyOf({ moves: module.moves });
    return { move: await chooser(turn, context.keys.secretStoreOf(turn.game, turn.player)) };
  };
}
