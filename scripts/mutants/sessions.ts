import { fork, type ChildProcess } from "node:child_process";
import type { Answer, RecordedTest, Request } from "./session.js";
import { answerOf } from "./shared.js";

type AnswerOf<T extends Answer["type"]> = Extract<Answer, { type: T }>;

/** Milliseconds after which the tests of a mutant have failed: a mutant may make a test loop without waiting. */
const LIMIT = 300_000;

/** A process that runs the tests of a project with mutants. */
export class Session {
  private child?: ChildProcess;

  /** @param folder Folder of the project. @param files Files with tests. */
  constructor(
    private readonly folder: string,
    private readonly files: readonly string[],
  ) {}

  /** Loads the tests, and returns the number of their suites. */
  async load(): Promise<number> {
    return ((await this.ask({ type: "load" })) as AnswerOf<"loaded">).suites;
  }

  /** Returns the tests of a suite that succeed without a mutant, with the mutants that they reach, and a line for each other test. */
  async record(suite: number): Promise<{ tests: RecordedTest[]; failed: string[] }> {
    return (await this.ask({ type: "record", suite })) as AnswerOf<"recorded">;
  }

  /**
   * Returns the first test that a mutant makes fail; undefined for a mutant that survives.
   * @param onUnrepeatable Called with the title of a test that also fails without the mutant when it is repeated.
   */
  async killerOf(
    mutant: number,
    groups: readonly (readonly string[])[],
    onUnrepeatable: (title: string) => void,
  ): Promise<string | undefined> {
    const { killer, isReliable } = await this.try(mutant, groups);
    if (killer === undefined || isReliable) return killer;
    onUnrepeatable(killer);
    // An earlier test may have caused the failure: it counts only if it happens in a new process, too, and not without
    // the mutant.
    const { succeeds } = (await this.ask({ type: "check", title: killer })) as AnswerOf<"checked">;
    if (!succeeds) throw new Error(`This test fails without a mutant: ${killer}`);
    this.stop();
    const again = await this.try(mutant, [[killer]]);
    if (again.killer !== undefined) return again.killer;
    const others = groups.map((titles) => titles.filter((title) => title !== killer));
    return this.killerOf(mutant, others, onUnrepeatable);
  }

  private async try(mutant: number, groups: readonly (readonly string[])[]) {
    const answer = (await this.ask({ type: "try", mutant, groups })) as AnswerOf<"tried">;
    if (!answer.isReliable) this.stop();
    return answer;
  }

  stop(): void {
    this.child?.kill("SIGKILL");
    this.child = undefined;
  }

  /** Sends a request. A mutant may end the process, which counts as a failure of the first test. */
  private async ask(request: Request): Promise<Answer> {
    const isNew = !this.child;
    this.child ??= fork("scripts/mutants/session.ts", this.files, {
      cwd: this.folder,
      execArgv: ["--import", "tsx"],
      env: { ...process.env, DUELLO_HOME: this.folder },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    if (isNew && !(await answerOf(this.child, { type: "load" })).answer) throw new Error("The tests cannot be loaded.");
    const { answer, running } = await answerOf(this.child, request, request.type === "try" ? LIMIT : undefined);
    if (answer) return answer as Answer;
    this.child = undefined;
    if (request.type !== "try") throw new Error("The process of the tests has ended.");
    return { type: "tried", killer: running ?? request.groups[0][0], isReliable: false };
  }
}
