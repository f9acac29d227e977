import { concat, getBytes, toBeHex, toNumber } from "ethers";
import { bytesOf } from "../../protocol/bytes.js";
import { InputError } from "../../protocol/input.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import type { Secret } from "../../protocol/commitment.js";
import { encodeAction } from "./encode-action.js";
import { dueKind } from "./act.js";
import { TurnResolution, mark } from "./turn-resolution.js";
import type { Mode } from "./mode.js";
import { checkMove, legalMoves, NONE, STUCK, tilesOfMove, type Move } from "./moves.js";
import { moveText } from "./notation.js";
import { copyOf, Phase, type Position } from "./position.js";
import { act, Kind, type Match, type State } from "./protocol.js";
import { ContractError } from "./contract-error.js";
import { encodeProof, encodeSetup, proofOf, type Setup } from "./setup.js";

/** What only a player knows. */
export interface Own {
  setup: Setup;
  /** What it has committed to in this turn. */
  committed?: Secret;
}

/** What a player's turn is about. */
export interface Prospect {
  /** The kind of action that is due. */
  kind: number;
  /** The board on which it is to find its next move, after all that happens before; undefined if none is asked for. */
  board?: Position;
  /** Who has won, or 0 for a draw, if the game ends before that. */
  winner?: number;
  /** Slots of its own pawns whose ranks it proves. */
  proves: readonly number[];
  /** Whether the other must prove ranks before the turn is over. */
  waits: boolean;
  /** What it sends before its next move. */
  body: Hex;
}

/** A player's turn in a match it is in. */
export class Player {
  /** The board as it stands. */
  readonly position: Position;
  /** 0 or 1. */
  readonly side: number;
  /** The player's own ranks and 1, by slot. */
  private readonly known: Uint8Array;

  constructor(
    private readonly match: Match,
    private readonly state: State,
    private readonly seat: bigint,
    readonly own: Own,
  ) {
    this.position = state.position!;
    this.side = Number(seat) - 1;
    this.known = Uint8Array.from(own.setup.ranks, (rank) => rank + 1);
  }

  get mode(): Mode {
    return this.match.mode;
  }

  /** What this turn is about. */
  foresee(): Prospect {
    const { position, seat } = this;
    const kind = dueKind(position, seat);
    if (kind === Kind.Reveal) return this.revealing();
    if (kind === Kind.Prove) return this.proving();
    const body = kind === Kind.Answer ? this.state.commitment : "0x";
    return { kind, body, proves: [], waits: false, board: kind === Kind.Setup ? undefined : position };
  }

  /** How many moves are asked for on a board: casual, who moves second makes its next move too. */
  wanted({ kind, board }: Prospect): number {
    if (board === undefined) return 0;
    return kind === Kind.Move && this.isSecond() ? 2 : 1;
  }

  /** The board after a first move of two, or undefined if the game is over with it. */
  after(move: Move): Position | undefined {
    this.judge(this.position, move);
    if (move === STUCK) return undefined;
    const board = copyOf(this.position);
    const moves = [...board.moves] as [Move, Move];
    moves[this.side] = move;
    const { over } = new TurnResolution(board, moves).resolve();
    return over ? undefined : begun(board);
  }

  /** What the player knows of ranks on a board: ranks and 1 by side and slot. */
  sight({ sides }: Position): [Uint8Array, Uint8Array] {
    return this.side === 0 ? [this.known, sides[1].ranks] : [sides[0].ranks, this.known];
  }

  /** The tile of a pawn of the player's own. */
  tileOf(slot: number): number {
    return this.position.sides[this.side].tiles[slot];
  }

  /** Legal moves on a board. */
  legal(board: Position): Move[] {
    return legalMoves(board, this.side, this.known);
  }

