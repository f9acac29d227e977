import { fileURLToPath } from "node:url";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import hardhatIgnoreWarnings from "hardhat-ignore-warnings";
import { defineConfig } from "hardhat/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const compiler = {
  version: "0.8.37",
  path: here("node_modules/solc/soljson.js"),
  settings: { viaIR: true, evmVersion: "cancun", optimizer: { enabled: true, runs: 10_000 } },
};

export default defineConfig({
  plugins: [hardhatToolboxMochaEthers, hardhatIgnoreWarnings],
  solidity: { profiles: { default: compiler, production: compiler } },
  // OpenZeppelin's transient lock always warns; everything else is an error.
  warnings: { "*": { "transient-storage": "off", default: "error" } },
  typechain: { outDir: here("typechain-types") },
});
