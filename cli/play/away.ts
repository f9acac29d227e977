import { setTimeout as pause } from "node:timers/promises";
import type { TransactionReceipt } from "ethers";
import type { AgreedResult, AwayStatus, Due } from "../../sdk/player/away/due.js";
import { toldEvents } from "../../sdk/player/match-events.js";
import { isOpen } from "../../sdk/player/match-view.js";
import { NEVER } from "../../sdk/protocol/away/signatures.js";
import { InputError } from "../../sdk/protocol/input.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import { Seat } from "../../sdk/protocol/status.js";
import { timeText } from "../../sdk/protocol/text.js";
import { readMatchId } from "../../sdk/protocol/arguments.js";
import { awayViewOf, PlayedSeat, type AwayView } from "../shared/off-chain/away-seat.js";
import type { PlayCommand } from "../shared/command/command.js";
import { nextOf } from "../shared/match/next-step.js";
import { acceptWarnings, log, logOnce, type Result } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { report } from "./offers.js";
import { actionOf } from "../shared/wallet/action.js";
import { doDue, sendSettlement, requireRelay } from "./away-steps.js";

/** Milliseconds for which a resignation at the table waits until the other player has settled. */
const RESIGNATION = 20_000;

const RESULTS = ["win", "lose", "draw"] as const;

/** Commands for matches that have begun away from the chain. */
export const aways: readonly PlayCommand[] = [
  {
    usage: "post <match>",
    description:
      "bring a match that is away from the chain onto it: post the newest state that the other player has signed, who then has to answer there in time",
    examples: ["post 17"],
    async run(context, [id]) {
      const played = await openSeat(context, readMatchId(id));
      const { matchId } = played.match.view;
      const data = await played.step((seat) => seat.post());
      warn(played.seat.status);
      const send = async () => (await context.client()).act(matchId, data);
      const receipt = await played.send("post", () => context.once(actionOf("act", matchId, ["post", data]), send));
      return report(context, matchId, receipt);
    },
  },
  {
    usage: "agree <match> [result]",
    description:
      "agree to the result of a match: win, lose or draw for you, by default that of the game; what the other player has not proposed yet is only proposed, unless you lose by it",
    examples: ["agree 17 draw"],
    async run(context, [id, result], flags) {
      if (result !== undefined && !RESULTS.some((each) => each === result)) {
        throw new InputError("result", `${result} is not one of ${RESULTS.join(", ")}`);
      }
      const played = await openSeat(context, readMatchId(id));
      return agree(played, result, flags.yes);
    },
  },
  {
    usage: "settle <match>",
    description: "end a match by the result on which both players agree",
    examples: ["settle 17"],
    async run(context, [id], flags) {
      const played = await openSeat(context, readMatchId(id));
      const status = await played.step((seat) => seat.sync());
      warn(status);
      const { agreed } = status;
      if (!agreed) throw new Error(`The other player has not agreed to a result of match ${readMatchId(id)}.`);
      await acceptResult(played, agreed, status, flags.yes);
      return settle(played, agreed);
    },
  },
];

/** Opens the caller's seat in a match. @throws Error for a match that is not away from the chain, or not the caller's. */
async function openSeat(context: CommandContext, matchId: bigint): Promise<PlayedSeat> {
  const view = await context.view(matchId);
  const match = await awayViewOf(context, view);
  if (match) return PlayedSeat.open(match);
  if (!isOpen(view)) throw new Error(`Match ${matchId} is over.`);
  throw new Error(`Match ${matchId} is not one of yours that is played away from the chain.`);
}

