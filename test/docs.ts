import { readFileSync } from "node:fs";
import { expect } from "chai";

describe("The page of security", () => {
  it("names tests that are there", () => {
    const page = readFileSync("docs/security.md", "utf8");
    const rows = page.split("\n").filter((line) => line.startsWith("|") && !/^\| (sentence|-+) /.test(line));
    expect(rows.length).to.be.greaterThan(50);
    for (const row of rows) {
      const tests = [...row.matchAll(/`(test\/[\w/-]+\.ts)`: "([^"]+)"/g)];
      expect(tests.length, row).to.be.greaterThan(0);
      for (const [, file, title] of tests) expect(readFileSync(file, "utf8"), row).to.include(title);
    }
  });
});
