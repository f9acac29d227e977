import { differs, type Mismatch } from "../../protocol/mismatch.js";
import { sideOf } from "../../protocol/sides.js";
import { Seat } from "../../protocol/status.js";
import type { HiddenState } from "../module.js";
import type { MatchRecord } from "../../chain/record.js";
import { ContractError } from "./contract-error.js";
import { decodeAction } from "./decode-action.js";
import { rootBy } from "./moves.js";
import { setupBehind } from "./player.js";
import type { Position } from "./position.js";
import { RANKS } from "./ranks.js";
import { replayMatch } from "./replay.js";
import { checkSetup, rootOf, type Proof, type Setup } from "./setup.js";
import type { Match } from "./state.js";
import { drawSetup } from "./story.js";
import { tileName, tilesOf } from "./tiles.js";

/** Hidden state of Warmancer: armies. The loser's army may remain hidden when a match ends. */
export const hiddenArmy: HiddenState = {
  noun: "army",
  async commitmentOf(record, seat, history) {
    const { roots, match, state } = await replayMatch(record, history);
    const side = sideOf(Number(seat));
    if (state.position === undefined || roots[side] === undefined) return undefined;
    return { committed: roots[side], scheme: rootBy(match.players[side]) };
  },
  async mismatch(record, seat, secret, history) {
    const past = await replayMatch(record, history);
    const { match, state } = past;
    if (state.position === undefined) throw new Error(`Player 2 has not joined match ${match.matchId}.`);
    return setupMismatch(record, match, state.position, seat, setupBehind(secret));
  },
  async draw(record, seat, secret, history, paint) {
    return drawSetup(await replayMatch(record, history), seat, secret, paint);
  },
  shownParts: (record, seat) => proofsOf(record, seat).length,
};

/** Lists the proofs of ranks that a seat has sent. */
function proofsOf({ actions }: MatchRecord, seat: bigint): Proof[] {
  return actions.filter((each) => each.seat === seat).flatMap(({ data }) => decodeAction(data).proofs);
}

/** Returns the first contradiction between a setup and what a player has proved, committed to, and moved. */
function setupMismatch(
  record: MatchRecord,
  { mode, players }: Match,
  { rules, sides }: Position,
  seat: bigint,
  setup: Setup,
): Mismatch | undefined {
  const index = sideOf(Number(seat));
  const [side, player] = [sides[index], players[index]];
  const [expected, found] = [side.tiles.length, setup.ranks.length];
  if (found !== expected) return differs("number of pawns", expected, found);
  const wrong = proofsOf(record, seat).find(({ slot, rank }) => setup.ranks[slot] !== rank);
  if (wrong) {
    const tile = tilesOf(seat === Seat.One ? mode.setup1 : mode.setup2)[wrong.slot];
    const what = `proved rank of the pawn set up on ${tileName(tile)}`;
    return differs(what, nameOf(wrong.rank), nameOf(setup.ranks[wrong.slot]));
  }
  const root = rootOf(player, setup);
  if (root !== side.root) return differs("root of the setup", side.root, root);
  try {
    checkSetup(rules, side, player, setup);
    return undefined;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    // The setup matches its commitment, but breaks a rule.
    return { what: `against the rules: ${error.message.replace(/\.$/, "")}` };
  }
}

function nameOf(rank: number): string {
  return RANKS[rank]?.name ?? `${rank}, which is none`;
}
