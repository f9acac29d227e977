import { spawnSync } from "node:child_process";
import type { TaskOverrideActionFunction } from "hardhat/types/tasks";

interface Arguments {
  testFiles: readonly string[];
  grep?: string;
  grepExclude?: string;
}

/** Runs `npm test`, which checks types and runs groups of tests in parallel; Hardhat itself runs only named files. */
const test: TaskOverrideActionFunction = async (taken, _hre, runSuper) => {
  const { testFiles, grep, grepExclude } = taken as unknown as Arguments;
  if (testFiles.length > 0 || grep !== undefined || grepExclude !== undefined)
    return (await runSuper(taken)) as unknown;
  process.exitCode = spawnSync("npm", ["test"], { stdio: "inherit" }).status ?? 1;
};

export default test;
