import { setTimeout as pause } from "node:timers/promises";
import type { TransactionReceipt } from "ethers";
import type { Client, Extras } from "../../sdk/player/client.js";
import { customError } from "../../sdk/player/errors.js";
import { untilFinal } from "../../sdk/chain/finality.js";
import { gameAt } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import { offerHash, offerOf } from "../../sdk/protocol/offer.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { answeredRound, exposureWarnings, answerToSend } from "./shown-answers.js";
import { secretStoreOf } from "./keys.js";
import type { MatchView } from "./match.js";
import { acceptWarnings, log, logOnce } from "./output.js";
import type { Session } from "./session.js";
import { acceptRisks, moveChecksOf } from "./risks.js";
import type { Round } from "./vault.js";

/** Least rest of a firm offer, in seconds, for joining it in one step. */
const MIN_REST = 900;

/** Joins a match, in two steps where one would show the answer too early. @returns the receipt. */
export async function join(
  session: Session,
  view: MatchView,
  game: GameModule,
  moveArgs: readonly string[],
  yes?: boolean,
): Promise<TransactionReceipt> {
  const { matchId, terms, status } = view;
  const client = await session.client();
  // What is no offer any more is refused by the arena, whatever the answer.
  if (status > Status.AllDeposited) await client.arena.join.staticCall(matchId, offerHash(view), "0x");
  const before = await joiningTurn(session, client, matchId);
  const move = await game.moves.read(moveArgs, before);
  const exposed = await exposureWarnings(session, before, moveArgs);
  let extras: Extras = {};
  if (status === Status.P1Deposited) {
    const stand = { terms, seat: Seat.Two };
    if (await canJoinInOneStep(client, view)) {
      extras = await acceptRisks(session, stand, exposed, yes);
      // It ends a second late, so that an offer which is not final by then is none for one step.
      const rest = MIN_REST - 1;
      if (game.moves.pendingCommitments) await untilFinal(client.arena, matchId, { rest, onWait: offerWaitLogger() });
    }
    // Waiting may have taken what was left of the offer.
    if (!(await canJoinInOneStep(client, view))) {
      // One step is refused as a whole; a stake that is in stays in, whether the move can be played or not.
      extras = await acceptRisks(session, stand, [...exposed, ...(await moveChecksOf(session, game, move))], yes);
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
    throw new Error(`Match ${matchId} has become another one while you waited: look at it, then join again.`);
  }
  return retryWhileTooSoon(async () => {
    const answer = await joinDataFor(session, client, turn, moveArgs, extras);
    return client.join(view, answer, extras);
  });
}

/** What to join with: an answer that the arena will take, kept before anyone sees it; or what was shown before. */
export async function joinDataFor(
  session: Session,
  client: Client,
  turn: OpenTurn,
  moveArgs: readonly string[],
  { value = 0n }: Extras = {},
  round?: Round,
): Promise<Hex> {
  const { matchId, terms } = turn.record;
  const { moves } = gameAt(terms.game, session.deployment.addresses);
  const secretStore = secretStoreOf(session, terms.game, client.address);
  // What is refused must not count as shown: a dry run first, on the next block.
  const offer = offerHash(offerOf(turn.record));
  const attempt = (answer: Hex) => client.arena.join.staticCall(matchId, offer, answer, { value, blockTag: "pending" });
  const make = async (shown?: Hex) => {
    const answer = await moves.join(await moves.read(moveArgs, turn), turn, secretStore, shown);
    await attempt(answer);
    return answer;
  };
  const kept = round ?? (await answeredRound(session, turn));
  return kept ? answerToSend(session.vault, { round: kept, moveArgs, make, attempt }) : make();
}

/** The turn of who joins, as the chain has it now. */
export async function joiningTurn({ history }: Session, { address }: Client, matchId: bigint): Promise<OpenTurn> {
  const record = await history.match(matchId);
  return { seat: Seat.Two, player: address, mode: record.terms.mode, record, history };
}

/** Whether it is still the same challenge, by the same player. */
function isSameChallenge({ record: one }: OpenTurn, { record: two }: OpenTurn): boolean {
  return offerHash(offerOf(one)) === offerHash(offerOf(two)) && one.createData === two.createData;
}

/** Returns a function that logs once that the offer must become final first. */
function offerWaitLogger(): (seconds: number) => void {
  const logFirst = logOnce();
  return (seconds) => logFirst(`Waiting until the offer is final before your move is shown, for ${seconds} s at most.`);
}

/** Whether the offer binds player 1 to the caller for long enough. */
export async function canJoinInOneStep(client: Client, { firm, player2, deadline }: MatchView): Promise<boolean> {
  return firm && player2 === client.address && deadline >= BigInt((await client.now()) + MIN_REST);
}

/** A stake that has just come in must be older than the answer. */
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
