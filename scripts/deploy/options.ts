import { traitsOf } from "../../sdk/chain/traits.js";
import { parseArgs } from "node:util";
import { ZeroAddress } from "ethers";
import hre from "hardhat";
import { InputError, optional, type Reader } from "../../sdk/protocol/input.js";
import { address } from "../../sdk/protocol/address.js";
import { httpUrl, readNetworks } from "../../cli/shared/node/networks.js";
import { create2Name } from "./create2.js";

/** Options of the deploy command. */
export interface Options {
  network: string;
  /** Id of the chain that the network is configured for. */
  chainId: number;
  /** URL of the node; undefined for the URL of the network's configuration. */
  url?: string;
  /** Path of the deployer's encrypted keystore; undefined for the network's account. */
  keystore?: string;
  /** Address that owns the contracts; defaults to the deployer. */
  owner?: string;
  /** Address that receives the house fee; defaults to the owner. */
  treasury?: string;
  /** Name of a set of addresses that are equal on all chains; undefined for addresses from the deployer's nonce. */
  create2?: string;
  /** Path of the file of an earlier deployment whose tokens are kept; undefined for new tokens. */
  tokens?: string;
  /** Name of a game to add to an existing deployment; undefined to deploy everything. */
  game?: string;
  /** Path of a module that exports games. */
  games?: string;
  yes: boolean;
  reset: boolean;
}

/** Reads the options of the deploy command. @throws Error in one line if they are wrong. */
export async function readOptions(args: string[]): Promise<Options> {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const contracts = { owner: text, treasury: text, create2: text, tokens: text, game: text, games: text };
  const all = { network: text, url: text, keystore: text, ...contracts, yes: flag, reset: flag };
  const { values } = parseArgs({ args, options: all });
  const { network, url, keystore, owner, treasury, create2, tokens, game, games, yes, reset } = values;
  // Hardhat ignores a malformed file, so it is read before Hardhat's networks are used.
  await readNetworks();
  const options = {
    ...networkNamed(network),
    url: optional(httpUrl, undefined)(url, "--url"),
    keystore,
    owner: optional(payee, undefined)(owner, "--owner"),
    treasury: optional(payee, undefined)(treasury, "--treasury"),
    create2: optional(create2Name, undefined)(create2, "--create2"),
    tokens,
    game,
    games,
    yes,
    reset,
  };
  if (game !== undefined) {
    const [useless] = Object.entries({ reset: reset || undefined, owner, treasury, create2, tokens }).flatMap(
      ([name, value]) => (value === undefined ? [] : [`--${name}`]),
    );
    if (useless) throw new InputError(useless, "--game adds a game, and changes nothing else");
  }
  if (!reset || traitsOf(options.chainId).isRestarted) return options;
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

/** Reads a nonzero address. */
const payee: Reader<string> = (value, path) => {
  const read = address(value, path);
  if (read === ZeroAddress) throw new InputError(path, `zero cannot be the ${path.slice(2)}`);
  return read;
};
