import { useMemo, useState } from "preact/hooks";
import {
  ACTIONS,
  ALL_BLADES,
  areBlades,
  bladesArgs,
  bladesProspects,
  honourOf,
  stateBeforeBlades,
  type Blades,
  type BladesView,
  type PistolsFrame,
} from "duello/games/pistols";
import type { OpenTurn } from "duello";
import { useLoaded } from "../../parts/use.ts";
import type { PickerProps } from "../game.ts";
import { Pick } from "../shared/pick.tsx";
import { HonourToCome } from "./honour-to-come.tsx";
import { Bar, Health, Key, partsText } from "./parts.tsx";
import { END_PARTS, endParts, strokeParts } from "./words.ts";

type Action = (typeof ACTIONS)[number];

const codeOf = (action: Action) => ACTIONS.indexOf(action);
const FIRST: readonly Action[] = ["light", "block", "idle"];
const SECOND: readonly Action[] = ["light", "block", "idle", "heavy"];
const ROLLED: readonly Action[] = ["light", "block", "heavy"];
const RUNS: readonly Action[] = ["flee", "steal", "seppuku"];

const EFFECTS: Readonly<Record<Action, string>> = {
  light: "Quick. A block takes off what it stops.",
  block: "Weakens a light or heavy blow, but stops no execution.",
  heavy: "Takes both slots. Kills before anything else lands, or hits hard.",
  idle: "Do nothing.",
  flee: "Lose the duel, keep your stake, unless their one shot at 10 paces kills you. Honour 0.",
  steal: "Lose the duel, take the pot, unless their one shot at 5 paces hits. Honour 0.",
  seppuku: "Die with honour 100, and leave them the pot.",
};

/** Blades of round 2 as cards that show their effects, and the results of the chosen blades against each answer. */
export function BladesPicker({ turn, secretStore, isBusy, onPlay }: PickerProps<PistolsFrame, Blades>) {
  const [[first, second], setBlades] = useState<readonly [Action?, Action?]>([]);
  const { record } = turn;
  const load = async () => {
    const { duelists, health, paces } = await stateBeforeBlades(turn as OpenTurn, secretStore);
    const seat = Number(turn.seat);
    return { view: { duelists, health, seat }, ownPaces: paces[seat - 1] };
  };
  const { value, error } = useLoaded(load, [turn.player, record?.matchId, record?.actions.length]);
  if (value === undefined) {
    return <p class="muted">{error === undefined ? "Reading the duel…" : "This page cannot tell how round 1 ends."}</p>;
  }
  const { view, ownPaces } = value;
  const [own, other] = view.seat === 1 ? view.health : [view.health[1], view.health[0]];
  const chosen = bladesOf(first, second);
  const chooseFirst = (action: Action) =>
    setBlades([action, second === "heavy" && action !== "idle" ? undefined : second]);
  const chooseSecond = (action: Action) =>
    setBlades([action === "heavy" ? "idle" : isRun(first) ? undefined : first, action]);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (chosen && !isBusy) onPlay(chosen);
  };
  return (
    <form class="stack" onSubmit={send}>
      <p>
        {view.seat === 1 ? "Once you reveal your paces, the pistols leave " : "The pistols have left "}
        you <Health points={own} /> and your opponent <Health points={other} />. Choose what you do in two slots, or
        leave the fight.
      </p>
      <fieldset class="stack" disabled={isBusy}>
        <Cards title="First slot" name="first" actions={FIRST} chosen={first} view={view} onChoose={chooseFirst} />
        <Cards
          title="Second slot"
          name="second"
          actions={SECOND}
          known={FIRST}
          chosen={isRun(first) ? undefined : second}
          view={view}
          onChoose={chooseSecond}
        />
        <Cards
          title="Or do not fight"
          name="run"
          actions={RUNS}
          chosen={first}
          view={view}
          onChoose={(run) => setBlades([run])}
        />
      </fieldset>
      {chosen && <Against view={view} own={chosen} />}
      {chosen && <HonourToCome turn={turn} honour={honourOf(chosen, ownPaces)} />}
      <div class="row">
        <button class="primary" disabled={isBusy || !chosen}>
          {chosen
            ? `${view.seat === 1 ? "Reveal paces, commit to" : "Answer with"} ${bladesText(chosen)}`
            : "Choose both slots"}
        </button>
        {view.seat === 1 && <span class="muted small">Nobody sees your blades before you reveal them.</span>}
      </div>
    </form>
  );
}