/** Agrees to a result, or proposes it. */
async function agree(played: PlayedSeat, result?: string, yes?: boolean): Promise<Result> {
  const { match } = played;
  const status = await played.step((seat) => seat.sync());
  warn(status);
  const { nonce, historyHash } = status;
  const winner = result === undefined ? status.winner : winnerOf(result, match.seat);
  if (winner === undefined) {
    throw new InputError("result", `the game is not over: say ${RESULTS.join(", ")}`);
  }
  const half = status.agreed;
  if (half?.winner === winner) {
    await acceptResult(played, half, status, yes);
    return settle(played, half);
  }
  const isGames = status.winner === winner;
  requireRelay(played);
  const isAsked = status.asked?.winner === winner;
  if (winner === match.seat || !(isGames || isAsked || winner === otherSeat(match.seat))) {
    await played.step((seat) => seat.ask(winner));
    const said = winner === Seat.None ? "a draw" : "that you have won";
    return tell(match, `You have proposed ${said}: that binds nobody until the other player signs it.`);
  }
  const what = resultText(winner, played);
  // What the game itself says needs no second thought.
  const how = "for ten minutes, in which you cannot move";
  if (!isGames) await acceptWarnings([`You sign ${what} in match ${match.view.matchId}: that binds you ${how}.`], yes);
  const after = await played.step((seat) => seat.agree({ winner, nonce, historyHash }));
  if (after.due.type === "settle") return settle(played, after.due.agreed);
  return tell(match, boundText(what, after));
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
async function settle(played: PlayedSeat, agreed: AgreedResult): Promise<Result> {
  const { context, view } = played.match;
  return report(context, view.matchId, await sendSettlement(played, agreed));
}

/** Describes how a match stands after a step at the table. */
async function tell({ context, view: { matchId } }: AwayView, ...text: string[]): Promise<Result> {
  context.away.forget(matchId);
  const view = await context.view(matchId);
  const next = await nextOf(context, view);
  return { data: { matchId, status: view.status, next: next.command }, text: [...text, ...next.lines] };
}

/** Takes the turn of the caller in a match that has begun away from the chain. */
export async function actAway(match: AwayView, moveArgs: readonly string[], yes?: boolean): Promise<Result> {
  const { context, view } = match;
  const { matchId } = view;
  const played = await PlayedSeat.open(match);
  const logFirst = logOnce();
  let status = await played.step((seat) => seat.sync());
  while (status.due.type === "wait" && status.due.for === "finality") {
    logFirst("Waiting until joining is final: nothing is signed before.");
    await pause(context.provider.pollingInterval);
    status = await played.step((seat) => seat.sync());
  }
  warn(status);
  const due = dueInstead(status, match, moveArgs.length > 0 || yes === true);
  if (due.type === "post") throw new Error(`Match ${matchId} goes on on the chain: post ${matchId} brings it there.`);
  if (due.type === "agree") throw new Error(`The game of match ${matchId} is over: agree ${matchId} signs its result.`);
  const stepped = await doDue(played, due, { moveArgs, yes });
  if ("receipt" in stepped) return report(context, matchId, stepped.receipt);
  stepped.status.troubles.filter((trouble) => !status.troubles.includes(trouble)).forEach(log);
  return tell(match, await lastText(played));
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

/** Describes the last action at the table. */
async function lastText({ match: { context, view, game }, seat }: PlayedSeat): Promise<string> {
  const events = await toldEvents(seat.matchRecord!, view.token, game, context.chainHistory);
  return events.at(-1)!.text;
}

/** Gives up: signs the loss at the table, waits a while for the other player to settle, and then resigns on the chain. */
export async function resignAway(match: AwayView): Promise<TransactionReceipt> {
  const { context, view } = match;
  const settled = await resignedAtTable(match);
  if (settled) return settled;
  return (await context.client()).resign(view.matchId).catch(async (error: unknown) => {
    // The other player may have settled just now.
    const late = await settledBy(match);
    if (late) return late;
    throw error;
  });
}

/** Signs the loss at the table. @returns the receipt of the settlement; undefined if there was none for a while. */
async function resignedAtTable(match: AwayView): Promise<TransactionReceipt | undefined> {
  const { context, seat: ownSeat } = match;
  try {
    const played = await PlayedSeat.open(match);
    const status = await played.step((seat) => seat.sync());
    if (!played.hasRelays || status.phase !== "away" || status.troubles.length > 0) return undefined;
    const { nonce, historyHash } = status;
    await played.step((seat) => seat.agree({ winner: otherSeat(ownSeat), nonce, historyHash }));
  } catch (error) {
    log(`The loss was not signed away from the chain: ${context.tokens.explain(error)}`);
    return undefined;
  }
  const end = Date.now() + RESIGNATION;
  while (Date.now() < end) {
    const receipt = await settledBy(match);
    if (receipt) return receipt;
    await pause(context.provider.pollingInterval);
  }
  return undefined;
}

/** Finds the receipt of the transaction that has settled a match; undefined if it is not over. */
async function settledBy({ context, view: { matchId } }: AwayView): Promise<TransactionReceipt | undefined> {
  const { addresses, chainHistory, provider } = context;
  const block = await chainHistory.endOf(matchId);
  if (block === undefined) return undefined;
  const settled = await chainHistory.events(addresses.Arena, "Settled", { matchId }, block);
  const hash = settled.at(0)?.transaction;
  return (hash === undefined ? undefined : await provider.getTransactionReceipt(hash)) ?? undefined;
}
