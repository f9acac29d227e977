import { concat } from "ethers";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { moveOf } from "../../../sdk/games/warmancer/legal-moves.js";
import { readMove } from "../../../sdk/games/warmancer/notation.js";
import { Kind, type Match } from "../../../sdk/games/warmancer/state.js";
import { SCOUT, THRONE, WARLORD } from "../../../sdk/games/warmancer/ranks.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Random } from "../../../sdk/laws/random.js";
import { EngineDriver, type Choice } from "../warmancer.js";
import { anyRanks, biggestBoard, SWITCHES } from "./boards.js";

const LONGEST_NOTE = 96;
const SEAL_BYTES = 32;
/** The first slot in the row that faces the other side. */
const FRONT = 48;

/** A mode with 64 pawns per side. */
export const BIGGEST = biggestBoard({ ...SWITCHES[0], maxTurns: 2 });

/**
 * Plays a match whose last action is the most expensive one. Player 2 proves its ranks in both battles of a turn, beats
 * the Throne, and shows a setup of 64 pawns, after a useless next commitment with the longest note.
 */
export function dearestMatch(match: Match, random: Random): EngineDriver {
  const setups = [
    { secret: random.word(), ranks: placed(anyRanks(BIGGEST, random), { [FRONT]: THRONE, [FRONT + 1]: SCOUT }) },
    { secret: random.word(), ranks: placed(anyRanks(BIGGEST, random), { 0: WARLORD, 1: SCOUT }) },
  ] as const;
  const [own, others] = [7 * 16, 8 * 16];
  const orders = [moveOf(own + 1, others + 1), moveOf(others, own)];
  const driver = new EngineDriver(match, setups, random, (_moves, _position, side) => orders[side]);
  Object.assign(driver.notes, { root: LONGEST_NOTE, commitment: LONGEST_NOTE });
  driver.start().play(3);
  const proofs = driver.proofs(driver.fight(Kind.Prove).due);
  const body = concat([proofs, random.note(SEAL_BYTES + LONGEST_NOTE)]);
  driver.send(Seat.Two, encodeAction(Kind.Prove, driver.position, body, setups[1]));
  return driver;
}

/** Moves by turn on the Classic board that lead to two battles in turn 3. Later moves are arbitrary. */
const TO_TWO_BATTLES = ["a4-a5 b7-b6", "a5-a6 b6-b5", "a6-a7 b5-b4"].map((turn) => turn.split(" ").map(readMove));

/**
 * Returns a match with a turn in which both movers attack and beat a pawn that stays, while all four are hidden.
 */
export function twoBattles(match: Match, random: Random): EngineDriver {
  const setups = [
    { secret: random.word(), ranks: placed(anyRanks(match.mode, random), { 30: WARLORD, 31: SCOUT }) },
    { secret: random.word(), ranks: placed(anyRanks(match.mode, random), { 0: SCOUT, 1: WARLORD }) },
  ] as const;
  const choice: Choice = (moves, { turn }, side) => TO_TWO_BATTLES[turn - 1]?.[side] ?? moves[0];
  return new EngineDriver(match, setups, random, choice);
}

/** Returns the ranks in an order that has the wanted ones in certain slots. */
function placed(ranks: readonly number[], wanted: Readonly<Record<number, number>>): number[] {
  const order = [...ranks];
  const slots = Object.keys(wanted).map(Number);
  for (const slot of slots) {
    const from = order.findIndex(
      (rank, at) => rank === wanted[slot] && !slots.slice(0, slots.indexOf(slot)).includes(at),
    );
    [order[slot], order[from]] = [order[from], order[slot]];
  }
  return order;
}
