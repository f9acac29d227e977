import { battlesOf, dueSlots, resolve, type Battle, type Resolved } from "./engine.js";
import { BattleKind } from "./log.js";
import { checkLength } from "./state.js";
import { isFar, tilesOfMove, type Move } from "./legal-moves.js";
import { slotAt, type Position, type Side } from "./position.js";
import { decodeProof, PROOF_BYTES, takeProof } from "./setup.js";

/** Turn during its resolution: first its moves are known, then all ranks in its battles, then it is carried out. */
export class TurnResolution {
  private readonly battles: Battle[];
  /** Codes of ranks (rank + 1) by side and slot: recorded, or proved in this turn. */
  private readonly known: readonly [Uint8Array, Uint8Array];

  /** @param moves Legal moves by side; NONE for a side that does not move. */
  constructor(
    private readonly position: Position,
    readonly moves: readonly [Move, Move],
  ) {
    this.battles = battlesOf(position, moves);
    this.known = [position.sides[0].ranks.slice(), position.sides[1].ranks.slice()];
  }

  /** Returns the slots of a side whose ranks must be proved, ascending. */
  dueSlots(side: number): number[] {
    return dueSlots(this.position, this.battles, side);
  }

  /** Returns whether a side has ranks to prove. */
  mustProve(side: number): boolean {
    return this.dueSlots(side).length > 0;
  }

  /**
   * Takes a side's required proofs, and returns the bytes after them.
   * @throws ContractError if the contract would revert.
   */
  takeProofs(player: string, side: number, data: Uint8Array): Uint8Array {
    const { rules, sides } = this.position;
    for (const slot of this.dueSlots(side)) {
      checkLength(data, PROOF_BYTES);
      takeProof(rules, sides[side], player, slot, this.known[side], decodeProof(data.subarray(0, PROOF_BYTES)));
      data = data.subarray(PROOF_BYTES);
    }
    return data;
  }

  /** Returns the ranks that a side has proved in this turn, as `proved` of a position. */
  proved(side: number): number {
    const code = (moves: boolean) => {
      const slot = this.slotOf(side, moves);
      return slot === undefined || this.position.sides[side].ranks[slot] ? 0 : this.known[side][slot];
    };
    return (code(true) << 4) | code(false);
  }

  /** Adds the ranks that `proved` returned to the known ranks. */
  recall(side: number, proved: number): void {
    for (const moves of [true, false]) {
      const code = moves ? proved >> 4 : proved & 15;
      if (code) this.known[side][this.slotOf(side, moves)!] = code;
    }
  }

  /** Carries the turn out. */
  resolve(): Resolved {
    return resolve(this.position, this.moves, this.known);
  }

  /** Returns the slot of a side's pawn in a battle: the pawn that moves, or the pawn that stays. */
  private slotOf(side: number, moves: boolean): number | undefined {
    const fits = ({ kind, attacker }: Battle) => (kind !== BattleKind.Attack || attacker === side) === moves;
    return this.battles.find(fits)?.slots[side];
  }
}

/** Records that a side's pawn has moved; its tile stays the same. */
export function markMoved({ at, sides }: Position, side: number, move: Move): void {
  markPawnMoved(sides[side], slotAt(at[tilesOfMove(move)[0]], side), move);
}

/** Records that a pawn has moved. */
export function markPawnMoved({ moved, movedFar }: Side, slot: number, move: Move): void {
  moved[slot] = 1;
  if (isFar(move)) movedFar[slot] = 1;
}
