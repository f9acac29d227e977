import { dataLength, randomBytes, SigningKey } from "ethers";
import { expect } from "chai";
import { Random } from "../../../scripts/soak/random.js";
import { games } from "../../../sdk/games/index.js";
import { ChannelPlayer, offererOf, type ChannelLimits } from "../../../sdk/player/channels/player.js";
import { isConsentSigned } from "../../../sdk/player/channels/consent.js";
import type { Held } from "../../../sdk/player/channels/chain.js";
import { MemoryChannelLog } from "../../../sdk/player/channels/log.js";
import { MemoryChannelTransport } from "../../../sdk/player/channels/transport.js";
import {
  channelIdOf,
  channelMatchIdOf,
  moveHashOf,
  NO_PLACE,
  offerHashOf,
  openRequest,
} from "../../../sdk/protocol/channels/messages.js";
import { transcriptOf } from "../../../sdk/protocol/channels/transcript.js";
import {
  channelMessageText,
  offerIn,
  parseChannelMessage,
  senderOf,
  signedWith,
  type MoveMessage,
} from "../../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { COIN, type Terms } from "../../../sdk/protocol/terms.js";
import { channelTerms, channelWorld, LONG_MODE, type ChannelWorld } from "../../support/channel-games.js";
import { Fighters__factory } from "../../../typechain-types/index.js";
import { keyOf } from "../../support/channels.js";
import { openedBy, peopleAt, transportWith, until, type Person } from "../../support/channel-seats.js";
import { DAY, ethers, HOUR, loadFixture, networkHelpers, now, time, UNIT } from "../../support/index.js";

const AMOUNT = 500n * UNIT;

type People = readonly [Person, Person];

