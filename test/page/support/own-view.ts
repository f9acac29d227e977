import { h } from "preact";
import { useState } from "preact/hooks";
import type { TicTacToeFrame } from "../../../sdk/games/tic-tac-toe/index.js";
import type { GameView, PickerProps, SceneProps } from "../../../sdk/games/view.js";

/** Draws the signs of a board in a row. */
function Scene({ frame }: SceneProps<TicTacToeFrame>) {
  return h("p", { "aria-label": "Row of signs" }, frame.board.map((sign) => sign ?? "·").join(" "));
}

/** Asks for a cell, and then for confirmation. */
function Picker({ module, turn, isBusy, onPlay }: PickerProps<TicTacToeFrame, number>) {
  const [cell, setCell] = useState<number>();
  const choose = () => {
    void module.moves.choices!(turn).then(([first]) => setCell(Number(first)));
  };
  return cell === undefined
    ? h("button", { type: "button", onClick: choose }, "Find a free cell")
    : h("button", { type: "button", disabled: isBusy, onClick: () => onPlay(cell) }, `Mark cell ${cell}`);
}

const view: GameView<TicTacToeFrame> = { Scene, Picker };
export default view;
