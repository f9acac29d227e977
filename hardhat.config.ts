import { join } from "node:path";
import { fileURLToPath } from "node:url";
import hardhatToolboxMochaEthers from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { configVariable, defineConfig, overrideTask } from "hardhat/config";
import type { ConfigurationVariable } from "hardhat/types/config";
import type { HardhatPlugin } from "hardhat/types/plugins";
import { explorersOf, ownNetworks } from "./scripts/deploy/own-networks.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const compiler = {
  version: "0.8.37",
  path: here("node_modules/solc/soljson.js"),
  settings: {
    viaIR: true,
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 10_000 },
    // The same code compiles to the same bytes, whatever its comments.
    metadata: { bytecodeHash: "none" },
  },
};

const transientStorage = "2394"; // OpenZeppelin's transient lock always warns
const sizes = ["5574", "3860"]; // size limits of code and init code, which Solidity tests do not have

const withRuns = <T extends { settings: object }>(input: T, runs: number): T => ({
  ...input,
  settings: { ...input.settings, optimizer: { enabled: true, runs } },
});

const strictBuild: HardhatPlugin = {
  id: "duello-strict-build",
  hookHandlers: {
    solidity: async () => ({
      default: async () => ({
        /**
         * Turns every other warning in our own sources into an error. Hardhat only stops for an error whose type is not
         * "Warning".
         */
        invokeSolc: async (context, solc, input, config, next) => {
          // Instrumented code causes additional warnings, and leaves too little stack for much inlining.
          if (context.globalOptions.coverage) return next(context, solc, withRuns(input, 1), config);
          const output = await next(context, solc, input, config);
          const errors = output.errors?.filter(({ errorCode = "", formattedMessage = "", severity }) => {
            if (severity === "error") return true;
            const isTest = formattedMessage.includes("--> project/test/");
            const isOurs = formattedMessage.includes("--> project/");
            return isOurs && errorCode !== transientStorage && !(isTest && sizes.includes(errorCode));
          });
          return { ...output, errors: errors?.map((error) => ({ ...error, type: "Error", severity: "error" })) };
        },
        /** Sorts the list, since types are generated in its order: the order of a file system differs by machine. */
        processArtifactsAfterSuccessfulBuild: async (_, artifactPaths) => {
          (artifactPaths as string[]).sort();
        },
      }),
    }),
  },
};

/** A public network: the deployer's key comes from the keystore or the environment, once it is needed. */
function publicNetwork(chainId: number, chainType: "generic" | "l1" | "op", url: string | ConfigurationVariable) {
  const accounts = [configVariable("DUELLO_DEPLOYER_KEY")];
  return { type: "http", chainId, chainType, url, accounts } as const;
}

/** Returns the first node that the environment names. An invalid HTTP URL is left to the commands, which reject it. */
function localUrl(): string {
  const [url] = (process.env.DUELLO_RPC_URL ?? "").split(",");
  return /^https?:/.test(url) && URL.parse(url) !== null ? url : "http://127.0.0.1:8545";
}

// If deployments are kept elsewhere, Ignition's journals are kept there, too.
const deployments = process.env.DUELLO_DEPLOYMENTS;
const own = ownNetworks(deployments ?? here("deployments"));

export default defineConfig({
  plugins: [strictBuild, hardhatToolboxMochaEthers],
  tasks: [
    overrideTask("test")
      .setAction(async () => import("./scripts/hardhat/test.ts"))
      .build(),
    overrideTask(["ignition", "deploy"])
      .setAction(async () => import("./scripts/hardhat/ignition-deploy.ts"))
      .build(),
  ],
  solidity: { profiles: { default: compiler, production: compiler } },
  networks: {
    ...Object.fromEntries(
      own.map(({ name, chainId, kind = "generic", rpc }) => [name, publicNetwork(chainId, kind, rpc)]),
    ),
    // Tests skip estimating gas for each transaction, and compare balances without fees.
    default: { type: "edr-simulated", gas: 16_777_216, gasPrice: 0, initialBaseFeePerGas: 0 },
    localhost: { type: "http", chainId: 31337, url: localUrl() },
    sepolia: publicNetwork(11155111, "l1", configVariable("SEPOLIA_RPC_URL")),
    baseSepolia: publicNetwork(84532, "op", configVariable("BASE_SEPOLIA_RPC_URL")),
  },
  chainDescriptors: explorersOf(own),
  paths: { ignition: deployments ? join(deployments, "ignition") : "ignition" },
  verify: { etherscan: { apiKey: configVariable("ETHERSCAN_API_KEY") } },
  typechain: { outDir: here("typechain-types") },
  test: {
    // Timeout of all tests, generous even for a slow machine: it only stops tests that would never end.
    mocha: { timeout: 1_200_000 },
    solidity: {
      fsPermissions: { readFile: [here("test/golden/protocol.json")] },
      fuzz: { runs: process.env.THOROUGH ? 10_000 : 2_000 },
      // Handlers take only a seed, so collecting values for them is useless.
      invariant: {
        runs: process.env.THOROUGH ? 64 : 16,
        failOnRevert: true,
        dictionaryWeight: 0,
        includeStorage: false,
        includePushBytes: false,
        shrinkRunLimit: 500,
      },
    },
  },
});
