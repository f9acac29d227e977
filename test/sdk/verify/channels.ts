import { expect } from "chai";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import { games } from "../../../sdk/games/index.js";
import { Reading } from "../../../sdk/verify/reading.js";
import { askChain } from "../../../sdk/verify/state.js";
import { verify, type Verdict } from "../../../sdk/verify/verify.js";
import { ethers, loadFixture } from "../../support/index.js";
import { liveChannels } from "../../support/live-channels.js";

describe("Verifying an arena with channels", () => {
  let addresses: Addresses;
  let events: readonly AnyEvent[];

  before(async () => {
    addresses = await loadFixture(liveChannels);
    const reading = await Reading.open(ethers.provider, addresses);
    const read: AnyEvent[] = [];
    for await (const part of reading.parts()) read.push(...part);
    events = read;
  });

  /** Verifies the chain, optionally with changed events. */
  async function verdictOf(change: (event: AnyEvent) => AnyEvent = (event) => event): Promise<Verdict> {
    const source = await Reading.open(ethers.provider, addresses);
    const parts = source.parts.bind(source);
    source.parts = async function* () {
      for await (const part of parts()) yield part.map(change);
    };
    return verify(source, games, { ask: askChain(ethers.provider, source.last.number) });
  }

  it("computes the same amounts and ratings as the chain, for ordinary matches too", async () => {
    const { mismatch, matches, fromChannels } = await verdictOf();
    expect({ mismatch, matches, fromChannels }).to.deep.equal({ mismatch: undefined, matches: 8, fromChannels: 7 });
  });

  it("covers every event of channels", () => {
    const names = new Set<string>(events.map(({ name }) => name));
    for (const name of ["Opened", "PlayedUnder", "Played", "Challenged", "Started", "Voided", "Balanced", "Collected"])
      expect(names).to.include(name);
  });

  for (const [name, field] of [
    ["Opened", "amount1"],
    ["Opened", "nonce"],
    ["PlayedUnder", "stake2"],
    ["PlayedUnder", "rated"],
    ["Played", "code"],
    ["Challenged", "code"],
    ["Started", "player1"],
    ["Started", "termsId"],
    ["Balanced", "amount2"],
    ["Balanced", "house"],
    ["Collected", "amount"],
  ] as const)
    it(`notices another value: ${name}.${field}`, async () => {
      let changed = false;
      const { mismatch } = await verdictOf((event) => {
        if (event.name !== name || changed) return event;
        changed = true;
        const before = (event.args as Record<string, unknown>)[field];
        const after =
          typeof before === "bigint"
            ? field === "code"
              ? before ^ 1n ^ (1n << 8n)
              : before + 1n
            : typeof before === "boolean"
              ? !before
              : addresses.Arena;
        return { ...event, args: { ...event.args, [field]: after } } as AnyEvent;
      });
      expect([changed, mismatch !== undefined]).to.deep.equal([true, true]);
    });
});
