import { expect } from "chai";
import type { AnyEvent, EventName } from "../../../sdk/chain/events.js";
import { EVENT_NAMES, Original, type Doctored } from "../../support/doctored.js";

const OTHER = "0x1212121212121212121212121212121212121212";
/** Number of events of a name that are doctored in each way. */
const SAMPLES = 3;

/** Way to change an event: omitted, duplicated, or with another value. */
interface Way {
  title: string;
  change(doctored: Doctored, event: AnyEvent): void;
}

/**
 * Changes that may go undetected, with the reason: nothing that the arena stores or pays depends on the value, or
 * another event implies the same. Some of them go undetected only for some events.
 */
const HARMLESS: Record<string, string> = {
  "FeeChanged twice": "the fee is the same",
  "TreasuryChanged twice": "the treasury is the same",
  "OperatorAllowed twice": "the permission is the same",
  "OperatorAllowed left out": "nobody can list permissions, and what operators do counts as their players'",
  "ModeRegistered left out": "nobody may have played it",
  "FighterMinted.character": "it is a name",
  "Withdrawn.to": "who has the money outside is not the arena's",
  "Created.firmUntil": "a seat that is taken has another deadline",
};

/** Events that matter only if their token was used in a match. */
const TOKENS: readonly EventName[] = ["Transfer", "FighterMinted", "CardMinted"];

/** Lists all ways to doctor an event of this kind. */
function waysOf({ name, args }: AnyEvent): Way[] {
  const values = Object.entries(args).map(([field, value]): Way => {
    const title = `${name}.${field}`;
    return { title, change: (_, event) => Object.assign(event.args, { [field]: otherThan(field, value) }) };
  });
  const leaveOut: Way = { title: `${name} left out`, change: (doctored, event) => doctored.drop(event) };
  const twice: Way = {
    title: `${name} twice`,
    change: ({ events }, event) => events.splice(events.indexOf(event), 0, event),
  };
  return [leaveOut, twice, ...values];
}

/**
 * Returns another value of the same kind. If the value is bytes, the first byte is changed, because the last bytes may
 * be a note, which the contracts ignore.
 */
function otherThan(field: string, value: unknown): unknown {
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value))
    return value.length === 0 ? [1n] : [otherThan(field, value[0]), ...(value as unknown[]).slice(1)];
  if (typeof value === "object") return { ...value, ...firstOf(value as Record<string, unknown>) };
  const text = value as string;
  if (text.length === 42 && field !== "data") return OTHER;
  return text === "0x" ? "0x00" : `0x${(parseInt(text[2], 16) ^ 8).toString(16)}${text.slice(3)}`;
}

function firstOf(values: Record<string, unknown>): Record<string, unknown> {
  const field = "clock" in values ? "clock" : Object.keys(values)[0];
  return { [field]: otherThan(field, values[field]) };
}

/** Returns a few items, evenly spread. */
function some<T>(items: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(items.length / SAMPLES));
  return items.filter((_, i) => i % step === 0).slice(0, SAMPLES);
}

describe("Verifying doctored events", () => {
  let original: Original;

  before(async () => {
    original = await Original.ofRecording();
  });

  it("covers every kind of event", () => {
    expect(new Set(original.archive.all.map(({ name }) => name))).to.deep.equal(new Set(EVENT_NAMES));
  });

  for (const name of EVENT_NAMES) {
    it(`finds every manipulation of ${name}`, async () => {
      const { archive } = original;
      // The events of an unknown game cannot be checked.
      const own = archive.all.filter((event) => event.name === name && !original.isForeign(event));
      const missed = new Set<string>();
      for (const event of some(own)) {
        for (const { title, change } of waysOf(event)) {
          const at = archive.all.indexOf(event);
          const found = await original.found((doctored) => change(doctored, doctored.events[at]));
          if (found === undefined) missed.add(title);
        }
      }
      const unexplained = [...missed].filter((title) => !(title in HARMLESS) && !TOKENS.includes(name));
      expect(unexplained, "missed").to.deep.equal([]);
    });
  }
});
