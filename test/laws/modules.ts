import { testModule } from "../../sdk/laws/test-game.js";
import { autoBattlerLaws } from "../support/laws/auto-battler.js";
import { guardiansLaws } from "../support/laws/guardians.js";
import { miniGamesLaws } from "../support/laws/mini-games.js";
import { lawOptions } from "../support/laws/options.js";
import { pistolsLaws } from "../support/laws/pistols.js";
import { ticTacToeLaws } from "../support/laws/tic-tac-toe.js";
import { warmancerLaws } from "../support/laws/warmancer.js";

const SHORT = [miniGamesLaws, pistolsLaws, ticTacToeLaws];
/** Games whose bots think for a long time. */
const LONG = [autoBattlerLaws, guardiansLaws, warmancerLaws];

// The games with the largest engines compute many more matches in test/games/*/parity.ts.
const PREVIEWS = process.env.THOROUGH ? 30 : 10;

for (const game of process.env.THOROUGH ? [...SHORT, ...LONG] : SHORT) {
  testModule({ ...game, module: game.module! }, { ...lawOptions, previews: PREVIEWS });
}
