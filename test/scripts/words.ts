import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ROOT } from "../../scripts/document.js";

/** Phrases over which readers stumble, and what to write instead. */
const PHRASES: readonly (readonly [phrase: RegExp, plain: string])[] = [
  [/\/\*\* Tells\b|@(notice|dev|returns?) Tells\b/, "True if, Returns whether, Describes"],
  [/\banew\b/, "again, or a verb with re-"],
  [/\bif (it is |they are )?left out\b/, "defaults to"],
  [/; left out:/, "without it, or defaults to"],
  [/\bgoes without saying\b/, "is the default"],
  [/\bis to (act|join|reveal|fund|agree|settle)\b/, "must"],
];

const FILES = /\.(md|ts|tsx|sol)$/;

/** Files that describe the past, or that list the phrases. */
const EXCEPT = ["CHANGELOG.md", "test/scripts/words.ts"];

/** Lists the positions of these phrases in a text. */
function found(text: string, place: string): string[] {
  return text
    .split("\n")
    .flatMap((line, i) =>
      PHRASES.flatMap(([phrase, plain]) => (phrase.test(line) ? [`${place}:${i + 1}: ${phrase}: write ${plain}`] : [])),
    );
}

describe("The check for plain words", () => {
  it("accepts all documents, comments, messages and test titles", () => {
    const files = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
    const read = files.filter((file) => FILES.test(file) && !EXCEPT.includes(file));
    expect(read.length).to.be.above(500);
    expect(read.flatMap((file) => found(readFileSync(join(ROOT, file), "utf8"), file))).to.deep.equal([]);
  });

  it("reports phrases on its list", () => {
    for (const line of [
      "/** Tells if a match is over. */",
      "/// @dev Tells whether a seat is free.",
      "The row is read anew.",
      "/** Port; any if left out. */",
      "/** Port; left out: any. */",
      "Player 2 is to join until noon.",
    ]) {
      expect(found(line, "here"), line).to.have.length(1);
    }
  });
});
