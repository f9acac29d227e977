import { hexOf, WORD_BYTES } from "../../protocol/bytes.js";
import { keccak } from "../../protocol/hash.js";
import type { RoundLog } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import { MAX_NOTE_BYTES, NO_STATE } from "../../protocol/commit-reveal.js";
import { Seat } from "../../protocol/status.js";
import { playerOf, sideOf } from "../../protocol/sides.js";
import type { TurnResolution } from "./turn-resolution.js";
import { encodeEntry } from "./log.js";
import { checkLength, checkStateHash, goesOn, settled, type Match, type Outcome, type State } from "./state.js";
import { checkMove, NONE, tilesOfMove, type Move } from "./legal-moves.js";
import { decodePosition, Phase, type Position } from "./position.js";
import { ContractError } from "./contract-error.js";
import { checkSetup, decodeSetup } from "./setup.js";

/** Value that is used instead of a winner if the game is a draw. */
export const DRAW = 0;

/** Result of an action: the winner if it ends the game, 1, 2 or DRAW; otherwise the outcome to continue from. */
export type Next = number | Outcome;

/** Action on the position in its sender's data. Carrying it out changes that position. */
export class Action {
  readonly position: Position;
  /** Side of the sender, 0 or 1. */
  readonly side: number;
  /** Seat of the other player. */
  readonly otherSeat: bigint;
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
    this.side = sideOf(Number(seat));
    this.otherSeat = seat === Seat.One ? Seat.Two : Seat.One;
  }

  /** Address of the sender. */
  get player(): string {
    return this.match.players[this.side];
  }

  /**
   * Checks that the state hash commits to the position with this commitment and answer.
   * @throws ContractError if it does not.
   */
  check(commitment: Hex, answer?: Hex): void {
    checkStateHash(this.match.matchId, this.state, { round: this.position.turn, state: this.hash, commitment, answer });
  }

  /**
   * Checks a move of the sender against the recorded ranks.
   * @throws ContractError if it is illegal.
   */
  checkMove(move: Move): void {
    const { position, side } = this;
    checkMove(position, side, ...tilesOfMove(move), position.sides[side].ranks);
  }

  /** Takes the commitment for the new turn; a commitment of zero means Stuck. */
  commit(committed: Uint8Array): Next {
    checkLength(committed, WORD_BYTES, WORD_BYTES + MAX_NOTE_BYTES);
    const commitment = hexOf(committed.subarray(0, WORD_BYTES));
    if (commitment === NO_STATE) return this.stuck();
    this.position.phase = Phase.Round;
    return goesOn(this.otherSeat, this.position, { commitment });
  }

  /** Lets the other player reply to a sender who has declared that it has no legal move. */
  stuck(): Next {
    this.position.phase = Phase.Reply;
    return goesOn(this.otherSeat, this.position);
  }

  /** Waits for the other player to prove ranks, after the sender has done its part. */
  awaitProofs(turn: TurnResolution): Next {
    const { position, side, otherSeat } = this;
    position.proved = turn.proved(side);
    position.moves = [...turn.moves];
    position.phase = Phase.Prove;
    return goesOn(otherSeat, position);
  }

  /** Carries out and logs a turn. Returns the winner, or DRAW; undefined if the next turn begins. */
  resolve(turn: TurnResolution): number | undefined {
    const { position, logs } = this;
    const { operations, over, winner } = turn.resolve();
    logs.push({ round: BigInt(position.turn), entries: operations.map(encodeEntry) });
    if (over) return winner;
    position.turn++;
    position.proved = 0;
    position.moves = [NONE, NONE];
    return undefined;
  }

  /** Logs a turn that ends the game without a move, and returns the winner. */
  result(winner: number): number {
    const { turn } = this.position;
    this.logs.push({ round: BigInt(turn), entries: [encodeEntry({ op: "result", turn, winner })] });
    return winner;
  }

  /**
   * Ends a game: its winner must first show its setup; after a draw both players must, player 1 first.
   * @param setup Setup of the sender; empty if it will be shown later.
   * @throws ContractError if the contract would revert.
   */
  conclude(winner: number, setup: Uint8Array): Outcome {
    const { position, side, state } = this;
    const brings = setup.length > 0;
    if (position.rules.casual) {
      if (brings) throw new ContractError("SetupNotDue");
      return settled(state, position, winner);
    }
    if (position.phase < Phase.Won) {
      position.phase = winner === DRAW ? Phase.Drawn : Phase.Won;
      position.proved = 0;
      position.moves = [NONE, NONE];
    }
    const due = position.phase === Phase.Drawn ? 1 : position.phase === Phase.Drawn2 ? 2 : winner;
    if (!brings) return goesOn(BigInt(due), position);
    if (due !== playerOf(side)) throw new ContractError("SetupNotDue");
    checkSetup(position.rules, position.sides[side], this.player, decodeSetup(setup));
    if (position.phase !== Phase.Drawn) return settled(state, position, winner);
    position.phase = Phase.Drawn2;
    return goesOn(Seat.Two, position);
  }
}
