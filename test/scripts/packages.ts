import { expect } from "chai";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import hre from "hardhat";
import { publint } from "publint";
import { besides } from "../../sdk/games/constructor-args.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { urlOf } from "../../scripts/local-chain.js";
import { addressesIn, freePort, listens, runScript, stopScripts, type Running } from "../support/running.js";
import { INTEGRATING, isSnippet, readDocument, readGuide, ROOT, type Document } from "../../scripts/document.js";
import { Reader, writeSnippets, type Place } from "./documents/running.js";
import { Outside } from "./packages/outside.js";

const NAMES = ["duello", "duello-contracts"];

/** Fields of a package's manifest. */
interface Manifest {
  version: string;
  exports: Record<string, string>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
}

/** Settings with which TypeScript resolves modules like Node, and like bundlers. */
const NODE = { module: "nodenext" };
const BUNDLERS = { module: "esnext", moduleResolution: "bundler", resolveJsonModule: true, skipLibCheck: true };

/** Returns the text of a module that exports everything of some others. */
const exported = (modules: readonly string[]) =>
  modules.map((module, i) => `export * as module${i} from "${module}";\n`).join("");

/** Returns a pattern that matches the files of a page's snippets. */
const snippetsOf = ({ file }: Document) => `${file.replace(/\W/g, "-")}-*.ts`;

const ownManifest = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;

