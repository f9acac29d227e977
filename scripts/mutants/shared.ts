import type { ChildProcess } from "node:child_process";

/** Request or answer; each script has its own. */
interface Message {
  type: string;
}

/** Message of a process before each test of a mutant. */
export interface Progress {
  type: "running";
  title: string;
}

/**
 * Returns the answer of a process or, if it ends without one, the title of the test that was running.
 * @param limit Milliseconds after which the process is ended; defaults to no limit.
 */
export function answerOf(
  child: ChildProcess,
  request: Message,
  limit?: number,
): Promise<{ answer?: Message; running?: string }> {
  return new Promise((resolve) => {
    let running: string | undefined;
    const timer = limit === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), limit);
    const done = (answer?: Message) => {
      clearTimeout(timer);
      child.off("message", onMessage).off("exit", onExit);
      resolve({ answer, running });
    };
    const onMessage = (message: Message | Progress) => {
      if (message.type === "running") running = (message as Progress).title;
      else done(message);
    };
    const onExit = () => done();
    child.on("message", onMessage).on("exit", onExit);
    child.send(request);
  });
}

/** A test with the time that it took without a mutant. */
interface Timed {
  title: string;
  milliseconds: number;
}

/**
 * Returns the titles of tests in groups that are tried one after the other, as long as the tests took at most `together`
 * milliseconds; but at least the first one.
 * @param sizes Numbers of tests in the groups; the last group has all others.
 */
export function grouped(tests: readonly Timed[], sizes: readonly number[], together: number): string[][] {
  let sum = 0;
  const titles = tests
    .filter(({ milliseconds }, i) => (sum += milliseconds) <= together || i === 0)
    .map(({ title }) => title);
  return [...sizes, Infinity].map((size) => titles.splice(0, size)).filter(({ length }) => length > 0);
}

/** Returns a function that adds a number to each key that it has already returned. */
export function numbering(): (key: string) => string {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > 1 ? `${key} #${count}` : key;
  };
}