describe("Channels: the player", () => {
  beforeEach(() => {
    const random = new Random("players of channels");
    randomBytes.register((length) => random.bytes(length));
  });
  afterEach(() => randomBytes.register(randomBytes._));

  it("plays ten matches of rock-paper-scissors, and closes the channel with one transaction", async () => {
    const { world, people, terms } = await opened();
    const purses = await pursesOf(world);
    for (let n = 0; n < 10; n++) await play(people, terms());
    const held = await gotUp(people);
    expect(sentBy(people)).to.deep.equal(["open", "bring"]);
    expect(held.amount1 + held.amount2).to.be.lessThan(2n * AMOUNT);
    expect(await pursesOf(world)).to.deep.equal([purses[0] + held.amount1, purses[1] + held.amount2]);
  });

  for (const module of games) {
    it(`plays ${module.title} in each of its modes, in both seats, by messages alone`, async () => {
      const { people, terms, world } = await opened();
      for (const mode of world.modes[module.name]) {
        for (let n = 0; n < 2; n++) await play(people, terms({}, module.name, mode));
      }
      await gotUp(people);
      expect(sentBy(people)).to.deep.equal(["open", "bring"]);
    });
  }

  it("submits rated matches in batches, which rate both players", async () => {
    const { world, people, terms } = await opened({ batch: 3 });
    for (let n = 0; n < 3; n++) await play(people, terms({ rated: true }));
    await until(people, ({ chain, held }) => chain.open!.nonce === held!.nonce);
    expect(sentBy(people)).to.deep.equal(["open", "bring"]);
    expect((await playedIn(world)).length).to.equal(3);
    await play(people, terms({ rated: true }));
    await play(people, terms());
    await gotUp(people);
    // Rated matches come before the closing balance, since either player could send that alone.
    expect(sentBy(people)).to.deep.equal(["open", "bring", "bring", "bring"]);
    expect((await playedIn(world)).length).to.equal(5);
  });

  it("waits an hour for the player who proposed the channel to send the batch, then sends it itself", async () => {
    const { people, terms } = await opened({ batch: 4 });
    const [, bob] = people;
    for (let n = 0; n < 4; n++) await play(people, terms({ rated: true }));
    const { held } = await bob.step();
    expect(bob.sent).to.deep.equal([]);
    await time.increase(HOUR);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring"]);
    expect((await bob.step()).chain.open).to.deep.include(held);
  });

  it("submits a match if the opponent signs no balance for it", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    await alice.player.offer(terms());
    await bob.step();
    await alice.step();
    expect(alice.sent).to.deep.equal(["open"]);
    await time.increase(HOUR);
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    expect((await playedIn(world)).length).to.equal(1);
  });

  it("closes the channel itself if the other player does not submit the closing balance that both have signed", async () => {
    const { people } = await opened();
    const [alice, bob] = people;
    alice.player.getUp();
    await alice.step();
    await bob.step();
    expect(bob.sent).to.deep.equal([]);
    await time.increase(HOUR / 2n);
    await bob.step();
    expect((await bob.step()).chain.open).to.equal(undefined);
  });

  it("plays without stakes before the channel is open, and submits the first rated match together with the opening", async () => {
    const world = await loadFixture(channelWorld);
    const people = await peopleAt(world, { batch: 2 });
    const [alice] = people;
    await alice.player.propose(0n, 0n, Number((await now()) + 30n * DAY));
    const free = { rated: true, stake1: 0n, stake2: 0n };
    const terms = channelTerms(world, games[2], world.modes["mini-games"][0], free);
    for (let n = 0; n < 2; n++) await play(people, { ...terms, rated: false });
    expect(sentBy(people)).to.deep.equal([]);
    await play(people, terms);
    await until(people, ({ chain }) => chain.open !== undefined);
    expect(sentBy(people)).to.deep.equal(["bring"]);
    expect((await playedIn(world)).length).to.equal(1);
  });

  it("challenges if the opponent is silent after the answer, and wins the pot when the opponent's clock runs out", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    await alice.player.offer(terms());
    await bob.step();
    const purse = await pursesOf(world);
    await time.increase(HOUR);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring"]);
    const waiting = await bob.step();
    expect(waiting.troubles).to.deep.equal([]);
    expect(waiting.chain.open).to.deep.include({ nonce: 2 ** 14, amount1: AMOUNT, amount2: AMOUNT });
    await time.increase(2n * HOUR);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring", "ends"]);
    expect((await pursesOf(world))[1] - purse[1]).to.equal(20n * UNIT);
    await bob.step();
    expect((await bob.step()).chain.open).to.include({ amount2: AMOUNT - 10n * UNIT });
  });

  it("answers a challenge on chain, and plays the match to its end there", async () => {
    const { people, terms } = await opened();
    const [alice, bob] = people;
    await alice.player.offer(terms({}, "tic-tac-toe", "0x"));
    await bob.step();
    await time.increase(HOUR);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring"]);
    await until(people, ({ chain }) => chain.matches.length === 0);
    expect(alice.sent.filter((what) => what === "acts").length).to.be.greaterThan(1);
    expect(bob.sent.filter((what) => what === "acts").length).to.be.greaterThan(1);
    await play(people, terms());
    await gotUp(people);
  });

  it("challenges with a long match from its own newest `place` if the opponent signs none, and plays on in the arena", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    await alice.player.offer(terms({}, "warmancer", LONG_MODE));
    const { current } = await until(people, (status) => (status.current?.moves.length ?? 0) > 24);
    const silent = current!.state.mover === current!.seatOf(1) ? bob : alice;
    const other = silent === bob ? alice : bob;
    const transport = new MemoryChannelTransport();
    for (const line of withoutPlaces(world, silent)) await transport.put(line);
    await other.start({ transport, log: new MemoryChannelLog() });
    await other.step();
    await time.increase(HOUR);
    await other.step();
    expect(other.sent.at(-1)).to.equal("bring");
    const [{ args }] = await world.channels.queryFilter(world.channels.filters.Challenged());
    expect(dataLength(args.actions)).to.be.lessThan(1000);
    await silent.step();
    expect(silent.sent.at(-1)).to.equal("acts");
    await other.start();
    await until(people, () => other.sent.filter((what) => what === "acts").length > 1);
  });

  it("returns its next transaction if it cannot send it, and continues by messages until the caller sends it", async () => {
    const { people, terms } = await opened();
    const [alice, bob] = people;
    await bob.start({ send: undefined });
    await alice.player.offer(terms({}, "tic-tac-toe", "0x"));
    await bob.step();
    await time.increase(HOUR);
    const { due, call } = await bob.step();
    expect(due).to.deep.equal({ type: "bring", challenge: 2 ** 14 });
    expect(call).to.include({ what: `bring channel ${channelIdOf(bob.channel)}` });
    await alice.step();
    expect((await bob.step()).current!.moves).to.have.length(3);
    await time.increase(HOUR);
    const later = await bob.step();
    expect(bob.sent).to.deep.equal([]);
    await bob.send(later.call!);
    expect((await bob.step()).chain.matches).to.have.length(1);
  });

  it("supersedes a challenge that omits the player's later move", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    const posted = await bobAnswered(people, terms({}, "tic-tac-toe", "0x"));
    await alice.step();
    await challengeBy(world, bob, posted);
    await alice.start({ send: undefined });
    const { call, chain } = await alice.step();
    expect(call!.answers).to.deep.equal({ rated: false, stake: terms().stake1, deadline: chain.matches[0].deadline });
    await alice.send(call!);
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    const [{ count, posted: isPosted, turn }] = (await alice.step()).chain.matches;
    expect({ count, isPosted, turn }).to.deep.equal({ count: 2, isPosted: true, turn: Seat.Two });
  });

  it("takes back a challenge with an old match by submitting the newest balance", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    const old = await bobAnswered(people, terms());
    await until(people, (status) => status.held!.nonce > old.nonce);
    await play(people, terms());
    const status = await alice.step();
    await challengeBy(world, bob, old);
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    const { chain } = await alice.step();
    expect(chain.matches).to.deep.equal([]);
    expect(chain.open).to.include(status.held);
  });

  it("takes back a challenge with an old rated match by submitting the end of that match", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    const old = await bobAnswered(people, terms({ rated: true }));
    await until(people, (status) => status.held!.nonce > old.nonce);
    await alice.step();
    await challengeBy(world, bob, old);
    await alice.step();
    expect((await playedIn(world)).length).to.equal(1);
    expect((await alice.step()).chain.matches).to.deep.equal([]);
  });

  it("offers no other match while its last offer has been answered only on chain", async () => {
    const { people, terms } = await opened();
    const [alice, bob] = people;
    await alice.player.offer(terms({}, "tic-tac-toe", "0x"), Number((await now()) + 2n * HOUR));
    await bob.start({ transport: transportWith(bob.transport, { put: async () => undefined }) });
    await bob.step();
    await time.increase(HOUR);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring"]);
    await time.increase(HOUR);
    expect(await errorOf(alice.player.offer(terms()))).to.equal(`Match ${2 ** 14} is offered or in play.`);
  });

  it("ignores a balance that the opponent signed before a match ended on chain", async () => {
    const { people, terms } = await opened({ patience: 60 });
    const [alice, bob] = people;
    for (const [person, cells] of [
      [alice, [0, 1, 2]],
      [bob, [3, 4]],
    ] as const) {
      const left = [...cells];
      await person.start({ choose: async () => ({ move: left.shift() }) });
    }
    await alice.player.offer(terms({ clock: 600n }, "tic-tac-toe", "0x"));
    for (const person of [bob, alice, bob, alice]) await person.step();
    const late: string[] = [];
    const transport = transportWith(bob.transport, { put: async (line) => void late.push(line) });
    await bob.start({ transport, send: undefined });
    bob.player.getUp();
    const { held } = await bob.step();
    await time.increase(60n);
    await alice.step();
    await time.increase(601n);
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "bring", "ends"]);
    await alice.step();
    for (const line of late) await alice.transport.put(line);
    const { chain, troubles } = await alice.step();
    expect(late.join()).to.include('"close":true').and.to.include(`"amount1":"${held!.amount1}"`);
    expect(chain.open!.nonce).to.equal(held!.nonce);
    expect(chain.open!.amount1).not.to.equal(held!.amount1);
    expect(troubles).to.deep.equal([]);
  });

  it("ignores such a balance even if it never saw the match in the arena, and closes the channel with the signer", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    const [rock, scissors] = [0, 2];
    await alice.start({ choose: async () => ({ move: rock }) });
    await bob.start({ choose: async () => ({ move: scissors }) });
    const old = await bobAnswered(people, terms({ clock: 600n }));
    await alice.step();
    const late: string[] = [];
    await bob.start({ transport: transportWith(bob.transport, { put: async (line) => void late.push(line) }) });
    const { held } = await bob.step();
    expect(held!.nonce).to.equal(old.nonce + 1);
    await challengeBy(world, bob, old);
    await time.increase(601n);
    await world.arena.timeout(channelMatchIdOf(old.offer.channel, old.nonce));
    for (const line of late) await alice.transport.put(line);
    const { chain, troubles } = await alice.step();
    expect(late.join()).to.include('"type":"balance"').and.to.include(`"amount1":"${held!.amount1}"`);
    expect(chain.open!.nonce).to.equal(held!.nonce);
    expect(chain.open!.amount1).not.to.equal(held!.amount1);
    expect(troubles).to.deep.equal([]);
    await bob.start();
    expect(await gotUp(people)).to.include({ nonce: held!.nonce, amount1: chain.open!.amount1 });
  });

  it("offers no match for winnings of a match that the opponent can still resign in the arena", async () => {
    const { people, terms } = await opened({ patience: 60 });
    const [alice, bob] = people;
    await alice.player.offer(terms());
    await bob.step();
    const late: string[] = [];
    const transport = transportWith(alice.transport, { put: async (line) => void late.push(line) });
    await alice.start({ transport, send: undefined });
    await alice.step();
    await time.increase(60n);
    await bob.step();
    expect(bob.sent).to.deep.equal(["bring"]);
    // Bob's next transaction is not mined yet.
    await bob.start({ send: undefined });
    for (const line of late) await bob.transport.put(line);
    const { held, stakeable, chain } = await bob.step();
    const { stake1, stake2 } = terms();
    expect(chain.matches.map(({ posted }) => posted)).to.deep.equal([true]);
    expect(held!.nonce).to.equal(2 ** 14 + 1);
    expect(stakeable).to.deep.equal({ amount1: AMOUNT - stake1, amount2: AMOUNT - stake2 });
    expect(await errorOf(bob.player.offer(terms({ stake2: AMOUNT - stake1 + 1n })))).to.equal(
      `Match ${held!.nonce} must not be played: player 1 holds ${AMOUNT - stake1}, and its stake is ${AMOUNT - stake1 + 1n}.`,
    );
  });

  it("can stake nothing, not less, if the opponent challenges with an old match whose winnings are lost since", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    const moves = { rock: 0, scissors: 2 };
    const choosing = (move: number) => ({ choose: async () => ({ move }) });
    await alice.start(choosing(moves.rock));
    await bob.start(choosing(moves.scissors));
    const old = await bobAnswered(people, terms({ stake1: AMOUNT, stake2: AMOUNT }));
    await until(people, (status) => status.held!.nonce > old.nonce);
    await alice.start(choosing(moves.scissors));
    await bob.start(choosing(moves.rock));
    await play(people, terms({ stake1: 0n, stake2: (3n * AMOUNT) / 2n }));
    await challengeBy(world, bob, old);
    await alice.start({ send: undefined });
    const { held, stakeable } = await alice.step();
    expect(held!.amount1).to.equal(AMOUNT / 10n);
    expect(stakeable!.amount1).to.equal(0n);
    await alice.player.checkNext(terms({ stake1: 0n, stake2: 0n }));
  });

  it("submits final matches and challenges with an unfinished match before the channel ends", async () => {
    const { people, terms } = await opened({ patience: 40 * 86_400 });
    const [alice, bob] = people;
    await play(people, terms({ rated: true }));
    await next(people);
    await bob.player.offer(terms());
    await alice.step();
    await time.increaseTo((await now()) + 30n * DAY - 2n * HOUR - 1n);
    expect((await alice.step()).chain.open!.nonce).to.equal(2 ** 14);
    expect(alice.sent).to.deep.equal(["open", "bring"]);
    const { chain } = await alice.step();
    expect(chain.matches.map(({ nonce, posted }) => ({ nonce, posted }))).to.deep.equal([
      { nonce: 2 ** 14 + 1, posted: true },
    ]);
  });

  it("after the end of the channel, submits the newest balance and then takes its money back", async () => {
    const { world, people, terms } = await opened();
    const purses = await pursesOf(world);
    let nonce = 0;
    // A draw changes nothing.
    for (let held: Held | undefined; !held || held.amount1 === AMOUNT;) {
      await play(people, terms());
      nonce = await next(people);
      ({ held } = await people[0].step());
    }
    const { held } = await people[0].step();
    await time.increase(31n * DAY);
    await people[0].step();
    expect(people[0].sent).to.deep.equal(["open", "expire"]);
    expect(held!.nonce).to.equal(nonce);
    expect(await pursesOf(world)).to.deep.equal([purses[0] + held!.amount1, purses[1] + held!.amount2]);
  });

  it("submits a rated match even while it has not yet chosen its move in another match on chain", async () => {
    const { world, people, terms } = await opened({ batch: 1 });
    const [alice, bob] = people;
    const { choose } = alice.options().ports;
    await alice.player.offer(terms({}, "tic-tac-toe", "0x"));
    await bob.step();
    await time.increase(HOUR);
    // Bob challenges, both act once in the arena, and then it is alice's turn there.
    for (const person of [bob, alice, bob]) await person.step();
    await alice.start({
      choose: async (turn, module) => (module.name === "mini-games" ? choose(turn, module) : undefined),
    });
    expect((await alice.step()).chain.matches).to.have.length(1);
    await play(people, terms({ rated: true }));
    await alice.step();
    expect(alice.sent).to.deep.equal(["open", "acts", "bring"]);
    expect((await playedIn(world)).length).to.equal(1);
  });

  it("submits the newest balance even if the chain refuses all later matches", async () => {
    const { world, people, terms } = await opened({ batch: 1 });
    const [alice, bob] = people;
    await play(people, terms());
    const nonce = await next(people);
    const { selector } = world.channels.interface.getFunction("play");
    await alice.start({
      send: async (call) => {
        if (call.data.includes(selector.slice(2))) throw new Error("The chain refuses it.");
        await alice.send(call);
      },
    });
    await bob.start({ send: undefined });
    await play(people, terms({ rated: true })).catch(() => undefined);
    for (let n = 0; n < 8; n++) await alice.step();
    expect((await alice.step()).chain.open!.nonce).to.equal(nonce);
  });

  it("requires the player's own key, and rejects a second proposal while one is pending", async () => {
    const world = await loadFixture(channelWorld);
    const [alice, bob] = await peopleAt(world);
    const { key } = bob.options();
    const error = await errorOf(ChannelPlayer.open({ ...alice.options(), key }));
    expect(error).to.match(/^key1: 0x\w{40} is not the key of this player, 0x\w{40}$/);
    const end = Number((await now()) + 30n * DAY);
    await bob.player.propose(AMOUNT, 0n, end);
    await alice.start({ ask: async () => undefined });
    await alice.step();
    expect(await errorOf(alice.player.propose(AMOUNT, AMOUNT, end))).to.equal("Player 2 has proposed an opening.");
  });

  it("opens a channel with other amounts once the first proposal has expired", async () => {
    const world = await loadFixture(channelWorld);
    const people = await peopleAt(world);
    const [alice, bob] = people;
    await alice.start({ send: undefined });
    await alice.player.propose(AMOUNT, AMOUNT, Number((await now()) + DAY));
    await bob.step();
    expect((await alice.step()).due).to.deep.equal({ type: "open" });
    await time.increase(DAY);
    expect((await alice.step()).due).to.equal(undefined);
    await bob.step();
    await bob.player.propose(1n, 2n, Number((await now()) + DAY));
    const { chain } = await until(people, (status) => status.chain.open !== undefined);
    expect(chain.open).to.include({ nonce: 2 ** 14, amount1: 1n, amount2: 2n });
    expect(sentBy(people)).to.deep.equal(["open"]);
    expect(bob.sent).to.deep.equal(["open"]);
  });

  it("asks a contract wallet whether it has signed, even if the signature belongs to an ordinary account", async () => {
    const world = await loadFixture(channelWorld);
    const { alice, carol, history, channels, chainId } = world;
    const wallet = await ethers.deployContract("Wallet1271", [carol.address]);
    const channel = { ...(await peopleAt(world))[0].channel, player2: await wallet.getAddress() };
    const at = { chainId, channels: channels.target as string };
    const values = { channel: channelIdOf(channel), nonce: 2 ** 14, amount1: 0n, amount2: 0n, until: 2 ** 31 };
    const { domain, types, value } = openRequest(at, values);
    for (const [signer, isSigned] of [
      [carol, true],
      [alice, false],
    ] as const) {
      const signature = await signer.signTypedData(domain, types, value);
      const consent = { type: "open", player: 2, ...values, signature } as const;
      expect(await isConsentSigned(history.provider, at, channel, consent)).to.equal(isSigned);
    }
    // The contract calls an account with code (EIP-7702) even if its key has signed.
    const signature = await alice.signTypedData(domain, types, value);
    const consent = { type: "open", player: 1, ...values, signature } as const;
    expect(await isConsentSigned(history.provider, at, channel, consent)).to.equal(true);
    await networkHelpers.setCode(alice.address, "0x00");
    expect(await isConsentSigned(history.provider, at, channel, consent)).to.equal(false);
  });

  it("rejects a player's second opening until the first opening has expired", async () => {
    const world = await loadFixture(channelWorld);
    const [alice, bob] = await peopleAt(world);
    const end = Number((await now()) + DAY);
    await bob.start({ log: new MemoryChannelLog() });
    await bob.player.propose(AMOUNT, AMOUNT, end);
    await bob.start({ log: new MemoryChannelLog() });
    await bob.player.propose(1n, 2n, end);
    await alice.start({ ask: async () => undefined });
    const { troubles } = await alice.step();
    expect(troubles.map(({ message }) => message)).to.deep.equal([
      `nonce: another consent to opening ${2 ** 14} counts until ${end}`,
    ]);
  });

  it("does not reopen a channel if matches were played in an expired opening, because their balances would be valid again", async () => {
    const world = await loadFixture(channelWorld);
    const people = await peopleAt(world);
    const [alice] = people;
    await alice.player.propose(0n, 0n, Number((await now()) + DAY));
    await until(people, ({ held }) => held !== undefined);
    const game = games.find(({ name }) => name === "mini-games")!;
    await play(people, channelTerms(world, game, world.modes[game.name][0], { stake1: 0n, stake2: 0n }));
    await time.increase(DAY);
    expect(await errorOf(alice.player.propose(AMOUNT, AMOUNT, Number((await now()) + DAY)))).to.equal(
      `matches were played in the opening from ${2 ** 14} on, which has ended.`,
    );
    let asked = 0;
    await alice.start({ ask: async () => void asked++ });
    await people[1].start({ log: new MemoryChannelLog() });
    await people[1].player.propose(AMOUNT, AMOUNT, Number((await now()) + DAY));
    const { troubles } = await alice.step();
    expect(troubles.map(({ message }) => message)).to.deep.equal([
      `nonce: matches were played in the opening from ${2 ** 14} on, which has ended`,
    ]);
    expect(asked).to.equal(0);
  });

  it("plays only without stakes until the opening of the channel is final", async () => {
    const { people, terms } = await opened();
    const [alice] = people;
    const { chain } = alice.options();
    const read = chain.read.bind(chain);
    chain.read = async (earlier) => {
      const state = await read(earlier);
      return { ...state, open: { ...state.open!, isFinal: false } };
    };
    const player = await ChannelPlayer.open({ ...alice.options(), chain });
    expect(await errorOf(player.offer(terms()))).to.equal(
      `Match ${2 ** 14} must not be played: the opening of the channel is not final yet.`,
    );
    expect(await player.offer(terms({ stake1: 0n, stake2: 0n }))).to.equal(true);
  });

  it("does not open a channel that would end too soon", async () => {
    const world = await loadFixture(channelWorld);
    const [alice, bob] = await peopleAt(world);
    await alice.player.propose(AMOUNT, AMOUNT, Number(await now()) + 7000);
    for (const person of [bob, alice, bob, alice]) await person.step();
    expect(sentBy([alice, bob])).to.deep.equal([]);
    expect((await alice.step()).chain.open).to.equal(undefined);
  });

  it("signs no action that the game would refuse", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    await alice.player.offer(terms({}, "auto-battler", "0x"));
    const team = [6n, 7n, 8n, 9n, 10n];
    const fighters = Fighters__factory.connect(world.history.addresses.Fighters, world.bob);
    await fighters.transferFrom(world.bob, world.carol, 6n);
    await bob.start({ choose: async () => ({ move: team }) });
    const { troubles, current } = await bob.step();
    expect(troubles.map(({ message }) => message)).to.deep.equal([
      `Auto-battler would refuse your action in match ${2 ** 14}.`,
    ]);
    expect(current!.moves).to.deep.equal([]);
  });

  it("refuses to offer a match that it could not enforce on chain, and says why", async () => {
    const { world, people, terms } = await opened();
    const [alice, bob] = people;
    for (const [changes, reason] of [
      [{ token: COIN }, `the stakes are in ${COIN}, and the channel holds ${world.history.addresses.FightToken}`],
      [{ feeBps: 0n }, "the fee is 0 basis points, and the channel's is 2000"],
      [{ clock: 59n }, "a clock of 59 seconds is not 60 to 2592000"],
      [{ clock: 599n }, "a clock of 599 seconds is below the own limit, 600"],
      [{ stake1: AMOUNT + 1n }, `player 1 holds ${AMOUNT}, and its stake is ${AMOUNT + 1n}`],
      [{ stake2: AMOUNT + 1n }, `player 2 holds ${AMOUNT}, and its stake is ${AMOUNT + 1n}`],
      [{ mode: `0x${"12".repeat(32)}` }, `Mini-games has no mode 0x${"12".repeat(32)}`],
      [{ game: world.alice.address }, `the game ${world.alice.address} is not known`],
    ] as const) {
      // A player does not ask the opponent to offer such a match, either.
      for (const checked of [alice.player.offer(terms(changes)), bob.player.checkNext(terms(changes))]) {
        expect(await errorOf(checked)).to.equal(`Match ${2 ** 14} must not be played: ${reason}.`);
      }
    }
  });
});

