import { hexOf, sized } from "../../protocol/bytes.js";
import { keccak } from "../../protocol/hash.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/seal.js";
import { Seat } from "../../protocol/status.js";
import { checkRanks } from "./army.js";
import { checkLength, checkWord, goesOn, offered, type Match, type Outcome, type State } from "./match.js";
import { startPosition } from "./position.js";
import { Refusal } from "./refusal.js";
import { tilesOf } from "./tiles.js";

const WORD = 32;
const MOST_NOTE = 96;

/** Player 1 creates a match with its root and a note; casual: with its ranks. @throws Refusal as the contract does. */
export function create({ mode, rated }: Match, data: Hex): Outcome {
  const opening = sized(data, "opening", 0, Infinity);
  if (!mode.casual) {
    checkLength(opening, WORD, WORD + MOST_NOTE);
    return offered(rootIn(opening));
  }
  if (rated) throw new Refusal("CasualIsUnrated");
  const pawns = tilesOf(mode.setup1).length;
  checkLength(opening, pawns, pawns);
  checkRanks(mode, opening);
  return offered(hexOf(keccak(opening)));
}

/** Player 2 joins with what player 1 has brought, and its own behind it. @throws Refusal as the contract does. */
export function join({ mode, matchId }: Match, state: State, data: Hex): Outcome {
  const answer = sized(data, "answer", 0, Infinity);
  const check = (brought: Hex) => checkWord(matchId, state, { round: 0, state: brought, seal: NO_STATE });
  if (!mode.casual) {
    checkLength(answer, 2 * WORD, 2 * WORD + MOST_NOTE);
    const root1 = hexOf(answer.subarray(0, WORD));
    check(root1);
    const roots = [root1, rootIn(answer.subarray(WORD))];
    return goesOn(Seat.One, startPosition(mode, { roots }));
  }
  const pawns = tilesOf(mode.setup1).length;
  checkLength(answer, 2 * pawns, 2 * pawns);
  const [ranks1, ranks2] = [answer.subarray(0, pawns), answer.subarray(pawns)];
  check(hexOf(keccak(ranks1)));
  checkRanks(mode, ranks2);
  return goesOn(Seat.One, startPosition(mode, { ranks: [ranks1, ranks2] }));
}

function rootIn(data: Uint8Array): Hex {
  const root = hexOf(data.subarray(0, WORD));
  if (root === NO_STATE) throw new Refusal("ZeroRoot");
  return root;
}
