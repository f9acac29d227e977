import { fileURLToPath } from "node:url";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { defineConfig } from "hardhat/config";
import type { HardhatPlugin } from "hardhat/types/plugins";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const compiler = {
  version: "0.8.37",
  path: here("node_modules/solc/soljson.js"),
  settings: {
    viaIR: true,
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 10_000 },
    // The same code gives the same bytes, whatever its comments say.
    metadata: { bytecodeHash: "none" },
  },
};

const transientStorage = "2394"; // OpenZeppelin's transient lock always warns
const sizes = ["5574", "3860"]; // of code and init code: limits that Solidity tests don't have

const strictBuild: HardhatPlugin = {
  id: "duello-strict-build",
  hookHandlers: {
    solidity: async () => ({
      default: async () => ({
        /** Makes every other warning an error. Hardhat heeds an error only if its type isn't "Warning". */
        invokeSolc: async (context, solc, input, config, next) => {
          const output = await next(context, solc, input, config);
          if (context.globalOptions.coverage) return output; // instrumented code warns of what nobody wrote
          const errors = output.errors?.filter(({ errorCode = "", formattedMessage = "" }) => {
            const isTest = formattedMessage.includes("--> project/test/");
            return errorCode !== transientStorage && !(isTest && sizes.includes(errorCode));
          });
          return { ...output, errors: errors?.map((error) => ({ ...error, type: "Error", severity: "error" })) };
        },
        /** Types are generated in the order of this list, else the file system's: the same everywhere. */
        processArtifactsAfterSuccessfulBuild: async (_context, artifactPaths) => {
          (artifactPaths as string[]).sort();
        },
      }),
    }),
  },
};

export default defineConfig({
  plugins: [strictBuild, hardhatToolboxMochaEthers],
  solidity: { profiles: { default: compiler, production: compiler } },
  typechain: { outDir: here("typechain-types") },
  test: {
    mocha: { timeout: 120_000 },
    solidity: {
      fsPermissions: { readFile: [here("test/golden/protocol.json")] },
      // Handlers take nothing but a seed: no use in collecting values for it.
      invariant: {
        failOnRevert: true,
        dictionaryWeight: 0,
        includeStorage: false,
        includePushBytes: false,
        shrinkRunLimit: 500,
      },
    },
  },
});
