/** Result of a coverage report: lines reached, all lines, and a sentence for each problem. */
export interface Verdict {
  reached: number;
  lines: number;
  problems: string[];
}

/** Checks an lcov report against the sources: the report must contain all of them. */
export function judge(lcov: string, sources: Map<string, string>): Verdict {
  const report = readLcov(lcov);
  const verdict: Verdict = { reached: 0, lines: 0, problems: [] };
  for (const [file, source] of sources) {
    const code = source.split("\n").map((line) => line.trim());
    const hits = report.get(file);
    if (hits === undefined) verdict.problems.push(`${file}: not in the report`);
    for (const [line, hit] of hits ?? []) {
      if (hit) verdict.reached++;
      else verdict.problems.push(`${file}:${line}: no test reaches \`${code[line - 1]}\``);
      verdict.lines++;
    }
  }
  return verdict;
}

/** Reads which lines were reached, by file. A line with several counts is reached only if every count is above zero. */
function readLcov(text: string): Map<string, Map<number, boolean>> {
  const files = new Map<string, Map<number, boolean>>();
  let lines = new Map<number, boolean>();
  for (const record of text.split("\n")) {
    const [, key, value] = /^(SF|DA):(.*)$/.exec(record) ?? [];
    if (key === "SF") {
      lines = files.get(value) ?? new Map<number, boolean>();
      files.set(value, lines);
    } else if (key === "DA") {
      const [line, count] = value.split(",").map(Number);
      lines.set(line, count > 0 && lines.get(line) !== false);
    }
  }
  return files;
}