async function opened(limits?: Partial<ChannelLimits>) {
  const world = await loadFixture(channelWorld);
  const people = await openedBy(world, AMOUNT, limits);
  const terms = (changes: Partial<Terms> = {}, name = "mini-games", mode = world.modes[name][0]) =>
    channelTerms(
      world,
      games.find((game) => game.name === name)!,
      mode,
      changes,
    );
  return { world, people, terms };
}

/** Plays a match to its end. */
async function play(people: People, terms: Terms): Promise<void> {
  const nonce = await next(people);
  await people[offererOf(nonce) - 1].player.offer(terms);
  await until(people, (status) => status.held!.nonce > nonce);
}

async function next(people: People): Promise<number> {
  for (const person of [...people, ...people]) await person.step();
  return (await people[0].step()).held!.nonce;
}

/** Lets alice close the channel. @returns the final amounts. */
async function gotUp(people: People): Promise<Held> {
  await next(people);
  people[0].player.getUp();
  let held: Held | undefined;
  await until(people, (status) => {
    held = status.held ?? held;
    return status.chain.open === undefined;
  });
  return held!;
}

function sentBy(people: People): string[] {
  return people.flatMap(({ sent }) => sent);
}

async function pursesOf({ arena, fight, alice, bob }: ChannelWorld): Promise<bigint[]> {
  return Promise.all([alice, bob].map((player) => arena.purseOf(player, fight)));
}

