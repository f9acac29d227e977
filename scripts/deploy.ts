import { basename } from "node:path";
import hre from "hardhat";
import { deploy } from "./deploy/program.js";

/** Returns the arguments of the command. `hardhat run` does not pass them on, and reads the network itself. */
function args(): string[] {
  if (basename(process.argv[1]).startsWith("deploy.")) return process.argv.slice(2);
  const { network } = hre.globalOptions;
  return network === undefined ? [] : ["--network", network];
}

process.exitCode = await deploy(args());
