import hre from "hardhat";
import type { LawOptions } from "../../../sdk/laws/laws.js";
import { ethers, networkHelpers } from "../index.js";

/** Chain and contracts of this project for the laws. */
export const lawOptions: LawOptions = {
  connection: { ethers, networkHelpers },
  artifacts: hre.artifacts,
  matches: process.env.THOROUGH ? 8 : 3,
  // Contracts instrumented for coverage cost several times as much.
  skipGas: hre.globalOptions.coverage,
};
