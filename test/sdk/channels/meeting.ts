import { expect } from "chai";
import { SigningKey, ZeroAddress, ZeroHash } from "ethers";
import type { Clock } from "../../../sdk/chain/waiting.js";
import { consentIn } from "../../../sdk/player/channels/consent.js";
import { RenewedSearch, type Seeker } from "../../../sdk/player/channels/lobby.js";
import { Meeting, type Found, type Proposed } from "../../../sdk/player/channels/meeting.js";
import { channelIdOf, openRequest, type Channel, type ChannelsAt } from "../../../sdk/protocol/channels/messages.js";
import { channelOf, signedSeek, type Search, type Seek } from "../../../sdk/protocol/channels/seek.js";
import { channelMessageText, type OpenMessage } from "../../../sdk/protocol/channels/wire.js";
import { COIN, type Terms } from "../../../sdk/protocol/terms.js";
import { FIRST, keyOf } from "../../support/channels.js";
import { deployed, ethers, loadFixture, type Player } from "../../support/index.js";
import { MemoryPlace } from "../../support/memory-place.js";

const UNTIL = 2e9;
const MINUTE = 60_000;

/** Player in a lobby, with its own clock. */
class Searcher {
  readonly clock: Clock & { time: number };
  readonly seeker: Seeker;

  constructor(
    private readonly place: MemoryPlace,
    at: ChannelsAt,
    readonly wallet: Player,
    name: string,
  ) {
    this.seeker = { at, player: wallet.address, key: new SigningKey(keyOf(name).privateKey) };
    this.clock = { time: 1.8e12, now: () => this.clock.time, pause: async () => undefined, random: () => 0 };
  }

  get key(): string {
    return ethers.computeAddress(this.seeker.key);
  }

  /** Creates a search for a channel with an amount of 5 against 7. */
  search(opponent: string, changes: Partial<Search> = {}): Search {
    return { opponent, token: COIN, feeBps: 2000n, amount: 5n, otherAmount: 7n, until: UNTIL, ...changes };
  }

  /** Starts a meeting with a search. */
  meeting(search: Search): Meeting {
    return new Meeting(this.place, this.seeker, ethers.provider, search, this.clock);
  }

  /** Puts a search in another player's name, signed by this player's key. */
  async pose(player: string, search: Search): Promise<Seek> {
    const expires = this.clock.time / 1000 + 100;
    const seek = signedSeek(this.seeker.key, this.seeker.at, { ...search, player, key: this.key, expires });
    await this.place.lobby.put(seek);
    return seek;
  }

  /** Proposes the channel of a search. */
  async answer(seek: Seek, changes: Partial<OpenMessage> = {}): Promise<Channel> {
    const channel = channelOf(seek, this.wallet.address, this.key);
    const { amount: amount1, otherAmount: amount2, until } = seek;
    const opening = { channel: channelIdOf(channel), nonce: FIRST, amount1, amount2, until, ...changes };
    const { domain, types, value } = openRequest(this.seeker.at, opening);
    const signature = await this.wallet.signTypedData(domain, types, value);
    const text = channelMessageText({ type: "open", player: 2, signature, ...opening, ...changes });
    await this.place.transportOf(channel).put(text);
    return channel;
  }
}