function Cards(props: {
  title: string;
  name: string;
  actions: readonly Action[];
  chosen: Action | undefined;
  view: BladesView;
  /** Actions whose effects are described elsewhere. */
  known?: readonly Action[];
  onChoose: (action: Action) => void;
}) {
  const { title, name, actions, chosen, view, known = [], onChoose } = props;
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="pistols-cards">
        {actions.map((action) => (
          <Pick key={action} name={`pistols-${name}`} isChosen={chosen === action} onChoose={() => onChoose(action)}>
            <Icon action={action} />
            <b class="pistols-action">{action}</b>
            {ROLLED.includes(action) && (
              <span class="small">{partsText(strokeParts(view, codeOf(action), action === "block"))}</span>
            )}
            {!known.includes(action) && <span class="small muted pistols-effect">{EFFECTS[action]}</span>}
          </Pick>
        ))}
      </div>
    </fieldset>
  );
}

const ICONS: Readonly<Record<Action, string>> = {
  light: "M6 34 32 8M10 24l10 10",
  heavy: "M6 34 34 6M8 22l12 12M14 34 38 10M34 6l4 4",
  block: "M20 4 34 9V20C34 28 28 34 20 37 12 34 6 28 6 20V9z",
  idle: "M14 10V30M26 10V30",
  flee: "M4 20H34M24 10 34 20 24 30",
  steal: "M14 12C6 20 6 36 20 36S34 20 26 12zM14 12 12 5H28L26 12",
  seppuku: "M20 4V26M12 26H28M20 26V36M6 14l6 4M34 14l-6 4",
};

function Icon({ action }: { readonly action: Action }) {
  return (
    <svg class="pistols-icon" viewBox="0 0 40 40" aria-hidden="true">
      <path d={ICONS[action]} />
    </svg>
  );
}

/** Prospects of blades against every possible answer of the opponent. */
function Against({ view, own }: { readonly view: BladesView; readonly own: Blades }) {
  const rows = useMemo(
    () => ALL_BLADES.map((other) => ({ other, ends: bladesProspects(view, own, other) })),
    [view, own.join()],
  );
  const ranked = rows
    .filter(({ other }) => !isRun(ACTIONS[other[0]]))
    .toSorted((a, b) => b.ends.won - b.ends.lost - (a.ends.won - a.ends.lost));
  const [best, worst] = [ranked[0], ranked[ranked.length - 1]];
  return (
    <div class="stack tight">
      <p class="small" aria-live="polite">
        <b>{bladesText(own)}</b>: best against {bladesText(best.other)} ({partsText(endParts(best.ends))}), worst
        against {bladesText(worst.other)} ({partsText(endParts(worst.ends))}).
      </p>
      <details>
        <summary>Against each of their thirteen moves</summary>
        <ul class="pistols-rows small">
          {rows.map(({ other, ends }) => (
            <li key={other.join()}>
              <span>{bladesText(other)}</span> <Bar parts={endParts(ends)} tone="end" />
            </li>
          ))}
        </ul>
        <Key names={END_PARTS} without="on to blades" tone="end" />
      </details>
    </div>
  );
}

function isRun(action: Action | undefined): boolean {
  return action !== undefined && RUNS.includes(action);
}

/** Returns the move that chosen actions make; undefined while an action is missing. */
function bladesOf(first?: Action, second?: Action): Blades | undefined {
  if (first === undefined) return undefined;
  const blades: Blades = [codeOf(first), codeOf(isRun(first) ? "idle" : (second ?? "flee"))];
  return areBlades(blades) ? blades : undefined;
}

/** Names blades, e.g. `light, block`. */
function bladesText(blades: Blades): string {
  const [first, second] = bladesArgs(blades);
  return isRun(first as Action) ? first : `${first}, ${second}`;
}
