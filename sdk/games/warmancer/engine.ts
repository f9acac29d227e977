import { otherSide, playerOf, sideOf } from "../../protocol/sides.js";
import { BattleKind, type Operation } from "./log.js";
import { MAX_TURNS } from "./mode.js";
import { ContractError } from "./contract-error.js";
import { mightMove, NONE, tilesOfMove, type Move } from "./legal-moves.js";
import { pawnAt, slotAt, type Position } from "./position.js";
import { battle as winnerOf, RANKS, THRONE } from "./ranks.js";

/** Battle of a turn, before its ranks are revealed. */
export interface Battle {
  /** Kind of the battle, as in `BattleKind`. */
  kind: number;
  /** Tile that both pawns enter, player 1's target in a swap, or the defender's tile. */
  tile: number;
  /** Side that attacks; 0 if both sides move. */
  attacker: number;
  /** Slots of both pawns, by side. */
  slots: [number, number];
}

/** Outcome of a turn. */
export interface Resolved {
  /** Operations of the turn's log. */
  operations: Operation[];
  /** True if the game is over. */
  over: boolean;
  /** Winner, 1, 2 or 0 for a draw; 0 while the game is not over. */
  winner: number;
}

type Pair<T> = readonly [T, T];

/**
 * State of a move's target tile before the turn: the tile is empty, an enemy stays there, or an enemy leaves it in this
 * turn; or there is no move.
 */
type Target = "empty" | "staying" | "leaving" | "none";

const SIDES = [0, 1] as const;

/** Returns the battles of two legal moves, side 0's attack first; NONE is the move of a side that does not move. */
export function battlesOf({ at }: Position, moves: Pair<Move>): Battle[] {
  const targets = targetsOf(at, moves);
  if (contested(targets, moves)) return [battleOfMovers(at, moves, BattleKind.SameTile)];
  if (targets[0] === "leaving" && targets[1] === "leaving") return [battleOfMovers(at, moves, BattleKind.Swap)];
  const battles: Battle[] = [];
  for (const attacker of SIDES) {
    if (targets[attacker] !== "staying") continue;
    const [from, tile] = tilesOfMove(moves[attacker]);
    const [slot, defender] = [slotAt(at[from], attacker), slotAt(at[tile], otherSide(attacker))];
    battles.push({
      kind: BattleKind.Attack,
      tile,
      attacker,
      slots: attacker === 0 ? [slot, defender] : [defender, slot],
    });
  }
  return battles;
}

/** Returns the battle between the pawns that both sides move. */
function battleOfMovers(at: Uint8Array, moves: Pair<Move>, kind: number): Battle {
  const [[from1, tile], [from2]] = [tilesOfMove(moves[0]), tilesOfMove(moves[1])];
  return { kind, tile, attacker: 0, slots: [slotAt(at[from1], 0), slotAt(at[from2], 1)] };
}

/** Returns the unrecorded slots of a side whose ranks must be proved for these battles, ascending. */
export function dueSlots({ sides }: Position, battles: readonly Battle[], side: number): number[] {
  const slots = battles.map((battle) => battle.slots[side]).filter((slot) => !sides[side].ranks[slot]);
  return slots.sort((a, b) => a - b);
}

/**
 * Carries out the legal moves of a turn in a position: updates tiles, deaths and recorded ranks. The caller updates the
 * number of the turn, the phase and the moved flags.
 * @param known Codes of ranks (rank + 1) by side and slot, including those of all pawns in battles.
 */
export function resolve(position: Position, moves: Pair<Move>, known: Pair<Uint8Array>): Resolved {
  const targets = targetsOf(position.at, moves);
  const battles = battlesOf(position, moves);
  const turn = new Turn(position);
  const swap = targets[0] === "leaving" && targets[1] === "leaving";
  for (const side of SIDES) if (targets[side] === "empty" && !contested(targets, moves)) turn.walk(side, moves[side]);
  for (const battle of battles) turn.fight(battle, moves, known);
  for (const side of SIDES) if (targets[side] === "leaving" && !swap) turn.walk(side, moves[side]);
  const winner = turn.winner();
  const { operations } = turn;
  if (winner === undefined) return { operations, over: false, winner: 0 };
  operations.push({ op: "result", turn: position.turn, winner });
  return { operations, over: true, winner };
}

