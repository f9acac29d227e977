import { ZeroAddress, type Block, type Log } from "ethers";
import { arenaAbi } from "../../sdk/chain/arena.js";
import { topicsOf } from "../../sdk/chain/events.js";
import { LogReader, Refused } from "../../sdk/chain/logs.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { isOpen, type MatchView } from "../../sdk/player/match-view.js";
import { openMatches } from "../shared/matches.js";
import type { Session } from "../shared/session.js";

const TOPICS = [topicsOf("Created", "Funded", "Joined", "Acted", "Settled")];

/** Arguments of the arena's events about matches; each event has some of them. */
type ArenaEvent = Record<"player" | "player1" | "player2" | "opponent", string> & Record<"matchId" | "seat", bigint>;

/** The seats and the status of a match. */
type MatchSeats = Pick<MatchView, "matchId" | "player1" | "player2" | "status">;

/** An open match, as far as the arena's events describe it. */
export interface ListedMatch {
  readonly matchId: bigint;
  /** Undefined if the match could not be read yet. */
  readonly player1?: string;
  /** Only address that may take the second seat; undefined if anyone may. */
  readonly opponent?: string;
  /** Player 2, once it has funded its seat or joined. */
  player2?: string;
}

/** Changes since the last refresh. */
export interface MatchNews {
  latest: Block;
  /** True if there is a new block. */
  isNew: boolean;
  /** Open matches in which something has changed. */
  changed: ReadonlySet<bigint>;
  /** Matches that were open and are over. */
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

  constructor(private readonly session: Session) {}

  /** Open matches, oldest first. */
  get open(): readonly ListedMatch[] {
    return [...this.matches.values()];
  }

  /** Reads what has happened since the last refresh. */
  async refresh(): Promise<MatchNews> {
    const { last, matches: before } = this;
    const { provider } = this.session;
    const latest = (await provider.getBlock("latest"))!;
    if (latest.hash === last?.hash) return { latest, isNew: false, changed: new Set(), ended: [], reorganised: false };
    const reorganised = last !== undefined && (await provider.getBlock(last.number))?.hash !== last.hash;
    const logs = last === undefined || reorganised ? undefined : await this.logs(last.number + 1, latest.number);
    const after = logs ? new Map([...before].map(([id, listed]) => [id, { ...listed }])) : await this.summary();
    const changed = new Set(logs ? [] : [...before.keys(), ...after.keys()]);
    for (const log of logs ?? []) applyLog(log, after, changed);
    this.matches = after;
    this.last = latest;
    const ended = [...before.values()].filter(({ matchId }) => changed.has(matchId) && !after.has(matchId));
    return { latest, isNew: true, changed, ended, reorganised };
  }

  /** Adds the players of a match that could not be read before. */
  learn(view: MatchSeats): void {
    if (this.matches.get(view.matchId)?.player1 !== undefined) return;
    if (isOpen(view)) this.matches.set(view.matchId, listedOf(view));
    else this.matches.delete(view.matchId);
  }

  /** Reads the open matches, including those that the node returns an error for. */
  private async summary(): Promise<Map<bigint, ListedMatch>> {
    const found: ListedMatch[] = [];
    for await (const summary of openMatches(this.session, (matchId) => found.unshift({ matchId }))) {
      const { player2 } = summary;
      found.unshift(listedOf({ ...summary, player2: player2 === ZeroAddress ? undefined : player2 }));
    }
    return new Map(found.map((listed) => [listed.matchId, listed]));
  }

  /** Reads the arena's events about matches; undefined if one block has more than the node returns at once. */
  private async logs(first: number, last: number): Promise<Log[] | undefined> {
    const { provider, deployment } = this.session;
    const found: Log[] = [];
    try {
      const filter = { address: deployment.addresses.Arena, topics: TOPICS };
      for await (const { logs } of LogReader.of(provider).forward(filter, first, last)) found.push(...logs);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
    return found;
  }
}

function listedOf({ matchId, player1, player2, status }: MatchSeats): ListedMatch {
  return status < Status.AllDeposited ? { matchId, player1, opponent: player2 } : { matchId, player1, player2 };
}

function applyLog(log: Log, matches: Map<bigint, ListedMatch>, changed: Set<bigint>): void {
  const event = arenaAbi.parseLog(log);
  const args = event?.args.toObject() as Partial<ArenaEvent> | undefined;
  if (!event || args?.matchId === undefined) return;
  const { matchId, player, player1, player2, seat } = args as ArenaEvent;
  changed.add(matchId);
  const listed = matches.get(matchId);
  const opponent = args.opponent === ZeroAddress ? undefined : args.opponent;
  if (event.name === "Created") matches.set(matchId, { matchId, player1, opponent });
  if (event.name === "Settled") matches.delete(matchId);
  if (listed && event.name === "Funded" && seat === Seat.Two) listed.player2 = player;
  if (listed && event.name === "Joined") listed.player2 = player2;
}
