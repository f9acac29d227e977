import { concat, dataLength, dataSlice, getBytes } from "ethers";
import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import type { GameModule } from "../games/module.js";
import {
  decodeAnswer,
  decodeCommitment,
  decodeReveal,
  encodeAnswer,
  encodeReveal,
  type Reveal,
} from "../protocol/commit-reveal.js";
import { commitmentBy } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import { Seat } from "../protocol/status.js";
import { withByte } from "./bytes.js";
import { answerPiece, firstCommitment, revealPiece } from "./committed.js";
import type { Fraud, Piece, Script } from "./game.js";
import { withData, type WrittenStep } from "./written-match.js";

/** Move against the rules. */
export interface WrongMove {
  move: Hex;
  /** Name of the error that rejects the move. */
  error: string;
}

/** Returns the illegal moves of a seat, by what is wrong with them. */
type WrongMoves = (seat: bigint) => Record<string, WrongMove>;

/** Number of leading bytes that are changed, one at a time, to find data that an engine rejects. */
const MAX_CHANGED = 16;
const MAX_BYTE = 255;

/** Makes the script of a match that a game's module has written. */
export class DerivedScript {
  /** @param start Match before anything was sent. */
  constructor(
    private readonly module: GameModule,
    private readonly start: MatchRecord,
    private readonly history: History,
    private readonly steps: readonly WrittenStep[],
    private readonly wrongMoves: WrongMoves,
  ) {}

  /** Makes the script: each piece and each committed move gets replacements that the engine rejects. */
  async make(): Promise<Script> {
    const [pieces, frauds]: [Piece[], Record<string, Fraud>] = [[], {}];
    for (const index of this.steps.keys()) {
      pieces.push(await this.pieceAt(index));
      Object.assign(frauds, await this.fraudsAt(index));
    }
    return { pieces, frauds, player1Acts: [], player2Acts: [] };
  }

  private async pieceAt(index: number): Promise<Piece> {
    const { seat, data, committed, answered, revealed } = this.steps[index];
    if (revealed) {
      const reveal = this.revealAt(index);
      return revealPiece(reveal, committed && decodeCommitment(reveal.next));
    }
    if (committed) return firstCommitment(decodeCommitment(data));
    const wrong: Record<string, Hex> = {};
    if (answered === undefined) {
      // An open move is at the end of its data.
      for (const [what, { move }] of Object.entries(this.wrongMoves(seat)))
        wrong[what] = concat([dataSlice(data, 0, -dataLength(move)), move]);
      return { seat, data, wrong: { ...(await this.wrongBytesAt(index)), ...wrong } };
    }
    const answer = decodeAnswer(data);
    for (const move of changesOf(answer.move)) {
      if (await this.isRefused(index, encodeAnswer({ ...answer, move }))) wrong[`the move ${move}`] = move;
    }
    for (const [what, { move }] of Object.entries(this.wrongMoves(seat))) wrong[what] = move;
    return answerPiece(answer, wrong);
  }

  /** Returns rejected data that differs in one byte. */
  private async wrongBytesAt(index: number): Promise<Record<string, Hex>> {
    const wrong: Record<string, Hex> = {};
    for (const other of changesOf(this.steps[index].data)) {
      if (await this.isRefused(index, other)) wrong[`the bytes ${other}`] = other;
    }
    return wrong;
  }

  /** Returns matches in which the reveal at a step reveals another committed move. */
  private async fraudsAt(index: number): Promise<Record<string, Fraud>> {
    const { seat, revealed } = this.steps[index];
    const frauds: Record<string, Fraud> = {};
    if (!revealed) return frauds;
    for (const other of changesOf(revealed.move)) {
      const pieces = this.fraudAt(index, other);
      if (await this.isMatchRefused(pieces))
        frauds[`the move ${other}, committed and revealed in ${index}`] = { pieces };
    }
    for (const [what, { move, error }] of Object.entries(this.wrongMoves(seat))) {
      frauds[`${what}, committed and revealed in ${index}`] = { error, pieces: this.fraudAt(index, move) };
    }
    return frauds;
  }

  /** Returns the pieces up to a reveal, in which another move replaces the committed one, from its commitment on. */
  private fraudAt(index: number, move: Hex): Piece[] {
    const { steps, start } = this;
    const { seat, revealed } = steps[index];
    const { salt } = revealed!;
    const committer = { chainId: start.chainId, game: start.terms.game, player: playerOf(start, seat) };
    const commitment = commitmentBy(committer)({ move, salt });
    const pieces = steps.slice(0, index + 1).map((step) => ({ seat: step.seat, data: step.data, wrong: {} }));
    // A commitment without a note is at the end of its data.
    const committed = pieces[steps.findIndex((step) => step.committed?.salt === salt)];
    committed.data = concat([dataSlice(committed.data, 0, -dataLength(commitment)), commitment]);
    pieces[index - 1].data = encodeAnswer({ ...this.answerBefore(index), commitment });
    pieces[index].data = encodeReveal({ ...this.revealAt(index), move });
    return pieces;
  }

  private revealAt(index: number): Reveal {
    const { revealed, data } = this.steps[index];
    return decodeReveal(data, dataLength(revealed!.move), dataLength(this.answerBefore(index).move));
  }

  private answerBefore(index: number) {
    return decodeAnswer(this.steps[index - 1].data);
  }

  /** Returns whether the engine rejects other data for a step. */
  private async isRefused(index: number, data: Hex): Promise<boolean> {
    const before = this.steps.at(index - 1)?.record;
    return this.refuses(withData(index === 0 ? this.start : before!, this.steps[index].seat, data));
  }

  private async isMatchRefused(pieces: readonly Piece[]): Promise<boolean> {
    return this.refuses(pieces.reduce((record, { seat, data }) => withData(record, seat, data), this.start));
  }

  private async refuses(record: MatchRecord): Promise<boolean> {
    return this.module.replay(record, this.history).then(
      () => false,
      () => true,
    );
  }
}

/** Returns the data with each of its first bytes changed. */
export function changesOf(data: Hex): Hex[] {
  const bytes = getBytes(data).slice(0, MAX_CHANGED);
  const changed = [...bytes].flatMap((value, at) => {
    return [0, value - 1, value + 1, MAX_BYTE].flatMap((other) => {
      return other < 0 || other > MAX_BYTE || other === value ? [] : [withByte(data, at, other)];
    });
  });
  return [...new Set(changed)];
}

function playerOf({ player1, player2 }: MatchRecord, seat: bigint): string {
  return seat === Seat.One ? player1 : player2!;
}
