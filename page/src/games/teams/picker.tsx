import { cryptoSource, Seat } from "duello";
import { useMemo, useState } from "preact/hooks";
import type { PickerProps } from "../game.js";
import { About, Stats } from "./card.js";
import { useCandidates, useRivals } from "./candidates.js";
import type { Member, TeamKind } from "./kind.js";
import { Roster, type Candidate } from "./roster.js";
import { SlotRow } from "./slots.js";
import { filled, firstFree, placed, swapped, type Slots } from "./team.js";
import "./teams.css";

/** Estimates are told in steps, as they are no more exact than that. */
const STEP = 5;
/** Characters of the opponent that are shown. */
const RIVALS = 40;

/** Makes the picker of a game of teams. */
export function teamPicker<M, C, E extends Member>(kind: TeamKind<M, C, E>) {
  return function TeamPicker(props: PickerProps) {
    const { seat, record } = props.turn;
    const isReveal = seat === Seat.One && record?.joinData !== undefined;
    return isReveal ? <RevealPicker {...props} /> : <Choice {...props} kind={kind} />;
  };
}

/** Offers to reveal the team that the player has committed to. */
function RevealPicker({ names, module, isBusy, onPlay }: PickerProps) {
  return (
    <section class="card stack">
      <h2>Reveal your team</h2>
      <p>
        {names[1]} has answered. Your {module.characters!.noun}s are compared with what you committed to, and the fight
        runs at once.
      </p>
      <div class="row">
        <button type="button" class="primary" disabled={isBusy} onClick={() => onPlay([])}>
          Reveal and fight
        </button>
      </div>
    </section>
  );
}

type ChoiceProps<M, C, E extends Member> = PickerProps & { kind: TeamKind<M, C, E> };

function Choice<M, C, E extends Member>(props: ChoiceProps<M, C, E>) {
  const { kind, module, turn, secretStore, mode: content, isBusy, pictureOf, onPlay } = props;
  const mode = useMemo(() => kind.modeOf(content), [content]);
  const size = kind.sizeOf(mode);
  const { noun } = module.characters!;
  const { value, error, lookAgain } = useCandidates({ kind, mode, module, turn, secretStore });
  const [kept, setSlots] = useState<Slots>([]);
  const [selected, setSelected] = useState(-1);
  const [shownId, setShownId] = useState<string>();
  const [said, say] = useState("");

  if (error !== undefined && !value) {
    return (
      <div class="notice bad row apart" role="alert">
        <span>Your {noun}s cannot be read just now.</span>
        <button type="button" onClick={lookAgain}>
          Try again
        </button>
      </div>
    );
  }
  if (!value) return <p class="muted">Looking for your {noun}s…</p>;

  const { candidates, remarks } = value;
  const slots = Array.from({ length: size }, (_, slot) => kept[slot] ?? null);
  const ready = candidates.filter(({ obstacle }) => obstacle === undefined).map(({ member }) => member.id);
  if (candidates.length < size) return <TooFew {...props} size={size} count={candidates.length} />;
  const byId = (id: string | null) => candidates.find(({ member }) => member.id === id);
  const nameOf = (id: string | null) => byId(id)?.member.name ?? "Nobody";
  const shown = byId(selected >= 0 ? slots[selected] : (shownId ?? null));
  const isWhole = slots.every((id) => id !== null && ready.includes(id));

  const put = (id: string, slot: number) => {
    setSlots(placed(slots, id, slot));
    setSelected(-1);
    setShownId(id);
    say(`${nameOf(id)} is in slot ${slot + 1}.`);
  };
  const empty = (slot: number) => {
    say(`Slot ${slot + 1} is empty.`);
    setSlots(slots.with(slot, null));
    setSelected(-1);
  };
  const swap = (one: number, other: number) => {
    say(`Slots ${one + 1} and ${other + 1} have changed places.`);
    setSlots(swapped(slots, one, other));
  };
  const choose = ({ member: { id, name }, obstacle }: Candidate<C, E>) => {
    setShownId(id);
    const [place, free] = [slots.indexOf(id), selected >= 0 ? selected : firstFree(slots)];
    if (obstacle !== undefined) say(`${name} cannot fight now: ${obstacle}.`);
    else if (place >= 0 && selected < 0) empty(place);
    else if (free < 0) say(`Your team is full: choose the slot that ${name} is to take.`);
    else put(id, free);
  };
  const select = (slot: number) => {
    if (selected >= 0 && selected !== slot) {
      swap(selected, slot);
      setSelected(-1);
    } else setSelected(selected === slot ? -1 : slot);
  };

  return (
    <div class="stack teams-picker">
      <section class="card stack">
        <div class="row apart">
          <h2>Choose {size === 1 ? `a ${noun}` : `${size} ${noun}s`}</h2>
          <div class="row">
            <button
              type="button"
              disabled={isBusy || ready.length < size}
              onClick={() => setSlots(filled(slots, ready))}
            >
              Fill with the strongest
            </button>
            <button
              type="button"
              class="quiet"
              disabled={isBusy || slots.every((id) => id === null)}
              onClick={() => setSlots([])}
            >
              Clear
            </button>
          </div>
        </div>
        <SlotRow
          slots={slots}
          candidates={candidates}
          selected={selected}
          isBusy={isBusy}
          Emblem={kind.Emblem}
          pictureOf={pictureOf}
          onSelect={select}
          onSwap={swap}
          onEmpty={empty}
          onDrop={(id, slot) => ready.includes(id) && put(id, slot)}
        />
        {selected >= 0 && (
          <div class="row teams-tools">
            <span class="grow small">
              {slots[selected] === null
                ? `Choose who takes slot ${selected + 1}.`
                : `Choose who takes the place of ${nameOf(slots[selected])}, or another slot to swap.`}
            </span>
            {slots[selected] !== null && (
              <button type="button" onClick={() => empty(selected)}>
                Remove
              </button>
            )}
          </div>
        )}
        <p class="small muted" role="status">
          {said}
        </p>
        {ready.length < size && (
          <p class="notice">
            Only {ready.length} of your {candidates.length} {noun}s can fight now; a team has {size}. The others say
            below what keeps them.
          </p>
        )}
        {remarks.map((remark) => (
          <p key={remark} class="notice">
            {remark}
          </p>
        ))}
        <Prospect {...props} mode={mode} team={isWhole ? (slots as string[]) : undefined} candidates={candidates} />
        <div class="row">
          <button type="button" class="primary" disabled={isBusy || !isWhole} onClick={() => onPlay(slots as string[])}>
            {turn.seat === Seat.One ? "Commit to this team" : "Fight with this team"}
          </button>
        </div>
        <p class="small muted">
          {turn.seat === Seat.One
            ? `Nobody sees your team until it is answered. Keep these ${noun}s until you have revealed them: without one of them you lose.`
            : `Your team is shown as you send it. ${props.names[0]} has committed to a team already, and cannot change it.`}
        </p>
      </section>
      {shown && (
        <div class="card">
          <About member={shown.member} Emblem={kind.Emblem} pictureOf={pictureOf}>
            {shown.obstacle !== undefined && <p class="small">It cannot fight now: {shown.obstacle}.</p>}
            {shown.remarks.map((remark) => (
              <p key={remark} class="small">
                ⚠ {remark}.
              </p>
            ))}
          </About>
        </div>
      )}
      <details class="card teams-rules">
        <summary>How they fight</summary>
        <kind.Rules mode={mode} member={shown?.member} />
      </details>
      <Roster
        candidates={candidates}
        slots={slots}
        groups={kind.groups}
        Emblem={kind.Emblem}
        nouns={`${noun}s`}
        isBusy={isBusy}
        onChoose={choose}
      />
    </div>
  );
}

