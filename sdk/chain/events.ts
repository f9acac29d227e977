import { Interface, type EventFragment, type Log, type ParamType, type TransactionReceipt } from "ethers";
import { Characters__factory, Game__factory } from "../../typechain-types/index.js";
import { arenaAbi } from "./arena.js";
import { channelsAbi, isFromChannel } from "./channels.js";
import { EventCodec, Undecodable } from "./event-codec.js";
import { mints, type MintArgs, type MintName } from "./character-contract.js";
import { mismatchText, type Mismatch } from "../protocol/mismatch.js";
import type { Settlement } from "./record.js";
import type { Hex } from "../protocol/hex.js";
import type { Terms } from "../protocol/terms.js";

/** Fields of the events that a deployment's history is made of, by the event's name. The first field is indexed. */
export interface Events {
  TermsAdded: { termsId: bigint; terms: Terms };
  Created: {
    matchId: bigint;
    player1: string;
    opponent: string;
    termsHash: Hex;
    firmUntil: bigint;
    /** True if player 1's stake was taken immediately. */
    funded: boolean;
    data: Hex;
  };
  Funded: { matchId: bigint; seat: bigint; player: string };
  Joined: { matchId: bigint; player2: string; data: Hex };
  Acted: { matchId: bigint; seat: bigint; data: Hex };
  Declined: { matchId: bigint; opponent: string };
  Settled: { matchId: bigint } & Settlement;
  Deposited: { token: string; player: string; amount: bigint };
  Withdrawn: { token: string; player: string; to: string; amount: bigint };
  OperatorAllowed: { player: string; operator: string; until: bigint };
  FeeChanged: { feeBps: bigint };
  TreasuryChanged: { treasury: string };
  /** Match that a channel submitted to the arena. */
  Started: {
    matchId: bigint;
    player1: string;
    player2: string;
    termsId: bigint;
    turn: bigint;
    position: Hex;
  };
  /** Match that its channel has withdrawn from the arena. */
  Voided: { matchId: bigint };
  Opened: {
    channelId: Hex;
    player1: string;
    player2: string;
    key1: string;
    key2: string;
    token: string;
    feeBps: bigint;
    amount1: bigint;
    amount2: bigint;
    nonce: bigint;
    until: bigint;
  };
  /** Terms of the matches that the channel settles next. */
  PlayedUnder: {
    channelId: Hex;
    game: string;
    mode: Hex;
    stake1: bigint;
    stake2: bigint;
    clock: bigint;
    rated: boolean;
  };
  /** Match settled in a channel; `unpackCode` reads its code. */
  Played: { channelId: Hex; matchId: bigint; code: bigint; position: Hex; actions: Hex };
  Challenged: { channelId: Hex; matchId: bigint; code: bigint; position: Hex; actions: Hex };
  Balanced: {
    channelId: Hex;
    nonce: bigint;
    amount1: bigint;
    amount2: bigint;
    house: bigint;
    closed: boolean;
  };
  Collected: { token: string; amount: bigint };
  Log: { matchId: bigint; round: bigint; logEntries: bigint[] };
  ModeRegistered: { mode: Hex; content: Hex };
  Transfer: { from: string; to: string; id: bigint };
  ApprovalForAll: { owner: string; operator: string; isApproved: boolean };
  [minted: MintName]: MintArgs;
}

/** Name of an event. */
export type EventName = keyof Events;

/** Name of an event other than a mint. */
type CoreName = Exclude<EventName, MintName>;

/** An event and its place in the chain. */
export interface ChainEvent<N extends EventName = EventName> {
  /** Address of the contract that emitted it. */
  address: string;
  name: N;
  args: Events[N];
  /** Number of the block. */
  block: number;
  /** Place among all logs of its block. */
  index: number;
  /** Hash of the transaction. */
  transaction: Hex;
}

/** An event of any name. */
export type AnyEvent = { [N in EventName]: ChainEvent<N> }[EventName];

/** Values that indexed fields of events must have: a single value, or one of several. */
export type Where<N extends EventName> = { [K in keyof Events[N]]?: Events[N][K] | readonly Events[N][K][] };

