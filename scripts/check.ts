/**
 * `npm test`: checks types and generated files, and runs all quick tests. Given names of groups, it runs all tests of
 * those groups instead. The last line counts tests and checks. With THOROUGH in the environment it also checks format
 * and lint, and runs all tests; soak, invariants and fuzzing then take longer.
 */
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { stripVTControlCharacters, styleText } from "node:util";

interface Outcome {
  ok: boolean;
  output: string;
}

interface Run extends Outcome {
  /** Processor seconds of its processes. */
  seconds: number;
}

/** Processor seconds that each part may take with THOROUGH, on a machine of this pace. */
interface Budgets {
  /** Processor milliseconds of `measurePace`. */
  pace: number;
  seconds: Record<string, number>;
}

interface Check extends Outcome {
  title: string;
  /** True if its output is shown even when it succeeds. */
  isTold: boolean;
}

const isThorough = Boolean(process.env.THOROUGH);
const checks: Check[] = [];
/** Processor seconds by part. */
const spent = new Map<string, number>();

function run(command: string, live = false): Promise<Run> {
  return new Promise((resolve) => {
    // Hundreds of processes load the same modules. With a shared cache each module is compiled once.
    const shared = {
      ...process.env,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(process.cwd(), "cache", "compiled"),
    };
    const env = live && process.stdout.isTTY ? { ...shared, FORCE_COLOR: "1" } : shared;
    const timed = `(${command}\n); status=$?; times >&3; exit $status`;
    const child = spawn(timed, { shell: true, env, stdio: ["ignore", "pipe", "pipe", "pipe"] });
    let [output, times] = ["", ""];
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (live) process.stdout.write(text);
      });
    }
    (child.stdio[3] as Readable).setEncoding("utf8").on("data", (text: string) => (times += text));
    child.on("close", (code) => {
      const parts = [...times.matchAll(/(\d+)m([\d.]+)s/g)];
      const seconds = parts.reduce((sum, [, minutes, rest]) => sum + 60 * Number(minutes) + Number(rest), 0);
      resolve({ ok: code === 0, output: stripVTControlCharacters(output), seconds });
    });
  });
}

async function check(name: string, command: string, advice: string, isTold = false): Promise<boolean> {
  const { ok, output, seconds } = await run(command);
  spent.set(name, seconds);
  checks.push({ ok, output, isTold, title: ok ? name : `${name}: ${advice}` });
  return ok;
}

/** Text that `measurePace` parses, of some 2 MB: more than fits into the cache of a single core. */
const SAMPLE = JSON.stringify(
  Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `entry ${i * 7919}`, of: [i] })),
);

/**
 * Measures the processor milliseconds of a fixed computation: the speed of this machine under its current load. The
 * computation uses memory, as the tests do: load on the same core would hardly slow pure arithmetic.
 */
function measurePace(): number {
  const start = process.cpuUsage();
  const entries = JSON.parse(SAMPLE) as { id: number; name: string }[];
  const names = new Map(entries.map(({ id, name }) => [name, id]));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { user, system } = process.cpuUsage(start);
  return names.size === entries.length ? (user + system) / 1000 : NaN;
}

function print(finished: Check[]): void {
  for (const { ok, output, isTold, title } of finished) {
    console.log(ok ? styleText("green", `✔ ${title}`) : styleText("red", `✘ ${title}`));
    if (!ok || isTold) console.log(`\n${output.trimEnd()}\n`);
  }
}

/**
 * Prints the generated files that the build has just changed, and fails if there are any. Without git there is nothing
 * to compare with.
 */
const changedTypes = `git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 0
changed=$(git diff --name-only -- typechain-types && git ls-files --others --exclude-standard -- typechain-types)
test -z "$changed" || { echo "$changed" && exit 1; }`;

/** Compiles the contracts only if they have changed since their types were generated. */
const quickBuild = "sh scripts/build.sh --if-changed --or-restore --no-tests";

/** Compiles the additional contracts that quick tests deploy. */
async function buildMocks(): Promise<void> {
  const quietly =
    "hardhat build --quiet --no-typechain test/mocks/*.sol >cache/build.log 2>&1 || { cat cache/build.log && exit 1; }";
  await check("mocks", quietly, "they must compile without a warning");
}

/** Groups that deploy mocks. */
const DEPLOYING = ["page", "sdk", "contracts"];

/**
 * These checks run before the build and use the existing types: the build keeps one core busy for a long time, and
 * writes types at its end.
 */
