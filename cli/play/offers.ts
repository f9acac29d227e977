import type { TransactionReceipt } from "ethers";
import { firstTurn } from "../../sdk/games/moves.js";
import { eventIn } from "../../sdk/chain/events.js";
import { InputError } from "../../sdk/protocol/input.js";
import { offerHash } from "../../sdk/protocol/offer.js";
import { seatIn } from "../../sdk/player/risks.js";
import { Status } from "../../sdk/protocol/status.js";
import { timeText } from "../../sdk/protocol/text.js";
import { changesIn } from "../../sdk/player/stats.js";
import { changeLines } from "../shared/match/changes.js";
import { readMatchId } from "../../sdk/protocol/arguments.js";
import { agentWarnings } from "../shared/match/agent-forecast.js";
import type { PlayCommand } from "../shared/command/command.js";
import { joiningTurn } from "../../sdk/player/join.js";
import { join } from "../shared/match/join.js";
import { didYouMean, readMove } from "../shared/command/did-you-mean.js";
import { gameAndMode } from "../../sdk/player/modes.js";
import { isOpen } from "../../sdk/protocol/status.js";
import { firmLines } from "../../sdk/player/match-text.js";
import { lineOf } from "../shared/match/match.js";
import { registerOwn } from "../shared/command/modes.js";
import { isAttended, type Result } from "../shared/command/output.js";
import { nextOf } from "../shared/match/next-step.js";
import { createdIn, actionOf } from "../shared/wallet/action.js";
import type { CommandContext } from "../shared/command/context.js";
import { acceptOffer, acceptRisks, moveChecksOf } from "../shared/match/risks.js";
import { readChallenge } from "../shared/match/challenge-flags.js";
import { withMove, type MoveRequest } from "./move-prompt.js";

