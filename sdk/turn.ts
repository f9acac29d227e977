import type { ContractTransactionReceipt } from "ethers";
import type { Client } from "./client.js";
import { untilFinal, type Patience } from "./finality.js";
import { gameAt } from "./games/index.js";
import type { History } from "./history.js";
import type { Keeper, OpenTurn } from "./moves.js";
import type { Hex } from "./seal.js";
import { Seat, Status, statusText } from "./status.js";

/** How a player takes its turn. */
export interface TurnTaking extends Patience {
  keeper: Keeper;
  /** Finds the move; the one sealed for the next round where this one is opened, `0x` if there is none. */
  move(turn: OpenTurn): Promise<Hex>;
  /** Gives what is to be sent in place of this, e.g. what was sent before. */
  keep?(action: Hex, turn: OpenTurn): Promise<Hex>;
}

/**
 * Acts in a match, for whoever's turn it is: the caller or a player whose operator it is. In a sealed game what the other
 * side has shown must be final first, or a reorganisation could let it think again.
 * @throws Error if it is not the caller's to act, or the game is not one of the deployment.
 */
export async function takeTurn(
  client: Client,
  history: History,
  matchId: bigint,
  taking: TurnTaking,
): Promise<ContractTransactionReceipt> {
  // Composed before the wait too, so that who has lost a secret hears of it at once.
  let composed = await compose(client, history, matchId, taking);
  if (composed.waits) {
    await untilFinal(client.arena, matchId, taking);
    composed = await compose(client, history, matchId, taking);
  }
  const { action, turn } = composed;
  return client.act(matchId, (await taking.keep?.(action, turn)) ?? action);
}

async function compose(client: Client, history: History, matchId: bigint, { move, keeper }: TurnTaking) {
  const turn = await turnOf(client, history, matchId);
  const { moves } = gameAt(turn.record.terms.game, history.addresses);
  const action = await moves.act(await move(turn), turn, keeper);
  const sealings = (await moves.sealings?.(turn.record, turn.seat, history)) ?? [];
  return { turn, action, waits: sealings.length > 0 || (await moves.answered?.(turn)) !== undefined };
}

/** The turn that is to be taken. @throws Error if it is not the caller's. */
async function turnOf({ arena, address }: Client, history: History, matchId: bigint): Promise<OpenTurn> {
  const { status, turn: seat, player1, player2 } = await arena.matchOf(matchId);
  if (status !== Status.AllJoined) {
    throw new Error(`There is no turn to take in match ${matchId}: ${statusText[String(status)]}.`);
  }
  const player = seat === Seat.One ? player1 : player2;
  if (player !== address && (await arena.operatorUntil(player, address)) === 0n) {
    throw new Error(`It is the turn of ${player} in match ${matchId}; ${address} may not act for it.`);
  }
  const record = await history.match(matchId);
  return { seat, player, mode: record.terms.mode, record, history };
}
