import { fileURLToPath } from "node:url";
import { defineConfig } from "hardhat/config";

export default defineConfig({
  solidity: {
    version: "0.8.24",
    path: fileURLToPath(import.meta.resolve("solc/soljson.js")),
    settings: { viaIR: true, evmVersion: "cancun" },
  },
});
