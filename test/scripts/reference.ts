import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { TABLES } from "../../sdk/chain/index-tables.js";
import { referenceIn } from "../../scripts/manual/build.js";
import { checkDocumented, sdkPages, TYPEDOC } from "../../scripts/manual/sdk-reference.js";
import { pagesOf, type Part } from "../../scripts/manual/sidebar.js";

const pages = sdkPages();

describe("The pages of the SDK's reference", () => {
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
});

describe("The reference of the manual", () => {
  let root: string;
  let part: Part;
  const read = (page: string) => readFileSync(join(root, page), "utf8");

  before(async function () {
    if (!existsSync(TYPEDOC)) this.skip();
    root = mkdtempSync(join(tmpdir(), "duello-reference-"));
    part = await referenceIn(root);
  });
  after(() => {
    if (root !== undefined) rmSync(root, { recursive: true });
  });

  it("links only to its own pages and to those of the manual", () => {
    for (const page of pagesOf([part])) {
      for (const [, link] of read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        const target = normalize(join(dirname(page), link));
        expect(existsSync(target.startsWith("docs/") ? target : join(root, target)), `${page}: ${link}`).to.equal(true);
      }
    }
  });

  it("describes each function of a contract with its parameters, errors and their sentences", () => {
    const arena = read("reference/contracts/Arena.md");
    const [, fund] = /### fund\n([^]*?)\n### /.exec(arena)!;
    expect(fund).to.include("function fund(uint256 matchId, bytes32 offerHash) external payable;");
    expect(fund)
      .to.match(/- `offerHash`: Hash of the offer/)
      .and.to.match(/Errors: .*\[`PurseTooLow`\]\(#pursetoolow\)/);
    const [, error] = /### PurseTooLow\n([^]*?)\n### /.exec(arena)!;
    expect(error).to.include("error PurseTooLow(");
    expect(error).to.include("Shown as: “The purse of {player} holds {balance} of {token}; {needed} are needed.”");
    for (const page of pagesOf([part]).filter((each) => each.startsWith("reference/contracts/"))) {
      const anchors = new Set([...read(page).matchAll(/^### (\w+)$/gm)].map(([, name]) => name.toLowerCase()));
      for (const [, anchor] of read(page).matchAll(/\]\(#(\w+)\)/g)) expect(anchors, page).to.include(anchor);
    }
  });

  it("has every command of play, every program and every table, with their options and columns", () => {
    const [play, programs, tables] = ["play", "programs", "tables"].map((name) => read(`reference/${name}.md`));
    expect(play).to.match(
      /^## challenge\n\n```text\nUsage: npm run -s play -- challenge \[options\] <game> \[move\.\.\.\]/m,
    );
    expect(play).to.match(/^## secrets export$/m);
    expect(programs).to.match(/^## npm run relay\n\n```text\nUsage: /m);
    for (const [table, { columns }] of Object.entries(TABLES)) {
      const [, section] = new RegExp(`^## ${table}\\n([^]*?)(?=\\n## |$(?![^]))`, "m").exec(tables)!;
      for (const column of Object.keys(columns))
        expect(section, table).to.match(new RegExp(`\\| \`${column}\` +\\| .+\\| \\S`));
    }
  });

  it("has every request of a relay, of an index and of the API for bots", () => {
    const requests = read("reference/requests.md");
    expect(requests.match(/^### (GET|PUT|POST) .*$/gm)).to.deep.equal([
      "### GET /",
      "### GET /lobby",
      "### PUT /lobby",
      "### GET /keys/{key}",
      "### GET /keys/{key}/{seen}",
      "### GET /{id}",
      "### GET /{id}/{seen}",
      "### PUT /{id}",
      "### GET /health",
      "### GET /ready",
      "### GET /status",
      "### POST /graphql",
      "### GET /sql/db",
      "### GET /api/account",
      "### GET /api/account/playing",
      "### GET /api/stream/event",
      "### GET /api/challenge",
      "### POST /api/challenge/{id}/accept",
      "### POST /api/challenge/{id}/decline",
      "### POST /api/challenge/{id}/cancel",
      "### POST /api/challenge/{address}",
      "### POST /api/board/seek",
      "### GET /api/board/game/stream/{id}",
      "### POST /api/board/game/{id}/move/{move}",
      "### POST /api/board/game/{id}/move",
      "### POST /api/board/game/{id}/resign",
      "### POST /api/board/game/{id}/draw/{answer}",
    ]);
    expect(requests).to.match(/^\| 507 +\| There is no room for the message or search\. \|$/m);
  });

  describe("of the SDK", () => {
    const folder = () => join(root, "reference", "sdk");
    const readSdk = (path: string) => readFileSync(join(folder(), path), "utf8");

    it("lists every page, and the values that examples use", () => {
      const index = readSdk("index.md");
      for (const { path } of pages) expect(index).to.include(`(${path}.md)`);
      expect(index).to.match(/^export const alice = /m);
      expect(index).not.to.match(/^import /m);
    });

    it("describes every export once, with its example, its errors and the version since which it exists", () => {
      const texts = pages.map(({ path }) => readSdk(`${path}.md`));
      for (const { exported, path } of pages) {
        const text = readSdk(`${path}.md`).replaceAll("\\_", "_");
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
      const playing = readSdk("duello/playing.md");
      expect(playing).not.to.include("__namedParameters");
      expect(playing).to.include("| `result` | \\{ `taker`: `bigint`; `winner`: `bigint`; \\} |");
      expect(readSdk("duello/terms-offers-and-commitments.md")).to.include(
        "[`commitWithKey`](playing.md#commitwithkey)",
      );
    });

    it("links only to pages that exist", () => {
      for (const { path } of [...pages, { path: "index" }]) {
        const file = `${path}.md`;
        const linked = Array.from(readSdk(file).matchAll(/\]\(([^)#\s:]+\.md)(?:#[^)]*)?\)/g), ([, page]) => page);
        for (const page of linked)
          expect(existsSync(join(folder(), dirname(file), page)), `${file}: ${page}`).to.equal(true);
      }
    });
  });
});
