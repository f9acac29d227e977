import type { ComponentType, TargetedDragEvent, TargetedKeyboardEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { EmblemProps, Member } from "./kind.ts";
import { carry, type Candidate } from "./roster.tsx";
import { firstFree, moved, type Slots } from "./team.ts";

interface SlotRowProps<C, E extends Member> {
  slots: Slots;
  candidates: readonly Candidate<C, E>[];
  /** Slot that is selected; -1 for none. */
  selected: number;
  isBusy: boolean;
  Emblem: ComponentType<EmblemProps<E>>;
  onSelect: (slot: number) => void;
  onSwap: (one: number, other: number) => void;
  onEmpty: (slot: number) => void;
  /** Takes a character that was dropped on a slot. */
  onDrop: (id: string, slot: number) => void;
}

/**
 * Shows the slots of a team. They are one tab stop: arrows move the focus, Shift with arrows moves the character, and
 * Delete empties a slot.
 */
export function SlotRow<C, E extends Member>(props: SlotRowProps<C, E>) {
  const { slots, candidates, selected, isBusy, Emblem, onSelect, onSwap, onEmpty, onDrop } = props;
  const [focused, setFocused] = useState(0);
  const [over, setOver] = useState(-1);
  const row = useRef<HTMLDivElement>(null);
  const next = selected >= 0 ? selected : firstFree(slots);
  const current = Math.min(focused, slots.length - 1);

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const to = moved(event.key, current, slots.length, 1);
    const isDelete = event.key === "Delete" || event.key === "Backspace";
    if (isBusy || (to === undefined && !isDelete)) return;
    event.preventDefault();
    if (to === undefined) return onEmpty(current);
    if (event.shiftKey && to !== current) onSwap(current, to);
    setFocused(to);
    (row.current!.children[to] as HTMLElement).focus();
  };

  return (
    <div
      ref={row}
      class="teams-slots"
      role="toolbar"
      aria-label="Your team, by slot"
      style={{ "--slots": slots.length }}
      onKeyDown={onKeyDown}
    >
      {slots.map((id, slot) => {
        const found = candidates.find(({ member }) => member.id === id);
        const isBad = id !== null && found?.obstacle !== undefined;
        return (
          <button
            key={slot}
            type="button"
            class={`teams-slot${slot === next ? " is-next" : ""}${slot === over ? " is-over" : ""}${isBad ? " is-away" : ""}`}
            aria-pressed={slot === selected}
            aria-disabled={isBusy}
            tabIndex={slot === current ? 0 : -1}
            draggable={!isBusy && id !== null}
            onFocus={() => setFocused(slot)}
            onClick={() => !isBusy && onSelect(slot)}
            onDragStart={(event) => id !== null && carry(event, id)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(slot);
            }}
            onDragLeave={() => setOver(-1)}
            onDrop={(event: TargetedDragEvent<HTMLElement>) => {
              event.preventDefault();
              setOver(-1);
              if (!isBusy) onDrop(event.dataTransfer!.getData("text/plain"), slot);
            }}
          >
            <span class="teams-number">
              <span class="hidden">Slot </span>
              {slot + 1}
            </span>
            {found ? (
              <>
                <Emblem member={found.member} />
                <b>{found.member.name}</b>
                <span class="muted">#{found.member.id}</span>
                {isBad && <span class="tag">Cannot fight</span>}
              </>
            ) : (
              <span class="teams-empty">{slot === next ? "Next" : "Empty"}</span>
            )}
          </button>
        );
      })}
    </div>
  );
}
