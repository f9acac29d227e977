import { join } from "node:path";
import { toQuantity } from "ethers";
import { arenaAbi, type ArenaMatch } from "../../../sdk/chain/arena.js";
import { addressOfGame } from "../../../sdk/games/list.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { secretOf } from "../../../sdk/player/key-store.js";
import { checksumAddress } from "../../../sdk/protocol/address.js";
import { ADDRESS_BYTES, WORD_BYTES } from "../../../sdk/protocol/bytes.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { bytes32, integer, listUpTo, object } from "../../../sdk/protocol/input.js";
import { readVersioned, versioned } from "../../../sdk/protocol/version.js";
import { IndexTrouble, type IndexClient } from "../../../sdk/chain/index-client.js";
import { readTerms } from "../../../sdk/chain/terms.js";
import { hasBlock, latestBlock } from "../../../sdk/chain/source.js";
import { isOutage } from "../../../sdk/chain/trouble.js";
import { readFileAs, writeAtomically } from "../files/files.js";
import { isOpen } from "../../../sdk/protocol/status.js";
import { log, Progress } from "../command/output.js";
import type { CommandContext } from "../command/context.js";

/** Number of matches that are read in parallel. */
const AT_ONCE = 50;

/** Number of matches that are requested from an index at once. */
const PAGE = 100;

/** Smallest number of matches for which the progress of reading is shown. */
const LONG = 200;

/** Hex digits of a word. */
const WORD = 2 * WORD_BYTES;

/** View that returns a match, and the places of the main fields among the words of its answer. */
const VIEW = arenaAbi.getFunction("matchOf");
const FIELDS = VIEW.outputs[0].components!.map(({ name }) => name);
const [PLAYER1, PLAYER2, STATUS] = ["player1", "player2", "status"].map((name) => FIELDS.indexOf(name));

const number = integer(0, Number.MAX_SAFE_INTEGER);

/** State of all matches at a block. Finished matches never change, so only the open ones are listed. */
const readKnown = readVersioned(
  "the list of matches",
  object({ block: number, hash: bytes32, count: number, open: listUpTo(number, 1_000_000) }),
);
type Known = ReturnType<typeof readKnown>;

/** The main fields of a match. */
export interface MatchSummary {
  matchId: bigint;
  player1: string;
  /** Player 2; before the match is joined, the only address that may join, or zero if anyone may. */
  player2: string;
  status: bigint;
  /** The match as the arena has returned it. */
  readonly match: ArenaMatch;
}

/** Reads all matches above a number, newest first. */
export async function* allMatches(context: CommandContext, above = 0): AsyncGenerator<MatchSummary> {
  yield* summaries(context, downFrom(Number(await context.arena.matchCount()), above));
}

/** Filter of matches. */
export interface Wanted {
  /** Player of either seat; defaults to anybody. */
  player?: string;
  /** True to include matches that are over. */
  all: boolean;
}

/**
 * Finds matches through an index, newest first; matches that the index lacks come from the chain.
 * @returns their numbers; some may be wrong, since the index is trusted for them.
 * @throws IndexTrouble
 */
export async function* indexedMatches(
  context: CommandContext,
  client: IndexClient,
  { player, all }: Wanted,
): AsyncGenerator<bigint> {
  const query = { ...(player !== undefined && { player }), ...(!all && { isOpen: true }), limit: PAGE };
  const count = await context.arena.matchCount();
  const [newest] = (await client.matches({ limit: 1 })).rows;
  const known = newest && newest.matchId < count ? newest.matchId : newest ? count : 0n;
  for await (const { matchId, player1, player2, status } of allMatches(context, Number(known))) {
    const isWanted = player === undefined || player === player1 || player === player2;
    if (isWanted && (all || isOpen({ status }))) yield matchId;
  }
  let last = known + 1n;
  for (let after: string | undefined; ;) {
    const { rows, next } = await client.matches({ ...query, after });
    for (const { matchId } of rows.filter((row) => row.matchId <= known)) {
      if (matchId >= last) throw new IndexTrouble(client.url, "lists matches in no order");
      last = matchId;
      yield matchId;
    }
    if (next === undefined) return;
    after = next;
  }
}

/**
 * Reads the open matches, newest first. Matches known to be over are remembered on disk and not read again.
 * @param onUnread Called for a match that the node returns an error for; defaults to throwing the error.
 */
