import { Archive } from "../../archive.js";
import { type AnyEvent } from "../../events.js";
import type { History } from "../../history.js";
import type { MatchRecord } from "../../record.js";
import { Seat } from "../../status.js";
import { termsHash } from "../../terms.js";
import { NO_DUELS, standingOf, tallied, type Standing, type Tally } from "./honour.js";
import { decodeResult, isResult } from "./log.js";

/** What the duels of a game have come to, event by event in their order. */
export class Chronicle {
  /** By match: player 1's standing when it was created, player 2's when it joined. */
  readonly frozen = new Map<bigint, [Standing, Standing?]>();
  /** By player: the finished rated duels. */
  readonly tallies = new Map<string, Tally>();
  /** How many events were taken. */
  taken = 0;
  /** Hashes of the game's rated terms. */
  private readonly rated = new Set<string>();
  private readonly players = new Map<bigint, string[]>();

  constructor(private readonly game: string) {}

  take({ name, args, address }: AnyEvent): void {
    this.taken++;
    if (name === "TermsAdded") {
      if (args.terms.rated && args.terms.game === this.game) this.rated.add(termsHash(args.terms));
    } else if (name === "Created") {
      this.frozen.set(args.matchId, [this.standing(args.player1)]);
      if (this.rated.has(args.termsHash)) this.players.set(args.matchId, [args.player1]);
    } else if (name === "Joined") {
      this.frozen.get(args.matchId)?.push(this.standing(args.player2));
      this.players.get(args.matchId)?.push(args.player2);
    } else if (name === "Log" && address === this.game) {
      const last = args.words.at(-1);
      if (last !== undefined && isResult(last)) this.finish(args.matchId, decodeResult(last).honour);
    }
  }

  private finish(matchId: bigint, honour: readonly number[]): void {
    for (const [side, player] of (this.players.get(matchId) ?? []).entries()) {
      this.tallies.set(player, tallied(this.tallies.get(player) ?? NO_DUELS, honour[side]));
    }
  }

  private standing(player: string): Standing {
    return standingOf(this.tallies.get(player) ?? NO_DUELS);
  }
}

/** What was made of archives before. */
const chronicles = new WeakMap<Archive, Map<string, Chronicle>>();

/** What all duels of a game have come to. */
export function chronicleOf(archive: Archive, game: string): Chronicle {
  const known = chronicles.get(archive) ?? new Map<string, Chronicle>();
  chronicles.set(archive, known);
  const chronicle = known.get(game) ?? new Chronicle(game);
  known.set(game, chronicle);
  while (chronicle.taken < archive.all.length) chronicle.take(archive.all[chronicle.taken]);
  return chronicle;
}

/**
 * What a match froze, from events alone: player 1's standing when the match was created and player 2's when it joined;
 * that one is undefined if it did not.
 */
export async function frozenStandings(record: MatchRecord, history: History): Promise<[Standing, Standing?]> {
  const whole = history instanceof Archive;
  const chronicle = whole ? chronicleOf(history, record.terms.game) : await chronicleAbout(record, history);
  const [one, two] = chronicle.frozen.get(record.matchId)!;
  return [one, two];
}

/** What the duels of a match's two players have come to. */
async function chronicleAbout(record: MatchRecord, history: History): Promise<Chronicle> {
  const { matchId, player1, player2 = player1, terms } = record;
  const { Arena } = history.addresses;
  const players = [player1, player2];
  const [added, offered, funded] = await Promise.all([
    history.events(Arena, "TermsAdded"),
    history.events(Arena, "Created", { player1: players }),
    history.events(Arena, "Funded", { player: players }),
  ]);
  const rated = added.filter(({ args }) => args.terms.rated && args.terms.game === terms.game);
  const counting = new Set(rated.map(({ args }) => termsHash(args.terms)));
  const taken = funded.filter(({ args }) => args.seat === Seat.Two).map(({ args }) => args.matchId);
  const known = [...offered, ...(await history.events(Arena, "Created", { matchId: [...taken, matchId] }))];
  const counted = known.filter(({ args }) => counting.has(args.termsHash) || args.matchId === matchId);
  const ids = { matchId: [...new Set(counted.map(({ args }) => args.matchId))] };
  const [joined, logs] = await Promise.all([
    history.events(Arena, "Joined", ids),
    history.events(terms.game, "Log", ids),
  ]);
  const chronicle = new Chronicle(terms.game);
  for (const event of inOrder([...rated, ...counted, ...joined, ...logs])) chronicle.take(event);
  return chronicle;
}

/** Events in the order of the chain, each once. */
function inOrder(events: readonly AnyEvent[]): AnyEvent[] {
  const sorted = [...events].sort((a, b) => a.block - b.block || a.index - b.index);
  return sorted.filter(({ block, index }, i) => block !== sorted[i - 1]?.block || index !== sorted[i - 1].index);
}
