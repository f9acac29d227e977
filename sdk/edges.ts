import { getBytes, hexlify, toUtf8Bytes } from "ethers";
import { Dice } from "./dice.js";
import { measured } from "./games/edges.js";
import type { GameModule, StockMode } from "./games/module.js";
import { keccak } from "./hash.js";
import type { Hex } from "./seal.js";

/** How matches between players who move at random have ended. */
export interface Edge {
  player1: number;
  player2: number;
  draws: number;
}

/** How many matches the table of edges is made from. */
export const EDGE_RUNS = 20_000;

/** Up to this part of the matches, a seat's surplus of wins is nothing to speak of. */
const NOTABLE = 0.02;

/** Dice for matches at random, the same for the same seed. */
export class Chance {
  private readonly dice: Dice;
  private rolls = 0;

  /** @param seed 32 bytes, for the match itself. */
  constructor(readonly seed: Hex) {
    this.dice = new Dice(keccak(getBytes(seed)));
  }

  /** 0..n-1, for n up to 2^21. */
  below(n: number): number {
    return this.dice.roll(this.rolls++).lane(0, n);
  }
}

/** Plays matches at random in a mode, the same ones each time. */
export async function measureEdge(game: GameModule, mode: StockMode): Promise<Edge> {
  const ends = [0, 0, 0];
  for (let run = 0; run < EDGE_RUNS; run++) {
    const seed = hexlify(keccak(toUtf8Bytes(`${game.name} ${mode.content} ${run}`)));
    const input = game.atRandom(mode.content, new Chance(seed));
    const { winner } = (await game.simulate(input)) as { winner: number };
    ends[winner]++;
  }
  return { player1: ends[1], player2: ends[2], draws: ends[0] };
}

/** What players should know of a stock mode before they take a seat, if there is something. */
export function weaknessOf(game: GameModule, name: string): string | undefined {
  const { player1, player2 } = measured[game.name][name];
  const { weakness } = game.modes[name];
  if (weakness === undefined && Math.abs(player1 - player2) < NOTABLE * EDGE_RUNS) return undefined;
  const counts = `Of ${EDGE_RUNS} matches at random player 1 won ${player1}, player 2 ${player2}.`;
  return weakness === undefined ? counts : `${weakness} ${counts}`;
}
