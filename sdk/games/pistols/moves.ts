import { concat, randomBytes, toBeHex } from "ethers";
import type { Hex } from "../../protocol/hex.js";
import { InputError } from "../../protocol/input.js";
import type { CommittedMoves } from "../commit-reveal.js";
import { ACTIONS, ALL_BLADES, areBlades, MAX_PACES, type Blades } from "./legal-moves.js";
import { foresee, lengths, stateOf } from "./replay.js";

/** Moves of both rounds: reading, suggestions and predictions. */
export const committedRounds: CommittedMoves = {
  usage: ["PACES", "PACES"],
  later: `BLADES: one or two of ${ACTIONS.join(", ")}`,
  rounds: 2,
  lengths,
  read: readRound,
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

/** Returns the command-line arguments of a move of round 2. */
export function bladesArgs(blades: Blades): string[] {
  return blades.map((action) => ACTIONS[action]);
}

/**
 * Reads a move: a number of paces, `5`, or one or two names of actions, `light block`; a missing second one is `idle`.
 * @throws InputError for anything else.
 */
export function readMove(moveArgs: readonly string[]): Hex {
  if (moveArgs.length === 1 && /^\d+$/.test(moveArgs[0])) {
    const paces = Number(moveArgs[0]);
    if (paces < 1 || paces > MAX_PACES)
      throw new InputError("paces", `${moveArgs[0]} is not between 1 and ${MAX_PACES}`);
    return toBeHex(paces, 1);
  }
  if (moveArgs.length !== 1 && moveArgs.length !== 2)
    throw new InputError("move", `${moveArgs.length} words instead of 1 or 2`);
  const slots = [...moveArgs, "idle"].slice(0, 2).map((arg) => {
    const action = ACTIONS.findIndex((name) => name === arg.toLowerCase());
    if (action < 0) throw new InputError("blades", `${arg} is none of ${ACTIONS.join(", ")}`);
    return action;
  });
  const [first, second] = slots;
  if (!areBlades([first, second]))
    throw new InputError("blades", `${ACTIONS[first]}, then ${ACTIONS[second]} is no move`);
  return concat(slots.map((slot) => toBeHex(slot, 1)));
}

/**
 * Reads the move of a round: paces in round 1, blades in round 2.
 * @throws InputError for arguments that make no move of the round.
 */
export function readRound(moveArgs: readonly string[], round: number): Hex {
  const move = readMove(moveArgs);
  const isPaces = move.length === 4;
  if (isPaces !== (round === 1)) throw new InputError("move", round === 1 ? "it is paces, 1 to 10" : "it is blades");
  return move;
}

/** Suggests any move of a round, as arguments of the command line. */
async function anyRound(round: number): Promise<string[]> {
  const [random] = randomBytes(1);
  if (round === 1) return [String(1 + (random % MAX_PACES))];
  return bladesArgs(ALL_BLADES[random % ALL_BLADES.length]);
}
