import { COIN } from "../../../sdk/protocol/terms.js";
import { awaitedSeat } from "../../../sdk/protocol/sides.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { strategyOf } from "../../../sdk/games/assessment.js";
import { turnOf, type Turn } from "../../../sdk/games/moves.js";
import { nextTime } from "../../../sdk/chain/time.js";
import { isFor, nextStep, type NextStep } from "../../../sdk/player/next-step.js";
import { timeText } from "../../../sdk/protocol/text.js";
import { invocationOf } from "../command/invocation.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import type { CommandContext, Options } from "../command/context.js";
import { amountText } from "../../../sdk/player/amounts.js";

/** Step that a match waits for, as `--json` prints it. */
export interface NextCommand extends Omit<NextStep, "action"> {
  /** Command of `npm run play` with its arguments, without a move. */
  command: readonly string[];
}

/** The part of a step's description that names the move. */
interface Move {
  command: string;
  moveArgs: readonly string[];
}

/** Next step of a match, for the program or person that ran a command. */
export interface Next {
  /** Undefined for an unknown game. */
  step?: NextStep;
  command?: NextCommand;
  /** A line that begins with "Next: ", for a person; empty for a program. */
  lines: readonly string[];
}

/** Returns a step of a match with the command that takes it. */
function nextCommand({ player, action, until }: NextStep, { matchId }: MatchView): NextCommand {
  return { player, command: [action, String(matchId)], until };
}

/**
 * Finds the next step of a match, and describes it for the caller.
 * @param brief True to name only the command, without a good move in it.
 */
export async function nextOf(
  context: CommandContext,
  view: MatchView,
  { brief = false }: { brief?: boolean } = {},
): Promise<Next> {
  const game = context.findGame(view.terms.game);
  const now = BigInt(await nextTime(context.provider));
  const step = nextStep(view, game, now);
  if (!step || !game) return { lines: [] };
  const command = nextCommand(step, view);
  if (context.options.json === true) return { step, command, lines: [] };
  const reading = { game, step, command, you: await context.caller(), brief };
  // The line has no full stop, because a user would copy it with the command.
  return { step, command, lines: [`Next: ${await textOf(context, view, reading)}`] };
}

/** Formats a command of `npm run play` as it is typed. */
export function commandText(args: readonly string[], given: Options = {}): string {
  const { account, keystore, rpc, network, relay, games } = given;
  const options = Object.entries({ account, keystore, rpc, network, relay, games }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return [invocationOf("play"), ...[...args, ...options].map(quoted)].join(" ");
}

interface Reading {
  game: GameModule;
  step: NextStep;
  command: NextCommand;
  /** Address of the reader; undefined if the command names nobody. */
  you: string | undefined;
  brief: boolean;
}

async function textOf(context: CommandContext, view: MatchView, reading: Reading): Promise<string> {
  const { step, you, brief } = reading;
  const { player, command, until } = reading.command;
  const own = (args: readonly string[]) => commandText(args, context.options);
  const [name, id] = command;
  if (name === "replay") return `see what happened, and check it: ${own(command)}`;
  if (name === "timeout") return `the deadline has passed: ${own(command)}`;
  const time = `until ${timeText(until!)}`;
  if (isFor(step, you, view)) {
    if (name === "fund") return `your stake is missing, ${time}: ${await fundText(context, view, own)}`;
    const due = brief ? { command: name, moveArgs: [] } : await moveFor(context, view, reading);
    return `your turn, ${time}: ${own([due.command, id, ...due.moveArgs])}`;
  }
  const who = player ?? "anyone";
  const seen = you === undefined ? "" : `; wait for it: ${own(["watch", id, "--turn"])}`;
  if (name === "join" && !brief)
    return `${who} joins, ${time}: ${commandText([name, id], { games: context.options.games })}${seen}`;
  return `${who} must ${name} by ${timeText(until!)}${seen}`;
}

/** Returns the command that pays a stake, after the command that deposits what the purse lacks. */
async function fundText(
  context: CommandContext,
  view: MatchView,
  own: (args: readonly string[]) => string,
): Promise<string> {
  const { matchId, player1, terms, token } = view;
  const fund = own(["fund", String(matchId)]);
  const lacking = terms.stake1 - (await context.arena.purseOf(player1, terms.token));
  // Coin is sent with the transaction.
  if (terms.token === COIN || lacking <= 0n) return fund;
  const isFight = terms.token === context.deployment.addresses.FightToken;
  const amount = amountText(lacking, { ...token, symbol: "" }).trim();
  return `${own(["purse", "deposit", isFight ? token.symbol : terms.token, amount])} && ${fund}`;
}

/** Returns a good move for the reader, and the command that plays it. */
async function moveFor(context: CommandContext, view: MatchView, { game, step, you }: Reading): Promise<Move> {
  const { matchId, terms } = view;
  const { history } = context;
  const name = step.action;
  const record = await history.match(matchId, { read: view });
  const turn: Turn = turnOf(record, awaitedSeat(view), you!, history);
  try {
    const move = await strategyOf(game)(turn, context.keys.secretStoreOf(terms.game, you!));
    const moveArgs = await game.moves.args(move, turn);
    const isMove = name !== "join" && moveArgs.length > 0;
    return { command: isMove ? "act" : name, moveArgs };
  } catch {
    // Without fighters, or without the secret, the command itself reports what is missing.
    return { command: name, moveArgs: [] };
  }
}

/** Quotes an argument for the shell if that is needed. */
function quoted(arg: string): string {
  return /^[\w./:,=@%+-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}
