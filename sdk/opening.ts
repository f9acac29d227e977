import type { ContractTransactionReceipt } from "ethers";
import type { Client } from "./client.js";
import { untilFinal, type Patience } from "./finality.js";
import type { History } from "./history.js";
import type { MatchRecord } from "./record.js";
import { openingFor, type Secret } from "./sealed.js";
import { Seat, Status } from "./status.js";

/**
 * Opens player 1's seal of a match, for itself or as its operator, once player 2's answer is final: before that a
 * reorganisation could give player 2, who has then seen the opening, another answer.
 * @param secretOf Finds the secret behind the match's seal.
 * @throws Error if there is nothing to open.
 */
export async function openMatch(
  client: Client,
  history: History,
  matchId: bigint,
  secretOf: (record: MatchRecord) => Promise<Secret>,
  patience: Patience = {},
): Promise<ContractTransactionReceipt> {
  const { status, turn } = await client.arena.matchOf(matchId);
  if (status !== Status.AllJoined || turn !== Seat.One)
    throw new Error(`There is nothing to open in match ${matchId}.`);
  // Found before the wait, so that who has lost it hears of it at once.
  const secret = await secretOf(await history.match(matchId));
  await untilFinal(client.arena, matchId, patience);
  const { answer } = await history.match(matchId);
  return client.act(matchId, openingFor(secret, answer!));
}
