import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { FallenPawn } from "duello/games/warmancer";
import type { Layout } from "./layout.ts";
import { PlayerBar } from "./panels.tsx";

interface TableProps {
  readonly viewer: number;
  readonly names: readonly [string, string];
  readonly fallen: readonly FallenPawn[];
  /** Number of the turn that was played last. */
  readonly turn: number;
  readonly layout: Layout;
  readonly board: ComponentChildren;
  /** Requests and actions, or past events: directly below the board if there is no room beside it. */
  readonly head: ComponentChildren;
  /** True if something must be sent, so that the head stays in sight. */
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
}

/** Board between the bars of both players, the viewer's at the bottom, with everything else beside it. */
export function Table({ viewer, names, fallen, turn, layout, board, head, isReady = false, children }: TableProps) {
  const root = useKeptFocus();
  useEffect(() => {
    if (isReady) showBoard(root.current!);
  }, [isReady]);
  const below = viewer === 2 ? 2 : 1;
  const bar = (player: number) => <PlayerBar player={player} name={names[player - 1]} fallen={fallen} turn={turn} />;
  return (
    <div ref={root} class="warmancer" style={{ "--columns": layout[0].length, "--rows": layout.length }}>
      <div class="warmancer-table">
        <div class="warmancer-main">
          {bar(3 - below)}
          {board}
          {bar(below)}
        </div>
        <div class={`warmancer-head stack tight${isReady ? " ready" : ""}`}>{head}</div>
        <div class="warmancer-side stack">{children}</div>
      </div>
    </div>
  );
}

/** Scrolls the board so that a sticky head does not cover it. */
function showBoard(table: HTMLElement): void {
  const [main, head] = ["main", "head"].map((part) => table.querySelector<HTMLElement>(`.warmancer-${part}`)!);
  if (getComputedStyle(head).position !== "sticky") return;
  main.style.scrollMarginBottom = `${head.offsetHeight + 16}px`;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  main.scrollIntoView({ block: "nearest", behavior: isStill ? "auto" : "smooth" });
}

/**
 * Tile that had the focus when a board was removed, or an empty text for a control beside it; undefined if neither had
 * the focus.
 */
let left: string | undefined;

/** Keeps the keyboard focus on the board while scenes and pickers replace each other. */
function useKeptFocus() {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const table = root.current!;
    if (left !== undefined && document.activeElement === document.body) {
      const tile = left === "" ? '[role="gridcell"][tabindex="0"]' : `[data-tile="${left}"]`;
      table.querySelector<HTMLElement>(tile)?.focus({ preventScroll: true });
    }
    left = undefined;
    return () => {
      const active = document.activeElement as HTMLElement;
      left = table.contains(active) ? (active.dataset.tile ?? "") : undefined;
    };
  }, []);
  return root;
}
