import type { History } from "./history.js";
import type { MatchRecord } from "./record.js";
import { actionsOf } from "./rounds.js";
import {
  decodeAnswer,
  decodeOpening,
  decodeSealed,
  encodeAnswer,
  encodeOpening,
  newSalt,
  NO_STATE,
  type Answer,
  type Hex,
} from "./seal.js";
import type { Sealer, Secret } from "./sealed.js";
import { Seat } from "./status.js";

/** The 32 bytes that a secret is sealed as, where they are not the seal of a move. */
export type Commit = (secret: Secret) => Hex;

/** Who keeps a player's secrets. */
export interface Keeper {
  /** Seals a move: the seal and the note behind it. */
  seal(move: Hex, commit?: Commit): Promise<Hex>;
  /** The secret behind a seal that the player made. */
  open(sealed: Hex, commit?: Commit): Promise<Secret>;
}

/** What a player has sealed: the seal with the note behind it. */
export interface Sealing {
  sealed: Hex;
  commit?: Commit;
}

/** Where a player stands when it is to move. */
export interface Turn {
  /** As in `Seat`. */
  seat: bigint;
  player: string;
  /** What the match's terms call its mode. */
  mode: Hex;
  /** The match so far; undefined before it is created. */
  record?: MatchRecord;
  history: History;
}

/** The turn of a match that is there. */
export type OpenTurn = Turn & { record: MatchRecord };

/** How players' moves become what they send. */
export interface Moves {
  /** The words of the first move on the command line, by seat: player 1's, player 2's. */
  readonly usage: readonly [string, string];
  /** What a seat has sealed in a match and may yet have to open; left out: in this game nobody seals anything. */
  sealings?(record: MatchRecord, seat: bigint, history: History): Promise<Sealing[]>;
  /** How seals of this game are made, where not all of them are of moves. */
  commits?(by: Sealer): readonly Commit[];
  /** The seal that a turn answers, if it does. */
  answered?(turn: OpenTurn): Promise<Hex | undefined>;
  /**
   * The move in the words of the player to move; the move that it seals for the next round, where it opens.
   * @throws InputError for words that are no move.
   */
  read(words: readonly string[], turn: Turn): Promise<Hex>;
  /** Words of some move that may be played now, not of a good one. @throws Error if there is none. */
  suggest(turn: Turn, keeper: Keeper): Promise<string[]>;
  /** What player 1 creates a match with. */
  create(move: Hex, turn: Turn, keeper: Keeper): Promise<Hex>;
  /** What player 2 joins with. */
  join(move: Hex, turn: OpenTurn, keeper: Keeper): Promise<Hex>;
  /** What whoever's turn it is acts with. */
  act(move: Hex, turn: OpenTurn, keeper: Keeper): Promise<Hex>;
}

/** What a game of sealed rounds says of its moves; player 1 seals in every round. */
export interface SealedMoves {
  usage: readonly [string, string];
  /** How many rounds there may be. */
  rounds: number;
  /** Lengths in bytes of both players' moves in a round, from 1. */
  lengths(round: number): [number, number];
  /** The move that the words of a seat mean in a round. @throws InputError */
  read(words: readonly string[], round: number, turn: Turn): Hex | Promise<Hex>;
  /** Words of some move that a seat may play in a round. @throws Error if there is none. */
  suggest(round: number, turn: Turn): Promise<string[]>;
  /** The game's state in the round that is being played; left out: none is kept. */
  state?(record: MatchRecord, history: History): Promise<Hex>;
}

/** The moves of a game of sealed rounds. */
export function sealedMoves(game: SealedMoves): Moves {
  return {
    usage: game.usage,
    async sealings(record, seat) {
      return seat === Seat.One && record.settlement === undefined ? [{ sealed: sealedOf(record, game) }] : [];
    },
    async answered({ seat, record }) {
      return seat === Seat.Two ? decodeSealed(sealedOf(record, game)).seal : undefined;
    },
    async read(words, turn) {
      const round = roundToMove(turn);
      return round > game.rounds && words.length === 0 ? "0x" : game.read(words, Math.min(round, game.rounds), turn);
    },
    async suggest(turn) {
      const round = roundToMove(turn);
      return round > game.rounds ? [] : game.suggest(round, turn);
    },
    create: (move, _turn, keeper) => keeper.seal(move),
    join: answer,
    async act(move, turn, keeper) {
      if (turn.seat === Seat.Two) return answer(move, turn);
      const { record } = turn;
      const state = await stateOf(turn);
      const { move: answerMove, salt: answerSalt } = answerOf(record);
      const secret = await keeper.open(sealedOf(record, game));
      const next = roundOf(record) < game.rounds ? await keeper.seal(move) : "0x";
      return encodeOpening({ round: roundOf(record), state, ...secret, answerMove, answerSalt, next });
    },
  };

  async function answer(move: Hex, turn: OpenTurn): Promise<Hex> {
    const { seal } = decodeSealed(sealedOf(turn.record, game));
    return encodeAnswer({ round: roundOf(turn.record), state: await stateOf(turn), seal, move, salt: newSalt() });
  }

  async function stateOf({ record, history }: OpenTurn): Promise<Hex> {
    return game.state ? game.state(record, history) : NO_STATE;
  }
}

/** The round for which a player is to find a move: who opens seals the next one's with it. */
function roundToMove({ seat, record }: Turn): number {
  const opens = seat === Seat.One && record?.answer !== undefined;
  return roundOf(record) + Number(opens);
}

/** The round of sealed moves that is being played, from 1. */
export function roundOf(record?: MatchRecord): number {
  return 1 + (record ? actionsOf(record, Seat.One).length : 0);
}

/** The seal of the round that is being played, with the note behind it. */
function sealedOf(record: MatchRecord, { lengths }: Pick<SealedMoves, "lengths">): Hex {
  const last = actionsOf(record, Seat.One).at(-1);
  if (last === undefined) return record.opening;
  const { next } = decodeOpening(last, ...lengths(roundOf(record) - 1));
  if (next === "0x") throw new Error(`Nothing is sealed in match ${record.matchId} any more.`);
  return next;
}

function answerOf(record: MatchRecord): Answer {
  return decodeAnswer([record.answer!, ...actionsOf(record, Seat.Two)][roundOf(record) - 1]);
}
