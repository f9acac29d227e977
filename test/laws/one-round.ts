import { lawsOf, testGame } from "../../sdk/laws/index.js";
import { definition, highPair } from "../support/high-pair.js";
import { deployMock } from "../support/index.js";
import { lawOptions } from "../support/laws/options.js";

testGame(
  lawsOf(highPair, {
    deploy: ({ arena }) => deployMock(definition.contract, arena),
    badModes: { "a byte": "0x00" },
    wrongMoves: () => ({
      "no card": { move: "0x0001", error: "UnknownCard" },
      "card 21": { move: "0x0115", error: "UnknownCard" },
    }),
  }),
  lawOptions,
);