async function checkTexts(): Promise<void> {
  await check("types", "tsc && tsc -p page && tsc -p indexer && tsc -p manual", "TypeScript finds errors");
  if (!isThorough) return;
  await check("format", 'oxfmt --check && prettier --check --log-level warn "**/*.sol"', "run `npm run format`");
  await check("lint of Solidity", "npm run -s lint:sol", "the rules are in .solhint.json");
}

async function checkGenerated(): Promise<void> {
  await check("generated types", changedTypes, "commit or stage them, and check the types again");
  if (isThorough) await check("lint of TypeScript", "npm run -s lint:ts", "the rules are in oxlint.config.ts");
}

/** Each run plays new matches; its output explains how to repeat them. */
async function checkSoak(): Promise<void> {
  const matches = isThorough ? 200 : 40;
  await check("soak", `tsx scripts/soak.ts --matches ${matches}`, "its last line says how to repeat it", true);
}

/** Each commit tries others of the mistakes that a test has found before. */
async function checkMutants(): Promise<void> {
  if (!isThorough) return;
  for (const target of ["contracts", "sdk"]) {
    const sample = `mutants -- ${target} --sample 30 --recorded --seed "$(git rev-parse HEAD 2>/dev/null)"`;
    await check(`mutants of ${target}`, `npm run -s ${sample}`, "a test no longer finds a mistake", true);
  }
}

/** Returns the number before a word, from the last such line. Both test runners print these lines at their end. */
function count({ output }: Run, word: string): number {
  return Number([...output.matchAll(new RegExp(`^ +(\\d+) ${word}\\b`, "gm"))].at(-1)?.[1] ?? 0);
}

/** Returns the failures that a test run lists at its end, or the last lines of a run that stopped early. */
function failuresOf(tests: Run): string {
  const listed = /^ +\d+ failing\b[^]*/m.exec(tests.output)?.[0];
  const text = listed ?? (tests.ok ? "" : tests.output.trimEnd().split("\n").slice(-40).join("\n"));
  return text.trimEnd();
}

/** Returns the reason not to trust a test run, if there is one. */
function faultOf(tests: Run & { name: string }): string | undefined {
  if (!tests.ok && count(tests, "failing") === 0) return `tests of ${tests.name}: aborted`;
  return count(tests, "passing") + count(tests, "failing") === 0 ? `tests of ${tests.name}: none found` : undefined;
}

/**
 * How many times its budget a part may take. One pace cannot describe a machine: with the same pace and the same code,
 * the compiler and the chain took up to half as long again on one machine as on another.
 */
const TOLERANCE = 2;
/** How many times their budgets all parts may take together: the differences between parts mostly cancel out. */
const TOLERANCE_TOGETHER = 1.25;

/** Prints the processor seconds of each part, with THOROUGH also its budget. @returns what is over budget. */
function printSeconds(): string[] {
  const { pace, seconds } = JSON.parse(readFileSync("test/budgets.json", "utf8")) as Budgets;
  const slowness = paces.reduce((sum, each) => sum + each, 0) / paces.length / pace;
  const total = [...spent.values()].reduce((sum, used) => sum + used, 0);
  const machine = `on a machine that takes ${slowness.toFixed(2)} times as long as that of the budgets`;
  console.log(`${total.toFixed(0)} processor seconds, ${machine}:`);
  const over: string[] = [];
  for (const [name, used] of spent) {
    const budget = seconds[name] ?? 0;
    const comparable = used / slowness;
    const compared = isThorough ? `, which are ${comparable.toFixed(1)} of ${budget}` : "";
    console.log(`${used.toFixed(1).padStart(8)}  ${name}${compared}`);
    // A slow machine does not slow every part equally: both the measured and the scaled time must be over budget.
    const least = Math.min(comparable, used);
    if (least > TOLERANCE * budget) over.push(`${name} takes ${least.toFixed(1)} processor seconds of ${budget}`);
  }
  const budget = [...spent.keys()].reduce((sum, name) => sum + (seconds[name] ?? 0), 0);
  const least = Math.min(total / slowness, total);
  if (least > TOLERANCE_TOGETHER * budget) {
    over.push(`all parts take ${least.toFixed(1)} processor seconds of ${budget}`);
  }
  return isThorough ? over : [];
}

