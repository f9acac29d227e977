import { Seat } from "../../../sdk/protocol/status.js";
import type { State } from "../../../sdk/games/warmancer/state.js";
import { Phase } from "../../../sdk/games/warmancer/position.js";

/** Outcome of an action: accepted, or rejected with the name of a custom error. */
export type Verdict = "taken" | "NotDue" | "SetupNotDue" | "WrongStatus" | "WrongTable";

/** Kinds of actions, each at its number; the last one represents all unknown kinds. */
export const KINDS = ["commit", "answer", "reveal", "prove", "move", "concede", "setup", "unknown"] as const;

/** Every phase of a match, with a readable name. */
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

type Kind = (typeof KINDS)[number];

/** Kinds of actions that are accepted in a phase, and the kind that can end the game. */
interface Due {
  taken: readonly Kind[];
  /** Kind that can include its sender's setup, if it ends the game and the sender must show its setup first. */
  ending?: Kind;
}

const DUE: Readonly<Record<Exclude<PhaseName, "over">, Due>> = {
  "commitment due": { taken: ["commit", "concede"] },
  "answer due": { taken: ["answer", "concede"] },
  "reveal due": { taken: ["reveal", "concede"], ending: "reveal" },
  "proofs due": { taken: ["prove", "concede"], ending: "prove" },
  "open move due, sequential": { taken: ["move", "concede"], ending: "move" },
  "open move due, casual, going first": { taken: ["move"] },
  "open move due, casual, going second": { taken: ["move"] },
  "open move due, casual and sequential": { taken: ["move"] },
  "reply to Stuck due": { taken: ["move", "concede"], ending: "move" },
  "reply to Stuck due, casual": { taken: ["move"] },
  "setup due of the winner": { taken: ["setup"] },
  "setup due of player 1 in a draw": { taken: ["setup"] },
  "setup due of player 2 in a draw": { taken: ["setup"] },
};

/**
 * Returns the outcome of an action without other faults.
 * @param kind Index in KINDS.
 * @param riding True if it includes its sender's setup.
 * @param ends True if it ends the game and its sender must show its setup first.
 */
export function verdictOf(phase: PhaseName, kind: number, riding: boolean, ends: boolean): Verdict {
  if (phase === "over") return "WrongStatus";
  const name = KINDS[kind];
  const { taken, ending } = DUE[phase];
  // A setup is a separate action, and cannot include a second setup.
  if (riding && name === "setup") return "SetupNotDue";
  if (!taken.includes(name)) return "NotDue";
  return !riding || (name === ending && ends) ? "taken" : "SetupNotDue";
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
