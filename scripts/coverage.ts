/** `npm run coverage`: runs the tests on instrumented contracts, and names each line that no test reached. */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync } from "node:fs";
import { judge } from "./lcov.js";

const read = (file: string) => readFileSync(file, "utf8");

// Scripts run in processes of their own, which are not measured. Invariants, one folder below, take too long.
const mocha = globSync("test/**/*.ts").filter((file) => !/^test\/(cli|scripts)\//.test(file));
const solidity = globSync("test/*.t.sol");

rmSync("coverage", { recursive: true, force: true });
rmSync("cache/built", { force: true }); // what is compiled here is not what is deployed
const args = ["--coverage", "--no-typechain", "test", ...[...mocha, ...solidity].sort()];
const { status } = spawnSync("hardhat", args, { stdio: "inherit" });

// Interfaces have no code; every other file must be in the report.
const files = globSync("contracts/**/*.sol").filter((file) => !file.startsWith("contracts/interfaces/"));
const sources = new Map(files.sort().map((file) => [file, read(file)]));
const { reached, lines, problems } = judge(report(), sources);
for (const problem of problems) console.error(problem);
const percent = Math.floor((10_000 * reached) / lines) / 100;
console.log(`Lines of contracts/: ${reached} of ${lines} (${percent} %)`);
if (status !== 0) console.error("Tests failed.");
process.exitCode = status === 0 && lines > 0 && problems.length === 0 ? 0 : 1;

/** Reads the lcov report of this run. Without one returns an empty text, which fails the check. */
function report(): string {
  try {
    return read("coverage/lcov.info");
  } catch (error) {
    console.error((error as Error).message);
    return "";
  }
}
