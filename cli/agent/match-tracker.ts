import { ZeroAddress, type Block } from "ethers";
import { decodeEvent, isOfChannelMatch, topicsOf, type AnyEvent } from "../../sdk/chain/events.js";
import { LogReader, Refused } from "../../sdk/chain/logs.js";
import { seatsAfter, type MatchSeats } from "../../sdk/chain/match-facts.js";
import { isOpen } from "../../sdk/protocol/status.js";
import { openMatches } from "../shared/match/matches.js";
import type { CommandContext } from "../shared/command/context.js";

const TOPICS = [topicsOf("Created", "Funded", "Joined", "Acted", "Settled")];

/** An open match: its seats, or only its number if the match could not be read yet. */
export type ListedMatch = Pick<MatchSeats, "matchId"> & Partial<MatchSeats>;

/** Changes since the last refresh. */
export interface MatchNews {
  latest: Block;
  /** True if there is a new block. */
  isNew: boolean;
  /** Open matches that have changed. */
  changed: ReadonlySet<bigint>;
  /** Matches that have ended. */
  ended: readonly ListedMatch[];
  /** True if blocks that were read before have been replaced. */
  reorganised: boolean;
}

/**
 * Tracks the arena's open matches: reads all of them at the start and after a reorganisation, and then only the events.
 */
export class MatchTracker {
  private matches = new Map<bigint, ListedMatch>();
  private last?: Block;

  constructor(private readonly context: CommandContext) {}

  /** Open matches, oldest first. */
  get open(): readonly ListedMatch[] {
    return [...this.matches.values()];
  }

  /** Number of the last block that was read; 0 before the first refresh. */
  get head(): number {
    return this.last?.number ?? 0;
  }

  /** Reads the changes since the last refresh. */
  async refresh(): Promise<MatchNews> {
    const { last, matches: before } = this;
    const { provider } = this.context;
    const latest = (await provider.getBlock("latest"))!;
    if (latest.hash === last?.hash) return { latest, isNew: false, changed: new Set(), ended: [], reorganised: false };
    const reorganised = last !== undefined && (await provider.getBlock(last.number))?.hash !== last.hash;
    const events = last === undefined || reorganised ? undefined : await this.events(last.number + 1, latest.number);
    const after = events ? new Map(before) : await this.summary();
    const changed = new Set(events ? [] : [...before.keys(), ...after.keys()]);
    for (const event of events ?? []) apply(event, after, changed);
    this.matches = after;
    this.last = latest;
    const ended = [...before.values()].filter(({ matchId }) => changed.has(matchId) && !after.has(matchId));
    return { latest, isNew: true, changed, ended, reorganised };
  }

  /** Adds the players of a match that could not be read before. */
  learn(view: MatchSeats): void {
    if (this.matches.get(view.matchId)?.player1 !== undefined) return;
    if (isOpen(view)) this.matches.set(view.matchId, seatsOf(view));
    else this.matches.delete(view.matchId);
  }

  /** Reads the open matches, including those that the node returns an error for. */
  private async summary(): Promise<Map<bigint, ListedMatch>> {
    const found: ListedMatch[] = [];
    for await (const summary of openMatches(this.context, (matchId) => found.unshift({ matchId }))) {
      const { player2 } = summary;
      found.unshift(seatsOf({ ...summary, player2: player2 === ZeroAddress ? undefined : player2 }));
    }
    return new Map(found.map((listed) => [listed.matchId, listed]));
  }

  /** Reads the arena's events about matches; undefined if one block has more events than the node returns at once. */
  private async events(first: number, last: number): Promise<AnyEvent[] | undefined> {
    const { provider, deployment } = this.context;
    const found: AnyEvent[] = [];
    try {
      const filter = { address: deployment.addresses.Arena, topics: TOPICS };
      for await (const { logs } of LogReader.of(provider).forward(filter, first, last))
        found.push(...logs.map(decodeEvent));
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
    return found;
  }
}

function seatsOf({ matchId, player1, player2, status }: MatchSeats): MatchSeats {
  return { matchId, player1, player2, status };
}

function apply(event: AnyEvent, matches: Map<bigint, ListedMatch>, changed: Set<bigint>): void {
  // The agent does not play matches from channels.
  if (!("matchId" in event.args) || isOfChannelMatch(event)) return;
  const { matchId } = event.args;
  changed.add(matchId);
  const listed = matches.get(matchId);
  const seats = seatsAfter(event, listed && isRead(listed) ? listed : undefined);
  if (seats) matches.set(matchId, seats);
  if (event.name === "Settled") matches.delete(matchId);
}

function isRead(listed: ListedMatch): listed is MatchSeats {
  return listed.player1 !== undefined;
}
