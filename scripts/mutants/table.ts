import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** What became of a mutant. */
export interface Verdict {
  key: string;
  /** Title of a test that fails with the mutant; undefined for a survivor. */
  killer?: string;
}

interface Stored {
  /** Keys of the killed mutants, by the title of a test that fails with them. */
  killed: Record<string, string[]>;
  survived: string[];
  /** Keys of mutants that no test can find, by the reason. */
  equivalent: Record<string, string[]>;
}

/** The committed verdicts about the mutants of one target. */
export class Table {
  private readonly killers = new Map<string, string>();
  private readonly survivors = new Set<string>();
  private readonly equivalents: Stored["equivalent"];

  constructor(private readonly file: string) {
    const stored = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Partial<Stored>) : {};
    for (const [title, keys] of Object.entries(stored.killed ?? {})) {
      for (const key of keys) this.killers.set(key, title);
    }
    for (const key of stored.survived ?? []) this.survivors.add(key);
    this.equivalents = stored.equivalent ?? {};
  }

  /** Returns the title of the test that killed a mutant. */
  killerOf(key: string): string | undefined {
    return this.killers.get(key);
  }

  survived(key: string): boolean {
    return this.survivors.has(key);
  }

  isEquivalent(key: string): boolean {
    return Object.values(this.equivalents).some((keys) => keys.includes(key));
  }

  /** Numbers of mutants. */
  get counts(): { killed: number; survived: number; equivalent: number } {
    const equivalent = Object.values(this.equivalents).flat().length;
    return { killed: this.killers.size, survived: this.survivors.size, equivalent };
  }

  /** Adds a verdict, or replaces the mutant's earlier one. */
  add({ key, killer }: Verdict): void {
    this.killers.delete(key);
    this.survivors.delete(key);
    if (killer !== undefined) this.killers.set(key, killer);
    else if (!this.isEquivalent(key)) this.survivors.add(key);
  }

  /** Writes the verdicts about mutants that can still be planted. */
  write(existing: ReadonlySet<string>): void {
    const killed: Stored["killed"] = {};
    for (const [key, title] of [...this.killers].sort()) if (existing.has(key)) (killed[title] ??= []).push(key);
    const sorted = Object.fromEntries(Object.entries(killed).sort(([one], [other]) => (one < other ? -1 : 1)));
    const equivalent = Object.fromEntries(
      Object.entries(this.equivalents)
        .map(([reason, keys]) => [reason, keys.filter((key) => existing.has(key)).sort()] as const)
        .filter(([, keys]) => keys.length > 0),
    );
    const survived = [...this.survivors].filter((key) => existing.has(key)).sort();
    writeFileSync(this.file, `${JSON.stringify({ killed: sorted, survived, equivalent }, null, 2)}\n`);
  }
}
