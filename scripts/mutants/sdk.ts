import { globSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrumented, type Mutant } from "./sdk/instrumented.js";
import type { RecordedTest } from "./messages.js";
import { Session } from "./sessions.js";
import { grouped } from "./shared.js";
import type { Verdict } from "./table.js";

/** Files whose mutants are tried. */
const MUTATED = [
  "sdk/protocol/!(arguments|text).ts",
  "sdk/protocol/channels/*.ts",
  "sdk/verify/!(shown-state).ts",
  "sdk/chain/channel-*.ts",
  "sdk/games/channel-match.ts",
  "sdk/player/channels/wishes.ts",
  "indexer/src/{activity,event,money,row-history,rows}.ts",
];
/** Tests of these files that are quick, and start no other program: that would run the code without mutants. */
const TESTS = [
  "test/support/keccak.ts",
  "test/sdk/{protocol,verify}/*.ts",
  "test/sdk/decoders.ts",
  "test/ladder/ladder.ts",
  "test/sdk/channels/{log,messages,seeks,state,transcript,wishes}.ts",
  "test/sdk/chain/{channel-course,channel-match,channel-record,channel-search,search}.ts",
  "test/sdk/games/channel-match.ts",
  "test/indexer/{channels,derived-rows,row-history}.ts",
];
const LEFT_OUT = ["test/sdk/verify/memory.ts"];
/** Numbers of tests that are tried together. */
const GROUPS = [3, 30];
/** Milliseconds that the tests of one mutant may have taken together without it: a survivor may be killed by a later test. */
const TOGETHER = 20_000;
/** Milliseconds after which a test has failed. Without a mutant none takes longer than a few seconds. */
const LIMIT = 60_000;

const filesOf = (patterns: readonly string[], exclude: readonly string[] = []) =>
  globSync(patterns, { exclude: exclude.flatMap((each) => globSync(each)) }).sort();

/** Mutants of the SDK and the index, and the instrumented files by their paths. */
export type SdkMutants = Awaited<ReturnType<typeof instrumented>>;

/** Returns the mutants that can be planted in the SDK and the index. */
export function sdkMutants(): Promise<SdkMutants> {
  return instrumented(filesOf(MUTATED));
}

/**
 * Plants mistakes in the SDK, one at a time, and runs tests until one fails.
 * @param mutants Mutants to try.
 * @param tests Files with tests; defaults to tests of the SDK and the index.
 * @param killerOf Returns the title of the only test to run for a mutant. Without it, all tests that reach a mutant run.
 * @throws Error if the tests do not work without a mutant
 */
export async function trySdk(
  { write }: SdkMutants,
  mutants: readonly Mutant[],
  {
    tests = filesOf(TESTS, LEFT_OUT),
    killerOf,
    onVerdict,
    tell,
  }: {
    tests?: readonly string[];
    killerOf?: (mutant: Mutant) => string | undefined;
    onVerdict: (mutant: Mutant, verdict: Verdict) => void;
    tell: (line: string) => void;
  },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "duello-mutants-"));
  const session = new Session("scripts/mutants/sdk/session.ts", [folder, ...tests], LIMIT);
  try {
    write(folder);
    const recording = killerOf ? undefined : await recorded(session, tell);
    const choice = recording && new Choice(recording.tests);
    // The same tests mostly kill neighbours.
    const place = ({ file, line }: Mutant) => `${file} ${String(line).padStart(6)}`;
    for (const mutant of mutants.toSorted((one, other) => (place(one) < place(other) ? -1 : 1))) {
      const groups = choice?.groupsFor(mutant) ?? [[killerOf!(mutant)!]];
      // Once its module is loaded, such a mutant changes nothing.
      if (groups.length === 0 && recording?.atLoad.has(mutant.id)) continue;
      const killer = groups.length > 0 ? await session.killerOf(mutant.id, groups) : undefined;
      if (killer !== undefined) choice?.killed(mutant, killer);
      onVerdict(mutant, { key: mutant.key, killer });
    }
  } finally {
    session.stop();
    await rm(folder, { recursive: true });
  }
}

/** Runs all tests without a mutant. */
async function recorded(session: Session, tell: (line: string) => void) {
  const tests: RecordedTest[] = [];
  const { suites, atLoad } = await session.load();
  for (const suite of Array(suites).keys()) {
    const { tests: passed, failed } = await session.record(suite);
    tests.push(...passed);
    for (const failure of failed) tell(`Left out, since it fails without a mutant: ${failure}`);
  }
  if (tests.length === 0) throw new Error("No test succeeds without a mutant.");
  tell(`${tests.length} tests succeed without a mutant.`);
  return { tests, atLoad: new Set(atLoad) };
}

/** Milliseconds that the shortest test counts as, so that tests of one unit come before short tests of everything. */
const OVERHEAD = 50;
/** A quick test that reaches few mutants comes first. */
const costOf = ({ milliseconds, mutants }: RecordedTest) => (milliseconds + OVERHEAD) * mutants.length;

/** Chooses tests for mutants, and learns from their verdicts. */
class Choice {
  /** Tests that killed mutants of a file, the latest last. */
  private readonly killers = new Map<string, string[]>();

  constructor(private readonly tests: readonly RecordedTest[]) {}

  /**
   * Returns the titles of the tests that reach a mutant, in groups, as long as they took at most `TOGETHER`
   * milliseconds. Tests that killed mutants of the same file come first, then quick tests that reach few mutants.
   */
  groupsFor({ id, file }: Mutant): string[][] {
    const killers = this.killers.get(file) ?? [];
    const reaching = this.tests
      .filter(({ mutants }) => mutants.includes(id))
      .sort(
        (one, other) =>
          killers.lastIndexOf(other.title) - killers.lastIndexOf(one.title) || costOf(one) - costOf(other),
      );
    return grouped(reaching, GROUPS, TOGETHER);
  }

  killed({ file }: Mutant, killer: string): void {
    this.killers.set(file, [...(this.killers.get(file) ?? []), killer]);
  }
}
