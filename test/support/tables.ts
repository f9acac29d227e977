import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";

const ROW = /^\|.*\|$/;

/** Reads the rows of the first table below a title of a page, without the header. */
export async function readTable(file: string, title: string): Promise<string[][]> {
  const { lines } = await partsOf(file, title);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

/** Replaces the rows of the first table below a title of a page. */
export async function writeTable(file: string, title: string, rows: readonly (readonly string[])[]): Promise<void> {
  const { before, after } = await partsOf(file, title);
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  await writeFile(file, [...before, ...lines, ...after].join("\n"));
  execFileSync("node_modules/.bin/oxfmt", [file]);
}

/** Splits a page into the lines before the rows of a table, the rows, and the lines after them. */
async function partsOf(file: string, title: string): Promise<{ before: string[]; lines: string[]; after: string[] }> {
  const page = (await readFile(file, "utf8")).split("\n");
  const titled = page.indexOf(title);
  if (titled < 0) throw new Error(`${file} has no line "${title}"`);
  // Skips the header and the line below it.
  const start = page.findIndex((line, i) => i > titled && ROW.test(line)) + 2;
  const behind = page.findIndex((line, i) => i >= start && !ROW.test(line));
  return { before: page.slice(0, start), lines: page.slice(start, behind), after: page.slice(behind) };
}
