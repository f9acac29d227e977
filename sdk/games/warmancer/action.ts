import { hexOf, WORD_BYTES } from "../../protocol/bytes.js";
import { keccak } from "../../protocol/hash.js";
import type { RoundLog } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import { MAX_NOTE_BYTES, NO_STATE } from "../../protocol/commit-reveal.js";
import { Seat } from "../../protocol/status.js";
import type { TurnResolution } from "./turn-resolution.js";
import { resultEntry } from "./log.js";
import { checkLength, checkStateHash, goesOn, settled, type Match, type Outcome, type State } from "./match.js";
import { checkMove, NONE, tilesOfMove, type Move } from "./moves.js";
import { decodePosition, Phase, type Position } from "./position.js";
import { ContractError } from "./contract-error.js";
import { checkSetup, decodeSetup } from "./setup.js";

/** Instead of who has won. */
export const DRAW = 0;

/** Who has won by an action, or DRAW; or how the match goes on. */
export type Next = number | Outcome;

/**
 * An action on a position that its sender brings, and that only the word vouches for; it changes as the action is
 * carried out.
 */
export class Action {
  readonly position: Position;
  /** 0 or 1, the sender's. */
  readonly side: number;
  /** The other player's seat. */
  readonly other: bigint;
  readonly logs: RoundLog[] = [];
  private readonly hash: Hex;

  constructor(
    readonly match: Match,
    private readonly state: State,
    readonly seat: bigint,
    position: Uint8Array,
  ) {
    this.position = decodePosition(position);
    this.hash = hexOf(keccak(position));
    this.side = Number(seat) - 1;
    this.other = 3n - seat;
  }

  /** The sender's address. */
  get player(): string {
    return this.match.players[this.side];
  }

  /** Checks that the position, with this commitment and answer, is what the word commits to. */
  check(commitment: Hex, answer?: Hex): void {
    checkStateHash(this.match.matchId, this.state, { round: this.position.turn, state: this.hash, commitment, answer });
  }

  /** A move of the sender's must be legal by what is recorded. */
  judge(move: Move): void {
    const { position, side } = this;
    checkMove(position, side, ...tilesOfMove(move), position.sides[side].ranks);
  }

  /** Commitments the turn that has begun, or says Stuck with a commitment of zero. */
  commit(committed: Uint8Array): Next {
    checkLength(committed, WORD_BYTES, WORD_BYTES + MAX_NOTE_BYTES);
    const commitment = hexOf(committed.subarray(0, WORD_BYTES));
    if (commitment === NO_STATE) return this.stuck();
    this.position.phase = Phase.Round;
    return goesOn(this.other, this.position, { commitment });
  }

  /** The sender has no legal move; the other replies. */
  stuck(): Next {
    this.position.phase = Phase.Reply;
    return goesOn(this.other, this.position);
  }

  /** The sender has done its part, the other is to prove ranks. */
  awaitProofs(turn: TurnResolution): Next {
    const { position, side, other } = this;
    position.proved = turn.proved(side);
    position.moves = [...turn.moves];
    position.phase = Phase.Prove;
    return goesOn(other, position);
  }

  /** Carries out and logs a turn; undefined if the next one begins. */
  resolve(turn: TurnResolution): number | undefined {
    const { position, logs } = this;
    const { entries, over, winner } = turn.resolve();
    logs.push({ round: BigInt(position.turn), entries });
    if (over) return winner;
    position.turn++;
    position.proved = 0;
    position.moves = [NONE, NONE];
    return undefined;
  }

  /** Logs a turn that ends the game without a move. */
  result(winner: number): number {
    const { turn } = this.position;
    this.logs.push({ round: BigInt(turn), entries: [resultEntry(turn, winner)] });
    return winner;
  }

  /** The end of a game: who has won shows its setup first; after a draw both do, player 1 first. */
  conclude(winner: number, setup: Uint8Array): Outcome {
    const { position, side, state } = this;
    const brings = setup.length > 0;
    if (position.rules.casual) {
      if (brings) throw new ContractError("SetupNotDue");
      return settled(state, position, winner);
    }
    if (position.phase < Phase.Won) {
      Object.assign(position, { phase: winner === DRAW ? Phase.Drawn : Phase.Won, proved: 0, moves: [NONE, NONE] });
    }
    const due = position.phase === Phase.Drawn ? 1 : position.phase === Phase.Drawn2 ? 2 : winner;
    if (!brings) return goesOn(BigInt(due), position);
    if (due !== side + 1) throw new ContractError("SetupNotDue");
    checkSetup(position.rules, position.sides[side], this.player, decodeSetup(setup));
    if (position.phase !== Phase.Drawn) return settled(state, position, winner);
    position.phase = Phase.Drawn2;
    return goesOn(Seat.Two, position);
  }
}
