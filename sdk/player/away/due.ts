import type { OpenTurn } from "../../games/moves.js";
import type { AwayAgreement, AwayAsk } from "../../protocol/away/messages.js";
import type { Agreement } from "../../protocol/away/signatures.js";
import type { Hex } from "../../protocol/hex.js";
import type { Signatures } from "../calls.js";

/** Result in a state that the caller has seen, for `agree`. */
export interface Proposal {
  /** Seat of the winner; None for a draw. */
  winner: bigint;
  nonce: number;
  /** History hash of the state. */
  historyHash: Hex;
}

/** Result of an agreement, and how long it holds. */
export type AgreedResult = Pick<Agreement, "winner" | "until" | "record">;

/** Agreement that settles a match, as `Client.settle` and `Calls.settle` take it. */
export interface Settle {
  agreement: Agreement;
  signatures: Signatures;
}

/**
 * What a seat should do next. `act`, `agree` and `settle` are done at the table, or by anybody's transaction; `post`,
 * `supersede`, `accept` and `actOnChain` are transactions of the own player, whose data `AwaySeat` composes.
 */
export type Due =
  /** The own turn at the table has come: `act` with a move of this turn. */
  | { type: "act"; turn: OpenTurn }
  /** The game is over at the table, and the own seat has not won: `agree` with this. */
  | { type: "agree"; proposal: Proposal }
  /**
   * The other player has signed a result that the own seat wants: send what `settlement` returns for it. With a turn the
   * own seat has not signed it, and it is its turn at the table: it may `act` instead.
   */
  | { type: "settle"; agreed: AwayAgreement; turn?: OpenTurn }
  /**
   * The other player was waited for long enough, the time away ends, or a post was begun and may be mined at any time:
   * send what `post` returns.
   */
  | { type: "post" }
  /** The other player has posted an older state: send what `post` returns. */
  | { type: "supersede" }
  /**
   * The other player has posted the newest state: send what `accept` returns. With a turn it is the own turn in that
   * state, and `accept` may take a move of it; an action that was shown before is taken by itself.
   */
  | { type: "accept"; turn?: OpenTurn }
  /**
   * The own turn on chain has come: send what `actOnChain` returns for a move of this turn; without a turn no move is
   * needed, because the action was shown before.
   */
  | { type: "actOnChain"; turn?: OpenTurn }
  /** The other player's clock, or the time away, has run out: send `timeout`. */
  | { type: "timeout" }
  /** Nothing can be done but to wait. */
  | {
      type: "wait";
      /**
       * `finality` of joining, a move of the `opponent`, the `agreement` of the opponent at the end of the game, the
       * `settlement` of what the own seat has agreed to, the `transcript` of a position that nobody here knows, or a
       * `relay` that tells whether there is anything newer than what is known here, or than what the other player has
       * posted.
       */
      for: "finality" | "opponent" | "agreement" | "settlement" | "transcript" | "relay";
      /** Time until which nothing else is done, in seconds since 1970. */
      until?: bigint;
    }
  /** The match is over. */
  | { type: "over" };

/** Where a match is played. */
export type Phase =
  /** Joining is not final yet. */
  | "joining"
  /** At the table; nobody has posted. */
  | "away"
  /** A player has posted a table, and the other one's clock runs. */
  | "posted"
  /** A table was accepted. */
  | "onChain"
  | "over";

/** State of a seat. */
export interface AwayStatus {
  phase: Phase;
  due: Due;
  /** Number of actions since joining in the newest position that is known. */
  nonce: number;
  /** History hash of that position, which messages sign as `record`; the base for no actions. */
  historyHash: Hex;
  /** Seat in turn in it, or on chain where the position is not known; None once the game is over. */
  turn: bigint;
  /** Seat of the winner once the game is over; None for a draw. */
  winner?: bigint;
  /** Seat that has posted the table that stands. */
  poster?: bigint;
  /** History hash of the position that was posted, if it is known. */
  posted?: Hex;
  /** Last second of whoever's clock runs on chain, or of the time away, since 1970. */
  deadline: bigint;
  /** Time of the chain, in seconds since 1970. */
  time: bigint;
  /** Proposal of the other player in this position. */
  asked?: AwayAsk;
  /** Proposal of the own seat in this position. */
  ownAsk?: AwayAsk;
  /** Agreement of the other player that still holds. */
  agreed?: AwayAgreement;
  /** Agreement of the own seat that still holds: nothing else is signed until it ends. */
  ownAgreed?: AwayAgreement;
  /** True if own messages came back from a transport that the log does not have: it was lost. */
  logWasLost: boolean;
  /** Sentences about transports that fail, and about messages of the other player that are against the rules. */
  troubles: string[];
}