function targetsOf(at: Uint8Array, moves: Pair<Move>): Pair<Target> {
  return [targetOf(at, moves[0], moves[1]), targetOf(at, moves[1], moves[0])];
}

function targetOf(at: Uint8Array, own: Move, others: Move): Target {
  if (own === NONE) return "none";
  const [, to] = tilesOfMove(own);
  if (!at[to]) return "empty";
  return others !== NONE && tilesOfMove(others)[0] === to ? "leaving" : "staying";
}

/** Returns whether both sides enter the same free tile. */
function contested(targets: Pair<Target>, moves: Pair<Move>): boolean {
  const empty = targets[0] === "empty" && targets[1] === "empty";
  return empty && tilesOfMove(moves[0])[1] === tilesOfMove(moves[1])[1];
}

/** Turn that is carried out, operation by operation. */
class Turn {
  readonly operations: Operation[] = [];
  private readonly dethroned = [false, false];

  constructor(private readonly position: Position) {}

  /** Moves a side's pawn to its target, which is free at this point. */
  walk(side: number, move: Move): void {
    const { at, sides, turn } = this.position;
    const [from, to] = tilesOfMove(move);
    const slot = slotAt(at[from], side);
    at[from] = 0;
    at[to] = pawnAt(side, slot);
    sides[side].tiles[slot] = to;
    this.operations.push({ op: "move", turn, side, slot, from, to });
  }

  /** Lets two pawns battle. */
  fight({ kind, tile, attacker, slots }: Battle, moves: Pair<Move>, known: Pair<Uint8Array>): void {
    const { rules, turn } = this.position;
    const ranks = slots.map((slot, side) => known[side][slot] - 1);
    const winner = winnerOf(ranks[0], ranks[1]);
    const order = [attacker, otherSide(attacker)];
    const losers = order.filter((side) => winner !== playerOf(side));
    for (const side of rules.alwaysHidden ? losers : order) this.reveal(side, slots[side], ranks[side]);
    const [slot, defender] = order.map((side) => slots[side]);
    this.operations.push({ op: "battle", turn, side: attacker, slot, defender, tile, kind, winner });
    for (const side of losers) this.kill(side, slots[side], ranks[side]);
    if (winner === 0) return;
    const victor = sideOf(winner);
    // A pawn that stays does not move when it wins.
    if (victor === attacker || kind !== BattleKind.Attack) this.walk(victor, moves[victor]);
  }

  /**
   * Decides the game after the turn: by lost Thrones, then by which sides can still move, then by the maximum of turns.
   * Returns the winner, 0 for a draw; undefined if the game continues.
   */
  winner(): number | undefined {
    const { position, dethroned } = this;
    const [lost1, lost2] = dethroned.includes(true) ? dethroned : SIDES.map((side) => !mightMove(position, side));
    if (lost1 && lost2) return 0;
    if (lost1) return 2;
    if (lost2) return 1;
    return position.turn === (position.rules.maxTurns || MAX_TURNS) ? 0 : undefined;
  }

  /** Records the rank of a pawn, unless its rank is already recorded. @throws ContractError for an invalid rank */
  private reveal(side: number, slot: number, rank: number): void {
    const { turn, sides } = this.position;
    const { ranks, tiles } = sides[side];
    if (ranks[slot]) return;
    if (rank >= RANKS.length) throw new ContractError("UnknownRank", { slot, rank });
    ranks[slot] = rank + 1;
    this.operations.push({ op: "reveal", turn, side, slot, tile: tiles[slot], rank });
  }

  /** Removes a pawn from the board. */
  private kill(side: number, slot: number, rank: number): void {
    const { turn, sides, at } = this.position;
    const { alive, tiles } = sides[side];
    alive[slot] = 0;
    at[tiles[slot]] = 0;
    if (rank === THRONE) this.dethroned[side] = true;
    this.operations.push({ op: "kill", turn, side, slot, tile: tiles[slot] });
  }
}
