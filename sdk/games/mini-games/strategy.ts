import { keccak256, toNumber } from "ethers";
import type { Turn } from "../moves.js";
import { pastRounds } from "../past-rounds.js";
import { opponentOf, partOf, type Assessment } from "../assessment.js";
import type { PastGame } from "../../bots/learning.js";
import { chanceIn, MiniGameStrategy, type MiniGameView } from "./bot.js";
import { cryptoSource } from "../../bots/source.js";
import { encodeMode, modeOfHash, type Mode } from "./mode.js";

/** Games of an opponent's that are learnt from, at most. */
const MAX_PAST = 200;

const player = new MiniGameStrategy();

/** A move by the mode's equilibrium and the opponent's past. */
export async function chooseMove(_round: number, turn: Turn): Promise<string[]> {
  return [String(player.choose(await viewOf(turn), cryptoSource))];
}

/** A move, and the chance that its seat has. */
export async function weighMove(turn: Turn): Promise<Assessment> {
  const view = await viewOf(turn);
  return { moveArgs: [String(player.choose(view, cryptoSource))], winProbability: chanceIn(view) };
}

/** What a player may know before it moves. */
export async function viewOf(turn: Turn): Promise<MiniGameView> {
  const mode = modeOfHash(turn.mode);
  return { mode, seat: Number(turn.seat), part: partOf(turn), past: await pastOf(turn, mode) };
}

/** The opponent's games of the same kind, whoever had the ties. */
async function pastOf(turn: Turn, { kind }: Mode): Promise<PastGame[]> {
  const opponent = opponentOf(turn);
  if (opponent === undefined) return [];
  const modes = [0, 1].map((ties) => keccak256(encodeMode({ kind, ties })));
  const game = turn.history.addresses.MiniGames;
  const asked = { player: opponent, game, modes, lengths: [1, 1], max: MAX_PAST } as const;
  const rounds = await pastRounds(turn.history, asked);
  return rounds.map(({ played, faced }) => ({ played: toNumber(played), faced: toNumber(faced) }));
}
