import { channelsOf } from "../../sdk/chain/channels.js";
import { addressOfGame } from "../../sdk/games/list.js";
import { demoOf, modeHash } from "../../sdk/games/modes.js";
import { relayPlace } from "../../sdk/player/channels/meeting.js";
import { gameAndMode } from "../../sdk/player/modes.js";
import { readAddress, readDuration } from "../../sdk/protocol/arguments.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { InputError } from "../../sdk/protocol/input.js";
import { RestartableRelay } from "../relay/restartable.js";
import { readChannelRelays } from "../shared/channels/relays.js";
import { sendCall } from "../shared/channels/seat.js";
import { CommandContext, type Options } from "../shared/command/context.js";
import { didYouMean } from "../shared/command/did-you-mean.js";
import { log, print, type Result } from "../shared/command/output.js";
import { addAccount, addExamples, exitCodeOf, programOf } from "../shared/command/program.js";
import { tableOf } from "../shared/command/table.js";
import { HOST, KIT_RELAY_PORT, portOf } from "../shared/server/port.js";
import { examine, rulesFor, type ExaminedGame } from "./examination.js";
import type { Verdict } from "./rules.js";

const DESCRIPTION = `Play against a bot in a channel without money, and report which rules the bot keeps.

The kit runs a relay of its own, which it restarts on purpose: start the bot with that relay. Its account is an ordinary player; it sends no transaction without --on-chain.

It exits with 0 if the bot breaks no rule, 1 if it breaks one, 2 if the kit fails or for a wrong command line.`;

/** Options of the command line. */
interface Flags extends Options {
  opponent: string;
  game?: string[];
  token: string;
  port: string;
  patience: string;
  wait: string;
  silence: string;
  level?: string;
  onChain?: boolean;
}

/** Runs `npm run conformance`. @returns the exit code: 0 if no rule is broken, 1 if one is, 2 if the kit fails. */
export async function conformance(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = addAccount(programOf("conformance", DESCRIPTION))
    .requiredOption("--opponent <address>", "player of the bot")
    .option("--game <names...>", "games or modes that the bot says it plays; defaults to all that need no tokens")
    .option("--relay <url>", "a relay that runs already; then the kit cannot check what a relay's failure does")
    .option("--port <number>", "port of the kit's own relay", String(KIT_RELAY_PORT))
    .option("--token <token>", "token of the channel: COIN, FIGHT or an address", "FIGHT")
    .option("--wait <time>", "how long it waits for the bot to open the channel", "5m")
    .option("--patience <time>", "how long the bot may take for a message", "60s")
    .option("--silence <time>", "how long the kit is silent on purpose", "10s")
    .option("--level <level>", "wire or behaviour: report only rules of this level")
    .option("--on-chain", "let the kit send transactions, to resign")
    .option("--json", "print JSON")
    .action(async (flags: Flags) => {
      const verdicts = await examined(flags);
      code = verdicts.some(({ result }) => result === "fail") ? 1 : 0;
      print(resultOf(flags.opponent, verdicts), flags.json);
    });
  addExamples(program, [
    "--account 1 --opponent 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    "--account 1 --opponent 0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc --game dice tic-tac-toe --level behaviour",
  ]);
  // Exit code 1 is reserved for a broken rule, so every failure becomes 2.
  return (await exitCodeOf(program, args)) === 0 ? code : 2;
}

async function examined(flags: Flags): Promise<Verdict[]> {
  const opponent = readAddress(flags.opponent, "--opponent");
  const [patience, openingPatience, silence] = (["patience", "wait", "silence"] as const).map(
    (name) => readDuration(flags[name], `--${name}`) * 1000,
  );
  const port = portOf("--port", flags.port);
  const level = readLevel(flags.level);
  const context = await CommandContext.open(flags);
  try {
    const games = gamesOf(context, flags.game);
    const rules = rulesFor(games).filter((rule) => rule.level === (level ?? rule.level));
    const player = await context.address();
    if (player === opponent)
      throw new InputError("--opponent", "it is the kit's own player: give the kit another account");
    const at = { chainId: BigInt(context.chainId), channels: channelsOf(context.addresses.Arena) };
    const token = await context.tokens.read(flags.token);
    return await atRelay(flags.relay, port, at, async (urls, relay) => {
      log(`I am ${player}. Start the bot at ${urls.join(" and ")}: it must open a channel in ${token.symbol} with me.`);
      const place = relayPlace(urls, at);
      const { history } = context;
      return examine({
        ...{ at, arena: context.addresses.Arena, history, player, opponent, place, relay },
        ...{ token: token.address, feeBps: await context.arena.feeBps() },
        ...{ games, areNamed: flags.game !== undefined, rules, patience, openingPatience, silence },
        moduleAt: (game) => context.findGame(game),
        signOpen: async ({ domain, types, value }) => (await context.signer()).signTypedData(domain, types, value),
        ...(flags.onChain && { send: (call) => sendCall(context, call) }),
      }).finally(() => place.close());
    });
  } finally {
    context.close();
  }
}

/** Runs with the relays that the user names, or with the kit's own relay. */
async function atRelay<T>(
  named: string | undefined,
  port: number,
  at: ChannelsAt,
  run: (urls: readonly string[], relay?: RestartableRelay) => Promise<T>,
): Promise<T> {
  if (named !== undefined) return run(readChannelRelays(named, "--relay"));
  const relay = await RestartableRelay.start({ ...at, port, host: HOST });
  try {
    return await run([relay.url], relay);
  } finally {
    await relay.close();
  }
}

/** Returns the games of the command line, or all that the bot can play without tokens. @throws InputError */
function gamesOf(context: CommandContext, names?: readonly string[]): ExaminedGame[] {
  const { games, addresses } = context;
  const isDeployed = (contract: string) => Object.hasOwn(addresses, contract);
  const usual = games.filter(({ channels, characters, contract }) => channels && !characters && isDeployed(contract));
  return (names ?? usual.map(({ name }) => name)).map((name) => {
    const { game: module, mode } = gameAndMode(name, games, didYouMean);
    addressOfGame(module, addresses);
    const { content } = name === module.name ? demoOf(module) : module.modes[mode];
    const problem = module.channels ? module.channels.problem?.(content, false) : "it is not played in channels";
    if (problem !== undefined) throw new InputError("--game", `${name}: ${problem}`);
    return { name, module, mode: modeHash(content) };
  });
}

/** Reads the level of the rules to report; undefined for both. @throws InputError */
function readLevel(level?: string): string | undefined {
  if (level === undefined || ["wire", "behaviour"].includes(level)) return level;
  throw new InputError("--level", `${level} is not wire or behaviour`);
}

function resultOf(opponent: string, verdicts: readonly Verdict[]): Result {
  const count = (result: Verdict["result"]) => verdicts.filter((verdict) => verdict.result === result).length;
  const [passed, failed, skipped] = [count("pass"), count("fail"), count("skip")];
  const rows = verdicts.map(({ result, name, text, reason }) => {
    return [result, name, reason === undefined ? text : `${text}: ${reason}`];
  });
  const summary = `Kept: ${passed}. Broken: ${failed}. Not checked: ${skipped}.`;
  return { data: { opponent, passed, failed, skipped, rules: verdicts }, text: [...tableOf(rows), summary] };
}
