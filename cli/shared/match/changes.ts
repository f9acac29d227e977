import { countersText, type Fought } from "../../../sdk/games/counters.js";
import type { Characters, GameModule } from "../../../sdk/games/module.js";
import type { MatchChanges, PlayerChange } from "../../../sdk/player/stats.js";
import { levelOf, type PlayerRecord } from "../../../sdk/protocol/ladder.js";

/**
 * Describes what a match has changed: a line for each player, then a line for the characters of each player.
 * @param games Games, one of which the match plays.
 * @param names Names of the players.
 */
export function changeLines(
  changes: MatchChanges | undefined,
  games: readonly GameModule[],
  names: readonly string[] = ["Player 1", "Player 2"],
): string[] {
  if (!changes) return [];
  const { players, game, characters } = changes;
  const kind = games.find(({ name }) => name === game)?.characters;
  return [
    ...players.map((change, side) => `${names[side]}: ${playerText(change)}.`),
    ...characters.map((team, side) => `${names[side]}'s ${kind!.noun}s: ${team.map(foughtBy(kind!)).join("; ")}.`),
  ];
}

/** Describes the duels of a record, e.g. `2 wins, 1 loss, 0 draws`. */
function duelsText({ wins, losses, draws, forfeits }: PlayerRecord): string {
  const byClock = forfeits > 0n ? ` (${forfeits} by the clock)` : "";
  return `${count(wins, "win")}, ${count(losses, "loss", "losses")}${byClock}, ${count(draws, "draw")}`;
}

function playerText({ rating, experience, records }: PlayerChange): string {
  if (!records) return `rating ${rating}, experience +${experience}`;
  const { before, after } = records;
  const [level, newLevel] = [before, after].map((record) => levelOf(record.experience));
  const levels = level === newLevel ? `level ${level}` : `level ${level} → ${newLevel}`;
  return `rating ${before.rating} → ${rating}, experience +${experience} (${levels}), ${duelsText(after)}`;
}

/** Describes a character's actions in a battle; zero counters are omitted, unless all are zero. */
function foughtBy({ battleCounters }: Characters): (fought: Fought) => string {
  return ({ id, counters }) => {
    const some = battleCounters.filter((name) => counters[name] > 0n);
    return `${id}: ${countersText(counters, some.length > 0 ? some : battleCounters)}`;
  };
}

function count(number: bigint, one: string, several = `${one}s`): string {
  return `${number} ${number === 1n ? one : several}`;
}
