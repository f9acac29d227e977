import { expect } from "chai";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import type { AnyEvent, ChainEvent } from "../../../sdk/chain/events.js";
import type { EventSource } from "../../../sdk/chain/source.js";
import { termsHash } from "../../../sdk/protocol/terms.js";
import { Window } from "../../../sdk/verify/window.js";
import {
  acted,
  addressOf,
  ARENA,
  balanced,
  challenged,
  created,
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
  termsAdded,
  wordOf,
} from "../../support/made-up-events.js";

const OTHER = addressOf(0x99);
const ID = matchIdOf();
const addresses = { Arena: ARENA, Pistols: GAME } as unknown as Addresses;

/** Returns a window that tracks matches 1 and the channel's first one, after some events. */
function windowOf(...events: readonly AnyEvent[]): Window {
  const window = new Window({ addresses, chainId: 31_337n } as EventSource);
  for (const matchId of [1n, ID]) window.track(matchId);
  for (const event of events) window.add(event);
  return window;
}

const messageOf = (error: unknown) => (error as Error).message;
const registered = (mode: string, address = GAME, block = 5) =>
  ({
    ...eventOf("ModeRegistered", { mode, content: "0x01" }),
    address,
    block,
  }) as unknown as ChainEvent<"ModeRegistered">;
const minted = (id: bigint) =>
  eventOf("FighterMinted", { id, to: OTHER, character: 1n } as never) as unknown as ChainEvent;

