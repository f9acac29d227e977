import { testLaws } from "../../sdk/laws/laws.js";
import type { LawGame } from "../../sdk/laws/game.js";
import { autoBattlerLaws } from "../support/laws/auto-battler.js";
import { guardiansLaws } from "../support/laws/guardians.js";
import { miniGamesLaws } from "../support/laws/mini-games.js";
import { lawOptions } from "../support/laws/options.js";
import { penniesLaws } from "../support/laws/pennies.js";
import { pistolsLaws } from "../support/laws/pistols.js";
import { ticTacToeLaws } from "../support/laws/tic-tac-toe.js";
import { twoRoundsLaws } from "../support/laws/two-rounds.js";
import { warmancerLaws } from "../support/laws/warmancer.js";

/** Every game must obey the laws in IGame. Add a line here for a new game. */
const GAMES: LawGame[] = [autoBattlerLaws, guardiansLaws, miniGamesLaws, pistolsLaws, ticTacToeLaws, warmancerLaws];

/** Games with features that no game above has: dice in each of two rounds, and commitments by either seat. */
const SHAPES: LawGame[] = [twoRoundsLaws, penniesLaws];

for (const game of [...GAMES, ...SHAPES]) testLaws(game, lawOptions);
