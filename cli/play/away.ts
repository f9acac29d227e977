import { setTimeout as pause } from "node:timers/promises";
import type { TransactionReceipt } from "ethers";
import { untilFinal } from "../../sdk/chain/finality.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import type { AgreedResult, AwayStatus, Due } from "../../sdk/player/away/due.js";
import { customError } from "../../sdk/player/errors.js";
import { toldEvents } from "../../sdk/player/match-events.js";
import { isOpen } from "../../sdk/player/match-view.js";
import { NEVER } from "../../sdk/protocol/away/signatures.js";
import { InputError } from "../../sdk/protocol/input.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import { Seat } from "../../sdk/protocol/status.js";
import { timeText } from "../../sdk/protocol/text.js";
import { readMatchId } from "../../sdk/protocol/arguments.js";
import { actionOf } from "../shared/action.js";
import { awayViewOf, PlayedSeat, type AwayView } from "../shared/away-seat.js";
import type { PlayCommand } from "../shared/command.js";
import { readMove } from "../shared/did-you-mean.js";
import { secretStoreOf } from "../shared/keys.js";
import { viewMatch } from "../shared/match.js";
import { nextData, nextLine } from "../shared/next-step.js";
import { acceptWarnings, isAttended, log, logOnce, type Result } from "../shared/output.js";
import type { Session } from "../shared/session.js";
import { Stopped, withMove } from "./move-prompt.js";
import { report } from "./offers.js";

/** Milliseconds for which news of the other player is waited for at once. */
const WAIT = 2000;

/** Milliseconds between two such waits, in which another command can play. */
const GAP = 60;

/** Looks at the chain for which the other player, who has signed last, is left to settle. */
const GRACE = 15;

/** Milliseconds for which a resignation at the table waits until the other player has settled. */
const RESIGNATION = 20_000;

const RESULTS = ["win", "lose", "draw"] as const;

/** Commands for matches that have begun away from the chain. */
export const aways: readonly PlayCommand[] = [
  {
    usage: "post <match>",
    description:
      "bring a match that is away from the chain onto it: post the newest state that the other player has signed, who then has to answer there in time",
    async run(session, [id]) {
      const played = await openSeat(session, readMatchId(id));
      const { matchId } = played.match.view;
      const data = await played.step((seat) => seat.post());
      warn(played.seat.status);
      return report(session, matchId, await played.dropUnsent(() => sendAct(session, matchId, data, ["post", data])));
    },
  },
  {
    usage: "agree <match> [result]",
    description:
      "agree to the result of a match: win, lose or draw for you, by default that of the game; what the other player has not proposed yet is only proposed, unless you lose by it",
    async run(session, [id, result], flags) {
      if (result !== undefined && !RESULTS.some((each) => each === result)) {
        throw new InputError("result", `${result} is not one of ${RESULTS.join(", ")}`);
      }
      const played = await openSeat(session, readMatchId(id));
      return agree(session, played, result, flags.yes);
    },
  },
  {
    usage: "settle <match>",
    description: "end a match by the result on which both players agree",
    async run(session, [id], flags) {
      const played = await openSeat(session, readMatchId(id));
      const status = await played.step((seat) => seat.sync());
      warn(status);
      const { agreed } = status;
      if (!agreed) throw new Error(`The other player has not agreed to a result of match ${readMatchId(id)}.`);
      await acceptResult(played, agreed, status, flags.yes);
      return settle(session, played, agreed);
    },
  },
];

/** Opens the caller's seat in a match. @throws Error for a match that is not away from the chain, or not the caller's. */
async function openSeat(session: Session, matchId: bigint): Promise<PlayedSeat> {
  const view = await viewMatch(session, matchId);
  const match = await awayViewOf(session, view);
  if (match) return PlayedSeat.open(session, match);
  if (!isOpen(view)) throw new Error(`Match ${matchId} is over.`);
  throw new Error(`Match ${matchId} is not one of yours that is played away from the chain.`);
}

