import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { acquireLock, lockText } from "../../cli/shared/lock.js";

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
    expect(readFileSync(file, "utf8")).to.equal(lockText(process.pid));
    expect(() => acquireLock(file, "An agent plays for Alice")).to.throw(
      `An agent plays for Alice already, process ${process.pid}: stop it first. ${file} says so.`,
    );
    release();
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it("keeps others out while another process that it names runs, with its start or without", () => {
    for (const content of [lockText(process.ppid), String(process.ppid)]) {
      writeFileSync(file, content);
      expect(() => acquireLock(file, "An agent plays for Alice")).to.throw(`already, process ${process.ppid}:`);
      expect(readFileSync(file, "utf8")).to.equal(content);
    }
  });

  it("is taken over where another process runs with the number of a dead one", function () {
    // Other systems do not tell when a process has started.
    if (!existsSync("/proc/self/stat")) this.skip();
    for (const pid of [process.ppid, process.pid]) {
      writeFileSync(file, `${pid} 1`);
      acquireLock(file, "An agent plays for Alice")();
    }
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  for (const content of [
    "",
    "garbage",
    "0",
    "-1",
    "1.5",
    "1e99",
    "99999999999",
    "2147483647",
    "1 x",
    "1 2 3",
    String(process.pid),
  ]) {
    const named = content === String(process.pid) ? "one that had this number before" : JSON.stringify(content);
    it(`is taken over where it names no process that runs: ${named}`, () => {
      writeFileSync(file, content);
      const release = acquireLock(file, "An agent plays for Alice");
      expect(readFileSync(file, "utf8")).to.equal(lockText(process.pid));
      release();
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }
});
