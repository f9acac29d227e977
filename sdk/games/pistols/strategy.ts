import type { Keeper, OpenTurn, Turn } from "../../moves.js";
import { Seat } from "../../status.js";
import { partOf } from "../../strategy.js";
import { bladesStrategy, pacesStrategy, type BladesView, type DuelView } from "../../strategy/pistols.js";
import { cryptoSource } from "../../strategy/source.js";
import type { Duelist } from "./honour.js";
import { duelistNow, foresee, stateOf } from "./match.js";
import { decodeState, wordsOf, type Pair, type State } from "./moves.js";

/** The equilibrium of the round: paces, or blades once round 1 has left both alive. */
export async function chooseRound(round: number, turn: Turn, keeper: Keeper): Promise<string[]> {
  const seen = { seat: Number(turn.seat), part: partOf(turn) };
  if (round === 1) {
    const view: DuelView = { ...seen, duelists: await duelistsBefore(turn) };
    return [String(pacesStrategy.choose(view, cryptoSource))];
  }
  const { duelists, health } = await survivors(turn as OpenTurn, keeper);
  const view: BladesView = { ...seen, duelists, health };
  return wordsOf(bladesStrategy.choose(view, cryptoSource));
}

/** Both as duelists before round 1. Whoever is not there yet is taken for one like the player. */
async function duelistsBefore({ seat, player, record, history }: Turn): Promise<Pair<Duelist>> {
  const own = await duelistNow(player, history.addresses.Pistols, history.provider);
  if (seat === Seat.One || record === undefined) return [own, own];
  return [decodeState(await stateOf(record, history)).duelists[0], own];
}

/** What round 1 leaves, which only player 1 knows before it opens. */
async function survivors({ seat, record, history }: OpenTurn, keeper: Keeper): Promise<Omit<State, "paces">> {
  if (seat === Seat.One) return foresee(record, await keeper.open(record.opening));
  return decodeState(await stateOf(record, history));
}
