import { isFromChannel } from "../chain/channels.js";
import type { AnyEvent } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";
import { decodeAnswer, decodeReveal } from "../protocol/commit-reveal.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** Moves revealed so far in a match of one committed round. */
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
   * @param lengthOf Returns the length of a move in bytes, given the terms. The length is the same for both players.
   */
  constructor(
    private readonly game: string,
    private readonly lengthOf: (terms: Terms) => number,
  ) {}

  /** Takes the next event. @returns the moves of the event's match, if it is a match of the game. */
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
      // The events of a match from a channel may start after its answer.
      revealed.moves = [move, revealed.moves[1] ?? answerMove];
    }
    return revealed;
  }
}