/** Groups of tests by name, each run in its own process. The groups that wait most come first. */
const groups: Record<string, RegExp> = {
  commands: /^test\/cli\//,
  page: /^test\/page\//,
  packages: /^test\/scripts\/(documents|example|one-more-game|packages|start|tutorial)/,
  index: /^test\/indexer\//,
  scripts: /^test\/scripts\//,
  sdk: /^test\/(sdk|laws)\//,
  contracts: /^test\//,
};

/** Groups in parallel beyond one per core, since some wait. All in parallel would cost a fifth more processor time. */
const WAITING = 2;

/**
 * Files that take three times as long as all others together: they start hundreds of programs, chains, databases and
 * pages, or play thousands of games. They run with THOROUGH, or if their group is named.
 */
const SLOW = [
  "test/scripts/!(documents-*).ts",
  "test/indexer/{commands,hostile,parts,rows}.ts",
  "test/page/{accessible,agents,channels,indexes,pictures,session}.ts",
  "test/cli/{agent,agent-process,conformance,meagre,mint,own-games}.ts",
  "test/cli/play-{challenge,games,hostile,sending,warmancer}.ts",
  "test/laws/{broken,derived,refusals,sticks}.ts",
  "test/{arena/chess-clock,attacks/properties}.ts",
  "test/games/{decoders,pistols/bot,tic-tac-toe/engine}.ts",
  "test/games/warmancer/{bot,engine,phases}.ts",
  "test/sdk/{bots/{matches,teams},channels/{hostile,player,resuming},verify/memory}.ts",
];

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in groups));
if (unknown !== undefined) {
  console.error(`${unknown} is no group of tests: there are ${Object.keys(groups).join(", ")}.`);
  process.exit(1);
}

const paces = [measurePace()];
const timer = setInterval(() => paces.push(measurePace()), 10_000);
const isAll = asked.length === 0;
const isQuick = isAll && !isThorough;
const [built] = await Promise.all([
  check("build", isQuick ? quickBuild : "npm run -s build", "the contracts must compile without a warning"),
  isAll && checkTexts(),
]);
print(checks);
const before = checks.length;
const files = globSync("test/**/*.ts", {
  exclude: isQuick ? SLOW.flatMap((slow) => globSync(slow)) : [],
}).sort();
const groupOf = (file: string) => Object.keys(groups).find((name) => groups[name].test(file));
const parts = Object.keys(groups)
  .filter((name) => isAll || asked.includes(name))
  .map((name) => ({ name, part: files.filter((file) => groupOf(file) === name) }))
  // Given no file, Mocha would run all files.
  .filter(({ part }) => part.length > 0);
/** Module that every test run loads first. */
const FIRST = "test/support/ending.ts test/support/keccak.ts";
const commands = parts.map(({ name, part }) => {
  return { name, command: `hardhat test mocha --no-compile ${FIRST} ${part.join(" ")}` };
});
/** Test run whose output is printed while it runs. */
const live = commands.at(-1)?.name;
// That test run starts first.
commands.unshift(...commands.splice(-1));
if (isThorough && isAll) commands.push({ name: "solidity", command: "hardhat test solidity --no-compile" });
const runs: (Run & { name: string })[] = [];
const runAll = async () => {
  const mocks = isQuick ? buildMocks() : undefined;
  const waiting = commands.values();
  const runNext = async () => {
    for (const { name, command } of waiting) {
      if (DEPLOYING.includes(name)) await mocks;
      const tests = await run(command, name === live);
      spent.set(name, tests.seconds);
      runs.push({ ...tests, name });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + WAITING }, runNext));
};
if (built) await Promise.all([runAll(), isAll && checkGenerated().then(checkSoak).then(checkMutants)]);
clearInterval(timer);
print(checks.slice(before));
for (const { name, output } of runs) if (name !== live) console.log(output);

// Repeats failures at the end, since thousands of lines follow most of them.
print(checks.filter(({ ok }) => !ok));
for (const failures of runs.map(failuresOf)) if (failures) console.log(failures);

const faults = built ? runs.flatMap((tests) => faultOf(tests) ?? []) : ["tests: not run"];
const over = printSeconds();
if (process.env.CI) faults.push(...over);
for (const fault of faults) console.log(styleText("red", `✘ ${fault}`));
const sum = (word: string) => runs.reduce((total, tests) => total + count(tests, word), 0);
const passed = sum("passing") + checks.filter(({ ok }) => ok).length;
const failed = sum("failing") + checks.filter(({ ok }) => !ok).length + faults.length;
const skipped = sum("(?:pending|skipped)");
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed ? 1 : 0;
