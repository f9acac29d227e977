import { id, TypedDataEncoder, type BytesLike, type TypedDataDomain, type TypedDataField } from "ethers";
import { bytesOf, hexOf } from "./bytes.js";
import { hashWords, keccak, numberOf } from "./hash.js";
import type { Hex } from "./hex.js";

/** EIP-712 typed data, in the format of a signer's `signTypedData`. */
export interface SigningRequest {
  domain: TypedDataDomain;
  /** A single struct, whose fields are of type `address`, `bool`, `bytes`, `bytes32` or `uint` with its bits. */
  types: Record<string, TypedDataField[]>;
  value: Record<string, unknown>;
}

type Word = number | bigint | BytesLike;

/** Prefix of all EIP-712 digests. */
const PREFIX = [0x19, 0x01];

/**
 * Computes the digest that the signer of a request signs.
 * @throws RangeError, TypeError for a value that its type does not have
 * @example
 * ```ts
 * import { digestOf } from "duello";
 *
 * const domain = { name: "Duello", version: "1", chainId, verifyingContract: addresses.Arena };
 * const types = { Vote: [{ name: "matchId", type: "uint256" }] };
 * digestOf({ domain, types, value: { matchId: 7n } }); // => "0xb7b11882…"
 * ```
 */
export function digestOf({ domain, types, value }: SigningRequest): Hex {
  return hexOf(keccak(Uint8Array.of(...PREFIX, ...domainHashOf(domain), ...hashOf(types, value))));
}

/** Computes the EIP-712 hash of a struct. @throws RangeError, TypeError for a value that its type does not have */
export function structHashOf(types: SigningRequest["types"], value: object): Hex {
  return hexOf(hashOf(types, value as Record<string, unknown>));
}

function hashOf(types: SigningRequest["types"], value: Record<string, unknown>): Uint8Array {
  const { typeHash, fields } = structOf(types);
  return hashWords(typeHash, ...fields.map(({ name, type }) => wordOf(type, value[name])));
}

/** Structs by their types, and hashes of domains, cached because they take longer to compute than the rest of a digest. */
const structs = new WeakMap<SigningRequest["types"], Struct>();
const domainHashes = new Map<string, Uint8Array>();

interface Struct {
  typeHash: Uint8Array;
  fields: readonly TypedDataField[];
}

/** Number of domains to keep: a program has one or two. */
const MAX_DOMAINS = 16;

function structOf(types: SigningRequest["types"]): Struct {
  const known = structs.get(types);
  if (known) return known;
  const [[name, fields]] = Object.entries(types);
  const encoded = `${name}(${fields.map((field) => `${field.type} ${field.name}`).join()})`;
  const struct = { typeHash: bytesOf(id(encoded)), fields };
  structs.set(types, struct);
  return struct;
}

function domainHashOf(domain: TypedDataDomain): Uint8Array {
  const name = JSON.stringify(Object.entries(domain).map(([field, value]) => [field, String(value)]));
  const known = domainHashes.get(name) ?? bytesOf(TypedDataEncoder.hashDomain(domain));
  if (domainHashes.size === MAX_DOMAINS) domainHashes.clear();
  domainHashes.set(name, known);
  return known;
}

function wordOf(type: string, value: unknown): Word {
  if (type === "bytes32") return bytesOf(checked("string", value));
  if (type === "bytes") return keccak(bytesOf(checked("string", value)));
  if (type === "address") return numberOf(value as string);
  if (type === "bool") return Number(checked("boolean", value));
  if (!/^uint\d+$/.test(type)) throw new TypeError(`the type ${type} is not supported`);
  const [bits, number] = [BigInt(type.slice("uint".length)), BigInt(value as bigint | number)];
  if (number >> bits !== 0n) throw new RangeError(`${number} is not a ${type}`);
  return number;
}

function checked(type: "string", value: unknown): Hex;
function checked(type: "boolean", value: unknown): boolean;
function checked(type: string, value: unknown): unknown {
  if (typeof value !== type) throw new TypeError(`${String(value)} is not a ${type}`);
  return value;
}
