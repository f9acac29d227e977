import { address } from "../protocol/address.js";
import type { Hex } from "../protocol/hex.js";
import {
  bytes32,
  fields,
  InputError,
  integer,
  listUpTo,
  object,
  oneLine,
  optional,
  text,
  type Reader,
} from "../protocol/input.js";
import { CORE, type Addresses } from "./addresses.js";

/** A deployment, as `deployments/<chainId>.json` stores it. */
export interface Deployment {
  chainId: number;
  /** Block from which events are read: the block of the first contract, or an earlier block. */
  block: number;
  addresses: Addresses;
  /** Hash of the first block of the chain, at `rpc` if there is one; missing in older files. */
  genesis?: Hex;
  /** Addresses of programs that accept challenges. */
  agents?: readonly string[];
  /** Policies of these programs by address, in the format of the agent. */
  policies?: Readonly<Record<string, unknown>>;
  /** URL of an index of the deployment, which a page uses until it has read all events. */
  index?: string;
  /** URL of a relay for channels of the deployment. */
  relay?: string;
  /** URL of the chain's node, if the chain is local. */
  rpc?: string;
}

/** A deployment for a page, as listed in `deployment.json` beside the page. */
export interface PageDeployment extends Omit<Deployment, "rpc"> {
  /** URLs of the chain's nodes, in order of preference. */
  rpc: readonly string[];
  /** Name of the chain for people. */
  name?: string;
  /** Symbol of the chain's coin. */
  coin?: string;
}

const MAX_AGENTS = 100;
const MAX_ADDRESSES = 1_000;
const MAX_NODES = 100;
const MAX_DEPLOYMENTS = 100;
const MAX_NAME = 40;

/** Checks only the addresses: callers that need a policy check its content. */
function readPolicies(value: unknown, path: string): Record<string, unknown> {
  const entries = fields((policy) => policy)(value, path);
  if (entries.size > MAX_AGENTS) throw new InputError(path, `${entries.size} are more than ${MAX_AGENTS}`);
  return Object.fromEntries([...entries].map(([key, policy]) => [address(key, path), policy]));
}

/** Reads the core's addresses and any others: a deployment may lack games, or have unknown games. */
function readAddresses(value: unknown, path: string): Addresses {
  const addresses = Object.fromEntries(fields(address)(value, path));
  if (Object.keys(addresses).length > MAX_ADDRESSES) {
    throw new InputError(path, `${Object.keys(addresses).length} are more than ${MAX_ADDRESSES}`);
  }
  for (const name of CORE) if (!Object.hasOwn(addresses, name)) throw new InputError(`${path}.${name}`, "left out");
  return addresses as Addresses;
}

/** Reads a display name. */
const readLine: Reader<string> = (value, path) => oneLine(text(value, path), MAX_NAME);

const shape = {
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  block: integer(0, Number.MAX_SAFE_INTEGER),
  addresses: readAddresses,
  genesis: optional(bytes32, undefined),
  agents: optional(listUpTo(address, MAX_AGENTS), undefined),
  policies: optional(readPolicies, undefined),
  index: optional(text, undefined),
  relay: optional(text, undefined),
};

/**
 * Reads a deployment.
 * @throws InputError that names the invalid field.
 * @example
 * ```ts
 * import { readDeployment } from "duello";
 *
 * readDeployment({ chainId: 31_337, block: 1, addresses }, "deployment").block; // => 1
 * readDeployment({}, "deployment"); // throws InputError: deployment.chainId: …
 * ```
 */
export const readDeployment: Reader<Deployment> = object({ ...shape, rpc: optional(text, undefined) });

const readListed: Reader<PageDeployment> = object({
  ...shape,
  rpc: listUpTo(text, MAX_NODES),
  name: optional(readLine, undefined),
  coin: optional(readLine, undefined),
});

/**
 * Reads the deployments for a page.
 * @throws InputError that names the invalid field.
 * @example
 * ```ts
 * import { readDeployments } from "duello";
 *
 * const local = { chainId: 31_337, block: 1, addresses, rpc: ["https://rpc.example"] };
 * const { deployments } = readDeployments({ deployments: [local] }, "deployment.json");
 * deployments[0].rpc[0]; // => "https://rpc.example"
 * ```
 */
export const readDeployments: Reader<{ deployments: PageDeployment[] }> = object({
  deployments: listUpTo(readListed, MAX_DEPLOYMENTS),
});
