import { fork, type ChildProcess, type ForkOptions } from "node:child_process";
import type { Answer, MutantId, Progress, RecordedTest, Request } from "./messages.js";

/** A process that runs tests with and without mutants, and is replaced if it can no longer be relied on. */
export class Session {
  private child?: ChildProcess;

  /**
   * @param script Script of the process, which uses `Runner`.
   * @param args Its arguments.
   * @param limit Milliseconds after which a test of a mutant has failed: a mutant may make it loop without waiting.
   */
  constructor(
    private readonly script: string,
    private readonly args: readonly string[],
    private readonly limit: number,
    private readonly options: Pick<ForkOptions, "cwd" | "env"> = {},
  ) {}

  /** Loads the tests, and returns the number of their suites, and the mutants that are reached meanwhile. */
  async load(): Promise<{ suites: number; atLoad: MutantId[] }> {
    return this.ask({ type: "load" }, "loaded");
  }

  /** Returns the tests of a suite that succeed without a mutant, with the mutants that they reach, and a line for each other test. */
  async record(suite: number): Promise<{ tests: RecordedTest[]; failed: string[] }> {
    return this.ask({ type: "record", suite }, "recorded");
  }

  /**
   * Returns the first test that a mutant makes fail; undefined for a mutant that survives in a new process.
   * @param onUnrepeatable Called with the title of a test that also fails without the mutant when it is repeated.
   */
  async killerOf(
    mutant: MutantId,
    groups: readonly (readonly string[])[],
    onUnrepeatable: (title: string) => void = () => undefined,
  ): Promise<string | undefined> {
    const isNew = !this.child;
    const { killer, isReliable } = await this.try(mutant, groups);
    if (killer === undefined && !isNew) {
      // Only a new process is sure to keep nothing that was computed without the mutant.
      this.stop();
      return this.killerOf(mutant, groups, onUnrepeatable);
    }
    if (killer === undefined || isReliable) return killer;
    onUnrepeatable(killer);
    // An earlier test may have caused the failure: it counts only if it happens in a new process, too, and not without
    // the mutant.
    const { succeeds } = await this.ask({ type: "check", title: killer }, "checked");
    if (!succeeds) throw new Error(`This test fails without a mutant: ${killer}`);
    this.stop();
    const again = await this.try(mutant, [[killer]]);
    if (again.killer !== undefined) return again.killer;
    const others = groups.map((titles) => titles.filter((title) => title !== killer));
    return this.killerOf(mutant, others, onUnrepeatable);
  }

  stop(): void {
    this.child?.kill("SIGKILL");
    this.child = undefined;
  }

  private async try(mutant: MutantId, groups: readonly (readonly string[])[]) {
    await this.start();
    const { answer, running } = await this.answerOf({ type: "try", mutant, groups }, this.limit);
    // A mutant may end the process, which counts as a failure of the test that was running.
    const tried = answer?.type === "tried" ? answer : { killer: running ?? groups.flat()[0], isReliable: false };
    if (!tried.isReliable) this.stop();
    return tried;
  }

  private async ask<T extends Answer["type"]>(request: Request, type: T): Promise<Extract<Answer, { type: T }>> {
    await this.start();
    const { answer } = await this.answerOf(request);
    if (answer?.type !== type) throw new Error("The process of the tests has ended.");
    return answer as Extract<Answer, { type: T }>;
  }

  private async start(): Promise<void> {
    if (this.child) return;
    const stdio: ForkOptions["stdio"] = ["ignore", "ignore", "inherit", "ipc"];
    this.child = fork(this.script, this.args, { ...this.options, execArgv: ["--import", "tsx"], stdio });
    // The limit of a request does not include the time in which tests are loaded.
    if (!(await this.answerOf({ type: "load" })).answer) throw new Error("The tests cannot be loaded.");
  }

  /**
   * Returns the answer of the process or, if it ends without one, the title of the test that was running.
   * @param limit Milliseconds for each test, after which the process is ended; defaults to no limit.
   */
  private answerOf(request: Request, limit?: number): Promise<{ answer?: Answer; running?: string }> {
    const child = this.child!;
    return new Promise((resolve) => {
      let running: string | undefined;
      const timer = limit === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), limit);
      const done = (answer?: Answer) => {
        clearTimeout(timer);
        child.off("message", onMessage).off("exit", onExit);
        if (!answer) this.child = undefined;
        resolve({ answer, running });
      };
      const onMessage = (message: Answer | Progress) => {
        if (message.type !== "running") return done(message);
        running = message.title;
        timer?.refresh();
      };
      const onExit = () => done();
      child.on("message", onMessage).on("exit", onExit);
      child.send(request);
    });
  }
}
