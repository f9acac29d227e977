import type { MatchRecord } from "../../sdk/chain/record.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { SecretStore, Turn } from "../../sdk/games/moves.js";
import type { MatchOutcome } from "../../sdk/player/outcome.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { oneLine } from "../../sdk/protocol/input.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { choiceIn, plyOf, type Choice } from "./choice.js";
import { Feed, type FeedReader } from "./feed.js";
import { Refusal, type RefusalStatus } from "./refusal.js";
import { seatNumber, shownResult } from "./shown.js";
import type { Game, GameLine, GameResult, GameState, GameStatus, MatchTerms, PlayedMove } from "./wire.js";

/** Milliseconds after which a move is given up that the server could not try to sign, for example without a node. */
const MOVE_PATIENCE = 30_000;

/** Steps of the channel within which a move on chain must be mined. */
const CHAIN_STEPS = 3;

/** Facts about a game that do not change. */
export interface GameFacts {
  id: string;
  matchId: bigint;
  channel: Hex;
  nonce: number;
  /** Id of the challenge that led to the game. */
  challenge?: string;
  opponent: string;
  seat: bigint;
  terms: Terms;
  /** The terms as they are shown. */
  match: MatchTerms;
  module: GameModule;
  /** Hash of the offer that the player answers; undefined if the player offers the match. */
  offer?: Hex;
}

/** What a channel knows of a game after a step. */
export interface Progress {
  status: GameStatus;
  record?: MatchRecord;
  /** Seat in turn; None once the game is over. */
  turn: bigint;
  deadline: number | null;
  held: GameState["held"];
  trouble: string | null;
}

/** A turn in which the player must choose. */
interface DueTurn {
  turn: Turn;
  ply: number;
  choice: Choice;
}

/** A move that the server has not signed yet. */
interface Submission {
  ply: number;
  move: unknown;
  /** Steps of the channel that have tried to sign the move. */
  tries: number;
  isUsed: boolean;
  resolve(): void;
  reject(error: Error): void;
}

/** One game of the player: its state, its turn, and the move that waits to be signed. */
export class ApiGame {
  readonly feed = new Feed<GameLine>();
  isResigning = false;
  private progress: Progress;
  /** Number of data that were sent, and the same for the turn that the channel has last asked about. */
  private ply = 0;
  private asked = 0;
  private result: GameResult | null = null;
  private due?: DueTurn;
  private submitted?: Submission;
  /** Moves and board after a number of moves, which take longest to find. */
  private drawn?: { key: string; moves: PlayedMove[]; board: string[] };
  /** State that was published last, and its text. */
  private last?: GameState;
  private shown = "";

  /**
   * @param draw Describes the moves so far, and what the player sees.
   * @param store The player's secrets in the game.
   */
  constructor(
    readonly facts: GameFacts,
    private readonly draw: (record?: MatchRecord) => Promise<{ moves: PlayedMove[]; board: string[] }>,
    private readonly store: SecretStore,
  ) {
    this.progress = { status: "created", turn: facts.seat, deadline: null, held: null, trouble: null };
  }

  get status(): GameStatus {
    return this.progress.status;
  }

  /** True once the game is over or aborted. */
  get isDone(): boolean {
    return this.status === "over" || this.status === "aborted";
  }

  /** The turn in which the player must choose a move now. @throws Refusal if there is none */
  get dueTurn(): Turn {
    if (this.isDone) throw new Refusal(409, `The game ${this.facts.id} is ${this.status}.`);
    if (this.isResigning) throw new Refusal(409, `You have resigned the game ${this.facts.id}.`);
    if (!this.isMyTurn) throw new Refusal(409, `It is not your turn in the game ${this.facts.id}.`);
    return this.due!.turn;
  }

  private get isMyTurn(): boolean {
    const isDue = this.due?.ply === this.ply && !this.submitted;
    return isDue && !this.isDone && !this.isResigning;
  }

  /** Returns the player's move for a turn, if it is known, or if there is nothing to choose. */
  async choose(turn: Turn): Promise<{ move: unknown } | undefined> {
    if (this.isResigning) return undefined;
    const ply = plyOf(turn.record);
    this.asked = ply;
    const { submitted } = this;
    if (submitted?.ply === ply) {
      submitted.isUsed = true;
      return { move: submitted.move };
    }
    if (this.due?.ply === ply) return undefined;
    const found = await choiceIn(this.facts.module, turn, this.store);
    if ("move" in found) return found;
    this.due = { turn, ply, choice: found.choice };
    return undefined;
  }

