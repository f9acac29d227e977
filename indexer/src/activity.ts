import { day as days, dayPlayer } from "../ponder.schema.js";
import { DAY } from "../../sdk/protocol/terms.js";
import type { Db } from "./db.js";

/** Events of matches that are counted per day. */
type Happening = "offers" | "joined" | "actions" | "ended";

/** Counts an event of a game for its day, and the players who caused it. */
export async function countDay(
  db: Db,
  game: string,
  time: bigint,
  happening: Happening,
  player?: string,
): Promise<void> {
  const day = Number(time / DAY);
  const players = player !== undefined && (await isNew(db, { day, game, player })) ? 1 : 0;
  const none = { offers: 0, joined: 0, actions: 0, ended: 0 };
  await db
    .insert(days)
    .values({ day, game, ...none, [happening]: 1, players })
    .onConflictDoUpdate((row) => ({ [happening]: row[happening] + 1, players: row.players + players }));
}

async function isNew(db: Db, key: { day: number; game: string; player: string }): Promise<boolean> {
  if (await db.find(dayPlayer, key)) return false;
  await db.insert(dayPlayer).values(key);
  return true;
}
