/**
 * `npm run mutants`: plants mistakes in the contracts or the SDK, one at a time, and runs the tests that reach them. The
 * committed table says what became of each.
 */
import { parseArgs } from "node:util";
import { Random } from "../sdk/laws/random.js";
import { contractMutants, tryContracts } from "./mutants/contracts.js";
import { sdkMutants, trySdk } from "./mutants/sdk.js";
import { spread } from "./mutants/switched.js";
import { Table, type Verdict } from "./mutants/table.js";

const HELP = `Usage: npm run -s mutants -- contracts|sdk [options]

Plants mistakes one at a time, runs the tests that reach each, and writes to test/mutants/ which of them no test finds.
Fails if no test finds a mistake that one has found before.

  --sample N   tries N mistakes; those that the table lacks come first (default: all)
  --seed S     chooses them by a text (default: 1)
  --survived   tries only mistakes that no test found before
  --recorded   tries only mistakes that a test found before, with only this test, and writes nothing
  --help       prints this text`;

const options = {
  sample: { type: "string" },
  seed: { type: "string", default: "1" },
  survived: { type: "boolean", default: false },
  recorded: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

function fail(line: string): never {
  console.error(line);
  process.exit(1);
}

function parsed() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail((error as Error).message.split("\n")[0]);
  }
}

const { values, positionals } = parsed();
if (values.help) {
  console.log(HELP);
  process.exit();
}
const [target] = positionals;
if (positionals.length !== 1 || (target !== "contracts" && target !== "sdk")) {
  fail(`Expected the target "contracts" or "sdk", got "${positionals.join(" ")}".`);
}
const sample = values.sample === undefined ? Infinity : Number(values.sample);
if (!(sample >= 1) || (sample !== Infinity && !Number.isInteger(sample))) {
  fail(`--sample must be a positive integer, got "${values.sample}".`);
}

interface Planted {
  key: string;
  file: string;
  line: number;
  before: string;
  after: string;
}

interface Choices<M> {
  killerOf?: (mutant: M) => string | undefined;
  onVerdict: (mutant: M, verdict: Verdict) => void;
  tell: (line: string) => void;
}

/**
 * Chooses mistakes, tries them, and writes the verdicts into the table of their target.
 * @param ordered Puts mistakes into the order in which a sample takes them.
 */
async function tryMistakes<M extends Planted>(
  all: readonly M[],
  tryAll: (chosen: readonly M[], choices: Choices<M>) => Promise<void>,
  ordered: (mutants: readonly M[]) => readonly M[] = (mutants) => mutants,
): Promise<void> {
  const table = new Table(`test/mutants/${target}.json`);
  const existing = new Set(all.map(({ key }) => key));
  console.log(`${all.length} mistakes can be planted.`);

  const isKnown = (key: string) => table.killerOf(key) !== undefined || table.survived(key) || table.isEquivalent(key);
  const candidates = new Random(values.seed).shuffled(all).filter(({ key }) => {
    if (values.recorded) return table.killerOf(key) !== undefined;
    return values.survived ? table.survived(key) : !table.isEquivalent(key);
  });
  const [known, unknown] = [true, false].map((is) => candidates.filter(({ key }) => isKnown(key) === is));
  const chosen = [...ordered(unknown), ...ordered(known)].slice(0, sample);
  if (chosen.length === 0) fail("The table has no such mistake.");

  let [killed, lost] = [0, 0];
  await tryAll(chosen, {
    ...(values.recorded && { killerOf: ({ key }) => table.killerOf(key) }),
    tell: console.log,
    onVerdict: ({ file, line, before, after }, verdict) => {
      if (verdict.killer === undefined) {
        if (table.killerOf(verdict.key) !== undefined) lost++;
        console.log(`${file}:${line}: no test finds\n  - ${before}\n  + ${after}`);
      } else killed++;
      if (values.recorded) return;
      table.add(verdict);
      table.write(existing);
    },
  });
  console.log(`Of ${chosen.length} mistakes, tests found ${killed}.`);
  process.exitCode = lost > 0 ? 1 : 0;
}

if (target === "sdk") {
  const mutants = await sdkMutants();
  await tryMistakes(mutants.all, (chosen, choices) => trySdk(mutants, chosen, choices));
} else {
  const mutants = contractMutants();
  await tryMistakes(mutants.all, (chosen, choices) => tryContracts(mutants, chosen, choices), spread);
}
