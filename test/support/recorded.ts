import { MatchSynthesizer } from "../../scripts/record/match-synthesizer.js";
import { Random } from "../../scripts/soak/random.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { MatchRecord } from "../../sdk/chain/record.js";

/** A finished match in its game's final state. */
export interface Recorded {
  game: GameModule;
  record: MatchRecord;
}

/** Matches of all games, the same in every run. */
export async function recordAll(): Promise<{ archive: Archive; matches: Recorded[] }> {
  return new Random("fuzz").instead(async () => {
    const recorder = new MatchSynthesizer();
    const played: { game: GameModule; matchId: bigint }[] = [];
    for (const game of games) {
      // A long match only has more bytes of the same kinds than a short match.
      const modes = game.demo === undefined ? Object.keys(game.modes) : [game.demo];
      for (const mode of modes) played.push({ game, matchId: await recorder.play(game, game.modes[mode].content) });
    }
    const archive = recorder.done();
    const matches = played.map(async ({ game, matchId }) => ({ game, record: await archive.match(matchId) }));
    return { archive, matches: await Promise.all(matches) };
  });
}

let all: ReturnType<typeof recordAll> | undefined;

/** Returns the matches of `recordAll`, which are recorded once. */
export function recorded(): ReturnType<typeof recordAll> {
  return (all ??= recordAll());
}
