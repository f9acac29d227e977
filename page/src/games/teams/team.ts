/** Ids of characters by slot; an empty slot has null. */
export type Slots = readonly (string | null)[];

/** Puts a character into a slot. If the character has a slot already, both slots swap characters. */
export function placed(slots: Slots, id: string, at: number): Slots {
  const before = slots.indexOf(id);
  return before < 0 ? slots.with(at, id) : swapped(slots, before, at);
}

/** Swaps two slots. */
export function swapped(slots: Slots, one: number, other: number): Slots {
  return slots.with(one, slots[other]).with(other, slots[one]);
}

/** Fills the empty slots with the first of the given characters that have no slot yet. */
export function filled(slots: Slots, ids: readonly string[]): Slots {
  const rest = ids.filter((id) => !slots.includes(id));
  return slots.map((id) => id ?? rest.shift() ?? null);
}

/** Returns the first empty slot; -1 if no slot is empty. */
export function firstFree(slots: Slots): number {
  return slots.indexOf(null);
}

/** Moves a place in a grid with a key, within its bounds; undefined for another key. */
export function moved(key: string, place: number, count: number, columns: number): number | undefined {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (!(key in steps)) return undefined;
  const to = place + steps[key];
  return to >= 0 && to < count ? to : place;
}