/** Tells a player without enough characters how to get some. */
function TooFew({ module, turn, size, count }: PickerProps & { size: number; count: number }) {
  const { noun } = module.characters!;
  const nouns = `${noun}s`;
  return (
    <section class="card stack">
      <h2>You need {size === 1 ? `a ${noun}` : `${size} ${nouns}`}</h2>
      <p>
        You have {count === 0 ? "none" : `only ${count}`}. {noun[0].toUpperCase() + nouns.slice(1)} are tokens (ERC-721)
        which whoever runs this deployment mints, and which players may give or sell to each other. Ask for some to your
        address:
      </p>
      <p class="mono">{turn.player}</p>
      <p class="small muted">They show up here as soon as they are yours. A practice match needs none.</p>
    </section>
  );
}

interface ProspectProps<M, C, E extends Member> extends Omit<ChoiceProps<M, C, E>, "mode"> {
  mode: M;
  team: readonly string[] | undefined;
  candidates: readonly Candidate<C, E>[];
}

/** Tells how likely a whole team wins, and what the opponent may bring. */
function Prospect<M, C, E extends Member>(props: ProspectProps<M, C, E>) {
  const { kind, mode, module, turn, names, team, candidates } = props;
  const seat = Number(turn.seat);
  const rival = seat === 1 ? turn.record?.player2 : turn.record?.player1;
  const rivals = useRivals({ kind, mode, module, turn }, rival);
  const free = rivals?.filter(({ obstacle }) => obstacle === undefined);
  const key = team?.join(" ");
  const chance = useMemo(() => {
    if (!team) return undefined;
    const own = candidates.map(({ traits }) => traits);
    const places = team.map((id) => candidates.findIndex(({ member }) => member.id === id));
    const theirs = free?.map(({ traits }) => traits);
    return kind.strategy.judge({ mode, seat, own, theirs }, places, cryptoSource);
  }, [key, free?.length]);
  const isKnown = rivals !== undefined && rivals.length > 0;
  const other = names[seat === 1 ? 1 : 0];
  return (
    <>
      {chance !== undefined && (
        <p class="teams-chance">
          It wins about <b>{Math.round((100 * chance) / STEP) * STEP} %</b> of fights against{" "}
          {isKnown ? `what ${other} may bring` : `other teams of your own ${module.characters!.noun}s`}.
        </p>
      )}
      {isKnown && (
        <details class="teams-rivals">
          <summary>
            What {other} may bring ({rivals.length})
          </summary>
          <ul>
            {rivals.slice(0, RIVALS).map(({ member, obstacle }) => (
              <li key={member.id} class={obstacle === undefined ? "" : "is-away"}>
                <kind.Emblem member={member} />
                <span class="grow">
                  <b>{member.name}</b> <span class="muted">#{member.id}</span>{" "}
                  {obstacle !== undefined && <span class="tag">{obstacle}</span>}
                  <Stats member={member} isShort />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
