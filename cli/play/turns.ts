import type { TransactionReceipt } from "ethers";
import { eventIn } from "../../sdk/chain/events.js";
import { turnOf } from "../../sdk/games/moves.js";
import { changesIn } from "../../sdk/player/stats.js";
import { mayActFor, takeTurn } from "../../sdk/player/turn.js";
import { playerInTurn } from "../../sdk/protocol/sides.js";
import { Status } from "../../sdk/protocol/status.js";
import { timeText } from "../../sdk/protocol/text.js";
import { answeredRound, exposureWarnings, actionToSend } from "../../sdk/player/shown-answers.js";
import { readAddress, readDuration, readMatchId } from "../../sdk/protocol/arguments.js";
import { NoMove, Stopped, withMove } from "./move-prompt.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import { actionOf } from "../shared/wallet/action.js";
import { readMove } from "../shared/command/did-you-mean.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { resumeHint, warnOfClock } from "../shared/match/match.js";
import { report } from "./offers.js";
import { acceptWarnings, isAttended, log, logOnce, type Result } from "../shared/command/output.js";
import { nextOf } from "../shared/match/next-step.js";
import type { CommandContext } from "../shared/command/context.js";
import { changeLines } from "../shared/match/changes.js";
import { toldEvents } from "../../sdk/player/match-events.js";
import { amountText } from "../../sdk/player/amounts.js";

/** Commands for matches in play. */
export const turns: readonly PlayCommand[] = [
  {
    usage: "act <match> [move...]",
    description: "take your turn, or that of a player whose operator you are: answer, reveal, or move",
    examples: ["act 12 b2"],
    run: act,
  },
  {
    usage: "reveal <match> [move...]",
    description: "reveal your commitment, with your move of the next round if one follows; the same as act",
    examples: ["reveal 7"],
    run: act,
  },
  {
    usage: "resign <match>",
    description: "give up: the other player takes the pot",
    examples: ["resign 7"],
    async run(context, [id], flags) {
      const matchId = readMatchId(id);
      const receipt = await context.once(actionOf("resign", matchId), async () => {
        const client = await context.client();
        // A turn that would be rejected needs no confirmation.
        await client.arena.resign.staticCall(matchId, { blockTag: "pending" });
        const view = await context.view(matchId);
        const pot = amountText(view.terms.stake1 + view.terms.stake2, view.token);
        await acceptWarnings([`You give up match ${matchId}: the other player wins its pot of ${pot}.`], flags.yes);
        return client.resign(matchId);
      });
      return report(context, matchId, receipt);
    },
  },
  {
    usage: "timeout <match>",
    description: "end a match whose deadline has passed, as anyone may",
    examples: ["timeout 8"],
    async run(context, [id]) {
      const matchId = readMatchId(id);
      const client = await context.client();
      const receipt = await context.once(actionOf("timeout", matchId), () => client.timeout(matchId));
      return report(context, matchId, receipt);
    },
  },
  {
    usage: "allow <operator>",
    description: "let an operator act for you in your matches, and do nothing else",
    examples: ["allow 0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f --for 12h"],
    options: [
      ["--for <time>", "duration, e.g. 12h", "7d"],
      ["--revoke", "end the permission"],
    ],
    async run(context, [address], flags) {
      const operator = readAddress(address, "operator");
      const client = await context.client();
      const seconds = readDuration(textOf(flags, "for")!, "--for");
      const isRevoked = flags.revoke === true;
      const action = { call: "allow", what: `allow ${operator}`, content: [operator, seconds, isRevoked] };
      const receipt = await context.once(action, async () =>
        client.allow(operator, isRevoked ? 0 : (await client.now()) + seconds),
      );
      const until = Number(eventIn(receipt, receipt.to!, "OperatorAllowed")!.args.until);
      const text = until === 0 ? "may no longer act for you" : `may act for you until ${timeText(BigInt(until))}`;
      return { data: { operator, until, transaction: receipt.hash }, text: `${operator} ${text}.` };
    },
  },
];

/** Takes the turn that is due. Asks for the move at a terminal if it is not given. */
async function act(context: CommandContext, [id, ...moveArgs]: readonly string[], { yes }: Flags): Promise<Result> {
  const matchId = readMatchId(id);
  const seen = await context.view(matchId);
  const { hash } = await context.once(actionOf("act", matchId, moveArgs), async () => {
    await warnOfClock(seen, context.provider);
    if (moveArgs.length > 0 || yes === true || !isAttended() || !(await isToAct(context, seen))) {
      return take(context, seen, moveArgs, { yes });
    }
    return takePromptedTurn(context, seen).catch((error: unknown) => {
      throw error instanceof NoMove ? new Error(`${error.message} ${resumeHint(seen, seen.turn, "act")}`) : error;
    });
  });
  const view = await context.view(matchId);
  const record = await context.history.match(matchId, { read: view });
  const events = await toldEvents(record, view.token, context.findGame(record.terms.game), context.history);
  const changes = await changesIn(record, context.history, context.games);
  const { command: next, lines } = await nextOf(context, view);
  return {
    data: { matchId, status: view.status, transaction: hash, changes, next },
    text: [events.at(-1)!.text, ...changeLines(changes, context.games), ...lines],
  };
}

/** Takes the due turn, with a suggested move or with the move of the person at the terminal. */
export async function takePromptedTurn(
  context: CommandContext,
  view: MatchView,
  yes?: boolean,
  signal?: AbortSignal,
): Promise<TransactionReceipt> {
  const { matchId, terms, turn: seat } = view;
  const { history } = context;
  const player = playerInTurn(view);
  const turn = turnOf(await history.match(matchId, { read: view }), seat, player, history);
  const mover = {
    game: context.gameAt(terms.game),
    turn,
    secretStore: context.keys.secretStoreOf(terms.game, player),
  };
  return withMove(mover, (moveArgs) => take(context, view, moveArgs, { yes, signal }), yes, signal);
}

/** Returns whether it is the turn of the caller, or of a player whose operator is the caller. */
async function isToAct(context: CommandContext, view: MatchView): Promise<boolean> {
  return view.status === Status.AllJoined && mayActFor(await context.client(), playerInTurn(view));
}

async function take(
  context: CommandContext,
  view: MatchView,
  moveArgs: readonly string[],
  { yes, signal }: { yes?: boolean; signal?: AbortSignal } = {},
): Promise<TransactionReceipt> {
  const { matchId, terms } = view;
  const secretStore = context.keys.secretStoreOf(terms.game, playerInTurn(view));
  const client = await context.client();
  const logFirst = logOnce();
  return takeTurn(client, context.history, matchId, {
    secretStore,
    move: async (turn, revealed) => readMove(context.gameAt(terms.game), moveArgs, turn, revealed),
    dataToSend: async (composed) => {
      const { turn, move, data } = composed;
      const round = await answeredRound(context, turn);
      if (!round) return data;
      await acceptWarnings(await exposureWarnings(context.vault, context, turn, move), yes);
      return actionToSend(context.vault, client, round, composed);
    },
    onWait: (seconds) => {
      if (signal?.aborted) throw new Stopped();
      logFirst(`Waiting until the opponent's move is final, for ${seconds} s at most.`);
    },
    onHurry: () => log("The deadline is near: acting before the opponent's move is final."),
  });
}
