import type { ServerRequests } from "../shared/server/requests.js";

const ADDRESS = "Address of the player.";
const CHALLENGE = "Id of a challenge.";
const GAME = "Id of a game.";
const WANTED =
  '`{"game", "mode", "stake", "token", "clock", "rated", "lock", "opponentLock", "days"}`; only `game` is required';
const DONE = '`{"ok": true}`';

/** Requests that an API server answers. */
export const REQUESTS = {
  account: {
    method: "GET",
    path: "/api/account",
    does: "Returns the player, the chain, the purse, and the games with their modes.",
    answer: "`Account`",
  },
  playing: { method: "GET", path: "/api/account/playing", does: "Returns the games in play.", answer: "`Playing`" },
  events: {
    method: "GET",
    path: "/api/stream/event",
    does: "Sends challenges, and starts and ends of games, one per line; first all open challenges and games in play.",
    answer: "lines of `ApiEvent`",
  },
  challenges: {
    method: "GET",
    path: "/api/challenge",
    does: "Returns the open challenges to the player and by the player.",
    answer: "`Challenges`",
  },
  accept: {
    method: "POST",
    path: "/api/challenge/:id/accept",
    does: "Accepts a challenge.",
    parameters: { id: CHALLENGE },
    answer: DONE,
  },
  decline: {
    method: "POST",
    path: "/api/challenge/:id/decline",
    does: "Declines a challenge.",
    parameters: { id: CHALLENGE },
    answer: DONE,
  },
  cancel: {
    method: "POST",
    path: "/api/challenge/:id/cancel",
    does: "Withdraws a challenge of the player.",
    parameters: { id: CHALLENGE },
    answer: DONE,
  },
  challenge: {
    method: "POST",
    path: "/api/challenge/:address",
    does: "Challenges a player to a match; first searches for that player to open a channel, if there is none.",
    parameters: { address: ADDRESS },
    body: WANTED,
    answer: "`Challenge`",
  },
  seek: {
    method: "POST",
    path: "/api/board/seek",
    does: "Challenges anybody in the lobby.",
    body: WANTED,
    answer: "`Challenge`",
  },
  game: {
    method: "GET",
    path: "/api/board/game/stream/:id",
    does: "Sends the state of a game at each change, one per line, until the game is over.",
    parameters: { id: GAME },
    answer: "lines of `GameLine`",
  },
  moveInPath: {
    method: "POST",
    path: "/api/board/game/:id/move/:move",
    does: "Makes a move, and answers once it is signed.",
    parameters: { id: GAME, move: "Arguments of the move as in the terminal, with spaces between them." },
    answer: DONE,
  },
  move: {
    method: "POST",
    path: "/api/board/game/:id/move",
    does: "Makes a move, and answers once it is signed.",
    parameters: { id: GAME },
    body: '`{"move"}`: the arguments of the move as text, or as a list',
    answer: DONE,
  },
  resign: {
    method: "POST",
    path: "/api/board/game/:id/resign",
    does: "Resigns a game.",
    parameters: { id: GAME },
    answer: DONE,
  },
  draw: {
    method: "POST",
    path: "/api/board/game/:id/draw/:answer{yes|no}",
    does: "Refuses with status 409: channels have no draw by agreement.",
    parameters: { id: GAME, answer: "`yes` or `no`." },
    answer: "none",
  },
} as const satisfies ServerRequests["requests"];

/** Statuses with which an API server refuses requests. */
export const REFUSALS = [
  { status: 400, when: "The request breaks a rule, for example by an illegal move; nothing was signed." },
  { status: 401, when: "The token is missing, malformed, expired, or signed by another player." },
  { status: 403, when: "The request comes from a web page elsewhere, or names another host." },
  { status: 404, when: "There is no such request, challenge or game." },
  { status: 409, when: "The request is not possible now, for example a move out of turn." },
  { status: 413, when: "The body is too long." },
  { status: 429, when: "There are too many requests or streams." },
  { status: 500, when: "The node, the relay or the server has failed; the server's log says why." },
] as const satisfies ServerRequests["refusals"];