  /**
   * Keeps a legal move until the channel has signed it.
   * @returns once it is signed
   * @throws Refusal if it cannot be signed
   */
  async submit(move: unknown): Promise<void> {
    const { due } = this;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.submitted = { ply: due!.ply, move, tries: 0, isUsed: false, resolve, reject };
        timer = setTimeout(() => this.giveUp(), MOVE_PATIENCE);
      });
    } finally {
      clearTimeout(timer);
      this.submitted = undefined;
    }
  }

  /** Takes the state after a step of the channel, and publishes it if it has changed. */
  async update(progress: Progress): Promise<void> {
    this.progress = progress;
    this.ply = this.plyIn(progress);
    if (this.due && this.due.ply < this.ply) this.due = undefined;
    this.settle(progress);
    await this.publish();
  }

  /** Ends the game. @param outcome How it ended for the player; undefined if it was aborted. */
  async end(progress: Progress, outcome?: MatchOutcome): Promise<void> {
    this.result = outcome ? shownResult(outcome, this.facts.seat) : null;
    await this.update(progress);
    this.submitted?.reject(new Refusal(409, `The game ${this.facts.id} is ${this.status}.`));
    this.feed.end();
  }

  /** Describes the game. */
  info(): Game {
    const { id, matchId, channel, nonce, challenge = null, opponent, seat, match } = this.facts;
    return {
      id,
      matchId: String(matchId),
      channel,
      nonce,
      challenge,
      opponent,
      seat: seatNumber(seat)!,
      match,
      status: this.status,
      isMyTurn: this.isMyTurn,
      result: this.result,
    };
  }

  private async state(): Promise<GameState> {
    const { status, turn, record, deadline, held, trouble } = this.progress;
    const { isMyTurn, isResigning, result } = this;
    const key = `${plyOf(record)} ${status}`;
    if (this.drawn?.key !== key) this.drawn = { key, ...(await this.draw(record)) };
    const { moves, board } = this.drawn;
    const choice = isMyTurn ? this.due!.choice : { usage: null, legalMoves: null, anyMove: null };
    return {
      type: "gameState",
      status,
      turn: this.isDone ? null : seatNumber(turn),
      isMyTurn,
      moves,
      board,
      ...choice,
      deadline,
      isResigning,
      trouble: trouble === null ? null : oneLine(trouble),
      held,
      result,
    };
  }

  /** Publishes the state if it differs from the one that was published last. */
  async publish(): Promise<void> {
    const state = await this.state();
    const text = JSON.stringify(state);
    if (text !== this.shown) this.feed.publish(state);
    [this.shown, this.last] = [text, state];
  }

  /** Reads the states of the game: first the newest one. */
  async read(): Promise<FeedReader<GameLine>> {
    await this.publish();
    const reader = this.feed.open([{ ...this.info(), type: "gameFull", state: this.last! }]);
    if (this.isDone) reader.end();
    return reader;
  }

  /** Returns the number of data that were sent. On chain, the record may lack the beginning of a long match. */
  private plyIn({ status, turn, record }: Progress): number {
    if (status !== "arena") return plyOf(record);
    return turn === this.facts.seat ? this.asked : Infinity;
  }

  /** Answers the request that has submitted a move, once the move is signed or refused. */
  private settle({ status, trouble }: Progress): void {
    const { submitted } = this;
    if (!submitted?.isUsed) return;
    if (this.ply > submitted.ply) return submitted.resolve();
    submitted.tries++;
    if (submitted.tries < (status === "arena" ? CHAIN_STEPS : 1)) return;
    submitted.reject(unsigned(400, trouble, "The move could not be signed."));
  }

  /** Gives up a move that no step has tried to sign. */
  private giveUp(): void {
    const { submitted, progress } = this;
    if (submitted?.isUsed !== false) return;
    submitted.reject(unsigned(409, progress.trouble, "The move could not be signed yet: try again."));
  }
}

/** Returns the refusal of a move that was not signed. @param usual Reason if the channel has reported no trouble */
function unsigned(status: RefusalStatus, trouble: string | null, usual: string): Refusal {
  return trouble === null ? new Refusal(status, usual) : new Refusal(status, trouble, { cause: trouble });
}
