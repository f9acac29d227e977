import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import type { TaskOverrideActionFunction } from "hardhat/types/tasks";

/** Module that deploys everything; `npm run deploy` deploys it. */
const MODULE = resolve(import.meta.dirname, "../../ignition/modules/Duello.ts");

interface Arguments {
  modulePath: string;
  parameters?: string;
  deploymentId?: string;
  defaultSender?: string;
  strategy?: string;
  reset: boolean;
  verify: boolean;
}

/**
 * Deploys everything as `npm run deploy` does, which also compares existing contracts with the build and writes the
 * deployment file. If there are options that only Ignition supports, or if the module is another one, Ignition deploys.
 */
const deployModule: TaskOverrideActionFunction = async (taken, hre, runSuper) => {
  const {
    modulePath,
    parameters,
    deploymentId,
    defaultSender,
    strategy = "basic",
    verify,
    reset,
  } = taken as unknown as Arguments;
  const isPlain = [parameters, deploymentId, defaultSender].every((option) => option === undefined);
  if (resolve(modulePath) !== MODULE || !isPlain || strategy !== "basic" || verify)
    return (await runSuper(taken)) as unknown;
  const { status } = spawnSync("npm", ["run", "-s", "predeploy"], { stdio: "inherit" });
  if (status !== 0) {
    process.exitCode = 1;
    return;
  }
  const { deploy } = await import("../deploy/program.js");
  const { network } = hre.globalOptions;
  process.exitCode = await deploy([
    ...(network === undefined ? [] : ["--network", network]),
    ...(reset ? ["--reset"] : []),
  ]);
};

export default deployModule;
