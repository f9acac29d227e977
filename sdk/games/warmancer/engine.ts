import { BattleKind, logEntry, Op, resultEntry } from "./log.js";
import { MAX_TURNS } from "./mode.js";
import { mightMove, NONE, tilesOfMove, type Move } from "./moves.js";
import { pawnAt, slotAt, type Position } from "./position.js";
import { battle as winnerOf, THRONE } from "./ranks.js";

/** A battle of a turn, before ranks are known. */
export interface Battle {
  /** As in `BattleKind`. */
  kind: number;
  /** The common tile of a battle for one, player 1's target in a swap, else the defender's. */
  tile: number;
  /** Its side. */
  attacker: number;
  /** The slots of side 0's pawn and side 1's. */
  slots: [number, number];
}

/** What a turn came to. */
export interface Resolved {
  entries: bigint[];
  over: boolean;
  /** 1, 2, or 0 for a draw; 0 while it is not over. */
  winner: number;
}

type Pair<T> = readonly [T, T];

/** What stands on a mover's target: nobody, an enemy that stays, the enemy that moves away; or nobody moves. */
type Target = "empty" | "stays" | "leaves" | "none";

/**
 * The battles of two legal moves, side 0's attack first; in turns that one player moves alone the other's is NONE.
 */
export function battlesOf({ at }: Position, moves: Pair<Move>): Battle[] {
  const targets = targetsOf(at, moves);
  if (contested(targets, moves)) return [battleOfMovers(at, moves, BattleKind.SameTile)];
  if (targets[0] === "leaves" && targets[1] === "leaves") return [battleOfMovers(at, moves, BattleKind.Swap)];
  const battles: Battle[] = [];
  for (const attacker of [0, 1]) {
    if (targets[attacker] !== "stays") continue;
    const [from, tile] = tilesOfMove(moves[attacker]);
    const [slot, defender] = [slotAt(at[from], attacker), slotAt(at[tile], 1 - attacker)];
    battles.push({
      kind: BattleKind.Attack,
      tile,
      attacker,
      slots: attacker === 0 ? [slot, defender] : [defender, slot],
    });
  }
  return battles;
}

function battleOfMovers(at: Uint8Array, moves: Pair<Move>, kind: number): Battle {
  const [[from1, tile], [from2]] = [tilesOfMove(moves[0]), tilesOfMove(moves[1])];
  return { kind, tile, attacker: 0, slots: [slotAt(at[from1], 0), slotAt(at[from2], 1)] };
}

/** The slots of a side whose ranks must be proved for these battles, ascending. */
export function dueSlots({ sides }: Position, battles: readonly Battle[], side: number): number[] {
  const slots = battles.map((battle) => battle.slots[side]).filter((slot) => !sides[side].ranks[slot]);
  return slots.sort((a, b) => a - b);
}

/**
 * Carries out the legal moves of a turn in a position: who stands where, who lives, what is recorded. Turn, phase and
 * what has moved are the caller's.
 * @param known Ranks and 1 by slot and side: those of all pawns in battles count.
 */
export function resolve(position: Position, moves: Pair<Move>, known: Pair<Uint8Array>): Resolved {
  const targets = targetsOf(position.at, moves);
  const battles = battlesOf(position, moves);
  const turn = new Turn(position);
  const swap = targets[0] === "leaves" && targets[1] === "leaves";
  for (const side of [0, 1]) if (targets[side] === "empty" && !contested(targets, moves)) turn.move(side, moves[side]);
  for (const battle of battles) turn.fight(battle, moves, known);
  for (const side of [0, 1]) if (targets[side] === "leaves" && !swap) turn.move(side, moves[side]);
  const winner = turn.winner();
  if (winner === undefined) return { entries: turn.entries, over: false, winner: 0 };
  turn.entries.push(resultEntry(position.turn, winner));
  return { entries: turn.entries, over: true, winner };
}

function targetsOf(at: Uint8Array, moves: Pair<Move>): Pair<Target> {
  return [targetOf(at, moves[0], moves[1]), targetOf(at, moves[1], moves[0])];
}

function targetOf(at: Uint8Array, own: Move, others: Move): Target {
  if (own === NONE) return "none";
  const [, to] = tilesOfMove(own);
  if (!at[to]) return "empty";
  return others !== NONE && tilesOfMove(others)[0] === to ? "leaves" : "stays";
}

function contested(targets: Pair<Target>, moves: Pair<Move>): boolean {
  const empty = targets[0] === "empty" && targets[1] === "empty";
  return empty && tilesOfMove(moves[0])[1] === tilesOfMove(moves[1])[1];
}

/** A turn that is carried out, operation by operation. */
class Turn {
  readonly entries: bigint[] = [];
  private readonly dethroned = [false, false];

  constructor(private readonly position: Position) {}

  move(side: number, move: Move): void {
    const { at, sides, turn } = this.position;
    const [from, to] = tilesOfMove(move);
    const slot = slotAt(at[from], side);
    at[from] = 0;
    at[to] = pawnAt(side, slot);
    sides[side].tiles[slot] = to;
    this.entries.push(logEntry(turn, Op.Move, { side, slot }, [from, to, 0, 0]));
  }

  fight({ kind, tile, attacker, slots }: Battle, moves: Pair<Move>, known: Pair<Uint8Array>): void {
    const { rules, turn } = this.position;
    const ranks = slots.map((slot, side) => known[side][slot] - 1);
    const winner = winnerOf(ranks[0], ranks[1]);
    const order = [attacker, 1 - attacker];
    const losers = order.filter((side) => winner !== side + 1);
    for (const side of rules.alwaysHidden ? losers : order) this.reveal(side, slots[side], ranks[side]);
    const [slot, defender] = order.map((side) => slots[side]);
    this.entries.push(logEntry(turn, Op.Battle, { side: attacker, slot }, [defender, tile, kind, winner]));
    for (const side of losers) this.kill(side, slots[side], ranks[side]);
    const victor = winner - 1;
    if (winner !== 0 && (victor === attacker || kind !== BattleKind.Attack)) this.move(victor, moves[victor]);
  }

  /** Who has won by the end of the turn, 0 for a draw; undefined if the game goes on. */
  winner(): number | undefined {
    const { position, dethroned } = this;
    const lost = dethroned.includes(true) ? dethroned : [0, 1].map((side) => !mightMove(position, side));
    if (lost[0] || lost[1]) return lost[0] && lost[1] ? 0 : lost[0] ? 2 : 1;
    return position.turn === (position.rules.maxTurns || MAX_TURNS) ? 0 : undefined;
  }

  private reveal(side: number, slot: number, rank: number): void {
    const { turn, sides } = this.position;
    const { ranks, tiles } = sides[side];
    if (ranks[slot]) return;
    ranks[slot] = rank + 1;
    this.entries.push(logEntry(turn, Op.Reveal, { side, slot }, [tiles[slot], 0, rank, 0]));
  }

  private kill(side: number, slot: number, rank: number): void {
    const { turn, sides, at } = this.position;
    const { alive, tiles } = sides[side];
    alive[slot] = 0;
    at[tiles[slot]] = 0;
    if (rank === THRONE) this.dethroned[side] = true;
    this.entries.push(logEntry(turn, Op.Kill, { side, slot }, [tiles[slot], 0, 0, 0]));
  }
}
