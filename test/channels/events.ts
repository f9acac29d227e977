import { expect } from "chai";
import { concat, id, type ContractTransactionReceipt } from "ethers";
import { NO_PLACE, placeOf } from "../../sdk/protocol/channels/messages.js";
import { channelled, FIRST, type ChannelWorld } from "../support/channels.js";
import { loadFixture, receiptOf, Seat, step, termsFor, UNIT, type Terms } from "../support/index.js";

const STAKES = { stake1: 10n * UNIT, stake2: 5n * UNIT };
const PAID = (15n * UNIT * 8000n) / 10_000n;
const OFFERED = id("offered");
const ANSWER = concat([step(Seat.One), id("answered")]);
const WIN = step(Seat.None, Seat.One);
/** Bits 0 to 3 and 8 to 31 of `code`: seat One has won, and takes the pot. */
const wonByOne = (nonce: number) => 1n | (1n << 2n) | (BigInt(nonce) << 8n);

describe("Channels: events", () => {
  let w: ChannelWorld;
  let terms: Terms;
  beforeEach(async () => {
    w = await loadFixture(channelled);
    terms = await termsFor(w, { ...STAKES, rated: false });
  });

  const matchOf = (nonce: number, actions: readonly string[], swapped = false) =>
    w.pair.transcript(nonce, terms, { position: OFFERED, actions }, { seen: true, swapped });
  /** Returns the events of the channels and the arena, in their order. */
  const eventsOf = ({ logs }: ContractTransactionReceipt): unknown[][] =>
    logs.flatMap((log) => {
      const event = w.channels.interface.parseLog(log) ?? w.arena.interface.parseLog(log);
      return event ? [[event.name, ...event.args.toArray()]] : [];
    });
  const termsLogged = () => [
    "PlayedUnder",
    w.pair.id,
    terms.game,
    terms.mode,
    terms.stake1,
    terms.stake2,
    terms.clock,
    false,
  ];

  it("name the terms once, then each match that is settled, with its number and its seats", async () => {
    const transcripts = [await matchOf(FIRST, [ANSWER, WIN]), await matchOf(FIRST + 1, [ANSWER, WIN], true)];
    const sent = w.channels.connect(w.stranger).play(w.pair.channel, FIRST, terms, transcripts);
    const actions = transcripts.map((transcript) => transcript.actions);
    expect(eventsOf(await receiptOf(sent))).to.deep.equal([
      termsLogged(),
      ["Played", w.pair.id, w.pair.matchIdOf(FIRST), wonByOne(FIRST), OFFERED, actions[0]],
      ["Played", w.pair.id, w.pair.matchIdOf(FIRST + 1), wonByOne(FIRST + 1) | (1n << 5n), OFFERED, actions[1]],
    ]);
    const { amount1, amount2 } = await w.pair.state();
    const gains = [amount1 - 100n * UNIT, amount2 - 100n * UNIT];
    // Seat One is player 1 in the first match, player 2 in the second; each time it stakes 10 and takes the prize.
    expect(gains).to.deep.equal([PAID - 10n * UNIT - 5n * UNIT, PAID - 5n * UNIT - 10n * UNIT]);
  });

  it("name the new ratings of a rated match, by seats", async () => {
    terms = await termsFor(w, { ...STAKES, rated: true });
    const transcript = await matchOf(FIRST, [ANSWER, WIN], true);
    const sent = w.channels.connect(w.stranger).play(w.pair.channel, FIRST, terms, [transcript]);
    const [, [name, , , code]] = eventsOf(await receiptOf(sent));
    expect(name).to.equal("Played");
    const ratings = await Promise.all(
      [w.bob, w.alice].map(async (player) => (await w.arena.recordOf(terms.game, player)).rating),
    );
    expect(ratings[0] > ratings[1]).to.equal(true);
    expect([32n, 64n].map((at) => BigInt.asUintN(32, (code as bigint) >> at))).to.deep.equal(ratings);
  });

  it("show a rated match, whose stakes and payments the ladder adds for both seats", async () => {
    terms = await termsFor(w, { ...STAKES, rated: true });
    const transcript = await matchOf(FIRST, [ANSWER, WIN], true);
    await w.channels.connect(w.stranger).play(w.pair.channel, FIRST, terms, [transcript]);
    const stakes = await Promise.all([w.bob, w.alice].map((player) => w.arena.stakesOf(player, terms.token)));
    expect(stakes.map(({ staked, won }) => [staked, won])).to.deep.equal([
      [10n * UNIT, PAID],
      [5n * UNIT, 0n],
    ]);
  });

  it("show a match whose house share is 1, which the channels keep", async () => {
    terms = await termsFor(w, { stake1: 3n, stake2: 2n, rated: false });
    await w.channels.connect(w.stranger).play(w.pair.channel, FIRST, terms, [await matchOf(FIRST, [ANSWER, WIN])]);
    expect(await w.channels.sharesOf(terms.token)).to.equal(1n);
    const { amount1, amount2 } = await w.pair.state();
    expect([amount1, amount2]).to.deep.equal([100n * UNIT + 1n, 100n * UNIT - 2n]);
  });

  it("name the turn from which a transcript starts", async () => {
    const base = { count: 1, turn: Seat.One, position: id("answered") };
    const places = [placeOf(base.turn, base.position), NO_PLACE];
    const moves = { position: OFFERED, actions: [ANSWER, WIN] };
    const transcript = await w.pair.transcript(FIRST, terms, moves, { seen: true, base, places });
    const sent = w.channels.connect(w.stranger).play(w.pair.channel, FIRST, terms, [transcript]);
    expect(eventsOf(await receiptOf(sent))).to.deep.equal([
      termsLogged(),
      [
        "Played",
        w.pair.id,
        w.pair.matchIdOf(FIRST),
        wonByOne(FIRST) | (Seat.One << 6n),
        base.position,
        transcript.actions,
      ],
    ]);
  });

  it("show a match that goes to the arena, and that it is taken back", async () => {
    const transcript = await w.pair.transcript(FIRST, terms, { position: OFFERED, actions: [ANSWER] });
    const challenged = await receiptOf(w.channels.connect(w.bob).challenge(w.pair.channel, FIRST, terms, transcript));
    const matchId = w.pair.matchIdOf(FIRST);
    const [shown, added, started] = eventsOf(challenged);
    expect(shown).to.deep.equal(["Challenged", w.pair.id, matchId, BigInt(FIRST) << 8n, OFFERED, transcript.actions]);
    expect(added[0]).to.equal("TermsAdded");
    const seats = [w.alice.address, w.bob.address];
    expect(started).to.deep.equal(["Started", matchId, ...seats, added[1], Seat.One, id("answered")]);
    const sent = w.channels
      .connect(w.stranger)
      .play(w.pair.channel, FIRST, terms, [await matchOf(FIRST, [ANSWER, WIN])]);
    expect(eventsOf(await receiptOf(sent)).map(([name]) => name)).to.deep.equal(["PlayedUnder", "Voided", "Played"]);
  });

  it("name the amounts and the house's share of a balance that is set, and of one that closes the channel", async () => {
    const setting = w.channels.checkpoint(...(await w.pair.balance(FIRST + 1, 90n * UNIT, 100n * UNIT)));
    expect(eventsOf(await receiptOf(setting))).to.deep.equal([
      ["Balanced", w.pair.id, BigInt(FIRST + 1), 90n * UNIT, 100n * UNIT, 10n * UNIT, false],
    ]);
    const closing = w.channels.checkpoint(
      ...(await w.pair.balance(FIRST + 2, 90n * UNIT, 95n * UNIT, { close: true })),
    );
    expect(eventsOf(await receiptOf(closing))).to.deep.equal([
      ["Balanced", w.pair.id, BigInt(FIRST + 2), 90n * UNIT, 95n * UNIT, 5n * UNIT, true],
    ]);
    const collected = await receiptOf(w.channels.collect(terms.token));
    expect(eventsOf(collected)).to.deep.equal([["Collected", terms.token, 10n * UNIT]]);
  });
});
