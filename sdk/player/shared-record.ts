import {
  decodeBase64,
  decodeRlp,
  encodeBase64,
  encodeRlp,
  getAddress,
  toBeArray,
  toUtf8Bytes,
  toUtf8String,
} from "ethers";
import type { Archive } from "../chain/archive.js";
import type { CharacterContract } from "../chain/character-contract.js";
import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import { expectedEnding } from "../chain/settlement.js";
import { unpainted } from "../games/frames.js";
import { modeContent, modeHash } from "../games/modes.js";
import type { GameModule } from "../games/module.js";
import { bytesOf, hexOf, sized } from "../protocol/bytes.js";
import type { Hex } from "../protocol/hex.js";
import { InputError, list, listUpTo, text as readText, type Reader } from "../protocol/input.js";
import { Status } from "../protocol/status.js";
import { MAX_FEE_BPS, type Terms } from "../protocol/terms.js";
import { EventWriter } from "./event-writer.js";
import { refusing } from "./refusing.js";

const VERSION = 1;
/** Maximum characters of a shared record. */
export const MAX_SHARED_RECORD = 262_144;
/** Maximum bytes of an inflated shared record. */
const MAX_BYTES = 2 ** 21;
/** Games repeat their state in each action, so compression makes a long match several times shorter. */
const FORMAT = "deflate-raw";
/** Maximum items of a list. */
const MAX_ITEMS = 20_000;
const ADDRESS_BYTES = 20;

/** Match of a shared record. It shows only the sharer's claims: nothing is compared with a chain. */
export interface SharedMatch {
  game: GameModule;
  /** An archive in memory with only this match. */
  archive: Archive;
  matchId: bigint;
}

/** Bytes, and nested lists of bytes, as RLP encodes them. */
type Item = Hex | Item[];

/**
 * Encodes a match with all data for its replay, as text for a link: terms, mode, the players' data, the characters that
 * fought, and how it ended. Logs, amounts and results are computed from this data.
 * @throws InputError for a match that nobody has joined, or that is too long.
 * @example
 * ```ts
 * import { encodeRecord, stockGame } from "duello";
 *
 * const text = await encodeRecord(record, archive, stockGame("tic-tac-toe"));
 * const link = `https://duello.example/#record=${text}`;
 * ```
 */
export async function encodeRecord(record: MatchRecord, history: History, game: GameModule): Promise<string> {
  const { matchId, chainId, terms, player1, player2, createData, joinData, actions, settlement } = record;
  if (player2 === undefined || joinData === undefined) {
    throw new InputError("match", `nobody has joined match ${matchId}, so that there is nothing to replay`);
  }
  const { stake1, token, stake2, clock, feeBps, rated } = terms;
  const item: Item = [
    numberItem(VERSION),
    hexOf(toUtf8Bytes(game.name)),
    numberItem(chainId),
    numberItem(matchId),
    terms.game,
    await modeContent(game, terms, history),
    [numberItem(stake1), token, numberItem(stake2), numberItem(clock), numberItem(feeBps), numberItem(Number(rated))],
    player1,
    player2,
    createData,
    joinData,
    actions.map(({ seat, data }) => [numberItem(seat), data]),
    (await charactersOf(record, history, game)).map((numbers) => numbers.map(numberItem)),
    numberItem(settlement?.status ?? 0),
  ];
  const deflated = await through(new CompressionStream(FORMAT), bytesOf(encodeRlp(item)), Infinity);
  const text = encodeBase64(deflated).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  if (text.length > MAX_SHARED_RECORD) {
    throw new InputError("match", `match ${matchId} takes ${text.length} characters, more than ${MAX_SHARED_RECORD}`);
  }
  return text;
}

/**
 * Decodes the result of `encodeRecord`, and replays the match: the archive contains the engine's results.
 * @param load Loads a game by its name, e.g. `load` of the catalogue or `stockGame`.
 * @throws InputError for other data, or for an impossible match.
 * @example
 * ```ts
 * import { decodeRecord, encodeRecord, stockGame } from "duello";
 *
 * const text = await encodeRecord(record, archive, stockGame("tic-tac-toe"));
 * const shared = await decodeRecord(text, stockGame);
 * shared.game.name; // => "tic-tac-toe"
 * ```
 */
export async function decodeRecord(
  text: string,
  load: (name: string) => GameModule | Promise<GameModule>,
): Promise<SharedMatch> {
  const shared = readShared(await itemIn(text), "record");
  const game = await load(shared.name);
  if (shared.feeBps > MAX_FEE_BPS) throw new InputError("record.feeBps", `${shared.feeBps} is above ${MAX_FEE_BPS}`);
  return refusing("record", () => written(shared, game));
}

type Shared = ReturnType<typeof readShared>;

/** Writes the events of a shared match. @throws any error that the engine throws for the data */
async function written(shared: Shared, game: GameModule): Promise<SharedMatch> {
  const { chainId, matchId, address, mode, player1, player2, createData, joinData, status } = shared;
  const { stake1, token, stake2, clock, feeBps, rated } = shared;
  const addresses = { [game.contract]: address };
  const writer = new EventWriter({ chainId, games: [game], addresses, isExcerpt: true });
  const terms: Terms = { game: address, stake1, token, stake2, mode: modeHash(mode), clock, feeBps, rated };
  writer.mine();
  writer.register(address, mode);
  for (const [id, ...traits] of shared.characters) {
    if (!game.characters) throw new InputError("record.characters", `${game.title} has none`);
    // The owners of the characters are unknown, so all are minted to player 1.
    writer.mint(game.characters, id, player1, traits.map(Number));
  }
  writer.create({ matchId, player1, opponent: player2, terms, data: createData });
  writer.join(matchId, player2, joinData);
  for (const { seat, data } of shared.actions) writer.act(matchId, seat, data);
  await writer.writeOutcome(game, matchId);
  const record = await writer.archive.match(matchId);
  const ended = record.settlement?.status ?? 0n;
  if (ended === 0n && status !== 0n) {
    // After joining, there is no offer left to withdraw.
    if (status === Status.P1Canceled) throw new InputError("record.status", "the match was joined, and not canceled");
    const ending = expectedEnding(record, { status }, undefined);
    if (typeof ending === "string") throw new InputError("record.status", ending);
    writer.settle(record, ending);
  } else if (ended !== status) {
    throw new InputError("record.status", `${status}, but the game ends the match with ${ended}`);
  }
  return { game, archive: writer.archive, matchId };
}

