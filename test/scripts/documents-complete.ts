import { expect } from "chai";
import { Interface, type InterfaceAbi } from "ethers";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { clock } from "../../cli/play/clock.js";
import { challenges } from "../../cli/play/challenge.js";
import { characters } from "../../cli/play/characters.js";
import { modes } from "../../cli/play/modes.js";
import { money } from "../../cli/play/money.js";
import { offers } from "../../cli/play/offers.js";
import { ranking } from "../../cli/play/ranking.js";
import { reading } from "../../cli/play/reading.js";
import { reveals } from "../../cli/play/reveal-army.js";
import { series } from "../../cli/play/series.js";
import { sitting } from "../../cli/play/sit.js";
import { ups } from "../../cli/play/up.js";
import { secrets } from "../../cli/shared/wallet/secrets.js";
import { stats } from "../../cli/play/stats.js";
import { turns } from "../../cli/play/turns.js";
import { besides } from "../../sdk/games/constructor-args.js";
import { games } from "../../sdk/games/index.js";
import { Arena__factory, Channels__factory } from "../../typechain-types/index.js";
import {
  allCommands,
  inlineCode,
  INTEGRATING,
  linksIn,
  PLAYING,
  readDocument,
  readDocuments,
  readGuide,
  ROOT,
  type Document,
} from "../../scripts/document.js";

const source = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Concatenates all files of a kind in a folder. */
function sourcesIn(folder: string, extension = ".ts"): string {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(extension))
    .map((name) => source(join(folder, name)))
    .join("\n");
}

/** Splits a text with gaps into its fixed pieces. */
function pieces(text: string, gap: RegExp | string): string[] {
  return text
    .split(gap)
    .map((piece) => piece.trim())
    .filter((piece) => piece.length > 2);
}

/** Maximum number of lines of a page in a guide. */
const MAX_LINES = 300;

const proseOf = (pages: readonly Document[]) => pages.map(({ prose }) => prose).join("\n");

