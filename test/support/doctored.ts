import { games } from "../../sdk/games/index.js";
import { Archive } from "../../sdk/chain/archive.js";
import {
  fits,
  type AnyEvent,
  type ChainEvent,
  type EventName,
  type Events,
  type Where,
} from "../../sdk/chain/events.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { askChain, type Ask } from "../../sdk/verify/state.js";
import { verify } from "../../sdk/verify/verify.js";
import type { Arena } from "../../typechain-types/index.js";
import { provider, Recording } from "./recording.js";

/** Names of the recorded events: all that affect results. */
export const EVENT_NAMES: readonly EventName[] = [
  "TermsAdded",
  "Created",
  "Funded",
  "Joined",
  "Acted",
  "Declined",
  "Settled",
  "Deposited",
  "Withdrawn",
  "OperatorAllowed",
  "FeeChanged",
  "TreasuryChanged",
  "Log",
  "ModeRegistered",
  "FighterMinted",
  "CardMinted",
  "Transfer",
];

/** Summary of a match. */
interface Summary {
  matchId: bigint;
  /** The game's address. */
  game: string;
  /** Names of the arena's events in order, with commas between transactions, and whether the offer was funded. */
  names: string;
  rated: boolean;
  /** The final status. */
  status?: bigint;
}

/** The unchanged events, times and answers of a chain, of which each test changes one thing. */
export class Original {
  private static made?: Promise<Original>;

  private constructor(
    readonly arena: Arena,
    readonly archive: Archive,
    private readonly summaries: readonly Summary[],
    readonly times: ReadonlyMap<number, bigint>,
    readonly ask: Ask,
  ) {}

  /** Chain id of the recording, which is made once for all tests. */
  static ofRecording(): Promise<Original> {
    return (Original.made ??= Original.read());
  }

  private static async read(): Promise<Original> {
    const { arena, addresses } = await Recording.make();
    const archive = await Archive.read(provider, addresses);
    // Every test needs the same data.
    const answers = new Map<string, Promise<string | undefined>>();
    const chain = askChain(provider, archive.last.number);
    const ask: Ask = (address, data) => {
      const known = answers.get(address + data) ?? chain(address, data);
      answers.set(address + data, known);
      return known;
    };
    await archive.readTimes(archive.all.map(({ block }) => block));
    const summaries = archive.find(addresses.Arena, "Created").map(async ({ args: { matchId } }) => {
      const { terms, settlement } = await archive.match(matchId);
      const events = archive.all.filter(({ args, address }) => {
        return address === addresses.Arena && "matchId" in args && args.matchId === matchId;
      });
      const isNext = (i: number) => i > 0 && events[i].transaction !== events[i - 1].transaction;
      const nameOf = ({ name, args }: AnyEvent) => (name === "Created" && args.funded ? "Created funded" : name);
      const names = events
        .map((event, i) => (isNext(i) ? `, ${nameOf(event)}` : ` ${nameOf(event)}`))
        .join("")
        .trim();
      return { matchId, game: terms.game, names, rated: terms.rated, status: settlement?.status };
    });
    const times = new Map(archive.all.map(({ block }) => [block, archive.timeOf(block)!]));
    return new Original(arena, archive, await Promise.all(summaries), times, ask);
  }

  /**
   * Returns the first match of a game with these events and one of these final statuses, or an unfinished one if no
   * status is given. The game is the name of its contract, or `foreign`.
   */
  match(game: string, names: RegExp, statuses: readonly bigint[] = [], rated = true) {
    const { addresses } = this.archive;
    const known: string[] = Object.values(addresses);
    const found = this.summaries.find((each) => {
      const isOf = game === "foreign" ? !known.includes(each.game) : each.game === addresses[game];
      const isSettled = each.status === undefined ? statuses.length === 0 : statuses.includes(each.status);
      return isOf && isSettled && names.test(each.names) && each.rated === rated;
    });
    if (!found) throw new Error(`There is no match of ${game} like ${names}, ${statuses.join(" or ")}.`);
    return { matchId: found.matchId };
  }

  /** Returns true if a match is of the game at this address. */
  isOf(matchId: bigint, game: string): boolean {
    return this.summaries.some((each) => each.matchId === matchId && each.game === game);
  }

  /** Returns true for an event of a match whose game is unknown. */
  isForeign({ args }: AnyEvent): boolean {
    const known: string[] = Object.values(this.archive.addresses);
    const match = this.summaries.find(({ matchId }) => "matchId" in args && args.matchId === matchId);
    return match !== undefined && !known.includes(match.game);
  }

  /** Verifies a changed copy. @returns the mismatch, or undefined if there is none. */
  async found(change: (doctored: Doctored) => void, matches?: bigint[]): Promise<string | undefined> {
    const doctored = new Doctored(this);
    change(doctored);
    const { archive } = this;
    const { events, times } = doctored;
    const { chainId, last, provider, addresses } = archive;
    const copy = new Archive(provider, addresses, { chainId, events, last, times });
    const { mismatch } = await verify(copy, games, { ask: doctored.ask, matches });
    return mismatch && locatedMismatchText(mismatch);
  }
}

/** A copy that a test can change. */
export class Doctored {
  readonly events: AnyEvent[];
  readonly times: Map<number, bigint>;
  ask: Ask;

  constructor(private readonly original: Original) {
    this.events = structuredClone([...original.archive.all]);
    this.times = new Map(original.times);
    this.ask = original.ask;
  }

  /** Returns the n-th event with a name; negative numbers count from the end. */
  event<N extends EventName>(name: N, where: Where<N> = {}, n = 0): ChainEvent<N> {
    const named = this.events.filter((event) => event.name === name) as unknown as ChainEvent<N>[];
    const found = named.filter((event) => fits(event, where)).at(n);
    if (!found) throw new Error(`There is no such ${name}.`);
    return found;
  }

  /** Changes the values of an event. */
  change<N extends EventName>(name: N, where: Where<N>, changes: Partial<Events[N]>, n = 0): void {
    Object.assign(this.event(name, where, n).args, changes);
  }

  drop(event: ChainEvent): void {
    this.events.splice(this.at(event), 1);
  }

  /** Adds an event of the arena after another one, in the same transaction. */
  addBehind<N extends EventName>(event: ChainEvent, name: N, args: Events[N]): void {
    const { block, index, transaction } = event;
    const { Arena: address } = this.original.archive.addresses;
    this.events.splice(this.at(event) + 1, 0, {
      address,
      name,
      args,
      block,
      index,
      transaction,
    } as unknown as AnyEvent);
  }

  /** Appends an event of the arena after all others, in a separate transaction. */
  append<N extends EventName>(name: N, args: Events[N]): void {
    this.addBehind(this.events.at(-1)!, name, args);
    this.events.at(-1)!.transaction = "0x";
  }

  /** Sets the time of an event's block. */
  setTime({ block }: ChainEvent, time: bigint): void {
    this.times.set(block, time);
  }

  timeOf({ block }: ChainEvent): bigint {
    return this.times.get(block)!;
  }

  private at(event: ChainEvent): number {
    return this.events.indexOf(event as unknown as AnyEvent);
  }
}