async function playedIn({ channels }: ChannelWorld) {
  return channels.queryFilter(channels.filters.Played());
}

/** Lets alice offer a match and bob answer it. @returns both messages. */
async function bobAnswered([alice, bob]: People, terms: Terms) {
  await alice.player.offer(terms);
  await bob.step();
  const messages = (alice.transport as MemoryChannelTransport).lines.map((line) => parseChannelMessage(line, "line"));
  const offer = messages.findLast((message) => message.type === "offer")!;
  const move = messages.findLast((message) => message.type === "move")!;
  return { nonce: offer.nonce, offer, move };
}

/** Returns all messages of alice and bob, signed again without the `place` values of one player. */
function withoutPlaces({ chainId, channels }: ChannelWorld, { number, transport, channel }: Person): string[] {
  const at = { chainId, channels: channels.target as string };
  const prev = new Map<number, Hex>();
  return (transport as MemoryChannelTransport).lines.map((line) => {
    const message = parseChannelMessage(line, "line");
    if (message.type === "offer") prev.set(message.nonce, offerHashOf(offerIn(message)));
    if (message.type !== "move") return line;
    const { offer, count, nonce } = message;
    const by = senderOf(at, channel, message)!.player;
    const place = by === number ? NO_PLACE : message.place;
    const moved = { ...message, place, prev: prev.get(nonce)! };
    prev.set(nonce, moveHashOf({ offer, count, prev: moved.prev, action: moved.action, place }));
    return channelMessageText(signedWith<MoveMessage>(new SigningKey(keyOf(`key ${by}`).privateKey), at, moved));
  });
}

/** Lets bob challenge with a match in its state after his answer. */
async function challengeBy(
  { channels }: ChannelWorld,
  { signer, channel }: Person,
  { nonce, offer, move }: Awaited<ReturnType<typeof bobAnswered>>,
): Promise<void> {
  const moves = [{ ...move, seat: Seat.Two }];
  const transcript = transcriptOf({ offer: offerIn(offer), signature: offer.signature, moves });
  await channels.connect(signer).challenge(channel, nonce, offer.terms, transcript);
}

async function errorOf(done: Promise<unknown>): Promise<string> {
  return done.then(
    () => "none",
    (error: unknown) => (error as Error).message,
  );
}