/** Commands that make an offer of a match or accept one. */
export const offers: readonly PlayCommand[] = [
  {
    usage: "create <game> [move...]",
    description:
      "offer a match with your first move, which most games commit: GAME is a game or the name of a mode; your stake comes from your purse",
    examples: [
      "create dice 5 --stake 10",
      "create auto-battler 15 16 17 18 19 --opponent 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    ],
    options: [
      ["--stake <amount>", "your stake", "0"],
      ["--against <amount>", "the opponent's stake; even by the mode's odds by default"],
      ["--token <token>", "COIN, FIGHT or an address", "FIGHT"],
      ["--opponent <address>", "only player who may join or decline; makes the offer firm for a day"],
      ["--firm <time>", "time in which you cannot cancel, unless the opponent declines, e.g. 2d"],
      ["--soft", "you can cancel at any time"],
      ["--clock <time>", "thinking time of each player", "24h"],
      ["--mode <mode>", "name, hash or JSON file of the mode; the game's usual one by default"],
      ["--unrated", "leave ratings alone"],
    ],
    async run(context, [name, ...moveArgs], flags) {
      const { game, mode } = gameAndMode(name, context.games, didYouMean);
      const client = await context.client();
      const { challenge, ownMode } = await readChallenge(context, game, flags, mode);
      const declines = await agentWarnings(context, challenge);
      const { terms, opponent } = challenge;
      const turn = firstTurn(terms, client.address, context.history);
      const secretStore = context.keys.secretStoreOf(terms.game, client.address);
      const move = await givenOrAsked({ game, turn, secretStore }, moveArgs, flags.yes, (given) =>
        readMove(game, given, turn),
      );
      const content = [terms, opponent, flags.firm, flags.soft, move];
      const receipt = await context.once({ call: "create", what: `create ${name}`, content }, async () => {
        const checks = [...declines, ...(await moveChecksOf(context, game, terms.game, move))];
        const extras = await acceptOffer(context, challenge, ownMode, checks, flags.yes);
        await registerOwn(context, game, terms.game, ownMode);
        const data = await game.moves.create(move, turn, secretStore);
        return (await client.create({ ...challenge, data }, extras)).receipt;
      });
      const matchId = createdIn(receipt)!;
      const view = await context.view(matchId);
      const { command: next, lines } = await nextOf(context, view);
      const data = { matchId, offerHash: offerHash(view), transaction: receipt.hash, next };
      return { data, text: [lineOf(view), ...firmLines(view), ...lines] };
    },
  },
  {
    usage: "fund <match>",
    description: "pay your stake into a match that waits for it",
    examples: ["fund 8"],
    async run(context, [id], flags) {
      return fund(context, readMatchId(id), flags.yes);
    },
  },
  {
    usage: "ready <match>",
    description: "pay your stake as the opponent now, which binds both players, and join with your move later",
    examples: ["ready 11"],
    async run(context, [id], flags) {
      const matchId = readMatchId(id);
      const { player1 } = await context.view(matchId);
      if (player1 === (await context.client()).address) {
        throw new InputError(`match ${matchId}`, "you are its challenger: `fund` pays your stake");
      }
      return fund(context, matchId, flags.yes);
    },
  },
  {
    usage: "join <match> [move...]",
    description: "take up an offer with your move in the open; funds your seat first if needed",
    examples: ["join 7 22 23 24 25 26"],
    async run(context, [id, ...moveArgs], flags) {
      const matchId = readMatchId(id);
      const receipt = await context.once(actionOf("join", matchId, moveArgs), async () => {
        const view = await context.view(matchId);
        const game = context.findGame(view.terms.game);
        if (!game) throw new InputError(`match ${matchId}`, `its game at ${view.terms.game} is not a stock one`);
        const take = (given: readonly string[]) => join(context, view, game, given, flags.yes);
        // An offer that has ended is rejected before the user is asked anything.
        if (view.status > Status.AllDeposited) return take(moveArgs);
        const turn = await joiningTurn(context.history, await context.client(), view);
        const secretStore = context.keys.secretStoreOf(view.terms.game, turn.player);
        return givenOrAsked({ game, turn, secretStore }, moveArgs, flags.yes, take);
      });
      return report(context, matchId, receipt);
    },
  },
  ending("cancel", "withdraw a soft offer of yours", "cancel 9"),
  ending("decline", "decline an offer that names you, which refunds its challenger at once", "decline 10"),
];

/** Creates the command that ends an offer with a call. */
function ending(call: "cancel" | "decline", description: string, example: string): PlayCommand {
  return {
    usage: `${call} <match>`,
    description,
    examples: [example],
    async run(context, [id]) {
      const matchId = readMatchId(id);
      const client = await context.client();
      const receipt = await context.once(actionOf(call, matchId), () => client[call](matchId));
      return report(context, matchId, receipt);
    },
  };
}

/** Uses the given move, or asks for one at a terminal. */
function givenOrAsked<T>(
  mover: MoveRequest,
  moveArgs: readonly string[],
  yes: boolean | undefined,
  use: (moveArgs: readonly string[]) => Promise<T>,
): Promise<T> {
  return moveArgs.length > 0 || yes === true || !isAttended() ? use(moveArgs) : withMove(mover, use);
}

/** Pays the caller's stake into a match. */
async function fund(context: CommandContext, matchId: bigint, yes?: boolean): Promise<Result> {
  const client = await context.client();
  const { hash } = await context.once(actionOf("fund", matchId), async () => {
    const view = await context.view(matchId);
    return client.fund(view, await acceptRisks(context, seatIn(view, client.address), [], yes));
  });
  const view = await context.view(matchId);
  const { status, player2, deadline } = view;
  const isReady = status === Status.AllDeposited && player2 === client.address;
  const hint = `You are ready: join match ${matchId} by ${timeText(deadline)}, or you lose your stake.`;
  const { command: next, lines } = await nextOf(context, view);
  return {
    data: { matchId, status, transaction: hash, ...(isReady && { joinUntil: deadline }), next },
    text: [lineOf(view), ...(isReady ? [hint] : []), ...lines],
  };
}

/** Describes a match after a transaction. */
export async function report(context: CommandContext, matchId: bigint, receipt: TransactionReceipt): Promise<Result> {
  const view = await context.view(matchId);
  const { Arena } = context.deployment.addresses;
  const isEnd = eventIn(receipt, Arena, "Settled") !== undefined;
  const end = isEnd ? { declinedBy: eventIn(receipt, Arena, "Declined")?.args.opponent } : undefined;
  const changes = isOpen(view)
    ? undefined
    : await changesIn(await context.history.match(matchId, { read: view }), context.history, context.games);
  const { command: next, lines } = await nextOf(context, view);
  return {
    data: { matchId, status: view.status, transaction: receipt.hash, changes, next },
    text: [lineOf(view, end), ...changeLines(changes, context.games), ...lines],
  };
}
