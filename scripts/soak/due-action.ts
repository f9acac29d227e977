import { MIN_REST_TO_JOIN } from "../../sdk/player/calls.js";
import { turnOf } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { Player } from "./player.js";
import type { SeatedMatch } from "./seated-match.js";

/** Seconds before the deadline from which players no longer act. */
export const MARGIN = 60n;

/** The next step of a match, and the player who must take it. */
export interface DueAction {
  by: Player;
  method: "fund" | "join" | "act";
  args: [matchId: bigint, ...Hex[]];
}

/** Returns the next step of a match. */
export async function dueActionOf(match: SeatedMatch): Promise<DueAction> {
  const { matchId, hash, state, plan, world } = match;
  const [one, two] = match.seats;
  const rest = state.deadline - BigInt(world.chain.now);
  const quick = plan.quick && plan.named && state.firm && rest > BigInt(MIN_REST_TO_JOIN) + MARGIN;
  if (state.status === Status.Created) return { by: one, method: "fund", args: [matchId, hash] };
  if (state.status === Status.P1Deposited && !quick) return { by: two, method: "fund", args: [matchId, hash] };
  if (state.status !== Status.AllJoined)
    return { by: two, method: "join", args: [matchId, hash, await composed(match, two, Seat.Two)] };
  const by = state.turn === Seat.One ? one : two;
  return { by, method: "act", args: [matchId, await composed(match, by, state.turn)] };
}

/** Composes the data with which a player joins or acts. */
async function composed({ game, matchId, state, terms }: SeatedMatch, by: Player, seat: bigint): Promise<Hex> {
  const { history } = by;
  const turn = turnOf(await history.match(matchId), seat, by.address, history);
  const [{ moves }, secretStore] = [game, await by.secretStoreAt(terms.game)];
  const move = await moves.suggest(turn, secretStore);
  return (state.status === Status.AllJoined ? moves.act : moves.join)(move, turn, secretStore);
}
