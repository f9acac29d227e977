/** Mutants of TypeScript files by Stryker's instrumenter, which puts all of them into the code, each behind a switch. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { numbering } from "../shared.js";

export interface Mutant {
  /** Number that switches it on. */
  id: string;
  /**
   * File, line of code and change: the same in each commit that does not touch this line. A number follows if the file
   * has the same change of the same line more than once.
   */
  key: string;
  file: string;
  line: number;
  before: string;
  after: string;
}

/**
 * Operators that are not applied. Texts are for readers, and tests compare them only where they matter. An empty object
 * or function is mostly an error of types, which the compiler finds.
 */
const EXCLUDED = ["StringLiteral", "ObjectLiteral", "ArrowFunction", "Regex"];

/** Longest text of code in a key. */
const LONGEST = 60;

/** Logger without output, for the instrumenter. */
const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
};

/** Returns code on one line, without the middle of a long text. */
function shortened(code: string): string {
  const line = code.replaceAll(/\s+/g, " ").trim();
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST / 2)}…${line.slice(-LONGEST / 2)}`;
}

interface Position {
  line: number;
  column: number;
}

/** Returns the text between two positions. */
function between(lines: string[], start: Position, end: Position): string {
  if (start.line === end.line) return lines[start.line].slice(start.column, end.column);
  const whole = lines.slice(start.line + 1, end.line);
  return [lines[start.line].slice(start.column), ...whole, lines[end.line].slice(0, end.column)].join("\n");
}

/** Finds the mutants of files. */
export async function instrumented(files: readonly string[]): Promise<{
  all: readonly Mutant[];
  /** Writes the files with all mutants into a folder, as JavaScript. */
  write(folder: string): void;
}> {
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
  const options = { plugins: null, excludedMutations: EXCLUDED, ignorers: [] };
  const result = await new Instrumenter(silent).instrument(sources, options);

  const linesOf = new Map(sources.map(({ name, content }) => [name, content.split("\n")]));
  const numbered = numbering();
  const all = result.mutants
    .filter(({ status }) => status !== "Ignored")
    .map(({ id, fileName, location, mutatorName, replacement }): Mutant => {
      const lines = linesOf.get(fileName)!;
      const line = location.start.line;
      // A block has other lines, whose edits shall not change its key.
      const isBlock = mutatorName === "BlockStatement";
      const before = isBlock ? "{…}" : shortened(between(lines, location.start, location.end));
      const after = shortened(replacement);
      const key = numbered(`${fileName} ${shortened(lines[line])}: ${before} => ${after}`);
      return { id, key, file: fileName, line: line + 1, before, after };
    });
  const write = (folder: string) => {
    for (const { name, content } of result.files) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, transformSync(content, { loader: "ts", format: "esm", target: "es2023" }).code);
    }
  };
  return { all, write };
}
