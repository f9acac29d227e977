import { fork, type ChildProcess } from "node:child_process";
import type { Answer, Request, TestMessage } from "./session.js";
import { answerOf } from "../shared.js";

type AnswerOf<T extends Answer["type"]> = Extract<Answer, { type: T }>;

/** A test that succeeds without a mutant. */
export type RecordedTest = Omit<TestMessage, "mutants"> & { mutants: ReadonlySet<string> };

/** A process that runs tests on instrumented code. */
export class Session {
  private child?: ChildProcess;

  /**
   * @param folder Folder of the instrumented code.
   * @param files Files with tests.
   * @param limit Milliseconds after which a test counts as failed.
   */
  constructor(
    private readonly folder: string,
    private readonly files: readonly string[],
    private readonly limit: number,
  ) {}

  /** Loads the tests, and returns the number of their suites, and the mutants that are reached meanwhile. */
  async load(): Promise<{ suites: number; atLoad: string[] }> {
    return (await this.ask({ type: "load" })) as AnswerOf<"loaded">;
  }

  /** Returns the tests of a suite that succeed without a mutant, and a line for each other test. */
  async record(suite: number): Promise<{ tests: RecordedTest[]; failed: string[] }> {
    const { tests, failed } = (await this.ask({ type: "record", suite })) as AnswerOf<"recorded">;
    return { tests: tests.map((test) => ({ ...test, mutants: new Set(test.mutants) })), failed };
  }

  /** Returns the first test that a mutant makes fail; undefined for a mutant that survives. */
  async killerOf(mutant: string, groups: readonly (readonly string[])[]): Promise<string | undefined> {
    const { killer, isReliable } = await this.try(mutant, groups);
    if (killer === undefined || isReliable) return killer;
    // An earlier mutant may have caused the failure. In a new process the test must first succeed without one.
    const { succeeds } = (await this.ask({ type: "check", title: killer })) as AnswerOf<"checked">;
    if (!succeeds) throw new Error(`This test fails alone: ${killer}`);
    const again = await this.try(mutant, [[killer]]);
    if (again.killer !== undefined) return again.killer;
    const others = groups.map((titles) => titles.filter((title) => title !== killer));
    return this.killerOf(
      mutant,
      others.filter(({ length }) => length > 0),
    );
  }

  stop(): void {
    this.child?.kill("SIGKILL");
    this.child = undefined;
  }

  private async try(mutant: string, groups: readonly (readonly string[])[]): Promise<AnswerOf<"tried">> {
    const answer = (await this.ask({ type: "try", mutant, groups, milliseconds: this.limit })) as AnswerOf<"tried">;
    if (!answer.isReliable) this.stop();
    return answer;
  }

  private async ask(request: Request): Promise<Answer> {
    this.child ??= fork("scripts/mutants/sdk/session.ts", [this.folder, ...this.files], {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // A mutant may never leave a loop, and end the process or keep it busy.
    const limit = request.type === "try" ? this.limit * 2 : undefined;
    const { answer, running } = await answerOf(this.child, request, limit);
    if (answer) return answer as Answer;
    this.child = undefined;
    if (request.type === "try") return { type: "tried", killer: running ?? request.groups[0][0], isReliable: false };
    throw new Error("The process of the tests has ended.");
  }
}
