import type { SecretStore, OpenTurn, Turn } from "../moves.js";
import { Seat } from "../../protocol/status.js";
import { partOf, type Assessment } from "../assessment.js";
import { bladesStrategy, pacesChance, pacesStrategy, type BladesView, type DuelView } from "./bot.js";
import { cryptoSource } from "../../bots/source.js";
import type { Duelist } from "./honour.js";
import type { Pair } from "./legal-moves.js";
import type { PistolsMove } from "./moves.js";
import { duelistNow } from "./records.js";
import { foreseenState, stateOf } from "./replay.js";
import { decodeState, type State } from "./state.js";

/** Chooses the move of a round from its equilibrium: paces in round 1, blades in round 2. */
export async function chooseRound(round: number, turn: Turn, secretStore: SecretStore): Promise<PistolsMove> {
  if (round === 1) return pacesStrategy.choose(await pacesView(turn), cryptoSource);
  return bladesStrategy.choose(await bladesView(turn as OpenTurn, secretStore), cryptoSource);
}

/** Chooses paces, and estimates how likely the duelist is to win with them. */
export async function weighPaces(turn: Turn): Promise<Assessment<number>> {
  const view = await pacesView(turn);
  return { move: pacesStrategy.choose(view, cryptoSource), winProbability: pacesChance(view) };
}

/**
 * Returns the facts that a player can know before it chooses its paces.
 * @throws like the history.
 * @example
 * ```ts
 * import { pacesView } from "duello/games/pistols";
 * import { cryptoSource, pacesStrategy } from "duello/bots";
 *
 * const paces = pacesStrategy.choose(await pacesView(turn), cryptoSource);
 * ```
 */
export async function pacesView(turn: Turn): Promise<DuelView> {
  return { seat: Number(turn.seat), part: partOf(turn), duelists: await duelistsBefore(turn) };
}

/**
 * Returns the facts that a player can know before it chooses its blades.
 * @throws like the history and the secret store.
 * @example
 * ```ts
 * import { bladesView } from "duello/games/pistols";
 * import { bladesStrategy, cryptoSource } from "duello/bots";
 *
 * const blades = bladesStrategy.choose(await bladesView(turn, secretStore), cryptoSource);
 * ```
 */
export async function bladesView(turn: OpenTurn, secretStore: SecretStore): Promise<BladesView> {
  const { duelists, health } = await stateBeforeBlades(turn, secretStore);
  return { seat: Number(turn.seat), part: partOf(turn), duelists, health };
}

/** Returns both duelists before round 1. A missing opponent is assumed to equal the player. */
async function duelistsBefore({ seat, player, game, record, history }: Turn): Promise<Pair<Duelist>> {
  const own = await duelistNow(player, game, history.provider);
  if (seat === Seat.One || record === undefined) return [own, own];
  return [decodeState(await stateOf(record, history)).duelists[0], own];
}

/**
 * Returns the state after round 1, which only player 1 knows before revealing it.
 * @throws like the history and the secret store.
 * @example
 * ```ts
 * import { stateBeforeBlades } from "duello/games/pistols";
 *
 * const { health } = await stateBeforeBlades(turn, secretStore);
 * ```
 */
export async function stateBeforeBlades({ seat, record, history }: OpenTurn, secretStore: SecretStore): Promise<State> {
  if (seat === Seat.Two) return decodeState(await stateOf(record, history));
  return foreseenState(record, await secretStore.reveal(record.createData), history);
}
