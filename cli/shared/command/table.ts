import { stdout } from "node:process";
import { shortAddress } from "../../../sdk/protocol/text.js";

const GAP = "  ";
const ADDRESS = /\b0x[0-9a-fA-F]{40}\b/g;

/** Format of a table. */
interface TableOptions {
  /** Returns whether a column is aligned to the right; by default, no column is. */
  isNumeric?: (column: number) => boolean;
  /** Width in characters; defaults to the width of the terminal; unlimited without a terminal. */
  width?: number;
}

/**
 * Aligns the columns of a table. If it is too wide, addresses are shortened; columns that still do not fit continue on
 * further lines of each row.
 */
export function tableOf(rows: readonly (readonly string[])[], options: TableOptions = {}): string[] {
  return tableRows(rows, options).flat();
}

/** Aligns the columns of a table like `tableOf`. @returns the lines of each row. */
export function tableRows(
  rows: readonly (readonly string[])[],
  { isNumeric = () => false, width = stdout.isTTY ? stdout.columns : Infinity }: TableOptions = {},
): string[][] {
  const isTooWide = lineWidth(widthsOf(rows)) > width;
  const shown = isTooWide ? rows.map((row) => row.map((cell) => cell.replace(ADDRESS, shortAddress))) : rows;
  const widths = widthsOf(shown);
  const aligned = (cell: string, column: number) =>
    isNumeric(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
  const lines = columnsByLine(widths, width);
  return shown.map((row) => {
    const cells = row.map(aligned);
    return lines.map(([from, to], i) => `${i > 0 ? GAP : ""}${cells.slice(from, to).join(GAP)}`.trimEnd());
  });
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column].length)));
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
}

/**
 * Splits columns over several lines, each as long as possible.
 * @returns the first column of each line, and the index after its last column.
 */
function columnsByLine(widths: readonly number[], width: number): [from: number, to: number][] {
  const lines: [number, number][] = [[0, 1]];
  for (let column = 1; column < widths.length; column++) {
    const line = lines.at(-1)!;
    const indent = lines.length > 1 ? GAP.length : 0;
    if (indent + lineWidth(widths.slice(line[0], column + 1)) <= width) line[1] = column + 1;
    else lines.push([column, column + 1]);
  }
  return lines;
}
