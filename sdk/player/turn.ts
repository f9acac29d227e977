import type { TransactionReceipt } from "ethers";
import type { Client } from "./client.js";
import { untilFinal, type WaitOptions } from "../chain/finality.js";
import { gameAt } from "../games/index.js";
import type { History } from "../chain/history.js";
import type { SecretStore, OpenTurn } from "../games/moves.js";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status, statusText } from "../protocol/status.js";
import { timeText } from "../protocol/text.js";

/** How a player takes its turn. */
export interface TurnTaking extends WaitOptions {
  secretStore: SecretStore;
  /** Finds the move; the one committed for the next round where this one is opened, `0x` if there is none. */
  move(turn: OpenTurn): Promise<Hex>;
  /**
   * Gives what is to be sent in place of this, e.g. what was sent before.
   * @param anew Makes it again with the salt of what was shown before.
   */
  keep?(action: Hex, turn: OpenTurn, anew: (shown: Hex) => Promise<Hex>): Promise<Hex>;
}

/**
 * Acts in a match, for whoever's turn it is: the caller or a player whose operator it is. In a commit-reveal game what
 * the other side has shown must be final first, or a reorganisation could let it think again.
 * @throws Error if it is not the caller's to act, or the game is not one of the deployment.
 */
export async function takeTurn(
  client: Client,
  history: History,
  matchId: bigint,
  taking: TurnTaking,
): Promise<TransactionReceipt> {
  // Composed before the wait too, so that who has lost a secret hears of it at once.
  let composed = await compose(client, history, matchId, taking);
  if (composed.waits) {
    await untilFinal(client.arena, matchId, taking);
    composed = await compose(client, history, matchId, taking);
  }
  const { action, turn, anew } = composed;
  return client.act(matchId, (await taking.keep?.(action, turn, anew)) ?? action);
}

async function compose(client: Client, history: History, matchId: bigint, { move, secretStore }: TurnTaking) {
  const turn = await turnOf(client, history, matchId);
  const { moves } = gameAt(turn.record.terms.game, history.addresses);
  const found = await move(turn);
  const action = await moves.act(found, turn, secretStore);
  const anew = (shown: Hex) => moves.act(found, turn, secretStore, shown);
  const pendingCommitments = (await moves.pendingCommitments?.(turn.record, turn.seat, history)) ?? [];
  return {
    turn,
    action,
    anew,
    waits: pendingCommitments.length > 0 || (await moves.answeredCommitment?.(turn)) !== undefined,
  };
}

/** The turn that is to be taken. @throws Error if it is not the caller's. */
async function turnOf(client: Client, history: History, matchId: bigint): Promise<OpenTurn> {
  const { arena, address } = client;
  const { status, turn: seat, player1, player2 } = await arena.matchOf(matchId);
  if (status !== Status.AllJoined) {
    throw new Error(`There is no turn to take in match ${matchId}: ${statusText[String(status)]}.`);
  }
  const player = seat === Seat.One ? player1 : player2;
  if (player !== address) await checkLeave(client, matchId, player);
  const record = await history.match(matchId);
  return { seat, player, mode: record.terms.mode, record, history };
}

/** @throws Error unless a player lets the caller act for it now. */
async function checkLeave(client: Client, matchId: bigint, player: string): Promise<void> {
  const { arena, address } = client;
  const until = await arena.operatorUntil(player, address);
  const turn = `It is the turn of ${player} in match ${matchId}`;
  if (until === 0n) throw new Error(`${turn}; ${address} may not act for it.`);
  if (until >= BigInt(await client.now())) return;
  throw new Error(`${turn}; ${address} may no longer act for it: its leave ended ${timeText(until)}.`);
}
