import type { TicTacToeFrame } from "duello/games/tic-tac-toe";
import type { SceneProps } from "../game.ts";
import { cellName, Legend, Mark, rowsOf } from "./board.tsx";

/** Board after a mark: the mark itself, and the row that has won. */
export function Scene({ frame, isMoving, viewer, names }: SceneProps<TicTacToeFrame>) {
  const { board, cell, row } = frame;
  const note = (each: number) => (row.includes(each) ? ", in the winning row" : each === cell ? ", marked last" : "");
  const classes = (each: number) =>
    `tic-cell ${row.includes(each) ? "tic-row" : ""} ${each === cell ? `tic-last ${isMoving ? "tic-new" : ""}` : ""}`;
  return (
    <div class="tic">
      <Legend names={names} own={viewer} />
      <div class="tic-board" role="table" aria-label="Board">
        {rowsOf().map((cells) => (
          <div key={cells[0]} role="row" class="tic-line">
            {cells.map((each) => (
              <div key={each} role="cell" class={classes(each)} aria-label={cellName(each, board[each]) + note(each)}>
                <Mark sign={board[each]} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