/** Agrees to a result, or proposes it. */
async function agree(session: Session, played: PlayedSeat, result?: string, yes?: boolean): Promise<Result> {
  const { match } = played;
  const status = await played.step((seat) => seat.sync());
  warn(status);
  const { nonce, record } = status;
  const winner = result === undefined ? status.winner : winnerOf(result, match.seat);
  if (winner === undefined) {
    throw new InputError("result", `the game is not over: say ${RESULTS.join(", ")}`);
  }
  const half = status.agreed;
  if (half?.winner === winner) {
    await acceptResult(played, half, status, yes);
    return settle(session, played, half);
  }
  const isGames = status.winner === winner;
  requireRelay(played);
  const isAsked = status.asked?.winner === winner;
  if (winner === match.seat || !(isGames || isAsked || winner === otherSeat(match.seat))) {
    await played.step((seat) => seat.ask(winner));
    const said = winner === Seat.None ? "a draw" : "that you have won";
    return tell(session, match, `You have proposed ${said}: that binds nobody until the other player signs it.`);
  }
  const what = resultText(winner, played);
  // What the game itself says needs no second thought.
  const how = "for ten minutes, in which you cannot move";
  if (!isGames) await acceptWarnings([`You sign ${what} in match ${match.view.matchId}: that binds you ${how}.`], yes);
  const after = await played.step((seat) => seat.agree({ winner, nonce, record }));
  if (after.due.type === "settle") return settle(session, played, after.due.agreed);
  return tell(session, match, boundText(what, after));
}

/** Asks before a result is signed that neither the game nor the caller has named. */
async function acceptResult(
  played: PlayedSeat,
  { winner }: AgreedResult,
  { due }: AwayStatus,
  yes: boolean | undefined,
): Promise<void> {
  if (due.type !== "settle") await acceptWarnings([`You sign ${resultText(winner, played)}.`], yes);
}

function boundText(what: string, { ownAgreed }: AwayStatus): string {
  const until =
    ownAgreed === undefined || ownAgreed.until === NEVER ? "for good" : `until ${timeText(ownAgreed.until)}`;
  return `You have signed ${what}, ${until}: the other player, or anybody who has both signatures, can settle the match.`;
}

function resultText(winner: bigint, { match: { seat } }: PlayedSeat): string {
  if (winner === Seat.None) return "a draw";
  return winner === seat ? "that you have won" : "that the other player has won";
}

function winnerOf(result: string, seat: bigint): bigint {
  if (result === "draw") return Seat.None;
  return result === "win" ? seat : otherSeat(seat);
}

/** Settles a match as both players agree. */
async function settle(session: Session, played: PlayedSeat, agreed: AgreedResult): Promise<Result> {
  const { matchId } = played.match.view;
  const receipt = await sendSettlement(session, played, agreed);
  return report(session, matchId, receipt);
}

async function sendSettlement(session: Session, played: PlayedSeat, agreed: AgreedResult): Promise<TransactionReceipt> {
  const { matchId } = played.match.view;
  return session.once(actionOf("settle", matchId), async () => {
    const client = await session.client();
    const settlement = await played.step((seat) => seat.settlement(agreed));
    return client.settle(settlement.agreement, settlement.signatures);
  });
}

async function sendAct(
  session: Session,
  matchId: bigint,
  data: string,
  content: readonly string[],
): Promise<TransactionReceipt> {
  return session.once(actionOf("act", matchId, content), async () => (await session.client()).act(matchId, data));
}

/** Tells how a match stands after a step at the table. */
async function tell(session: Session, { view: { matchId } }: AwayView, ...text: string[]): Promise<Result> {
  session.away.forget(matchId);
  const view = await viewMatch(session, matchId);
  const data = { matchId, status: view.status, next: await nextData(session, view) };
  return { data, text: [...text, ...(await nextLine(session, view))] };
}

/** What a step of the own seat has brought: a transaction, or a message at the table. */
export type Stepped = { receipt: TransactionReceipt } | { status: AwayStatus };

/** Options of a step. */
export interface StepOptions {
  /** Move as on the command line; empty to have one suggested or asked for. */
  moveArgs: readonly string[];
  yes?: boolean;
  signal?: AbortSignal;
}

