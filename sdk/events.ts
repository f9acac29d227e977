import type { Interface, Log, ParamType } from "ethers";
import { Arena__factory, Fighters__factory, GuardianCards__factory, IGame__factory } from "../typechain-types/index.js";
import type { Settlement } from "./record.js";
import type { Hex } from "./seal.js";
import type { Terms } from "./terms.js";

/** What the events say that a deployment's history is made of, by name. What is named first is indexed. */
export interface Events {
  TermsAdded: { termsId: bigint; terms: Terms };
  Created: {
    matchId: bigint;
    player1: string;
    opponent: string;
    termsHash: Hex;
    firmUntil: bigint;
    opening: Hex;
  };
  Funded: { matchId: bigint; seat: bigint; player: string };
  Joined: { matchId: bigint; player2: string; answer: Hex };
  Acted: { matchId: bigint; seat: bigint; action: Hex };
  Settled: { matchId: bigint } & Settlement;
  Deposited: { token: string; player: string; amount: bigint };
  Withdrawn: { token: string; player: string; to: string; amount: bigint };
  OperatorAllowed: { player: string; operator: string; until: bigint };
  ShareChanged: { share: bigint };
  TreasuryChanged: { treasury: string };
  Log: { matchId: bigint; round: bigint; words: bigint[] };
  ModeRegistered: { mode: Hex; content: Hex };
  FighterMinted: { id: bigint; to: string; character: bigint; tiers: bigint[]; golden: boolean };
  CardMinted: { id: bigint; to: string; stats: Record<string, bigint> };
  Transfer: { from: string; to: string; tokenId: bigint };
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
  ...{ Deposited: arena, Withdrawn: arena, OperatorAllowed: arena, ShareChanged: arena, TreasuryChanged: arena },
  ...{ Log: game, ModeRegistered: game },
  ...{ FighterMinted: fighters, CardMinted: cards, Transfer: fighters },
};

const namesByTopic = new Map(
  (Object.keys(declarations) as EventName[]).map((name) => [declarations[name].getEvent(name)!.topicHash, name]),
);

/** The first topics of all of them. */
export const ALL_TOPICS: readonly Hex[] = [...namesByTopic.keys()];

/** The topics of the events that are asked for. */
export function topicsFor<N extends EventName>(name: N, where: Where<N>): (null | Hex | Hex[])[] {
  const { inputs } = declarations[name].getEvent(name)!;
  const values = inputs.map((input) => where[input.name as keyof Events[N]] ?? null);
  return declarations[name].encodeFilterTopics(name, values as unknown[]);
}

/** What a log says. @throws Error if it is none of these events. */
export function decodeEvent({ address, topics, data, blockNumber, index, transactionHash }: Log): AnyEvent {
  const name = namesByTopic.get(topics[0]);
  if (name === undefined) throw new Error(`The event ${topics[0]} of ${address} is unknown.`);
  const { inputs } = declarations[name].getEvent(name)!;
  const values = declarations[name].decodeEventLog(name, data, topics);
  const args = Object.fromEntries(inputs.map((input, i) => [input.name, plain(input, values[i])]));
  return { address, name, args, block: blockNumber, index, transaction: transactionHash } as unknown as AnyEvent;
}

/** Whether an event is what is asked for. */
export function fits<N extends EventName>({ args }: ChainEvent<N>, where: Where<N>): boolean {
  return (Object.entries(where) as [keyof Events[N], unknown][]).every(
    ([key, wanted]) => wanted === undefined || (Array.isArray(wanted) ? wanted : [wanted]).includes(args[key]),
  );
}

/** Tuples as objects, lists as arrays. */
function plain({ baseType, components, arrayChildren }: ParamType, value: unknown): unknown {
  const items = value as unknown[];
  if (baseType === "array") return Array.from(items, (item) => plain(arrayChildren!, item));
  if (baseType !== "tuple") return value;
  return Object.fromEntries(components!.map((component, i) => [component.name, plain(component, items[i])]));
}
