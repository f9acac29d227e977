import { defineFacts } from "../module.js";

/** Facts about the game, for the catalogue too. */
export const facts = defineFacts({
  name: "auto-battler",
  contract: "AutoBattler",
  modes: { default: { content: "0x" } },
});
