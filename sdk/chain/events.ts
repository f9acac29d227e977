import type { Interface, Log, ParamType } from "ethers";
import {
  Arena__factory,
  Fighters__factory,
  GuardianCards__factory,
  IGame__factory,
} from "../../typechain-types/index.js";
import { mismatchText, type Mismatch } from "../protocol/mismatch.js";
import type { Settlement } from "./record.js";
import type { Hex } from "../protocol/hex.js";
import type { Terms } from "../protocol/terms.js";

/** What the events say that a deployment's history is made of, by name. What is named first is indexed. */
export interface Events {
  TermsAdded: { termsId: bigint; terms: Terms };
  Created: {
    matchId: bigint;
    player1: string;
    opponent: string;
    termsHash: Hex;
    firmUntil: bigint;
    /** Whether player 1's stake was taken at once. */
    funded: boolean;
    data: Hex;
  };
  Funded: { matchId: bigint; seat: bigint; player: string };
  Joined: { matchId: bigint; player2: string; data: Hex };
  Acted: { matchId: bigint; seat: bigint; data: Hex };
  Settled: { matchId: bigint } & Settlement;
  Deposited: { token: string; player: string; amount: bigint };
  Withdrawn: { token: string; player: string; to: string; amount: bigint };
  OperatorAllowed: { player: string; operator: string; until: bigint };
  FeeChanged: { feeBps: bigint };
  TreasuryChanged: { treasury: string };
  Log: { matchId: bigint; round: bigint; logEntries: bigint[] };
  ModeRegistered: { mode: Hex; content: Hex };
  FighterMinted: { id: bigint; to: string; character: bigint; tiers: bigint[]; golden: boolean };
  CardMinted: { id: bigint; to: string; stats: Record<string, bigint> };
  Transfer: { from: string; to: string; id: bigint };
  ApprovalForAll: { owner: string; operator: string; isApproved: boolean };
}

export type EventName = keyof Events;

/** An event, and where it stands in the chain. */
export interface ChainEvent<N extends EventName = EventName> {
  /** Of the contract. */
  address: string;
  name: N;
  args: Events[N];
  block: number;
  /** Among all events of its block. */
  index: number;
  transaction: Hex;
}

/** Any of them; its name tells which. */
export type AnyEvent = { [N in EventName]: ChainEvent<N> }[EventName];

/** What events are asked for, by indexed values: one, or any of several. */
export type Where<N extends EventName> = { [K in keyof Events[N]]?: Events[N][K] | readonly Events[N][K][] };

const [arena, game, fighters, cards] = [Arena__factory, IGame__factory, Fighters__factory, GuardianCards__factory].map(
  (factory) => factory.createInterface() as Interface,
);

/** Who declares an event. */
const declarations: Readonly<Record<EventName, Interface>> = {
  ...{ TermsAdded: arena, Created: arena, Funded: arena, Joined: arena, Acted: arena, Settled: arena },
  ...{ Deposited: arena, Withdrawn: arena, OperatorAllowed: arena, FeeChanged: arena, TreasuryChanged: arena },
  ...{ Log: game, ModeRegistered: game },
  ...{ FighterMinted: fighters, CardMinted: cards, Transfer: fighters },
  ...{ ApprovalForAll: fighters },
};

const namesByTopic = new Map(
  (Object.keys(declarations) as EventName[]).map((name) => [declarations[name].getEvent(name)!.topicHash, name]),
);

/** Whether results follow from events of a name: who may move tokens decides nothing until they are moved. */
export function isDecisive(name: EventName): boolean {
  return name !== "ApprovalForAll";
}

/** The first topics of all from which results follow. */
export const ALL_TOPICS: readonly Hex[] = [...namesByTopic].flatMap(([topic, name]) =>
  isDecisive(name) ? [topic] : [],
);

/** What an event says, in its order. */
export function fieldsOf(name: EventName): readonly ParamType[] {
  return declarations[name].getEvent(name)!.inputs;
}

/** The topics of the events that are asked for. */
export function topicsFor<N extends EventName>(name: N, where: Where<N>): (null | Hex | Hex[])[] {
  const values = fieldsOf(name).map((input) => where[input.name as keyof Events[N]] ?? null);
  return declarations[name].encodeFilterTopics(name, values as unknown[]);
}

