/**
 * Runs the tests in the files that are its arguments, on the instrumented code in the folder that comes first. Takes
 * requests of its parent: to record which tests of a suite reach which mutants, and to try a mutant.
 */
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import Mocha from "mocha";
import type { Progress } from "../shared.js";

/** A test that succeeds without a mutant, as a message. */
export interface TestMessage {
  /** Full title. */
  title: string;
  /** Time that it takes alone, with the hooks of its suites. */
  milliseconds: number;
  /** Numbers of the mutants that it reaches. */
  mutants: string[];
}

export type Request =
  | { type: "load" }
  /** Runs a suite without a mutant. */
  | { type: "record"; suite: number }
  /** Tries a mutant with groups of tests, given by their titles, until one fails. */
  | { type: "try"; mutant: string; groups: readonly (readonly string[])[]; milliseconds: number }
  /** Checks that a test succeeds without a mutant, in a process that has not run it before. */
  | { type: "check"; title: string };
export type Answer =
  /** @param atLoad Mutants that the modules reach when they are loaded. */
  | { type: "loaded"; suites: number; atLoad: string[] }
  | { type: "recorded"; tests: TestMessage[]; failed: string[] }
  /**
   * After a test that has failed, the process is reliable only if the same test succeeds without the mutant: an earlier
   * mutant may have left something behind, as a fixture.
   */
  | { type: "tried"; killer?: string; isReliable: boolean }
  | { type: "checked"; succeeds: boolean };

/** State that instrumented code shares with its process. */
interface Instrumentation {
  activeMutant?: string;
  hitCount?: number;
  hitLimit: number;
  mutantCoverage: { static: Record<string, number> };
}

/** Runs of a mutant before it throws, since a mutant may never leave a loop. No test runs a line so often. */
const MOST_RUNS = 3_000_000;

const [folder, ...files] = process.argv.slice(2);
const shared: Instrumentation = { hitLimit: MOST_RUNS, mutantCoverage: { static: {} } };
(globalThis as { __stryker__?: Instrumentation }).__stryker__ = shared;

registerHooks({
  load(url, context, next) {
    const file = url.startsWith("file:") ? relative(process.cwd(), fileURLToPath(url)) : "";
    const instrumented = join(folder, file);
    if (file === "" || file.startsWith("..") || !existsSync(instrumented)) return next(url, context);
    return { format: "module", source: readFileSync(instrumented, "utf8"), shortCircuit: true };
  },
});

process.env.NODE_ENV = "test";
process.env.HH_TEST = "true";
const { default: hre } = await import("hardhat");

const mocha = new Mocha({
  ...hre.config.test.mocha,
  reporter: class extends Mocha.reporters.Base {},
});
mocha.cleanReferencesAfterRun(false);
for (const file of files) {
  // Mocha itself would require the file, and tsx then loads modules that it requires without the hooks for imports.
  mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  await import(pathToFileURL(file).href);
}
const { suites } = mocha.suite;
const atLoad = Object.keys(shared.mutantCoverage.static);
// What a failing test leaves behind may end the process only while Mocha runs a test, which it then fails.
for (const event of ["uncaughtException", "unhandledRejection"]) process.removeAllListeners(event);
process.on("unhandledRejection", (reason) => {
  throw reason;
});
process.on("uncaughtException", () => undefined);

/** Returns the mutants that were reached since the last call. */
function takeReached(): Set<string> {
  const reached = new Set(Object.keys(shared.mutantCoverage.static));
  shared.mutantCoverage.static = {};
  return reached;
}

