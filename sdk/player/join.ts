import type { TransactionReceipt } from "ethers";
import type { ArenaMatch } from "../chain/arena.js";
import { untilFinal } from "../chain/finality.js";
import type { History } from "../chain/history.js";
import { machineClock } from "../chain/waiting.js";
import { gameAt } from "../games/list.js";
import { turnOf, type OpenTurn, type SecretStore } from "../games/moves.js";
import type { Hex } from "../protocol/hex.js";
import { offerHash, offerOf, type Offer } from "../protocol/offer.js";
import { Seat, Status } from "../protocol/status.js";
import type { StakeOptions } from "./calls.js";
import type { Client } from "./client.js";
import { customError, noted } from "./errors.js";
import type { MatchView } from "./match-view.js";
import { answeredRound, answerToSend, exposureWarnings, type Round, type ShownAnswers } from "./shown-answers.js";

/** Minimum remaining time of a firm offer, in seconds, for joining in one step. */
export const MIN_REST_FOR_ONE_STEP = 900;

/** Milliseconds between two attempts to join while the stake is too young. */
const PAUSE = 1000;

/** Step of joining: stake and answer together, only the stake, or the answer of a player who has already paid. */
export type JoinStep = "stake-and-answer" | "stake" | "answer";

/** Facts for a player's decision before a step of joining. */
export interface JoinDecision {
  step: JoinStep;
  move: unknown;
  /** Sentences about the opponent's possible knowledge of the answer. */
  exposures: readonly string[];
}

/** An answer to join with. */
export interface JoinAnswer {
  /** Secrets of the joining player. */
  secretStore: SecretStore;
  shownAnswers: ShownAnswers;
  move: unknown;
}

/** Options of joining a match. */
export interface JoinOptions extends Omit<JoinAnswer, "move"> {
  /** Finds the move, once the match is known to be an offer. */
  move(turn: OpenTurn): Promise<unknown>;
  /**
   * Accepts the risks of a step before anything is sent; an error that it throws ends joining. Called again if joining
   * in one step becomes two steps because of the wait.
   * @returns the coin to send along with the stake, and the accepted risks; not used for an answer alone.
   */
  accept(decision: JoinDecision): Promise<StakeOptions>;
  /** Called once the stake is paid. The answer follows as soon as the stake is final. */
  onFunded?(receipt: TransactionReceipt): void;
  /** Called before each pause with the remaining seconds; an error that it throws ends joining. */
  onWait?(seconds: number, step: JoinStep): void;
  /** Milliseconds between two polls of the chain; defaults to 4000. */
  pause?: number;
}

/**
 * Joins a match as player 2. Funds the seat first if joining in one step would show the answer too early. If this
 * function is called again after that, e.g. by a restarted program, it continues with the answer.
 * @param history Returns the current history of the deployment.
 * @param offer The offer as the caller has seen it.
 * @returns the receipt of joining.
 * @throws Error if the offer changed while waiting.
 * @throws InputError for a move against the rules, and as `accept`, the client and `answerToSend` do.
 * @example
 * ```ts
 * import { joinMatch } from "duello";
 *
 * const options = { secretStore, shownAnswers, move: async () => 4, accept: async () => ({ acceptedRisks: [] }) };
 * const { hash } = await joinMatch(client, async () => history, offer, options);
 * ```
 */
