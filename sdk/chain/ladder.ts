import type { PlayerRecord, Stakes } from "../protocol/ladder.js";
import { arenaAt } from "./arena.js";
import type { History } from "./history.js";

/**
 * Reads a player's record at a game.
 * @param blockTag Block whose state is read.
 * @throws like the provider.
 * @example
 * ```ts
 * import { readRecord } from "duello";
 *
 * const { rating, wins } = await readRecord(history, addresses.Pistols, alice, 120);
 * ```
 */
export async function readRecord(
  { provider, addresses }: History,
  game: string,
  player: string,
  blockTag: number,
): Promise<PlayerRecord> {
  const arena = arenaAt(addresses.Arena, provider);
  const { rating, experience, wins, losses, draws, forfeits, lastDuel } = await arena.recordOf(game, player, {
    blockTag,
  });
  return { rating, experience, wins, losses, draws, forfeits, lastDuel };
}

/**
 * Reads the sums of a player's rated matches in a token.
 * @param blockTag Block whose state is read.
 * @throws like the provider.
 * @example
 * ```ts
 * import { COIN, readStakes } from "duello";
 *
 * const { staked, won } = await readStakes(history, alice, COIN, 120);
 * ```
 */
export async function readStakes(
  { provider, addresses }: History,
  player: string,
  token: string,
  blockTag: number,
): Promise<Stakes> {
  const arena = arenaAt(addresses.Arena, provider);
  const { staked, won } = await arena.stakesOf(player, token, { blockTag });
  return { staked, won };
}
