import type { ChainEvent } from "../chain/events.js";
import type { History } from "../chain/history.js";
import { LogReader } from "../chain/logs.js";
import type { Hex } from "../protocol/hex.js";
import { decodeReveal } from "../protocol/commit-reveal.js";
import { Seat } from "../protocol/status.js";

/** Maximum number of blocks, from the latest back, and of requests, by which past rounds are looked for. */
const MAX_BLOCKS = 50_000;
const MAX_REQUESTS = 5;
/** Maximum number of the latest matches that a player has joined whose terms are read. */
const MAX_JOINED = 500;

/** Round that was revealed: the move that a player played, and the move that it faced. */
export interface PastRound {
  played: Hex;
  faced: Hex;
}

/** Query for past rounds. */
export interface Query {
  player: string;
  /** Address of a game of one committed round. */
  game: string;
  /** Content hashes of modes, as terms have them. */
  modes: readonly Hex[];
  /** Lengths in bytes of both players' moves in these modes. */
  lengths: readonly [number, number];
  /** Maximum number of rounds, the latest. */
  max: number;
}

/** Reads the revealed rounds of a player's latest matches of a game, oldest first. */
export async function pastRounds(history: History, query: Query): Promise<PastRound[]> {
  const { player, lengths, max } = query;
  const { Arena } = history.addresses;
  const reach = Math.min(MAX_BLOCKS, MAX_REQUESTS * LogReader.of(history.provider).span);
  const first = Math.max(0, (await history.provider.getBlockNumber()) - reach);
  const [offered, joined] = await Promise.all([
    history.events(Arena, "Created", { player1: player }, first),
    history.events(Arena, "Joined", { player2: player }, first),
  ]);
  const latest = joined.slice(-MAX_JOINED).map(({ args }) => args.matchId);
  const taken = latest.length === 0 ? [] : await history.events(Arena, "Created", { matchId: latest }, first);
  const matches = await ofModes([...offered, ...taken], history, query);
  // Nothing would ask for all there are.
  if (matches.length === 0) return [];
  const ids = matches.map(({ args }) => args.matchId).sort((a, b) => (a < b ? -1 : 1));
  const acted = await history.events(Arena, "Acted", { matchId: ids.slice(-max) }, first);
  const opened = acted.filter(({ args: { seat } }) => seat === Seat.One);
  return opened.map(({ args: { matchId, data } }) => {
    const { move, answerMove } = decodeReveal(data, ...lengths);
    return latest.includes(matchId) ? { played: answerMove, faced: move } : { played: move, faced: answerMove };
  });
}

/** Selects the matches of a game and some modes. */
async function ofModes(created: readonly ChainEvent<"Created">[], history: History, { game, modes }: Query) {
  const wanted: ChainEvent<"Created">[] = [];
  for (const event of created) {
    const terms = await history.terms(event.args.termsHash);
    if (terms.game === game && modes.includes(terms.mode)) wanted.push(event);
  }
  return wanted;
}
