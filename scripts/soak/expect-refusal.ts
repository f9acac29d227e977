import { games } from "../../sdk/games/index.js";
import { customError } from "../../sdk/player/errors.js";
import type { DueAction } from "./due-action.js";
import type { Player } from "./player.js";
import type { SeatedMatch } from "./seated-match.js";

/** Methods that can be rejected. */
type Method = DueAction["method"] | "cancel" | "decline" | "resign" | "timeout" | "withdraw";

/**
 * Sends a transaction that must fail, and checks that nothing has changed.
 * @param error Name of the expected error; if undefined, any named error is expected.
 * @throws Error if the transaction succeeds, or fails in another way.
 */
export async function expectRefusal(
  match: SeatedMatch,
  fault: string,
  by: Player,
  method: Method,
  args: readonly unknown[],
  error?: string,
): Promise<void> {
  const { world, matchId } = match;
  const before = await snapshot(match);
  await by.client.arena.getFunction(method).send(...args);
  const what = `${fault}: ${method} of match ${matchId}`;
  const sent = world.chain.sent.at(-1)!;
  if (sent.status !== 0) throw new Error(`${what} should be refused, and was taken`);
  const thrown = await world.chain.refusalOf(sent);
  const { name } = customError(thrown, games) ?? {};
  if (name === undefined) throw new Error(`${what} is refused without a reason`, { cause: thrown });
  if (error !== undefined && name !== error) throw new Error(`${what} is refused by ${name} instead of ${error}`);
  if ((await snapshot(match)) !== before) throw new Error(`${what} is refused and changes something`);
  world.count(fault);
}

/** Returns all state that a failed transaction must not change. */
async function snapshot({ world: { arena }, matchId, terms: { token }, seats }: SeatedMatch): Promise<string> {
  const purses = await Promise.all(seats.map((player) => player.purseOf(token)));
  const all = await Promise.all([arena.matchOf(matchId), arena.matchCount(), arena.totalOf(token)]);
  return [...purses, ...all].join(" ");
}
