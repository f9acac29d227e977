import { character, keeping as keepings } from "../ponder.schema.js";
import type { History } from "../../sdk/chain/history.js";
import type { MatchRecord, Settlement } from "../../sdk/chain/record.js";
import { added } from "../../sdk/games/counters.js";
import type { Characters, Keeping, KeptValues } from "../../sdk/games/module.js";
import { seatOf } from "../../sdk/protocol/sides.js";
import { winnerBy } from "../../sdk/protocol/status.js";
import type { Db } from "./db.js";

/** Records the traits of a character that is minted. */
export async function noteMinted(
  db: Db,
  contract: string,
  characterId: bigint,
  owner: string,
  traits: Record<string, unknown>,
): Promise<void> {
  await db
    .insert(character)
    .values({ contract, characterId, owner, traits, counters: {}, battles: 0, wins: 0 })
    .onConflictDoUpdate({ traits });
}

/** Records the owner of a character. At a mint, the transfer event comes before the event with the traits. */
export async function noteOwner(db: Db, contract: string, characterId: bigint, owner: string): Promise<void> {
  await db
    .insert(character)
    .values({ contract, characterId, owner, traits: null, counters: {}, battles: 0, wins: 0 })
    .onConflictDoUpdate({ owner });
}

/** Adds the actions of a match's characters to their counters. */
export async function countBattle(
  db: Db,
  characters: Characters,
  teams: Awaited<ReturnType<Characters["fought"]>>,
  history: History,
  { status }: Settlement,
): Promise<void> {
  const contract = history.addresses[characters.contract];
  const add = characters.add ?? added;
  for (const [side, team] of teams.entries()) {
    const wins = Number(winnerBy(status) === seatOf(side));
    for (const { id, counters } of team) {
      const key = { contract, characterId: id };
      if (!(await db.find(character, key))) continue;
      await db.update(character, key).set((row) => {
        const before = Object.keys(counters).map((name): [string, bigint] => [name, countIn(row.counters, name)]);
        const sums = add(Object.fromEntries(before), counters);
        const written = Object.entries(sums).map(([name, sum]) => [name, String(sum)]);
        return {
          counters: Object.fromEntries(written) as Record<string, string>,
          battles: row.battles + 1,
          wins: row.wins + wins,
        };
      });
    }
  }
}

type Kept = typeof keepings.$inferInsert;

/** Computes the game's records of the players of a rated match. Returns those that the match changes. */
export async function valuesAfter(db: Db, keeping: Keeping, record: MatchRecord): Promise<Kept[]> {
  const { game } = record.terms;
  const changed: Kept[] = [];
  for (const [side, player] of [record.player1, record.player2!].entries()) {
    const found = await db.find(keepings, { game, player });
    const before = (found?.values as KeptValues | undefined) ?? keeping.fresh;
    const values = keeping.after(record, side, before);
    if (values !== before) changed.push({ game, player, values });
  }
  return changed;
}

/** Stores the game's records of players. */
export async function keepValues(db: Db, rows: readonly Kept[]): Promise<void> {
  for (const row of rows) await db.insert(keepings).values(row).onConflictDoUpdate({ values: row.values });
}

function countIn(counters: unknown, name: string): bigint {
  return BigInt((counters as Record<string, string>)[name] ?? 0);
}
