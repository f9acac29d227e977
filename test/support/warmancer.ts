import { expect } from "chai";
import { concat, dataSlice, getAddress, toBeHex, ZeroHash } from "ethers";
import { encodeAction } from "../../sdk/games/warmancer/encode-action.js";
import { battlesOf, dueSlots } from "../../sdk/games/warmancer/engine.js";
import type { Mode } from "../../sdk/games/warmancer/mode.js";
import { legalMoves, STUCK, tilesOfMove, type Move } from "../../sdk/games/warmancer/legal-moves.js";
import { Phase, slotAt, type Position } from "../../sdk/games/warmancer/position.js";
import { act } from "../../sdk/games/warmancer/act.js";
import { create, join } from "../../sdk/games/warmancer/create-join.js";
import { Kind } from "../../sdk/games/warmancer/state.js";
import type { Match, Outcome, State } from "../../sdk/games/warmancer/state.js";
import { ContractError } from "../../sdk/games/warmancer/contract-error.js";
import { encodeProof, encodeSetup, proofOf, rootOf, type Setup } from "../../sdk/games/warmancer/setup.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { commitmentOf } from "../../sdk/protocol/commit-reveal.js";
import type { Secret } from "../../sdk/protocol/commitment.js";
import { Seat } from "../../sdk/protocol/status.js";
import { type Random } from "../../sdk/laws/random.js";
import { anyRanks } from "./warmancer/boards.js";

/** Data of a match that a player has sent, with its outcome. */
export interface Sent {
  seat: bigint;
  data: Hex;
  outcome: Outcome;
}

/** Chooses one of the legal moves, or STUCK to claim that there is none. */
export type Choice = (moves: Move[], position: Position, side: number) => Move;

/** Plays a match in the engine, with the secrets of both players. */
export class EngineDriver {
  readonly sent: Sent[] = [];
  state!: State;
  /** True if setups are sent with other actions where possible. */
  rides = false;
  /** Lengths of the notes after roots and commitments. */
  readonly notes = { root: 5, commitment: 3 };
  /** Roots by side, to use in place of the roots of the setups. */
  readonly roots: (Hex | undefined)[] = [];
  private readonly shown: [Hex[], Hex[]] = [[], []];
  /** The move and salt of each commitment that was made, sent or not. */
  private readonly secrets = new Map<Hex, { move: Move; salt: Hex }>();

  constructor(
    readonly match: Match,
    readonly setups: readonly [Setup, Setup],
    readonly random: Random,
    private readonly choice: Choice = (moves) => random.pick(moves),
  ) {}

  /** Creates a driver of a match between random armies in a mode. */
  static of(mode: Mode, random: Random, choice?: Choice, place: Partial<Match> = {}): EngineDriver {
    const setup = () => ({ secret: random.word(), ranks: anyRanks(mode, random) });
    const address = () => getAddress(dataSlice(random.word(), 12));
    const match = { chainId: 31337, matchId: 7n, game: address(), rated: !mode.casual, mode };
    const players = [address(), address()] as const;
    return new EngineDriver({ ...match, players, ...place }, [setup(), setup()], random, choice);
  }

  get position(): Position {
    return this.state.position!;
  }

  /** The side that must act, 0 or 1. */
  get side(): number {
    return Number(this.state.turn) - 1;
  }

  get over(): boolean {
    return this.state.turn === Seat.None;
  }

  start(): this {
    const { match, setups } = this;
    const roots = setups.map((setup, side) =>
      match.mode.casual
        ? concat([new Uint8Array(setup.ranks)])
        : (this.roots[side] ?? rootOf(match.players[side], setup)),
    );
    const note = match.mode.casual ? "0x" : this.random.note(this.notes.root);
    this.take(Seat.One, concat([roots[0], note]), create(match, concat([roots[0], note])));
    this.take(Seat.Two, concat([...roots, note]), join(match, this.state, concat([...roots, note])));
    return this;
  }