/** Finds the characters that a replay reads: the id of each, followed by its traits as numbers. */
async function charactersOf(record: MatchRecord, history: History, game: GameModule): Promise<bigint[][]> {
  const found = new Map<bigint, number[]>();
  if (!game.characters) return [];
  const asked = Object.create(history, {
    characterNumbers: {
      value: async (kind: CharacterContract, id: bigint): Promise<number[]> => {
        const numbers = await history.characterNumbers(kind, id);
        found.set(id, numbers);
        return numbers;
      },
    },
  }) as History;
  await game.replay(record, asked);
  if (game.frames) await game.frames(record, asked);
  else await game.story(record, asked, unpainted);
  return [...found].map(([id, numbers]) => [id, ...numbers.map(BigInt)]);
}

function numberItem(value: bigint | number): Hex {
  return hexOf(toBeArray(value));
}

/** Decodes the bytes of a text. @throws InputError if the text is invalid or too long */
async function itemIn(value: unknown): Promise<unknown> {
  const text = readText(value, "record");
  if (text.length > MAX_SHARED_RECORD) {
    throw new InputError("record", `${text.length} characters, more than ${MAX_SHARED_RECORD}`);
  }
  if (!/^[\w-]+$/.test(text)) throw new InputError("record", "not the characters of a shared record");
  return refusing("record", async () => {
    const deflated = decodeBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
    return decodeRlp(await through(new DecompressionStream(FORMAT), deflated, MAX_BYTES));
  });
}

/** Sends bytes through a transformation. @throws InputError if the output exceeds a maximum of bytes */
async function through(stream: GenericTransformStream, data: Uint8Array, max: number): Promise<Uint8Array> {
  const given = new Blob([new Uint8Array(data)]).stream().pipeThrough<Uint8Array>(stream);
  const reader = given.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > max) {
      await reader.cancel();
      throw new InputError("record", `more than ${max} bytes`);
    }
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads a list of items of different kinds. */
function tuple<T extends readonly Reader<unknown>[]>(
  ...readers: T
): Reader<{ [K in keyof T]: T[K] extends Reader<infer V> ? V : never }> {
  return (value, path) => {
    const items = list((item) => item, readers.length)(value, path);
    return items.map((item, i) => readers[i](item, `${path}[${i}]`)) as never;
  };
}

/** Creates a reader of unsigned integers with up to `bits` bits. */
function unsigned(bits: number): Reader<bigint> {
  return (value, path) => {
    const bytes = sized(readText(value, path), path, 0, bits / 8);
    return bytes.length === 0 ? 0n : BigInt(hexOf(bytes));
  };
}

const bytes: Reader<Hex> = (value, path) => readText(value, path);
const address: Reader<string> = (value, path) => getAddress(hexOf(sized(readText(value, path), path, ADDRESS_BYTES)));
const name: Reader<string> = (value, path) => {
  try {
    return toUtf8String(sized(readText(value, path), path, 1, 64));
  } catch (error) {
    throw error instanceof InputError ? error : new InputError(path, "not a text");
  }
};
const flag: Reader<boolean> = (value, path) => {
  const number = unsigned(8)(value, path);
  if (number > 1n) throw new InputError(path, `${number} is not 0 or 1`);
  return number === 1n;
};
const seat: Reader<bigint> = (value, path) => {
  const number = unsigned(8)(value, path);
  if (number !== 1n && number !== 2n) throw new InputError(path, `${number} is not 1 or 2`);
  return number;
};

const readItems = tuple(
  unsigned(8),
  name,
  unsigned(256),
  unsigned(256),
  address,
  bytes,
  tuple(unsigned(96), address, unsigned(96), unsigned(32), unsigned(16), flag),
  address,
  address,
  bytes,
  bytes,
  listUpTo(tuple(seat, bytes), MAX_ITEMS),
  listUpTo(listUpTo(unsigned(256), MAX_ITEMS), MAX_ITEMS),
  unsigned(8),
);

function readShared(value: unknown, path: string) {
  // The version comes first, because another version may have another shape.
  const version = unsigned(8)(listUpTo((item) => item, MAX_ITEMS)(value, path)[0], `${path}[0]`);
  if (version !== BigInt(VERSION)) {
    throw new InputError(`${path}[0]`, `version ${version} is not ${VERSION}, which is read here`);
  }
  const [
    _,
    named,
    chainId,
    matchId,
    game,
    mode,
    terms,
    player1,
    player2,
    createData,
    joinData,
    acted,
    characters,
    status,
  ] = readItems(value, path);
  const [stake1, token, stake2, clock, feeBps, rated] = terms;
  const actions = acted.map(([by, data]) => ({ seat: by, data }));
  const sent = { createData, joinData, actions };
  const agreed = { stake1, token, stake2, clock, feeBps, rated };
  return {
    name: named,
    chainId,
    matchId,
    address: game,
    mode,
    ...agreed,
    player1,
    player2,
    ...sent,
    characters,
    status,
  };
}
