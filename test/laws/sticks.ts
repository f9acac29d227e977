import { lawsOf, testGame } from "../../sdk/laws/index.js";
import { deployMock } from "../support/index.js";
import { lawOptions } from "../support/laws/options.js";
import { sticks } from "../support/sticks.js";

testGame(
  lawsOf(sticks, { deploy: ({ arena }) => deployMock(sticks.contract, arena), badModes: { "a byte": "0x00" } }),
  lawOptions,
);
