import type { Archive } from "../../archive.js";
import type { Kept } from "../../record.js";
import { standingOf } from "./honour.js";
import { chronicleOf } from "./records.js";

/** What all duels have made of their players. */
export function audit(archive: Archive): Kept[] {
  const { tallies } = chronicleOf(archive, archive.addresses.Pistols);
  return [...tallies].map(([player, tally]) => {
    return { view: "duelistOf", args: [player], answer: [tally, standingOf(tally)] };
  });
}
