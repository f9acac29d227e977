import { committedThenOpen } from "../../sdk/games/committed-then-open.js";
import { packedEntry } from "../../sdk/games/entry-codec.js";
import { byteMove } from "../../sdk/games/move-codec.js";
import { Dice } from "../../sdk/protocol/dice.js";
import { InputError, integer } from "../../sdk/protocol/input.js";
import { layout } from "../../sdk/protocol/layout.js";

const MAX_LAID = 9;
const MAX_TAKEN = 3;
const SIDES = 6;

/** Fields of a position, in bits. */
const POSITION = layout({ left: [0, 8], taken: [8, 8], turns: [16, 16] });

/** Returns the player whose turn it is after a number of turns; player 2 moves first. */
function playerAfter(turns: number): number {
  return turns % 2 === 0 ? 2 : 1;
}

/** Sticks, described in Sticks.sol: a committed round lays a heap, from which the players take in turns. */
export const sticks = committedThenOpen({
  name: "sticks",
  contract: "Sticks",
  abi: ["function preview(bytes32, bytes, uint256, uint256, uint256[]) view returns (uint256[])"],
  modes: { default: { content: "0x" } },
  rules: {
    committed: {
      move: { ...byteMove("STICKS"), read: () => integer(1, MAX_LAID) },
      noun: "some sticks",
      random: (_mode, source) => 1 + source.below(MAX_LAID),
      choose: () => MAX_LAID,
    },
    start: ({ seed, moves: [one, two] }) => {
      return { left: one + two + 1 + new Dice(seed).roll(0).lane(0, SIDES), taken: 0, turns: 0 };
    },
    startText: ({ left }) => `A heap of ${left} sticks`,
    noun: "turn",
    verb: "takes",
    move: { ...byteMove("STICKS"), read: () => integer(1, MAX_TAKEN) },
    turn: ({ left, turns }) => (left === 0 ? 0 : playerAfter(turns)),
    winner: ({ left, turns }) => (left === 0 ? playerAfter(turns - 1) : 0),
    legalMoves: ({ left }) => [1, 2, 3].filter((taken) => taken <= left),
    after({ left, turns }, taken, _mode, path) {
      if (taken > left) throw new InputError(path, `${taken} sticks of ${left} cannot be taken`);
      return { left: left - taken, taken, turns: turns + 1 };
    },
    last: ({ turns, taken }) => (turns ? { player: playerAfter(turns - 1), move: taken } : undefined),
    entry: packedEntry(POSITION, ({ taken }) => taken <= MAX_TAKEN),
    draw: ({ left }) => [`  ${"|".repeat(left)}`],
    summary: ({ left }) => ({ left }),
    measure: (output) => ({ rest: (output as { left: number }).left }),
    choose: ({ left }) => left % (MAX_TAKEN + 1) || 1,
  },
});
