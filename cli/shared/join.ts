import { setTimeout as pause } from "node:timers/promises";
import type { TransactionReceipt } from "ethers";
import type { StakeOptions } from "../../sdk/player/calls.js";
import type { Client } from "../../sdk/player/client.js";
import { customError, noted } from "../../sdk/player/errors.js";
import { untilFinal } from "../../sdk/chain/finality.js";
import type { GameModule } from "../../sdk/games/module.js";
import { turnOf, type OpenTurn } from "../../sdk/games/moves.js";
import { offerHash, offerOf } from "../../sdk/protocol/offer.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { answeredRound, exposureWarnings, answerToSend } from "./shown-answers.js";
import { readMove } from "./did-you-mean.js";
import { secretStoreOf } from "./keys.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { acceptWarnings, log, logOnce } from "./output.js";
import type { Session } from "./session.js";
import { acceptRisks, moveChecksOf } from "./risks.js";
import type { Round } from "./vault.js";

/** Shortest time left of a firm offer, in seconds, for joining in one step. */
export const MIN_REST_FOR_ONE_STEP = 900;

/**
 * Joins a match. Funds the seat first where joining in one step would show the answer too early.
 * @returns the receipt of joining.
 * @throws Error if the offer changed while waiting.
 */
export async function join(
  session: Session,
  view: MatchView,
  game: GameModule,
  moveArgs: readonly string[],
  yes?: boolean,
): Promise<TransactionReceipt> {
  const { matchId, terms, status } = view;
  const client = await session.client();
  // The arena refuses what is no longer an offer, whatever the data.
  if (status > Status.AllDeposited) await client.arena.join.staticCall(matchId, offerHash(view), "0x");
  const before = await joiningTurn(session, client, matchId);
  const move = await readMove(game, moveArgs, before);
  const exposed = await exposureWarnings(session, before, moveArgs);
  let extras: StakeOptions = {};
  if (status === Status.P1Deposited) {
    const seatToTake = { terms, seat: Seat.Two };
    if (await canJoinInOneStep(client, view)) {
      extras = await acceptRisks(session, seatToTake, exposed, yes);
      // The wait ends one second late: an offer that is not final by then cannot be joined in one step either.
      const rest = MIN_REST_FOR_ONE_STEP - 1;
      if (game.moves.pendingCommitments) await untilFinal(client.arena, matchId, { rest, onWait: offerWaitLogger() });
    }
    // Waiting may have used up the time that was left of the offer.
    if (!(await canJoinInOneStep(client, view))) {
      // In one step everything reverts together; a stake that is paid first stays in, even if the move turns out
      // unplayable.
      extras = await acceptRisks(
        session,
        seatToTake,
        [...exposed, ...(await moveChecksOf(session, game, terms.game, move))],
        yes,
      );
      await client.fund(view, extras);
      extras = {};
      log("Your stake is in, and player 1 is bound. Waiting until that is final before your move is shown.");
      await untilFinal(client.arena, matchId);
    }
  } else {
    await acceptWarnings(exposed, yes);
    await untilFinal(client.arena, matchId);
  }
  const turn = await joiningTurn(session, client, matchId);
  if (!isSameChallenge(before, turn)) {
    throw new Error(`Match ${matchId} has become a different offer while you waited: look at it, then join again.`);
  }
  return retryWhileTooSoon(async () => {
    const answer = await joinDataFor(session, client, turn, moveArgs, extras);
    return client.join(view, answer, extras);
  });
}

/**
 * Returns the data to join with: an answer that the arena accepts, stored before anyone sees it, or the answer that was
 * shown before.
 */
export async function joinDataFor(
  session: Session,
  client: Client,
  turn: OpenTurn,
  moveArgs: readonly string[],
  { value = 0n }: StakeOptions = {},
  known?: Round,
): Promise<Hex> {
  const { matchId, terms } = turn.record;
  const game = session.gameAt(terms.game);
  const { moves } = game;
  const secretStore = secretStoreOf(session, terms.game, client.address);
  // A refused answer must not be stored as shown, so it is tried on the next block first.
  const offer = offerHash(offerOf(turn.record));
  const dryRun = (answer: Hex) =>
    client.arena.join.staticCall(matchId, offer, answer, { value, blockTag: "pending" }).catch((error: unknown) => {
      throw noted(error, game);
    });
  const make = async (shown?: Hex) => {
    const answer = await moves.join(await moves.read(moveArgs, turn), turn, secretStore, shown);
    await dryRun(answer);
    return answer;
  };
  const round = known ?? (await answeredRound(session, turn));
  return round ? answerToSend(session.vault, { round, moveArgs, games: [game], make, dryRun }) : make();
}

/** Returns the turn of the joining player, at the current state of the chain. */
export async function joiningTurn({ history }: Session, { address }: Client, matchId: bigint): Promise<OpenTurn> {
  return turnOf(await history.match(matchId), Seat.Two, address, history);
}

/** Returns whether a match is still the same offer, with the same data of player 1. */
function isSameChallenge({ record: one }: OpenTurn, { record: two }: OpenTurn): boolean {
  return offerHash(offerOf(one)) === offerHash(offerOf(two)) && one.createData === two.createData;
}

/** Returns a function that logs once that the offer must become final first. */
function offerWaitLogger(): (seconds: number) => void {
  const logFirst = logOnce();
  return (seconds) => logFirst(`Waiting until the offer is final before your move is shown, for ${seconds} s at most.`);
}

/** Returns whether the offer binds player 1 to the caller for long enough to join in one step. */
export async function canJoinInOneStep(client: Client, { firm, player2, deadline }: MatchView): Promise<boolean> {
  return firm && player2 === client.address && deadline >= BigInt((await client.now()) + MIN_REST_FOR_ONE_STEP);
}

/** Retries while the stake is younger than the arena allows for an answer. */
async function retryWhileTooSoon<T>(joined: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await joined();
    } catch (error) {
      if (customError(error)?.name !== "JoinTooSoon") throw error;
      await pause(1000);
    }
  }
}
