import { otherSide, playerOf, sideOf } from "../../protocol/sides.js";
import { markOf } from "../../protocol/text.js";
import type { Paint } from "../module.js";
import type { KnownRanks } from "./draw.js";
import { moveOf } from "./legal-moves.js";
import { BattleKind, type Operation } from "./log.js";
import { copyOf, pawnAt, slotAt, type Position } from "./position.js";
import { RANKS } from "./ranks.js";
import { tileName } from "./tiles.js";
import { markPawnMoved } from "./turn-resolution.js";

/** Turn as described from its log. */
export interface ToldTurn {
  turn: number;
  operations: readonly Operation[];
  /** Sentences without their full stops. */
  sentences: string[];
  /** Position before the turn. */
  before: Position;
  /** Position after the turn, with the pawns and recorded ranks that the log determines. */
  after: Position;
}

type Battle = Extract<Operation, { op: "battle" }>;
type Walk = Extract<Operation, { op: "move" }>;

/**
 * Describes the turns of a log. A pawn is named by its tile and, from the turn that records its rank, by its rank.
 * @param start Position before the first turn.
 */
export function tellTurns(start: Position, operations: readonly Operation[], paint: Paint): ToldTurn[] {
  const position = copyOf(start);
  const turns = new Map<number, Operation[]>();
  for (const operation of operations) {
    const { turn } = operation;
    turns.set(turn, [...(turns.get(turn) ?? []), operation]);
  }
  return [...turns].map(([turn, own]) => {
    const before = copyOf(position);
    const sentences = new TurnTeller(position, paint).tell(own);
    return { turn, operations: own, sentences, before, after: copyOf(position) };
  });
}

/** Returns the codes of recorded and other known ranks, by side and slot. */
export function knownIn({ sides }: Position, shown?: KnownRanks): KnownRanks {
  return sides.map(({ ranks }, side) => ranks.map((code, slot) => code || (shown?.[side][slot] ?? 0)));
}

/** Describes one turn while carrying it out on the board. */
class TurnTeller {
  /** Board and ranks before the turn. */
  private readonly before: Position;
  /** Numbers of the pawns that have battled; their moves are described with the battle. */
  private readonly battled = new Set<number>();

  constructor(
    private readonly position: Position,
    private readonly paint: Paint,
  ) {
    this.before = copyOf(position);
  }

  tell(operations: readonly Operation[]): string[] {
    return operations.flatMap((operation) => this.apply(operation) ?? []);
  }

  /** Carries out an operation. Returns its sentence; undefined if another operation's sentence covers it. */
  private apply(operation: Operation): string | undefined {
    const { at, sides } = this.position;
    switch (operation.op) {
      case "move": {
        const { side, slot, from, to } = operation;
        const sentence = this.battled.has(pawnAt(side, slot)) ? undefined : this.walk(operation);
        at[from] = 0;
        at[to] = pawnAt(side, slot);
        sides[side].tiles[slot] = to;
        markPawnMoved(sides[side], slot, moveOf(from, to));
        return sentence;
      }
      case "reveal":
        sides[operation.side].ranks[operation.slot] = operation.rank + 1;
        return undefined;
      case "battle":
        return this.battle(operation);
      case "kill":
        sides[operation.side].alive[operation.slot] = 0;
        at[operation.tile] = 0;
        return undefined;
      case "result": {
        const { winner } = operation;
        return winner === 0 ? "a draw" : `${this.paint(`player ${winner}`, winner)} wins`;
      }
    }
  }

  private walk({ side, slot, to }: Walk): string {
    const fled = slotAt(this.before.at[to], otherSide(side));
    const gap = fled < 0 ? "" : `, which the ${this.pawn(this.before, otherSide(side), fled)} has just left`;
    return `${this.pawnFrom(side, slot)} to ${tileName(to)}${gap}`;
  }

  private battle({ side, slot, defender, tile, kind, winner }: Battle): string {
    const other = otherSide(side);
    this.battled.add(pawnAt(side, slot));
    if (kind !== BattleKind.Attack) this.battled.add(pawnAt(other, defender));
    const [one, two] = [this.pawnFrom(side, slot), this.pawnFrom(other, defender)];
    const beginnings: Record<number, string> = {
      [BattleKind.SameTile]: `${one} and ${two} meet on ${tileName(tile)}`,
      [BattleKind.Swap]: `${one} and ${two} attack each other`,
      [BattleKind.Attack]: `${one} to ${tileName(tile)}, attacks the ${this.pawn(this.before, other, defender)} there`,
    };
    return `${beginnings[kind]}; ${this.end({ side, slot, defender, kind, winner })}`;
  }

  private end({ side, slot, defender, kind, winner }: Omit<Battle, "op" | "turn" | "tile">): string {
    const { position } = this;
    const slots = side === 0 ? [slot, defender] : [defender, slot];
    // Both pawns fall only if their ranks are equal.
    if (winner === 0) return `both ${RANKS[position.sides[0].ranks[slots[0]] - 1]?.name ?? "pawn"}s fall`;
    const [victor, loser] = [sideOf(winner), otherSide(sideOf(winner))];
    const fall = `the ${this.pawn(position, loser, slots[loser])} falls`;
    const isKnown = position.sides[victor].ranks[slots[victor]] > 0;
    const winning = `the ${this.pawn(position, victor, slots[victor])}`;
    const place = kind === BattleKind.Swap ? `now on ${tileName(position.sides[loser].tiles[slots[loser]])}` : "";
    if (!isKnown) return place ? `${fall}, and ${winning} is ${place}` : fall;
    return `${fall} to ${winning}${place && `, ${place}`}`;
  }

  /** Names a pawn by its rank if a position records it. */
  private pawn({ sides }: Position, side: number, slot: number): string {
    const player = playerOf(side);
    return this.paint(`${markOf(player)}${RANKS[sides[side].ranks[slot] - 1]?.name ?? "pawn"}`, player);
  }

  /** Names a pawn by its tile before the turn and, if its rank was recorded by then, by its rank. */
  private pawnFrom(side: number, slot: number): string {
    const player = playerOf(side);
    const { ranks, tiles } = this.before.sides[side];
    const rank = RANKS[ranks[slot] - 1];
    return this.paint(`${markOf(player)}${rank ? `${rank.name} ` : ""}${tileName(tiles[slot])}`, player);
  }
}