  /** Returns a copy of this driver, with the same players, secrets and state. */
  fork(): EngineDriver {
    const { match, setups, random, choice } = this;
    const forked = new EngineDriver(match, setups, random, choice);
    forked.state = this.state;
    forked.rides = this.rides;
    for (const [commitment, secret] of this.secrets) forked.secrets.set(commitment, secret);
    return forked;
  }

  /** Continues until the game is over, or a number of actions have been sent. */
  play(max = Infinity): this {
    for (let i = 0; i < max && !this.over; i++) this.step();
    return this;
  }

  /** Sends the next action, as the player in turn would. */
  step(): void {
    const { seat, data } = this.next();
    this.send(seat, data);
  }

  send(seat: bigint, data: Hex): void {
    this.take(seat, data, act(this.match, this.state, seat, data));
  }

  /** Returns the next action, as the player in turn would send it. */
  next(): { seat: bigint; data: Hex } {
    const { position, side, setups, state } = this;
    const kind = this.due();
    const body = kind === Kind.Setup ? encodeSetup(setups[side]) : this.body(kind);
    const plain = encodeAction(kind, position, body);
    if (!this.rides || kind === Kind.Setup) return { seat: state.turn, data: plain };
    const riding = encodeAction(kind, position, body, setups[side]);
    return { seat: state.turn, data: this.refusal(riding) ? plain : riding };
  }

  /** Tries an action without sending it. @returns its outcome, or the refusal. */
  attempt(data: Hex, seat = this.state.turn): Outcome | ContractError {
    try {
      return act(this.match, this.state, seat, data);
    } catch (error) {
      if (error instanceof ContractError) return error;
      throw error;
    }
  }

  /** Returns the error of an action; undefined if it would be accepted. */
  refusal(data: Hex, seat = this.state.turn): ContractError | undefined {
    const outcome = this.attempt(data, seat);
    return outcome instanceof ContractError ? outcome : undefined;
  }

  due(): number {
    const { phase, mover } = this.position;
    if (phase === Phase.Commit) return Kind.Commit;
    if (phase === Phase.Round) return mover === this.side + 1 ? Kind.Reveal : Kind.Answer;
    if (phase === Phase.Prove) return Kind.Prove;
    return phase === Phase.Move || phase === Phase.Reply ? Kind.Move : Kind.Setup;
  }

  /** Returns a legal body for an expected kind. The data after a resolved turn depends on how that turn ends. */
  body(kind: number): Hex {
    const { position } = this;
    if (kind === Kind.Commit) return this.commit(position);
    if (kind === Kind.Answer) return concat([this.state.commitment, this.move(position)]);
    if (kind === Kind.Move && position.phase === Phase.Reply) return this.move(position);
    if (kind === Kind.Move) return this.openMove(position);
    const { head, due, waits, over } = this.fight(kind);
    const proofs = concat([head, this.proofs(due)]);
    if (over || waits) return proofs;
    return this.goOn(kind, proofs, kind === Kind.Prove && position.rules.sequential ? "0xffff" : ZeroHash);
  }

  /**
   * Returns the inputs of a reveal or of proofs for a turn: the bytes before the proofs, and the slots that must be
   * proved.
   */
  fight(kind: number): { head: Hex; due: number[]; waits: boolean; over: boolean } {
    const { position, side, state } = this;
    const { move: own, salt } = this.secrets.get(state.commitment) ?? { move: position.moves[side], salt: ZeroHash };
    const others = kind === Kind.Reveal ? Number(state.answer) : position.moves[1 - side];
    const head = kind === Kind.Reveal ? concat([salt, toBeHex(own, 2), toBeHex(others, 2)]) : "0x";
    if (others === STUCK) return { head, due: [], waits: false, over: true };
    const battles = battlesOf(position, side === 0 ? [own, others] : [others, own]);
    const waits = kind === Kind.Reveal && dueSlots(position, battles, 1 - side).length > 0;
    return { head, due: dueSlots(position, battles, side), waits, over: false };
  }

  /** Encodes the proofs of this player's slots. */
  proofs(slots: readonly number[]): Hex {
    return concat(slots.map((slot) => this.proof(slot)));
  }

