import type { ChainEvent } from "../chain/events.js";
import type { History } from "../chain/history.js";
import { LogReader } from "../chain/logs.js";
import type { Hex } from "../protocol/hex.js";
import { decodeReveal } from "../protocol/commit-reveal.js";
import { Seat } from "../protocol/status.js";

/**
 * So many blocks are looked through, from the latest back, or fewer, if so many questions do not reach: habits can
 * wait.
 */
const BLOCKS = 50_000;
const QUESTIONS = 5;
/** Of so many latest matches that a player has joined the terms are looked at. */
const LOOKED_AT = 500;

/** A round that was opened: what a player brought to it, and what it faced there. */
export interface PastRound {
  played: Hex;
  faced: Hex;
}

/** What past rounds are asked for. */
export interface Asked {
  player: string;
  /** Address of a game of one committed round. */
  game: string;
  /** Content hashes of modes, as terms have them. */
  modes: readonly Hex[];
  /** Bytes of both players' moves in these modes. */
  lengths: readonly [number, number];
  /** The latest so many. */
  max: number;
}

/** What anybody can see of a player's latest matches of a game: the rounds that were opened, oldest first. */
export async function pastRounds(history: History, asked: Asked): Promise<PastRound[]> {
  const { player, lengths, max } = asked;
  const { Arena } = history.addresses;
  const reach = Math.min(BLOCKS, QUESTIONS * LogReader.of(history.provider).span);
  const first = Math.max(0, (await history.provider.getBlockNumber()) - reach);
  const [offered, joined] = await Promise.all([
    history.events(Arena, "Created", { player1: player }, first),
    history.events(Arena, "Joined", { player2: player }, first),
  ]);
  const latest = joined.slice(-LOOKED_AT).map(({ args }) => args.matchId);
  const taken = latest.length === 0 ? [] : await history.events(Arena, "Created", { matchId: latest }, first);
  const matches = await ofModes([...offered, ...taken], history, asked);
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

/** The matches of a game and some modes among those created. */
async function ofModes(created: readonly ChainEvent<"Created">[], history: History, { game, modes }: Asked) {
  const wanted: ChainEvent<"Created">[] = [];
  for (const event of created) {
    const terms = await history.terms(event.args.termsHash);
    if (terms.game === game && modes.includes(terms.mode)) wanted.push(event);
  }
  return wanted;
}
