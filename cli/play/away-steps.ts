import type { TransactionReceipt } from "ethers";
import { untilFinal } from "../../sdk/chain/finality.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import type { AgreedResult, AwayStatus, Due } from "../../sdk/player/away/due.js";
import { Seat } from "../../sdk/protocol/status.js";
import { timeText } from "../../sdk/protocol/text.js";
import { actionOf } from "../shared/wallet/action.js";
import type { PlayedSeat, AwayView } from "../shared/off-chain/away-seat.js";
import { readMove } from "../shared/command/did-you-mean.js";
import { isAttended, log, logOnce } from "../shared/command/output.js";
import { Stopped, withMove } from "./move-prompt.js";

/** Settles a match as both players agree, once. */
export async function sendSettlement(played: PlayedSeat, agreed: AgreedResult): Promise<TransactionReceipt> {
  const { context, view } = played.match;
  return context.once(actionOf("settle", view.matchId), async () => {
    const client = await context.client();
    const settlement = await played.step((seat) => seat.settlement(agreed));
    return client.settle(settlement.agreement, settlement.signatures);
  });
}

/** Result of a step of the own seat: a transaction, or a message at the table. */
type Stepped = { receipt: TransactionReceipt } | { status: AwayStatus };

/** Options of a step. */
interface StepOptions {
  /** Move as on the command line; empty to have one suggested or asked for. */
  moveArgs: readonly string[];
  yes?: boolean;
  signal?: AbortSignal;
}

/**
 * Does what is due of the own seat, at the table or on chain.
 * @param due What is due; not to wait.
 */
export async function doDue(played: PlayedSeat, due: Due, options: StepOptions): Promise<Stepped> {
  const { context, view } = played.match;
  const { matchId } = view;
  const { historyHash: seen, posted } = played.seat.status;
  const send = async (compose: () => Promise<string>, ...content: string[]) => {
    const action = actionOf("act", matchId, [...content, ...options.moveArgs]);
    const act = async () => {
      const client = await context.client();
      const data = await compose();
      return played.send(due.type, () => client.act(matchId, data));
    };
    return { receipt: await context.once(action, act) };
  };
  switch (due.type) {
    case "act":
      requireRelay(played);
      return {
        status: await withTurn(played, due.turn, options, (move) => played.step((s) => s.act(move, seen))),
      };
    case "agree":
      requireRelay(played);
      return { status: await played.step((seat) => seat.agree(due.proposal)) };
    case "settle":
      return { receipt: await sendSettlement(played, due.agreed) };
    case "post":
    case "supersede":
      return send(() => played.step((seat) => seat.post()), "post");
    case "accept":
      if (!due.turn) return send(() => played.step((seat) => seat.accept(undefined, posted)), "accept");
      return withTurn(played, due.turn, options, (move) =>
        send(() => played.step((seat) => seat.accept({ move }, posted)), "accept"),
      );
    case "actOnChain": {
      const { turn } = due;
      const { arena } = await context.client();
      const logFirst = logOnce();
      await untilFinal(arena, matchId, {
        onWait: (seconds) => {
          if (options.signal?.aborted) throw new Stopped();
          logFirst(`Waiting until the opponent's move is final, for ${seconds} s at most.`);
        },
        onHurry: () => log("The deadline is near: acting before the opponent's move is final."),
      });
      if (!turn) return send(() => played.step((seat) => seat.actOnChain()));
      return withTurn(played, turn, options, (move) => send(() => played.step((seat) => seat.actOnChain(move, seen))));
    }
    case "timeout":
      return {
        receipt: await context.once(actionOf("timeout", matchId), async () =>
          (await context.client()).timeout(matchId),
        ),
      };
    default:
      throw new Error(waitText(played.match, due));
  }
}

/** @throws Error where there is no way on which the other player would get what is signed. */
export function requireRelay({ hasRelays, match: { view } }: PlayedSeat): void {
  if (hasRelays) return;
  const { matchId } = view;
  throw new Error(
    `No relay takes messages of match ${matchId}: name one by --relay, or post ${matchId} brings it onto the chain.`,
  );
}

/** Finds the move of a turn: the given one, a suggested one, or that of the person at the terminal. */
async function withTurn<T>(
  { match: { context, game } }: PlayedSeat,
  turn: OpenTurn,
  { moveArgs, yes, signal }: StepOptions,
  use: (move: unknown) => Promise<T>,
): Promise<T> {
  const secretStore = context.keys.secretStoreOf(turn.record.terms.game, turn.player);
  const take = async (given: readonly string[]) => use(await readMove(game, given, turn, secretStore));
  const isAsked = moveArgs.length === 0 && ((yes !== true && isAttended()) || signal !== undefined);
  return isAsked ? withMove({ game, turn, secretStore }, take, yes, signal) : take(moveArgs);
}

/** Explains why there is nothing to do. */
export function waitText({ view, seat }: AwayView, due: Due): string {
  const match = `match ${view.matchId}`;
  if (due.type === "over") return `There is no turn to take in ${match}: it is over.`;
  if (due.type !== "wait") return `There is no turn to take in ${match}.`;
  const player = seat === Seat.One ? view.player2 : view.player1;
  if (due.for === "finality") return `There is no turn to take in ${match} before joining is final.`;
  if (due.for === "opponent") return `It is the turn of ${player} in ${match}.`;
  if (due.for === "agreement") return `The game of ${match} is over: ${player} must agree to the result.`;
  if (due.for === "settlement") return `You have agreed to the result of ${match}: ${player} must settle it.`;
  if (due.for === "relay") {
    if (due.until === undefined) {
      return `Nothing is signed in ${match} before a relay has told what was sent before: name one by --relay. post ${view.matchId} brings it onto the chain by what this machine has kept, which is nothing if its files were lost.`;
    }
    return `No relay tells if there is anything newer in ${match} than what ${player} has posted: nothing is accepted until ${timeText(due.until)}, unless --relay "" names none.`;
  }
  return `The state of ${match} that was accepted is not known on this machine, nor at a relay.`;
}
