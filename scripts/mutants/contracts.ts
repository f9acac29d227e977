import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Recorded } from "./groups.js";
import { createProject, StackTooDeep } from "./project.js";
import type { RecordedTest } from "./messages.js";
import { Session } from "./sessions.js";
import { buildsOf, mutantsOf, type Mutant, type Mutants } from "./switched.js";
import { contractSources } from "../contract-syntax.js";
import type { Verdict } from "./table.js";

/**
 * Tests that can kill mutants of the contracts. The model of channels calls no contract, and each law with a broken
 * contract takes long.
 */
const TESTS = "test/{arena,attacks,channels,games,ladder,laws,purse,tokens}/**/*.ts";
const LEFT_OUT = ["test/channels/model.ts", "test/channels/model/**", "test/laws/broken.ts"];
/** Runs of a test that found a mutant before: it may play random matches. */
const ATTEMPTS = 8;
/** Milliseconds after which a test has failed. Without a mutant none takes so long. */
const LIMIT = 200_000;

/** Returns the mutants that can be planted in the contracts. */
export function contractMutants(): Mutants {
  return mutantsOf(contractSources());
}

interface Choices {
  /** Returns the title of the only test to run for a mutant. Without it, all tests that reach a mutant run. */
  killerOf?: (mutant: Mutant) => string | undefined;
  onVerdict: (mutant: Mutant, verdict: Verdict) => void;
  tell: (line: string) => void;
}

/**
 * Plants mistakes in the contracts, one at a time, and runs tests until one fails.
 * @param mutants Mutants to try.
 * @throws Error if the contracts or their tests do not work without a mutant
 */
export async function tryContracts(
  { sourcesWith }: Mutants,
  mutants: readonly Mutant[],
  choices: Choices,
): Promise<void> {
  const builds = buildsOf(mutants);
  for (const build of builds) {
    try {
      await tryBuild(build, sourcesWith(new Set(build.map(({ id }) => id))), choices);
    } catch (error) {
      const id = error instanceof StackTooDeep ? error.mutant : undefined;
      const place = build.find((mutant) => mutant.id === id)?.place;
      const there = build.filter((mutant) => mutant.place === place);
      if (there.length < 2) throw error;
      choices.tell(`The compiler cannot take ${there.length} mutants in ${place}: takes half of them first.`);
      const later = there.slice(there.length / 2);
      builds.push(
        build.filter((mutant) => !later.includes(mutant)),
        later,
      );
    }
  }
}

async function tryBuild(
  mutants: readonly Mutant[],
  sources: ReadonlyMap<string, string>,
  { killerOf, onVerdict, tell }: Choices,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "duello-mutants-"));
  const files = globSync(TESTS, { exclude: LEFT_OUT.flatMap((each) => globSync(each)) }).sort();
  const process = { cwd: folder, env: { ...globalThis.process.env, DUELLO_HOME: folder } };
  const sessions = Array.from(
    { length: availableParallelism() },
    () => new Session("scripts/mutants/session.ts", files, LIMIT, process),
  );
  try {
    tell(`Compiling the contracts with ${mutants.length} mutants ...`);
    createProject(folder, sources);
    const recorded = killerOf ? undefined : new Recorded(await record(sessions, tell), mutants);
    await shared(sessions, mutants, async (session, mutant) => {
      const groups = recorded?.groupsOf(mutant) ?? Array<string[]>(ATTEMPTS).fill([killerOf!(mutant)!]);
      const unrepeatable = (title: string) => recorded?.addUnrepeatable(title);
      const killer = groups.length > 0 ? await session.killerOf(mutant.id, groups, unrepeatable) : undefined;
      onVerdict(mutant, { key: mutant.key, killer });
    });
  } finally {
    for (const session of sessions) session.stop();
    await rm(folder, { recursive: true });
  }
}

/** Runs all tests without a mutant. */
async function record(sessions: readonly Session[], tell: (line: string) => void): Promise<RecordedTest[]> {
  const { suites } = await sessions[0].load();
  const tests: RecordedTest[] = [];
  let failures = 0;
  await shared(sessions, [...Array(suites).keys()], async (session, suite) => {
    const { tests: passed, failed } = await session.record(suite);
    tests.push(...passed);
    failures += failed.length;
    for (const failure of failed) tell(`Left out, since it fails without a mutant: ${failure}`);
  });
  if (tests.length === 0) throw new Error("No test succeeds without a mutant.");
  tell(`${tests.length} tests succeed without a mutant, ${failures} are left out.`);
  return tests;
}

/** Lets sessions take tasks from one queue. */
async function shared<T>(
  sessions: readonly Session[],
  tasks: readonly T[],
  perform: (session: Session, task: T) => Promise<void>,
): Promise<void> {
  const waiting = tasks.values();
  await Promise.all(
    sessions.map(async (session) => {
      for (const task of waiting) await perform(session, task);
    }),
  );
}