/**
 * Does what is due of the own seat, at the table or on chain.
 * @param due What is due; not to wait.
 */
export async function doDue(session: Session, played: PlayedSeat, due: Due, options: StepOptions): Promise<Stepped> {
  const { matchId } = played.match.view;
  const { record: seen, posted } = played.seat.status;
  const send = async (compose: () => Promise<string>, ...content: string[]) => {
    const action = actionOf("act", matchId, [...content, ...options.moveArgs]);
    return { receipt: await session.once(action, async () => (await session.client()).act(matchId, await compose())) };
  };
  switch (due.type) {
    case "act":
      requireRelay(played);
      return {
        status: await withTurn(session, played, due.turn, options, (move) => played.step((s) => s.act(move, seen))),
      };
    case "agree":
      requireRelay(played);
      return { status: await played.step((seat) => seat.agree(due.proposal)) };
    case "settle":
      return { receipt: await sendSettlement(session, played, due.agreed) };
    case "post":
    case "supersede":
      return played.dropUnsent(() => send(() => played.step((seat) => seat.post()), "post"));
    case "accept":
      if (!due.turn) return send(() => played.step((seat) => seat.accept()), "accept");
      return withTurn(session, played, due.turn, options, (move) =>
        send(() => played.step((seat) => seat.accept(move, posted)), "accept"),
      );
    case "actOnChain": {
      const { turn } = due;
      const { arena } = await session.client();
      const logFirst = logOnce();
      await untilFinal(arena, matchId, {
        onWait: (seconds) => {
          if (options.signal?.aborted) throw new Stopped();
          logFirst(`Waiting until the opponent's move is final, for ${seconds} s at most.`);
        },
        onHurry: () => log("The deadline is near: acting before the opponent's move is final."),
      });
      if (!turn) return send(() => played.step((seat) => seat.actOnChain()));
      return withTurn(session, played, turn, options, (move) =>
        send(() => played.step((seat) => seat.actOnChain(move, seen))),
      );
    }
    case "timeout":
      return {
        receipt: await session.once(actionOf("timeout", matchId), async () =>
          (await session.client()).timeout(matchId),
        ),
      };
    default:
      throw new Error(waitText(played.match, due));
  }
}

/** @throws Error where there is no way on which the other player would get what is signed. */
function requireRelay({ hasRelays, match: { view } }: PlayedSeat): void {
  if (hasRelays) return;
  const { matchId } = view;
  throw new Error(
    `No relay takes messages of match ${matchId}: name one by --relay, or post ${matchId} brings it onto the chain.`,
  );
}

/** Finds the move of a turn: the given one, a suggested one, or that of the person at the terminal. */
async function withTurn<T>(
  session: Session,
  { match: { game } }: PlayedSeat,
  turn: OpenTurn,
  { moveArgs, yes, signal }: StepOptions,
  use: (move: string) => Promise<T>,
): Promise<T> {
  const secretStore = secretStoreOf(session, turn.record.terms.game, turn.player);
  const take = async (given: readonly string[]) => use(await readMove(game, given, turn, secretStore));
  const isAsked = moveArgs.length === 0 && ((yes !== true && isAttended()) || signal !== undefined);
  return isAsked ? withMove({ game, turn, secretStore }, take, yes, signal) : take(moveArgs);
}

/** Tells why there is nothing to do. */
export function waitText({ view, seat }: AwayView, due: Due): string {
  const match = `match ${view.matchId}`;
  if (due.type === "over") return `There is no turn to take in ${match}: it is over.`;
  if (due.type !== "wait") return `There is no turn to take in ${match}.`;
  const player = seat === Seat.One ? view.player2 : view.player1;
  if (due.for === "finality") return `There is no turn to take in ${match} before joining is final.`;
  if (due.for === "opponent") return `It is the turn of ${player} in ${match}.`;
  if (due.for === "agreement") return `The game of ${match} is over: ${player} is to agree to the result.`;
  if (due.for === "settlement") return `You have agreed to the result of ${match}: ${player} is to settle it.`;
  if (due.for === "relay") {
    if (due.until === undefined) {
      return `Nothing is signed in ${match} before a relay has told what was sent before: name one by --relay, or post ${view.matchId} brings it onto the chain.`;
    }
    return `No relay tells if there is anything newer in ${match} than what ${player} has posted: nothing is accepted until ${timeText(due.until)}, unless --relay "" names none.`;
  }
  return `The state of ${match} that was accepted is not known on this machine, nor at a relay.`;
}

