import { expect } from "chai";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkDocumented, sdkPages, TYPEDOC, writeSdkReference } from "../../scripts/manual/sdk-reference.js";

describe("The reference of the SDK", () => {
  const pages = sdkPages();

  it("needs a docstring for every export", () => {
    checkDocumented(pages);
    const bare = {
      ...pages[0].exported[0],
      name: "answerTo",
      file: "sdk/protocol/commitment.ts",
      line: 7,
      doc: undefined,
    };
    const wrong = { ...pages[0], exported: [...pages[0].exported, bare] };
    expect(() => checkDocumented([...pages, wrong])).to.throw(
      "sdk/protocol/commitment.ts:7: answerTo has no docstring",
    );
  });

  it("has a page for each group of the main entry, and one for each game", () => {
    const paths = pages.map(({ path }) => path);
    expect(paths).to.include.members(["duello/playing", "duello/verifying", "duello/games/pistols", "duello/practice"]);
    expect(new Set(paths).size).to.equal(paths.length);
  });

  describe("written by TypeDoc", () => {
    let folder: string;
    const read = (path: string) => readFileSync(join(folder, path), "utf8");

    before(async function () {
      if (!existsSync(TYPEDOC)) this.skip();
      folder = mkdtempSync(join(tmpdir(), "duello-reference-"));
      await writeSdkReference(folder);
    });

    after(() => {
      if (folder !== undefined) rmSync(folder, { recursive: true });
    });

    it("lists every page, and the values that examples use", () => {
      const index = read("index.md");
      for (const { path } of pages) expect(index).to.include(`(${path}.md)`);
      expect(index).to.match(/^export const alice = /m);
      expect(index).not.to.match(/^import /m);
    });

    it("describes every export once, with its example, its errors and the version since which it exists", () => {
      const texts = pages.map(({ path }) => read(`${path}.md`));
      for (const { exported, path } of pages) {
        const text = read(`${path}.md`).replaceAll("\\_", "_");
        for (const { name } of exported) expect(text, path).to.match(new RegExp(`^### (abstract )?${name}\\b`, "im"));
      }
      const all = texts.join("\n");
      const section = all.slice(all.indexOf("### readDuration()"));
      expect(section.slice(0, section.indexOf("\n***\n"))).to.equal(
        [
          "### readDuration()\n",
          "```ts\nfunction readDuration(text: string, what: string): number;\n```\n",
          "Reads a length of time such as 90s, 15m, 24h or 7d.\n",
          "#### Parameters\n",
          "| Parameter | Type |\n| ------ | ------ |\n| `text` | `string` |\n| `what` | `string` |\n",
          "#### Returns\n\n`number`\n\nthe time in seconds.\n",
          "#### Throws\n\nInputError for any other text, or for more than a hundred years.\n",
          '#### Example\n\n```ts\nimport { readDuration } from "duello";\n\nreadDuration("15m", "--clock"); // => 900\n```\n',
          "#### Since\n\n0.1.0\n",
        ].join("\n"),
      );
    });

    it("names parameters that are patterns, and links other exports", () => {
      const playing = read("duello/playing.md");
      expect(playing).not.to.include("__namedParameters");
      expect(playing).to.include("| `result` | \\{ `taker`: `bigint`; `winner`: `bigint`; \\} |");
      expect(read("duello/terms-offers-and-commitments.md")).to.include("[`commitWithKey`](playing.md#commitwithkey)");
    });

    it("links only to pages that exist", () => {
      for (const { path } of [...pages, { path: "index" }]) {
        const file = `${path}.md`;
        const linked = Array.from(read(file).matchAll(/\]\(([^)#\s:]+\.md)(?:#[^)]*)?\)/g), ([, page]) => page);
        for (const page of linked)
          expect(existsSync(join(folder, dirname(file), page)), `${file}: ${page}`).to.equal(true);
      }
    });
  });
});
