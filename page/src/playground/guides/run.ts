import { explain, TEST_CHAIN } from "duello";
import * as virtual from "virtual:guide-snippets";
import { PlaygroundProvider } from "../provider.ts";
import type { Guides } from "./guides.ts";
import { openGuideWorld } from "./world.ts";

export const snippets = virtual.snippets as Guides["snippets"];

export const runSnippet: Guides["runSnippet"] = async ({ run }, { startChain, bytecodes }, print) => {
  try {
    const { chain, deployment } = await openGuideWorld(startChain, bytecodes);
    class JsonRpcProvider extends PlaygroundProvider {
      constructor() {
        super(chain, TEST_CHAIN);
      }
    }
    const console = { log: (...values: unknown[]) => print(values.map(String).join(" ")) };
    await run({ console, JsonRpcProvider, deployment });
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  }
};
