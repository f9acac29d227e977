import { randomBytes } from "ethers";
import { hexOf } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import type { CommittedMoves } from "../commit-reveal.js";
import { ACTIONS, ALL_BLADES, areBlades, MAX_PACES, type Blades } from "./legal-moves.js";
import { foresee, lengths, stateOf } from "./replay.js";

/** Move of a round: paces in round 1, blades in round 2. */
export type PistolsMove = number | Blades;

/** Moves of both rounds: reading, suggestions and predictions. */
export const committedRounds: CommittedMoves<PistolsMove> = {
  usage: ["PACES", "PACES"],
  later: `BLADES: one or two of ${ACTIONS.join(", ")}`,
  rounds: 2,
  lengths,
  parse: readMove,
  check: checkedMove,
  args: (move) => (typeof move === "number" ? [String(move)] : bladesArgs(move)),
  encode: (move) => hexOf(Uint8Array.from([move].flat())),
  suggest: anyRound,
  choices: async (round) =>
    round === 1
      ? Array.from({ length: MAX_PACES }, (_, i) => String(i + 1))
      : ALL_BLADES.map((blades) => bladesArgs(blades).join(" ")),
  async foresee(record, secret, history) {
    const { over, health } = await foresee(record, secret, history);
    return { over, text: `round 1 leaves player 1 with ${health[0]} of 3 health, player 2 with ${health[1]}` };
  },
  state: stateOf,
};

/**
 * Returns the command-line arguments of a move of round 2.
 * @example
 * ```ts
 * import { bladesArgs } from "duello/games/pistols";
 *
 * bladesArgs([1, 3]); // => ["light", "block"]
 * ```
 */
export function bladesArgs(blades: Blades): string[] {
  return blades.map((action) => ACTIONS[action]);
}

/**
 * Reads a move, which may be illegal: a number of paces, `5`, or one or two names of actions, `light block`. The second
 * name defaults to `idle`.
 * @throws InputError for anything else.
 */
export function readMove(moveArgs: readonly string[]): PistolsMove {
  if (moveArgs.length === 1 && /^\d+$/.test(moveArgs[0])) return Number(moveArgs[0]);
  if (moveArgs.length !== 1 && moveArgs.length !== 2)
    throw new InputError("move", `${moveArgs.length} words instead of 1 or 2`);
  const [first, second] = [...moveArgs, "idle"].map((arg) => {
    const action = ACTIONS.findIndex((name) => name === arg.toLowerCase());
    if (action < 0) throw new InputError("blades", `${arg} is none of ${ACTIONS.join(", ")}`);
    return action;
  });
  return [first, second];
}

/** Returns a move of a round unchanged. @throws InputError for a move against the rules. */
export function checkedMove(move: PistolsMove, round: number): PistolsMove {
  const isPaces = typeof move === "number";
  if (isPaces && !(Number.isInteger(move) && move >= 1 && move <= MAX_PACES))
    throw new InputError("paces", `${move} is not between 1 and ${MAX_PACES}`);
  if (!isPaces && !areBlades(move))
    throw new InputError("blades", `${ACTIONS[move[0]]}, then ${ACTIONS[move[1]]} is no move`);
  if (isPaces !== (round === 1)) throw new InputError("move", round === 1 ? "it is paces, 1 to 10" : "it is blades");
  return move;
}

/** Suggests any move of a round. */
async function anyRound(round: number): Promise<PistolsMove> {
  const [random] = randomBytes(1);
  return round === 1 ? 1 + (random % MAX_PACES) : ALL_BLADES[random % ALL_BLADES.length];
}
