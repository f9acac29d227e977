/**
 * Aligns the columns of a table.
 * @param isNumeric Tells the columns that are aligned to the right; none if left out.
 */
export function tableOf(
  rows: readonly (readonly string[])[],
  isNumeric: (column: number) => boolean = () => false,
): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const cell = (text: string, column: number) =>
    isNumeric(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  return rows.map((row) => row.map(cell).join("  ").trimEnd());
}
