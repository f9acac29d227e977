import { RelayClient } from "../../sdk/player/channels/relay-client.js";
import { readChannelMessage, type ChannelPlayerNumber, type MoveMessage } from "../../sdk/protocol/channels/wire.js";
import { boolean, integer, listUpTo, object } from "../../sdk/protocol/input.js";
import { Ledger, sumOf, type Faults } from "./ledger.js";
import { numberOf, pairOf, senderOfMove } from "./pair.js";
import type { Setup } from "./players.js";

/** Maximum number of messages in an answer. */
const MAX_MESSAGES = 4_000;

const readAnswer = object({
  messages: listUpTo(readChannelMessage, MAX_MESSAGES),
  seen: integer(0, Number.MAX_SAFE_INTEGER),
  more: boolean,
});

/**
 * Reads all channels, and finds faults in what is stored of each player's messages.
 * @param acknowledged Number of acknowledged messages of each player 1, and of each player 2.
 */
export async function storedFaults(
  { at, pairs, seed, url }: Omit<Setup, "player">,
  acknowledged: readonly (readonly number[])[],
): Promise<Faults> {
  const relay = new RelayClient(url, at);
  const faults: Faults[] = [];
  for (let i = 0; i < pairs; i++) {
    const moves = await movesOf(relay, pairOf(seed, i).id);
    for (const player of [1, 2] as const) faults.push(faultsOf(moves, player, acknowledged[player - 1][i]));
  }
  return sumOf(faults);
}

/** Finds faults in what is stored of a player's messages. @param moves Messages of both players, as stored. */
export function faultsOf(
  moves: readonly Pick<MoveMessage, "count">[],
  player: ChannelPlayerNumber,
  acknowledged: number,
): Faults {
  const numbers = moves.filter((move) => senderOfMove(move) === player).map(numberOf);
  // A relay drops the older half of a channel that has become too long.
  const ledger = new Ledger((numbers[0] ?? 1) - 1);
  for (const number of numbers) ledger.take(number);
  return ledger.faults(acknowledged);
}

async function movesOf(relay: RelayClient, id: string): Promise<MoveMessage[]> {
  const moves: MoveMessage[] = [];
  for (let [seen, isMore] = [0, true]; isMore;) {
    const answer = await relay.ask(`${id}/${seen}`, readAnswer);
    [seen, isMore] = [answer.seen, answer.more];
    moves.push(...answer.messages.filter((message) => message.type === "move"));
  }
  return moves;
}
