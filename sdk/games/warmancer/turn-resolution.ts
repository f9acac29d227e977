import { battlesOf, dueSlots, resolve, type Battle, type Resolved } from "./engine.js";
import { BattleKind } from "./log.js";
import { checkLength } from "./match.js";
import { isFar, tilesOfMove, type Move } from "./moves.js";
import { slotAt, type Position } from "./position.js";
import { decodeProof, PROOF_BYTES, takeProof } from "./setup.js";

/** The moves of a turn while the ranks of its battles come to light. */
export class TurnResolution {
  private readonly battles: Battle[];
  /** Ranks and 1, by side and slot: recorded, or proved in this turn. */
  private readonly known: readonly [Uint8Array, Uint8Array];

  /** @param moves Legal ones; sequential, NONE for who does not move. */
  constructor(
    private readonly position: Position,
    readonly moves: readonly [Move, Move],
  ) {
    this.battles = battlesOf(position, moves);
    this.known = [position.sides[0].ranks.slice(), position.sides[1].ranks.slice()];
  }

  /** The slots of a side whose ranks are to be proved, ascending. */
  due(side: number): number[] {
    return dueSlots(this.position, this.battles, side);
  }

  /** Takes the proofs that are due of a side; returns what is behind them. @throws ContractError as the contract does. */
  takeProofs(player: string, side: number, data: Uint8Array): Uint8Array {
    const { rules, sides } = this.position;
    for (const slot of this.due(side)) {
      checkLength(data, PROOF_BYTES);
      takeProof(rules, sides[side], player, slot, this.known[side], decodeProof(data.subarray(0, PROOF_BYTES)));
      data = data.subarray(PROOF_BYTES);
    }
    return data;
  }

  /** What a side has proved in this turn, as positions have it. */
  proved(side: number): number {
    const code = (moves: boolean) => {
      const slot = this.slotOf(side, moves);
      return slot === undefined || this.position.sides[side].ranks[slot] ? 0 : this.known[side][slot];
    };
    return (code(true) << 4) | code(false);
  }

  /** Inverse of `proved`. */
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

  /** A side's pawn in a battle that moves, or the one that stays. */
  private slotOf(side: number, moves: boolean): number | undefined {
    const fits = ({ kind, attacker }: Battle) => (kind !== BattleKind.Attack || attacker === side) === moves;
    return this.battles.find(fits)?.slots[side];
  }
}

/** Notes that a side's pawn has moved; it still stands where it did. */
export function mark({ at, sides }: Position, side: number, move: Move): void {
  const slot = slotAt(at[tilesOfMove(move)[0]], side);
  sides[side].moved[slot] = 1;
  if (isFar(move)) sides[side].movedFar[slot] = 1;
}
