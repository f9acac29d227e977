import { setTimeout as pause } from "node:timers/promises";
import type { Client, Extras } from "../../sdk/client.js";
import { customError } from "../../sdk/errors.js";
import { untilFinal } from "../../sdk/finality.js";
import { gameAt } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { OpenTurn } from "../../sdk/moves.js";
import type { Hex } from "../../sdk/seal.js";
import { Seat, Status } from "../../sdk/status.js";
import { termsHash } from "../../sdk/terms.js";
import { keepAnswer, keeperOf } from "./keys.js";
import type { MatchView } from "./match.js";
import { log } from "./output.js";
import type { Session } from "./session.js";
import { acceptRisks, concernsOf } from "./stakes.js";

/** Least rest of a firm offer, in seconds, for joining it in one step. */
const LEAST_REST = 900n;

/** Joins a match, in two steps where one would show the answer too early. @returns the transaction's hash. */
export async function join(
  session: Session,
  view: MatchView,
  game: GameModule,
  words: readonly string[],
  yes?: boolean,
): Promise<string> {
  const { matchId, terms, status } = view;
  const client = await session.client();
  // What is no offer any more is refused by the arena, whatever the answer.
  if (status > Status.AllDeposited) await client.arena.join.staticCall(matchId, termsHash(terms), "0x");
  const record = await session.history.match(matchId);
  const turn = { seat: Seat.Two, player: client.address, mode: terms.mode, record, history: session.history };
  const move = await game.moves.read(words, turn);
  const oneStep = status === Status.P1Deposited && (await isOneStep(client, view));
  let extras: Extras = {};
  if (status === Status.P1Deposited) {
    // One step is refused as a whole; a stake that is in stays in, whether the move can be played or not.
    const concerns = oneStep ? [] : await concernsOf(session, game, move);
    extras = await acceptRisks(session, { terms, seat: Seat.Two }, concerns, yes);
  }
  if (!oneStep) extras = await commit(client, view, extras);
  return whenLateEnough(async () => {
    const answer = await answerTo(session, client, turn, words, extras);
    return (await client.join(matchId, terms, answer, extras)).hash;
  });
}

/** What to join with: an answer that the arena will take, kept before anyone sees it; or what was shown before. */
export async function answerTo(
  session: Session,
  client: Client,
  turn: OpenTurn,
  words: readonly string[],
  { value = 0n }: Extras = {},
  keep = (fresh: Hex) => keepAnswer(session, turn, words, fresh),
): Promise<Hex> {
  const { matchId, terms } = turn.record;
  const { moves } = gameAt(terms.game, session.deployment.addresses);
  const fresh = await moves.join(await moves.read(words, turn), turn, keeperOf(session, terms.game, client.address));
  // What is refused must not count as shown: a dry run first, on the next block.
  await client.arena.join.staticCall(matchId, termsHash(terms), fresh, { value, blockTag: "pending" });
  return keep(fresh);
}

/** Takes the seat, if it isn't taken, and waits until that is final: before that, player 1 might yet be free to go. */
async function commit(client: Client, { matchId, terms, status }: MatchView, extras: Extras): Promise<Extras> {
  if (status === Status.P1Deposited) {
    await client.fund(matchId, terms, extras);
    log("Your stake is in, and player 1 is bound. Waiting until that is final before your move is shown.");
  }
  if (status <= Status.AllDeposited) await untilFinal(client.arena, matchId);
  return {};
}

/** Whether the offer binds player 1 to the caller for long enough. */
export async function isOneStep(client: Client, { firm, player2, deadline }: MatchView): Promise<boolean> {
  return firm && player2 === client.address && deadline >= BigInt(await client.now()) + LEAST_REST;
}

/** A stake that has just come in must be older than the answer. */
async function whenLateEnough<T>(joined: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await joined();
    } catch (error) {
      if (customError(error)?.name !== "JoinTooSoon") throw error;
      await pause(1000);
    }
  }
}
