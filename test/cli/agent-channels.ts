import { appendFile, mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { formatEther, parseEther, Wallet } from "ethers";
import { openSteppedAgent, type SteppedAgent, type Wanted } from "../support/agent-support.js";
import { Guest, playWith, until } from "../support/agent-channels.js";
import { MemoryPlace } from "../support/memory-place.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";
import { offererOf, type ChannelStatus } from "../../sdk/player/channels/player.js";
import { wishIn } from "../../sdk/player/channels/wishes.js";
import type { Seek } from "../../sdk/protocol/channels/seek.js";
import { folderStore } from "../../cli/relay/folder/store.js";
import { Relay } from "../../cli/relay/relay.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import { RelayLobby } from "../../sdk/player/channels/lobby.js";
import { RelayChannelTransport } from "../../sdk/player/channels/relay-transport.js";
import type { Channel } from "../../sdk/protocol/channels/messages.js";
import { Client } from "../../sdk/player/client.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Channels__factory } from "../../typechain-types/index.js";
import { games } from "../../sdk/games/index.js";

const [ALICE, AGENT, BOB, EVE] = [4, 6, 7, 8];
const AMOUNT = parseEther("20");
const FIRST = 2 ** 14;
const LOCKING = { tokens: { FIGHT: { stake: "5", total: "50", channel: "20", channels: "30" } } };

describe("npm run agent: channels", () => {
  let world: PlayWorld;
  let place: MemoryPlace;
  let snapshot: unknown;
  const closing: { close(): void }[] = [];

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    place = new MemoryPlace();
  });
  afterEach(async () => {
    for (const each of closing.splice(0)) each.close();
    await world.provider.send("evm_revert", [snapshot]);
  });

  async function agentWith(policy: object = {}, wanted: Partial<Wanted> = {}): Promise<SteppedAgent> {
    const started = await openSteppedAgent(world, { account: AGENT, policy, place, ...wanted });
    closing.push(started);
    await started.agent.tick();
    return started;
  }

  async function guest(account: number | string = ALICE): Promise<Guest> {
    const opened = await Guest.open(world, place, account);
    closing.push(opened);
    return opened;
  }

  /** Deposits FIGHT in the purse of an account. */
  async function fund(account: number, amount = "100"): Promise<void> {
    const client = await Client.connect(world.addresses, games, await world.provider.getSigner(account));
    await client.deposit(world.addresses.FightToken, parseEther(amount));
  }

  const pursesOf = (...players: { address: string }[]) =>
    Promise.all(players.map(({ address }) => world.arena.purseOf(address, world.addresses.FightToken)));

  /** Lets a newcomer without coin search for a rated match without stakes, for which the agent opens a channel. */
  async function seeking(agent: SteppedAgent, change = (line: string) => line) {
    const newcomer = await guest(Wallet.createRandom().privateKey);
    const terms = await newcomer.terms("mini-games", "rock-paper-scissors");
    await newcomer.seek({ opponent: agent.address, terms });
    await meet(agent, newcomer, change);
    await until(agent, newcomer, (status) => status!.held !== undefined);
    return [newcomer, terms] as const;
  }

  async function lastReceipt() {
    const block = await world.provider.getBlock("latest");
    return (await world.provider.getTransactionReceipt(block!.transactions[0]))!;
  }

  /** Opens a channel with 20 FIGHT from each player, after the guest has searched for the agent. */
  async function seated(agent: SteppedAgent, player: Guest): Promise<void> {
    const token = world.addresses.FightToken;
    await player.seek({ opponent: agent.address, token, amount: AMOUNT, otherAmount: AMOUNT });
    await meet(agent, player);
    await until(agent, player, (status) => status!.chain.open?.isFinal === true);
  }

  /** Lets the agent answer the guest's search, and lets the guest take its seat in the channel. */
  async function meet(agent: SteppedAgent, player: Guest, change?: (line: string) => string): Promise<void> {
    await until(agent, undefined, async () => (await player.found()) !== undefined);
    await player.sit((await player.found())!, change);
  }

  const eventsOf = (agent: SteppedAgent) => agent.reports().map(({ event }) => event);
  /** Returns the agent's latest reason for a refusal. */
  const lastText = (agent: SteppedAgent) => agent.reports().findLast(({ event }) => event === "left")!.text;
  const sentBy = (address: string) => world.provider.getTransactionCount(address);

  it("opens a channel with a player who searches for the agent, plays, and closes the channel on request with exact balances", async () => {
    await fund(AGENT);
    await fund(ALICE);
    const agent = await agentWith(LOCKING);
    const alice = await guest();
    const before = await pursesOf(alice, agent);
    await seated(agent, alice);
    const token = world.addresses.FightToken;
    const [stake1, stake2] = [parseEther("0.5"), parseEther("0.5")];
    const terms = await alice.terms("mini-games", "rock-paper-scissors", { token, stake1, stake2 });
    for (let n = 0; n < 20; n++) await playWith(agent, alice, terms);
    const marks = await alice.terms("tic-tac-toe", "default", { token, rated: false });
    let { held } = await playWith(agent, alice, marks);
    alice.seat.player.getUp();
    await until(agent, alice, (now) => {
      held = now!.held ?? held;
      return now!.chain.open === undefined;
    });
    const amounts = [held!.amount1, held!.amount2];
    expect(await pursesOf(alice, agent)).to.deep.equal(before.map((purse, i) => purse - AMOUNT + amounts[i]));
    const played = agent.reports().filter(({ event }) => event === "played");
    expect(played.filter(({ text }) => /of Mini-games: (I win|I lose|A draw)\./.test(text)).length).to.equal(20);
    expect(eventsOf(agent)).to.include.members(["taken", "opened", "offered", "sent", "closed"]);
    expect(agent.agent.channels!.counts).to.deep.equal({ channels: 0, matches: 0, sponsored: 0 });
    const { files } = agent.agent.channels!;
    expect(await files.all(), "kept channels").to.deep.equal([]);
    const { id } = alice.seat.kept;
    expect((await files.logOf(id).read()).map(({ type, nonce }) => [type, nonce])).to.deep.equal([
      ["open", FIRST],
      ["open", FIRST],
    ]);
    // The channel can be opened again with the stored data.
    alice.seat.close();
    await seated(agent, alice);
  });

  it("drops a channel if the other player sends nothing for three minutes", async () => {
    const agent = await agentWith();
    const alice = await guest();
    await alice.seek({ opponent: agent.address });
    await agent.agent.channels!.look();
    place.seeks.clear();
    const [seat] = agent.agent.channels!.all;
    const later = async (ms: number) => {
      seat.heard -= ms;
      await agent.agent.channels!.look();
      return agent.agent.channels!.counts.channels;
    };
    expect(await later(0)).to.equal(1);
    expect(await later(170_000)).to.equal(1);
    expect(await later(20_000)).to.equal(0);
    await alice.sit((await alice.found())!);
    await alice.seat.step();
    await agent.agent.channels!.sit(alice.seat.kept.channel);
    const [again] = agent.agent.channels!.all;
    await agent.agent.channels!.look();
    again.heard -= 190_000;
    await agent.agent.channels!.look();
    expect(agent.agent.channels!.counts.channels, "one that was answered").to.equal(1);
  });

  it("searches for players in the lobby, and offers the announced match to the player who answers", async () => {
    await fund(AGENT);
    await fund(ALICE);
    const channels = { seek: { game: "mini-games", mode: "undercut", stake: "2" } };
    const agent = await agentWith({ ...LOCKING, channels });
    const alice = await guest();
    await agent.agent.channels!.look();
    const [seek] = await place.lobby.seeks(alice.address);
    expect([seek.amount, seek.otherAmount, seek.terms!.stake1]).to.deep.equal([AMOUNT, AMOUNT, parseEther("2")]);
    await alice.answer(seek);
    await until(agent, alice, (status) => (status!.held?.nonce ?? 0) > FIRST);
    expect(agent.reports().find(({ event }) => event === "played")!.text).to.match(/^Match 16384 of Mini-games: /);
  });

  it("opens no channel that its policy forbids, whether the agent or the other player started the search", async () => {
    await fund(AGENT);
    await fund(ALICE);
    const agent = await agentWith(LOCKING);
    const [alice, bob] = [await guest(), await guest(BOB)];
    await agent.agent.channels!.look();
    const [seek] = await place.lobby.seeks(alice.address);
    await alice.answer(seek, { amount: AMOUNT + 1n });
    await agent.agent.channels!.look();
    expect(lastText(agent)).to.match(
      /^I leave the channel of 0x15.*: 20\.000000000000000001 FIGHT are above my 20 FIGHT a channel\.$/,
    );
    await bob.seek({ opponent: agent.address, token: seek.token, amount: AMOUNT, otherAmount: AMOUNT + 1n });
    await agent.agent.channels!.look();
    expect(lastText(agent)).to.match(
      /^I leave the search of 0x.*: 20\.000000000000000001 FIGHT are above my 20 FIGHT a channel\.$/,
    );
    await bob.seek({
      opponent: agent.address,
      terms: await bob.terms("mini-games", "dice", { rated: false, stake2: 1n }),
    });
    await agent.agent.channels!.look();
    expect(lastText(agent)).to.match(/its stakes are above what the channel would hold\.$/);
    await bob.seek({ opponent: agent.address, terms: await bob.terms("mini-games", "dice") });
    await agent.agent.channels!.look();
    expect(lastText(agent)).to.match(/I pay for no rated matches without money\.$/);
    expect(alice.seat.player).to.not.equal(undefined);
    for (const { transport } of place.transports.values()) {
      expect(transport.lines.filter((line) => line.includes('"open"')).length).to.be.at.most(1);
    }
  });

  it("opens one channel per player, and locks no more in all channels than its policy allows", async () => {
    await fund(AGENT);
    const agent = await agentWith(LOCKING);
    const [alice, bob] = [await guest(), await guest(BOB)];
    const token = world.addresses.FightToken;
    for (const account of [ALICE, BOB]) await fund(account);
    await seated(agent, alice);
    await bob.seek({ opponent: agent.address, token, amount: AMOUNT, otherAmount: AMOUNT });
    await agent.agent.channels!.look();
    expect(lastText(agent)).to.match(/40 FIGHT would be locked, more than my 30 FIGHT in all channels\.$/);
    const again = await guest();
    await again.seek({ opponent: agent.address });
    await agent.agent.channels!.look();
    expect(lastText(agent)).to.match(/I have 1 channels with this player already\.$/);
  });

  it("settles several channels in one transaction, and each alone if the chain refuses them together", async () => {
    await fund(AGENT);
    const agent = await agentWith({ tokens: { FIGHT: { ...LOCKING.tokens.FIGHT, channels: "60" } } });
    const guests = [await guest(), await guest(BOB), await guest(EVE)];
    for (const account of [ALICE, BOB, EVE]) await fund(account);
    for (const each of guests) await seated(agent, each);
    const channels = agent.agent.channels!;
    const { abi, to } = { abi: Channels__factory.createInterface(), to: channels.files.at.channels };
    const send = async (player: Guest, data: Hex) => {
      const seat = channels.all.find(({ kept }) => kept.opponent === player.address)!;
      const sent = channels.send(seat, { to, data, what: "expires" });
      return sent.then(
        () => "sent",
        () => "refused",
      );
    };
    const expire = ({ seat }: Guest) => abi.encodeFunctionData("expire", [seat.kept.channel]);
    await world.pass(3 * 86_400);
    const before = await sentBy(agent.address);
    const [alice, bob, eve] = guests;
    const mixed = [send(alice, expire(alice)), send(bob, "0x00000000")];
    for (let n = 0; n < 3; n++) await agent.agent.tick();
    expect(await Promise.all(mixed)).to.deep.equal(["sent", "refused"]);
    const valid = [send(bob, expire(bob)), send(eve, expire(eve))];
    await agent.agent.tick();
    expect(await Promise.all(valid)).to.deep.equal(["sent", "sent"]);
    expect(await sentBy(agent.address)).to.equal(before + 2);
  });

  it("counts the amount of a consent that a relay stored, even if the relay answered with an error", async () => {
    await fund(AGENT);
    await fund(ALICE);
    const agent = await agentWith(LOCKING);
    const alice = await guest();
    const token = world.addresses.FightToken;
    place.isLate = true;
    await alice.seek({ opponent: agent.address, token, amount: AMOUNT, otherAmount: AMOUNT });
    await agent.agent.channels!.look();
    place.seeks.clear();
    await agent.agent.channels!.look();
    expect(await alice.found()).to.not.equal(undefined);
    expect(agent.agent.channels!.inChannels(token).locked).to.equal(AMOUNT);
  });

  it("declines, in the lobby, a requested match that it cannot offer", async () => {
    const agent = await agentWith({ channels: { rematch: false } });
    const alice = await guest();
    await alice.seek({ opponent: agent.address });
    await meet(agent, alice);
    await until(agent, alice, (status) => status!.held !== undefined);
    const terms = await alice.terms("mini-games", "rock-paper-scissors", { rated: false });
    const status = await playWith(agent, alice, terms);
    const [seat] = agent.agent.channels!.all;
    const declined = async () =>
      wishIn(await place.lobby.seeks(alice.address), { ...alice.seat.kept, held: status.held! });
    for (const change of [{ clock: 1n }, { stake1: 1n }, { game: alice.address }]) {
      await alice.wish({ ...terms, ...change }, status);
      await world.pass(1);
      await until(agent, alice, () => seat.asked === undefined);
    }
    expect(await declined()).to.deep.include({ terms: undefined });
    await playWith(agent, alice, terms);
  });

  it("declines offers that its policy would refuse on chain, and logs why", async () => {
    await fund(AGENT);
    await fund(ALICE);
    const agent = await agentWith(LOCKING);
    const alice = await guest();
    await seated(agent, alice);
    const token = world.addresses.FightToken;
    const terms = await alice.terms("mini-games", "coin", { token, stake1: parseEther("6"), stake2: parseEther("6") });
    await alice.seat.player.offer(terms);
    await agent.agent.channels!.look();
    const { current, held } = await alice.seat.step();
    const wish = wishIn(await place.lobby.seeks(alice.address), { ...alice.seat.kept, held: held! });
    expect(wish).to.deep.include({ terms: undefined });
    for (let n = 0; n < 2; n++) await agent.agent.channels!.look();
    expect(agent.reports().filter(({ event }) => event === "left").length).to.equal(1);
    expect(lastText(agent)).to.match(/I leave it: its stake of 6 FIGHT is above my 5 FIGHT a match\.$/);
    expect(current!.moves).to.deep.equal([]);
  });

  it("pays the gas of a newcomer's rated matches, one transaction each, within its budget, even after a restart", async () => {
    const sponsor = { day: { matches: 9, gas: "1" }, opponent: { matches: 2, gas: "1" } };
    const agent = await agentWith({ channels: { sponsor } });
    const [newcomer, terms] = await seeking(agent);
    const sent = await sentBy(agent.address);
    const first = await playWith(agent, newcomer, terms);
    await until(agent, newcomer, (status) => status!.chain.open?.nonce === first.held!.nonce);
    expect(await sentBy(agent.address)).to.equal(sent + 1);
    const receipt = await lastReceipt();
    expect(receipt.gasUsed).to.be.lessThan(185_000n);
    await playWith(agent, newcomer, terms);
    await until(agent, newcomer, (status) => status!.chain.open?.nonce === FIRST + 2);
    expect(agent.agent.channels!.counts.sponsored).to.equal(2);
    agent.close();
    const again = await agentWith({ channels: { sponsor } }, { home: agent.home });
    await newcomer.seat.player.offer(terms);
    for (let n = 0; n < 3; n++) await again.agent.channels!.look();
    expect(lastText(again)).to.match(/I have paid for 2 matches today for this player, and pay for 2\.$/);
    expect(await world.provider.getTransactionCount(newcomer.address)).to.equal(0);
  });

  it("pays for no newcomer's match whose transaction could exceed the gas budget", async () => {
    await world.provider.send("hardhat_setNextBlockBaseFeePerGas", ["0x1"]);
    await world.pass(1);
    const { maxFeePerGas } = await world.provider.getFeeData();
    // Enough for the gas that a first match uses, but not for its gas limit.
    const day = { matches: 9, gas: formatEther(200_000n * maxFeePerGas!) };
    const agent = await agentWith({ channels: { sponsor: { day } } });
    const [newcomer, terms] = await seeking(agent);
    const sent = await sentBy(agent.address);
    await playWith(agent, newcomer, terms);
    for (let n = 0; n < 3; n++) await until(agent, newcomer, () => true);
    const told = agent.reports().filter(({ event }) => event === "trouble");
    expect(told.map(({ text }) => text.replace(/0\.\d+/g, "…"))).to.deep.equal([
      "I have paid … COIN of gas today, and pay ….",
    ]);
    expect([await sentBy(agent.address), agent.agent.channels!.counts.sponsored]).to.deep.equal([sent, 0]);
    // A match that nobody pays for must not keep the channel.
    place.seeks.clear();
    await until(agent, undefined, () => {
      for (const seat of agent.agent.channels!.all) seat.heard = 0;
      return agent.agent.channels!.counts.channels === 0;
    });
  });

  it("neither answers nor pays for a newcomer whose consent the chain would refuse", async () => {
    const agent = await agentWith({ channels: { sponsor: { day: { matches: 9, gas: "1" } } } });
    const forged = (line: string) =>
      line.replace(/"signature":"0x\w+"(?=.*"open")/, `"signature":"0x${"11".repeat(70)}"`);
    const [newcomer, terms] = await seeking(agent, forged);
    const sent = await sentBy(agent.address);
    await newcomer.seat.player.offer(terms);
    for (let n = 0; n < 3; n++) await agent.agent.channels!.look();
    expect(eventsOf(agent)).to.include("trouble");
    expect((await newcomer.seat.step()).current!.moves).to.deep.equal([]);
    expect([await sentBy(agent.address), agent.agent.channels!.counts.sponsored]).to.deep.equal([sent, 0]);
  });

  it("plays in more channels than it checks in parallel, without stakes or gas", async () => {
    const agent = await agentWith();
    const newcomers: Guest[] = [];
    for (let n = 0; n < 10; n++) {
      const newcomer = await guest(Wallet.createRandom().privateKey);
      await newcomer.seek({ opponent: agent.address });
      newcomers.push(newcomer);
    }
    const sent = await sentBy(agent.address);
    for (const newcomer of newcomers) await meet(agent, newcomer);
    const terms = await newcomers[0].terms("mini-games", "rock-paper-scissors", { rated: false });
    for (const newcomer of newcomers) {
      await until(agent, newcomer, (status) => status!.held !== undefined);
      await newcomer.seat.player.offer(terms);
    }
    const isOver = ({ held }: ChannelStatus) => held!.nonce > FIRST;
    await until(agent, undefined, async () => {
      return (await Promise.all(newcomers.map(({ seat }) => seat.step()))).every(isOver);
    });
    expect(agent.agent.channels!.counts.channels).to.equal(10);
    expect(await sentBy(agent.address)).to.equal(sent);
  });

  it("finds a player through a relay without help, and plays unattended until it is stopped", async () => {
    await fund(AGENT);
    await fund(ALICE);
    const at = { chainId: 31_337n, channels: channelsOf(world.addresses.Arena) };
    const store = folderStore(await mkdtemp(join(world.folder, "relay-")));
    const relay = await Relay.start({ ...at, store, port: 0 });
    closing.push({ close: () => void relay.stop() });
    const agent = await agentWith(LOCKING, { place: undefined, relay: relay.url });
    const lobby = new RelayLobby([relay.url], at);
    const transportOf = (channel: Channel) => new RelayChannelTransport([relay.url], at, channel);
    const alice = await Guest.open(world, { lobby, transportOf, close: () => undefined }, ALICE);
    closing.push(alice);
    const stop = new AbortController();
    const over = agent.agent.run(stop.signal);
    try {
      let seek: Seek | undefined;
      for (; !seek; await pause(50)) [seek] = await lobby.seeks(alice.address);
      await alice.answer(seek);
      const terms = await alice.terms("mini-games", "coin", { token: seek.token, rated: false });
      let offered = 0;
      await alice.seat.until(async ({ held, current }) => {
        const isIdle = held && !current;
        if (isIdle && held.nonce > offered && offererOf(held.nonce) === alice.seat.kept.player) {
          offered = held.nonce;
          await alice.seat.player.offer(terms);
        }
        return (held?.nonce ?? 0) >= FIRST + 4 ? true : undefined;
      });
    } finally {
      stop.abort();
      await over;
    }
    expect(agent.reports().filter(({ event }) => event === "played").length).to.be.at.least(3);
  });

  it("continues its channels after it was killed during a match", async () => {
    await fund(AGENT);
    await fund(ALICE);
    const agent = await agentWith(LOCKING);
    const alice = await guest();
    await seated(agent, alice);
    const token = world.addresses.FightToken;
    const terms = await alice.terms("tic-tac-toe", "default", { token, rated: false });
    await alice.seat.player.offer(terms);
    await until(agent, alice, (status) => (status!.current?.moves.length ?? 0) >= 3);
    agent.close();
    const again = await agentWith(LOCKING, { home: agent.home });
    await until(again, alice, (status) => status!.held!.nonce > FIRST);
    expect(again.agent.channels!.inChannels(token).locked).to.equal(AMOUNT);
  });

  it("keeps playing with others despite invalid messages, a relay that is down and a damaged log", async () => {
    await fund(AGENT, "200");
    for (const account of [ALICE, BOB, EVE]) await fund(account);
    const policy = { tokens: { FIGHT: { ...LOCKING.tokens.FIGHT, channels: "90" } } };
    const agent = await agentWith(policy);
    const [alice, bob, eve] = [await guest(), await guest(BOB), await guest(EVE)];
    for (const each of [alice, bob, eve]) await seated(agent, each);
    const transport = place.transportOf(eve.seat.kept.channel);
    transport.lines.push("{", JSON.stringify({ type: "move" }), ...Array.from({ length: 300 }, (_, i) => `"${i}"`));
    place.break(bob.seat.kept.channel);
    agent.close();
    const { id } = bob.seat.kept;
    const logs = join(agent.home, "channels");
    const [folder] = (await readdir(logs, { recursive: true })).filter((name) =>
      name.endsWith(`${eve.seat.kept.id}.jsonl`),
    );
    await appendFile(join(logs, folder), "no message\n");
    const again = await agentWith(policy, { home: agent.home });
    const token = world.addresses.FightToken;
    const terms = await alice.terms("mini-games", "rock-paper-scissors", { token, rated: false });
    await playWith(again, alice, terms);
    const troubles = again.reports().filter(({ event }) => event === "trouble");
    expect(troubles.map(({ channel }) => channel)).to.have.members([id, eve.seat.kept.id]);
    const bobsLog = troubles.find(({ channel }) => channel === id)!;
    expect(bobsLog.text).to.match(/the relay is down/);
  });
});
