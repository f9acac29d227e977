import hardhatEthers from "@nomicfoundation/hardhat-ethers";
import hardhatMocha from "@nomicfoundation/hardhat-mocha";
import hardhatNetworkHelpers from "@nomicfoundation/hardhat-network-helpers";
import { defineConfig } from "hardhat/config";
import type { HardhatPlugin } from "hardhat/types/plugins";
import { fileURLToPath } from "node:url";

/** Hides the compiler's warnings about installed packages. */
const ownWarnings: HardhatPlugin = {
  id: "own-warnings",
  hookHandlers: {
    solidity: async () => ({
      default: async () => ({
        invokeSolc: async (context, solc, input, config, next) => {
          const output = await next(context, solc, input, config);
          const isShown = ({ severity = "", formattedMessage = "" }) =>
            severity === "error" || formattedMessage.includes("--> project/");
          return { ...output, errors: output.errors?.filter(isShown) };
        },
      }),
    }),
  },
};

export default defineConfig({
  plugins: [hardhatEthers, hardhatMocha, hardhatNetworkHelpers, ownWarnings],
  solidity: {
    version: "0.8.37",
    // Uses the compiler from the package solc, so that a build downloads nothing.
    path: fileURLToPath(new URL("node_modules/solc/soljson.js", import.meta.url)),
    settings: { viaIR: true, evmVersion: "cancun", optimizer: { enabled: true, runs: 10_000 } },
  },
  // A law plays many matches, which on a slow machine takes longer than Mocha's default timeout.
  test: { mocha: { timeout: 600_000 } },
  networks: { localhost: { type: "http", chainId: 31337, url: "http://127.0.0.1:8545" } },
});
