import { expect } from "chai";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  allCommands,
  anchorsOf,
  commandsOf,
  EMPTY_CHAIN,
  INTEGRATING,
  inlineCode,
  isPageOf,
  isSnippet,
  LANGUAGES,
  linksIn,
  readDocument,
  readDocuments,
  ROOT,
  scripts,
  TEMPLATE,
  TUTORIAL,
  type Block,
  type Document,
} from "../../scripts/document.js";
import { ELSEWHERE } from "./documents/elsewhere.js";
import { compileSnippets, isKnown, Reader, removeSnippets, writeSnippets, type Place } from "./documents/running.js";
import { hasAnvil, TestNode } from "../support/deploy-support.js";
import { addressesIn, freePort, listens, runScript, stopScripts, type Running } from "../support/running.js";

const documents = readDocuments();

/** Folders whose files documents refer to. */
const FOLDERS = /^(contracts|docs|ignition|scripts|sdk|test|typechain-types)\/[\w./-]*$/;

const isFollowed = (block: Block) => block.language === "sh" || isSnippet(block);

describe("The documentation", () => {
  it("has only code blocks in languages that these tests parse", () => {
    for (const { at, language } of documents.flatMap(({ blocks }) => blocks)) {
      expect(LANGUAGES, at).to.include(language);
    }
  });

  it("has only commands that run in this test or, for a stated reason, in another test", () => {
    // Another test follows the whole tutorial.
    const others = documents.filter(({ file }) => file !== TUTORIAL);
    const unknown = allCommands(others).filter((command) => !isKnown(command));
    expect(unknown).to.deep.equal([]);
  });

  it("contains every command listed for another test, and that test runs it", () => {
    const named = allCommands(documents).map(({ command }) => command);
    for (const { command, by } of ELSEWHERE) {
      expect(named, "an entry that no document needs").to.include(command);
      expect(readFileSync(join(ROOT, by[0]), "utf8"), command).to.include(by[1]);
    }
  });

  it("names every script for users, and no unknown script", () => {
    const code = [...allCommands(documents).map(({ command }) => command), ...documents.flatMap(inlineCode)];
    const named = [...code.join("\n").matchAll(/\bnpm (?:run (?:-s )?)?([a-z][a-z:]*)/g)].map(([, name]) => name);
    const npmOwn = ["audit", "ci", "create", "install", "pack", "version"];
    expect(named.filter((name) => !(name in scripts) && !npmOwn.includes(name))).to.deep.equal([]);
    const ofNpm = (name: string) => /^(pre|post)/.test(name);
    expect(Object.keys(scripts).filter((name) => !ofNpm(name) && !named.includes(name))).to.deep.equal([]);
  });

  for (const document of documents) {
    it(`links only to existing pages, and names only existing files: ${document.file}`, () => {
      for (const { target, anchor } of linksIn(document)) {
        expect(existsSync(join(ROOT, target)), target).to.equal(true);
        if (anchor !== undefined) expect(anchorsOf(readDocument(target)), target).to.include(anchor);
      }
      for (const path of inlineCode(document).filter((code) => FOLDERS.test(code))) {
        const project = document.file === TUTORIAL ? TEMPLATE : "";
        expect(existsSync(join(ROOT, project, path)), path).to.equal(true);
      }
    });
  }
});

describe("The documentation, executed on a local chain", () => {
  let chain: Running;
  let place: Place;

  before(async () => {
    place = { port: await freePort(), deployments: mkdtempSync(join(tmpdir(), "duello-")) };
    writeSnippets(
      documents.filter(({ file }) => !isPageOf(INTEGRATING, file)),
      place,
    );
    chain = runScript("scripts/start.ts", ["--port", String(place.port), "--no-page"], {
      DUELLO_DEPLOYMENTS: place.deployments,
    });
    await listens(chain);
  });

  after(() => {
    stopScripts();
    removeSnippets();
    rmSync(place.deployments, { recursive: true });
  });

  it("has TypeScript that compiles", async () => {
    const { code, output } = await compileSnippets();
    expect([output, code]).to.deep.equal(["", 0]);
  });

  it("names the addresses that every fresh local chain has", () => {
    const { prose } = readDocument("docs/addresses.md");
    const rows = [...prose.matchAll(/^\| (\w+) +\| `(0x\w{40})` \|$/gm)].map(([, name, address]) => [name, address]);
    expect(rows).to.deep.equal([...addressesIn(chain.text())]);
  });

  const isBeside = ({ file }: Document) => ![EMPTY_CHAIN, TUTORIAL].includes(file) && !isPageOf(INTEGRATING, file);
  const beside = documents.filter((document) => document.blocks.some(isFollowed) && isBeside(document));
  for (const document of beside) {
    it(`has commands that work as documented: ${document.file}`, () => Reader.follow(document, place));
  }
});

describe(`The page ${EMPTY_CHAIN}, executed on the chain that it starts`, () => {
  const document = readDocument(EMPTY_CHAIN);
  let node: TestNode | undefined;
  let deployments: string;

  before(async function () {
    if (!hasAnvil()) this.skip();
    const [{ command }] = commandsOf(document.blocks[0]);
    node = await TestNode.start("anvil", ...command.split(" ").slice(2));
    deployments = mkdtempSync(join(tmpdir(), "duello-"));
  });

  after(async () => {
    await node?.stop();
    if (node) rmSync(deployments, { recursive: true });
  });

  it("leads from an empty chain to a match of each game", async () => {
    const port = Number(new URL(node!.url).port);
    await Reader.follow(document, { port, deployments, isUnnamed: true });
  });
});
