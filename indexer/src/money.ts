import { purse, token as tokens } from "../ponder.schema.js";
import type { Db } from "./db.js";

/** Amounts by which a purse changes; the new balance is computed from them. */
type Change = Partial<Record<"deposited" | "withdrawn" | "staked" | "paid", bigint>>;

/** Changes a player's purse. */
export async function changePurse(db: Db, player: string, token: string, change: Change): Promise<void> {
  const { deposited = 0n, withdrawn = 0n, staked = 0n, paid = 0n } = change;
  const amount = deposited + paid - withdrawn - staked;
  await db
    .insert(purse)
    .values({ player, token, amount, deposited, withdrawn, staked, paid })
    .onConflictDoUpdate((row) => ({
      amount: row.amount + amount,
      deposited: row.deposited + deposited,
      withdrawn: row.withdrawn + withdrawn,
      staked: row.staked + staked,
      paid: row.paid + paid,
    }));
}

/** Amounts by which the sums of a token change; the new total is computed from them. */
type TokenChange = Partial<Record<"deposited" | "withdrawn" | "inMatches" | "fees", bigint>>;

/** Changes the sums of a token. */
export async function changeToken(db: Db, token: string, change: TokenChange): Promise<void> {
  const { deposited = 0n, withdrawn = 0n, inMatches = 0n, fees = 0n } = change;
  const total = deposited - withdrawn;
  await db
    .insert(tokens)
    .values({ token, total, inMatches, deposited, withdrawn, fees })
    .onConflictDoUpdate((row) => ({
      total: row.total + total,
      inMatches: row.inMatches + inMatches,
      deposited: row.deposited + deposited,
      withdrawn: row.withdrawn + withdrawn,
      fees: row.fees + fees,
    }));
}

/** Takes a stake out of a purse. */
export async function takeStake(db: Db, player: string, token: string, stake: bigint): Promise<void> {
  await changePurse(db, player, token, { staked: stake });
  await changeToken(db, token, { inMatches: stake });
}
