import { parseArgs } from "node:util";
import { ZeroAddress } from "ethers";
import hre from "hardhat";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import { InputError, optional, type Reader } from "../../sdk/protocol/input.js";
import { address } from "../../cli/shared/deployment.js";

/** Options of the deploy command. */
export interface Options {
  network: string;
  /** Id of the chain that the network is configured for. */
  chainId: number;
  /** URL of the node; undefined for the network's own. */
  url?: string;
  /** Address that receives the house fee; undefined for the deployer's. */
  treasury?: string;
  yes: boolean;
  reset: boolean;
}

/** Reads the options of the deploy command. @throws Error in one line if they are wrong. */
export function readOptions(args: string[]): Options {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({ args, options: { network: text, url: text, treasury: text, yes: flag, reset: flag } });
  const { network, url, treasury, yes, reset } = values;
  const options = {
    ...networkNamed(network),
    url: optional(httpUrl, undefined)(url, "--url"),
    treasury: optional(payee, undefined)(treasury, "--treasury"),
    yes,
    reset,
  };
  if (!reset || BigInt(options.chainId) === TEST_CHAIN) return options;
  throw new InputError("--reset", `it forgets what stands on a local chain; ${options.network} is a public one`);
}

function networkNamed(name?: string): { network: string; chainId: number } {
  const names = Object.entries(hre.config.networks).flatMap(([network, config]) =>
    config.type === "http" && config.chainId !== undefined ? [{ network, chainId: config.chainId }] : [],
  );
  const found = names.find(({ network }) => network === name);
  if (found) return found;
  const problem = name === undefined ? "left out" : `no network ${name}`;
  throw new InputError("--network", `${problem}; there are ${names.map(({ network }) => network).join(", ")}`);
}

const httpUrl: Reader<string> = (value, path) => {
  const url = String(value);
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: "" };
  if (!/^https?:$/.test(protocol)) throw new InputError(path, `${JSON.stringify(url)} is not an http or https URL`);
  return url;
};

const payee: Reader<string> = (value, path) => {
  const treasury = address(value, path);
  if (treasury === ZeroAddress) throw new InputError(path, "zero cannot be the treasury");
  return treasury;
};
