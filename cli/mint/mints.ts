import { ZeroAddress } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { games } from "../../sdk/games/index.js";
import type { Characters, Stats } from "../../sdk/games/module.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  fields,
  InputError,
  integer,
  listUpTo,
  object,
  oneOf,
  optional,
  text,
  type Reader,
} from "../../sdk/protocol/input.js";
import { FightToken__factory } from "../../typechain-types/index.js";
import { readAmount } from "../../sdk/protocol/arguments.js";
import { address } from "../../sdk/protocol/address.js";

/** A token, or an amount of FIGHT, to mint. */
export interface Mint {
  kind: Kind;
  to: string;
  /** Address of the contract. */
  token: string;
  /** Data of the call. */
  data: Hex;
}

/** Something that can be minted. */
export interface Kind {
  /** Name on the command line and in files. */
  name: string;
  /** Name of the contract, and of its address in a deployment. */
  contract: string;
  /** Plural of the name. */
  plural: string;
  /** Example properties. */
  example: Stats;
  /** Encodes the call that mints a token. @throws InputError naming the property that breaks a rule. */
  encode(to: string, stats: unknown, path: string): Hex;
}

/** A file of many tokens to mint. */
export interface Batch {
  name: string;
  mints: readonly Mint[];
}

/** Largest number of mints in a file. */
export const MAX_MINTS = 10_000;
const MAX_NAME = 100;

const fightAbi = FightToken__factory.createInterface();

const amount: Reader<bigint> = (value, path) => {
  const read = readAmount(text(value, path), 18, path);
  if (read === 0n) throw new InputError(path, "0 would mint nothing");
  return read;
};
const readFight = object({ amount });

/** FIGHT, whose only minter is the owner of the token. */
export const FIGHT: Kind = {
  name: "fight",
  contract: "FightToken",
  plural: "FIGHT",
  example: { amount: "1000" },
  encode: (to, stats, path) => fightAbi.encodeFunctionData("mint", [to, readFight(stats, path).amount]),
};

/** Everything that can be minted: FIGHT, and the characters of each game that has characters. */
export const kinds: readonly Kind[] = [
  FIGHT,
  ...games.flatMap(({ characters }) => (characters ? [kindOf(characters)] : [])),
];

function kindOf(characters: Characters): Kind {
  const { noun, contract, example } = characters;
  const encode: Kind["encode"] = (to, stats, path) => characters.encodeMint(to, stats, path);
  return { name: noun, contract, plural: `${noun}s`, example, encode };
}

/** Reads the receiver of a token. */
export const receiver: Reader<string> = (value, path) => {
  const to = address(value, path);
  if (to === ZeroAddress) throw new InputError(path, "nobody has the address zero");
  return to;
};

/** Builds a mint from the properties of the item. @throws InputError naming the property that breaks a rule. */
export function mintOf(kind: Kind, addresses: Addresses, to: string, stats: unknown, path: string): Mint {
  return { kind, to, token: addresses[kind.contract], data: kind.encode(to, stats, path) };
}

const any: Reader<unknown> = (value) => value;
const readKind = oneOf(...kinds.map(({ name }) => name));

/** Makes a parser for the content of a file. */
export function batchReader(addresses: Addresses): Reader<Batch> {
  const readMints: Reader<Mint[]> = (value, path) => {
    const { kind: name, to, count, ...stats } = Object.fromEntries(fields(any)(value, path));
    const named = readKind(name, `${path}.kind`);
    const kind = kinds.find((each) => each.name === named)!;
    const mint = mintOf(kind, addresses, receiver(to, `${path}.to`), stats, path);
    const copies = optional(integer(1, MAX_MINTS), 1)(count, `${path}.count`);
    return Array.from({ length: copies }, () => mint);
  };
  const readName: Reader<string> = (value, path) => {
    const name = text(value, path);
    if (name.trim() === "" || name.length > MAX_NAME) throw new InputError(path, `not 1 to ${MAX_NAME} characters`);
    return name;
  };
  const readBatch = object({ batch: readName, mints: listUpTo(readMints, MAX_MINTS) });
  return (value, path) => {
    const { batch: name, mints: lists } = readBatch(value, path);
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    const place = `${path}.mints`;
    if (count === 0) throw new InputError(place, "empty");
    if (count > MAX_MINTS) throw new InputError(place, `${count} are more than ${MAX_MINTS}; use several files`);
    return { name, mints: lists.flat() };
  };
}

/** Returns an example of a file's content, with an entry of each kind for each receiver. */
export function template(receivers: readonly string[], count: number): object {
  const mints = receivers.flatMap((to) => kinds.map(({ name, example }) => ({ kind: name, to, count, ...example })));
  return { batch: "a name of your own", mints };
}

/** Reads properties that are written as NAME=VALUE and separated by commas. @throws InputError */
export function readStats(written: string, path: string): Stats {
  const pairs = written.split(",").map((pair): [name: string, value: Stats[string]] => {
    const [, name, value] = /^\s*(\w+)=(\S+)\s*$/.exec(pair) ?? [];
    if (name === undefined) throw new InputError(path, `${pair} is not like NAME=VALUE`);
    if (/^\d{1,15}$/.test(value)) return [name, Number(value)];
    return [name, value === "true" || (value !== "false" && value)];
  });
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(path, `${twice} is given twice`);
  return Object.fromEntries(pairs);
}

/** Writes properties as NAME=VALUE, separated by commas. */
export function statsText(stats: Stats): string {
  return Object.entries(stats)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}
