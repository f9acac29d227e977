import { expect } from "chai";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Table } from "../../scripts/mutants/table.js";
import { games } from "../../sdk/games/index.js";
import { EMPTY_CHAIN, readDocuments, ROOT } from "../../scripts/document.js";

const UPDATE = process.env.UPDATE_DOCUMENTS === "1";

/** `npm start` plays one match of each game, so a reader's own matches begin at this number. */
const FIRST = games.length + 1;

/** Matches the number of a match in commands and in their output. */
const NUMBER =
  /(?<=\bplay -- (?:show|join|reveal|act|watch|replay|kept|cancel|decline|ready|timeout|resign|reveal-army|secrets export) |\b(?:fund|[Mm]atch) |\bmatch-)\d+\b|^\d+(?= {2}[a-z-]+ {2})/gm;

/** Number of the first match in a channel. */
const FIRST_IN_CHANNEL = 16_384;

/**
 * Documents refer only to the first of the matches that `npm start` plays; other numbers are the reader's own, or those of
 * matches in channels.
 */
const isOwn = (number: string) => number !== "1" && Number(number) < FIRST_IN_CHANNEL;

describe("The match number that a reader gets in a document", () => {
  const beside = readDocuments().filter(({ file }) => file !== EMPTY_CHAIN);
  const documents = beside.map(({ file, text }) => ({ file, text, own: text.match(NUMBER)?.filter(isOwn) }));

  for (const { file, text, own = [] } of documents.filter((document) => document.own?.length)) {
    it(`comes right after the matches that npm start plays: ${file}`, () => {
      const first = Math.min(...own.map(Number));
      if (UPDATE) {
        const shifted = (number: string) => (isOwn(number) ? String(Number(number) + FIRST - first) : number);
        writeFileSync(join(ROOT, file), text.replace(NUMBER, shifted));
      } else {
        const why = `npm start plays ${games.length} matches, so the first own one is ${FIRST}: npm run documents`;
        expect(first, why).to.equal(FIRST);
      }
    });
  }

  it("occurs in several documents", () => {
    expect(documents.filter(({ own }) => own?.length)).to.have.length.greaterThan(2);
  });
});

describe("The figures of planted mistakes in docs/security.md", () => {
  const file = join(ROOT, "docs/security.md");
  for (const target of ["contracts", "SDK"]) {
    it(`are those of the table: ${target}`, () => {
      const { killed, survived, equivalent } = new Table(`test/mutants/${target.toLowerCase()}.json`).counts;
      const [all, found, none] = [killed + survived + equivalent, killed, equivalent].map((n) =>
        n.toLocaleString("en"),
      );
      const percent = ((100 * killed) / (killed + survived + equivalent)).toFixed(1);
      const figure = `${found} of ${all} found (${percent} %); ${none} of the others can be found by no test`;
      const row = new RegExp(`(?<=\\| mistakes planted in the ${target} +\\| )[^|]*?(?= *\\|)`);
      const text = readFileSync(file, "utf8");
      if (UPDATE) writeFileSync(file, text.replace(row, figure));
      else expect(row.exec(text)?.[0], "npm run documents").to.equal(figure);
    });
  }
});
