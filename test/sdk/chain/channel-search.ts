import { expect } from "chai";
import type { Log } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { searchChannelMatch } from "../../../sdk/chain/channel-search.js";
import { encodeEvent, inOrder, type AnyEvent } from "../../../sdk/chain/events.js";
import type { LogFilter, LogReader, Stretch } from "../../../sdk/chain/logs.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Arena } from "../../../typechain-types/index.js";
import {
  addressOf,
  ARENA,
  challenged,
  eventOf,
  FIRST,
  GAME,
  logged,
  matchIdOf,
  opened,
  played,
  playedUnder,
  settled,
  started,
  TERMS,
  wordOf,
} from "../../support/made-up-events.js";

const ID = matchIdOf();
const [FROM, LAST] = [10, 40];
/** Blocks that are read at a time. */
const SPAN = 7;
const OTHER_CHANNEL = wordOf(0x51);
const addresses = { Arena: ARENA, Pistols: GAME, Fighters: addressOf(0x21) } as unknown as Addresses;
const arena = { termsOf: async (termsId: bigint) => ({ ...TERMS, stake1: termsId }) } as unknown as Arena;

/** Puts an event into a block. */
function at(event: AnyEvent, block: number, index = 0): AnyEvent {
  return { ...event, block, index };
}

/** Reads logs from events, some blocks at a time. */
class EventReader {
  readonly filters: LogFilter[] = [];

  constructor(private readonly events: readonly AnyEvent[]) {}

  async *forward(filter: LogFilter, first: number, last: number): AsyncGenerator<Stretch> {
    this.filters.push(filter);
    for (let from = first; from <= last; from += SPAN) {
      yield this.stretch(filter, from, Math.min(last, from + SPAN - 1));
    }
  }

  async *backward(filter: LogFilter, first: number, last: number): AsyncGenerator<Stretch> {
    this.filters.push(filter);
    for (let to = last; to >= first; to -= SPAN) yield this.stretch(filter, Math.max(first, to - SPAN + 1), to);
  }

  private stretch({ address, topics }: LogFilter, from: number, to: number): Stretch {
    const logs = this.events.toSorted(inOrder).map((event) => {
      const { block: blockNumber, index, transaction: transactionHash, address } = event;
      return { ...encodeEvent(event), address, blockNumber, index, transactionHash } as unknown as Log;
    });
    const isAsked = (log: Log) =>
      log.blockNumber >= from &&
      log.blockNumber <= to &&
      [address].flat().includes(log.address) &&
      topics.every((wanted, i) => wanted === null || [wanted].flat().includes(log.topics[i]));
    return { from, to, logs: logs.filter(isAsked) };
  }
}

/** Searches the match among events. */
async function searched(...events: readonly AnyEvent[]) {
  const reader = new EventReader(events);
  const stretches: [number, number][] = [];
  const { signal } = new AbortController();
  const found = await searchChannelMatch(arena, reader as unknown as LogReader, addresses, ID, [FROM, LAST], {
    signal,
    isHeld: true,
    onStretch: ({ from, to }) => stretches.push([from, to]),
  });
  for (const filter of reader.filters) expect(filter).to.include({ signal, isHeld: true });
  return { found, stretches };
}

const open = at(opened(), 11);
const end = [at(playedUnder(), 30, 1), at(logged(ID), 30, 2), at(played(), 30, 3)];
const [log, start] = [at(logged(ID), 25, 4), at(started({ termsId: 4n }), 25, 6)];
const challenge = at(challenged(), 25, 5);

