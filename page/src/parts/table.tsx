import type { ComponentChildren } from "preact";
import "../styles/figures.css";

/** A table that scrolls by itself if it is too wide, also by keyboard. */
export function Table({
  caption,
  columns,
  rows,
  names = 1,
}: {
  /** Name of the table for screen readers. */
  caption: string;
  columns: readonly ComponentChildren[];
  rows: readonly { readonly key: string; readonly cells: readonly (ComponentChildren | bigint)[] }[];
  /** Number of leading columns without figures. */
  names?: 1 | 2;
}) {
  return (
    <div class="wide" role="group" aria-label={caption} tabIndex={0}>
      <table class={names === 1 ? "figures" : "figures named"}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((title, i) => (
              <th key={i} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, i) => (
                <td key={i}>{typeof cell === "bigint" ? String(cell) : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