/** Takes the turn of the caller in a match that has begun away from the chain. */
export async function actAway(
  session: Session,
  match: AwayView,
  moveArgs: readonly string[],
  yes?: boolean,
): Promise<Result> {
  const { matchId } = match.view;
  const played = await PlayedSeat.open(session, match);
  const logFirst = logOnce();
  let status = await played.step((seat) => seat.sync());
  while (status.due.type === "wait" && status.due.for === "finality") {
    logFirst("Waiting until joining is final: nothing is signed before.");
    await pause(session.provider.pollingInterval);
    status = await played.step((seat) => seat.sync());
  }
  warn(status);
  const due = dueInstead(status, match, moveArgs.length > 0 || yes === true);
  if (due.type === "post") throw new Error(`Match ${matchId} goes on on the chain: post ${matchId} brings it there.`);
  if (due.type === "agree") throw new Error(`The game of match ${matchId} is over: agree ${matchId} signs its result.`);
  const stepped = await doDue(session, played, due, { moveArgs, yes });
  if ("receipt" in stepped) return report(session, matchId, stepped.receipt);
  stepped.status.troubles.filter((trouble) => !status.troubles.includes(trouble)).forEach(log);
  return tell(session, match, await lastText(session, played));
}

/** Returns what `act` does: nobody whose proposal was agreed to has to take it, and nobody ends a match by asking for a turn. */
function dueInstead({ due, winner, ownAgreed }: AwayStatus, { view, seat }: AwayView, isMoveNamed: boolean): Due {
  if (due.type !== "settle" || ownAgreed !== undefined) return due;
  const { agreed, turn } = due;
  if (agreed.winner === seat || agreed.winner === winner) return due;
  if (turn && isMoveNamed) return { type: "act", turn };
  const playing = turn ? `, act ${view.matchId} with a move or --yes plays on` : "";
  throw new Error(
    `The other player agrees to what you have proposed: settle ${view.matchId} ends the match by it${playing}.`,
  );
}

/** Logs what ails the relays, and what the other player has done against the rules. */
function warn({ troubles, logWasLost }: AwayStatus): void {
  troubles.forEach(log);
  if (logWasLost) log("What this machine kept of the match was lost, and was read from a relay again.");
}

/** Tells the last action at the table. */
async function lastText(session: Session, { match: { view, game }, seat }: PlayedSeat): Promise<string> {
  const events = await toldEvents(seat.record!, view.token, game, session.chainHistory);
  return events.at(-1)!.text;
}

/** Options of a whole match. */
export interface PlayOptions {
  yes?: boolean;
  signal: AbortSignal;
  /** Seconds for which the other player is waited for before the newest state is posted. */
  patience: number;
}

/**
 * Plays the caller's seat until the match is over, or has nothing due but a turn of another kind.
 * @throws Stopped if the signal is aborted.
 */
export async function playAway(
  session: Session,
  match: AwayView,
  { yes, signal, patience }: PlayOptions,
): Promise<void> {
  const played = await PlayedSeat.open(session, match, patience);
  const told = new Set<string>();
  const grace = GRACE * session.provider.pollingInterval;
  let agreedSince: number | undefined;
  for (let waitMs = 0; ;) {
    if (signal.aborted) throw new Stopped();
    const status = await played.step((seat) => seat.sync({ waitMs, signal })).catch(unlessStopped(signal));
    for (const trouble of status.troubles) if (!told.has(trouble)) log(trouble);
    status.troubles.forEach((trouble) => told.add(trouble));
    const { due } = status;
    if (due.type === "over") return;
    waitMs = 0;
    // Who signs last settles: two who do at once pay twice. The other one does where that fails.
    agreedSince = due.type === "settle" ? (agreedSince ?? Date.now()) : undefined;
    const isTheirs = due.type === "settle" && status.ownAgreed !== undefined && Date.now() < agreedSince! + grace;
    if (due.type === "wait" || isTheirs) {
      waitMs = due.type === "wait" && due.for === "finality" ? 0 : WAIT;
      await pause(waitMs === 0 ? session.provider.pollingInterval : GAP, undefined, { signal }).catch(
        unlessStopped(signal),
      );
      continue;
    }
    if (due.type === "post") log(`The opponent was waited for: match ${match.view.matchId} goes on on the chain.`);
    const stepped = await doDue(session, played, due, { moveArgs: [], yes, signal }).catch(
      unlessOvertaken(session, played, status),
    );
    if (stepped && "receipt" in stepped) await session.markReported();
  }
}

