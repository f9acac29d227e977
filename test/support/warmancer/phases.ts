import { Seat } from "../../../sdk/protocol/status.js";
import type { State } from "../../../sdk/games/warmancer/state.js";
import { Phase } from "../../../sdk/games/warmancer/position.js";

/** The fate of an action: it is taken, or refused by the name of a custom error. */
export type Verdict = "taken" | "NotDue" | "SetupNotDue" | "WrongStatus";

/** Kinds of actions, each at its number; the last stands for all that do not exist. */
export const KINDS = ["commit", "answer", "reveal", "prove", "move", "concede", "setup", "unknown"] as const;

/** Every phase of a match, as a reader would name it. */
export const PHASES = [
  "commitment due",
  "answer due",
  "reveal due",
  "proofs due",
  "open move due, sequential",
  "open move due, casual, going first",
  "open move due, casual, going second",
  "open move due, casual and sequential",
  "reply to Stuck due",
  "reply to Stuck due, casual",
  "setup due of the winner",
  "setup due of player 1 in a draw",
  "setup due of player 2 in a draw",
  "over",
] as const;

export type PhaseName = (typeof PHASES)[number];

/**
 * A row for each phase: the kinds in their order, by themselves, then with a setup that rides on them. + is taken, e
 * taken if the action ends the game and its sender is the first to show its setup, else SetupNotDue; . is NotDue, s
 * SetupNotDue, x WrongStatus, which is the arena's.
 */
const TABLE = [
  "+....+.. s....ss.",
  ".+...+.. .s...ss.",
  "..+..+.. ..e..ss.",
  "...+.+.. ...e.ss.",
  "....++.. ....ess.",
  "....+... ....s.s.",
  "....+... ....s.s.",
  "....+... ....s.s.",
  "....++.. ....ess.",
  "....+... ....s.s.",
  "......+. ......s.",
  "......+. ......s.",
  "......+. ......s.",
  "xxxxxxxx xxxxxxxx",
];

const SIGNS: Readonly<Record<string, Verdict>> = { "+": "taken", ".": "NotDue", s: "SetupNotDue", x: "WrongStatus" };

/**
 * Returns the fate of an action that is otherwise in order.
 * @param kind Index in KINDS.
 * @param riding Whether its sender's setup rides on it.
 * @param ends Whether it ends the game with a setup to be shown, its sender's first.
 */
export function verdictOf(phase: PhaseName, kind: number, riding: boolean, ends: boolean): Verdict {
  const sign = TABLE[PHASES.indexOf(phase)].split(" ")[Number(riding)][kind];
  return sign === "e" ? (ends ? "taken" : "SetupNotDue") : SIGNS[sign];
}

/** Returns the phase of a match that has been joined. */
export function phaseOf({ turn, position }: Required<Pick<State, "turn" | "position">>): PhaseName {
  const { phase, mover, rules } = position;
  const moves = Number(turn) === mover;
  if (turn === Seat.None) return "over";
  if (phase === Phase.Commit) return "commitment due";
  if (phase === Phase.Round) return moves ? "reveal due" : "answer due";
  if (phase === Phase.Prove) return "proofs due";
  if (phase === Phase.Reply) return rules.casual ? "reply to Stuck due, casual" : "reply to Stuck due";
  if (phase === Phase.Won) return "setup due of the winner";
  if (phase === Phase.Drawn) return "setup due of player 1 in a draw";
  if (phase === Phase.Drawn2) return "setup due of player 2 in a draw";
  if (!rules.casual) return "open move due, sequential";
  if (rules.sequential) return "open move due, casual and sequential";
  return moves ? "open move due, casual, going first" : "open move due, casual, going second";
}
