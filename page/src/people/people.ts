import { computed, signal } from "@preact/signals";
import { keepLocal, localValue } from "../store/local.ts";
import { likenessOf } from "./recipe.ts";

/** Digits of an address that tell two people of the same name apart. */
const DIGITS = 4;
/** Entry of the browser's storage with all names that the person has given to others. */
const KEY = "duello.names";

/** Names that the person has given to others, by address. They stay in this browser. */
export const givenNames = signal<Readonly<Record<string, string>>>(kept());

function kept(): Record<string, string> {
  return Object.fromEntries(Object.entries(localValue(KEY) ?? {}).filter(([, name]) => typeof name === "string"));
}

/** Gives a person a name of one line in this browser; an empty name restores the name made from the address. */
export function giveName(address: string, name: string): void {
  const { [address]: _, ...others } = givenNames.peek();
  givenNames.value = name === "" ? others : { ...others, [address]: name };
  keepLocal(KEY, givenNames.peek());
}

/** Number of places in which the page shows each address. */
const shown = signal<ReadonlyMap<string, number>>(new Map());

/** Names that several shown people share, one per line. They are one text, so that equal values cause no redraw. */
const shared = computed(() => {
  const names = [...shown.value.keys()].map(bareName);
  return [...new Set(names.filter((name, i) => names.indexOf(name) !== i))].sort().join("\n");
});

/** Registers that the page shows a person. @returns a function that ends the registration */
export function notePerson(address: string): () => void {
  count(address, 1);
  return () => count(address, -1);
}

function count(address: string, change: number): void {
  const counts = new Map(shown.peek());
  const next = (counts.get(address) ?? 0) + change;
  if (next > 0) counts.set(address, next);
  else counts.delete(address);
  shown.value = counts;
}

function bareName(address: string): string {
  return givenNames.value[address] ?? likenessOf(address).name;
}

/** Name of a person in its parts. */
export interface PersonName {
  readonly name: string;
  /** Last digits of the address, if the page shows another person of this name. */
  readonly digits?: string;
  /** True if the person at the browser chose the name. */
  readonly isGiven: boolean;
}

/** Returns the name of a person as the page shows it now. */
export function nameOf(address: string): PersonName {
  const name = bareName(address);
  const isShared = shared.value.split("\n").includes(name);
  return {
    name,
    ...(isShared && { digits: address.slice(-DIGITS) }),
    isGiven: Object.hasOwn(givenNames.value, address),
  };
}

/** Names a person in a sentence, e.g. `Iron Willow`. */
export function personText(address: string): string {
  const { name, digits } = nameOf(address);
  return digits === undefined ? name : `${name} ${digits}`;
}
