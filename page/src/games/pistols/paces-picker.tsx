import { useMemo, useState } from "preact/hooks";
import { MAX_PACES, pacesProspects, pacesView, type DuelView, type PistolsFrame } from "duello/games/pistols";
import { useLoaded } from "../../parts/use.ts";
import type { PickerProps } from "../game.ts";
import { Pick } from "../shared/pick.tsx";
import { Duelist } from "./duelist.tsx";
import { HonourToCome } from "./honour-to-come.tsx";
import { looksOf } from "./looks.ts";
import { Meadow } from "./meadow.tsx";
import { aimingAfter, FIELD } from "./poses.ts";
import { Bar, Key, partsText, type Part } from "./parts.tsx";
import { duelistText, END_PARTS, endParts, favourText, SHOT_PARTS, shotParts } from "./words.ts";

const ALL_PACES = Array.from({ length: MAX_PACES }, (_, i) => i + 1);
const HONOUR_PER_PACE = 10;

/** Paces as buttons with the odds of each, and the effect of the duel on the player's honour. */
export function PacesPicker({ turn, isBusy, onPlay }: PickerProps<PistolsFrame, number>) {
  const [paces, setPaces] = useState(5);
  const { player, game, record } = turn;
  const view = useLoaded(() => pacesView(turn), [player, game, record?.matchId]).value;
  const text = `${paces} ${paces === 1 ? "pace" : "paces"}`;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isBusy) onPlay(paces);
  };
  return (
    <form class="stack" onSubmit={send}>
      <p>
        Walk, turn, shoot. Fewer paces shoot first and hit more easily. More paces kill at once more often, and are more
        honourable.
      </p>
      <PacesField turn={turn} paces={paces} />
      <fieldset disabled={isBusy}>
        <legend>How many paces?</legend>
        <div class="pistols-columns">
          {ALL_PACES.map((each) => (
            <Pick key={each} name="pistols-paces" isChosen={each === paces} onChoose={() => setPaces(each)}>
              {view && <Bar parts={shotParts(view, view.seat, each)} tone="shot" isUpright />}
              <b class="pistols-paces">{each}</b>
              <span class="hidden"> {each === 1 ? "pace" : "paces"}</span>
            </Pick>
          ))}
        </div>
        <Key names={SHOT_PARTS} tone="shot" />
      </fieldset>
      {view && <Odds view={view} paces={paces} isKnown={record !== undefined} />}
      <HonourToCome turn={turn} honour={HONOUR_PER_PACE * paces} />
      <div class="row">
        <button class="primary" disabled={isBusy}>
          {Number(turn.seat) === 1 ? "Commit to" : "Answer with"} {text}
        </button>
        <span class="muted small">
          {Number(turn.seat) === 1
            ? "Nobody sees them before you reveal them."
            : "Your opponent has already committed to its own."}
        </span>
      </div>
    </form>
  );
}

/** The meadow with the player at its paces; where the opponent will stand is unknown. */
function PacesField({ turn: { seat, player, record }, paces }: Pick<PickerProps, "turn"> & { paces: number }) {
  const side = Number(seat) === 1 ? 0 : 1;
  const other = side === 0 ? record?.player2 : record?.player1;
  const guess = aimingAfter(5, false);
  return (
    <svg class="pistols-field" viewBox={`0 42 ${FIELD} 188`} aria-hidden="true">
      <Meadow />
      <Duelist side={side === 0 ? 1 : 0} looks={looksOf(other)} pose={guess} isGhost />
      <text class="pistols-unknown" x={guess.x} y="68" text-anchor="middle">
        ?
      </text>
      <Duelist side={side} looks={looksOf(player)} pose={aimingAfter(paces, true)} />
    </svg>
  );
}

function Odds({ view, paces, isKnown }: { view: DuelView; paces: number; isKnown: boolean }) {
  const { seat, duelists } = view;
  const [own, other] = [duelists[seat - 1], duelists[2 - seat]];
  const theirs = useMemo(() => ALL_PACES.map((at) => shotParts(view, 3 - seat, at)), [view]);
  const ends = useMemo(() => ALL_PACES.map((against) => endParts(pacesProspects(view, paces, against))), [view, paces]);
  const differs = own.archetype !== other.archetype || own.strength !== other.strength;
  return (
    <div class="stack pistols-odds">
      <p class="small" aria-live="polite">
        You are {duelistText(own)}. At {paces}: {partsText(shotParts(view, seat, paces))}. {favourText(view)}
        {!differs && (isKnown ? " Your opponent shoots as well as you." : " Shown against an opponent like you.")}
      </p>
      {differs && <Columns label={`Their shot (${duelistText(other)})`} columns={theirs} tone="shot" />}
      <Columns label={`You walk ${paces}, and your opponent:`} columns={ends} tone="end" />
      <Key names={END_PARTS} tone="end" />
    </div>
  );
}

/** A bar for each number of paces. */
function Columns(props: { label: string; columns: readonly (readonly Part[])[]; tone: "shot" | "end" }) {
  const { label, columns, tone } = props;
  return (
    <div>
      <div class="small">
        <b>{label}</b>
      </div>
      <ol class="pistols-columns" aria-label={label}>
        {columns.map((parts, i) => (
          <li key={i}>
            <Bar parts={parts} tone={tone} isUpright />
            <span class="small">{i + 1}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