describe("Searching a chain for a channel match", () => {
  it("finds a match that was settled in its channel, with its terms", async () => {
    const { found } = await searched(open, ...end);
    expect(found).to.deep.equal({ opened: open.args, terms: TERMS, events: end.slice(1) });
  });

  it("reports the blocks that it reads to find out whether the match is on chain, once each", async () => {
    const { stretches } = await searched(open, ...end);
    expect(stretches).to.deep.equal([
      [34, 40],
      [27, 33],
    ]);
    const none = await searched(open, at(played({ code: { nonce: FIRST + 1 } }), 30));
    expect(none.found).to.equal(undefined);
    expect(none.stretches.at(-1)).to.deep.equal([FROM, 12]);
    const atLast = await searched(open, ...end.map((event) => ({ ...event, block: LAST })));
    expect(atLast.found).to.not.equal(undefined);
    expect(atLast.stretches).to.deep.equal([[34, LAST]]);
  });

  it("finds a match that is in the arena, with the terms of its number", async () => {
    const move = at(eventOf("Acted", { matchId: ID, seat: Seat.One, data: "0x01" }), 36);
    const over = at(settled(), LAST);
    const { found } = await searched(open, log, challenge, start, move, over);
    const terms = { ...TERMS, stake1: 4n };
    expect(found).to.deep.equal({ opened: open.args, terms, events: [log, challenge, start, move, over] });
  });

  it("takes the last submission, and the events from its block on", async () => {
    const voided = at(eventOf("Voided", { matchId: ID }), 28);
    const { found } = await searched(open, log, challenge, start, voided, ...end);
    expect(found).to.deep.equal({ opened: open.args, terms: TERMS, events: end.slice(1) });
    const again = [at(logged(ID), 31, 0), at(challenged(), 31, 1), at(started({ termsId: 5n }), 31, 2)];
    const later = await searched(open, log, challenge, start, voided, ...again);
    expect(later.found).to.deep.equal({ opened: open.args, terms: { ...TERMS, stake1: 5n }, events: again });
    // Both submissions may be in one block.
    const same = [start, at(voided, 25, 7), at(challenged(), 25, 8), at(started({ termsId: 6n }), 25, 9)];
    const { found: last } = await searched(open, log, challenge, ...same);
    expect(last?.terms.stake1).to.equal(6n);
  });

  it("takes the terms right before the match, not those of later matches or other channels", async () => {
    const others = [
      at(playedUnder({ stake1: 1n }), 30, 0),
      at(playedUnder({ stake1: 2n }), 30, 4),
      at(playedUnder({ stake1: 3n, channelId: OTHER_CHANNEL }), 30, 2),
    ];
    const { found } = await searched(open, ...end, ...others);
    expect(found?.terms).to.deep.equal(TERMS);
  });

  it("takes the last opening of the channel before the match", async () => {
    const openings = [11, 20, 33].map((block, i) => at(opened({ amount1: BigInt(i) }), block));
    const other = at(opened({ channelId: OTHER_CHANNEL, amount1: 9n }), 22);
    const { found } = await searched(...openings, other, ...end);
    expect(found?.opened).to.include({ amount1: 1n });
  });

  it("ignores events of other matches, and events of the match that change nothing", async () => {
    const other = at(logged(matchIdOf(FIRST + 1)), 30, 5);
    const declined = at(eventOf("Declined", { matchId: ID, opponent: addressOf(0x99) }), 30, 6);
    const { found } = await searched(open, ...end, other, declined);
    expect(found?.events).to.deep.equal(end.slice(1));
  });

  it("ignores logs of the arena, and events with the arena's names of other contracts", async () => {
    const [, , match] = end;
    const fakes = [at({ ...logged(ID), address: ARENA }, 30, 5), at({ ...settled(), address: GAME }, 30, 6)];
    const strange = at({ ...settled(), address: addressOf(0x99) }, 30, 7);
    const { found } = await searched(open, ...end, ...fakes, strange);
    expect(found?.events).to.deep.equal([end[1], match]);
  });

  it("finds nothing if the node omits the opening, the terms or the start", async () => {
    for (const events of [end, [open, ...end.slice(1)], [open, challenge], [log, challenge, start]])
      expect((await searched(...events)).found).to.equal(undefined);
  });
});
