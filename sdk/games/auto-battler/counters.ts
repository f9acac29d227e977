import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { AutoBattler__factory } from "../../../typechain-types/index.js";
import { tally, type AttackCounts, type Fought } from "../counters.js";
import type { Turn } from "./log.js";
import { fightOf, loggedTurns } from "./replay.js";

const NONE = { kills: 0n, deaths: 0n, dodges: 0n, combos: 0n, damageDealt: 0n, damageReceived: 0n };

/** Counters that the contract keeps of a fighter over its life. */
export type FighterCounters = typeof NONE;

/** Returns what a turn adds to the counters of its two fighters. */
export function countsOf({ wasKill, wasDodge, wasCombo, damageDealt }: Turn): AttackCounts<FighterCounters> {
  return {
    attacker: { kills: wasKill, combos: wasCombo, damageDealt },
    defender: { deaths: wasKill, dodges: wasDodge, damageReceived: damageDealt },
  };
}

/** Reads the contract's counters of fighters. */
export async function counters(
  ids: readonly bigint[],
  { provider }: History,
  blockTag: number,
  address: string,
): Promise<FighterCounters[]> {
  const game = AutoBattler__factory.connect(address, provider);
  const read = async (id: bigint) => {
    const { kills, deaths, dodges, combos, damageDealt, damageReceived } = await game.fighterOf(id, { blockTag });
    return { kills, deaths, dodges, combos, damageDealt, damageReceived };
  };
  return Promise.all(ids.map(read));
}

/** Counts the actions of a match's fighters, by side and slot; empty without a battle. */
export async function fought(record: MatchRecord, history: History): Promise<Fought[][]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  const teams = fight.teams.map((team) => team.map(({ id }) => id));
  return tally(teams, loggedTurns(record), NONE, countsOf);
}
