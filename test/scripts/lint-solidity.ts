import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { expect } from "chai";

const CONFIG = ".solhint.json";
const { rules } = JSON.parse(readFileSync(CONFIG, "utf8")) as {
  rules: Record<string, string | [string, ...unknown[]]>;
};

/** Security rules that are off, with the reason. */
const OFF: Readonly<Record<string, string>> = {
  "not-rely-on-time": "clocks of matches are measured in minutes, and block producers can move times by seconds",
};

/** Code by the rule that must find it. */
const PLANTED: Readonly<Record<string, string>> = {
  "avoid-low-level-calls": "function f(address a) external { (bool ok, ) = a.delegatecall(''); ok; }",
  "avoid-tx-origin": "function f() external view returns (bool) { return tx.origin == msg.sender; }",
  "check-send-result": "function f(address payable a) external { a.send(1); }",
  "func-visibility": "function f() {}",
  "multiple-sends": "function f(address payable a) external { require(a.send(1)); require(a.send(1)); }",
  "no-complex-fallback": "uint256 private _a; fallback() external { _a = 1; _a = 2; _a = 3; }",
  "no-inline-assembly": "function f() external pure { assembly { let a := 1 } }",
  "no-unchecked-calls": "function f(address a) external { a.call(''); }",
  reentrancy:
    "mapping(address => uint256) private _a; function f() external { payable(msg.sender).transfer(_a[msg.sender]); _a[msg.sender] = 0; }",
  "state-visibility": "uint256 a;",
};

describe("The lint rules for Solidity", () => {
  it("include every security rule of solhint, except those with a stated reason", () => {
    const files = readdirSync("node_modules/solhint/lib/rules/security");
    const security = files.map((file) => file.replace(".js", "")).filter((name) => name !== "index");
    expect(security).to.have.length.greaterThan(15);
    const isError = (name: string) => [rules[name]].flat()[0] === "error";
    expect(security.filter((name) => !isError(name))).to.deep.equal(Object.keys(OFF));
  });

  describe("applied to planted code", () => {
    const folder = mkdtempSync(join(tmpdir(), "duello-"));
    /** Rules that found something, by file. */
    const found = new Map<string, string[]>();

    before(() => {
      for (const [rule, code] of Object.entries(PLANTED)) {
        writeFileSync(join(folder, `${rule}.sol`), `pragma solidity 0.8.37;\n\ncontract Planted {\n${code}\n}\n`);
      }
      const args = ["--disc", "--noPoster", "--config", resolve(CONFIG), "--formatter", "json", "*.sol"];
      // solhint accepts only files in its own folder.
      const { stdout } = spawnSync(resolve("node_modules/.bin/solhint"), args, { cwd: folder, encoding: "utf8" });
      const findings = JSON.parse(stdout) as { filePath?: string; ruleId: string }[];
      for (const { filePath, ruleId } of findings) {
        if (filePath === undefined) continue;
        const planted = basename(filePath, ".sol");
        found.set(planted, [...(found.get(planted) ?? []), ruleId]);
      }
    });

    after(() => rmSync(folder, { recursive: true }));

    for (const rule of Object.keys(PLANTED)) {
      it(`find what the rule ${rule} forbids`, () => {
        expect(found.get(rule)).to.include(rule);
      });
    }
  });
});
