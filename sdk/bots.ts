// Shared parts of programs that play: random numbers, equilibria, learning, perfect play, choosing teams.
export { forecast, type PastGame } from "./bots/learning.js";
export { solve, type Equilibrium, type Payoffs } from "./bots/matrix-game.js";
export { PerfectStrategy, type Position, type SmallGame } from "./bots/perfect.js";
export { SeededRandom } from "./bots/seeded-random.js";
export {
  cryptoSource,
  pick,
  pickWeighted,
  QuickSource,
  shuffle,
  sourceFrom,
  type RandomSource,
} from "./bots/source.js";
export type { Strategy } from "./bots/strategy.js";
export { BATTLES, TeamStrategy, type TeamChoice, type TeamGame, type TeamView } from "./bots/teams.js";

// Strategies of games. None of them reads a chain, so a Worker or another program can run them.
export { autoBattlerStrategy } from "./games/auto-battler/bot.js";
export { guardiansStrategy } from "./games/guardians/bot.js";
export { EPSILON, MiniGameStrategy, type MiniGameView } from "./games/mini-games/bot.js";
export { bladesStrategy, pacesStrategy, type BladesView, type DuelView } from "./games/pistols/bot.js";
export { perfectPlayers as ticTacToeStrategies } from "./games/tic-tac-toe/bot.js";
export { greedyWarmancer } from "./games/warmancer/bot/greedy.js";
export { PurposefulWarmancer } from "./games/warmancer/bot/purposeful.js";
export { suggestSetup as suggestWarmancerSetup } from "./games/warmancer/bot/setup.js";
export {
  movesIn as warmancerMovesIn,
  randomWarmancer,
  type WarmancerStrategy,
  type WarmancerView,
} from "./games/warmancer/bot/view.js";
