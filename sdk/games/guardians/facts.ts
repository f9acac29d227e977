import { defineFacts, type ModeDefinition } from "../module.js";
import { defaultMode, encodeMode } from "./mode.js";
import { cardContract } from "./cards.js";

/** Facts about the game, which the catalogue uses too. */
export const facts = defineFacts({
  name: "guardians",
  summary: "Cards of eight types, fastest first, with dodges and critical hits.",
  contract: "Guardians",
  characters: cardContract,
  modes: {
    default: { content: "0x" },
    "1v1": teamsOf(1),
    "5v5": teamsOf(5),
    // Like the source, this mode does not limit the probability of a dodge.
    "protocol-guardians": { content: encodeMode({ ...defaultMode, dodgeCap: 1000 }) },
  },
});

/** Creates a mode that differs from the default only in the size of its teams. */
function teamsOf(teamSize: number): ModeDefinition {
  return { content: encodeMode({ ...defaultMode, teamSize }) };
}
