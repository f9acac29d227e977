import { InputError } from "../protocol/input.js";

/**
 * Reads token ids, all different, from arguments.
 * @throws InputError naming the argument that is not an id, or a repeated id.
 */
export function readIds(moveArgs: readonly string[], what: string): bigint[] {
  const ids = moveArgs.map((word) => {
    if (!/^\d{1,38}$/.test(word)) throw new InputError("team", `${word} is not a ${what}'s number`);
    return BigInt(word);
  });
  const twice = ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== undefined) throw new InputError("team", `${what} ${twice} is in it twice`);
  return ids;
}
