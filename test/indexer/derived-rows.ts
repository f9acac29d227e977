import { expect } from "chai";
import { Archive } from "../../sdk/chain/archive.js";
import type { AnyEvent } from "../../sdk/chain/events.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows, type ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { comparedRows } from "../support/compared-rows.js";
import { Original } from "../support/doctored.js";
import { ethers, loadFixture } from "../support/index.js";
import { liveChannels } from "../support/live-channels.js";

describe("Rows that the handlers of an index derive", () => {
  it("are the verifier's after matches of every game and with every end", async () => {
    const { archive } = await Original.ofRecording();
    const { rows, mismatch } = await comparedRows(archive);
    expect(mismatch).to.equal(undefined);
    expect(emptyIn(rows)).to.deep.equal(["channel", "channelMatch", "channelBalance"]);
  });

  it("are the verifier's after everything that channels can do", async () => {
    const { rows, mismatch } = await comparedRows(await Archive.read(ethers.provider, await loadFixture(liveChannels)));
    expect(mismatch).to.equal(undefined);
    expect(emptyIn(rows)).to.deep.equal(["operator", "character", "keeping"]);
  });

  it("are the verifier's after each event of a channel", async () => {
    const { provider, addresses, chainId, last, all } = await Archive.read(
      ethers.provider,
      await loadFixture(liveChannels),
    );
    const isOfChannel = ({ name }: AnyEvent) => ["Played", "Started", "Settled", "Voided", "Balanced"].includes(name);
    for (const [i, event] of all.entries()) {
      if (!isOfChannel(event)) continue;
      const archive = new Archive(provider, addresses, { chainId, last, events: all.slice(0, i + 1) });
      const { mismatch } = await comparedRows(archive);
      expect(mismatch, `${event.name}, event ${i}`).to.equal(undefined);
    }
  });

  describe("ignore, if events are manipulated,", () => {
    let archive: Archive;

    before(async () => {
      archive = await Archive.read(ethers.provider, await loadFixture(liveChannels));
    });

    /** Returns the rows that changed events lead to. */
    const rowsOf = (change: (events: readonly AnyEvent[]) => readonly AnyEvent[]) => {
      const { provider, addresses, chainId, last, all } = archive;
      return expectedRows(new Archive(provider, addresses, { chainId, last, events: change(all) }), games);
    };

    it("events of contracts that do not emit them", async () => {
      const honest = await rowsOf((events) => events);
      const fakes = (events: readonly AnyEvent[]) =>
        events.flatMap((event) => [event, { ...event, address: archive.addresses.FightToken }]);
      expect(await rowsOf(fakes)).to.deep.equal(honest);
    });

    it("the start of a match that no channel submits", async () => {
      const rows = await rowsOf((events) => events.filter(({ name }) => name !== "Challenged"));
      expect(rows.channelMatch.length).to.be.greaterThan(0);
      expect(rows.channelMatch.every(({ isInArena }) => !isInArena)).to.equal(true);
    });

    it("the absence of all events", async () => {
      const { deployment, ...rows } = await rowsOf(() => []);
      const { chainId, addresses } = archive;
      expect(deployment).to.deep.equal([
        { id: 1, chainId: Number(chainId), arena: addresses.Arena, feeBps: 0, treasury: undefined },
      ]);
      expect(Object.values(rows).flat()).to.deep.equal([]);
    });
  });
});

function emptyIn(rows: ExpectedRows): string[] {
  return Object.entries(rows).flatMap(([table, { length }]) => (length === 0 ? [table] : []));
}
