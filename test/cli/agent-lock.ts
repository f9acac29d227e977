import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { acquireLock } from "../../cli/shared/lock.js";

describe("The lock of a process", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "duello-"));
    file = join(folder, "agent.pid");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("keeps others out while the process that it names runs", () => {
    const release = acquireLock(file, "An agent plays for Alice");
    expect(readFileSync(file, "utf8")).to.equal(String(process.pid));
    expect(() => acquireLock(file, "An agent plays for Alice")).to.throw(
      `An agent plays for Alice already, process ${process.pid}: stop it first. ${file} says so.`,
    );
    release();
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  for (const content of ["", "garbage", "0", "-1", "1.5", "1e99", "99999999999", "2147483647"]) {
    it(`is taken over where it names no process that runs: ${JSON.stringify(content)}`, () => {
      writeFileSync(file, content);
      const release = acquireLock(file, "An agent plays for Alice");
      expect(readFileSync(file, "utf8")).to.equal(String(process.pid));
      release();
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }
});
