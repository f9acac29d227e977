import { COIN } from "../../sdk/protocol/terms.js";
import { select, isCancel } from "@clack/prompts";
import { stderr } from "node:process";
import { deployedGames } from "../../sdk/games/list.js";
import type { GameModule } from "../../sdk/games/module.js";
import { openMatches } from "../shared/match/matches.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { matchRows } from "../shared/match/match.js";
import { isFor } from "../../sdk/player/next-step.js";
import { commandText, nextOf, type Next } from "../shared/match/next-step.js";
import { isAttended, print, screenLine } from "../shared/command/output.js";
import { CommandContext, type Options } from "../shared/command/context.js";
import { dueTables } from "./sit.js";
import { isNamed } from "../shared/wallet/wallet.js";
import { amountText, type Token } from "../../sdk/player/amounts.js";

const HINT = "No command is given; --help lists them.";

/** Match that needs an action of the reader, and the command for it. */
interface Due extends Required<Next> {
  view: MatchView;
}

/** Amount in the reader's purse. */
interface Held {
  token: Token;
  amount: bigint;
}

/**
 * Lists the matches and amounts that need the caller's attention. At a terminal it also asks what to play. On a test
 * chain without a named account, it first asks for the account.
 * @returns the arguments of the chosen command; undefined if none was chosen.
 * @throws InputError if no account is named or chosen
 */
export async function welcome(options: Options): Promise<readonly string[] | undefined> {
  const isAsked = isAttended() && options.json !== true;
  const account = isAsked && !isNamed(options) ? await askAccount(options) : undefined;
  const chosen = await welcomeBack(account === undefined ? options : { ...options, account }, isAsked);
  return chosen && account !== undefined ? [...chosen, "--account", account] : chosen;
}

async function welcomeBack(options: Options, isAsked: boolean): Promise<readonly string[] | undefined> {
  const context = await CommandContext.open(options);
  try {
    const you = await context.address();
    const due = await dueMatches(context, you);
    const purse = await held(context, you);
    const tables = await dueTables(context);
    const lines = linesFor(options, you, due, purse, tables);
    const data = {
      player: you,
      due: due.map(({ view, command }) => ({ ...view, next: command })),
      tables,
      purse: purse.map(({ token, amount }) => ({ token: token.address, amount })),
    };
    if (!isAsked) print({ data, text: [...lines, HINT] }, options.json);
    else lines.forEach((line) => console.error(screenLine(line)));
    return isAsked ? await ask(context, due) : undefined;
  } finally {
    context.close();
  }
}

/** Lists the open matches that wait for a player, the most urgent first. */
async function dueMatches(context: CommandContext, you: string): Promise<Due[]> {
  const due: Due[] = [];
  for await (const { matchId, player1, player2, match } of openMatches(context)) {
    if (player1 !== you && player2 !== you) continue;
    const view = await context.view(matchId, match);
    const { step, command, lines } = await nextOf(context, view, { brief: true });
    if (step && command && isFor(step, you, view)) due.push({ view, step, command, lines });
  }
  return due.toSorted((a, b) => Number(a.view.deadline - b.view.deadline));
}

/** Lists the balances of a player's purse in the tokens of the deployment. */
async function held(context: CommandContext, you: string): Promise<Held[]> {
  const addresses = [COIN, context.deployment.addresses.FightToken];
  const all = addresses.map(async (address) => ({
    token: await context.tokens.at(address),
    amount: await context.arena.purseOf(you, address),
  }));
  return (await Promise.all(all)).filter(({ amount }) => amount > 0n);
}

function linesFor(options: Options, you: string, due: Due[], purse: Held[], tables: string[]): string[] {
  const [head, ...rows] = matchRows(due, you);
  const matches = due.flatMap(({ lines }, i) => [...rows[i], ...lines.map((line) => `  ${line}`)]);
  const amounts = purse.map(({ amount, token }) => amountText(amount, token)).join(" and ");
  const withdraw = purse.map(({ token }) => commandText(["purse", "withdraw", token.symbol, "all"], options));
  return [
    ...(due.length > 0 ? ["These matches need you now:", ...head] : ["No match needs you now."]),
    ...matches,
    ...tables,
    ...(purse.length > 0 ? [`In your purse: ${amounts}. To take it out: ${withdraw.join("; ")}`] : []),
  ];
}

/** Asks for one of the accounts that the node of a test chain holds. @returns its number; undefined if none is chosen */
async function askAccount(options: Options): Promise<string | undefined> {
  const context = await CommandContext.open(options);
  try {
    const { agents = [] } = context.deployment;
    const accounts = (await context.provider.listAccounts()).map(({ address }, i) => ({ address, value: String(i) }));
    const people = accounts.filter(({ address }) => !agents.includes(address));
    if (people.length === 0) return undefined;
    const choices = people.map(({ address, value }) => ({ value, label: `Account ${value}`, hint: address }));
    const chosen = await select({ message: "Who are you?", options: choices, initialValue: "4", output: stderr });
    return isCancel(chosen) ? undefined : chosen;
  } finally {
    context.close();
  }
}

/** Asks which match to continue, or which game to play. @returns the arguments of the command for it. */
async function ask(context: CommandContext, due: readonly Due[]): Promise<readonly string[] | undefined> {
  const chosen = await select<Due | GameModule>({
    message: "What do you want to play?",
    options: [
      ...due.map((each) => ({
        value: each,
        label: `Match ${each.view.matchId}`,
        hint: each.command.command.join(" "),
      })),
      ...deployedGames(context.games, context.deployment.addresses).map((game) => ({ value: game, label: game.name })),
    ],
    output: stderr,
  });
  if (isCancel(chosen)) return undefined;
  if ("command" in chosen) return chosen.command.command;
  const mode = await askMode(chosen);
  return mode === undefined ? undefined : startOf(context, chosen, mode);
}

async function askMode({ modes }: GameModule): Promise<string | undefined> {
  const names = Object.keys(modes);
  if (names.length === 1) return names[0];
  const options = names.map((name) => ({ value: name, label: name, hint: modes[name].weakness }));
  const chosen = await select({ message: "In which mode?", options, output: stderr });
  return isCancel(chosen) ? undefined : chosen;
}

/** Returns the command that plays against the deployment's agent or, without an agent, offers a match to anyone. */
function startOf({ deployment }: CommandContext, game: GameModule, mode: string): string[] {
  const command = deployment.agents?.length ? "challenge" : "create";
  return [command, game.name, "--mode", mode];
}
