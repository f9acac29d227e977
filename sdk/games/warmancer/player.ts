import { concat, getBytes, toBeHex, toNumber } from "ethers";
import { bytesOf } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import type { Secret } from "../../protocol/commitment.js";
import { otherSide, playerOf, sideOf } from "../../protocol/sides.js";
import { encodeAction } from "./encode-action.js";
import { dueKind, act } from "./act.js";
import { TurnResolution, markMoved } from "./turn-resolution.js";
import type { Mode } from "./mode.js";
import { checkMove, legalMoves, NONE, STUCK, tilesOfMove, type Move } from "./legal-moves.js";
import type { Operation } from "./log.js";
import { moveText } from "./notation.js";
import { copyOf, Phase, type Position } from "./position.js";
import { Kind, type Match, type State } from "./state.js";
import { ContractError } from "./contract-error.js";
import { encodeProof, encodeSetup, proofOf, type Setup } from "./setup.js";

/** Secrets of a player. */
export interface Own {
  setup: Setup;
  /** Move and salt that the player has committed to in this turn. */
  committed?: Secret;
}

/** Prediction of a player's turn before it acts. */
export interface Prospect {
  /** Kind of the player's next action. */
  kind: number;
  /** Board on which the player must find the next move, after all earlier events; undefined if no move is needed. */
  board?: Position;
  /** Winner, 1, 2 or 0 for a draw, if the game ends before the player's next move. */
  winner?: number;
  /** Slots of the player's pawns whose ranks the action proves. */
  proves: readonly number[];
  /** True if the other player must prove ranks before the turn is over. */
  waits: boolean;
  /** Moves of this turn that the player knows before it acts, by side; NONE for an unknown one. */
  moves: readonly [Move, Move];
  /** Operations of the turn's log, if the player's action carries out the turn. */
  operations?: readonly Operation[];
  /** Body of the player's action up to the next move. */
  body: Hex;
}

/** Player in its turn of a match. */
export class Player {
  /** Position of the match. */
  readonly position: Position;
  /** Side of the player, 0 or 1. */
  readonly side: number;
  /** Codes (rank + 1) of the player's own ranks, by slot. */
  private readonly known: Uint8Array;

  constructor(
    private readonly match: Match,
    private readonly state: State,
    private readonly seat: bigint,
    readonly own: Own,
  ) {
    this.position = state.position!;
    this.side = sideOf(Number(seat));
    this.known = Uint8Array.from(own.setup.ranks, (rank) => rank + 1);
  }

  get mode(): Mode {
    return this.match.mode;
  }

  /** Returns the prediction for this turn. */
  foresee(): Prospect {
    const { position, seat } = this;
    const kind = dueKind(position, seat);
    if (kind === Kind.Reveal) return this.revealing();
    if (kind === Kind.Prove) return this.proving();
    const body = kind === Kind.Answer ? this.state.commitment : "0x";
    const { moves } = position;
    return { kind, body, proves: [], waits: false, moves, board: kind === Kind.Setup ? undefined : position };
  }

  /** Returns the moves of this turn that the player has sent or can see, by side; NONE for an unknown one. */
  sentMoves(): readonly [Move, Move] {
    const { position, state, own, side } = this;
    const moves: [Move, Move] = [position.moves[0], position.moves[1]];
    if (state.answer !== undefined) moves[otherSide(sideOf(position.mover))] = toNumber(state.answer);
    if (own.committed) moves[side] = toNumber(own.committed.move);
    return moves;
  }

  /** Returns the number of required moves: 2 if a player moves second in a casual turn, otherwise 1 or 0. */
  wanted({ kind, board }: Prospect): number {
    if (board === undefined) return 0;
    return kind === Kind.Move && this.isSecond() ? 2 : 1;
  }

  /**
   * Returns the board after the first of two moves, or undefined if that move ends the game.
   * @throws InputError for a move that is illegal or unsafe.
   */
  after(move: Move): Position | undefined {
    return this.outcome(move).board;
  }

  /**
   * Returns the board after the first of two moves, undefined if the game is then over, and the operations of the turn.
   * @throws InputError for a move that is illegal or unsafe.
   */
  outcome(move: Move): Pick<Prospect, "board" | "operations"> {
    this.check(this.position, move);
    if (move === STUCK) return {};
    const board = copyOf(this.position);
    const moves = [...board.moves] as [Move, Move];
    moves[this.side] = move;
    const { over, operations } = new TurnResolution(board, moves).resolve();
    return { operations, board: over ? undefined : begun(board) };
  }

  /** Returns the ranks on a board that the player knows: codes (rank + 1) by side and slot. */
  sight({ sides }: Position): [Uint8Array, Uint8Array] {
    return this.side === 0 ? [this.known, sides[1].ranks] : [sides[0].ranks, this.known];
  }

  /** Returns the tile of one of the player's pawns. */
  tileOf(slot: number): number {
    return this.position.sides[this.side].tiles[slot];
  }

  /** Returns the legal moves of the player on a board. */
  legal(board: Position): Move[] {
    return legalMoves(board, this.side, this.known);
  }

