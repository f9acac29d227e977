import { useEffect, useRef, useState } from "preact/hooks";
import { cellsOf, CELLS, type TicTacToeFrame } from "duello/games/tic-tac-toe";
import type { PickerProps } from "../game.ts";
import { cellName, cellTowards, Legend, Mark, rowsOf, type Sign } from "./board.tsx";

/** Cell that was last marked on this page: the keyboard continues there after the opponent's move. */
let left: number | undefined;

/** Board whose free cells are buttons: it is one tab stop, arrows move within it, and a tap or Enter marks a cell. */
export function Picker({ module, turn, mode, names, isBusy, onPlay }: PickerProps<TicTacToeFrame, number>) {
  const cells = turn.record ? cellsOf(turn.record) : [];
  const board = Array.from({ length: CELLS }, (_, cell) => signAt(cells, cell));
  const own: Sign = turn.seat === 1n ? "X" : "O";
  const [focus, setFocus] = useState(left ?? 4);
  const [chosen, setChosen] = useState<number>();
  const buttons = useRef<HTMLButtonElement[]>([]);
  // Between two turns the scene replaces this board, and the focus is lost.
  useEffect(() => {
    if (left !== undefined && document.activeElement === document.body) buttons.current[left].focus();
    left = undefined;
  }, []);
  // After a refusal, the same or another cell may be chosen.
  useEffect(() => {
    if (!isBusy) setChosen(undefined);
  }, [isBusy, cells.length]);

  const mark = (cell: number) => {
    if (isBusy || board[cell] !== null) return;
    setChosen(cell);
    left = cell;
    onPlay(cell);
  };
  const move = (event: KeyboardEvent) => {
    const cell = cellTowards(focus, event.key);
    if (cell === undefined) return;
    event.preventDefault();
    buttons.current[cell].focus();
  };
  return (
    <div class="tic">
      <Legend names={names} own={Number(turn.seat)} />
      <div class="tic-board" role="grid" aria-label={`Board: mark a free cell with ${own}`} onKeyDown={move}>
        {rowsOf().map((row) => (
          <div key={row[0]} role="row" class="tic-line">
            {row.map((cell) => (
              <button
                key={cell}
                ref={(button) => void (buttons.current[cell] = button!)}
                type="button"
                role="gridcell"
                class={`tic-cell ${cell === cells.at(-1) ? "tic-last" : ""} ${cell === chosen ? "tic-sent" : ""}`}
                tabIndex={cell === focus ? 0 : -1}
                aria-disabled={isBusy || board[cell] !== null}
                aria-label={cellName(cell, board[cell]) + (cell === cells.at(-1) ? ", marked last" : "")}
                onFocus={() => setFocus(cell)}
                onClick={() => mark(cell)}
              >
                <Mark sign={board[cell]} />
                {board[cell] === null && (
                  <span class="tic-ghost">
                    <Mark sign={own} />
                  </span>
                )}
              </button>
            ))}
          </div>
        ))}
      </div>
      <p class="muted small">Three in a row win. {module.modeFormat?.describe(mode).join(" ")}</p>
    </div>
  );
}

function signAt(cells: readonly number[], cell: number): Sign {
  const number = cells.indexOf(cell);
  if (number < 0) return null;
  return number % 2 === 0 ? "X" : "O";
}
