/**
 * Types of everything that the API server sends and reads, in JSON. Amounts are decimal strings in the smallest unit of
 * their token, times are seconds since 1970, and addresses have a checksum.
 */

/** Number of a seat. Seat 1 makes the offer and the first move. */
export type SeatNumber = 1 | 2;

/** Amount of a token. */
export interface TokenAmount {
  /** Address of the token; the zero address for the chain's coin. */
  token: string;
  symbol: string;
  decimals: number;
  amount: string;
}

/** Mode of a game that can be played in channels. */
export interface PlayableMode {
  name: string;
  /** Hash that identifies the mode in terms. */
  mode: string;
  /** Stakes of seats 1 and 2 in an even game. */
  odds: [string, string];
  /** True if rated matches of this mode can be played in channels. */
  rated: boolean;
  /** Sentence that warns why the mode is unfair or dull for players who play well; null if it has no known weakness. */
  weakness: string | null;
}

/** Game that can be played in channels. */
export interface PlayableGame {
  name: string;
  title: string;
  /** Summary for newcomers; null without one. */
  summary: string | null;
  /** Arguments of the first move of seat 1 and of seat 2, e.g. `CELL`. */
  usage: [string, string];
  /** The usual mode comes first. */
  modes: PlayableMode[];
}

/** Answer to `GET /api/account`. */
export interface Account {
  /** Address of the player. */
  id: string;
  chain: { id: number; arena: string; channels: string };
  /** The player's money in the arena: coin, FIGHT, and the tokens of its channels. */
  purse: TokenAmount[];
  games: PlayableGame[];
}

/** Terms of a match, from the player's side. */
export interface MatchTerms {
  /** Name of the game; null for a game that this server does not know, which cannot be accepted. */
  game: string | null;
  title: string | null;
  /** Name of the mode; null for a mode that is not published. */
  mode: string | null;
  /** Hash of the mode. */
  modeHash: string;
  /** Address and symbol of the token of both stakes. */
  token: string;
  symbol: string;
  stake: string;
  opponentStake: string;
  /** Seconds that each player has for its moves, if the match continues on chain. */
  clock: number;
  /** House fee, in basis points of the pot. */
  feeBps: number;
  rated: boolean;
}

/** Channel that opens if a challenge is accepted. */
export interface Opening {
  /** Address and symbol of the token. */
  token: string;
  symbol: string;
  /** Amount that the player locks. */
  amount: string;
  /** Amount that the opponent locks. */
  opponentAmount: string;
  /** Time until which the channel lasts. */
  until: number;
}

/** Challenge to or from the player, until it is answered. */
export interface Challenge {
  /** 16 hex digits. */
  id: string;
  direction: "in" | "out";
  /** Address of the other player; null for a search for anybody. */
  opponent: string | null;
  /** Terms of the match; null if the challenge only opens a channel. */
  match: MatchTerms | null;
  /** Channel that opens first; null if the match is for an open channel. */
  opens: Opening | null;
  /** True if the player neither stakes nor locks anything. */
  free: boolean;
  /** Time at which the challenge lapses, unless it is renewed before; null if it stands until it is canceled. */
  expires: number | null;
}

/**
 * State of a game: `created` until the offer is answered, `started` while it is played by messages, `arena` once it
 * continues on chain, `over`, or `aborted` if the offer was never answered.
 */
export type GameStatus = "created" | "started" | "arena" | "over" | "aborted";

/** How a game has ended for the player. In some games the winner of the duel does not take the pot. */
export interface GameResult {
  /** Seat of the winner; null for a draw. */
  winner: SeatNumber | null;
  result: "won" | "lost" | "draw";
  /** Player who takes the pot; `none` returns both stakes. */
  pot: "own" | "other" | "none";
  /** The result in a sentence. */
  text: string;
}

/** A game in play, or one that has just ended. */
export interface Game {
  /** 16 hex digits, the same for both players. */
  id: string;
  /** Number of the match in the arena, if it goes there, in decimal. */
  matchId: string;
  /** Id of the channel, and number of the match in it. */
  channel: string;
  nonce: number;
  /** Id of the challenge that led to the game; null if the server was started again since. */
  challenge: string | null;
  opponent: string;
  /** Seat of the player. */
  seat: SeatNumber;
  match: MatchTerms;
  status: GameStatus;
  /** True if the player must choose a move. */
  isMyTurn: boolean;
  /** Result; null until the game is over. */
  result: GameResult | null;
}