describe("The manual", () => {
  for (const { file, text } of readDocuments().filter(({ file }) => file.startsWith("docs/"))) {
    it(`says first what its reader will be able to do: ${file}`, () => {
      expect(text).to.match(/^# .+\n\nAfter this page you (can|know) [^.]+\.\n\n/);
    });
  }
});

for (const guide of [PLAYING, INTEGRATING]) {
  describe(`The guide that begins with ${guide.first}`, () => {
    const [first, ...others] = readGuide(guide);

    for (const { file, text } of [first, ...others]) {
      it(`has at most ${MAX_LINES} lines: ${file}`, () => {
        expect(text.split("\n").length - 1).to.be.at.most(MAX_LINES);
      });
    }

    it("links from its first page to every other page", () => {
      const targets = linksIn(first).map(({ target }) => target);
      expect(targets).to.include.members(others.map(({ file }) => file));
    });
  });
}

describe("The players' guide", () => {
  const pages = readGuide(PLAYING);
  const prose = proseOf(pages);
  const text = pages.map((page) => page.text).join("\n");

  it("has an example of every command, and names every option", () => {
    const examples = allCommands(pages).map(({ command }) => command.split(" play -- ")[1] ?? "");
    for (const { usage, options = [] } of [
      money,
      characters,
      challenges,
      offers,
      turns,
      sitting,
      series,
      ups,
      modes,
      reading,
      stats,
      ranking,
      reveals,
      clock,
      secrets,
    ].flat()) {
      const names = usage.replace(/ [<[].*/, "");
      expect(
        examples.filter((example) => `${example} `.startsWith(`${names} `)),
        names,
      ).to.not.be.empty;
      for (const [flags] of options) expect(text, usage).to.include(flags.split(" ")[0]);
    }
  });

  it("quotes program output in its tables", () => {
    const said = sourcesIn("sdk") + sourcesIn("cli") + sourcesIn("scripts");
    const quotes = [...prose.matchAll(/^\| "([^"]+)" +\|/gm)].map(([, quote]) => quote);
    expect(quotes.length).to.be.greaterThan(20);
    for (const quote of quotes) for (const piece of pieces(quote, "…")) expect(said, quote).to.include(piece);
  });

  it("quotes every warning", () => {
    const warning = games.filter(({ characters }) => characters !== undefined);
    for (const file of [
      "sdk/player/risks.ts",
      "sdk/games/operators.ts",
      ...warning.map(({ name }) => `sdk/games/${name}/move-checks.ts`),
    ]) {
      const sentences = [...source(file).matchAll(/([`"])((?:(?!\1).){30,}\.)\1/g)].map(([, , sentence]) => sentence);
      expect(sentences, file).to.not.be.empty;
      for (const sentence of sentences)
        for (const piece of pieces(sentence, /\$\{[^}]*\}/)) expect(prose, sentence).to.include(piece);
    }
  });
});

describe("The integrators' guide", () => {
  const prose = proseOf([...readGuide(INTEGRATING), readDocument("docs/channels.md")]);

  /** Checks that the guide names everything in an ABI, except EIP-712 additions and what only an arena calls. */
  function expectNamed(abi: InterfaceAbi): void {
    const isMeant = (name: string) => !/eip712|^(create|join|act)$/i.test(name);
    new Interface(abi).forEachEvent(({ name }) => isMeant(name) && expect(prose).to.include(`\`${name}(`));
    new Interface(abi).forEachError(({ name }) => expect(prose).to.include(`\`${name}\``));
    new Interface(abi).forEachFunction(({ name, constant }) => {
      if (constant && isMeant(name)) expect(prose).to.include(`\`${name}(`);
    });
  }

  it("names every event, every view and every error of the arena and its channels", () => {
    expectNamed(Arena__factory.abi);
    expectNamed(Channels__factory.abi);
  });

  for (const game of games) {
    it(`names every event, every view and every error of a game and its other contracts: ${game.title}`, () => {
      for (const { abi } of [game, ...besides(game)]) expectNamed(abi);
    });
  }

  it("names every risk that a caller of the SDK can take", () => {
    const risks = /type Risk = ([^;]+)/.exec(source("sdk/player/risks.ts"))![1].match(/[\w-]+/g)!;
    for (const risk of risks) expect(prose).to.include(`\`${risk}\``);
  });
});

/** Checks that a text quotes titles of tests, and that each quoted title is in the named file. */
function expectProofs(text: string): void {
  const proofs = [...text.matchAll(/`((?:test|sdk\/laws)\/[^`]+)`: ((?:"[^"]+"(?:, )?)+)/g)];
  expect(proofs, text).to.not.be.empty;
  for (const [, file, titles] of proofs)
    for (const [, title] of titles.matchAll(/"([^"]+)"/g)) expect(source(file), file).to.include(title);
}

for (const [file, min] of [
  ["docs/security.md", 35],
  ["docs/attacks.md", 30],
] as const) {
  describe(`The page ${file}`, () => {
    it("names an existing test for every row", () => {
      const rows = readDocument(file)
        .prose.split("\n")
        .filter((line) => /^\| [A-Z]/.test(line));
      expect(rows.length).to.be.at.least(min);
      rows.forEach(expectProofs);
    });
  });
}

describe("The page docs/auditing.md", () => {
  const page = readDocument("docs/auditing.md");
  const named = inlineCode(page);

  it("answers ten questions, each with the titles of existing tests", () => {
    const questions = [...page.prose.matchAll(/^\d+\. \*\*[^*]+\?\*\*.*\n(?: {3,}.*\n)*/gm)].map(([text]) => text);
    expect(questions).to.have.length(10);
    for (const question of questions) expectProofs(question.replace(/\s+/g, " "));
  });

  const writing = [Arena__factory, Channels__factory, ...games]
    .flatMap(({ abi }) => abi as readonly { type: string; name?: string; stateMutability?: string }[])
    .filter(({ type, stateMutability }) => type === "function" && !/^(view|pure)$/.test(stateMutability!))
    .map(({ name }) => name!);

  it("names every function of the arena, its channels and the games that changes state", () => {
    expect(named).to.include.members(writing);
  });

  it("names only functions and files of the contracts that exist", () => {
    const ours = [sourcesIn("contracts", ".sol"), ...writing].join("\n");
    for (const name of named.filter((code) => /^_?[a-z]\w+$/.test(code)))
      expect(ours, name).to.match(new RegExp(`\\b${name}\\b`));
    const files = readdirSync(join(ROOT, "contracts"), { recursive: true, encoding: "utf8" }).map((path) =>
      basename(path),
    );
    expect(files).to.include.members(named.filter((code) => /^\w+\.sol$/.test(code)));
  });

  it("is linked from the list of pages", () => {
    expect(linksIn(readDocument("docs/README.md")).map(({ target }) => target)).to.include(page.file);
  });
});

describe("The page docs/sources.md", () => {
  const page = readDocument("docs/sources.md");

  it("maps every term of the sources to a name that exists in the code", () => {
    const ours = sourcesIn("contracts", ".sol") + sourcesIn("sdk") + sourcesIn("cli");
    const rows = [...page.prose.matchAll(/^\| .*\|$/gm)].map(([row]) => row.split("|").slice(1, -1));
    const named = rows.flatMap((cells) => [...cells.at(-1)!.matchAll(/`([A-Za-z][\w-]*)/g)].map(([, name]) => name));
    expect(named.length).to.be.greaterThan(100);
    for (const name of named) expect(ours, name).to.match(new RegExp(`\\b${name}\\b`));
  });

  it("is linked from the page of every game, and from the first paragraph of README", () => {
    expect(readDocument("README.md").text.split("\n\n")[1]).to.include("(docs/sources.md)");
    const pages = readdirSync(join(ROOT, "docs/games"));
    expect(pages.length).to.be.at.least(6);
    for (const name of pages) expect(readDocument(`docs/games/${name}`).text, name).to.include("../sources.md#");
  });
});
