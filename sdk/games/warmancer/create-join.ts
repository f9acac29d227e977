import { hexOf, sized, WORD_BYTES } from "../../protocol/bytes.js";
import { keccak } from "../../protocol/hash.js";
import type { Hex } from "../../protocol/hex.js";
import { MAX_NOTE_BYTES, NO_STATE } from "../../protocol/commit-reveal.js";
import { Seat } from "../../protocol/status.js";
import { checkRanks } from "./army.js";
import { checkLength, checkStateHash, goesOn, offered, type Match, type Outcome, type State } from "./state.js";
import { startPosition } from "./position.js";
import { ContractError } from "./contract-error.js";
import { tilesOf } from "./tiles.js";

/**
 * Creates a match with player 1's root and a note or, in a casual match, with player 1's ranks.
 * @throws ContractError if the contract would revert.
 */
export function create({ mode, rated }: Match, data: Hex): Outcome {
  const bytes = sized(data, "createData", 0, Infinity);
  if (!mode.casual) {
    checkLength(bytes, WORD_BYTES, WORD_BYTES + MAX_NOTE_BYTES);
    return offered(rootIn(bytes));
  }
  if (rated) throw new ContractError("CasualIsUnrated");
  const pawns = tilesOf(mode.setup1).length;
  checkLength(bytes, pawns, pawns);
  checkRanks(mode, bytes);
  return offered(hexOf(keccak(bytes)));
}

/**
 * Joins a match with the roots of player 1 and player 2 or, in a casual match, with the ranks of both.
 * @throws ContractError if the contract would revert.
 */
export function join({ mode, matchId }: Match, state: State, data: Hex): Outcome {
  const answer = sized(data, "joinData", 0, Infinity);
  const check = (brought: Hex) => checkStateHash(matchId, state, { round: 0, state: brought, commitment: NO_STATE });
  if (!mode.casual) {
    checkLength(answer, 2 * WORD_BYTES, 2 * WORD_BYTES + MAX_NOTE_BYTES);
    const root1 = hexOf(answer.subarray(0, WORD_BYTES));
    check(root1);
    const roots = [root1, rootIn(answer.subarray(WORD_BYTES))];
    return goesOn(Seat.One, startPosition(mode, { roots }));
  }
  const pawns = tilesOf(mode.setup1).length;
  checkLength(answer, 2 * pawns, 2 * pawns);
  const [ranks1, ranks2] = [answer.subarray(0, pawns), answer.subarray(pawns)];
  check(hexOf(keccak(ranks1)));
  checkRanks(mode, ranks2);
  return goesOn(Seat.One, startPosition(mode, { ranks: [ranks1, ranks2] }));
}

/** Returns the root at the start of bytes. */
function rootIn(data: Uint8Array): Hex {
  const root = hexOf(data.subarray(0, WORD_BYTES));
  if (root === NO_STATE) throw new ContractError("ZeroRoot");
  return root;
}
