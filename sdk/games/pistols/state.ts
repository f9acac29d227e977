import { toBeHex, toBigInt } from "ethers";
import { sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError } from "../../protocol/input.js";
import { layout, pack, unpack } from "../../protocol/layout.js";
import { hexWord } from "../../protocol/word.js";
import type { Duelist } from "./honour.js";
import type { Pair } from "./legal-moves.js";

/**
 * State of a round. In round 1, health and paces are 0. Until player 2 has joined, its duelist is 0 too.
 */
export interface State {
  duelists: Pair<Duelist>;
  /** Health that both players have left after round 1, 0..3. */
  health: Pair<number>;
  paces: Pair<number>;
  /** True in a channel, where both players sign both duelists with the offer; undefined on chain. */
  signed?: true;
}

/** Fields of a state, in bits. */
export const STATE = layout({
  archetype1: [0, 2],
  strength1: [2, 7],
  archetype2: [9, 2],
  strength2: [11, 7],
  health1: [18, 2],
  health2: [20, 2],
  paces1: [22, 4],
  paces2: [26, 4],
  signed: [30, 1],
});

/** Encodes a state as the 32 bytes in answers and reveals. */
export function encodeState({ duelists: [one, two], health, paces, signed }: State): Hex {
  const word = pack(STATE, {
    archetype1: one.archetype,
    strength1: one.strength,
    archetype2: two.archetype,
    strength2: two.strength,
    health1: health[0],
    health2: health[1],
    paces1: paces[0],
    paces2: paces[1],
    signed: Number(signed ?? false),
  });
  return toBeHex(word, 32);
}

/**
 * Returns the state, 32 bytes, in which player 2 joins a match. On chain it lacks player 2's duelist, which is added on
 * joining.
 */
export function stateBeforeJoining(state: Hex): Hex {
  const values = unpack(STATE, toBigInt(sized(state, "state", 32)));
  if (values.signed === 1) return state;
  return toBeHex(pack(STATE, { ...values, archetype2: 0, strength2: 0 }), 32);
}

/**
 * Inverse of `encodeState`.
 * @throws InputError for bytes that are not a state.
 */
export function decodeState(data: Hex): State {
  const word = toBigInt(sized(data, "state", 32));
  const values = unpack(STATE, word);
  if (pack(STATE, values) !== word) throw new InputError("state", `${hexWord(word)} is none`);
  return {
    duelists: [
      { archetype: values.archetype1, strength: values.strength1 },
      { archetype: values.archetype2, strength: values.strength2 },
    ],
    health: [values.health1, values.health2],
    paces: [values.paces1, values.paces2],
    ...(values.signed === 1 && { signed: true }),
  };
}
