import type { BoardPawn, PawnMove, WarmancerFrame } from "duello/games/warmancer";
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { placesIn, tileBeside, type Layout } from "./layout.ts";
import { faceOf, tileText } from "./pawn.ts";
import { Token } from "./token.tsx";

/** Part of a frame that shows the turn leading to the board. */
type LastTurn = Pick<WarmancerFrame, "turn" | "moves" | "battles" | "fallen" | "proved">;

interface BoardProps {
  readonly label: string;
  readonly layout: Layout;
  readonly tiles: readonly string[];
  readonly pawns: Readonly<Record<string, BoardPawn>>;
  readonly viewer: number;
  /** Turn that led to this board. */
  readonly last?: LastTurn;
  /** Known moves that are not played yet. */
  readonly pending?: readonly PawnMove[];
  /** True if the last turn is animated. */
  readonly isMoving?: boolean;
  /** True if the other player's pawns are not placed yet. */
  readonly isSetup?: boolean;
  /** Tile of the pawn that is picked, or inspected. */
  readonly picked?: string;
  /** Tiles that the picked pawn may go to. */
  readonly targets?: ReadonlySet<string>;
  /** Target that is chosen. */
  readonly chosen?: string;
  /** Tiles of pawns that can be picked. */
  readonly movable?: ReadonlySet<string>;
  /** Takes a tap on a tile, Enter or Space. */
  readonly onPress: (tile: string, isEnter: boolean) => void;
  readonly onDrag?: (tile: string) => void;
  readonly onDrop?: (from: string, to: string) => void;
  readonly onCancel?: () => void;
}

/** Distance in pixels after which a press is a drag. */
const SLACK = 6;
const none: ReadonlySet<string> = new Set();

