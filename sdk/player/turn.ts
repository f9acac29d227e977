import type { TransactionReceipt } from "ethers";
import type { ArenaMatch } from "../chain/arena.js";
import { untilFinal, type WaitOptions } from "../chain/finality.js";
import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import { gameAt } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { turnOf, type OpenTurn, type SecretStore } from "../games/moves.js";
import type { Hex } from "../protocol/hex.js";
import type { Secret } from "../protocol/commitment.js";
import { playerInTurn } from "../protocol/sides.js";
import { Status, statusText } from "../protocol/status.js";
import { termsHash } from "../protocol/terms.js";
import { timeText } from "../protocol/text.js";
import type { Client } from "./client.js";

/** Options of `takeTurn`. */
export interface TurnOptions extends WaitOptions {
  secretStore: SecretStore;
  /**
   * Finds the move. In a turn that reveals, this is the move of the next round, or undefined if no round follows.
   * @param secretStore The secret store of the turn, which reveals each commitment only once.
   */
  move(turn: OpenTurn, secretStore: SecretStore): Promise<unknown>;
  /** Returns the data to send instead of the composed data, e.g. data that was sent before. */
  dataToSend?(composed: ComposedAction): Promise<Hex>;
}

/** An action that is ready to be sent. */
export interface ComposedAction {
  turn: OpenTurn;
  move: unknown;
  data: Hex;
  /** Composes the data again, with the salt of data that was shown before. */
  encodeAgain(shown: Hex): Promise<Hex>;
}

/**
 * Acts in a match for the player in turn: the caller, or a player who made the caller an operator. Before a turn that
 * reveals or answers, waits until the match is final: a reorganisation could let the opponent change its move.
 * @throws Error if the caller may not act now.
 * @throws InputError for a game that is unknown to the client, or for an illegal move.
 * @example
 * ```ts
 * import { takeTurn } from "duello";
 *
 * const options = { secretStore, move: async () => 4 };
 * const { hash } = await takeTurn(client, history, 7n, options);
 * ```
 */
export async function takeTurn(
  client: Client,
  history: History,
  matchId: bigint,
  options: TurnOptions,
): Promise<TransactionReceipt> {
  const secretStore = revealingOnce(options.secretStore);
  const compose = async (turn: OpenTurn): Promise<ComposedAction> => {
    const { moves } = gameAt(turn.record.terms.game, client.games, history.addresses);
    const move = await options.move(turn, secretStore);
    const data = await moves.act(move, turn, secretStore);
    return { turn, move, data, encodeAgain: (shown) => moves.act(move, turn, secretStore, shown) };
  };
  const { turn: first, match } = await readTurn(client, history, matchId);
  // Composed before the wait, so that a player who has lost a secret learns that at once.
  let composed = await compose(first);
  if ((await mustBeFinal(first, client.games)) && (await untilFinal(client.arena, matchId, options, match))) {
    const { turn } = await readTurn(client, history, matchId);
    if (!haveSameData(turn.record, first.record)) composed = await compose(turn);
  }
  const data = (await options.dataToSend?.(composed)) ?? composed.data;
  // Choosing a move takes time, and an operator's permission may expire meanwhile. Data that is sent too late is
  // rejected, but everybody can see it.
  await checkPermission(client, matchId, composed.turn.player);
  return client.act(matchId, data);
}

/** Returns whether a turn shows a secret or answers a commitment, so that earlier actions must be final. */
async function mustBeFinal(turn: OpenTurn, games: readonly GameModule[]): Promise<boolean> {
  const { record, seat, history } = turn;
  const { moves } = gameAt(record.terms.game, games, history.addresses);
  const pending = (await moves.pendingCommitments?.(record, seat, history)) ?? [];
  return pending.length > 0 || (await moves.answeredCommitment?.(turn)) !== undefined;
}

/** Returns a secret store that reveals each commitment only once. */
function revealingOnce(store: SecretStore): SecretStore {
  const revealed = new Map<Hex, Secret>();
  return {
    commit: (move, scheme) => store.commit(move, scheme),
    async reveal(committed, scheme) {
      const secret = revealed.get(committed) ?? (await store.reveal(committed, scheme));
      revealed.set(committed, secret);
      return secret;
    },
  };
}

/** Returns whether two records are of the same match with the same data of both players. */
function haveSameData(one: MatchRecord, other: MatchRecord): boolean {
  const dataOf = ({ terms, player1, player2, createData, joinData, actions }: MatchRecord) =>
    [termsHash(terms), player1, player2, createData, joinData, ...actions.map(({ data }) => data)].join(" ");
  return dataOf(one) === dataOf(other);
}

/**
 * Reads the turn of a match again, since earlier reads may be outdated: people think for hours, and a program may have
 * waited for a transaction.
 * @throws Error if the caller may not act now.
 */
async function readTurn(
  client: Client,
  history: History,
  matchId: bigint,
): Promise<{ turn: OpenTurn; match: ArenaMatch }> {
  const { arena } = client;
  const match = await arena.matchOf(matchId);
  const { status, turn: seat } = match;
  if (status !== Status.AllJoined) {
    throw new Error(`There is no turn to take in match ${matchId}: ${statusText[String(status)]}.`);
  }
  const player = playerInTurn(match);
  await checkPermission(client, matchId, player);
  const record = await history.match(matchId, { read: match });
  return { turn: turnOf(record, seat, player, history), match };
}

/** Returns whether a client may act for a player now, as that player or as an operator with a valid permission. */
export async function mayActFor(client: Client, player: string): Promise<boolean> {
  const { arena, address } = client;
  return player === address || (await arena.operatorUntil(player, address)) >= BigInt(await client.now());
}

/** @throws Error unless the caller is the player, or may act for the player now. */
async function checkPermission(client: Client, matchId: bigint, player: string): Promise<void> {
  if (await mayActFor(client, player)) return;
  const { arena, address } = client;
  const until = await arena.operatorUntil(player, address);
  const turn = `It is the turn of ${player} in match ${matchId}`;
  if (until === 0n) throw new Error(`${turn}; ${address} may not act for it.`);
  throw new Error(`${turn}; ${address} may no longer act for it: its permission expired ${timeText(until)}.`);
}