const [game, characters] = [Game__factory, Characters__factory].map(
  (factory) => factory.createInterface() as Interface,
);

/** Interfaces of the contracts that declare each event, except mints. */
const declarations: Readonly<Record<CoreName, Interface>> = {
  TermsAdded: arenaAbi,
  Created: arenaAbi,
  Funded: arenaAbi,
  Joined: arenaAbi,
  Acted: arenaAbi,
  Declined: arenaAbi,
  Settled: arenaAbi,
  Deposited: arenaAbi,
  Withdrawn: arenaAbi,
  OperatorAllowed: arenaAbi,
  FeeChanged: arenaAbi,
  TreasuryChanged: arenaAbi,
  Started: arenaAbi,
  Voided: arenaAbi,
  Opened: channelsAbi,
  PlayedUnder: channelsAbi,
  Played: channelsAbi,
  Challenged: channelsAbi,
  Balanced: channelsAbi,
  Collected: channelsAbi,
  Log: game,
  ModeRegistered: game,
  Transfer: characters,
  ApprovalForAll: characters,
};

/** Interfaces of contracts of characters, created on demand. */
const mintDeclarations = new Map<MintName, Interface>();

/** An event's declaration, with its decoder and encoder. */
interface Declaration {
  fragment: EventFragment;
  codec: EventCodec;
}

const declared = new Map<EventName, Declaration>();
const namesByTopic = new Map<string, EventName>();
for (const name of Object.keys(declarations)) declarationOf(name as CoreName);

/** Lists the names of all events. */
export function eventNames(): EventName[] {
  return [...(Object.keys(declarations) as CoreName[]), ...mints.keys()];
}

/** Returns whether events with a given name are mints of characters. */
export function isMintName(name: EventName): name is MintName {
  return name.endsWith("Minted");
}

/** Returns whether an event is the mint of a character. */
export function isMint(event: AnyEvent): event is ChainEvent<MintName> {
  return isMintName(event.name);
}

/** Returns whether events with a given name affect results. An approval affects nothing until a token is moved. */
export function isDecisive(name: EventName): boolean {
  return name !== "ApprovalForAll";
}

/** Returns whether an event is about a match from a channel. */
export function isOfChannelMatch({ args }: AnyEvent): boolean {
  return "matchId" in args && isFromChannel(args.matchId);
}

/** First topics of all events that affect results. */
export function allTopics(): Hex[] {
  return topicsOf(...eventNames().filter(isDecisive));
}

/** Returns the declared fields of an event, in their order. */
export function fieldsOf(name: EventName): readonly ParamType[] {
  return declarationOf(name).fragment.inputs;
}

/**
 * Returns the topics of events with a given name and given values.
 * @example
 * ```ts
 * import { topicsFor } from "duello";
 *
 * const [event, match] = topicsFor("Settled", { matchId: 7n });
 * match; // => "0x0000…0007"
 * ```
 */
export function topicsFor<N extends EventName>(name: N, where: Where<N>): (null | Hex | Hex[])[] {
  const values = fieldsOf(name).map((input) => where[input.name as keyof Events[N]] ?? null);
  return interfaceOf(name).encodeFilterTopics(name, values as unknown[]);
}

/** Returns the topics of all events that the arena and the game emit about a match. */
export function topicsAbout(matchId: bigint): (Hex | Hex[])[] {
  const [, id] = topicsFor("Created", { matchId }) as Hex[];
  return [topicsOf("Created", "Funded", "Joined", "Acted", "Declined", "Settled", "Log"), id];
}

/** Returns the first topics of events with the given names. */
export function topicsOf(...names: readonly EventName[]): Hex[] {
  return names.map(topicOf);
}

function topicOf(name: EventName): Hex {
  return declarationOf(name).codec.topic;
}

function declarationOf(name: EventName): Declaration {
  const known = declared.get(name);
  if (known) return known;
  const fragment = interfaceOf(name).getEvent(name)!;
  const declaration = { fragment, codec: new EventCodec(fragment) };
  declared.set(name, declaration);
  namesByTopic.set(fragment.topicHash, name);
  return declaration;
}

