import type { BoardPawn, FallenPawn, PawnId, PawnMove, WarmancerFrame } from "duello/games/warmancer";
import { useMemo, useState } from "preact/hooks";
import type { SceneProps } from "../game.ts";
import { Board } from "./board.tsx";
import { layoutOf } from "./layout.ts";
import { Battles, PawnInfo, RankHelp, Ways } from "./panels.tsx";
import { Table } from "./table.tsx";

/** Data that determine how a turn is drawn. */
type TurnProps = Pick<SceneProps<WarmancerFrame>, "frame" | "isMoving" | "viewer" | "names"> &
  Partial<Pick<SceneProps<WarmancerFrame>, "frames">>;

/**
 * View of hidden ranks in a finished match: all ranks that were revealed by its end, those that everybody knew at the
 * time, or those that a player knew.
 */
type Sight = "end" | "then" | "1" | "2";

/** Identifies a pawn among all pawns of a match. */
const idOf = ({ player, slot }: PawnId) => `${player} ${slot}`;

/** Returns the ranks that were revealed by the end of a match; empty while it is in play. */
function ranksByEnd(frames: readonly WarmancerFrame[]): ReadonlyMap<string, string | null> {
  const last = frames.at(-1);
  if (!last?.result) return new Map();
  return new Map([...Object.values(last.board), ...last.fallen].map((pawn) => [idOf(pawn), pawn.rank]));
}

/** Draws a turn: the board after it, the paths of both pawns, their battle, and the known facts about a pawn. */
export function Scene({ frames = [], frame, isMoving, viewer, names }: TurnProps) {
  const { tiles, turn, battles } = frame;
  const [sight, setSight] = useState<Sight>("end");
  const byEnd = useMemo(() => ranksByEnd(frames), [frames]);
  const seen = <P extends BoardPawn | FallenPawn>(pawn: P): P => {
    const isSeen = sight === "end" || sight === String(pawn.player);
    return isSeen && pawn.rank === null ? { ...pawn, rank: byEnd.get(idOf(pawn)) ?? null } : pawn;
  };
  const board = Object.fromEntries(Object.entries(frame.board).map(([tile, pawn]) => [tile, seen(pawn)]));
  const fallen = frame.fallen.map(seen);
  const layout = useMemo(() => layoutOf(tiles, viewer === 2), [tiles.join(), viewer]);
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
          pending={frame.pending}
          isMoving={isMoving}
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
          <Sealed pending={frame.pending} viewer={viewer} />
        </>
      }
    >
      {pawn ? (
        <PawnInfo pawn={pawn} tile={at!} viewer={viewer} />
      ) : (
        <p class="small muted">Tap a pawn to see what is known of it.</p>
      )}
      {byEnd.size > 0 && (
        <label class="small">
          <span>Hidden ranks</span>
          <select value={sight} onChange={({ currentTarget }) => setSight(currentTarget.value as Sight)}>
            <option value="end">all that were shown by the end</option>
            <option value="then">as everybody knew them then</option>
            <option value="1">as {names[0]} knew them</option>
            <option value="2">as {names[1]} knew them</option>
          </select>
        </label>
      )}
      <RankHelp />
    </Table>
  );
}

/** Shows which move of the viewer waits for the other player. */
function Sealed({ pending = [], viewer }: { pending?: readonly PawnMove[]; viewer: number }) {
  const own = pending.find(({ player }) => player === viewer);
  return own ? (
    <p class="small">
      Your move {own.from} to {own.to} is sealed until the other player has moved.
    </p>
  ) : null;
}
