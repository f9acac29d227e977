import { SigningKey, ZeroHash } from "ethers";
import { expect } from "chai";
import { games } from "../../../sdk/games/index.js";
import { CLOSE_SECONDS, type ChannelPorts } from "../../../sdk/player/channels/player.js";
import { MemoryChannelTransport, type ChannelTransport } from "../../../sdk/player/channels/transport.js";
import { NO_END, NO_PLACE, offerHashOf, placeOf, type ChannelsAt } from "../../../sdk/protocol/channels/messages.js";
import {
  channelMessageText,
  offerIn,
  parseChannelMessage,
  signedWith,
  type ChannelMessage,
  type MoveMessage,
  type OfferMessage,
  type Unsigned,
} from "../../../sdk/protocol/channels/wire.js";
import type { Terms } from "../../../sdk/protocol/terms.js";
import { Fighters__factory } from "../../../typechain-types/index.js";
import { channelTerms, channelWorld, REFUSED_MODES, type ChannelWorld } from "../../support/channel-games.js";
import { keyOf } from "../../support/channels.js";
import { openedBy, peopleAt, transportWith, until, type Person } from "../../support/channel-seats.js";
import { DAY, HOUR, loadFixture, now, time, UNIT } from "../../support/index.js";

const FIRST = 2 ** 14;
const AMOUNT = 500n * UNIT;

