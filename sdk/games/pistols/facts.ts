import { defineFacts } from "../module.js";

/** Facts about the game, which the catalogue uses too. */
export const facts = defineFacts({
  name: "pistols",
  summary: "Walk, turn, shoot. Who survives draws a blade.",
  contract: "Pistols",
  modes: { default: { content: "0x", weakness: "Between newcomers one pace is the strongest choice." } },
});
