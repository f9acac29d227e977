import { Command, CommanderError } from "commander";
import { Archive } from "../sdk/archive.js";
import { explain } from "../sdk/errors.js";
import { InputError, oneLine } from "../sdk/input.js";
import { differenceText } from "../sdk/verify/difference.js";
import { askChain } from "../sdk/verify/state.js";
import { verify, type Verdict } from "../sdk/verify/verify.js";
import { readMatchId } from "./play/arguments.js";
import { print, Progress } from "./play/output.js";
import { Session } from "./play/session.js";

const DESCRIPTION = `Derive the results of a deployment of Duello anew from its events alone: seals, answers, openings, dice, fights, clocks, payments, purses, ratings and all that games keep.

With --all the outcome is compared with the chain's state, too, so that an event that is missing is found.

It exits with 0 if all is identical, 1 if something differs, 2 if that could not be told.`;

/** So many of something take a while. */
const LONG = { blocks: 50_000, matches: 1_000 };

interface Flags {
  rpc?: string;
  all?: boolean;
  json?: boolean;
}

const program = new Command("verify")
  .description(DESCRIPTION)
  .exitOverride()
  .showSuggestionAfterError(false)
  .configureOutput({ writeErr: () => undefined })
  .argument("[matches...]", "numbers of matches")
  .option("--all", "all matches and all that is kept, up to the last block")
  .option("--rpc <url>", "the chain's node; DUELLO_RPC_URL or the local chain if left out")
  .option("--json", "print JSON; amounts are in the token's smallest unit")
  .action(run);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
  if (process.exitCode !== 0) console.error(oneLine(explain(error)));
}

async function run(words: string[], { all = false, json = false, rpc }: Flags): Promise<void> {
  if (all === words.length > 0) throw new InputError("matches", "name some, or --all");
  const matches = all ? undefined : words.map(readMatchId);
  const session = await Session.open({ rpc });
  try {
    const verdict = await verified(session, matches);
    print({ data: { identical: verdict.difference === undefined, ...verdict }, text: textOf(verdict) }, json);
    process.exitCode = verdict.difference ? 1 : 0;
  } finally {
    session.close();
  }
}

async function verified({ provider, deployment }: Session, matches?: bigint[]): Promise<Verdict> {
  const { addresses, block } = deployment;
  const stages = new Map<string, Progress>();
  const tell = (what: string, least: number) => (done: number, wanted: number) => {
    const stage = stages.get(what) ?? new Progress(what, least);
    stages.set(what, stage).get(what)!.tell(done, wanted);
    if (done === wanted) stage.end();
  };
  const archive = await Archive.read(provider, addresses, block, tell("Reading blocks", LONG.blocks));
  const verdict = await verify(archive, {
    matches,
    ask: askChain(provider, archive.last.number),
    onProgress: (what, done, wanted) => tell(what, LONG.matches)(done, wanted),
  });
  if (await archive.isCurrent()) return verdict;
  throw new Error(`The chain has another block ${archive.last.number} by now: verify again.`);
}

function textOf({ difference, matches, foreign, events, block, answers }: Verdict): string {
  if (difference) return `Different: ${differenceText(difference)}`;
  const compared = answers > 0 ? `, ${answers} answers of the chain compared` : "";
  const others = foreign > 0 ? ` Of ${foreign} with games of somebody else, only money and clocks are told.` : "";
  return `Identical: ${matches} matches of ${events} events up to block ${block}${compared}.${others}`;
}