describe("Channels: players who meet in a lobby", () => {
  const reversed = { amount: 7n, otherAmount: 5n };
  let place: MemoryPlace;
  let at: ChannelsAt;
  let low: Searcher;
  let high: Searcher;

  beforeEach(async () => {
    const { arena, alice, bob } = await loadFixture(deployed);
    at = { chainId: 31_337n, channels: await arena.channels() };
    place = new MemoryPlace();
    const [one, two] = [alice, bob].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1));
    [low, high] = [new Searcher(place, at, one, "low"), new Searcher(place, at, two, "high")];
  });

  /** Starts a search of each player for the other. */
  const both = (changes: Partial<Search> = {}) => [
    low.meeting(low.search(high.wallet.address)),
    high.meeting(high.search(low.wallet.address, { ...reversed, ...changes })),
  ];
  const ofSought = (found?: Found) => (found && "sought" in found ? found.sought : undefined);
  const ofProposed = (found?: Found): Proposed | undefined =>
    found && "proposed" in found ? found.proposed : undefined;

  it("given two players who search for each other, the player with the lower address answers", async () => {
    const [hers, his] = both();
    expect(await hers.look()).to.equal(undefined);
    // The player who looks second finds the first player immediately, whoever looks first.
    const first = ofSought(await his.look())!;
    expect(first.player).to.equal(low.wallet.address);
    place.seeks.clear();
    const [, again] = both();
    expect(await again.look()).to.equal(undefined);
    await low.pose(low.wallet.address, low.search(high.wallet.address));
    expect(await again.look()).to.equal(undefined);
    expect(ofSought(await hers.look())!.player).to.equal(high.wallet.address);
  });

  it("pairs two players who search for anybody, with the same amounts and for the same match", async () => {
    const [free, mode] = [{ stake1: 0n, stake2: 0n, token: COIN, rated: false }, ZeroHash];
    const terms = (clock: bigint): Terms => ({ ...free, game: low.key, mode, clock, feeBps: 2000n });
    const open = (who: Searcher, changes: Partial<Search> = {}) => who.meeting(who.search(ZeroAddress, changes));
    const hers = open(low);
    expect(await hers.look()).to.equal(undefined);
    for (const changes of [{}, { ...reversed, feeBps: 1n }, { ...reversed, token: low.key }]) {
      expect(await open(high, changes).look(), JSON.stringify(Object.keys(changes))).to.equal(undefined);
    }
    const first = ofSought(await open(high, { ...reversed, terms: terms(60n) }).look())!;
    expect(first.player).to.equal(low.wallet.address);
    // If both players search before they see each other, only the player with the lower address answers.
    await high.pose(high.wallet.address, high.search(ZeroAddress, { ...reversed, terms: terms(60n) }));
    expect(ofSought(await hers.look())!.player).to.equal(high.wallet.address);
    expect(await open(low, { terms: terms(61n) }).look()).to.equal(undefined);
    place.seeks.clear();
    const his = open(high, reversed);
    expect(await his.look()).to.equal(undefined);
    await low.pose(low.wallet.address, low.search(ZeroAddress));
    expect(await his.look()).to.equal(undefined);
  });

  it("given an answer from each player, both use the channel that the player with the lower address proposes", async () => {
    const [hers, his] = both();
    const [her, him] = [
      await low.pose(low.wallet.address, low.search(high.wallet.address)),
      await high.pose(high.wallet.address, high.search(low.wallet.address, reversed)),
    ];
    const [byLow, byHigh] = [await low.answer(him), await high.answer(her)];
    expect(await hers.look([byLow])).to.equal(undefined);
    expect(ofProposed(await his.look([byHigh]))!.channel).to.deep.equal(byLow);
    expect(await his.look([byHigh, byLow])).to.equal(undefined);
  });

  it("accepts only an answer with the requested amounts and number, for a channel that ends at most an hour later", async () => {
    const [hers] = both();
    await hers.look();
    const [seek] = await place.lobby.seeks(high.wallet.address);
    const wrong = [{ amount1: 6n }, { amount2: 6n }, { until: UNTIL + 3601 }, { nonce: FIRST + 1 }];
    for (const changes of wrong) await high.answer(seek, changes);
    expect(await hers.look()).to.equal(undefined);
    const channel = await high.answer(seek, { until: UNTIL - 1 });
    const { opening, ...found } = ofProposed(await hers.look())!;
    expect(found).to.deep.equal({ channel });
    expect([opening.amount1, opening.amount2, opening.until]).to.deep.equal([5n, 7n, UNTIL - 1]);
    expect(await hers.look([channel])).to.equal(undefined);
  });

  it("ignores an answer that the opponent's wallet has not signed, and finds a valid answer after junk from a relay", async () => {
    const [hers] = both();
    await hers.look();
    const [seek] = await place.lobby.seeks(high.wallet.address);
    const channel = await high.answer(seek, { signature: `0x${"01".repeat(66)}` });
    expect(await hers.look()).to.equal(undefined);
    await high.answer(seek);
    const { opening } = ofProposed(await hers.look())!;
    const { lines } = await place.transportOf(channel).after(0);
    const behind = {
      after: async (seen: number) => ({ lines: seen === 0 ? ["none"] : lines, seen: seen + 1, isMore: seen === 0 }),
    };
    expect(await consentIn(ethers.provider, at, channel, behind, () => true)).to.deep.equal(opening);
  });

  it("accepts an answer only from a player that it searches for, in the same token and for the same fee", async () => {
    const meetings: [Partial<Search>, boolean][] = [
      [{}, true],
      [{ opponent: high.wallet.address }, true],
      [{ opponent: low.key }, false],
      [{ token: low.key }, false],
      [{ feeBps: 1n }, false],
    ];
    await high.answer(await low.pose(low.wallet.address, low.search(ZeroAddress)));
    for (const [changes, isTaken] of meetings) {
      const found = await low.meeting(low.search(ZeroAddress, changes)).look();
      expect(found !== undefined, JSON.stringify(Object.keys(changes))).to.equal(isTaken);
    }
  });

  it("does not answer a request for a match, and does not answer but reports a search with other amounts or a later end", async () => {
    await high.pose(high.wallet.address, high.search(low.wallet.address, { ...reversed, match: FIRST }));
    expect(await both()[0].look()).to.equal(undefined);
    for (const changes of [{ amount: 8n }, { otherAmount: 4n }, { until: UNTIL + 3601 }]) {
      const seek = await high.pose(high.wallet.address, high.search(low.wallet.address, { ...reversed, ...changes }));
      const [hers] = both();
      expect(await hers.look()).to.equal(undefined);
      expect(hers.unfit).to.deep.equal(seek);
    }
  });

  it("answers at most three searches in the opponent's name, each with another key, and continues its own search", async () => {
    const [hers] = both();
    await hers.look();
    // Channels in another token or with other players do not count.
    const other = { player1: low.wallet.address, key1: low.key, player2: high.wallet.address, key2: high.key };
    const agreed: Channel[] = [
      { ...other, token: low.key, feeBps: 1n },
      { ...other, token: low.key, feeBps: 2n },
      { ...other, player2: high.key, token: COIN, feeBps: 3n },
    ];
    for (const name of ["one", "two", "three", "four"]) {
      const stranger = new Searcher(place, at, high.wallet, name);
      await stranger.pose(high.wallet.address, high.search(low.wallet.address, reversed));
      const sought = ofSought(await hers.look(agreed));
      expect(sought?.key, name).to.equal(name === "four" ? undefined : stranger.key);
      if (sought) agreed.push(channelOf(sought, low.wallet.address, low.key));
    }
    const [seek] = await place.lobby.seeks(high.wallet.address);
    const channel = await high.answer(seek);
    expect(ofProposed(await hers.look(agreed))!.channel).to.deep.equal(channel);
  });

  it("posts no search of its own if it could immediately answer the opponent's", async () => {
    const his = await high.pose(high.wallet.address, high.search(low.wallet.address, reversed));
    const [hers] = both();
    const channel = channelOf(ofSought(await hers.look())!, low.wallet.address, low.key);
    await hers.look([channel]);
    expect([...place.seeks.values()]).to.deep.equal([his]);
    // A channel that was agreed earlier is not an answer to this search.
    await low.meeting(low.search(ZeroAddress)).look([channel]);
    expect(place.seeks).to.have.length(2);
  });

  it("renews a search halfway through its lifetime, and posts a changed search immediately", async () => {
    const { clock, seeker } = low;
    const search = low.search(ZeroAddress);
    const renewed = new RenewedSearch(place.lobby, seeker, clock);
    expect([renewed.wasPut, renewed.isDue]).to.deep.equal([false, true]);
    const ends: number[] = [];
    for (const [time, changes] of [
      [0, {}],
      [MINUTE, {}],
      [MINUTE + 1000, {}],
      [MINUTE + 2000, { amount: 6n }],
    ] as const) {
      clock.time = 1.8e12 + time;
      await renewed.put({ ...search, ...changes });
      const [{ expires }] = await place.lobby.seeks(high.wallet.address);
      ends.push(expires - 1.8e9);
    }
    expect(ends).to.deep.equal([120, 120, 181, 182]);
    expect([renewed.wasPut, renewed.isDue]).to.deep.equal([true, false]);
    expect((await place.lobby.seeks(high.wallet.address))[0].amount).to.equal(6n);
  });
});