  /**
   * Encodes the player's next action.
   * @param orders Required moves; any others are ignored.
   * @param commit Commits to a move of two bytes, and returns the commitment with its note.
   * @throws InputError for moves that are illegal or unsafe.
   * @throws ContractError if the contract would reject the action.
   */
  async action(orders: readonly Move[], commit: (move: Hex) => Promise<Hex>): Promise<Hex> {
    const prospect = this.foresee();
    const { kind, board } = prospect;
    const first = this.isSecond() && kind === Kind.Move && orders.length > 0 ? this.after(orders[0]) : undefined;
    const asked = this.wanted(prospect);
    const wanted = asked === 2 && orders.length > 0 && !first ? 1 : asked;
    if (orders.length < wanted) throw new InputError("move", `${wanted - orders.length} more asked for, like d4-d5`);
    const boards = [board, first];
    const bodies = await Promise.all(
      orders.slice(0, wanted).map((order, i) => this.ordered(kind, boards[i]!, order, commit)),
    );
    if (kind === Kind.Setup) return encodeAction(kind, this.position, encodeSetup(this.own.setup));
    const body = concat([prospect.body, ...bodies]);
    const action = encodeAction(kind, this.position, body);
    const { turn, position } = act(this.match, this.state, this.seat, action).state;
    const rides = turn === this.seat && position!.phase >= Phase.Won;
    return rides ? encodeAction(kind, this.position, body, this.own.setup) : action;
  }

  /** Encodes a concession: the opponent wins once it has shown its setup. */
  concession(): Hex {
    const { position, state } = this;
    const committed = state.commitment === NO_STATE ? "0x" : concat([state.commitment, state.answer ?? "0x"]);
    return encodeAction(Kind.Concede, position, committed);
  }

  /** Returns the prediction for a reveal. */
  private revealing(): Prospect {
    const { own, state, side } = this;
    const moves = this.sentMoves();
    const others = moves[otherSide(side)];
    const board = copyOf(this.position);
    markMoved(board, side, moves[side]);
    const head = concat([own.committed!.salt, own.committed!.move, state.answer!]);
    if (others === STUCK)
      return { kind: Kind.Reveal, body: head, proves: [], waits: false, moves, winner: playerOf(side) };
    markMoved(board, otherSide(side), others);
    const resolution = new TurnResolution(board, moves);
    return this.fought(Kind.Reveal, head, board, resolution);
  }

  /** Returns the prediction for a proof. */
  private proving(): Prospect {
    const board = copyOf(this.position);
    const resolution = new TurnResolution(board, board.moves);
    resolution.recall(otherSide(this.side), board.proved);
    return this.fought(Kind.Prove, "0x", board, resolution, playerOf(this.side));
  }

  /** Returns the prediction for a turn once this player has proved its ranks. */
  private fought(kind: number, head: Hex, board: Position, resolution: TurnResolution, mover = board.mover): Prospect {
    const { side, match, own } = this;
    const player = match.players[side];
    const proves = resolution.dueSlots(side);
    const proofs = concat(proves.map((slot) => encodeProof(proofOf(player, own.setup, slot))));
    resolution.takeProofs(player, side, bytesOf(proofs));
    const prospect = { kind, proves, body: concat([head, proofs]), moves: resolution.moves };
    // If this player proves last, the mover has already proved its ranks.
    if (kind === Kind.Reveal && resolution.mustProve(otherSide(side))) return { ...prospect, waits: true };
    const { over, winner, operations } = resolution.resolve();
    if (over) return { ...prospect, waits: false, winner, operations };
    board.mover = mover;
    return { ...prospect, waits: false, operations, board: begun(board) };
  }

  /** Encodes a move as part of an action's body. */
  private async ordered(kind: number, board: Position, order: Move, commit: (move: Hex) => Promise<Hex>): Promise<Hex> {
    this.check(board, order);
    const { sequential } = board.rules;
    const open = kind === Kind.Answer || kind === Kind.Move || (kind === Kind.Prove && sequential);
    const move = toBeHex(order, 2);
    if (!open) return order === STUCK ? NO_STATE : commit(move);
    const attacks = sequential && order !== STUCK && board.phase !== Phase.Reply && kind !== Kind.Answer;
    return attacks ? concat([this.proofsFor(board, order), move]) : move;
  }

  /** Encodes the proofs that a sequential move must contain. */
  private proofsFor(board: Position, order: Move): Hex {
    const moves: [Move, Move] = this.side === 0 ? [order, NONE] : [NONE, order];
    const due = new TurnResolution(board, moves).dueSlots(this.side);
    return concat(due.map((slot) => encodeProof(proofOf(this.match.players[this.side], this.own.setup, slot))));
  }

  /**
   * Checks a move against the player's own ranks, as it could not prove an illegal one later. Rejects Stuck if there is
   * a legal move, as Stuck would lose.
   * @throws InputError
   */
  private check(board: Position, order: Move): void {
    if (order === STUCK) {
      const [move] = this.legal(board);
      if (move !== undefined)
        throw new InputError("stuck", `there is a legal move, e.g. ${moveText(move)}: you would lose`);
      return;
    }
    try {
      checkMove(board, this.side, ...tilesOfMove(order), this.known);
    } catch (error) {
      throw error instanceof ContractError ? new InputError(moveText(order), error.message) : error;
    }
  }

  /** Returns whether the player moves second in a casual turn. */
  private isSecond(): boolean {
    const { rules, phase, mover } = this.position;
    return rules.casual && !rules.sequential && phase === Phase.Move && mover !== Number(this.seat);
  }
}

/** Starts the next turn on a board. */
function begun(board: Position): Position {
  board.turn++;
  board.proved = 0;
  board.moves = [NONE, NONE];
  return board;
}

/** Returns the setup in a secret. */
export function setupBehind({ move, salt }: Secret): Setup {
  return { secret: salt, ranks: [...getBytes(move)] };
}
