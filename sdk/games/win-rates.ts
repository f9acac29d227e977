import type { WinRate } from "./module.js";

/** Win rates of the stock modes as counts of matches that sum to the runs, by game and mode; written by `npm run bench`. */
export const measured: Readonly<Record<string, Readonly<Record<string, WinRate>>>> = {
  "auto-battler": { default: { player1: 10059, player2: 9941, draws: 0 } },
  guardians: {
    default: { player1: 9893, player2: 10107, draws: 0 },
    "1v1": { player1: 9992, player2: 10008, draws: 0 },
    "5v5": { player1: 10056, player2: 9943, draws: 1 },
    "protocol-guardians": { player1: 10084, player2: 9914, draws: 2 },
  },
  "mini-games": {
    "rock-paper-scissors": { player1: 6754, player2: 6706, draws: 6540 },
    "rock-paper-scissors-challenger": { player1: 13323, player2: 6677, draws: 0 },
    coin: { player1: 5037, player2: 4994, draws: 9969 },
    "coin-challenger": { player1: 14971, player2: 5029, draws: 0 },
    dice: { player1: 8344, player2: 8341, draws: 3315 },
    "dice-challenger": { player1: 11623, player2: 8377, draws: 0 },
    "rolled-dice": { player1: 8327, player2: 8346, draws: 3327 },
    "rolled-dice-challenger": { player1: 11598, player2: 8402, draws: 0 },
    undercut: { player1: 8914, player2: 9016, draws: 2070 },
    "undercut-challenger": { player1: 11129, player2: 8871, draws: 0 },
    strategy: { player1: 9059, player2: 8962, draws: 1979 },
    "strategy-challenger": { player1: 11056, player2: 8944, draws: 0 },
  },
  pistols: {
    default: { player1: 7022, player2: 7083, draws: 5895 },
    "default, villainous": { player1: 7812, player2: 6152, draws: 6036 },
    "default, trickster": { player1: 7937, player2: 6114, draws: 5949 },
    "default, honourable": { player1: 9154, player2: 5462, draws: 5384 },
  },
  "tic-tac-toe": {
    default: { player1: 11725, player2: 5708, draws: 2567 },
    "x-wins-ties": { player1: 14124, player2: 5876, draws: 0 },
  },
  warmancer: {
    classic: { player1: 315, player2: 312, draws: 373 },
    skirmish: { player1: 486, player2: 499, draws: 15 },
    quick: { player1: 402, player2: 399, draws: 199 },
    "classic-casual": { player1: 336, player2: 286, draws: 378 },
    "classic-always-hidden": { player1: 329, player2: 285, draws: 386 },
    "classic-sequential": { player1: 230, player2: 234, draws: 536 },
    "classic-casual-sequential": { player1: 208, player2: 236, draws: 556 },
    "classic-always-hidden-sequential": { player1: 214, player2: 209, draws: 577 },
    "classic-bought": { player1: 342, player2: 302, draws: 356 },
    grand: { player1: 325, player2: 282, draws: 393 },
  },
};
