import { concat } from "ethers";
import { encodeAction } from "../../sdk/games/warmancer/actions.js";
import { moveOf } from "../../sdk/games/warmancer/moves.js";
import { Kind, type Match } from "../../sdk/games/warmancer/protocol.js";
import { SCOUT, THRONE, WARLORD } from "../../sdk/games/warmancer/ranks.js";
import { Seat } from "../../sdk/status.js";
import type { Random } from "../laws/random.js";
import { Campaign } from "../warmancer-support.js";
import { anyRanks, biggestBoard, SWITCHES } from "./boards.js";

const LONGEST_NOTE = 96;
const SEAL_BYTES = 32;
/** The first slot in the row that faces the other side. */
const FRONT = 48;

/** 64 pawns a side. */
export const BIGGEST = biggestBoard({ ...SWITCHES[0], maxTurns: 2 });

/**
 * A match whose last action is the dearest: player 2 proves its ranks in both battles of a turn, beats the Throne, and shows
 * a setup of 64 pawns; a next seal with the longest note, which nobody needs, lies between.
 */
export function dearestMatch(match: Match, random: Random): Campaign {
  const setups = [
    { secret: random.word(), ranks: led(anyRanks(BIGGEST, random), FRONT, THRONE) },
    { secret: random.word(), ranks: led(anyRanks(BIGGEST, random), 0, WARLORD) },
  ] as const;
  const [own, others] = [7 * 16, 8 * 16];
  const orders = [moveOf(own + 1, others + 1), moveOf(others, own)];
  const campaign = new Campaign(match, setups, random, (_moves, _position, side) => orders[side]);
  Object.assign(campaign.notes, { root: LONGEST_NOTE, seal: LONGEST_NOTE });
  campaign.start().play(3);
  const proofs = campaign.proofs(campaign.fight(Kind.Prove).due);
  const body = concat([proofs, random.note(SEAL_BYTES + LONGEST_NOTE)]);
  campaign.send(Seat.Two, encodeAction(Kind.Prove, campaign.position, body, setups[1]));
  return campaign;
}

/** Ranks with a certain one in a slot, and a Scout beside it. */
function led(ranks: readonly number[], slot: number, rank: number): number[] {
  const order = [...ranks];
  for (const [at, wanted] of [
    [slot, rank],
    [slot + 1, SCOUT],
  ]) {
    const from = order.indexOf(wanted);
    [order[at], order[from]] = [order[from], order[at]];
  }
  return order;
}
