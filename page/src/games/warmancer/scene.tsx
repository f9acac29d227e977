import type { WarmancerFrame } from "duello/games/warmancer";
import { useMemo, useState } from "preact/hooks";
import type { SceneProps } from "../game.ts";
import { useMoving } from "../shared/moving.ts";
import { Board } from "./board.tsx";
import { layoutOf } from "./layout.ts";
import { Battles, PawnInfo, RankHelp, Ways } from "./panels.tsx";
import { Table } from "./table.tsx";

/** What a turn is drawn from. */
type TurnProps = Pick<SceneProps<WarmancerFrame>, "frame" | "step" | "isMoving" | "viewer" | "names">;

/** Draws a turn: the board after it, the ways that both pawns took, their battle, and what is known of a pawn. */
export function Scene({ frame, step, isMoving, viewer, names }: TurnProps) {
  const { tiles, board, fallen, turn, battles } = frame;
  const layout = useMemo(() => layoutOf(tiles, viewer === 2), [tiles.join(), viewer]);
  const isSeenMoving = useMoving(step, isMoving);
  const [at, setAt] = useState<string>();
  const isEnd = frame.result !== null && frame.moves.length === 0;
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
          isMoving={isSeenMoving}
          picked={pawn && at}
          onPress={(tile) => setAt(tile === at ? undefined : tile)}
          onCancel={() => setAt(undefined)}
        />
      }
      head={
        <>
          <h2>{turn === 0 ? "Both armies stand" : isEnd ? "The end" : `Turn ${turn}`}</h2>
          <Ways moves={frame.moves} viewer={viewer} />
          <Battles battles={battles} viewer={viewer} />
        </>
      }
    >
      {pawn ? (
        <PawnInfo pawn={pawn} tile={at!} viewer={viewer} />
      ) : (
        <p class="small muted">Tap a pawn to see what is known of it.</p>
      )}
      <RankHelp />
    </Table>
  );
}
