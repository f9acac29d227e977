import { byteMove, cryptoSource, Dice, integer, layout, oneRound, packedEntry, pickWeighted, solve } from "duello";
import artifact from "../artifacts/contracts/Brink.sol/Brink.json" with { type: "json" };

const STEPS = 10;

/** Fields of the log entry, in bits: the steps of both players, the edge and the winner. */
const LOG = layout({ one: [0, 8], two: [8, 8], edge: [16, 8], winner: [24, 2] });

/** Brink: walk as close to the edge of a cliff as you can, without falling. */
export const brink = oneRound({
  name: "brink",
  summary: "Walk as close to the edge as you can. A die tells where it is.",
  contract: "Brink",
  abi: artifact.abi,
  artifact,
  modes: { default: { content: "0x" } },
  errors: { WrongSteps: "A player walks 1 to 10 steps, not {steps}." },
  rules: {
    noun: "steps",
    move: { ...byteMove("STEPS"), read: () => integer(1, STEPS) },
    random: (_mode, source) => 1 + source.below(STEPS),
    choices: () => WALKS,
    choose: () => 1 + pickWeighted(solve(PAYOFFS).rows, cryptoSource),
    play({ seed, moves: [one, two] }) {
      const edge = 1 + new Dice(seed).roll(0).lane(0, STEPS);
      const winner = winnerOf(one, two, edge);
      return { winner, entries: [{ one, two, edge, winner }] };
    },
    entry: packedEntry(LOG, ({ winner }) => winner <= 2),
  },
});

/** All moves. The edge can be as far away as any of them reaches. */
export const WALKS = Array.from({ length: STEPS }, (_, i) => 1 + i);

/** Matches won less matches lost, by the steps of both players, over all edges. The computer plays the equilibrium. */
const PAYOFFS = WALKS.map((one) =>
  WALKS.map((two) => WALKS.reduce((sum, edge) => sum + [0, 1, -1][winnerOf(one, two, edge)], 0)),
);

function winnerOf(one: number, two: number, edge: number): number {
  const [reach1, reach2] = [one, two].map((steps) => (steps > edge ? 0 : steps));
  return reach1 === reach2 ? 0 : reach1 > reach2 ? 1 : 2;
}

/** Drawings for the web page. */
export const views = { brink: () => import("./view.js") };
