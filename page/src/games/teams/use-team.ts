import { useState } from "preact/hooks";
import type { Member } from "./kind.ts";
import type { Candidate } from "./roster.tsx";
import { filled, firstFree, placed, swapped, type Slots } from "./team.ts";

/** Keeps the team that is being chosen; characters that the player no longer owns are removed. */
export function useTeam<C, E extends Member>(size: number, candidates: readonly Candidate<C, E>[]) {
  const [kept, keep] = useState<Slots>([]);
  const [selected, setSelected] = useState(-1);
  const [shown, setShown] = useState<string>();
  const [said, say] = useState("");

  const byId = (id: string | null | undefined) => candidates.find(({ member }) => member.id === id);
  const slots: Slots = Array.from({ length: size }, (_, slot) => byId(kept[slot])?.member.id ?? null);
  const ready = candidates.filter(({ obstacle }) => obstacle === undefined).map(({ member }) => member.id);
  const change = (to: Slots, text: string) => {
    keep(to);
    setSelected(-1);
    say(text);
  };
  const put = (id: string, slot: number) => {
    if (!ready.includes(id)) return;
    setShown(id);
    change(placed(slots, id, slot), `${byId(id)!.member.name} is in slot ${slot + 1}.`);
  };
  const empty = (slot: number) => change(slots.with(slot, null), `Slot ${slot + 1} is empty.`);
  const swap = (one: number, other: number) =>
    change(swapped(slots, one, other), `Slots ${one + 1} and ${other + 1} have changed places.`);

  return {
    slots,
    /** Slot that is selected; -1 for none. */
    selected,
    /** Character that was touched last. */
    shown: byId(shown),
    /** Sentence about the last change. */
    said,
    /** Ids of the characters that can fight now. */
    ready,
    count: slots.filter((id) => id !== null).length,
    /** The whole team; undefined while a slot is empty, or somebody in it cannot fight. */
    whole: slots.every((id) => id !== null && ready.includes(id)) ? (slots as readonly string[]) : undefined,
    byId,
    put,
    empty,
    swap,
    fill: () => change(filled(slots, ready), "The strongest have the slots that were empty."),
    clear: () => change([], ""),
    /** Selects a slot, swaps it with the selected slot, or deselects it. */
    select(slot: number) {
      if (selected >= 0 && selected !== slot) return swap(selected, slot);
      setShown(slots[slot] ?? undefined);
      setSelected(selected === slot ? -1 : slot);
    },
    /** Puts a character into the selected slot or, if none is, the first empty one; or removes it from the team. */
    choose({ member: { id, name }, obstacle }: Candidate<C, E>) {
      const [place, free] = [slots.indexOf(id), selected >= 0 ? selected : firstFree(slots)];
      setShown(id);
      if (obstacle !== undefined) say(`${name} cannot fight now: ${obstacle}.`);
      else if (place >= 0 && selected < 0) empty(place);
      else if (free < 0) say(`Choose the slot that ${name} is to take.`);
      else put(id, free);
    },
  };
}
