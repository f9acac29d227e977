import { ZeroAddress, type Block, type Log, type Provider } from "ethers";
import { Seat } from "../../sdk/status.js";
import { Arena__factory } from "../../typechain-types/index.js";
import type { Deployment } from "../deployment.js";

/** Blocks asked for at once: what public nodes give in one answer. */
const SPAN = 10_000;

const abi = Arena__factory.createInterface();

/** What events about a match say, each some of it. */
type Event = Record<"player" | "player1" | "player2" | "opponent", string> & Record<"matchId" | "seat", bigint>;

/** An open match, as far as the arena's events tell. */
export interface Listed {
  readonly matchId: bigint;
  readonly player1: string;
  /** Who alone may take the second seat; undefined if anyone may. */
  readonly opponent?: string;
  /** Whoever has put its stake into the second seat, or joined. */
  player2?: string;
}

/** What is new since the last look. */
export interface News {
  latest: Block;
  /** Whether anything may have changed at all. */
  isNew: boolean;
  /** Open matches about which there is news. */
  changed: ReadonlySet<bigint>;
  /** Matches that were open and are over. */
  ended: readonly Listed[];
  /** Whether blocks that were seen are no more. */
  reorganised: boolean;
}

/** The arena's open matches, from its events alone: found anew at each start, and after each reorganisation. */
export class Board {
  private matches = new Map<bigint, Listed>();
  private last?: Block;

  constructor(
    private readonly provider: Provider,
    private readonly deployment: Deployment,
  ) {}

  /** The open matches, oldest first. */
  get open(): readonly Listed[] {
    return [...this.matches.values()];
  }

  /** Reads what has happened since the last look. */
  async look(): Promise<News> {
    const { last } = this;
    const latest = (await this.provider.getBlock("latest"))!;
    if (latest.hash === last?.hash) return { latest, isNew: false, changed: new Set(), ended: [], reorganised: false };
    const reorganised = last !== undefined && (await this.provider.getBlock(last.number))?.hash !== last.hash;
    const isAnew = last === undefined || reorganised;
    const logs = await this.logs(isAnew ? this.deployment.block : last.number + 1, latest.number);
    const before = this.matches;
    this.matches = new Map(isAnew ? [] : [...before].map(([id, listed]) => [id, { ...listed }]));
    const changed = new Set<bigint>();
    for (const log of logs) this.take(log, changed);
    this.last = latest;
    const ended = [...before.values()].filter(({ matchId }) => changed.has(matchId) && !this.matches.has(matchId));
    return { latest, isNew: true, changed, ended, reorganised };
  }

  private take(log: Log, changed: Set<bigint>): void {
    const event = abi.parseLog(log);
    const args = event?.args.toObject() as Partial<Event> | undefined;
    if (!event || args?.matchId === undefined) return;
    const { matchId, player, player1, player2, seat } = args as Event;
    changed.add(matchId);
    const listed = this.matches.get(matchId);
    const opponent = args.opponent === ZeroAddress ? undefined : args.opponent;
    if (event.name === "Created") this.matches.set(matchId, { matchId, player1, opponent });
    if (event.name === "Settled") this.matches.delete(matchId);
    if (listed && event.name === "Funded" && seat === Seat.Two) listed.player2 = player;
    if (listed && event.name === "Joined") listed.player2 = player2;
  }

  private async logs(first: number, last: number): Promise<Log[]> {
    const address = this.deployment.addresses.Arena;
    const found: Log[] = [];
    for (let from = first; from <= last; from += SPAN) {
      const toBlock = Math.min(last, from + SPAN - 1);
      found.push(...(await this.provider.getLogs({ address, fromBlock: from, toBlock })));
    }
    return found;
  }
}
