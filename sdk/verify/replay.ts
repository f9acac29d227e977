import { gameAt } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { replayChannelMatch, type ShownBefore } from "./channel-replay.js";
import type { History, MatchOptions } from "../chain/history.js";
import { compareEnd, compareLogs, type Replay } from "./compared-replay.js";

/** Options of `replay`. */
interface ReplayOptions extends MatchOptions {
  /** Beginning of a channel match that starts from a base, as players show it. */
  before?: ShownBefore;
}

/**
 * Replays a match from its events alone: runs the players' data through the game's TypeScript engine, and compares
 * every log entry and every amount of the settlement.
 * @param games Games that can be replayed.
 * @throws Error for an unknown match.
 * @throws InputError for any other game, and for data that is too short.
 * @throws RecordError for events that cannot have come from an honest arena and game.
 * @example
 * ```ts
 * import { games, replay, Seat } from "duello";
 *
 * const { replayed, mismatch } = await replay(archive, games, matchId);
 * replayed.result?.winner; // => Seat.One
 * mismatch; // => undefined
 * ```
 */
export async function replay(
  history: History,
  games: readonly GameModule[],
  matchId: bigint,
  options: ReplayOptions = {},
): Promise<Replay> {
  const snapshot = await history.snapshot(options);
  const record = await snapshot.match(matchId);
  const game = gameAt(record.terms.game, games, history.addresses);
  if (record.channel) return replayChannelMatch(record, game, snapshot, options.before);
  const replayed = await game.replay(record, snapshot);
  const mismatch = compareLogs(record.logs, replayed.logs) ?? compareEnd(record, replayed);
  return { record, replayed, mismatch };
}
