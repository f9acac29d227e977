import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  InputError,
  integer,
  listUpTo,
  object,
  oneOf,
  optional,
  text,
  type Reader,
} from "../../../sdk/protocol/input.js";
import { deploymentsFolder } from "./deployment.js";
import { readJson } from "../files/json.js";

/** A chain in the user's own file of networks. */
interface OwnNetwork {
  /** Name for `--network`. */
  name: string;
  chainId: number;
  /** URL of a node. */
  rpc: string;
  /** URL of a Blockscout explorer, on which the source can be published. */
  explorer?: string;
  /** Kind of the chain for Hardhat; defaults to `generic`. */
  kind?: Kind;
}

const KINDS = ["generic", "l1", "op"] as const;
type Kind = (typeof KINDS)[number];

const MAX_NETWORKS = 100;

/** Form of the names that a user gives. */
export const OWN_NAME = /^[a-z][\w-]{0,31}$/i;

/** Names that Hardhat's configuration uses for networks of its own. */
const TAKEN = ["baseSepolia", "default", "hardhat", "localhost", "node", "sepolia"];

/** Reads an http or https URL. */
export const httpUrl: Reader<string> = (value, path) => {
  const url = text(value, path);
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== "http:" && protocol !== "https:")
    throw new InputError(path, `${JSON.stringify(url)} is not an http or https URL`);
  return url;
};

const readName: Reader<string> = (value, path) => {
  const name = text(value, path);
  if (TAKEN.includes(name)) throw new InputError(path, `${name} is the name of a network that is always there`);
  if (OWN_NAME.test(name)) return name;
  throw new InputError(path, "not a letter and up to 31 letters, digits, - or _");
};

const readList = listUpTo<OwnNetwork>(
  object({
    name: readName,
    chainId: integer(1, Number.MAX_SAFE_INTEGER),
    rpc: httpUrl,
    explorer: optional(httpUrl, undefined),
    kind: optional(oneOf<Kind>(...KINDS), undefined),
  }),
  MAX_NETWORKS,
);

/** Returns the path of the file of the user's own networks. */
function networksFile(): string {
  return join(deploymentsFolder(), "networks.json");
}

/** Reads the user's own networks; empty if there is no file. @throws InputError if the file is malformed. */
export async function readNetworks(): Promise<OwnNetwork[]> {
  const file = networksFile();
  if (!existsSync(file)) return [];
  const networks = readList(await readJson(file), file);
  for (const [i, { name }] of networks.entries()) {
    const first = networks.findIndex((each) => each.name === name);
    if (first !== i) throw new InputError(`${file}[${i}].name`, `${name} is the name of entry ${first} too`);
  }
  return networks;
}

/** Finds one of the user's own networks. @throws InputError that lists the existing ones. */
export async function networkNamed(name: string): Promise<OwnNetwork> {
  const networks = await readNetworks();
  const found = networks.find((each) => each.name === name);
  if (found) return found;
  const names = networks.map((each) => each.name).join(", ");
  const known = names === "" ? `${networksFile()} names none` : `${networksFile()} names ${names}`;
  throw new InputError("--network", `no network ${name}; ${known}`);
}
