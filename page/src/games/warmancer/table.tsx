import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { FallenPawn } from "duello/games/warmancer";
import type { Layout } from "./layout.js";
import { PlayerBar } from "./panels.js";

interface TableProps {
  readonly viewer: number;
  readonly names: readonly [string, string];
  readonly fallen: readonly FallenPawn[];
  /** Number of the turn that was played last. */
  readonly turn: number;
  readonly layout: Layout;
  readonly board: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Board between the bars of both players, the one who looks below, and all else beside it. */
export function Table({ viewer, names, fallen, turn, layout, board, children }: TableProps) {
  const root = useKeptFocus();
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
        <div class="warmancer-side stack">{children}</div>
      </div>
    </div>
  );
}

let hadFocus = false;

/** Keeps the keyboard on the board while scenes and pickers take each other's place. */
function useKeptFocus() {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const table = root.current!;
    if (hadFocus && document.activeElement === document.body)
      table.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus({ preventScroll: true });
    hadFocus = false;
    return () => {
      hadFocus = table.contains(document.activeElement);
    };
  }, []);
  return root;
}