  /**
   * The action that is due.
   * @param orders The moves that are asked for; what comes behind them is ignored.
   * @param commitment Commitments a move of two bytes: the commitment and the note behind it.
   * @throws InputError for moves that are not legal, or not safe; Refusal for what the chain would refuse.
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

  /** Gives the game up, if the other can show its setup. */
  concession(): Hex {
    const { position, state } = this;
    const committed = state.commitment === NO_STATE ? "0x" : concat([state.commitment, state.answer ?? "0x"]);
    return encodeAction(Kind.Concede, position, committed);
  }

  private revealing(): Prospect {
    const { own, state, side } = this;
    const [mine, others] = [toNumber(own.committed!.move), toNumber(state.answer!)];
    const board = copyOf(this.position);
    mark(board, side, mine);
    const head = concat([own.committed!.salt, own.committed!.move, state.answer!]);
    const none = { kind: Kind.Reveal, body: head, proves: [], waits: false };
    if (others === STUCK) return { ...none, winner: side + 1 };
    mark(board, 1 - side, others);
    return this.fought(
      Kind.Reveal,
      head,
      board,
      new TurnResolution(board, side === 0 ? [mine, others] : [others, mine]),
    );
  }

  private proving(): Prospect {
    const board = copyOf(this.position);
    const resolution = new TurnResolution(board, board.moves);
    resolution.recall(1 - this.side, board.proved);
    return this.fought(Kind.Prove, "0x", board, resolution, this.side + 1);
  }

  /** What comes of a turn once this player has proved its part. */
  private fought(kind: number, head: Hex, board: Position, resolution: TurnResolution, mover = board.mover): Prospect {
    const { side, match, own } = this;
    const player = match.players[side];
    const proves = resolution.due(side);
    const proofs = concat(proves.map((slot) => encodeProof(proofOf(player, own.setup, slot))));
    resolution.takeProofs(player, side, bytesOf(proofs));
    const prospect = { kind, proves, body: concat([head, proofs]) };
    // The mover's part is proved already where the other proves.
    if (kind === Kind.Reveal && resolution.due(1 - side).length > 0) return { ...prospect, waits: true };
    const { over, winner } = resolution.resolve();
    if (over) return { ...prospect, waits: false, winner };
    board.mover = mover;
    return { ...prospect, waits: false, board: begun(board) };
  }

  /** What a move becomes in the body of an action. */
  private async ordered(kind: number, board: Position, order: Move, commit: (move: Hex) => Promise<Hex>): Promise<Hex> {
    this.judge(board, order);
    const { sequential } = board.rules;
    const open = kind === Kind.Answer || kind === Kind.Move || (kind === Kind.Prove && sequential);
    const move = toBeHex(order, 2);
    if (!open) return order === STUCK ? NO_STATE : commit(move);
    const attacks = sequential && order !== STUCK && board.phase !== Phase.Reply && kind !== Kind.Answer;
    return attacks ? concat([this.proofsFor(board, order), move]) : move;
  }

  /** The proofs that a sequential move needs at once. */
  private proofsFor(board: Position, order: Move): Hex {
    const moves: [Move, Move] = this.side === 0 ? [order, NONE] : [NONE, order];
    const due = new TurnResolution(board, moves).due(this.side);
    return concat(due.map((slot) => encodeProof(proofOf(this.match.players[this.side], this.own.setup, slot))));
  }

  /** A move must be legal by the player's own ranks, or it could never prove them; Stuck must be true, or it loses. */
  private judge(board: Position, order: Move): void {
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

  private isSecond(): boolean {
    const { rules, phase, mover } = this.position;
    return rules.casual && !rules.sequential && phase === Phase.Move && mover !== Number(this.seat);
  }
}

/** The board at the start of the turn after. */
function begun(board: Position): Position {
  return Object.assign(board, { turn: board.turn + 1, proved: 0, moves: [NONE, NONE] });
}

/** A setup out of what it was committed as. */
export function setupBehind({ move, salt }: Secret): Setup {
  return { secret: salt, ranks: [...getBytes(move)] };
}
