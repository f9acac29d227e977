import { concat, toBeHex, toBigInt } from "ethers";
import { sized } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import type { Hex } from "../../protocol/hex.js";
import { bits, hexWord } from "../../protocol/word.js";
import type { Duelist } from "./honour.js";

/** Something of player 1 and of player 2. */
export type Pair<T> = readonly [T, T];

/** The two slots of round 2. */
export type Blades = Pair<number>;

/** Names of what can be in a slot, 0..6. */
export const ACTIONS = ["idle", "light", "heavy", "block", "flee", "steal", "seppuku"] as const;

export const [IDLE, LIGHT, HEAVY, BLOCK, FLEE, STEAL, SEPPUKU] = [0, 1, 2, 3, 4, 5, 6];
export const MAX_PACES = 10;

/** Bytes of both players' moves, by round. */
export const LENGTHS: [number, number][] = [
  [1, 3],
  [2, 2],
];

/** The thirteen moves of round 2. */
export const ALL_BLADES: readonly Blades[] = [
  ...[IDLE, LIGHT, BLOCK].flatMap((first) => [IDLE, LIGHT, BLOCK].map((second): Blades => [first, second])),
  [IDLE, HEAVY],
  [FLEE, IDLE],
  [STEAL, IDLE],
  [SEPPUKU, IDLE],
];

/** What both rounds pass on. In round 1 only player 1's duelist is known; all else is 0. */
export interface State {
  duelists: Pair<Duelist>;
  health: Pair<number>;
  paces: Pair<number>;
}

/** A move of round 2 in words. */
export function entriesOf(blades: Blades): string[] {
  return blades.map((action) => ACTIONS[action]);
}

/** Whether two slots are one of the thirteen moves of round 2. */
export function areBlades([first, second]: Blades): boolean {
  return ALL_BLADES.some((each) => each[0] === first && each[1] === second);
}

/** Player 2's answer of round 1: its paces, and what it is as a duelist. */
export function answerOf(paces: Hex, { archetype, strength }: Duelist): Hex {
  return concat([paces, toBeHex(archetype, 1), toBeHex(strength, 1)]);
}

/** A round's state as its 32 bytes. */
export function encodeState({ duelists: [one, two], health, paces }: State): Hex {
  const duelists = one.archetype | (one.strength << 2) | (two.archetype << 9) | (two.strength << 11);
  const rest = health[0] | (health[1] << 2) | (paces[0] << 4) | (paces[1] << 8);
  return toBeHex(BigInt(duelists) | (BigInt(rest) << 18n), 32);
}

/** Inverse of `encodeState`. @throws InputError for bytes that are no state. */
export function decodeState(data: Hex): State {
  const entry = toBigInt(sized(data, "state", 32));
  const state: State = {
    duelists: [
      { archetype: bits(entry, 0, 2), strength: bits(entry, 2, 7) },
      { archetype: bits(entry, 9, 2), strength: bits(entry, 11, 7) },
    ],
    health: [bits(entry, 18, 2), bits(entry, 20, 2)],
    paces: [bits(entry, 22, 4), bits(entry, 26, 4)],
  };
  if (toBigInt(encodeState(state)) !== entry) throw new InputError("state", `${hexWord(entry)} is none`);
  return state;
}

/** Paces as a number, `5`; or blades as names, `light block`, of which the second is `idle` if left out. */
export function readMove(moveArgs: readonly string[]): Hex {
  if (moveArgs.length === 1 && /^\d+$/.test(moveArgs[0])) {
    const paces = Number(moveArgs[0]);
    if (paces < 1 || paces > MAX_PACES)
      throw new InputError("paces", `${moveArgs[0]} is not between 1 and ${MAX_PACES}`);
    return toBeHex(paces, 1);
  }
  if (moveArgs.length !== 1 && moveArgs.length !== 2)
    throw new InputError("move", `${moveArgs.length} words instead of 1 or 2`);
  const slots = [...moveArgs, "idle"].slice(0, 2).map((word) => {
    const action = ACTIONS.findIndex((name) => name === word.toLowerCase());
    if (action < 0) throw new InputError("blades", `${word} is none of ${ACTIONS.join(", ")}`);
    return action;
  });
  if (!areBlades([slots[0], slots[1]])) throw new InputError("blades", `${namesOf(slots)} is no move`);
  return concat(slots.map((slot) => toBeHex(slot, 1)));
}

function namesOf(slots: readonly number[]): string {
  return slots.map((slot) => ACTIONS[slot]).join(", then ");
}