export async function* openMatches(
  context: CommandContext,
  onUnread?: (matchId: bigint) => void,
): AsyncGenerator<MatchSummary> {
  const known = await readFile(context);
  // All matches are read at one block. Otherwise a match could seem finished because of a later block that was undone.
  const block = await latestBlock(context.provider);
  const count = Number(await context.arena.matchCount({ blockTag: block.number }));
  const open: number[] = [];
  const isUnread = (matchId: bigint, error: unknown) => {
    if (!onUnread || isOutage(error)) throw error;
    open.push(Number(matchId));
    onUnread(matchId);
  };
  const ids = [...downFrom(count, known.count), ...known.open];
  for await (const summary of summaries(context, ids, { blockTag: block.number }, isUnread)) {
    if (!isOpen(summary)) continue;
    open.push(Number(summary.matchId));
    yield summary;
  }
  if (!(await hasBlock(context.provider, block))) return;
  const now: Known = { block: block.number, hash: block.hash, count, open };
  await writeAtomically(fileOf(context), versioned("the list of matches", now));
}

/** Lists the moves that the caller has committed to in open matches of a game, as far as this machine can read them. */
export async function committedBy(
  context: CommandContext,
  game: GameModule,
): Promise<{ matchId: bigint; move: Hex }[]> {
  const { history, arena, deployment } = context;
  const player = await context.address();
  const address = addressOfGame(game, deployment.addresses);
  const found: { matchId: bigint; move: Hex }[] = [];
  if (!game.moves.pendingCommitments) return found;
  for await (const { matchId, player1, match } of openMatches(context)) {
    if (player1 !== player) continue;
    const terms = await readTerms(arena, match.termsId);
    if (terms.game !== address) continue;
    const by = { chainId: context.chainId, game: address, player };
    for (const pendingCommitment of await game.moves.pendingCommitments(
      await history.match(matchId, { read: { terms } }),
      Seat.One,
      history,
    )) {
      const secret = await secretOf(context.keys, by, pendingCommitment).catch(() => undefined);
      if (secret) found.unshift({ matchId, move: secret.move });
      else log(`Your committed move in match ${matchId} cannot be read on this machine.`);
    }
  }
  return found;
}

/**
 * @param at Block to read at; defaults to the latest.
 * @param onError Called for a match that cannot be read; defaults to throwing the error.
 */
async function* summaries(
  context: CommandContext,
  ids: readonly number[],
  at: { blockTag?: number } = {},
  onError?: (matchId: bigint, error: unknown) => void,
): AsyncGenerator<MatchSummary> {
  const progress = new Progress("Reading matches", LONG);
  try {
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const some = ids.slice(i, i + AT_ONCE).map(BigInt);
      const read = await Promise.allSettled(some.map((matchId) => readSummary(context, matchId, at)));
      for (const [k, answer] of read.entries()) {
        if (answer.status === "fulfilled") yield answer.value;
        else if (onError) onError(some[k], answer.reason);
        else throw answer.reason;
      }
      progress.update(i + some.length, ids.length);
    }
  } finally {
    progress.end();
  }
}

/**
 * Reads the main fields of a match. The other fields are decoded on demand, since almost all matches are over: a call
 * through a contract of ethers takes several times as long.
 */
async function readSummary(
  { provider, addresses }: CommandContext,
  matchId: bigint,
  { blockTag }: { blockTag?: number },
): Promise<MatchSummary> {
  const call = { to: addresses.Arena, data: `${VIEW.selector}${wordOf(matchId)}` };
  const answer = (await provider.send("eth_call", [
    call,
    blockTag === undefined ? "latest" : toQuantity(blockTag),
  ])) as string;
  const decoded = () => arenaAbi.decodeFunctionResult("matchOf", answer)[0] as ArenaMatch;
  const word = (place: number) => answer.slice(2 + WORD * place, 2 + WORD * (place + 1)).toLowerCase();
  // Throws the error of ethers for an answer that is too short.
  if (word(FIELDS.length - 1).length < WORD) decoded();
  const addressAt = (place: number) => checksumAddress(word(place).slice(-2 * ADDRESS_BYTES));
  return {
    matchId,
    player1: addressAt(PLAYER1),
    player2: addressAt(PLAYER2),
    status: BigInt(`0x${word(STATUS)}`),
    get match() {
      return decoded();
    },
  };
}

function wordOf(number: bigint): string {
  return number.toString(16).padStart(WORD, "0");
}

/** Lists numbers from `from` down to `to`, exclusive. */
function downFrom(from: number, to = 0): number[] {
  return Array.from({ length: Math.max(0, from - to) }, (_, i) => from - i);
}

/** Reads the remembered state; empty if the chain no longer has its block. */
async function readFile(context: CommandContext): Promise<Pick<Known, "count" | "open">> {
  const known = await readFileAs(fileOf(context), readKnown);
  const stands = known && (await hasBlock(context.provider, { number: known.block, hash: known.hash }));
  return stands ? known : { count: 0, open: [] };
}

function fileOf({ vault, chainId, deployment }: CommandContext): string {
  return join(vault.folder, "matches", `${chainId}-${deployment.addresses.Arena}.json`);
}
