import type { AnyEvent } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";
import { decodeAnswer, decodeReveal } from "../protocol/commit-reveal.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** A match of one committed round as it goes on. */
export interface RevealedMoves {
  matchId: bigint;
  terms: Terms;
  /** By side. */
  players: string[];
  /** What the players bring, in bytes, by side; known once they bring it. */
  moves: (Hex | undefined)[];
}

/** The matches of a game of one committed round, as their events go by. */
export class RevealedMovesByMatch {
  private readonly terms = new Map<Hex, Terms>();
  private readonly revealedMoves = new Map<bigint, RevealedMoves>();

  /**
   * @param game Its address.
   * @param lengthOf The length of a move, the same for both players, by the terms.
   */
  constructor(
    private readonly game: string,
    private readonly lengthOf: (terms: Terms) => number,
  ) {}

  /** The match that an event is of, if it is one of the game's; what the event brings is noted. */
  take({ name, args }: AnyEvent): RevealedMoves | undefined {
    if (name === "TermsAdded" && args.terms.game === this.game) this.terms.set(termsHash(args.terms), args.terms);
    if (!("matchId" in args)) return undefined;
    const { matchId } = args;
    if (name === "Created") {
      const terms = this.terms.get(args.termsHash);
      if (terms) this.revealedMoves.set(matchId, { matchId, terms, players: [args.player1], moves: [] });
    }
    const revealed = this.revealedMoves.get(matchId);
    if (!revealed) return undefined;
    if (name === "Settled") this.revealedMoves.delete(matchId);
    if (name === "Joined") {
      revealed.players[1] = args.player2;
      revealed.moves[1] = decodeAnswer(args.data).move;
    } else if (name === "Acted") {
      const length = this.lengthOf(revealed.terms);
      revealed.moves[0] = decodeReveal(args.data, length, length).move;
    }
    return revealed;
  }
}
