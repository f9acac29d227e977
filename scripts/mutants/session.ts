/**
 * Runs the tests in the files that are its arguments, in the folder of a project whose contracts contain mutants. Takes
 * requests of its parent: to record which tests of a suite reach which mutants, and to try a mutant.
 */
import hre from "hardhat";
import { pathToFileURL } from "node:url";
import Mocha from "mocha";
import "../../test/support/keccak.js";
import type { Progress } from "./shared.js";

/** A test that succeeds without a mutant. */
export interface RecordedTest {
  /** Full title. */
  title: string;
  /** Milliseconds of the test and of the hooks before all tests of its suites. */
  milliseconds: number;
  /** Numbers of the mutants that it reaches. */
  mutants: number[];
}

export type Request =
  | { type: "load" }
  /** Runs a suite without a mutant. */
  | { type: "record"; suite: number }
  /** Tries a mutant with groups of tests, given by their titles, until one fails. */
  | { type: "try"; mutant: number; groups: readonly (readonly string[])[] }
  /** Runs a test without a mutant. */
  | { type: "check"; title: string };
export type Answer =
  | { type: "loaded"; suites: number }
  | { type: "recorded"; tests: RecordedTest[]; failed: string[] }
  /** After a test that has failed, the process is reliable only if the same test succeeds without the mutant. */
  | { type: "tried"; killer?: string; isReliable: boolean }
  | { type: "checked"; succeeds: boolean };

/** Beneficiary of blocks which makes the contracts report each mutant that they reach. */
const RECORDING = `0x${"f".repeat(40)}`;
/** Milliseconds after which a test counts as failed. Without a mutant none takes so long. */
const TIMEOUT = 180_000;
/** Beneficiary that switches no mutant on: the number of none. */
const NONE = `0x${"e".repeat(40)}`;

process.env.NODE_ENV = "test";
process.env.HH_TEST = "true";

const connections = new Set<Awaited<ReturnType<typeof hre.network.create>>>();
let beneficiary = RECORDING;
let reached = new Set<number>();
/** Suites of all files. */
let suites: Mocha.Suite[] = [];
hre.hooks.registerHandlers("network", {
  onCoverageData: async (_context, tags) => {
    for (const tag of tags) reached.add(Number(`0x${tag}`));
  },
  newConnection: async (context, next) => {
    const connection = await next(context);
    connections.add(connection);
    await setBeneficiary(connection);
    return connection;
  },
  closeConnection: async (context, connection, next) => {
    connections.delete(connection);
    await next(context, connection);
  },
});

const mocha = new Mocha({
  ...hre.config.test.mocha,
  reporter: class extends Mocha.reporters.Base {},
  timeout: TIMEOUT,
});
mocha.cleanReferencesAfterRun(false);
/** Loads all tests. The first connection registers the assertions about transactions. */
const loaded = hre.network.create().then(async () => {
  for (const file of process.argv.slice(2)) {
    // Mocha itself would require the file, which then has another instance of the library with these assertions.
    mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
    await import(pathToFileURL(file).href);
  }
  suites = mocha.suite.suites;
  // A failing test may leave promises behind.
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", () => undefined);
});

process.on("message", (request: Request) => {
  void loaded
    .then(() => answerTo(request))
    .then(
      (answer) => process.send!(answer),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
});

async function answerTo(request: Request): Promise<Answer> {
  switch (request.type) {
    case "load":
      return { type: "loaded", suites: suites.length };
    case "record":
      return record(suites[request.suite]);
    case "try":
      return tryMutant(request);
    case "check":
      mocha.suite.suites = suites;
      await switchTo(NONE);
      return { type: "checked", succeeds: (await firstFailed([request.title])) === undefined };
  }
}

async function record(recorded: Mocha.Suite): Promise<Answer> {
  mocha.suite.suites = [recorded];
  const tests: RecordedTest[] = [];
  const failed: string[] = [];
  /** Mutants that the hooks before all tests of a suite have reached, and their milliseconds. */
  const bySuite = new Map<Mocha.Suite, { mutants: Set<number>; milliseconds: number }>();
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on("suite", () => (reached = new Set()));
    runner.on("hook end", (hook) => {
      if (hook.title.startsWith('"before all"')) {
        const { mutants = [], milliseconds = 0 } = bySuite.get(hook.parent!) ?? {};
        bySuite.set(hook.parent!, {
          mutants: new Set([...reached, ...mutants]),
          milliseconds: milliseconds + (hook.duration ?? 0),
        });
        reached = new Set();
      }
    });
    runner.on("test end", (test) => {
      let milliseconds = test.duration ?? 0;
      for (let suite = test.parent; suite; suite = suite.parent) {
        const before = bySuite.get(suite);
        for (const id of before?.mutants ?? []) reached.add(id);
        milliseconds += before?.milliseconds ?? 0;
      }
      const title = test.fullTitle();
      if (test.state === "passed") tests.push({ title, milliseconds, mutants: [...reached] });
      else if (test.state === "failed") failed.push(`${title}: ${test.err?.message}`);
      reached = new Set();
    });
  });
  return { type: "recorded", tests, failed };
}

async function tryMutant({ mutant, groups }: Request & { type: "try" }): Promise<Answer> {
  mocha.suite.suites = suites;
  await switchTo(`0x${mutant.toString(16).padStart(40, "0")}`);
  for (const titles of groups) {
    const failed = await firstFailed(titles);
    if (failed === undefined) continue;
    await switchTo(NONE);
    // What a late test still does could disturb the next mutant, and a failed one may leave the chain in another state.
    const isReliable = !failed.isLate && (await firstFailed([failed.title])) === undefined;
    return { type: "tried", killer: failed.title, isReliable };
  }
  return { type: "tried", isReliable: true };
}

/** Runs tests until one fails. */
async function firstFailed(titles: readonly string[]): Promise<{ title: string; isLate: boolean } | undefined> {
  const chosen = new Set(titles);
  mocha.options.grep = { test: (title: string) => chosen.has(title) } as RegExp;
  let failed: { title: string; isLate: boolean } | undefined;
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on("test", (test) => process.send!({ type: "running", title: test.fullTitle() } satisfies Progress));
    runner.on("fail", (test, { code }: Error & { code?: string }) => {
      // A hook may fail instead of its test.
      const title = [test.fullTitle(), test.ctx?.currentTest?.fullTitle()].find((each) => chosen.has(each ?? ""));
      runner.abort();
      failed ??= { title: title ?? titles[0], isLate: code === "ERR_MOCHA_TIMEOUT" };
    });
  });
  return failed;
}

/** Switches a mutant on, or recording; fixtures are then deployed again. */
async function switchTo(to: string): Promise<void> {
  beneficiary = to;
  for (const connection of connections) await setBeneficiary(connection);
}

async function setBeneficiary({
  provider,
  networkHelpers,
}: Awaited<ReturnType<typeof hre.network.create>>): Promise<void> {
  networkHelpers.clearSnapshots();
  await provider.request({ method: "hardhat_setCoinbase", params: [beneficiary] });
}
