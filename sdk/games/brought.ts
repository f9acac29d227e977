import type { AnyEvent } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";
import { decodeAnswer, decodeOpening } from "../protocol/seal.js";
import { termsHash, type Terms } from "../protocol/terms.js";

/** A match of one sealed round as it goes on. */
export interface Bout {
  matchId: bigint;
  terms: Terms;
  /** By side. */
  players: string[];
  /** What the players bring, in bytes, by side; known once they bring it. */
  moves: (Hex | undefined)[];
}

/** The matches of a game of one sealed round, as their events go by. */
export class Bouts {
  private readonly terms = new Map<Hex, Terms>();
  private readonly bouts = new Map<bigint, Bout>();

  /**
   * @param game Its address.
   * @param lengthOf The length of a move, the same for both players, by the terms.
   */
  constructor(
    private readonly game: string,
    private readonly lengthOf: (terms: Terms) => number,
  ) {}

  /** The match that an event is of, if it is one of the game's; what the event brings is noted. */
  take({ name, args }: AnyEvent): Bout | undefined {
    if (name === "TermsAdded" && args.terms.game === this.game) this.terms.set(termsHash(args.terms), args.terms);
    if (!("matchId" in args)) return undefined;
    const { matchId } = args;
    if (name === "Created") {
      const terms = this.terms.get(args.termsHash);
      if (terms) this.bouts.set(matchId, { matchId, terms, players: [args.player1], moves: [] });
    }
    const bout = this.bouts.get(matchId);
    if (!bout) return undefined;
    if (name === "Settled") this.bouts.delete(matchId);
    if (name === "Joined") {
      bout.players[1] = args.player2;
      bout.moves[1] = decodeAnswer(args.answer).move;
    } else if (name === "Acted") {
      const length = this.lengthOf(bout.terms);
      bout.moves[0] = decodeOpening(args.action, length, length).move;
    }
    return bout;
  }
}
