import { concat, toBeHex, type BaseContract } from "ethers";
import { InputError } from "../../protocol/input.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import { hexWord } from "../../protocol/word.js";
import { resolve } from "./engine.js";
import { readGame, type Entry, type Game } from "./input.js";
import { resultEntry } from "./log.js";
import { encodeMode } from "./mode.js";
import { checkMove, moveOf, NONE, STUCK, type Move } from "./moves.js";
import { decodePosition, startPosition, type Position } from "./position.js";
import { ContractError } from "./contract-error.js";

/** What a simulated game prints; winner null while it is not over. */
export interface WarmancerSimulation {
  winner: number | null;
  turns: number;
  /** Where the pawns stand, by side and slot; null for the dead. */
  pawns: (number | null)[][];
  /** Recorded ranks, by side and slot; null where none is recorded. */
  revealed: (number | null)[][];
  words: string[];
}

/** A game that was played, or as much of it as there was. */
interface Played {
  over: boolean;
  winner: number;
  turns: number;
  position: Position;
  entries: bigint[];
}

/**
 * Plays a game between two known armies. With a deployed contract its `preview` decides, else the TypeScript engine
 * does.
 * @throws InputError that names the field; for an illegal move, the turn and the player.
 */
export async function simulateWarmancer(input: unknown, contract?: BaseContract): Promise<WarmancerSimulation> {
  const game = readGame(input);
  const simulation = new Simulation(game);
  for (const entries of game.turns) simulation.play(entries);
  const { over, winner, turns, position, entries } = contract ? await previewed(contract, game) : simulation;
  return {
    winner: over ? winner : null,
    turns,
    pawns: position.sides.map(({ alive, tiles }) => Array.from(tiles, (tile, slot) => (alive[slot] ? tile : null))),
    revealed: position.sides.map(({ ranks }) => Array.from(ranks, (rank) => (rank ? rank - 1 : null))),
    words: entries.map(hexWord),
  };
}

/** A game in progress, whose ranks are all known. */
class Simulation implements Played {
  over = false;
  winner = 0;
  turns = 0;
  readonly position: Position;
  readonly entries: bigint[] = [];
  private readonly known: readonly [Uint8Array, Uint8Array];
  /** Sequential: a player who has declared Stuck waits for the reply. */
  private declared = false;

  constructor({ mode, setups }: Game) {
    this.position = startPosition(mode, { roots: [NO_STATE, NO_STATE] });
    const [one, two] = setups.map((ranks) => Uint8Array.from(ranks, (rank) => rank + 1));
    this.known = [one, two];
  }

  /** A turn: what both players do; sequential, what the one does who is to move or to reply. */
  play(entries: readonly Entry[]): void {
    const { position, turns } = this;
    position.turn = turns + 1;
    if (this.over) throw new InputError(`turn ${position.turn}, player 1`, "the game is over");
    const moves: [Move, Move] = [NONE, NONE];
    const first = entries.length === 2 ? 0 : this.declared ? 2 - position.mover : position.mover - 1;
    for (const [i, entry] of entries.entries()) moves[first + i] = this.judged(first + i, entry);
    const stuck = moves.map((move) => move === STUCK);
    if (this.declared) stuck[position.mover - 1] = true;
    else if (entries.length === 1 && stuck[first]) {
      this.declared = true;
      return;
    }
    this.turns++;
    this.position.mover = entries.length === 2 ? 1 : 3 - position.mover;
    if (!stuck.includes(true)) return this.end(resolve(position, moves, this.known));
    const winner = stuck[0] && stuck[1] ? 0 : stuck[0] ? 2 : 1;
    this.end({ over: true, winner, entries: [resultEntry(position.turn, winner)] });
  }

  private end({ over, winner, entries }: Pick<Played, "over" | "winner" | "entries">): void {
    this.over = over;
    this.winner = winner;
    this.entries.push(...entries);
  }

  private judged(side: number, entry: Entry): Move {
    if (entry === "stuck") return STUCK;
    try {
      checkMove(this.position, side, ...entry, this.known[side]);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      throw new InputError(`turn ${this.position.turn}, player ${side + 1}`, error.message);
    }
    return moveOf(...entry);
  }
}

/** The same game by the contract. */
async function previewed(contract: BaseContract, { mode, setups, turns }: Game): Promise<Played> {
  const moves = turns.flat().map((entry) => (entry === "stuck" ? STUCK : moveOf(...entry)));
  const ranks = setups.map((each) => concat(each.map((rank) => toBeHex(rank, 1))));
  type Preview = [over: boolean, winner: bigint, played: bigint, position: string, words: bigint[]];
  const previewOf = contract.getFunction("preview");
  const preview = (await previewOf.staticCall(encodeMode(mode), ...ranks, moves)) as Preview;
  const [over, winner, played, position, entries] = preview;
  return {
    over,
    winner: Number(winner),
    turns: Number(played),
    position: decodePosition(position),
    entries: [...entries],
  };
}