/** Board of named tiles with one tab stop: arrows move, Enter and Space press, Escape cancels; taps and drags do the same. */
export function Board(props: BoardProps) {
  const { layout, tiles, pawns, last, isMoving, picked, chosen, targets = none, movable = none } = props;
  const places = useMemo(() => placesIn(layout), [layout]);
  const open = useMemo(() => new Set(tiles), [tiles]);
  // On a board that is drawn with its columns as rows, letters name the rows.
  const isUpright = layout[0][0][0] !== layout[0].at(-1)![0];
  const root = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const { drag, onPointerDown } = useDrag(props);
  // If nothing is hidden, no pawn is marked as proved.
  const isOpen = Object.values(pawns).every(({ rank }) => rank !== null);
  const stop = focused !== undefined && places.has(focused) ? focused : ([...movable][0] ?? layout.at(-1)![0]);

  const onKeyDown = (event: KeyboardEvent) => {
    const tile = tileAt(event.target);
    if (tile === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const isEnter = event.key === "Enter";
    const beside = tileBeside(layout, places.get(tile)!, event.key);
    if (beside !== undefined) root.current?.querySelector<HTMLElement>(`[data-tile="${beside}"]`)?.focus();
    else if (isEnter || event.key === " ") props.onPress(tile, isEnter);
    else if (event.key === "Escape" && props.onCancel) props.onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onClick = (event: MouseEvent) => {
    const tile = tileAt(event.target);
    if (tile !== undefined) props.onPress(tile, false);
  };
  const shift = (tile: string, from: string) => shiftBetween(places.get(from), places.get(tile));

  const cell = (tile: string, x: number, y: number) => {
    const pawn = pawns[tile] as BoardPawn | undefined;
    const way = pawn && last?.moves.find((move) => isSame(move, pawn) && move.to === tile);
    const fallen = last ? fallenAt(last, tile) : [];
    const isTarget = targets.has(tile);
    const isClosed = !open.has(tile);
    const marks = [
      isClosed ? "closed" : (x + y) % 2 === 0 ? "light" : "dark",
      isTarget && (pawn ? "attack" : "target"),
      chosen === tile && "chosen",
      picked === tile && "picked",
      movable.has(tile) && "movable",
      ...(last?.moves ?? []).flatMap(({ player, from, to }) =>
        tile === to || tile === from ? `trace ${player === 2 ? "two" : "one"}` : [],
      ),
    ];
    return (
      <div
        key={tile}
        role="gridcell"
        class={["warmancer-cell", ...marks].filter(Boolean).join(" ")}
        data-tile={tile}
        data-row={x === 0 ? (isUpright ? tile.slice(1) : tile[0]) : undefined}
        data-column={y === layout.length - 1 ? (isUpright ? tile[0] : tile.slice(1)) : undefined}
        tabIndex={tile === stop ? 0 : -1}
        aria-label={tileText(tile, pawn, {
          viewer: props.viewer,
          isClosed,
          isTarget,
          isChosen: chosen === tile,
          fallen,
        })}
        aria-selected={picked === tile || chosen === tile}
        onFocus={() => setFocused(tile)}
      >
        {fallen.map(({ player, slot, rank, way: fell, isSwap }) => (
          <Moved
            key={`${last!.turn}-${player}-${slot}`}
            name={isSwap ? "falling halfway" : "falling"}
            by={fell && shift(tile, fell.from)}
          >
            <Token player={player} rank={rank} />
          </Moved>
        ))}
        {pawn && (
          <Moved
            key={`${way ? last!.turn : ""}-${pawn.player}-${pawn.slot}`}
            name={drag?.from === tile ? "dragged" : way ? "moved" : ""}
            by={drag?.from === tile ? undefined : way && shift(tile, way.from)}
            pixels={drag?.from === tile ? drag.by : undefined}
          >
            <Token
              player={pawn.player}
              rank={faceOf(pawn)}
              isProved={pawn.rank !== null}
              isOwn={pawn.own !== null && !isOpen}
              hasMoved={pawn.moved}
            />
          </Moved>
        )}
        {last?.battles.some((battle) => battle.tile === tile) && <Clash key={`clash-${last.turn}`} />}
      </div>
    );
  };

  return (
    <div class="warmancer-frame">
      <div
        ref={root}
        role="grid"
        aria-label={props.label}
        class={`warmancer-board${isMoving ? " is-moving" : ""}${props.isSetup ? " is-setup" : ""}${layout[0].length > 7 ? " many" : ""}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onPointerDown={onPointerDown}
      >
        {layout.map((row, y) => (
          <div role="row" key={row[0]} class="warmancer-row">
            {row.map((tile, x) => cell(tile, x, y))}
          </div>
        ))}
        <Arrows layout={layout} moves={props.pending} chosen={picked && chosen ? [picked, chosen] : undefined} />
      </div>
    </div>
  );
}

/** Draws a pawn that has moved to this tile. @param by Columns and rows from its current place. */
function Moved(props: {
  name: string;
  by?: readonly [number, number];
  pixels?: readonly [number, number];
  children: ComponentChildren;
}) {
  const { name, by, pixels } = props;
  const style = by
    ? { "--dx": `${by[0] * 100}%`, "--dy": `${by[1] * 100}%` }
    : pixels && { translate: `${pixels[0]}px ${pixels[1]}px` };
  return (
    <span class={`warmancer-pawn ${name}`} style={style}>
      {props.children}
    </span>
  );
}

/** Draws a battle between pawns on a tile. */
function Clash() {
  return (
    <svg class="warmancer-clash" viewBox="0 0 40 40" aria-hidden="true">
      <path d="M20 2l4 9 9-5-3 10 8 4-8 4 3 10-9-5-4 9-4-9-9 5 3-10-8-4 8-4-3-10 9 5z" />
    </svg>
  );
}

/** Draws the paths of moves that are not played yet. */
function Arrows(props: { layout: Layout; moves?: readonly PawnMove[]; chosen?: readonly [string, string] }) {
  const { layout, moves = [], chosen } = props;
  const places = placesIn(layout);
  const arrow = (from: string, to: string, name: string) => {
    const [start, end] = [places.get(from), places.get(to)];
    if (!start || !end) return null;
    const [dx, dy] = [Math.sign(end[0] - start[0]), Math.sign(end[1] - start[1])];
    const [x, y] = [end[0] + 0.5 - dx * 0.25, end[1] + 0.5 - dy * 0.25];
    const wing = (side: number) => `${x - (dx + side * dy) * 0.24} ${y - (dy + side * dx) * 0.24}`;
    const shaft = `M${start[0] + 0.5 + dx * 0.35} ${start[1] + 0.5 + dy * 0.35}L${x} ${y}`;
    return <path key={name} class={name} d={`${shaft}M${wing(1)}L${x} ${y}L${wing(-1)}`} />;
  };
  return (
    <svg class="warmancer-arrows" viewBox={`0 0 ${layout[0].length} ${layout.length}`} aria-hidden="true">
      {moves.map(({ player, from, to }) => arrow(from, to, player === 2 ? "two" : "one"))}
      {chosen && arrow(chosen[0], chosen[1], "chosen")}
    </svg>
  );
}

/** Follows the pointer from a pawn that can be picked to the tile on which it is dropped. */
function useDrag(props: Pick<BoardProps, "movable" | "onDrag" | "onDrop">) {
  const [drag, setDrag] = useState<{ from: string; by: readonly [number, number] }>();
  const now = useRef(props);
  now.current = props;

  const onPointerDown = (start: PointerEvent) => {
    const from = tileAt(start.target);
    if (start.button !== 0 || from === undefined || !now.current.onDrop || !now.current.movable?.has(from)) return;
    const ends = new AbortController();
    let isDrag = false;
    const on = (name: "pointermove" | "pointerup" | "pointercancel", listener: (event: PointerEvent) => void) =>
      window.addEventListener(name, (event) => event.pointerId === start.pointerId && listener(event), {
        signal: ends.signal,
      });
    const end = () => {
      ends.abort();
      setDrag(undefined);
    };
    on("pointermove", (event) => {
      const by = [event.clientX - start.clientX, event.clientY - start.clientY] as const;
      if (!isDrag && Math.hypot(...by) < SLACK) return;
      if (!isDrag) now.current.onDrag?.(from);
      isDrag = true;
      setDrag({ from, by });
    });
    on("pointerup", (event) => {
      end();
      const to = isDrag ? tileAt(document.elementFromPoint(event.clientX, event.clientY)) : undefined;
      if (to !== undefined && to !== from) now.current.onDrop?.(from, to);
    });
    on("pointercancel", end);
  };
  return { drag, onPointerDown };
}

function tileAt(target: EventTarget | null): string | undefined {
  return (target as Element | null)?.closest<HTMLElement>("[data-tile]")?.dataset.tile;
}

function shiftBetween(from?: readonly [number, number], to?: readonly [number, number]): [number, number] | undefined {
  return from && to && [from[0] - to[0], from[1] - to[1]];
}

function isSame(one: { player: number; slot: number }, other: { player: number; slot: number }): boolean {
  return one.player === other.player && one.slot === other.slot;
}

/** Lists the pawns that have fallen on a tile in a turn, with their paths. */
function fallenAt({ turn, fallen, moves, battles }: LastTurn, tile: string) {
  if (battles.length === 0) return [];
  return fallen.flatMap((pawn) => {
    const way = moves.find((move) => isSame(move, pawn));
    if (pawn.turn !== turn || (way?.to ?? pawn.tile) !== tile) return [];
    const battle = battles.find(({ attacker, defender }) => isSame(attacker, pawn) || isSame(defender, pawn));
    return { ...pawn, way, isSwap: battle?.kind === "swap" };
  });
}
