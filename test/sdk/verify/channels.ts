import { expect } from "chai";
import { concat, id } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import { games } from "../../../sdk/games/index.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Reading } from "../../../sdk/verify/reading.js";
import { askChain } from "../../../sdk/verify/state.js";
import { verify, type Verdict } from "../../../sdk/verify/verify.js";
import { channelled, FIRST, type Signing } from "../../support/channels.js";
import { ethers, HOUR, loadFixture, Seat, step, termsFor, time, UNIT, type Terms } from "../../support/index.js";
import { inPlay } from "../../support/matches.js";

const AMOUNT = 100n * UNIT;
const STAKE = 10n * UNIT;
const ANSWER = concat([step(Seat.One), id("answered")]);
const WIN = step(Seat.None, Seat.One);
const DRAW = step(Seat.None, Seat.None);
const REFUSED = "0x09";

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

/** Uses two channels on the test chain, and an ordinary match. @returns the deployment. */
async function liveChannels(): Promise<Addresses> {
  const w = await channelled();
  const { pair, channels, arena, alice, bob, stranger } = w;
  const rated = await termsFor(w);
  let nonce = FIRST;
  const moves = (actions: readonly Hex[]) => ({ position: id("offered"), actions });
  const play = async (actions: readonly Hex[], terms: Terms = rated, how: Signing = {}) => {
    const transcript = await pair.transcript(nonce, terms, moves(actions), how);
    return channels.connect(stranger).play(pair.channel, nonce++, terms, [transcript], { gasLimit: 8_000_000 });
  };
  const challenge = async (terms: Terms = rated, how: Signing = {}) => {
    const transcript = await pair.transcript(nonce, terms, moves([ANSWER]), how);
    const sender = how.swapped ? alice : bob;
    return channels.connect(sender).challenge(pair.channel, nonce, terms, transcript);
  };
  await play([ANSWER, WIN]);
  await play([ANSWER, WIN], { ...rated, rated: false, stake2: 3n * STAKE }, { swapped: true });
  await play([REFUSED], rated, { seen: true });
  await challenge();
  await play([ANSWER, WIN]);
  await challenge({ ...rated, stake1: 2n * STAKE }, { swapped: true });
  await arena.connect(bob).act(pair.matchIdOf(nonce++), WIN);
  await challenge();
  await time.increase(Number(HOUR) + 1);
  await arena.timeout(pair.matchIdOf(nonce++));
  const { id: ordinary } = await inPlay(w);
  await arena.connect(alice).act(ordinary, WIN);
  await challenge();
  const { amount1, amount2 } = await pair.state();
  await channels.checkpoint(...(await pair.balance(++nonce, amount1 + STAKE - 3n, amount2 + STAKE)));
  await channels.collect(rated.token);
  await play([ANSWER, DRAW]);
  const rest = await pair.state();
  await channels.checkpoint(...(await pair.balance(++nonce, rest.amount1 - 5n, rest.amount2, { close: true })));
  await pair.open(AMOUNT, 0n, w.times.until);
  const other = await w.pairOf(alice, w.carol, ["one", "two"]);
  await other.open(STAKE, STAKE, w.times.until);
  await time.increaseTo(w.times.until);
  await time.increase(10);
  await channels.expire(pair.channel);
  const named = {
    Arena: w.arena,
    FightToken: w.fight,
    Fighters: w.fighters,
    AutoBattler: w.autoBattler,
    GuardianCards: w.cards,
    Guardians: w.guardians,
  };
  const entries = await Promise.all(
    Object.entries(named).map(async ([name, contract]) => [name, await contract.getAddress()]),
  );
  return Object.fromEntries(entries) as Addresses;
}