describe("Channels: a player against a hostile opponent", () => {
  it("rejects dishonest messages with a reason, and plays on", async () => {
    const { rogue, alice, bob, terms, id } = await scene();
    const head = { channel: id, nonce: FIRST };
    const balance = { ...head, type: "balance", close: false, until: NO_END, player: 2 } as const;
    const offer = {
      ...head,
      type: "offer",
      terms,
      swapped: true,
      position: ZeroHash,
      until: 2e9,
      data: "0x01",
    } as const;
    for (const [line, reason] of [
      ["{", /^message: not JSON$/],
      [rogue.line({ ...balance, channel: ZeroHash, amount1: 0n, amount2: 0n }), /^channel: 0x0{64} is not /],
      [
        channelMessageText({ ...balance, amount1: 0n, amount2: 0n, signature: `0x${"11".repeat(65)}` }),
        /^signature: none/,
      ],
      [rogue.line({ ...balance, amount1: 1n, amount2: AMOUNT }), new RegExp(`^amount1: 1 instead of ${AMOUNT}$`)],
      [
        rogue.line({ ...balance, amount1: AMOUNT, amount2: AMOUNT, until: 7e8 * 3 }),
        /^until: 2100000000 is not 4294967295$/,
      ],
      [rogue.line(offer), /^nonce: player 1 offers match 16384, not player 2$/],
      [rogue.line({ ...offer, swapped: false }), /^swapped: false, but player 2 has seat One$/],
      [rogue.line({ ...offer, terms: { ...terms, game: id.slice(0, 42) } }), /is not known$/],
    ] as const) {
      await alice.transport.put(line);
      const { troubles } = await alice.step();
      expect(troubles.map(({ message }) => message)).to.have.length(1);
      expect(troubles[0].message).to.match(reason);
    }
    await alice.player.offer(terms);
    // Bob reads the same messages.
    await bob.step();
    await until([bob, alice], ({ held }) => held!.nonce > FIRST);
  });

  it("keeps the first of two conflicting moves, and the first of two valid offers", async () => {
    const { rogue, alice, bob, terms, id } = await scene();
    await alice.player.offer(terms);
    await bob.step();
    const { offer, move } = rogue.newest();
    await alice.transport.put(rogue.line({ ...move, action: "0x1234" }));
    const status = await alice.step();
    expect(status.troubles.map(({ message }) => message)).to.deep.equal([
      `count: player 2 has signed another move 1 of match ${FIRST}`,
    ]);
    expect(status.held!.nonce).to.equal(FIRST + 1);
    const swapped = { ...offer, nonce: FIRST + 1, swapped: true, channel: id };
    await alice.transport.put(rogue.line(swapped));
    await alice.transport.put(rogue.line({ ...swapped, until: offer.until - 1 }));
    expect((await alice.step()).troubles.map(({ message }) => message).at(-1)).to.equal(
      `nonce: another offer of match ${FIRST + 1} counts until ${offer.until}`,
    );
  });

  it("rejects a move whose `place` is not the hash of the resulting state", async () => {
    const { rogue, alice, bob, terms, id } = await scene();
    const { transport } = bob;
    await alice.player.offer(terms);
    const lost: string[] = [];
    await bob.start({
      transport: transportWith(transport, { put: async (line) => void lost.push(line) }),
    });
    await bob.step();
    const move = parseChannelMessage(lost.at(-1)!, "line") as MoveMessage;
    await transport.put(rogue.line({ ...move, channel: id, place: ZeroHash.replace("00", "01") }));
    const { troubles } = await alice.step();
    expect(troubles.map(({ message }) => message).at(-1)).to.match(/^place: 0x01(00){31} instead of 0x[0-9a-f]{64}$/);
  });

  it("ends a match of one round and sends it to the chain, even if the opponent's answer carried a `place`", async () => {
    const { rogue, world, alice, bob, terms, id } = await scene();
    const { transport } = bob;
    await alice.player.offer(terms);
    const lost: string[] = [];
    await bob.start({ transport: transportWith(transport, { put: async (line) => void lost.push(line) }) });
    await bob.step();
    const move = parseChannelMessage(lost.at(-1)!, "line") as MoveMessage;
    const { state } = (await bob.step()).current!;
    await transport.put(rogue.line({ ...move, channel: id, place: placeOf(state.turn, state.position) }));
    await alice.step();
    await time.increase(HOUR);
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    expect(await world.channels.queryFilter(world.channels.filters.Played())).to.have.length(1);
  });

  it("signs no closing balance while a rated match is not on chain, because that match would never be rated", async () => {
    const { rogue, alice, bob, terms, id } = await scene();
    await alice.player.offer({ ...terms, rated: true });
    await until([bob, alice], ({ held }) => held!.nonce > FIRST);
    const { amount1, amount2, nonce } = (await alice.step()).held!;
    const close = { type: "balance", channel: id, nonce, amount1, amount2, close: true, player: 2 } as const;
    await alice.transport.put(rogue.line({ ...close, until: Number(await now()) + CLOSE_SECONDS }));
    const count = rogue.count();
    await alice.step();
    expect(rogue.count()).to.equal(count);
    alice.player.getUp();
    await alice.step();
    expect(rogue.count()).to.equal(count);
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    await alice.step();
    expect(rogue.count()).to.equal(count + 1);
  });

  it("accepts messages in any order, repeated messages, and messages after a failure of the transport", async () => {
    const world = await loadFixture(channelWorld);
    const lines: string[] = [];
    let puts = 0;
    const transport = transportWith(new MemoryChannelTransport(), {
      async put(line) {
        if (puts++ % 3 === 0) throw new Error("The transport is down.");
        lines.unshift(line, line);
      },
      // Returns all messages again, newest first.
      after: async (seen) => ({ lines: seen === lines.length ? [] : [...lines], seen: lines.length, isMore: false }),
    });
    const people = await peopleAt(world, {}, transport);
    await people[0].player.propose(AMOUNT, AMOUNT, Number((await now()) + 30n * DAY)).catch(() => undefined);
    const terms = channelTerms(world, games[4], "0x");
    let isOffered = false;
    for (let round = 0; round < 40; round++) {
      for (const person of people) {
        const { held } = await person.step();
        if (!held || isOffered || person.number === 2) continue;
        isOffered = true;
        await person.player.offer(terms).catch(() => undefined);
      }
    }
    expect((await people[0].step()).held!.nonce).to.equal(FIRST + 1);
  });

  it("does not answer an offer that it could not enforce on chain, or whose data leads to another position than the offer says", async () => {
    const { rogue, world, alice, bob, id, terms } = await scene();
    await alice.player.offer(terms);
    await until([bob, alice], ({ held }) => held!.nonce > FIRST);
    await alice.step();
    const mode = REFUSED_MODES["casual and sequential"];
    const { offer } = rogue.newest();
    const good = { ...offer, channel: id, nonce: FIRST + 1, swapped: true };
    const end = (await alice.step()).chain.time;
    for (const [changes, reason] of [
      [{ position: ZeroHash }, /^the data makes the position 0x[0-9a-f]{64}, not the one offered, 0x0{64}$/],
      [
        { terms: channelTerms(world, games[5], mode) },
        /player 1 may win with its first move, or end the match otherwise/,
      ],
      [
        { terms: channelTerms(world, games[5], world.modes.warmancer[1], { rated: true }) },
        /casual matches are not rated/,
      ],
      [{ until: NO_END }, /the match ends at 4294967295, which is not between/],
      [{ until: end }, /the match ends at \d+, which is not between/],
    ] as const) {
      const [own] = await peopleAt(world, {}, alice.transport);
      const before = rogue.count();
      const heard = transportWith(own.transport, {
        after: onceMore(alice.transport, rogue.line({ ...good, ...changes })),
      });
      await own.start({ transport: heard });
      const { troubles } = await own.step();
      expect(troubles.map(({ message }) => message).at(-1)).to.match(reason);
      expect(rogue.count()).to.equal(before);
    }
  });

  it("when the game refuses the opponent's action, submits that action immediately and wins the pot without a fee", async () => {
    const { rogue, world, alice, terms, id } = await scene();
    await alice.player.offer(terms);
    const { offer } = rogue.newest();
    const hash = offerHashOf(offerIn(offer));
    await alice.transport.put(rogue.line(rogue.move(id, hash, 1, hash, "0x1234")));
    await alice.step();
    await alice.step();
    expect(await amountsOf(world, id)).to.deep.equal([AMOUNT + 10n * UNIT, AMOUNT - 10n * UNIT]);
  });

  it("submits an action immediately if only the chain refuses it, because the opponent has sold a fighter", async () => {
    const { world, alice, bob, id } = await scene();
    const terms = channelTerms(world, games[0], "0x");
    await alice.player.offer(terms);
    await bob.step();
    const fighters = Fighters__factory.connect(world.history.addresses.Fighters, world.bob);
    for (let fighter = 6n; fighter <= 10n; fighter++) await fighters.transferFrom(world.bob, world.carol, fighter);
    const refusal = { send: async () => Promise.reject(new Error("The node is down.")) };
    await alice.start(refusal);
    await alice.step();
    await alice.start();
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    expect(await amountsOf(world, id)).to.deep.equal([AMOUNT + 10n * UNIT, AMOUNT - 10n * UNIT]);
  });

  it("answers no offer while a closing balance is valid", async () => {
    const { alice, bob, terms, rogue } = await scene();
    await alice.player.offer(terms);
    await until([bob, alice], ({ chain, held }) => held!.nonce > FIRST && chain.open !== undefined);
    for (const person of [alice, bob, alice]) await person.step();
    alice.player.getUp();
    await alice.step();
    await bob.start({ ask: async () => false });
    await bob.player.offer(terms);
    const count = rogue.count();
    await alice.step();
    expect(rogue.count()).to.equal(count);
  });

  it("signs nothing else while a closing balance is valid, and continues afterwards", async () => {
    const { alice, bob, terms, rogue } = await scene();
    alice.player.getUp();
    await alice.step();
    const count = rogue.count();
    const refusal = await alice.player.offer(terms).catch((error: unknown) => (error as Error).message);
    expect(refusal).to.equal("A balance that closes the channel is signed.");
    expect(rogue.count()).to.equal(count);
    await alice.start();
    await time.increase(CLOSE_SECONDS + 60);
    await alice.player.offer(terms);
    await until([bob, alice], ({ held }) => held!.nonce > FIRST);
  });

  it("answers a move that the opponent submitted only on chain", async () => {
    const { alice, bob, world } = await scene();
    await alice.player.offer(channelTerms(world, games[4], "0x"));
    const lost: string[] = [];
    const { transport } = bob;
    await bob.start({
      transport: transportWith(transport, { put: async (line) => void lost.push(line) }),
    });
    await bob.step();
    expect(lost).to.have.length(2);
    await time.increase(HOUR);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring"]);
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "acts"]);
    await until([alice, bob], ({ chain }) => chain.matches.length === 0);
  });

  it("signs nothing more in a match that it could no longer enforce on chain", async () => {
    const { alice, bob, terms, rogue } = await scene();
    const end = Number(await now()) + 3 * Number(HOUR);
    await alice.player.offer(terms, end);
    const held: string[] = [];
    const { transport } = bob;
    await bob.start({ transport: transportWith(transport, { put: async (line) => void held.push(line) }) });
    await bob.step();
    await time.increase(3n * HOUR - HOUR / 4n);
    for (const line of held) await transport.put(line);
    const count = rogue.count();
    await alice.step();
    expect(rogue.count()).to.equal(count);
  });

  it("rejects a message of a match whose offer has expired, and signs nothing", async () => {
    const { alice, bob, world, rogue } = await scene();
    const end = Number(await now()) + 3 * Number(HOUR);
    await alice.player.offer(channelTerms(world, games[2], world.modes["mini-games"][0]), end);
    await bob.step();
    const held: string[] = [];
    const { transport } = alice;
    await alice.start({ transport: transportWith(transport, { put: async (line) => void held.push(line) }) });
    await alice.step();
    await time.increase(4n * HOUR);
    // After her restart, alice sends all of her messages again: the third one reveals.
    await transport.put(held[2]);
    const count = rogue.count();
    const { troubles, held: amounts } = await bob.step();
    expect(troubles.map(({ message }) => message)).to.deep.equal([`nonce: match ${FIRST} has ended at ${end}`]);
    expect([rogue.count(), amounts!.nonce]).to.deep.equal([count, FIRST]);
  });

  it("signs nothing in a match in which it has challenged, while it is the opponent's turn on chain", async () => {
    const { alice, bob, world, rogue } = await scene();
    await alice.player.offer(channelTerms(world, games[3], "0x"));
    await bob.step();
    await alice.step();
    const held: string[] = [];
    const { transport } = bob;
    await bob.start({ transport: transportWith(transport, { put: async (line) => void held.push(line) }) });
    await bob.step();
    await time.increase(HOUR / 4n);
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    for (const line of held) await transport.put(line);
    const count = rogue.count();
    await alice.step();
    expect(rogue.count()).to.equal(count);
    await alice.start();
    await alice.step();
    expect(rogue.count()).to.equal(count);
  });

  it("consents to an end that the opponent submitted only on chain", async () => {
    const { alice, bob, world } = await scene();
    // A draw in which alice makes the last mark.
    const cells = [0, 1, 2, 4, 3, 5, 7, 6, 8];
    const choose: ChannelPorts["choose"] = async ({ record }) => ({
      move: cells[record?.joinData === undefined ? (record === undefined ? 0 : 1) : 2 + record.actions.length],
    });
    await alice.start({ choose });
    await bob.start({ choose });
    await alice.player.offer(channelTerms(world, games[4], "0x"));
    await until([bob, alice], ({ current }) => current?.moves.length === 7);
    const { transport } = alice;
    await alice.start({ choose, transport: transportWith(transport, { put: async () => undefined }) });
    await alice.step();
    await time.increase(HOUR / 4n);
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring"]);
    const { chain, held } = await bob.step();
    expect([chain.matches, held!.nonce]).to.deep.equal([[], FIRST + 1]);
    expect([held!.amount1, held!.amount2]).to.deep.equal([AMOUNT, AMOUNT]);
  });
});