describe("A window of events", () => {
  it("keeps the terms, by their hashes", async () => {
    const window = windowOf(termsAdded());
    expect(await window.terms(termsHash(TERMS))).to.deep.equal(TERMS);
    expect(await window.terms(wordOf(1)).catch(messageOf)).to.equal(`The terms ${wordOf(1)} were never added.`);
  });

  it("keeps the events of tracked matches, until it forgets them", async () => {
    const [one, two] = [created(), created({ matchId: 2n })];
    const window = windowOf(one, two);
    const found = async () => window.events(ARENA, "Created", { matchId: [1n, 2n] });
    expect(await found()).to.deep.equal([one]);
    expect([1n, 2n].map((matchId) => window.tracks(matchId))).to.deep.equal([true, false]);
    // A match that is tracked already keeps its events.
    window.track(1n);
    expect(await found()).to.deep.equal([one]);
    window.forget(1n);
    expect(await found()).to.deep.equal([]);
    expect(window.tracks(1n)).to.equal(false);
  });

  it("finds events by contract, name, block and values", async () => {
    const first = acted(1n);
    const others = [{ ...acted(2n), block: 2000 }, { ...acted(1n), address: OTHER }, settled({ matchId: 1n })];
    const window = windowOf(first, ...others);
    expect(await window.events(ARENA, "Acted", { matchId: 1n })).to.deep.equal([first, others[0]]);
    expect(await window.events(ARENA, "Acted", { matchId: 1n }, 1000)).to.deep.equal([first, others[0]]);
    expect(await window.events(ARENA, "Acted", { matchId: 1n }, 1001)).to.deep.equal([others[0]]);
    expect(await window.events(ARENA, "Acted", { matchId: 1n, seat: 2n })).to.deep.equal([others[0]]);
    expect(await window.events(ARENA, "Acted", { matchId: 3n })).to.deep.equal([]);
    expect(await window.events(ARENA, "Acted")).to.deep.equal([]);
  });

  it("keeps modes and mints for good, by their first value", async () => {
    const [a, b] = [wordOf(0xa), wordOf(0xb)];
    const modes = [registered(a), registered(b), registered(a, OTHER), registered(a, GAME, 9)];
    const tokens = [minted(1n), minted(2n)];
    const window = windowOf(...([...modes, ...tokens] as unknown as AnyEvent[]));
    expect(await window.events(GAME, "ModeRegistered", { mode: a })).to.deep.equal([modes[0], modes[3]]);
    expect(await window.events(GAME, "ModeRegistered", { mode: [a, b] })).to.deep.equal([modes[0], modes[3], modes[1]]);
    expect(await window.events(GAME, "ModeRegistered", { mode: wordOf(0xc) })).to.deep.equal([]);
    expect(await window.events(ARENA, "FighterMinted", { id: 2n })).to.deep.equal([tokens[1]]);
    expect(await window.mode(GAME, a)).to.equal("0x01");
    expect(await window.mode(OTHER, b).catch(messageOf)).to.match(/was never registered/);
    // Other events are not kept.
    const transfer = eventOf("Transfer", { from: OTHER, to: OTHER, id: 1n });
    expect(await windowOf(transfer).events(ARENA, "Transfer", { id: 1n })).to.deep.equal([]);
  });

  describe("reads an ordinary match", () => {
    it("from the events of the arena, and the logs of its game", async () => {
      const foreign = { ...logged(1n), address: OTHER, args: { matchId: 1n, round: 9n, logEntries: [] } } as AnyEvent;
      const fake = { ...settled({ matchId: 1n }), address: GAME };
      const fakeLog = { ...foreign, address: ARENA };
      const window = windowOf(termsAdded(), foreign, created(), logged(1n), foreign, fake, fakeLog);
      const { logs, settlement, terms } = await window.match(1n);
      expect([logs, settlement, terms]).to.deep.equal([[{ round: 1n, entries: [1n, 2n] }], undefined, TERMS]);
    });

    it("unless nobody has created it in the arena", async () => {
      const none = "There is no match 1.";
      expect(await windowOf().match(1n).catch(messageOf)).to.equal(none);
      expect(await windowOf(termsAdded(), acted(1n)).match(1n).catch(messageOf)).to.equal(none);
      const fake = { ...created(), address: OTHER };
      expect(await windowOf(termsAdded(), fake).match(1n).catch(messageOf)).to.equal(none);
      expect(await windowOf(termsAdded()).match(2n).catch(messageOf)).to.equal("There is no match 2.");
    });
  });

  describe("reads a channel match", () => {
    const none = `There is no match ${ID} that a channel brought to the chain.`;
    const end = [opened(), playedUnder({ stake1: 7n }), logged(ID), played()];

    it("that was settled in its channel, with the last terms", async () => {
      const { terms, logs, settlement } = await windowOf(playedUnder(), ...end).match(ID);
      expect(terms).to.deep.equal({ ...TERMS, stake1: 7n });
      expect(logs).to.have.length(1);
      expect(settlement).to.include({ status: 6n });
    });

    it("that is in the arena, with the terms of its number", async () => {
      const window = windowOf(
        termsAdded(),
        termsAdded({ stake1: 8n }, 2n),
        opened(),
        challenged(),
        started({ termsId: 2n }),
      );
      const { terms, channel } = await window.match(ID);
      expect(terms).to.deep.equal({ ...TERMS, stake1: 8n });
      expect(channel!.shown!.started).to.deep.equal({ turn: 1n, position: wordOf(0x60) });
    });

    it("with terms under which another match has started before", async () => {
      const next = matchIdOf(FIRST + 1);
      const window = windowOf(termsAdded(), opened(), challenged(), started());
      window.track(next);
      window.add(challenged({ code: { winner: 0n, nonce: FIRST + 1 } }));
      window.add(started({ matchId: next }));
      expect((await window.match(next)).terms).to.deep.equal(TERMS);
    });

    it("with the terms of its number even if its channel has played under others", async () => {
      const window = windowOf(termsAdded(), opened(), playedUnder({ stake1: 7n }), challenged());
      window.add(started());
      expect((await window.match(ID)).terms).to.deep.equal(TERMS);
    });

    it("unless its channel is unknown or closed, or its terms are", async () => {
      const [open, under, log, match] = end;
      const found = async (...events: readonly AnyEvent[]) =>
        windowOf(...events)
          .match(ID)
          .then(() => "", messageOf);
      expect(await found(...end)).to.equal("");
      expect(await found(under, log, match)).to.equal(none);
      expect(await found(open, log, match)).to.equal(none);
      expect(await found(open, under, balanced({ closed: true }), match)).to.equal(none);
      expect(await found(open, under, balanced(), match)).to.equal("");
      expect(await found(opened({ channelId: wordOf(0x51) }), under, match)).to.equal(none);
      expect(await found(termsAdded(), opened(), challenged(), started({ termsId: 2n }))).to.equal(none);
      expect(await found(started(), opened(), under)).to.equal(none);
    });

    it("only while it tracks the match", async () => {
      const window = windowOf(...end);
      window.forget(ID);
      window.track(ID);
      expect(await window.match(ID).catch(messageOf)).to.equal(none);
      const next = matchIdOf(FIRST + 1);
      window.add(played({ code: { nonce: FIRST + 1 } }));
      expect(await window.match(next).catch(messageOf)).to.equal(none.replace(String(ID), String(next)));
      window.add(played({ code: { nonce: FIRST + 1 } }));
      window.track(next);
      expect(await window.match(next).catch(messageOf)).to.equal(none.replace(String(ID), String(next)));
    });
  });
});
