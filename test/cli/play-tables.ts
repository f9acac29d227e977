import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { SigningKey, ZeroAddress } from "ethers";
import { folderStore } from "../../cli/relay/folder/store.js";
import { Relay } from "../../cli/relay/relay.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import { games } from "../../sdk/games/index.js";
import { machineClock } from "../../sdk/chain/waiting.js";
import { RelayLobby } from "../../sdk/player/channels/lobby.js";
import { outcomeFor, outcomeText } from "../../sdk/player/outcome.js";
import { RelayChannelTransport } from "../../sdk/player/channels/relay-transport.js";
import { channelIdOf, openRequest, type Channel } from "../../sdk/protocol/channels/messages.js";
import { channelOf, signedSeek } from "../../sdk/protocol/channels/seek.js";
import { channelMessageText, type OpenMessage } from "../../sdk/protocol/channels/wire.js";
import { Seat } from "../../sdk/protocol/status.js";
import { Channels__factory, type Channels } from "../../typechain-types/index.js";
import { keyOf } from "../support/channels.js";
import { proxyTo } from "../support/play-proxy.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";
import type { Ended, Running } from "../support/running.js";

const [ALICE, BOB] = [4, 5];
const DAY = 86_400;
const UNIT = 10n ** 18n;

/** Sentences for all results by the rules of a game. In pistols the winner of a duel need not take the pot. */
const RESULTS = [Seat.None, Seat.One, Seat.Two].flatMap((winner, _, seats) =>
  seats.map((taker) => outcomeText(outcomeFor({ winner, taker }, Seat.One))),
);

/** Result of a command that plays a match in a channel. */
interface Played {
  match: number;
  outcome: "won" | "lost" | "draw";
  held: { own: string; other: string };
}