/** A move that was made, by either player. */
export interface PlayedMove {
  seat: SeatNumber;
  /** What the player did, without the subject, e.g. `marks cell 4`; null if the game has no text for it. */
  text: string | null;
  /** Data of the move as the game's contract reads it, in hex. */
  data: string;
}

/** State of a game after a change. */
export interface GameState {
  type: "gameState";
  status: GameStatus;
  /** Seat that acts next; null once the game is over. */
  turn: SeatNumber | null;
  /** True if the player must choose a move. A turn that only reveals an earlier move is played by the server. */
  isMyTurn: boolean;
  moves: PlayedMove[];
  /** What the player sees of the game, in lines of text; empty if the game has nothing to show. */
  board: string[];
  /** Arguments of the next move, e.g. `CELL`; null if it is not the player's turn. */
  usage: string | null;
  /** All legal moves, as text; null if there are too many to list, or it is not the player's turn. */
  legalMoves: string[] | null;
  /** Any legal move, as text; null if it is not the player's turn, or there is none. */
  anyMove: string | null;
  /**
   * Time by which the player in turn must act: its clock's end on chain, or the time at which the match goes to the
   * chain because the opponent is silent; null if there is no such time yet.
   */
  deadline: number | null;
  /** True once the player has resigned: the server moves no more, and resigns on chain as soon as it can. */
  isResigning: boolean;
  /** Why the player's last step failed, in a sentence; null if nothing failed. */
  trouble: string | null;
  /** Amounts that both players hold in the channel after all final matches; null while the channel is not open. */
  held: { own: string; other: string } | null;
  result: GameResult | null;
}

/** First line of a game's stream. */
export interface GameFull extends Game {
  type: "gameFull";
  state: GameState;
}

/** Line of a game's stream. */
export type GameLine = GameFull | GameState;

/** Line of the stream of events. */
export type ApiEvent =
  | { type: "challenge"; challenge: Challenge }
  /** The challenger has withdrawn the challenge, it has lapsed, or `reason` keeps it from being played. */
  | { type: "challengeCanceled"; challenge: Challenge; reason: string | null }
  | { type: "challengeDeclined"; challenge: Challenge }
  | { type: "gameStart"; game: Game }
  | { type: "gameFinish"; game: Game };

/** Answer to `GET /api/account/playing`. */
export interface Playing {
  nowPlaying: Game[];
}

/** Answer to `GET /api/challenge`. */
export interface Challenges {
  in: Challenge[];
  out: Challenge[];
}

/** Answer to a request that changes something. */
export interface Done {
  ok: true;
}

/** Answer to a request that is refused. */
export interface Refused {
  /** Reason, in one sentence. */
  error: string;
}

/** Body of `POST /api/challenge/{address}` and of `POST /api/board/seek`. All fields but `game` have defaults. */
export interface ChallengeRequest {
  /** Name of a game, or of a mode. */
  game: string;
  /** Name or hash of the mode; defaults to the game's usual mode. */
  mode?: string;
  /** The player's stake; defaults to 0. The odds of the mode give the opponent's stake. */
  stake?: string;
  /** `COIN`, `FIGHT` or an address; defaults to `FIGHT`. */
  token?: string;
  /** Seconds that each player has for its moves on chain; defaults to a day. */
  clock?: number;
  /** Defaults to false: only the chain rates a match, which costs gas. */
  rated?: boolean;
  /** Amount that the player locks if a channel must be opened; defaults to its stake. */
  lock?: string;
  /** Amount that the opponent locks then; defaults to its stake, or to `lock` if that is given. */
  opponentLock?: string;
  /** Days for which the new channel lasts, at most 30; defaults to 30. */
  days?: number;
}

/** Body of `POST /api/board/game/{id}/move`: a move as text, or its arguments. */
export interface MoveRequest {
  move: string | string[];
}
