import { AbiCoder, getAddress, keccak256, toBeHex } from "ethers";
import { termsHash, type Terms } from "../../sdk/protocol/terms.js";

/** Names a storage word of a contract. */
export type Naming = (address: string, slot: bigint) => string;

/** Ids of characters that are used in a match here. */
const MAX_ID = 500n;
/** Consecutive words, if a mapping has several per entry. */
const NEXT = [0n, 1n];
const CONTENT_WORDS = 3n;

/** The keys by which a match's storage words are found. */
interface Keys {
  arena: string;
  matchId: bigint;
  terms: Terms;
  players: readonly string[];
  treasury: string;
}

/** Names the storage words of a match of any game, by the contracts' layouts, in which the slots count from 0. */
export function namingFor({ arena, matchId, terms, players, treasury }: Keys): Naming {
  const { game, token } = terms;
  const words = new Map<string, string>();
  const add = (address: string, place: bigint, name: string) => {
    for (const next of NEXT) words.set(`${getAddress(address)} ${place + next}`, name);
  };
  for (const player of [...players, treasury]) {
    add(arena, placeOf(2n, player, token), "purses");
    add(arena, placeOf(4n, game, player), "records");
    add(arena, placeOf(5n, player, token), "stakes so far");
    add(game, placeOf(3n, player), "duelists");
  }
  words.set(`${getAddress(arena)} 6`, "treasury, fee, counts");
  add(arena, placeOf(7n, toBeHex(matchId)), "match");
  words.set(`${getAddress(arena)} ${placeOf(7n, toBeHex(matchId)) + 2n}`, "position");
  add(arena, placeOf(8n, termsHash(terms)), "number of the terms");
  const mode = placeOf(0n, terms.mode);
  add(game, mode, "mode");
  for (let n = 0n; n < CONTENT_WORDS; n++) add(game, BigInt(keccak256(toBeHex(mode, 32))) + n, "mode");
  for (let id = 1n; id < MAX_ID; id++) add(game, placeOf(3n, toBeHex(id)), "fighters");
  return (address, slot) => {
    const name = words.get(`${getAddress(address)} ${slot}`);
    if (name !== undefined) return `storage: ${name}`;
    // A match reads nothing else of the tokens.
    if (![arena, game].map(getAddress).includes(getAddress(address))) return "storage: owners and traits";
    throw new Error(`Nobody knows what is in word ${slot} of ${address}.`);
  };
}

/** The place of a mapping's word by its keys, outermost first. */
function placeOf(base: bigint, ...keys: string[]): bigint {
  const place = (outer: bigint, key: string) =>
    BigInt(keccak256(AbiCoder.defaultAbiCoder().encode(["uint256", "uint256"], [key, outer])));
  return keys.reduce(place, base);
}