describe("npm run play: channels", function () {
  let world: PlayWorld;
  let channels: Channels;
  const at = { chainId: 31_337n, channels: "" };
  let relay: Relay;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    at.channels = channelsOf(world.addresses.Arena);
    channels = Channels__factory.connect(at.channels, world.provider);
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    const folder = await mkdtemp(join(tmpdir(), "duello-relay-"));
    relay = await Relay.start({ ...at, store: folderStore(folder), port: 0 });
    [alice, bob] = await Promise.all(
      [ALICE, BOB].map((account) => world.terminal(["--account", String(account)], { DUELLO_RELAY: relay.url })),
    );
  });
  afterEach(async () => {
    await relay.stop();
    await world.provider.send("evm_revert", [snapshot]);
  });

  const purseOf = (account: number) => world.arena.purseOf(addresses[account], world.addresses.FightToken);

  /** Runs a command of Bob in a separate process, and one of Alice at the same time. */
  async function both(hers: readonly string[], his: readonly string[]): Promise<[Ended, Ended]> {
    const { ended } = bob.start(...his);
    return [await alice.end(...hers), await ended];
  }

  /** Opens a channel between both players. */
  async function seated(...options: string[]): Promise<void> {
    const [hers, his] = await both(["sit", addresses[BOB], ...options], ["sit", addresses[ALICE], ...options]);
    expect([hers.code, his.code], hers.stderr + his.stderr).to.deep.equal([0, 0]);
  }

  /** Starts a command in which Bob plays whatever Alice offers in the channel. */
  const staying = (): Running => bob.start("sit", "--stay", "--moves", "suggest", "--max-stake", "10");

  async function played(...args: string[]): Promise<Played> {
    const { code, stdout, stderr } = await alice.end("challenge", ...args, "--json");
    expect(code, stderr).to.equal(0);
    expect(stderr.split("\n")[0]).to.equal(
      `You sit with ${addresses[BOB]}: the match is played there. Add --on-chain to play it on the chain.`,
    );
    return JSON.parse(stdout) as Played;
  }

  it("opens a channel if both players give the sit command, and locks the amounts that they name", async () => {
    const [hers, his] = await both(
      ["sit", addresses[BOB], "--amount", "7", "--opponent-amount", "3", "--days", "2", "--json"],
      ["sit", addresses[ALICE], "--amount", "3", "--opponent-amount", "7", "--days", "2"],
    );
    expect([hers.code, his.code], hers.stderr + his.stderr).to.deep.equal([0, 0]);
    const { channel, opponent, held } = JSON.parse(hers.stdout) as Record<string, string>;
    expect(held).to.deep.equal({ own: String(7n * UNIT), other: String(3n * UNIT) });
    expect(opponent).to.equal(addresses[BOB]);
    const { amount1, amount2, until } = await channels.stateOf(channel);
    expect([amount1, amount2].sort()).to.deep.equal([3n * UNIT, 7n * UNIT]);
    const time = (await world.provider.getBlock("latest"))!.timestamp;
    expect(Number(until) - time).to.be.within(2 * DAY - 60, 2 * DAY);
    expect(his.stdout).to.match(
      new RegExp(
        `^You sit with ${addresses[ALICE]} until .* UTC\\. You hold 3 FIGHT, and ${addresses[ALICE]} holds 7 FIGHT\\.\nTo play: `,
      ),
    );
    // The same command finds the same channel again.
    expect(await bob.run("sit", addresses[ALICE], "--amount", "3")).to.equal(his.stdout.trimEnd());
    expect(await alice.run("sit")).to.match(/^with .*\n0x9965\w+ +7 FIGHT +3 FIGHT +2\d{3}-.* UTC +no match$/);
  });

  it("pays in what the purse lacks before it searches, and again if the money has left the purse since", async () => {
    const waits = alice.start("sit", addresses[BOB], "--amount", "7");
    while (!/^Waiting until /m.test(waits.errors())) await pause(50);
    expect(await purseOf(ALICE)).to.equal(7n * UNIT);
    const signer = await world.provider.getSigner(addresses[ALICE]);
    await world.arena.connect(signer).withdraw(world.addresses.FightToken, 7n * UNIT, addresses[ALICE]);
    const [hers, his] = [await bob.end("sit", addresses[ALICE], "--amount", "7"), await waits.ended];
    expect([hers.code, his.code], hers.stderr + his.stderr).to.deep.equal([0, 0]);
  });

  it("plays challenges in the channel, whichever player must offer, and settles all with one transaction", async () => {
    await seated("--amount", "20");
    const stays = staying();
    const blocks = await world.provider.getBlockNumber();
    let held = { own: 20n * UNIT, other: 20n * UNIT };
    for (let number = 0; number < 4; number++) {
      const { match, outcome, held: after } = await played("rock-paper-scissors", "rock", "--stake", "5", "--unrated");
      expect(match).to.equal(2 ** 14 + number);
      const [own, other] = { won: [3n, -5n], lost: [-5n, 3n], draw: [0n, 0n] }[outcome];
      held = { own: held.own + own * UNIT, other: held.other + other * UNIT };
      expect(after).to.deep.equal({ own: String(held.own), other: String(held.other) });
    }
    expect(await world.provider.getBlockNumber()).to.equal(blocks);
    expect(await alice.run("up")).to.match(new RegExp(`^You have got up from the table with ${addresses[BOB]}: `));
    expect(await world.provider.getBlockNumber()).to.equal(blocks + 1);
    expect(await purseOf(ALICE)).to.equal(held.own);
    expect(await purseOf(BOB)).to.equal(held.other);
    const { code, stdout } = await stays.ended;
    expect(code).to.equal(0);
    expect(stdout.match(/^It is over: .*\n(A draw|You (win|lose))\. You hold /gm)).to.have.length(4);
    expect(stdout.trimEnd().split("\n").at(-1)).to.equal(`${addresses[ALICE]} has got up: the channel is closed.`);
    expect(await alice.run("sit")).to.equal("You sit with nobody, and nobody waits for you.");
  });

  it("plays every game in a channel, and prints the match", async () => {
    await seated();
    const stays = staying();
    for (const { name, modes, demo } of games) {
      const { code, stdout, stderr } = await alice.end("challenge", name, "--mode", demo ?? Object.keys(modes)[0]);
      expect(code, `${name}: ${stderr}`).to.equal(0);
      const lines = stdout.trimEnd().split("\n");
      expect(lines.length, name).to.be.greaterThan(2);
      expect(lines.at(-2), name).to.match(/^It is over: /);
      const [result, ...rest] = lines.at(-1)!.split(" You hold 50 FIGHT, and ");
      expect(result, name).to.be.oneOf(RESULTS);
      expect(rest, name).to.have.length(1);
    }
    expect(await world.arena.matchCount()).to.equal(1n);
    stays.child.kill("SIGINT");
    expect(await stays.ended).to.deep.include({ code: 1, stderr: "Stopped.\n" });
  });

  it("plays a series until a player has won more than half of its matches", async () => {
    await seated();
    const stays = staying();
    const { code, stdout, stderr } = await alice.end("best-of", "3", "rock-paper-scissors", "--json");
    // After the chain is reverted, the command would open its channel again.
    stays.child.kill("SIGKILL");
    await stays.ended;
    expect(code, stderr).to.equal(0);
    const { score, matches } = JSON.parse(stdout) as { score: Record<string, number>; matches: number };
    expect([matches, Math.max(score.won, score.lost)]).to.deep.equal([3, 2]);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).to.have.length(score.won + score.lost + score.draw);
    expect(lines.at(-1)).to.match(new RegExp(`^Match \\d+: (won|lost)\\. ${score.won} : ${score.lost}$`));
  });

  it("shows the next action in a channel, both if no command is given and in lists of matches", async () => {
    await seated();
    for (const account of [ALICE, BOB]) {
      const [challenger, other] = account === ALICE ? [alice, bob] : [bob, alice];
      const waits = challenger.start("challenge", "tic-tac-toe", "4");
      // The player who must offer does so; the other player only asks for a match.
      while (/no match$/.test(await other.run("sit"))) await pause(50);
      const due = new RegExp(
        `^At the table with ${addresses[account]}: (match 16384 of Tic-tac-toe, your turn|the other wants to play Tic-tac-toe): npm run -s play -- sit ${addresses[account]} --stay --account \\d$`,
      );
      const lines = (await other.run("list", "--mine")).split("\n");
      expect(lines.at(-1)).to.match(due);
      const { tables } = await other.json<{ tables: string[] }>();
      expect(tables).to.deep.equal([lines.at(-1)]);
      waits.child.kill("SIGKILL");
      await waits.ended;
      // An open offer would block the next match.
      if (lines.at(-1)!.includes("16384")) break;
    }
  });

  it("reports that the other player declines a match above its largest stake", async () => {
    await seated();
    const stays = staying();
    const waits = alice.start("challenge", "rock-paper-scissors", "rock", "--stake", "11", "--unrated");
    while (!waits.errors().includes("declines")) await pause(50);
    expect(waits.errors()).to.match(
      /\n0x9965\w{36} declines match 16384(: your offer stands until 2\d{3}-.* UTC)?\.\n$/,
    );
    for (const { child, ended } of [waits, stays]) {
      child.kill("SIGKILL");
      await ended;
    }
  });

  it("plays a match between two players who challenge each other", async () => {
    await seated();
    const [hers, his] = await both(
      ["challenge", "rock-paper-scissors", "rock", "--stake", "5"],
      ["challenge", "rock-paper-scissors", "paper", "--stake", "5"],
    );
    expect([hers.code, his.code], hers.stderr + his.stderr).to.deep.equal([0, 0]);
    expect(hers.stdout).to.include("You lose. You hold 45 FIGHT");
    expect(his.stdout).to.include("You win. You hold 53 FIGHT");
  });

  it("plays on the chain with --on-chain, and with players who share no channel", async () => {
    await seated();
    for (const options of [
      ["--opponent", addresses[BOB], "--on-chain"],
      ["--opponent", addresses[6]],
    ]) {
      const count = await world.arena.matchCount();
      const running = alice.start("challenge", "rock-paper-scissors", "rock", ...options);
      while (!running.errors().includes("The offer stands until") && running.child.exitCode === null) await pause(50);
      running.child.kill("SIGINT");
      const { stderr } = await running.ended;
      expect(stderr).to.include("you challenge ");
      expect(await world.arena.matchCount()).to.equal(count + 1n);
    }
  });

  it("posts the last state signed by both if the other player is silent, and prints when the money is free", async () => {
    await seated("--amount", "20", "--days", "3");
    const stays = staying();
    // Only the chain settles a rated match.
    const { held } = await played("rock-paper-scissors", "rock", "--stake", "5");
    stays.child.kill("SIGKILL");
    await stays.ended;
    const { code, stdout, stderr } = await alice.end("up", "--patience", "1s");
    expect(code, stderr).to.equal(0);
    expect(stdout.split("\n")[0]).to.equal(
      `${addresses[BOB]} does not answer: what you both have signed is on the chain.`,
    );
    expect(stdout).to.match(
      /\nYour money is free once 0x9965\w+ answers, or after .* UTC: npm run -s play -- up 0x9965/,
    );
    expect(await alice.end("up", "--patience", "1s", "--json")).to.include({ code: 0 });
    await world.pass(3 * DAY);
    expect(await alice.run("up")).to.include("You have got up from the table");
    expect(await purseOf(ALICE)).to.equal(BigInt(held.own));
    expect(await purseOf(BOB)).to.equal(BigInt(held.other));
  });

  /** Lets both players consent to a channel, and kills their commands before they send the opening. */
  async function consentOnly(): Promise<void> {
    // The node of both players rejects transactions to the channels contract.
    const proxy = await proxyTo(world.port, (method, [tx]) => {
      const isOpening = method === "eth_sendTransaction" && (tx as { to?: string }).to === at.channels.toLowerCase();
      if (isOpening) throw new Error("the node takes nothing now");
      return undefined;
    });
    try {
      const behind = { DUELLO_RPC_URL: proxy.url };
      const running = [
        alice.with(behind).start("sit", addresses[BOB]),
        bob.with(behind).start("sit", addresses[ALICE]),
      ];
      while (!running.some(({ errors }) => errors().includes("the node takes nothing now"))) await pause(50);
      for (const { child } of running) child.kill("SIGKILL");
      await Promise.all(running.map(({ ended }) => ended));
    } finally {
      await proxy.close();
    }
  }

  /** Checks that both commands succeeded, and that they opened one channel. */
  async function expectOneChannel(ended: readonly Ended[]): Promise<void> {
    for (const { code, stdout, stderr } of ended) {
      expect(code, stderr).to.equal(0);
      expect(stdout).to.include("You hold 50 FIGHT");
    }
    expect(await channels.queryFilter(channels.filters.Opened())).to.have.length(1);
  }

  for (const killed of ["hers", "his"] as const) {
    it(`opens one channel if ${killed === "hers" ? "Alice's" : "Bob's"} command is killed before it sends the opening, and is repeated`, async () => {
      await consentOnly();
      const again = killed === "hers" ? [alice, bob] : [bob, alice];
      const first = again[0].start("sit", addresses[killed === "hers" ? BOB : ALICE]);
      const second = again[1].start("sit", addresses[killed === "hers" ? ALICE : BOB]);
      await expectOneChannel(await Promise.all([first.ended, second.ended]));
    });
  }

  it("finds the channel that the other player opens while the command reads what it has agreed to", async () => {
    await consentOnly();
    const firstNonceOf = channels.interface.getFunction("firstNonceOf").selector;
    let his: Ended | undefined;
    let reads = 0;
    // Bob opens the channel between Alice's first two reads of it.
    const proxy = await proxyTo(world.port, async (method, [call]) => {
      const isRead = method === "eth_call" && (call as { data: string }).data.startsWith(firstNonceOf);
      if (isRead && ++reads === 2) his = await bob.start("sit", addresses[ALICE]).ended;
      return undefined;
    });
    try {
      const hers = await alice.with({ DUELLO_RPC_URL: proxy.url }).start("sit", addresses[BOB]).ended;
      await expectOneChannel([his!, hers]);
    } finally {
      await proxy.close();
    }
  });

  it("opens no channel if the amounts differ, and prints the other player's amounts", async () => {
    const waits = bob.start("sit", addresses[ALICE], "--amount", "30");
    while (!waits.errors().includes("Waiting until")) await pause(50);
    const hers = alice.start("sit", addresses[BOB], "--amount", "20");
    while (!hers.errors().includes("Waiting until")) await pause(50);
    expect(hers.errors()).to.match(
      /^Waiting until 0x9965\w+ sits down with you, for 20 FIGHT against 20 FIGHT\. It waits for you with other amounts or a later end: 30 FIGHT against 30 FIGHT until .* UTC\.\n$/,
    );
    for (const { child } of [waits, hers]) child.kill("SIGINT");
    expect(await hers.ended).to.include({ code: 1 });
    expect(await channels.queryFilter(channels.filters.Opened())).to.be.empty;
  });

  /** Answers Alice's search in Bob's name with the given openings, in order. */
  async function answered(openings: readonly Partial<OpenMessage>[]): Promise<RelayChannelTransport> {
    const lobby = new RelayLobby([relay.url], at);
    let [seek] = await lobby.seeks(addresses[BOB]);
    for (; !seek; [seek] = await lobby.seeks(addresses[BOB])) await pause(50);
    const channel: Channel = channelOf(seek, addresses[BOB], keyOf("key of bob").address);
    const transport = new RelayChannelTransport([relay.url], at, channel);
    const wallet = await world.provider.getSigner(addresses[BOB]);
    for (const named of openings) {
      const { amount: amount1, otherAmount: amount2, until } = seek;
      const opening = { channel: channelIdOf(channel), nonce: 2 ** 14, amount1, amount2, until, ...named };
      const { domain, types, value } = openRequest(at, opening);
      const signature = await wallet.signTypedData(domain, types, value);
      await transport.put(channelMessageText({ type: "open", ...opening, player: 2, signature }));
    }
    return transport;
  }

  const greedy = { amount1: 100n * UNIT, amount2: 0n, until: 2 ** 32 - 1 };

  it("signs only the opening that the player's own search names", async () => {
    const hers = alice.start("sit", addresses[BOB]);
    const transport = await answered([greedy, {}]);
    while (!hers.errors().includes("opens the channel.")) await pause(50);
    const { lines } = await transport.after(0);
    expect(lines).to.have.length(2);
    hers.child.kill("SIGINT");
    await hers.ended;
  });

  it("opens a channel even if a stranger searches in the other player's name", async () => {
    const expires = Math.floor(machineClock.now() / 1000) + 100;
    const until = (await world.provider.getBlock("latest"))!.timestamp + DAY;
    const [token, feeBps] = [world.addresses.FightToken, await world.arena.feeBps()];
    const stranger = keyOf("stranger");
    const named = { player: addresses[BOB], key: stranger.address, opponent: addresses[ALICE] };
    const seek = { ...named, token, feeBps, amount: 50n * UNIT, otherAmount: 50n * UNIT, until, expires };
    await new RelayLobby([relay.url], at).put(signedSeek(stranger.signingKey, at, seek));
    const hers = alice.start("sit", addresses[BOB]);
    while (!hers.errors().includes("opens the channel.")) await pause(50);
    const { code, stderr } = await bob.end("sit", addresses[ALICE]);
    expect(code, stderr).to.equal(0);
    expect((await hers.ended).stdout).to.include("You hold 50 FIGHT");
    expect(await channels.queryFilter(channels.filters.Opened())).to.have.length(1);
  });

  it("lists searches of strangers, however large their amounts", async () => {
    const most = 2n ** 96n - 1n;
    const seconds = Math.floor(machineClock.now() / 1000);
    const by = (n: number) => new SigningKey(keyOf(`stranger ${n}`).privateKey);
    for (const [n, token] of [ZeroAddress, addresses[0], at.channels].entries()) {
      const until = 2 ** 32 - 1;
      const expires = seconds + 100;
      const who = {
        player: keyOf(`player ${n}`).address,
        key: keyOf(`stranger ${n}`).address,
        opponent: addresses[ALICE],
      };
      const seek = { ...who, token, feeBps: 2000n, amount: most, otherAmount: most, until, expires };
      await new RelayLobby([relay.url], at).put(signedSeek(by(n), at, seek));
    }
    expect((await alice.run("sit")).split("\n")).to.have.length(4);
  });

  describe("rejects with a one-line error", () => {
    const cases: [string, number, (address: string) => string[], RegExp][] = [
      [
        "sit with the address of the caller",
        2,
        () => ["sit", "ALICE"],
        /^address: it is yours: name the other player$/,
      ],
      ["sit without an address", 2, () => ["sit", "bob"], /^address: bob is not an address$/],
      [
        "sit without an amount",
        2,
        (other) => ["sit", other, "--token", "COIN"],
        /^--amount: left out: say how much of COIN you lock$/,
      ],
      [
        "an amount that is too large",
        2,
        (other) => ["sit", other, "--amount", "79228162515"],
        /^--amount: 79228162515 is too much$/,
      ],
      [
        "a duration that is too long",
        2,
        (other) => ["sit", other, "--days", "366"],
        /^--days: 366 is not between 1 and 365$/,
      ],
      [
        "sit --stay without a channel",
        1,
        () => ["sit", "--stay", "--moves", "random"],
        /^You do not sit with anybody\.$/,
      ],
      ["up without a channel", 1, (other) => ["up", other], /^You do not sit with 0x9965\w{36}\.$/],
      [
        "best-of without a channel",
        1,
        () => ["best-of", "3", "dice"],
        /^You do not sit with one player only: sit ADDRESS sits down with a player\.$/,
      ],
      ["best-of without matches", 2, () => ["best-of", "0", "dice"], /^matches: 0 is not between 1 and 99$/],
    ];
    for (const [name, code, args, line] of cases) {
      it(name, async () => {
        const given = args(addresses[BOB]).map((arg) => (arg === "ALICE" ? addresses[ALICE] : arg));
        expect(await alice.fail(code, ...given)).to.match(line);
      });
    }

    it("a missing relay", async () => {
      const line = await alice.with({ DUELLO_RELAY: "" }).fail(2, "sit", addresses[BOB]);
      expect(line).to.equal("--relay: left out: players meet, and send each other their moves, by a relay");
    });

    it("in a channel: stakes above the balance, invalid moves, and missing moves if there is no terminal", async () => {
      await seated();
      const stays = staying();
      const refused = async (code: number, ...args: string[]) => {
        const ended = await alice.end(...args);
        expect([ended.code, ended.stdout], ended.stderr).to.deep.equal([code, ""]);
        return ended.stderr.trimEnd().split("\n").at(-1);
      };
      const problem = /^Match 16384 must not be played: player [12] holds 50\d+, and its stake is 51\d+\.$/;
      expect(await refused(1, "challenge", "rock-paper-scissors", "rock", "--stake", "51")).to.match(problem);
      expect(await refused(2, "challenge", "rock-paper-scissors", "stone")).to.match(
        /^move: a move of rock-paper-scissors is /,
      );
      stays.child.kill("SIGKILL");
      await stays.ended;
      expect(await bob.fail(2, "sit", "--stay")).to.equal(
        "--moves: left out, and nobody is at a terminal to ask: give random or suggest",
      );
      expect(await bob.fail(2, "sit", "--stay", "--moves", "good")).to.equal(
        "--moves: good is not one of random, suggest",
      );
    });
  });
});
