import { InputError } from "../protocol/input.js";
import type { Team } from "./module.js";

/** Reads token ids from arguments. @throws InputError naming an argument that is not an id. */
export function readIds(moveArgs: readonly string[], what: string): bigint[] {
  return moveArgs.map((word) => {
    if (!/^\d{1,38}$/.test(word)) throw new InputError("team", `${word} is not a ${what}'s number`);
    return BigInt(word);
  });
}

/** Returns a team unchanged. @throws InputError for the wrong number of tokens, or a repeated token. */
export function checkedTeam(team: Team, what: string, size: number): Team {
  if (team.length !== size) throw new InputError("team", `${team.length} ${what}s instead of ${size}`);
  const twice = team.find((id, i) => team.indexOf(id) < i);
  if (twice !== undefined) throw new InputError("team", `${what} ${twice} is in it twice`);
  return team;
}