async function record(recorded: Mocha.Suite): Promise<Answer> {
  mocha.suite.suites = [recorded];
  const tests: TestMessage[] = [];
  const failed: string[] = [];
  /** What the hooks of a suite have reached, and their time. */
  const bySuite = new Map<Mocha.Suite, { mutants: Set<string>; milliseconds: number }>();
  const hooksOf = (suite: Mocha.Suite) => bySuite.get(suite) ?? { mutants: new Set<string>(), milliseconds: 0 };
  let start = 0;
  const began = () => {
    takeReached();
    start = performance.now();
  };
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on("suite", began);
    runner.on("hook end", (hook) => {
      if (!hook.title.startsWith('"before all"')) return;
      const { mutants, milliseconds } = hooksOf(hook.parent!);
      for (const id of takeReached()) mutants.add(id);
      bySuite.set(hook.parent!, { mutants, milliseconds: milliseconds + performance.now() - start });
      start = performance.now();
    });
    runner.on("test", began);
    runner.on("test end", (test) => {
      let milliseconds = performance.now() - start;
      const reached = takeReached();
      for (let suite = test.parent; suite; suite = suite.parent) {
        const hooks = hooksOf(suite);
        for (const id of hooks.mutants) reached.add(id);
        milliseconds += hooks.milliseconds;
      }
      const title = test.fullTitle();
      if (test.state === "passed") tests.push({ title, milliseconds, mutants: [...reached] });
      else if (test.state === "failed") failed.push(`${title}: ${test.err?.message}`);
    });
  });
  return { type: "recorded", tests, failed };
}

async function tryMutant({ mutant, groups, milliseconds }: Request & { type: "try" }): Promise<Answer> {
  const failedWith = async (active: string | undefined, titles: readonly string[]) => {
    shared.activeMutant = active;
    const failed = await firstFailed(titles, milliseconds);
    shared.activeMutant = undefined;
    return failed;
  };
  for (const titles of groups) {
    let rest = titles;
    while (rest.length > 0) {
      const suspect = await failedWith(mutant, rest);
      if (suspect === undefined) break;
      // A test before it in the group may have disturbed it: alone it must fail, too, and succeed without the mutant.
      const failed = suspect.isLate || rest.length === 1 ? suspect : await failedWith(mutant, [suspect.title]);
      if (failed !== undefined) {
        const isReliable = !failed.isLate && (await failedWith(undefined, [failed.title])) === undefined;
        return { type: "tried", killer: failed.title, isReliable };
      }
      rest = rest.filter((title) => title !== suspect.title);
    }
  }
  return { type: "tried", isReliable: true };
}

/** Runs tests until one fails. */
async function firstFailed(
  titles: readonly string[],
  milliseconds?: number,
): Promise<{ title: string; isLate: boolean } | undefined> {
  mocha.suite.suites = suites;
  if (milliseconds !== undefined) {
    mocha.suite.timeout(milliseconds);
    mocha.suite.eachTest((test) => test.timeout(milliseconds));
  }
  const chosen = new Set(titles);
  mocha.options.grep = { test: (title: string) => chosen.has(title) } as RegExp;
  mocha.suite.bail(true);
  let failed: { title: string; isLate: boolean } | undefined;
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on("test", (test) => {
      shared.hitCount = 0;
      process.send!({ type: "running", title: test.fullTitle() } satisfies Progress);
    });
    runner.on("fail", (test, { code }: Error & { code?: string }) => {
      // A hook may fail instead of its test.
      const title = [test.fullTitle(), test.ctx?.currentTest?.fullTitle()].find((each) => chosen.has(each ?? ""));
      failed ??= { title: title ?? titles[0], isLate: code === "ERR_MOCHA_TIMEOUT" };
    });
  });
  return failed;
}

async function answerTo(request: Request): Promise<Answer> {
  switch (request.type) {
    case "load":
      return { type: "loaded", suites: suites.length, atLoad };
    case "record":
      return record(suites[request.suite]);
    case "try":
      return tryMutant(request);
    case "check":
      return { type: "checked", succeeds: (await firstFailed([request.title])) === undefined };
  }
}

process.on("message", (request: Request) => {
  void answerTo(request).then((answer) => process.send!(answer));
});
process.on("disconnect", () => process.exit());
