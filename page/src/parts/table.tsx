import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import "../styles/figures.css";

/** A table that scrolls by itself if it is too wide, also with the keyboard, and shows a hint about scrolling. */
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
  const wide = useRef<HTMLDivElement>(null);
  const isCut = useCut(wide);
  return (
    <div class={isCut ? "cut" : undefined}>
      <div ref={wide} class="wide" role="group" aria-label={caption} tabIndex={0}>
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
      {isCut && (
        <p class="small muted cut-hint" aria-hidden="true">
          Scroll sideways for more columns
        </p>
      )}
    </div>
  );
}

/** Returns whether columns are hidden beyond the right edge of an element that scrolls. */
function useCut(element: RefObject<HTMLElement | null>): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const look = () => setCut(current.scrollWidth - current.clientWidth - current.scrollLeft > 1);
    const observer = new ResizeObserver(look);
    for (const each of [current, current.firstElementChild!]) observer.observe(each);
    current.addEventListener("scroll", look);
    return () => {
      observer.disconnect();
      current.removeEventListener("scroll", look);
    };
  }, []);
  return isCut;
}