async function scene() {
  const world = await loadFixture(channelWorld);
  const [alice, bob] = await openedBy(world, AMOUNT);
  const { chainId, channels } = world;
  const at = { chainId, channels: channels.target as string };
  const { chain } = alice.options();
  const { nonce } = (await chain.read()).open!;
  expect(nonce).to.equal(FIRST);
  const rogue = new Rogue(at, alice);
  const { channel: id } = rogue.messages().at(0)!;
  const terms: Terms = channelTerms(world, games[2], world.modes["mini-games"][0]);
  return { world, alice, bob, rogue, id, terms };
}

/** Signs anything with bob's session key, and reads all messages. */
class Rogue {
  private readonly key = new SigningKey(keyOf("key 2").privateKey);

  constructor(
    private readonly at: ChannelsAt,
    private readonly person: Person,
  ) {}

  line<M extends ChannelMessage>(message: Unsigned<M>): string {
    return channelMessageText(signedWith<M>(this.key, this.at, message));
  }

  move(channel: string, offer: string, count: number, prev: string, action: string): Unsigned<MoveMessage> {
    return { type: "move", channel, nonce: FIRST, offer, count, prev, action, place: NO_PLACE };
  }

  messages(): ChannelMessage[] {
    const { lines } = this.person.transport as unknown as { lines: string[] };
    return lines.flatMap((line) => (line.startsWith("{") && line.length > 1 ? parseChannelMessage(line, "line") : []));
  }

  count(): number {
    return this.messages().length;
  }

  /** Returns the newest offer, and the newest move. */
  newest(): { offer: OfferMessage; move: MoveMessage } {
    const offer = this.messages().findLast((message) => message.type === "offer")!;
    const move = this.messages().findLast((message) => message.type === "move")!;
    return { offer, move };
  }
}

/** Reads from a transport, and adds a line at the end. */
function onceMore(transport: ChannelTransport, line: string): ChannelTransport["after"] {
  return async (seen) => {
    if (seen > 0) return { lines: [], seen, isMore: false };
    const { lines } = await transport.after(0);
    return { lines: [...lines, line], seen: 1, isMore: true };
  };
}

async function amountsOf({ channels }: ChannelWorld, id: string): Promise<bigint[]> {
  const { amount1, amount2 } = await channels.stateOf(id);
  return [amount1, amount2];
}
