import { character, keeping as keepings } from "ponder:schema";
import type { History } from "../../sdk/chain/history.js";
import type { MatchRecord, Settlement } from "../../sdk/chain/record.js";
import { added } from "../../sdk/games/counters.js";
import type { GameModule, Keeping, KeptValues } from "../../sdk/games/module.js";
import { seatOf } from "../../sdk/protocol/sides.js";
import { winnerBy } from "../../sdk/protocol/status.js";
import type { Db } from "./db.js";

/** Notes the traits of a character that is minted. */
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

/** Notes the owner of a character; the transfer of its minting comes before its traits. */
export async function noteOwner(db: Db, contract: string, characterId: bigint, owner: string): Promise<void> {
  await db
    .insert(character)
    .values({ contract, characterId, owner, traits: null, counters: {}, battles: 0, wins: 0 })
    .onConflictDoUpdate({ owner });
}

/** Adds what the characters of a match did in it to their counters. */
export async function countBattle(
  db: Db,
  { characters }: GameModule,
  record: MatchRecord,
  history: History,
  { status }: Settlement,
): Promise<void> {
  if (!characters) return;
  const contract = history.addresses[characters.contract];
  const add = characters.add ?? added;
  for (const [side, team] of (await characters.fought(record, history)).entries()) {
    const wins = Number(winnerBy(status) === seatOf(side));
    for (const { id, counters } of team) {
      await db.update(character, { contract, characterId: id }).set((row) => {
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

/** Changes what a game keeps of the players of a rated match. */
export async function keepValues(db: Db, keeping: Keeping, record: MatchRecord): Promise<void> {
  const { game } = record.terms;
  for (const [side, player] of [record.player1, record.player2!].entries()) {
    const found = await db.find(keepings, { game, player });
    const before = (found?.values as KeptValues | undefined) ?? keeping.fresh;
    const values = keeping.after(record, side, before);
    if (values !== before) await db.insert(keepings).values({ game, player, values }).onConflictDoUpdate({ values });
  }
}

function countIn(counters: unknown, name: string): bigint {
  return BigInt((counters as Record<string, string>)[name] ?? 0);
}
