import { packedEntry } from "../../sdk/games/entry-codec.js";
import { byteListMove } from "../../sdk/games/move-codec.js";
import { oneRound } from "../../sdk/games/one-round.js";
import { Dice } from "../../sdk/protocol/dice.js";
import { integer, list } from "../../sdk/protocol/input.js";
import { layout } from "../../sdk/protocol/layout.js";

export const HIGHEST = 20;

/** Definition of `highPair`, for games with changed rules. */
export const definition = {
  name: "high-pair",
  contract: "HighPair",
  abi: ["function preview(bytes32, bytes, bytes, bytes) view returns (uint8, uint256[])"],
  modes: { default: { content: "0x" } },
  rules: {
    move: { ...byteListMove("CARD CARD"), read: () => list(integer(1, HIGHEST), 2) },
    random: (_mode: object, source: { below(n: number): number }) => [1, 1].map((min) => min + source.below(HIGHEST)),
    play({ moves, seed }: { moves: readonly [number[], number[]]; seed: string }) {
      const [sum1, sum2] = moves.map(([one, two]) => one + two);
      const winner = sum1 === sum2 ? 0 : sum1 > sum2 ? 1 : 2;
      return { winner, entries: [{ sum1, sum2, die: new Dice(seed).roll(0).lane(0, 4) }] };
    },
    entry: packedEntry(layout({ sum1: [0, 8], sum2: [8, 8], die: [16, 2] })),
  },
};

/** A game of two cards each, described in HighPair.sol, which omits everything that has a default. */
export const highPair = oneRound(definition);
