import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { TABLES } from "../../sdk/chain/index-tables.js";
import { writeReference } from "../../scripts/manual/reference.js";
import { TYPEDOC } from "../../scripts/manual/sdk-reference.js";
import { pagesOf, type Part } from "../../scripts/manual/sidebar.js";

describe("The reference of the manual", () => {
  let root: string;
  let part: Part;
  const read = (page: string) => readFileSync(join(root, page), "utf8");

  before(async function () {
    if (!existsSync(TYPEDOC)) this.skip();
    root = mkdtempSync(join(tmpdir(), "duello-reference-"));
    part = await writeReference(root);
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
});
