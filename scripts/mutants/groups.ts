import type { MutantId, RecordedTest } from "./messages.js";
import { grouped } from "./shared.js";
import type { Mutant } from "./switched.js";

/** Numbers of tests that are tried together. */
const GROUPS = [5, 40];
/** Milliseconds that the tests of one mutant may have taken together without it: a survivor may be killed by a later test. */
const TOGETHER = 30_000;

/** Tests that succeed without a mutant, and the mutants of their build. */
export class Recorded {
  private readonly files: ReadonlyMap<MutantId, string>;
  /** Titles of tests that failed without a mutant when they were repeated in the same process. */
  private readonly unrepeatable = new Set<string>();

  constructor(
    private readonly tests: readonly RecordedTest[],
    mutants: readonly Mutant[],
  ) {
    this.files = new Map(mutants.map(({ id, file }) => [id, file]));
  }

  /** Remembers that a test cannot be repeated. Each use of it needs a new process, so it is tried last. */
  addUnrepeatable(title: string): void {
    this.unrepeatable.add(title);
  }

  /**
   * Returns the titles of the tests that reach a mutant, in groups, as long as they took at most `TOGETHER`
   * milliseconds. Quick tests come first, and those that mostly reach mutants of the same file.
   */
  groupsOf({ id, file }: Mutant): string[][] {
    const reaching = this.tests.filter(({ mutants }) => mutants.includes(id));
    const costs = new Map(reaching.map((test) => [test, this.cost(test, file)]));
    const cheapestFirst = reaching.sort((one, other) => costs.get(one)! - costs.get(other)!);
    return grouped(cheapestFirst, GROUPS, TOGETHER);
  }

  private cost({ title, mutants, milliseconds }: RecordedTest, file: string): number {
    if (this.unrepeatable.has(title)) return Number.MAX_SAFE_INTEGER;
    const near = mutants.filter((each) => this.files.get(each) === file).length;
    return ((milliseconds + 10) * mutants.length) / near;
  }
}