describe("The two packages, installed in an empty folder outside the checkout", () => {
  let outside: Outside;
  let chain: Running;
  let place: Place;

  before(async () => {
    place = { port: await freePort(), deployments: mkdtempSync(join(tmpdir(), "duello-")) };
    outside = new Outside();
    await outside.install();
    // Packing can recompile the contracts, so the chain starts only after it.
    chain = runScript("scripts/start.ts", ["--port", String(place.port), "--no-page"], {
      DUELLO_DEPLOYMENTS: place.deployments,
    });
    await listens(chain);
  });

  after(() => {
    stopScripts();
    rmSync(place.deployments, { recursive: true });
    outside.remove();
  });

  const manifest = (name: string) => outside.readJson(outside.installed(name, "package.json")) as Manifest;
  const artifacts = () => outside.files(outside.installed("duello-contracts", "artifacts/*.json"));

  /** Lists everything that can be imported from the SDK, every game included. */
  function entries(): string[] {
    const { exports } = manifest("duello");
    const modules = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
    return modules
      .flatMap((entry) => (entry.includes("*") ? games.map(({ name }) => entry.replace("*", name)) : [entry]))
      .map((entry) => entry.replace(".", "duello"));
  }

  /** Returns a piece of each contract's bytecode. */
  function bytecodes(): string[] {
    const read = (file: string) => (outside.readJson(file) as { bytecode: string }).bytecode;
    return artifacts().map((file) => read(file).slice(400, 500));
  }

  it("run no script on installation, and depend on the tested versions", () => {
    const { devDependencies } = ownManifest("") as Manifest & { devDependencies: Record<string, string> };
    for (const name of NAMES) {
      const { dependencies = {}, scripts = {} } = manifest(name);
      expect(Object.keys(scripts), name).to.deep.equal(["prepack"]);
      const other = Object.entries(dependencies).filter(
        ([each, version]) => (devDependencies[each] ?? version) !== version,
      );
      expect(other, name).to.deep.equal([]);
    }
  });

  it("have the version of the project", () => {
    expect(NAMES.map((name) => manifest(name).version)).to.deep.equal(NAMES.map(() => ownManifest("").version));
  });

  it("contain JavaScript with declarations, and source maps with the sources", () => {
    const modules = outside.files(outside.installed("duello", "dist/**/*.js"));
    expect(modules).to.have.length.above(100);
    for (const file of modules) {
      expect(outside.read(file.replace(/js$/, "d.ts")), file).to.include("export");
      const map = outside.readJson(`${file}.map`) as { sources: string[]; sourcesContent: string[] };
      expect(map.sourcesContent, file).to.have.length(map.sources.length);
    }
  });

  it("contain the contracts' bytecode in one package, equal to that of this build", async () => {
    expect(artifacts()).to.have.length.above(10);
    for (const file of artifacts()) {
      const { contractName, ...found } = outside.readJson(file) as Record<string, unknown> & { contractName: string };
      const { abi, bytecode, deployedBytecode, immutableReferences } = await hre.artifacts.readArtifact(contractName);
      expect(found, file).to.deep.include({ abi, bytecode, deployedBytecode, immutableReferences });
      expect(outside.readJson(outside.installed("duello-contracts", `abi/${contractName}.json`))).to.deep.equal(abi);
    }
    const pieces = bytecodes();
    for (const file of outside.files(outside.installed("duello", "dist/**/*.{js,map,ts}"))) {
      const text = outside.read(file);
      expect(/_bytecode\b/.test(text) || pieces.some((piece) => text.includes(piece)), file).to.equal(false);
    }
  });

  it("name the addresses that every fresh local chain has", () => {
    const local = outside.readJson(outside.installed("duello-contracts", "deployments/31337.json"));
    const addresses = Object.fromEntries(addressesIn(chain.text()));
    expect(local).to.deep.equal({ chainId: 31337, block: 0, addresses });
  });

  it("contain a command line that plays and verifies, and the licenses of bundled code", async () => {
    const settings = `DUELLO_RPC_URL=${urlOf(place.port)} DUELLO_DEPLOYMENTS=${place.deployments} DUELLO_HOME=home`;
    const command = `${settings} npx --no-install duello`;
    expect(await outside.run(`${command} --version`)).to.equal(`${manifest("duello").version}\n`);
    expect(await outside.run(`${command} show 1`)).to.match(/: npx duello replay 1$/m);
    expect(await outside.run(`${command} verify 1`)).to.match(/^Identical: /);
    const evm = `${command} simulate mini-games ${join(ROOT, "test/golden/mini-games/001.in.json")} --engine evm`;
    expect(await outside.run(`${evm} 2>&1 || true`)).to.match(/^The contracts run on Hardhat with their build/);
    const bundle = outside.read(outside.installed("duello", "bin/cli.js"));
    expect(bytecodes().filter((piece) => bundle.includes(piece))).to.deep.equal([]);
    const licenses = outside.read(outside.installed("duello", "bin/LICENSES"));
    for (const name of ["commander", "@clack/prompts", "prom-client"]) expect(licenses).to.include(`${name}\n\n`);
  });

  it("let a Hardhat project build its own contracts on the interfaces, with another compiler", async () => {
    const blocks = readGuide(INTEGRATING).flatMap((page) => page.blocks);
    const { text } = blocks.find(({ file }) => file === "contracts/Tournament.sol")!;
    const games = ["TwoRounds", "HighPair"];
    await outside.run("mkdir contracts");
    outside.write("contracts/Tournament.sol", text);
    for (const name of games) {
      const game = readFileSync(join(ROOT, `test/mocks/${name}.sol`), "utf8");
      const moved = game.replaceAll('"../../contracts/', '"duello-contracts/');
      outside.write(`contracts/${name}.sol`, moved.replace(/^pragma .*/m, "pragma solidity 0.8.24;"));
    }
    await outside.run("node_modules/.bin/hardhat build");
    for (const name of ["Tournament", ...games]) {
      const { bytecode } = outside.readJson(`artifacts/contracts/${name}.sol/${name}.json`) as { bytecode: string };
      expect(bytecode, name).to.have.length.above(3000);
    }
  });

  const pages = [...readGuide(INTEGRATING), readDocument("sdk/README.md")].filter(({ blocks }) =>
    blocks.some(isSnippet),
  );

  it("compile with the TypeScript of the docs", async () => {
    writeSnippets(pages, { ...place, outside: outside.folder });
    expect(await outside.compile({ ...NODE, skipLibCheck: true }, ...pages.map(snippetsOf))).to.equal("");
  });

  for (const page of pages) {
    it(`run the TypeScript of ${page.file}`, () => Reader.follow(page, { ...place, outside: outside.folder }));
  }

  it("play and replay a match in an ES module", async () => {
    expect(await outside.run(`node match.mjs ${urlOf(place.port)}`)).to.equal("player 1 won, identical\n");
  });

  it("play and replay a match if loaded with require", async () => {
    expect(await outside.run(`node match.cjs ${urlOf(place.port)}`)).to.equal("player 1 won, identical\n");
  });

  for (const [title, module] of [
    ["Node", NODE],
    ["bundlers", BUNDLERS],
  ] as const) {
    it(`have types in every entry that TypeScript finds for ${title}`, async () => {
      outside.write("entries.mts", exported(entries()));
      expect(await outside.compile(module, "types.mts", "entries.mts")).to.equal("");
    });
  }

  it("let vite bundle the replay of one game without any other game or bytecode", async () => {
    await outside.run("node bundle.mjs replay.mjs out-replay");
    const bundle = outside.read("out-replay/bundle.js");
    const own = stockGame("tic-tac-toe");
    expect(bundle).to.include(own.name);
    const others = games.filter((game) => game !== own);
    const namesOf = (game: (typeof games)[number]) => [
      game.name,
      game.contract,
      ...besides(game).map(({ contract }) => contract),
    ];
    expect(others.flatMap(namesOf).filter((name) => bundle.includes(name))).to.deep.equal([]);
    expect(bytecodes().filter((piece) => bundle.includes(piece))).to.deep.equal([]);
  });

  it("let vite bundle every entry for a page, without Node modules", async () => {
    outside.write("whole.mjs", exported(entries()));
    await outside.run("node bundle.mjs whole.mjs out-whole");
    const bundle = outside.read("out-whole/bundle.js");
    expect(games.filter(({ contract }) => !bundle.includes(contract))).to.deep.equal([]);
  });

  it("have ABIs with which viem calls views", async () => {
    const printed = await outside.run(`node views.mjs ${urlOf(place.port)}`);
    expect(printed.trim()).to.match(/^0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC \d+ \d+$/);
  });

  for (const name of NAMES) {
    it(`pass publint: ${name}`, async () => {
      const pkgDir = join(outside.folder, outside.installed(name));
      const { messages } = await publint({ pkgDir, pack: false, strict: true });
      expect(messages).to.deep.equal([]);
    });
  }

  it("pass arethetypeswrong for ES modules", async () => {
    const attw = join(ROOT, "node_modules", ".bin", "attw");
    const pack = `duello-${manifest("duello").version}.tgz`;
    const options = ["--profile", "esm-only", "--format", "json", "--entrypoints", ...entries()];
    // The command succeeds for a package without types, and fails for one with wrong types.
    const { analysis } = JSON.parse(await outside.run([attw, pack, ...options].join(" "))) as { analysis: object };
    expect(analysis).to.have.deep.property("types", { kind: "included" });
  });
});
