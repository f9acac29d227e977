import { cryptoSource } from "duello";
import {
  decodeMode,
  maxOf,
  priceOf,
  RANKS,
  readRanks,
  readSetup,
  SETUP_STYLES,
  setupText,
  suggestSetup,
  tileName,
  tilesOf,
  type BoardPawn,
  type Mode,
  type SetupStyle,
  type WarmancerFrame,
  type WarmancerMove,
} from "duello/games/warmancer";
import { useId, useMemo, useState } from "preact/hooks";
import type { PickerProps } from "../game.ts";
import { Board } from "./board.tsx";
import { layoutOf } from "./layout.ts";
import { RankHelp } from "./panels.tsx";
import { Table } from "./table.tsx";
import { rankNamed, Token } from "./token.tsx";

const THRONE = rankNamed("Throne");
const PRESETS = Object.entries(SETUP_STYLES) as [keyof typeof SETUP_STYLES, SetupStyle][];
const HINTS: Readonly<Record<keyof typeof SETUP_STYLES, string>> = {
  balanced: "Scouts in front, the Throne guarded at the back",
  assault: "The strongest in front",
  fortress: "All Traps around the Throne",
  scattered: "No order that could be guessed",
};

/** Lets a player set up its army: by presets, by swapping pawns, by buying others, or by letters. */
export function SetupPicker({
  turn,
  mode: content,
  names,
  isBusy,
  onPlay,
}: PickerProps<WarmancerFrame, WarmancerMove>) {
  const player = Number(turn.seat);
  const mode = useMemo(() => decodeMode(content as `0x${string}`), [content]);
  const slots = useMemo(() => tilesOf(player === 1 ? mode.setup1 : mode.setup2).map(tileName), [mode, player]);
  const [army, setArmy] = useState(() => [suggestSetup(mode, player - 1, cryptoSource)]);
  const [picked, setPicked] = useState<string>();
  const [draft, setDraft] = useState<string>();
  const ranks = army[army.length - 1];
  const text = draft ?? rowsText(ranks, slots);
  const letters = text.replace(/\s/g, "");
  const problem = problemIn(letters, mode);

  const change = (next: readonly number[]) => {
    setArmy([...army.slice(-MEMORY), [...next]]);
    setDraft(undefined);
  };
  const swap = (from: string, to: string) => {
    setPicked(undefined);
    const [one, other] = [slots.indexOf(from), slots.indexOf(to)];
    if (isBusy || one < 0 || other < 0 || ranks[one] === ranks[other]) return;
    change(ranks.map((rank, slot) => (slot === one ? ranks[other] : slot === other ? ranks[one] : rank)));
  };
  const press = (tile: string) => {
    if (isBusy || !slots.includes(tile)) setPicked(undefined);
    else if (picked === undefined) setPicked(tile);
    else swap(picked, tile);
  };
  const write = (written: string) => {
    setPicked(undefined);
    const bare = written.replace(/\s/g, "");
    if (problemIn(bare, mode) === undefined) change(readSetup([bare]));
    setDraft(written);
  };
  const tiles = useMemo(() => tilesOf(mode.passable).map(tileName), [mode]);
  const layout = useMemo(() => layoutOf(tiles, player === 2), [tiles, player]);
  const slot = picked === undefined ? -1 : slots.indexOf(picked);

  return (
    <Table
      viewer={player}
      names={names}
      fallen={[]}
      turn={0}
      layout={layout}
      board={
        <Board
          label="Board to set your army up on"
          isSetup
          layout={layout}
          tiles={tiles}
          pawns={pawnsOf(mode, player, ranks, turn.record?.createData)}
          viewer={player}
          picked={picked}
          movable={useMemo(() => new Set(isBusy ? [] : slots), [slots, isBusy])}
          onPress={press}
          onDrag={setPicked}
          onDrop={swap}
          onCancel={() => setPicked(undefined)}
        />
      }
      head={
        <>
          <h2>Set up your army</h2>
          <p class="small muted">
            {mode.casual
              ? "In this mode the other player sees your army."
              : "Nobody sees it: the match gets a fingerprint of it alone."}
          </p>
          <p class="warmancer-prompt" role="status">
            {slot < 0
              ? "Tap two of your pawns to swap them, or drag one onto another."
              : `Your ${RANKS[ranks[slot]].name} on ${picked} is picked: tap another pawn to swap them.`}
          </p>
          <button
            type="button"
            class="primary"
            disabled={problem !== undefined}
            aria-disabled={isBusy}
            onClick={() => isBusy || onPlay(ranks)}
          >
            {mode.casual ? "Play with this army" : "Commit to this army"}
          </button>
          {problem !== undefined && (
            <p class="bad small" role="status">
              {problem}
            </p>
          )}
        </>
      }
    >
      <div class="warmancer-presets" role="group" aria-label="Presets">
        {PRESETS.map(([name, style]) => (
          <button
            key={name}
            type="button"
            title={HINTS[name]}
            disabled={isBusy}
            onClick={() => change(suggestSetup(mode, player - 1, cryptoSource, style))}
          >
            {name[0].toUpperCase() + name.slice(1)}
          </button>
        ))}
        <button
          type="button"
          class="quiet"
          disabled={isBusy || army.length < 2}
          onClick={() => {
            setArmy(army.slice(0, -1));
            setDraft(undefined);
          }}
        >
          Undo
        </button>
      </div>
      {mode.budget > 0 && (
        <Shop
          mode={mode}
          ranks={ranks}
          slot={slot}
          tile={picked}
          player={player}
          isBusy={isBusy}
          onBuy={(rank) => change(ranks.map((each, at) => (at === slot ? rank : each)))}
        />
      )}
      <LettersField
        text={text}
        hint={`From row ${slots[0].slice(1)} up, each row from column ${slots[0][0]} on. Copy it to keep it, or paste one.`}
        problem={problem}
        isBusy={isBusy}
        onWrite={write}
      />
      <RankHelp />
    </Table>
  );
}

