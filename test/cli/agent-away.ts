import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { dataLength } from "ethers";
import type { Relay } from "../../cli/relay/relay.js";
import { games } from "../../sdk/games/index.js";
import { History } from "../../sdk/chain/history.js";
import { replay } from "../../sdk/verify/replay.js";
import { TABLE_BYTES } from "../../sdk/protocol/away/table.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { openSteppedAgent, type SteppedAgent, type Wanted } from "../support/agent-support.js";
import { lineTo, startRelay, type Fate } from "../support/away-support.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, AGENT, OTHER, OLGA] = [4, 6, 7, 8];
const DAY = 86_400;
/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

describe("npm run agent: away from the chain", () => {
  let world: PlayWorld;
  let addresses: string[];
  let snapshot: unknown;
  let relay: Relay;
  let alice: Terminal;
  const opened: SteppedAgent[] = [];
  const lines: { close: () => Promise<void> }[] = [];

  before(async () => {
    world = await startWorld();
    addresses = await Promise.all((await world.provider.listAccounts()).map((signer) => signer.getAddress()));
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    relay = await startRelay(world);
    alice = await world.terminal(["--account", String(ALICE)], { DUELLO_RELAY: relay.url });
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) each.close();
    for (const each of lines.splice(0)) await each.close();
    await relay.stop();
    await world.provider.send("evm_revert", [snapshot]);
  });

  async function agentWith(wanted: Partial<Wanted> = {}): Promise<SteppedAgent> {
    const started = await openSteppedAgent(world, { account: AGENT, ...wanted, relay: wanted.relay ?? relay.url });
    opened.push(started);
    return started;
  }

  const statusOf = (matchId = 2) => world.arena.statusOf(matchId);
  const turn = async () => (await world.arena.matchOf(2)).turn;
  const blocks = () => world.provider.getBlockNumber();
  const isOver = async () => (await statusOf()) > Status.AllJoined;

  /** Offers match 2 to an agent, and lets it join. */
  async function joined(agent: SteppedAgent, ...flags: string[]): Promise<void> {
    await alice.run("create", "warmancer", "TG/SL", "--mode", "quick-away", "--opponent", agent.address, ...flags);
    while ((await statusOf()) < Status.AllJoined) await agent.settle();
  }

  /** Takes Alice's next step, if there is one, by the suggested command. @returns false if there is none */
  async function step(by: Terminal = alice): Promise<boolean> {
    const { stdout } = await by.end("show", "2");
    const [, words] = / -- ((?:act|agree|settle) 2.*) --account \d$/m.exec(stdout) ?? [];
    if (words === undefined) return false;
    await by.end(...words.split(" "), "--yes");
    return true;
  }

  /** Lets an agent and Alice play until the match is over. */
  async function finish(agent: SteppedAgent, by: Terminal = alice): Promise<void> {
    while (!(await isOver())) {
      await agent.settle(3);
      await step(by);
    }
  }

  async function expectIdentical(): Promise<void> {
    const history = new History(world.provider, world.addresses);
    expect((await replay(history, games, 2n)).mismatch).to.equal(undefined);
  }

  it("plays a whole game against a challenge, and settles it in one transaction", async () => {
    const agent = await agentWith();
    const challenged = alice.end(
      "challenge",
      "warmancer",
      "--mode",
      "quick-away",
      "--opponent",
      agent.address,
      "--yes",
    );
    let ended = false;
    void challenged.finally(() => (ended = true));
    while (!ended) await agent.settle(2);
    const { code, stdout } = await challenged;
    expect(code).to.equal(0);
    expect(stdout).to.match(/\n(You have won|You have lost|It is a draw)\.\n/);
    const { actions, agreement } = await new History(world.provider, world.addresses).match(2n);
    expect([actions, agreement !== undefined]).to.deep.equal([[], true]);
    await agent.settle(2);
    const told = agent.reports().filter(({ match }) => match === "2");
    expect(told.slice(0, 4).map(({ event }) => event)).to.deep.equal(["taken", "funded", "joined", "acted"]);
    expect(told.at(-1), JSON.stringify(told.slice(-4))).to.include({ event: "settled" });
    await expectIdentical();
  });

  it("plays against a person who is asked for each move at a terminal", async () => {
    const agent = await agentWith();
    const typed: [RegExp, string][] = [
      [/Your move: SETUP/, "\r"],
      [/◆\s+Your move: MOVE/, "\r"],
      [/◆\s+Your move: MOVE/, "\u0003"],
    ];
    const offer = ["warmancer", "--mode", "skirmish-away", "--opponent", agent.address];
    let ended = false;
    const typing = alice.typing(typed, "challenge", ...offer).finally(() => (ended = true));
    while (!ended) await agent.settle(2);
    const { screen } = await typing;
    expect(screen).to.include("▲ player 1, ▽ player 2");
    expect(screen).to.match(
      /No move was given: .* Match 2 is in play away from the chain until .*; challenge 2 continues/,
    );
    // What was typed is signed, and the match goes on with other commands.
    expect(await alice.run("show", "2")).to.match(/After [2-9] actions away from the chain player 1 is in turn\./);
  });

  it("plays by itself, two matches at once, and stops while it waits at a table", async () => {
    const agent = await agentWith();
    const bob = await world.terminal(["--account", String(OTHER)], { DUELLO_RELAY: relay.url });
    const stop = new AbortController();
    const running = agent.agent.run(stop.signal);
    const offer = ["warmancer", "--mode", "quick-away", "--opponent", agent.address];
    await alice.run("create", "warmancer", "TG/SL", ...offer.slice(1));
    const { code } = await bob.end("challenge", ...offer, "--yes");
    expect([code, await statusOf(2)]).to.deep.equal([0, Status.AllJoined]);
    expect(await statusOf(3)).to.be.greaterThan(Status.AllJoined);
    expect((await new History(world.provider, world.addresses).match(3n)).actions).to.deep.equal([]);
    stop.abort();
    await running;
    expect(agent.reports().filter(({ event }) => event === "trouble")).to.deep.equal([]);
  });

  it("plays against another agent", async () => {
    const [one, two] = [await agentWith({ account: ALICE, home: alice.home }), await agentWith({ account: OTHER })];
    await alice.run("create", "warmancer", "TG/SL", "--mode", "quick-away", "--opponent", two.address);
    while (!(await isOver())) {
      await two.settle(3);
      await one.settle(3);
    }
    expect((await new History(world.provider, world.addresses).match(2n)).actions).to.deep.equal([]);
    await expectIdentical();
  });

  it("ignores off-chain matches if its policy says so", async () => {
    const agent = await agentWith({ policy: { away: false } });
    await alice.run("create", "warmancer", "TG/SL", "--mode", "quick-away", "--opponent", agent.address);
    await agent.settle();
    expect(agent.reports().find(({ event }) => event === "left")!.why).to.equal("I do not play away from the chain");
    await alice.run("create", "warmancer", "TG/SL", "--mode", "quick", "--opponent", agent.address);
    await agent.settle();
    expect(await statusOf(3)).to.equal(Status.AllJoined);
  });

  it("ignores off-chain matches if no relay is configured", async () => {
    const agent = await agentWith({ relay: "" });
    await alice.run("create", "warmancer", "TG/SL", "--mode", "quick-away", "--opponent", agent.address);
    await agent.settle();
    const left = agent.reports().filter(({ event }) => event === "left");
    expect(left.map(({ why }) => why)).to.deep.equal(["it is played away from the chain, and I am told of no relay"]);
    await alice.run("create", "warmancer", "TG/SL", "--mode", "quick", "--opponent", agent.address);
    await agent.settle();
    expect([await statusOf(2), await statusOf(3)]).to.deep.equal([Status.P1Deposited, Status.AllJoined]);
  });

  it("ends with an error where its log cannot be written while it plays at a table", async () => {
    const agent = await agentWith();
    await joined(agent);
    await step();
    const file = join(agent.home, "log.jsonl");
    await rm(file);
    await mkdir(file);
    const error = await agent.agent.run(new AbortController().signal).catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.include(`The log ${file} cannot be written: it is a folder, not a file.`);
    await agent.agent.away.settled();
  });

  for (const cut of [0, 2]) {
    it(`posts once its patience is over, and finishes on chain: after ${cut} steps of the other player`, async () => {
      const first = await agentWith();
      await joined(first);
      for (let i = 0; i < cut; i++) {
        await step();
        await first.settle(3);
      }
      first.close();
      const { url } = relay;
      await relay.stop();
      const agent = await agentWith({ home: first.home, policy: { patience: "0s" }, relay: url });
      await agent.settle();
      expect(await turn()).to.equal(Seat.One);
      expect(agent.reports().map(({ event }) => event)).to.include("post");
      // Who has kept nothing of a match waits for a relay before it accepts anything, unless it names none.
      await finish(agent, alice.with({ DUELLO_RELAY: cut === 0 ? "" : url }));
      expect(await isOver()).to.equal(true);
      relay = await startRelay(world);
    });
  }

  it("falls back to the chain on both sides where the relay dies in the middle", async () => {
    const agent = await agentWith({ policy: { patience: "1s" } });
    const offer = ["warmancer", "--mode", "quick-away", "--opponent", agent.address, "--patience", "1s", "--yes"];
    const challenged = alice.end("challenge", ...offer);
    let ended = false;
    void challenged.finally(() => (ended = true));
    let isCut = false;
    while (!ended) {
      await agent.settle(2);
      if (isCut || !agent.reports().some(({ event }) => event === "acted")) continue;
      isCut = true;
      await relay.stop();
    }
    const { code, stdout, stderr } = await challenged;
    relay = await startRelay(world);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/\n(You have won|You have lost|It is a draw)\.\n/);
    const { actions } = await new History(world.provider, world.addresses).match(2n);
    expect(actions.length).to.be.greaterThan(1);
  });

  it("waits as long as its policy says", async () => {
    const agent = await agentWith({ policy: { patience: "1d" } });
    await joined(agent);
    await agent.settle();
    expect(await turn()).to.equal(Seat.Either);
    await world.pass(26 * DAY);
    await agent.settle();
    expect(await turn()).to.equal(Seat.Either);
    // Three days before the end it posts all the same.
    await world.pass(DAY + 60);
    await agent.settle();
    expect(await turn()).to.equal(Seat.One);
  });

  it("plays on at the table where it cannot pay for a post", async () => {
    const agent = await agentWith({ policy: { patience: "1s" } });
    await joined(agent);
    await world.provider.send("hardhat_setBalance", [agent.address, "0x0"]);
    await pause(1100);
    await agent.settle(5);
    expect(agent.reports().at(-1)!.text).to.match(/too little of the chain's coin/);
    await step();
    const hasActed = () => agent.reports().some(({ event }) => event === "acted");
    // A failed read is tried again after two seconds.
    while (!hasActed()) {
      await pause(100);
      await agent.settle(2);
    }
    expect(await turn()).to.equal(Seat.Either);
  });

  it("answers a post with a newer state, and another one by accepting it and its own action", async () => {
    const agent = await agentWith();
    await joined(agent);
    // Alice's own relay has lost all of it.
    await alice.run("post", "2");
    expect(await turn()).to.equal(Seat.Two);
    await agent.settle();
    expect(await turn()).to.equal(Seat.One);
    expect(agent.reports().at(-1)!.event).to.equal("accept");
    await finish(agent);
    expect(await isOver()).to.equal(true);
  });

  it("supersedes an old post", async () => {
    const agent = await agentWith();
    await joined(agent);
    const fresh = await alice.elsewhere({ DUELLO_RELAY: "" });
    for (let i = 0; i < 3; i++) {
      await step();
      await agent.settle(3);
    }
    // Signed states are not on this machine: it posts the state after joining.
    await fresh.run("post", "2");
    await agent.settle();
    expect(agent.reports().at(-1)!.event).to.equal("supersede");
    expect(await turn()).to.equal(Seat.One);
    await finish(agent);
    expect(await isOver()).to.equal(true);
  });

  const fates: [string, Fate][] = [
    ["before the relay has it", "cut"],
    ["after the relay has it", "cut after"],
  ];
  for (const [when, fate] of fates) {
    it(`goes on where it was killed as it sent each message, ${when}`, async () => {
      let [isCut, cuts] = [false, 0];
      const line = await lineTo(relay.url, (method) => {
        if (method !== "PUT" || !isCut) return "pass";
        cuts++;
        return fate;
      });
      lines.push(line);
      let agent = await agentWith({ relay: line.url });
      await joined(agent);
      while (!(await isOver())) {
        const before = cuts;
        isCut = true;
        await agent.settle(3);
        isCut = false;
        if (cuts > before) {
          agent.close();
          agent = await agentWith({ relay: line.url, home: agent.home });
        }
        await agent.settle(2);
        await step();
      }
      expect(cuts).to.be.greaterThan(0);
      expect((await new History(world.provider, world.addresses).match(2n)).actions).to.deep.equal([]);
    });
  }

  it("resumes after a restart at each tick, also on a machine without its files", async () => {
    let agent = await agentWith();
    await joined(agent);
    for (let i = 0; !(await isOver()); i++) {
      await agent.agent.tick();
      await agent.agent.away.settled();
      agent.close();
      agent = await agentWith(i % 3 === 2 ? {} : { home: agent.home });
      await agent.settle(1);
      await step();
    }
    expect((await new History(world.provider, world.addresses).match(2n)).actions).to.deep.equal([]);
  });

  it("agrees to a draw only after the number of actions in its policy", async () => {
    const agent = await agentWith({ policy: { agree: 3 } });
    await joined(agent);
    await step();
    await alice.run("agree", "2", "draw");
    await agent.settle();
    expect(agent.reports().at(-1)!.event).to.equal("acted");
    await step();
    const { code } = await alice.end("agree", "2", "draw");
    expect(code).to.equal(0);
    await agent.settle();
    expect(agent.reports().at(-1)).to.include({ event: "agreed", text: "I sign a draw." });
    await alice.run("agree", "2", "draw");
    expect(await statusOf()).to.equal(Status.Draw);
  });

  it("plays on where nothing has come of a draw to which it has agreed", async () => {
    const agent = await agentWith({ policy: { agree: 1 } });
    await joined(agent);
    await step();
    await alice.run("agree", "2", "draw");
    await agent.settle();
    expect(agent.reports().at(-1)).to.include({ event: "agreed", text: "I sign a draw." });
    await world.pass(601);
    await agent.settle();
    expect(agent.reports().at(-1)!.event).to.equal("acted");
  });

  it("agrees to no draw by default", async () => {
    const agent = await agentWith();
    await joined(agent);
    await step();
    await alice.run("agree", "2", "draw");
    await agent.settle();
    expect(agent.reports().at(-1)!.event).to.equal("acted");
  });

  it("takes a resignation at the table, and settles it", async () => {
    const agent = await agentWith();
    await joined(agent);
    const before = await blocks();
    const resigned = alice.end("resign", "2", "--yes");
    let ended = false;
    void resigned.finally(() => (ended = true));
    while (!ended) await agent.agent.tick();
    expect((await resigned).code).to.equal(0);
    const { agreement } = await new History(world.provider, world.addresses).match(2n);
    expect([agreement?.winner, (await blocks()) - before]).to.deep.equal([Seat.Two, 1]);
  });

  const bad: [string, () => Fate][] = [
    ["never answers", () => "stall"],
    [
      "answers with a flood",
      () => ({ body: `{"messages":[${Array(3000).fill('{"type":"move"}').join(",")}],"seen":1}` }),
    ],
    ["answers nonsense", () => ({ body: "{" })],
  ];
  for (const [what, fate] of bad) {
    it(`plays its other matches in time where a relay ${what}`, async () => {
      const line = await lineTo(relay.url, fate);
      lines.push(line);
      const agent = await agentWith({ relay: line.url });
      await alice.run("create", "warmancer", "TG/SL", "--mode", "quick-away", "--opponent", agent.address);
      await alice.end("create", "tic-tac-toe", "5", "--opponent", agent.address);
      // No tick waits for what goes on at a table.
      for (const matchId of [2, 3]) {
        for (let i = 0; i < 20 && (await statusOf(matchId)) < Status.AllJoined; i++) {
          await agent.agent.tick();
          await world.pass(1);
        }
        expect(await statusOf(matchId)).to.equal(Status.AllJoined);
      }
    });
  }

  describe("as a watchtower", () => {
    let agent: SteppedAgent;
    let olga: SteppedAgent;
    /** Starts a watchtower. @param home Its folder; defaults to a new one. */
    let watch: (home?: string) => Promise<SteppedAgent>;

    beforeEach(async () => {
      agent = await agentWith({ policy: { patience: "1d" } });
      await joined(agent);
      watch = async (home) => {
        const file = join(agent.home, "secrets.json");
        await writeFile(file, await alice.run("secrets", "export", "2"));
        return agentWith({ account: OLGA, plays: false, secrets: [file], ...(home !== undefined && { home }) });
      };
      await alice.run("allow", addresses[OLGA], "--for", "60d");
    });

    it("does nothing while the match is away", async () => {
      await step();
      olga = await watch();
      // Two hours are left, less than a quarter of the clock.
      await world.pass(30 * DAY - 7200);
      const before = await blocks();
      await olga.settle();
      expect([await turn(), (await blocks()) - before]).to.deep.equal([Seat.Either, 1]);
      expect(olga.reports()).to.deep.equal([]);
    });

    it("supersedes an old post by what the relay has, once the clock runs short", async () => {
      for (let i = 0; i < 3; i++) {
        await step();
        await agent.settle(3);
      }
      olga = await watch();
      const fresh = await agentWith({ policy: { patience: "0s" }, relay: NOWHERE });
      await fresh.settle();
      expect(await turn()).to.equal(Seat.One);
      await olga.settle();
      expect(await turn()).to.equal(Seat.One);
      await world.pass((DAY * 4) / 5);
      await olga.settle();
      expect(await turn()).to.equal(Seat.Two);
      expect(olga.reports().map(({ event }) => event)).to.deep.equal(["supersede"]);
    });

    it("accepts the newest post for its player, and plays on by its secrets", async () => {
      olga = await watch();
      const fresh = await agentWith({ home: agent.home, policy: { patience: "0s" } });
      await fresh.settle();
      expect(await turn()).to.equal(Seat.One);
      await world.pass((DAY * 4) / 5);
      await olga.settle();
      expect(await turn()).to.equal(Seat.Two);
      expect(olga.reports().map(({ event }) => event)).to.include("accept");
    });

    it("shows the same move after a restart, where what it has sent is not mined", async () => {
      olga = await watch();
      const fresh = await agentWith({ home: agent.home, policy: { patience: "0s" } });
      await fresh.settle();
      await world.pass((DAY * 4) / 5);
      const sent: string[] = [];
      for (const undone of [await world.provider.send("evm_snapshot", []), undefined]) {
        await olga.settle();
        sent.push((await new History(world.provider, world.addresses).match(2n)).actions.at(-1)!.data);
        olga.close();
        if (undone === undefined) break;
        await world.provider.send("evm_revert", [undone]);
        olga = await watch(olga.home);
      }
      expect(dataLength(sent[0])).to.be.greaterThan(1 + TABLE_BYTES);
      expect(sent[1]).to.equal(sent[0]);
    });
  });
});
