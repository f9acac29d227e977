import { InputError } from "../../sdk/protocol/input.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { hashOf } from "../../sdk/chain/source.js";
import type { ShownState } from "../../sdk/verify/shown-state.js";
import { Reading } from "../../sdk/verify/reading.js";
import { askChain } from "../../sdk/verify/state.js";
import { verify, type Verdict, type VerifyOptions } from "../../sdk/verify/verify.js";
import { readMatchId } from "../../sdk/protocol/arguments.js";
import { partsOf, print, Progress } from "../shared/command/output.js";
import { CommandContext } from "../shared/command/context.js";
import { readShownFile } from "../shared/files/shown-states.js";
import { addExamples, exitCodeOf, programOf } from "../shared/command/program.js";
import { openChannelMessages } from "./channel-messages.js";
import { compareWithIndex, KeptEvents } from "./index-comparison.js";

const DESCRIPTION = `Verify the matches of a deployment of Duello by its events alone: commitments, answers, reveals, dice, fights, clocks, payments and ratings are derived again.

The results are compared with the chain's state, so that a missing event is found too. With --all, every purse, rating and counter is compared as well. With --index, everything that an index says is compared too.

It exits with 0 if everything is identical, 1 if something differs, 2 if it cannot verify.`;

/** Minimum numbers of requests and of answers for which progress is shown. */
const LONG = { questions: 5, answers: 1_000, rows: 10_000 };

/** Verdict of `verify`, and the result of a comparison with an index. */
interface Verified extends Verdict {
  index?: { url: string; rows: number; block: number };
}

interface Flags {
  rpc?: string;
  network?: string;
  games?: string;
  all?: boolean;
  army?: string[];
  messages?: string;
  index?: string;
  json?: boolean;
}

/** Runs `npm run verify`. @returns the exit code: 0 if all is identical, 1 for a mismatch, 2 if verifying fails. */
export async function runVerify(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = programOf("verify", DESCRIPTION)
    .argument("[matches...]", "numbers of matches")
    .option("--all", "all matches, purses, ratings and counters, up to the last block")
    .option("--army <file...>", "armies that players show after their matches, in files of play -- reveal-army")
    .option("--messages <path>", "messages of channels: log of a player, folder of logs, or address of a relay")
    .option("--index <url>", "compare also the rows of this index")
    .option("--json", "print JSON; amounts are in the token's smallest unit")
    .action(async (args: string[], flags: Flags) => {
      const shown = await Promise.all((flags.army ?? []).map(readShownFile));
      const verdict = await verdictOn(args, flags, shown);
      const armies = shown.map(({ matchId, player }) => ({ matchId, player }));
      const data = { identical: !verdict.mismatch, ...verdict, ...(armies.length > 0 && { armies }) };
      print({ data, text: textOf(verdict, shown) }, flags.json);
      code = verdict.mismatch ? 1 : 0;
    });
  addExamples(program, ["7", "--all"]);
  // Exit code 1 is reserved for a mismatch, so every failure becomes 2.
  return (await exitCodeOf(program, args)) === 0 ? code : 2;
}

async function verdictOn(
  args: readonly string[],
  { all = false, rpc, network, games, index, messages }: Flags,
  shown: readonly ShownState[],
): Promise<Verified> {
  const isNamed = args.length > 0 || (shown.length > 0 && !all);
  if (all === isNamed) throw new InputError("matches", "name some, or --all");
  const matches = all ? undefined : args.map(readMatchId);
  const context = await CommandContext.open({ rpc, network, games });
  const stages = new Stages();
  try {
    const at = { chainId: BigInt(context.chainId), channels: channelsOf(context.addresses.Arena) };
    const told = messages === undefined ? undefined : await openChannelMessages(messages, at);
    return await verified(context, stages, { matches, shown, messages: told }, index);
  } finally {
    stages.end();
    context.close();
  }
}

async function verified(
  { provider, deployment, games }: CommandContext,
  stages: Stages,
  asked: VerifyOptions,
  url?: string,
): Promise<Verified> {
  const { addresses, block } = deployment;
  const genesis = await hashOf(provider, 0);
  const client = url === undefined ? undefined : await IndexClient.open(url, { ...deployment, genesis });
  const parts = partsOf();
  const reading = await Reading.open(provider, addresses, block, (done, wanted) =>
    stages.update("Reading blocks", LONG.questions, done, wanted, parts(done, wanted)),
  );
  const kept = client && new KeptEvents(reading);
  const verdict = await verify(kept ?? reading, games, {
    ...asked,
    ask: askChain(provider, reading.last.number),
    onProgress: (done, wanted) => stages.update("Comparing with the chain", LONG.answers, done, wanted),
  });
  if (!(await reading.isCurrent()))
    throw new Error(`The chain has another block ${reading.last.number} by now: verify again.`);
  if (!client || verdict.mismatch) return verdict;
  const { mismatch, ...compared } = await compareWithIndex(client, kept!.archive(), {
    matches: asked.matches && [...asked.matches, ...(asked.shown ?? []).map(({ matchId }) => matchId)],
    onWait: (done, wanted) => stages.update("Waiting for the index, block", 0, done, wanted),
    onProgress: (done, wanted) => stages.update("Comparing with the index", LONG.rows, done, wanted),
  });
  return { ...verdict, ...(mismatch && { mismatch }), index: { url: client.url, ...compared } };
}

/** Shows the progress of several consecutive stages. */
class Stages {
  private readonly progress = new Map<string, Progress>();

  update(what: string, min: number, done: number, wanted: number, effort = wanted): void {
    if (!this.progress.has(what)) {
      this.end();
      this.progress.set(what, new Progress(what, min));
    }
    this.progress.get(what)!.update(done, wanted, effort);
  }

  end(): void {
    for (const each of this.progress.values()) each.end();
  }
}

function textOf(
  { mismatch, matches, foreign, fromChannels = 0, signed = [], events, block, answers, index }: Verified,
  shown: readonly ShownState[],
): string | string[] {
  if (mismatch) return `Mismatch: ${locatedMismatchText(mismatch)}`;
  const some = matches === 1 ? "1 match" : `${matches} matches`;
  const read = `${events} events up to block ${block} were read, ${answers} answers of the chain compared.`;
  const others = foreign > 0 ? ` Of ${foreign} with foreign games, only money and clocks are verified.` : "";
  const ofChannels = fromChannels > 0 ? ` ${fromChannels} of the matches are from channels.` : "";
  const agreed = signed.map(({ verdict, problem, ...of }) => {
    const what =
      "matchId" in of ? `Match ${of.matchId} up to its base` : `Balance ${of.nonce} of channel ${of.channelId}`;
    return `${what}: ${verdict}${problem === undefined ? "" : `; of what is shown: ${problem}`}.`;
  });
  const honest = shown.map(
    ({ matchId, player }) => `${player} has shown the army of match ${matchId}: it played honestly.`,
  );
  const same = index ? [`The index at ${index.url} says the same: ${index.rows} rows were compared.`] : [];
  return [`Identical: ${some}. ${read}${ofChannels}${others}`, ...agreed, ...honest, ...same];
}
