import { defineFacts } from "../module.js";
import { fighterContract } from "./fighters.js";

/** Facts about the game, which the catalogue uses too. */
export const facts = defineFacts({
  name: "auto-battler",
  summary: "Five fighters a side. You pick the team and its order; they fight on their own.",
  contract: "AutoBattler",
  characters: fighterContract,
  modes: { default: { content: "0x" } },
});
