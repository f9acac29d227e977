import { pathToFileURL } from "node:url";
import hre from "hardhat";
import Mocha from "mocha";
import type { Answer, MutantId, Progress, RecordedTest, Request } from "./messages.js";

/** How the code of a process switches mutants on, and tells which ones it reaches. */
export interface Switches {
  /** Switches a mutant on, or all off, with the chains of fixtures at their start. */
  activate(mutant: MutantId | undefined): Promise<void>;
  /** Returns the mutants that were reached since the last call. */
  takeReached(): Set<MutantId>;
}

/** A test that has failed. */
interface Failed {
  title: string;
  isLate: boolean;
}

/** Runs tests of Mocha in this process, with and without mutants. */
export class Runner {
  private readonly mocha: Mocha;
  private suites: Mocha.Suite[] = [];
  private atLoad: MutantId[] = [];

  /** @param timeout Milliseconds after which a test counts as failed. Without a mutant none takes so long. */
  constructor(
    private readonly switches: Switches,
    timeout: number,
  ) {
    const reporter = class extends Mocha.reporters.Base {};
    this.mocha = new Mocha({ ...hre.config.test.mocha, reporter, timeout });
    this.mocha.cleanReferencesAfterRun(false);
  }

  /** Loads the tests of files, and then answers the requests of the parent process. */
  async serve(files: readonly string[]): Promise<void> {
    for (const file of files) {
      // Mocha itself would require the file, which then has other instances of the modules.
      this.mocha.suite.emit(Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE, globalThis, file, this.mocha);
      await import(pathToFileURL(file).href);
    }
    this.suites = this.mocha.suite.suites;
    this.atLoad = [...this.switches.takeReached()];
    // What a failing test leaves behind may end the process only while Mocha runs a test, which it then fails.
    for (const event of ["uncaughtException", "unhandledRejection"]) process.removeAllListeners(event);
    process.on("unhandledRejection", (reason) => {
      throw reason;
    });
    process.on("uncaughtException", () => undefined);
    process.on("message", (request: Request) => {
      void this.answerTo(request).then((answer) => process.send!(answer));
    });
    process.on("disconnect", () => process.exit());
  }

  private async answerTo(request: Request): Promise<Answer> {
    switch (request.type) {
      case "load":
        return { type: "loaded", suites: this.suites.length, atLoad: this.atLoad };
      case "record":
        return this.record(this.suites[request.suite]);
      case "try":
        return this.try(request);
      case "check":
        return { type: "checked", succeeds: (await this.firstFailed(undefined, [request.title])) === undefined };
    }
  }

  private async record(recorded: Mocha.Suite): Promise<Answer> {
    const { switches, mocha } = this;
    mocha.suite.suites = [recorded];
    const tests: RecordedTest[] = [];
    const failed: string[] = [];
    /** What the hooks before all tests of a suite have reached, and their time. */
    const bySuite = new Map<Mocha.Suite, { mutants: Set<MutantId>; milliseconds: number }>();
    const hooksOf = (suite: Mocha.Suite) => bySuite.get(suite) ?? { mutants: new Set<MutantId>(), milliseconds: 0 };
    let start = 0;
    const begin = () => {
      switches.takeReached();
      start = performance.now();
    };
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => resolve());
      runner.on("suite", begin);
      runner.on("hook end", (hook) => {
        if (!hook.title.startsWith('"before all"')) return;
        const { mutants, milliseconds } = hooksOf(hook.parent!);
        for (const id of switches.takeReached()) mutants.add(id);
        bySuite.set(hook.parent!, { mutants, milliseconds: milliseconds + performance.now() - start });
        start = performance.now();
      });
      runner.on("test", begin);
      runner.on("test end", (test) => {
        let milliseconds = performance.now() - start;
        const reached = switches.takeReached();
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

  private async try({ mutant, groups }: Request & { type: "try" }): Promise<Answer> {
    for (const titles of groups) {
      let rest = titles;
      while (rest.length > 0) {
        const suspect = await this.firstFailed(mutant, rest);
        if (suspect === undefined) break;
        // A test before it in the group may have disturbed it: alone it must fail, too, and succeed without the mutant.
        const isAlone = suspect.isLate || rest.length === 1;
        const failed = isAlone ? suspect : await this.firstFailed(mutant, [suspect.title]);
        if (failed !== undefined) {
          // What a late test still does could disturb the next mutant.
          const isReliable = !failed.isLate && (await this.firstFailed(undefined, [failed.title])) === undefined;
          return { type: "tried", killer: failed.title, isReliable };
        }
        rest = rest.filter((title) => title !== suspect.title);
      }
    }
    return { type: "tried", isReliable: true };
  }

  /** Runs tests with a mutant, or without one, until one fails. */
  private async firstFailed(mutant: MutantId | undefined, titles: readonly string[]): Promise<Failed | undefined> {
    const { mocha, switches, suites } = this;
    await switches.activate(mutant);
    mocha.suite.suites = suites;
    const chosen = new Set(titles);
    mocha.options.grep = { test: (title: string) => chosen.has(title) } as RegExp;
    let failed: Failed | undefined;
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => resolve());
      runner.on("test", (test) => {
        switches.takeReached();
        process.send!({ type: "running", title: test.fullTitle() } satisfies Progress);
      });
      runner.on("fail", (test, { code }: Error & { code?: string }) => {
        // A hook may fail instead of its test.
        const title = [test.fullTitle(), test.ctx?.currentTest?.fullTitle()].find((each) => chosen.has(each ?? ""));
        runner.abort();
        failed ??= { title: title ?? titles[0], isLate: code === "ERR_MOCHA_TIMEOUT" };
      });
    });
    await switches.activate(undefined);
    return failed;
  }
}
