import { expect } from "chai";
import { build } from "esbuild";
import { catalogue, load } from "../../../sdk/games/catalogue.js";
import { games } from "../../../sdk/games/index.js";
import type { GameFacts } from "../../../sdk/games/module.js";

/** Returns a catalogue's facts about a game. */
function factsOf({ name, title, contract, modes, demo }: GameFacts): object {
  const published = Object.entries(modes).map(([mode, { content, odds, ties, weakness }]) => {
    return [mode, { content, odds, ties, weakness }];
  });
  return { name, title, contract, demo, modes: published };
}

/** Bundles a file for a page, and lists the modules that the page must load before it can run the file. */
async function loadedAtOnce(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    outdir: "out",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
  });
  const [entry] = Object.keys(metafile.outputs).filter((output) => metafile.outputs[output].entryPoint === file);
  const chunks = new Set([entry]);
  // Iterating over a set includes items that are added during the iteration.
  for (const chunk of chunks) {
    const loaded = metafile.outputs[chunk].imports.filter(
      ({ kind, external }) => kind === "import-statement" && !external,
    );
    for (const { path } of loaded) chunks.add(path);
  }
  return [...chunks]
    .flatMap((chunk) => Object.entries(metafile.outputs[chunk].inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => input);
}

describe("The catalogue of games", () => {
  it("has the facts of each game in the list, in the same order", () => {
    expect(catalogue.map(factsOf)).to.deep.equal(games.map(factsOf));
  });

  it("loads a game's module by name, and lists the valid names if there is no such game", async () => {
    for (const game of games) expect(await load(game.name)).to.equal(game);
    const refusal = await load("chess").catch(String);
    expect(refusal).to.equal(`InputError: chess: no such game; there are ${games.map(({ name }) => name).join(", ")}`);
  });

  it("is loaded in a page without any engine, bot, replay or contract", async () => {
    const modules = await loadedAtOnce("sdk/games/catalogue.ts");
    expect(modules.filter((module) => module.endsWith("/facts.ts"))).to.have.length(games.length);
    expect(
      modules.filter((module) => /^sdk\/(bots|player|verify)\/|typechain-types|hash-wasm/.test(module)),
    ).to.deep.equal([]);
    const code = modules.filter((module) => /^sdk\/games\/[^/]+\//.test(module));
    expect(
      code.filter((module) => /\/(index|engine|replay|simulate|story|frames|bot|strategy|act)\b/.test(module)),
    ).to.deep.equal([]);
  });
});