/** Goes on where the match has changed meanwhile, by the other player or anybody, or its time has not run out yet. */
function unlessOvertaken({ tokens }: Session, played: PlayedSeat, before: AwayStatus) {
  return async (error: unknown): Promise<undefined> => {
    if (error instanceof Stopped) throw error;
    if (before.due.type === "timeout" && isTooSoon(error)) return undefined;
    const after = await played.step((seat) => seat.sync()).catch(() => before);
    if (isAlike(before, after)) throw error;
    if (after.phase !== "over") log(tokens.explain(error));
  };
}

/** Tells if nothing has happened between two looks at a match. */
function isAlike(one: AwayStatus, other: AwayStatus): boolean {
  const { phase, record, poster, deadline, due } = one;
  const isSame = phase === other.phase && record === other.record && poster === other.poster;
  return isSame && deadline === other.deadline && due.type === other.due.type;
}

/** Tells if a timeout was refused as a block is older than its node's clock, or the opponent has moved in it. */
export function isTooSoon(error: unknown): boolean {
  return ["TooEarly", "WrongStatus"].includes(customError(error)?.name ?? "");
}

function unlessStopped(signal: AbortSignal) {
  return (error: unknown): never => {
    throw signal.aborted ? new Stopped() : error;
  };
}

/** Gives up: signs the loss at the table, waits a while for the other player to settle, and then resigns on the chain. */
export async function resignAway(session: Session, match: AwayView): Promise<TransactionReceipt> {
  const { matchId } = match.view;
  const settled = await resignedAtTable(session, match);
  if (settled) return settled;
  return (await session.client()).resign(matchId).catch(async (error: unknown) => {
    // The other player may have settled just now.
    const late = await settledBy(session, matchId);
    if (late) return late;
    throw error;
  });
}

/** Signs the loss at the table. @returns the receipt of the settlement; undefined if there was none for a while. */
async function resignedAtTable(session: Session, match: AwayView): Promise<TransactionReceipt | undefined> {
  try {
    const played = await PlayedSeat.open(session, match);
    const status = await played.step((seat) => seat.sync());
    if (!played.hasRelays || status.phase !== "away" || status.troubles.length > 0) return undefined;
    const { nonce, record } = status;
    await played.step((seat) => seat.agree({ winner: otherSeat(match.seat), nonce, record }));
  } catch (error) {
    log(`The loss was not signed away from the chain: ${session.tokens.explain(error)}`);
    return undefined;
  }
  const end = Date.now() + RESIGNATION;
  while (Date.now() < end) {
    const receipt = await settledBy(session, match.view.matchId);
    if (receipt) return receipt;
    await pause(session.provider.pollingInterval);
  }
  return undefined;
}

/** Finds the receipt of the transaction that has settled a match; undefined if it is not over. */
async function settledBy(session: Session, matchId: bigint): Promise<TransactionReceipt | undefined> {
  const block = await session.chainHistory.endOf(matchId);
  if (block === undefined) return undefined;
  const { Arena } = session.deployment.addresses;
  const settled = await session.chainHistory.events(Arena, "Settled", { matchId }, block);
  const hash = settled.at(0)?.transaction;
  return (hash === undefined ? undefined : await session.provider.getTransactionReceipt(hash)) ?? undefined;
}