  /** Returns the move and salt of a commitment with its note; undefined for a commitment that was not made here. */
  secretOf(committed: Hex): Secret | undefined {
    const made = this.secrets.get(dataSlice(committed, 0, 32));
    return made && { move: toBeHex(made.move, 2), salt: made.salt };
  }

  /** Commits to any move, legal or not. @returns the salt, and the commitment followed by a note. */
  commitmentOf(move: Move): { salt: Hex; body: Hex } {
    const { match, random, side } = this;
    const salt = random.word();
    const commitment = commitmentOf(match.chainId, match.game, match.players[side], toBeHex(move, 2), salt);
    this.secrets.set(commitment, { move, salt });
    return { salt, body: concat([commitment, random.note(this.notes.commitment)]) };
  }

  /** Returns the body of Concede. */
  concession(): Hex {
    return concat([this.state.commitment === ZeroHash ? "0x" : this.state.commitment, this.state.answer ?? "0x"]);
  }

  /** Returns the proof of a slot. Each is computed once, because that takes a while. */
  private proof(slot: number): Hex {
    const { side, setups, match, shown } = this;
    shown[side][slot] ??= encodeProof(proofOf(match.players[side], setups[side], slot));
    return shown[side][slot];
  }

  private openMove(position: Position): Hex {
    const { side } = this;
    const { casual, sequential } = position.rules;
    const word = this.move(position);
    if (casual && !sequential && position.mover !== side + 1 && word !== "0xffff")
      return this.goOn(Kind.Move, word, "0xffff");
    if (casual || word === "0xffff") return word;
    const move = Number(word);
    const battles = battlesOf(position, side === 0 ? [move, 0] : [0, move]);
    return concat([this.proofs(dueSlots(position, battles, side)), word]);
  }

  /** Returns the end of a turn and the beginning of the next one, whose position is found by trying a Stuck first. */
  private goOn(kind: number, body: Hex, stuck: Hex): Hex {
    const { match, state, position } = this;
    const tried = act(match, state, state.turn, encodeAction(kind, position, concat([body, stuck])));
    const next = tried.state.position!;
    if (tried.step.turn === Seat.None || next.phase >= Phase.Won) return body;
    return concat([body, kind === Kind.Move || stuck === "0xffff" ? this.openMove(asMover(next)) : this.commit(next)]);
  }

  private move(position: Position): Hex {
    const { side } = this;
    const known = Uint8Array.from(this.setups[side].ranks, (rank) => rank + 1);
    const moves = legalMoves(position, side, known);
    return toBeHex(moves.length === 0 ? STUCK : this.choice(moves, position, side), 2);
  }

  private commit(position: Position): Hex {
    const move = Number(this.move(position));
    return move === STUCK ? concat([ZeroHash, this.random.note(this.notes.commitment)]) : this.commitmentOf(move).body;
  }

  /** Records a sent action with its outcome. */
  take(seat: bigint, data: Hex, outcome: Outcome): void {
    this.state = outcome.state;
    this.sent.push({ seat, data, outcome });
  }
}

/** Returns the position after a tried Stuck, changed so that the side must still move. */
function asMover(position: Position): Position {
  return { ...position, phase: Phase.Move };
}

/** Chooses an attack every other time if there is one, so that the game makes progress. */
export function fierce(random: Random): Choice {
  return (moves, { at }, side) => {
    const attacks = moves.filter((move) => slotAt(at[tilesOfMove(move)[1]], 1 - side) >= 0);
    return random.pick(attacks.length > 0 && random.below(2) === 0 ? attacks : moves);
  };
}

/** Expects the engine to refuse a call with this error and these values, in order. */
export function expectContractError(call: () => unknown, error: string, ...values: unknown[]): void {
  try {
    call();
  } catch (refusal) {
    expect(refusal).to.be.instanceOf(ContractError);
    expect([(refusal as ContractError).error, ...Object.values((refusal as ContractError).values)]).to.deep.equal([
      error,
      ...values,
    ]);
    return;
  }
  expect.fail(`taken instead of ${error}`);
}