/** Returns the interface of the contract that declares an event. */
export function interfaceOf(name: EventName): Interface {
  if (!isMintName(name)) return declarations[name];
  const known = mintDeclarations.get(name);
  if (known) return known;
  const declaration = new Interface(mints.get(name)!);
  mintDeclarations.set(name, declaration);
  return declaration;
}

function nameBy(topic: string): EventName | undefined {
  return namesByTopic.get(topic) ?? [...mints.keys()].find((name) => topicOf(name) === topic);
}

/** Returns whether a log's first topic belongs to events with a given name. */
export function isNamed(name: EventName, { topics }: Log): boolean {
  return nameBy(topics[0]) === name;
}

/**
 * Thrown for a log that is not a valid event of the type that its first topic names.
 * @example
 * ```ts
 * import { decodeEvent, MalformedEvent } from "duello";
 *
 * try {
 *   receipt.logs.map(decodeEvent);
 * } catch (error) {
 *   if (error instanceof MalformedEvent) console.error(error.log.address, error.mismatch);
 * }
 * ```
 */
export class MalformedEvent extends Error {
  override readonly name = "MalformedEvent";

  /** @param event Name of the event; undefined for an unknown event. */
  constructor(
    readonly log: Log,
    readonly mismatch: Mismatch,
    readonly event?: EventName,
  ) {
    const what = event === undefined ? "An event" : `The event ${event}`;
    super(`${what} of ${log.address} in block ${log.blockNumber} is malformed: ${mismatchText(mismatch)}.`);
  }
}

/**
 * Decodes a log.
 * @throws MalformedEvent if it is unknown or malformed.
 * @example
 * ```ts
 * import { address, decodeEvent } from "duello";
 *
 * for (const log of receipt.logs.filter(({ address }) => address === addresses.Arena)) {
 *   const { name, args } = decodeEvent(log); // e.g. "Created"
 * }
 * ```
 */
export function decodeEvent(log: Log): AnyEvent {
  const { address, topics, data, blockNumber, index, transactionHash } = log;
  const name = nameBy(topics[0]);
  if (name === undefined) {
    throw new MalformedEvent(log, { what: "the first topic", expected: "that of a known event", found: topics[0] });
  }
  let args;
  try {
    args = declarationOf(name).codec.decode(topics, data);
  } catch (error) {
    throw error instanceof Undecodable ? new MalformedEvent(log, error.mismatch, name) : error;
  }
  return { address, name, args, block: blockNumber, index, transaction: transactionHash } as unknown as AnyEvent;
}

/**
 * Finds the first event with a given name that a contract emitted in a transaction. Other contracts may emit events
 * that look the same.
 * @throws MalformedEvent if the contract's log is malformed.
 * @example
 * ```ts
 * import { eventIn } from "duello";
 *
 * const created = eventIn(receipt, addresses.Arena, "Created");
 * console.log(created?.args.matchId); // e.g. 7n
 * ```
 */
export function eventIn<N extends EventName>(
  { logs }: Pick<TransactionReceipt, "logs">,
  address: string,
  name: N,
): ChainEvent<N> | undefined {
  const found = logs.find((log) => log.address === address && isNamed(name, log));
  return found && (decodeEvent(found) as unknown as ChainEvent<N>);
}

/** Compares two events by their places in the chain. */
export function inOrder(one: Pick<ChainEvent, "block" | "index">, other: Pick<ChainEvent, "block" | "index">): number {
  return one.block - other.block || one.index - other.index;
}

/** Encodes an event exactly as its contract emits it. */
export function encodeEvent({ name, args }: AnyEvent): { topics: Hex[]; data: Hex } {
  return declarationOf(name).codec.encode(args as unknown as Record<string, unknown>);
}

/** Returns whether an event has the requested values. */
export function fits<N extends EventName>({ args }: ChainEvent<N>, where: Where<N>): boolean {
  return (Object.entries(where) as [keyof Events[N], unknown][]).every(
    ([key, wanted]) => wanted === undefined || (Array.isArray(wanted) ? wanted : [wanted]).includes(args[key]),
  );
}
