import type { SecretStore, OpenTurn, Turn } from "../moves.js";
import { Seat } from "../../protocol/status.js";
import { partOf, type Assessment } from "../assessment.js";
import { bladesStrategy, pacesChance, pacesStrategy, type BladesView, type DuelView } from "./bot.js";
import { cryptoSource } from "../../bots/source.js";
import type { Duelist } from "./honour.js";
import { duelistNow, duelistsIn, foresee, stateOf } from "./match.js";
import { decodeState, entriesOf, type Pair, type State } from "./moves.js";

/** The equilibrium of the round: paces, or blades once round 1 has left both alive. */
export async function chooseRound(round: number, turn: Turn, secretStore: SecretStore): Promise<string[]> {
  if (round === 1) return [String(pacesStrategy.choose(await pacesView(turn), cryptoSource))];
  return entriesOf(bladesStrategy.choose(await bladesView(turn as OpenTurn, secretStore), cryptoSource));
}

/** Paces, and the chance of the better or worse duelist. */
export async function weighPaces(turn: Turn): Promise<Assessment> {
  const view = await pacesView(turn);
  return { moveArgs: [String(pacesStrategy.choose(view, cryptoSource))], winProbability: pacesChance(view) };
}

/** What a player may know before it chooses its paces. */
export async function pacesView(turn: Turn): Promise<DuelView> {
  return { seat: Number(turn.seat), part: partOf(turn), duelists: await duelistsBefore(turn) };
}

/** What a player may know before it chooses its blades. */
export async function bladesView(turn: OpenTurn, secretStore: SecretStore): Promise<BladesView> {
  const { duelists, health } = await survivors(turn, secretStore);
  return { seat: Number(turn.seat), part: partOf(turn), duelists, health };
}

/** Both as duelists before round 1. Whoever is not there yet is taken for one like the player. */
async function duelistsBefore({ seat, player, record, history }: Turn): Promise<Pair<Duelist>> {
  const own = await duelistNow(player, history.addresses.Pistols, history.provider);
  if (seat === Seat.One || record === undefined) return [own, own];
  return [decodeState(await stateOf(record, history)).duelists[0], own];
}

/** What round 1 leaves, which only player 1 knows before it opens. */
async function survivors({ seat, record, history }: OpenTurn, secretStore: SecretStore): Promise<Omit<State, "paces">> {
  if (seat === Seat.Two) return decodeState(await stateOf(record, history));
  return { duelists: duelistsIn(record), health: foresee(record, await secretStore.reveal(record.createData)).health };
}
