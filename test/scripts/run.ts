import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { ROOT } from "../../scripts/document.js";

describe("scripts/run.sh", () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "duello-run-"));
    for (const name of ["cli", "indexer", "scripts", "sdk", "typechain-types"]) mkdirSync(join(folder, name));
    for (const name of ["package.json", "package-lock.json", "scripts/bundle.sh", "scripts/run.sh"]) {
      cpSync(join(ROOT, name), join(folder, name));
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    write("cli/main.ts", 'import { word } from "../sdk/word.js";\nconsole.log(word, ...process.argv.slice(2));');
    write("sdk/word.ts", 'export const word: string = "one";');
  });
  after(() => rmSync(folder, { recursive: true }));

  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("sh", ["scripts/run.sh", "cli/main.ts", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  it("runs a program's current modules, with unchanged arguments", () => {
    expect(run("a b", "$c")).to.deep.equal({ status: 0, stdout: "one a b $c\n", stderr: "" });
    expect(run().stdout).to.equal("one\n");
    write("sdk/word.ts", 'export const word: string = "two";');
    expect(run().stdout).to.equal("two\n");
  });

  it("runs no stale code if a module was removed", () => {
    rmSync(join(folder, "sdk/word.ts"));
    const { status, stdout, stderr } = run();
    expect([status, stdout]).to.deep.equal([1, ""]);
    expect(stderr).to.match(/Could not resolve "\.\.\/sdk\/word\.js"/);
  });

  it("exits with the exit code of the program", () => {
    write("sdk/word.ts", 'export const word: string = "three";\nprocess.exitCode = 3;');
    expect(run()).to.deep.equal({ status: 3, stdout: "three\n", stderr: "" });
  });
});
