import { testLaws } from "../../sdk/laws/laws.js";
import { derivedMiniGames } from "../support/laws/derived.js";
import { lawOptions } from "../support/laws/options.js";

testLaws(derivedMiniGames(), lawOptions);