/** The topics of all that is told of a match, by the arena and by its game. */
export function topicsAbout(matchId: bigint): (Hex | Hex[])[] {
  const [, id] = topicsFor("Created", { matchId }) as Hex[];
  return [topicsOf("Created", "Funded", "Joined", "Acted", "Settled", "Log"), id];
}

/** The first topics of events of some names. */
export function topicsOf(...names: readonly EventName[]): Hex[] {
  return names.map((name) => declarations[name].getEvent(name)!.topicHash);
}

/** Whether a log is an event of that name. */
export function isNamed(name: EventName, { topics }: Log): boolean {
  return namesByTopic.get(topics[0]) === name;
}

/** Thrown for a log that is not the event that its topics say. */
export class MalformedEvent extends Error {
  override readonly name = "MalformedEvent";

  /** @param event Its name; left out: none that is known. */
  constructor(
    readonly log: Log,
    readonly mismatch: Mismatch,
    readonly event?: EventName,
  ) {
    const what = event === undefined ? "An event" : `The event ${event}`;
    super(`${what} of ${log.address} in block ${log.blockNumber} is malformed: ${mismatchText(mismatch)}.`);
  }
}

/** What a log says. @throws MalformedEvent if it is none of these events. */
export function decodeEvent(log: Log): AnyEvent {
  const { address, topics, data, blockNumber, index, transactionHash } = log;
  const name = namesByTopic.get(topics[0]);
  if (name === undefined) {
    throw new MalformedEvent(log, { what: "the first topic", expected: "that of a known event", found: topics[0] });
  }
  const read: Read = (what, expected, value) => {
    try {
      return value();
    } catch (error) {
      throw new MalformedEvent(log, { what, expected, found: `none: ${reasonOf(error)}` }, name);
    }
  };
  const values = read("the data", `an encoded ${name}`, () => declarations[name].decodeEventLog(name, data, topics));
  const args = fieldsOf(name).map((input, i) => [
    input.name,
    plain(input, input.name, () => values[i] as unknown, read),
  ]);
  return {
    ...{ address, name, args: Object.fromEntries(args) as unknown },
    ...{ block: blockNumber, index, transaction: transactionHash },
  } as AnyEvent;
}

/** An event as its contract writes it: there is one way only. */
export function encodeEvent({ name, args }: AnyEvent): { topics: Hex[]; data: Hex } {
  const { data, topics } = declarations[name].encodeEventLog(name, Object.values(args));
  return { data: data, topics: topics };
}

/** Whether an event is what is asked for. */
export function fits<N extends EventName>({ args }: ChainEvent<N>, where: Where<N>): boolean {
  return (Object.entries(where) as [keyof Events[N], unknown][]).every(
    ([key, wanted]) => wanted === undefined || (Array.isArray(wanted) ? wanted : [wanted]).includes(args[key]),
  );
}

/** Reads a part of an event, which ethers may refuse only now; what it is called and should be. */
type Read = <T>(what: string, expected: string, value: () => T) => T;

/** Tuples as objects, lists as arrays. */
function plain({ type, baseType, components, arrayChildren }: ParamType, name: string, get: () => unknown, read: Read) {
  const value = read(name, type, get);
  const items = value as unknown[];
  if (baseType === "array") {
    return Array.from({ length: items.length }, (_, i): unknown =>
      plain(arrayChildren!, `${name}[${i}]`, () => items[i], read),
    );
  }
  if (baseType !== "tuple") return value;
  const fields = components!.map((each, i): unknown[] => {
    return [each.name, plain(each, `${name}.${each.name}`, () => items[i], read)];
  });
  return Object.fromEntries(fields as [string, unknown][]) as unknown;
}

/** What ethers has against data, in short; it may come only when the value is asked for. */
function reasonOf(thrown: unknown): string {
  const { error, shortMessage, message } = thrown as { error?: unknown; shortMessage?: string; message: string };
  return error === undefined ? (shortMessage ?? message) : reasonOf(error);
}
