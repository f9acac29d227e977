import type { ComponentType, TargetedDragEvent, TargetedKeyboardEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import { Stats } from "./card.tsx";
import type { EmblemProps, Member, TeamKind } from "./kind.ts";
import { moved, type Slots } from "./team.ts";

/** Characters that are shown before the user asks for more. */
const SHOWN = 60;
/** Smallest number of characters for which the list can be sorted and filtered. */
const MANY = 9;

/** Character of the player, and the obstacles to its fight. */
export interface Candidate<C, E extends Member> {
  readonly member: E;
  readonly traits: C;
  /** Reason why the character cannot fight now. */
  readonly obstacle?: string;
  /** Warnings about what may prevent the character from fighting. */
  readonly remarks: readonly string[];
}

interface RosterProps<C, E extends Member> {
  /** Characters, the strongest first. */
  candidates: readonly Candidate<C, E>[];
  slots: Slots;
  groups: TeamKind<unknown, C, E>["groups"];
  Emblem: ComponentType<EmblemProps<E>>;
  nouns: string;
  isBusy: boolean;
  onChoose: (candidate: Candidate<C, E>) => void;
}

/** Lists the player's characters to choose from: one tab stop, in which arrow keys move from one to the next. */
export function Roster<C, E extends Member>(props: RosterProps<C, E>) {
  const { candidates, slots, groups, Emblem, nouns, isBusy, onChoose } = props;
  const [sort, setSort] = useState("");
  const [group, setGroup] = useState("");
  const [isReadyOnly, setReadyOnly] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const [focused, setFocused] = useState(0);
  const list = useRef<HTMLDivElement>(null);

  const found = candidates.filter(
    ({ member, obstacle }) => (group === "" || member.group === group) && !(isReadyOnly && obstacle !== undefined),
  );
  const sorted =
    sort === "" ? found : found.toSorted((one, other) => rank(other.member, sort) - rank(one.member, sort));
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN);
  const current = Math.min(focused, shown.length - 1);

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const options = [...list.current!.children] as HTMLElement[];
    const columns = options.filter(({ offsetTop }) => offsetTop === options[0].offsetTop).length;
    const to = moved(event.key, current, options.length, columns);
    if (to === undefined) return;
    event.preventDefault();
    setFocused(to);
    options[to].focus();
  };

  return (
    <section class="stack tight" aria-label={`Your ${nouns}`}>
      <h3>
        Your {nouns} <span class="muted">({candidates.length})</span>
      </h3>
      {candidates.length >= MANY && (
        <div class="row teams-filters">
          <label>
            <span>Sort by</span>
            <select value={sort} onChange={(event) => setSort(event.currentTarget.value)}>
              <option value="">Strength</option>
              {candidates[0].member.stats.map(({ label }) => (
                <option key={label}>{label}</option>
              ))}
            </select>
          </label>
          {groups && (
            <label>
              <span>{groups.label}</span>
              <select value={group} onChange={(event) => setGroup(event.currentTarget.value)}>
                <option value="">All</option>
                {groups.names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
          {candidates.some(({ obstacle }) => obstacle !== undefined) && (
            <label class="check">
              <input
                type="checkbox"
                checked={isReadyOnly}
                onChange={(event) => setReadyOnly(event.currentTarget.checked)}
              />
              <span>Ready to fight only</span>
            </label>
          )}
        </div>
      )}
      {shown.length === 0 ? (
        <p class="muted">None fits the filter.</p>
      ) : (
        <div
          ref={list}
          class="teams-roster"
          role="listbox"
          aria-multiselectable="true"
          aria-label={`Your ${nouns}`}
          onKeyDown={onKeyDown}
        >
          {shown.map((candidate, i) => (
            <Option
              key={candidate.member.id}
              candidate={candidate}
              slot={slots.indexOf(candidate.member.id)}
              Emblem={Emblem}
              isStop={i === current}
              isBusy={isBusy}
              onFocus={() => setFocused(i)}
              onChoose={() => onChoose(candidate)}
            />
          ))}
        </div>
      )}
      {shown.length < sorted.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {sorted.length}
        </button>
      )}
    </section>
  );
}

interface OptionProps<C, E extends Member> {
  candidate: Candidate<C, E>;
  /** Slot of the character; -1 for none. */
  slot: number;
  Emblem: ComponentType<EmblemProps<E>>;
  isStop: boolean;
  isBusy: boolean;
  onFocus: () => void;
  onChoose: () => void;
}

function Option<C, E extends Member>({
  candidate,
  slot,
  Emblem,
  isStop,
  isBusy,
  onFocus,
  onChoose,
}: OptionProps<C, E>) {
  const { member, obstacle, remarks } = candidate;
  const isFree = obstacle === undefined && !isBusy;
  return (
    <button
      type="button"
      role="option"
      class={`teams-option${obstacle === undefined ? "" : " is-away"}`}
      aria-selected={slot >= 0}
      aria-disabled={!isFree}
      tabIndex={isStop ? 0 : -1}
      draggable={isFree}
      onDragStart={(event) => carry(event, member.id)}
      onFocus={onFocus}
      onClick={() => !isBusy && onChoose()}
    >
      <span class="teams-head">
        <Emblem member={member} />
        <span class="grow">
          <b>{member.name}</b> <span class="muted">#{member.id}</span>
          {member.note !== undefined && <span class="teams-note">{member.note}</span>}
        </span>
      </span>
      <Stats member={member} isShort />
      {slot >= 0 && <span class="tag accent">Slot {slot + 1}</span>}
      {obstacle !== undefined && <span class="tag">{upper(obstacle)}</span>}
      {remarks.length > 0 && (
        <span class="tag teams-warn">⚠ {remarks.length > 1 ? `${remarks.length} warnings` : remarks[0]}</span>
      )}
    </button>
  );
}

/** Carries a character while it is dragged. */
export function carry(event: TargetedDragEvent<HTMLElement>, id: string): void {
  event.dataTransfer!.setData("text/plain", id);
  event.dataTransfer!.effectAllowed = "move";
}

/** Begins a text with a capital letter. */
export function upper(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

function rank({ stats }: Member, sort: string): number {
  return stats.find(({ label }) => label === sort)!.value;
}
