import { isFromChannel } from "../chain/channels.js";
import type { AnyEvent } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";
import { decodeAnswer, decodeReveal } from "../protocol/commit-reveal.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** Moves of a match of one committed round that are revealed so far. */
export interface RevealedMoves {
  matchId: bigint;
  terms: Terms;
  /** Addresses by side. */
  players: string[];
  /** Moves by side, each undefined until it was sent. */
  moves: (Hex | undefined)[];
}

/** Follows the moves of all matches of a game of one committed round, event by event. */
export class RevealedMovesByMatch {
  private readonly terms = new Map<Hex, Terms>();
  private readonly revealedMoves = new Map<bigint, RevealedMoves>();

  /**
   * @param game Address of the game.
   * @param lengthOf Gives the length in bytes of a move, the same for both players, by the terms.
   */
  constructor(
    private readonly game: string,
    private readonly lengthOf: (terms: Terms) => number,
  ) {}

  /** Takes the next event. @returns the moves of the match that it is about, if that is a match of the game. */
  take({ name, args }: AnyEvent): RevealedMoves | undefined {
    if (name === "TermsAdded" && args.terms.game === this.game) this.terms.set(termsHash(args.terms), args.terms);
    if (!("matchId" in args)) return undefined;
    const { matchId } = args;
    if (name === "Created") {
      const terms = this.terms.get(args.termsHash);
      const players = isFromChannel(matchId) ? [args.player1, args.opponent] : [args.player1];
      if (terms) this.revealedMoves.set(matchId, { matchId, terms, players, moves: [] });
    }
    const revealed = this.revealedMoves.get(matchId);
    if (!revealed) return undefined;
    if (name === "Settled") this.revealedMoves.delete(matchId);
    if (name === "Joined") {
      revealed.players[1] = args.player2;
      revealed.moves[1] = decodeAnswer(args.data).move;
    } else if (name === "Acted") {
      const length = this.lengthOf(revealed.terms);
      const { move, answerMove } = decodeReveal(args.data, length, length);
      // A match from a channel may start behind its answer.
      revealed.moves = [move, revealed.moves[1] ?? answerMove];
    }
    return revealed;
  }
}