/** Number of armies that undo keeps. */
const MEMORY = 50;

/** Field with the army in letters, to copy and to paste. */
function LettersField(props: {
  text: string;
  hint: string;
  problem: string | undefined;
  isBusy: boolean;
  onWrite: (letters: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label>
        <span>Army in letters</span>
        <textarea
          class="mono"
          rows={2}
          spellcheck={false}
          autocapitalize="characters"
          disabled={props.isBusy}
          value={props.text}
          aria-describedby={id}
          aria-invalid={props.problem !== undefined}
          onInput={(event) => props.onWrite(event.currentTarget.value)}
        />
      </label>
      <p id={id} class={`small ${props.problem === undefined ? "muted" : "bad"}`}>
        {props.problem ?? props.hint}
      </p>
    </div>
  );
}

/** Ranks that a pawn can be bought as, with prices and counts. */
function Shop(props: {
  mode: Mode;
  ranks: readonly number[];
  slot: number;
  tile: string | undefined;
  player: number;
  isBusy: boolean;
  onBuy: (rank: number) => void;
}) {
  const { mode, ranks, slot, tile, player, isBusy, onBuy } = props;
  const counts = RANKS.map((_, rank) => ranks.filter((each) => each === rank).length);
  const price = priceOf(counts);
  const isFixed = slot < 0 || ranks[slot] === THRONE;
  return (
    <fieldset class="stack tight">
      <legend>
        {slot < 0
          ? "Pick a pawn to buy another in its place"
          : isFixed
            ? "Every army has one Throne: swap it with another pawn"
            : `Instead of the ${RANKS[ranks[slot]].name} on ${tile}`}
      </legend>
      <p class={price > mode.budget ? "bad" : ""} role="status">
        <strong>
          {price} of {mode.budget}
        </strong>{" "}
        {price > mode.budget ? `spent: ${price - mode.budget} too much` : `spent, ${mode.budget - price} left`}
      </p>
      <div class="warmancer-shop">
        {RANKS.map((rank, number) => (
          <button
            key={rank.name}
            type="button"
            aria-pressed={slot >= 0 && ranks[slot] === number}
            disabled={isBusy || isFixed || number === THRONE || counts[number] >= maxOf(mode, number)}
            onClick={() => onBuy(number)}
          >
            <Token player={player} rank={rank.name} />
            <span>
              {rank.name}
              <small>
                {" "}
                costs {rank.price} · {counts[number]} of {maxOf(mode, number)}
              </small>
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Explains why letters are not an army of the mode; undefined for a valid army. */
function problemIn(letters: string, mode: Mode): string | undefined {
  try {
    readRanks([letters], mode);
    return undefined;
  } catch (error) {
    const message = (error as Error).message.replace("setup: ", "");
    return message.replace(/rank (\d+)/g, (_, rank: string) => `rank ${RANKS[Number(rank)].name}`);
  }
}

/** Writes an army in letters, with a slash between rows. */
function rowsText(ranks: readonly number[], slots: readonly string[]): string {
  const letters = Array.from(setupText(ranks), (letter, slot) =>
    slot > 0 && slots[slot].slice(1) !== slots[slot - 1].slice(1) ? `/${letter}` : letter,
  );
  return letters.join("");
}

/** Pawns of both players before the match, by tile; the opponent's ranks are visible only in a casual mode. */
function pawnsOf(
  mode: Mode,
  player: number,
  own: readonly number[],
  created: string | undefined,
): Record<string, BoardPawn> {
  const others = mode.casual && player === 2 ? created : undefined;
  const pawns = [mode.setup1, mode.setup2].flatMap((mask, side) =>
    tilesOf(mask).map((tile, slot): [string, BoardPawn] => {
      const isOwn = side === player - 1;
      const name = isOwn ? RANKS[own[slot]].name : null;
      const shown = others && !isOwn ? RANKS[parseInt(others.slice(2 + 2 * slot, 4 + 2 * slot), 16)].name : null;
      return [tileName(tile), { player: side + 1, slot, rank: shown, mayBe: [], moved: false, own: name }];
    }),
  );
  return Object.fromEntries(pawns);
}
