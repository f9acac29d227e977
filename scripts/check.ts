/**
 * `npm test`: types, generated files and all tests. The last line counts the tests, each check being one of them. With
 * THOROUGH in the environment it checks format and lint and tests the project's own scripts too, the soak, the invariants
 * and the fuzzing run longer, and the bench measures all win rates anew.
 */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters, styleText } from "node:util";

interface Run {
  ok: boolean;
  output: string;
}

interface Check extends Run {
  title: string;
  /** Whether what it prints is worth reading also if it succeeds. */
  isTold: boolean;
}

const isThorough = Boolean(process.env.THOROUGH);
const checks: Check[] = [];

function run(command: string, live = false): Promise<Run> {
  return new Promise((resolve) => {
    // Hundreds of processes load the same modules: they compile them once.
    const shared = {
      ...process.env,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(process.cwd(), "cache", "compiled"),
    };
    const env = live && process.stdout.isTTY ? { ...shared, FORCE_COLOR: "1" } : shared;
    const child = spawn(command, { shell: true, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (live) process.stdout.write(text);
      });
    }
    child.on("close", (code) => resolve({ ok: code === 0, output: stripVTControlCharacters(output) }));
  });
}

async function check(name: string, command: string, advice: string, isTold = false): Promise<boolean> {
  const start = performance.now();
  const { ok, output } = await run(command);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  checks.push({ ok, output, isTold, title: `${name} (${seconds} s)${ok ? "" : `: ${advice}`}` });
  return ok;
}

function print(finished: Check[]): void {
  for (const { ok, output, isTold, title } of finished) {
    console.log(ok ? styleText("green", `✔ ${title}`) : styleText("red", `✘ ${title}`));
    if (!ok || isTold) console.log(`\n${output.trimEnd()}\n`);
  }
}

/** Prints the files the build has just changed, and fails if there are any; without git nothing is committed. */
const changedTypes = `git rev-parse --is-inside-work-tree >/dev/null 2>&1 || exit 0
changed=$(git diff --name-only -- typechain-types && git ls-files --others --exclude-standard -- typechain-types)
test -z "$changed" || { echo "$changed" && exit 1; }`;

async function checkTexts(): Promise<void> {
  if (!isThorough) return;
  await check("format", "prettier --check --log-level warn .", "run `npm run format`");
  await check("lint of Solidity", "npm run -s lint:sol", "the rules are in .solhint.json");
}

async function checkTypes(): Promise<void> {
  await check("generated types", changedTypes, "the build has rewritten these files, commit or stage them");
  await check("types", "tsc && tsc -p page && tsc -p indexer", "TypeScript finds errors");
  if (isThorough) await check("lint of TypeScript", "npm run -s lint:ts", "the rules are in eslint.config.js");
}

/** Each run has matches of its own; its output says how to play the same again. */
async function checkSoak(): Promise<void> {
  const matches = isThorough ? 300 : 50;
  await check("soak", `tsx scripts/soak.ts --matches ${matches}`, "its last line says how to repeat it", true);
}

/** The number in the last line of that kind, as both test runners end. */
function count({ output }: Run, word: string): number {
  return Number([...output.matchAll(new RegExp(`^ +(\\d+) ${word}\\b`, "gm"))].at(-1)?.[1] ?? 0);
}

/** What a run of tests says of its failures at its end. */
function failuresOf({ output }: Run): string {
  return /^ +\d+ failing\b[^]*/m.exec(output)?.[0].trimEnd() ?? "";
}

/** Why a run of tests is not to be believed, if it isn't. */
function faultOf(tests: Run): string | undefined {
  if (!tests.ok && count(tests, "failing") === 0) return "aborted";
  return count(tests, "passing") + count(tests, "failing") === 0 ? "none found" : undefined;
}

const [built] = await Promise.all([
  check("build", "npm run -s build", "the contracts must compile without a warning"),
  checkTexts(),
]);
print(checks);
const before = checks.length;
// Scripts mostly wait for processes of their own, so two cores can do all of this at once; groups take equally long.
const groups = [
  /^test\/cli\//,
  /^test\/(indexer|page)\//,
  /^test\/scripts\/(documents|example|one-more-game|packages|start)/,
  /^test\/scripts\//,
  /^test\/(sdk|laws)\//,
  /^test\//,
];
const groupOf = (file: string) => groups.find((names) => names.test(file));
// Those of scripts start a few hundred programs and chains, which takes as long as all others.
const scripts = isThorough ? [] : globSync("test/scripts/!(documents-*).ts");
const files = globSync("test/**/*.ts", { exclude: scripts }).sort();
// Without a file Mocha would run them all.
const parts = groups.map((group) => files.filter((file) => groupOf(file) === group)).filter(({ length }) => length > 0);
const commands = [
  ...parts.map((part) => `hardhat test mocha --no-compile ${part.join(" ")}`),
  "hardhat test solidity --no-compile",
];
const last = parts.length - 1;
const runAll = () => Promise.all(commands.map((command, i) => run(command, i === last)));
const [runs] = built ? await Promise.all([runAll(), checkTypes().then(checkSoak)]) : [[]];
print(checks.slice(before));
for (const [i, { output }] of runs.entries()) if (i !== last) console.log(output);

// Thousands of lines follow most failures, and those who see only the last ones shall see what failed.
print(checks.filter(({ ok }) => !ok));
for (const failures of runs.map(failuresOf)) if (failures) console.log(failures);

const faults = built ? runs.map(faultOf).filter((fault) => fault !== undefined) : ["not run"];
for (const fault of faults) console.log(styleText("red", `✘ tests: ${fault}`));
const sum = (word: string) => runs.reduce((total, tests) => total + count(tests, word), 0);
const passed = sum("passing") + checks.filter(({ ok }) => ok).length;
const failed = sum("failing") + checks.filter(({ ok }) => !ok).length + faults.length;
const skipped = sum("(?:pending|skipped)");
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed ? 1 : 0;