export async function joinMatch(
  client: Client,
  history: () => Promise<History>,
  offer: Offer,
  options: JoinOptions,
): Promise<TransactionReceipt> {
  const { matchId, terms } = offer;
  const { arena } = client;
  const { secretStore, shownAnswers, accept, onWait, onFunded, pause } = options;
  let match = await arena.matchOf(matchId);
  const { status } = match;
  // The arena refuses to join a match that is no longer an offer, whatever the data.
  if (status > Status.AllDeposited) await arena.join.staticCall(matchId, offerHash(offer), "0x");
  const { moves } = gameAt(terms.game, client.games, client.addresses);
  const before = await joiningTurn(await history(), client, offer);
  const move = await options.move(before);
  // An illegal move is rejected before its stake is paid.
  await moves.join(move, before, secretStore);
  const exposures = await exposureWarnings(shownAnswers, client, before, move);
  const untilFinalFor = (step: JoinStep, seen?: ArenaMatch, rest?: number) =>
    untilFinal(arena, matchId, { rest, pause, onWait: (seconds) => onWait?.(seconds, step) }, seen);
  let extras: StakeOptions = {};
  if (status === Status.P1Deposited) {
    if (await canJoinInOneStep(client, match)) {
      extras = await accept({ step: "stake-and-answer", move, exposures });
      // The wait may end one second late: an offer that is not final by then cannot be joined in one step anyway. The
      // final offer may bind player 1 less than the offer that was read before the wait.
      if (moves.pendingCommitments && (await untilFinalFor("stake-and-answer", match, MIN_REST_FOR_ONE_STEP - 1))) {
        match = await arena.matchOf(matchId);
      }
    }
    // The wait may have used up the remaining time of the offer.
    if (!(await canJoinInOneStep(client, match))) {
      // If joining in one step fails, everything reverts together. A stake that is paid first stays in the match, even
      // if the move turns out to be unplayable.
      const receipt = await client.fund(offer, await accept({ step: "stake", move, exposures }));
      extras = {};
      onFunded?.(receipt);
      await untilFinalFor("answer");
    }
  } else {
    await accept({ step: "answer", move, exposures });
    await untilFinalFor("answer", match);
  }
  const turn = await joiningTurn(await history(), client, offer);
  if (!isSameChallenge(before, turn)) {
    throw new Error(`Match ${matchId} has become a different offer while you waited: look at it, then join again.`);
  }
  const answer = { secretStore, shownAnswers, move };
  return retryWhileTooSoon(async () => client.join(offer, await joinDataFor(client, turn, answer, extras), extras));
}

/**
 * Returns the data to join with: a new answer that the arena accepts, stored before anyone sees it, or the answer that
 * was shown before.
 * @param round Round of the answer, for callers that also store answers without a commitment.
 * @throws InputError for a move against the rules, and as `answerToSend` does.
 * @example
 * ```ts
 * import { joinDataFor } from "duello";
 *
 * const data = await joinDataFor(client, turn, { secretStore, shownAnswers, move: 4 });
 * await client.join(offer, data);
 * ```
 */
export async function joinDataFor(
  client: Client,
  turn: OpenTurn,
  { secretStore, shownAnswers, move }: JoinAnswer,
  { value = 0n }: StakeOptions = {},
  round?: Round,
): Promise<Hex> {
  const { matchId, terms } = turn.record;
  const game = gameAt(terms.game, client.games, client.addresses);
  const { moves } = game;
  // A refused answer must not be stored as shown, so a dry run on the pending block comes first.
  const offer = offerHash(offerOf(turn.record));
  const dryRun = (answer: Hex) =>
    client.arena.join.staticCall(matchId, offer, answer, { value, blockTag: "pending" }).catch((error: unknown) => {
      throw noted(error, game);
    });
  const make = async (shown?: Hex) => {
    const answer = await moves.join(move, turn, secretStore, shown);
    await dryRun(answer);
    return answer;
  };
  const known = round ?? (await answeredRound(client, turn));
  if (!known) return make();
  const moveArgs = await moves.args(move, turn);
  return answerToSend(shownAnswers, { round: known, moveArgs, games: [game], make, dryRun });
}

/**
 * Returns the turn of the joining player in a history's match.
 * @throws like `History.match`.
 * @example
 * ```ts
 * import { joiningTurn } from "duello";
 *
 * const turn = await joiningTurn(history, client, offer);
 * const { game, record } = turn;
 * ```
 */
export async function joiningTurn(history: History, { address }: Client, offer: Offer): Promise<OpenTurn> {
  return turnOf(await history.match(offer.matchId, { read: offer }), Seat.Two, address, history);
}

/**
 * Returns whether an offer binds player 1 to the caller for long enough to join in one step.
 * @throws like the provider.
 * @example
 * ```ts
 * import { canJoinInOneStep } from "duello";
 *
 * const step = (await canJoinInOneStep(client, view)) ? "stake-and-answer" : "stake";
 * ```
 */
export async function canJoinInOneStep(
  client: Client,
  { firm, player2, deadline }: Pick<MatchView, "firm" | "player2" | "deadline">,
): Promise<boolean> {
  return firm && player2 === client.address && deadline >= BigInt((await client.now()) + MIN_REST_FOR_ONE_STEP);
}

/** Returns whether a match is still the same offer, with the same data of player 1. */
function isSameChallenge({ record: one }: OpenTurn, { record: two }: OpenTurn): boolean {
  return offerHash(offerOf(one)) === offerHash(offerOf(two)) && one.createData === two.createData;
}

/** Retries while the stake is too young for the arena to accept an answer. */
async function retryWhileTooSoon<T>(joined: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await joined();
    } catch (error) {
      if (customError(error)?.name !== "JoinTooSoon") throw error;
      await machineClock.pause(PAUSE);
    }
  }
}
