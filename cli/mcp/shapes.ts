import { z } from "zod";

/**
 * Shapes of everything that a language model reads. An opponent, a relay or a token contract can choose numbers, hashes
 * and addresses, but no text: all text comes from the engines and programs of this project, or from the user's own games.
 */
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const id = z.string().regex(/^[0-9a-f]{16}$/);
const amount = z.string().regex(/^\d{1,78}$/);
const seat = z.union([z.literal(1), z.literal(2)]);
/** `COIN`, `FIGHT`, or the address of any other token. */
const token = z.union([z.enum(["COIN", "FIGHT"]), address]);
/** Text of this project. */
const text = z.string();

export const challengeShape = z
  .object({
    id,
    direction: z.enum(["in", "out"]),
    opponent: address.nullable(),
    game: text.nullable(),
    mode: text.nullable(),
    stake: amount.nullable(),
    opponentStake: amount.nullable(),
    token: token.nullable(),
    rated: z.boolean(),
    lock: amount.nullable(),
    expires: z.number().int().nullable(),
    /** Why this server does not accept it; null if it can be accepted. */
    obstacle: text.nullable(),
  })
  .strict();

export const gameShape = z
  .object({
    id,
    opponent: address,
    game: text.nullable(),
    mode: text.nullable(),
    stake: amount,
    opponentStake: amount,
    token,
    seat,
    status: z.enum(["created", "started", "arena", "over", "aborted"]),
    isMyTurn: z.boolean(),
    result: z.enum(["won", "lost", "draw"]).nullable(),
  })
  .strict();

export const stateShape = gameShape
  .extend({
    rules: z.array(text),
    board: z.array(text),
    moves: z.array(z.object({ seat, text: text.nullable() }).strict()),
    usage: text.nullable(),
    legalMoves: z.array(text).nullable(),
    anyMove: text.nullable(),
    deadline: z.number().int().nullable(),
    isResigning: z.boolean(),
    hasTrouble: z.boolean(),
    resultText: text.nullable(),
  })
  .strict();

export const accountShape = z
  .object({
    player: address,
    chainId: z.number().int(),
    maxStake: z.object({ token, amount }).strict(),
    purse: z.array(z.object({ token, amount, decimals: z.number().int() }).strict()),
    games: z.array(
      z
        .object({ name: text, title: text, summary: text.nullable(), modes: z.array(text), moves: z.array(text) })
        .strict(),
    ),
  })
  .strict();

export const newsShape = z
  .object({
    /** `turn` if a game needs a move, `challenge` if one can be answered, `over` if a game has ended, or `nothing`. */
    news: z.enum(["turn", "challenge", "over", "nothing"]),
    games: z.array(gameShape),
    challenges: z.array(challengeShape),
  })
  .strict();

export type ShownChallenge = z.infer<typeof challengeShape>;
export type ShownGame = z.infer<typeof gameShape>;
export type ShownState = z.infer<typeof stateShape>;
export type ShownAccount = z.infer<typeof accountShape>;
export type News = z.infer<typeof newsShape>;

/** Arguments of tools. */
export const inputs = {
  id: id.describe("id of 16 hex digits, as another tool returned it"),
  opponent: address.describe("address of the player; leave it out to challenge anybody in the lobby"),
  game: z.string().max(64).describe("name of a game or of a mode, as in account"),
  mode: z.string().max(66).describe("name of a mode of the game; the usual one by default"),
  stake: amount.describe("your stake in the token's smallest unit; 0 by default"),
  move: z.string().max(2000).describe("move in the format of usage, for example one of legalMoves"),
  seconds: z.number().int().min(1).max(50).describe("how long to wait at most"),
};
