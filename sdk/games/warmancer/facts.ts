import type { Hex } from "../../protocol/hex.js";
import { defineFacts } from "../module.js";
import { priceOf } from "./army.js";
import { CLASSIC, encodeMode, GRAND, QUICK, SKIRMISH } from "./mode.js";

const stock = (content: Hex) => ({ content });

/** Facts about the game, which the catalogue uses too. */
export const facts = defineFacts({
  name: "warmancer",
  summary: "Hidden armies that move at the same time. Find the Throne.",
  contract: "Warmancer",
  modes: {
    classic: stock("0x"),
    skirmish: stock(encodeMode(SKIRMISH)),
    quick: stock(encodeMode(QUICK)),
    "classic-casual": stock(encodeMode({ ...CLASSIC, casual: true })),
    "classic-always-hidden": stock(encodeMode({ ...CLASSIC, alwaysHidden: true })),
    "classic-sequential": stock(encodeMode({ ...CLASSIC, sequential: true })),
    "classic-casual-sequential": stock(encodeMode({ ...CLASSIC, casual: true, sequential: true })),
    "classic-always-hidden-sequential": stock(encodeMode({ ...CLASSIC, alwaysHidden: true, sequential: true })),
    "classic-bought": stock(encodeMode({ ...CLASSIC, budget: priceOf(CLASSIC.army) })),
    grand: stock(encodeMode(GRAND)),
  },
  demo: "quick",
});
