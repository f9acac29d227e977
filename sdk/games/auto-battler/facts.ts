import { defineFacts } from "../module.js";

/** Facts about the game, for the catalogue too. */
export const facts = defineFacts({
  name: "auto-battler",
  summary: "Five fighters a side. You pick the team and its order; they fight on their own.",
  contract: "AutoBattler",
  modes: { default: { content: "0x" } },
});
