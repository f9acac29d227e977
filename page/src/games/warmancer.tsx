import type { WarmancerFrame } from "duello/games/warmancer";
import { useMemo, useState } from "preact/hooks";
import type { GameView, PickerProps, SceneProps } from "./game.js";
import { Board } from "./warmancer/board.js";
import { layoutOf } from "./warmancer/layout.js";
import { MovePicker } from "./warmancer/move.js";
import { Battles, PawnInfo, RankHelp, Ways } from "./warmancer/panels.js";
import { SetupPicker } from "./warmancer/setup.js";
import { Table } from "./warmancer/table.js";
import "./warmancer.css";

/** Draws a turn: the board after it, the ways that both pawns took, their battle, and what is known of a pawn. */
function Scene({ frame, isMoving, viewer, names }: SceneProps<WarmancerFrame>) {
  const { tiles, board, fallen, turn, moves, battles } = frame;
  const layout = useMemo(() => layoutOf(tiles, viewer === 2), [tiles.join(), viewer]);
  const [at, setAt] = useState<string>();
  const isEnd = frame.result !== null && moves.length === 0;
  const pawn = at === undefined ? undefined : board[at];
  return (
    <Table
      viewer={viewer}
      names={names}
      fallen={fallen}
      turn={turn}
      layout={layout}
      board={
        <Board
          label={turn === 0 ? "Board before the first turn" : `Board after turn ${turn}`}
          layout={layout}
          tiles={tiles}
          pawns={board}
          viewer={viewer}
          last={frame}
          isMoving={isMoving}
          picked={pawn && at}
          onPress={(tile) => setAt(tile === at ? undefined : tile)}
          onCancel={() => setAt(undefined)}
        />
      }
    >
      <h3>{turn === 0 ? "Both armies stand" : isEnd ? "The end" : `Turn ${turn}`}</h3>
      <Ways moves={moves} viewer={viewer} />
      <Battles battles={battles} viewer={viewer} />
      {pawn ? (
        <PawnInfo pawn={pawn} tile={at!} viewer={viewer} />
      ) : (
        <p class="small muted">Tap a pawn to see what is known of it.</p>
      )}
      <RankHelp />
    </Table>
  );
}

/** Lets a player set up its army, and then move. */
function Picker(props: PickerProps<WarmancerFrame>) {
  return props.turn.record?.joinData === undefined ? <SetupPicker {...props} /> : <MovePicker {...props} />;
}

export default { Scene, Picker, isPickedInScene: true } satisfies GameView<WarmancerFrame>;
