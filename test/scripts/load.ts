import { expect } from "chai";
import { runLoad } from "../../scripts/load/command.js";
import { Histogram } from "../../scripts/load/histogram.js";
import { Ledger, type Faults } from "../../scripts/load/ledger.js";
import { pairOf } from "../../scripts/load/pair.js";
import { LoadPlayer } from "../../scripts/load/player.js";
import type { Figures } from "../../scripts/load/run.js";
import { faultsOf } from "../../scripts/load/stored.js";
import { MemoryChannelTransport, type ReadLines } from "../../sdk/player/channels/transport.js";
import { runInside } from "../support/inside.js";
import { AT } from "../support/relay-world.js";
import { runScript } from "../support/running.js";

const NONE: Faults = { lost: 0, doubled: 0, disordered: 0 };

describe("npm run load", () => {
  it("prints latency, processor time and memory, and nothing is lost when the relay is killed", async () => {
    const args = ["--players", "6", "--minutes", "0.05", "--think", "0.2", "--kills", "1", "--seed", "planted"];
    const { code, stdout, stderr } = await runScript("scripts/load.ts", args).ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    const [head, how, messages, relays, latency, killed, calm, timers, columns, relay, ...rest] = stdout.split("\n");
    expect(head).to.equal("6 players, 1 relay, messages in a folder");
    expect(how).to.match(/^0\.05 minutes, think time 0\.2 s on average, seed planted; /);
    expect(messages).to.match(/^\d+ messages in \d+ s, \d+ a second; \d+ requests failed and were repeated$/);
    expect(relays).to.match(
      /^Relays: \d+ messages for each second of a core; message : recovery of a signer by ethers = \d+\.\d\d : 1$/,
    );
    const times = "p50 [\\d.]+, p90 [\\d.]+, p99 [\\d.]+, max \\d+ ms, of \\d+$";
    expect(latency).to.match(new RegExp(`^From player to player, signed and checked: ${times}`));
    expect(killed).to.match(new RegExp(`^ {2}within 10 s after a kill of a relay: ${times}`));
    expect(calm).to.match(new RegExp(`^ {2}at other times: ${times}`));
    expect(timers).to.match(/ were late by p99 and max: \d+ and \d+ ms; \d+ and \d+ ms$/);
    expect(columns).to.match(/^ +processor s +ms a message +MB at 10, 50, 100 %$/);
    expect(relay).to.match(/^relay 1 +[\d.]+ +[\d.]+ +\d+, \d+, \d+$/);
    expect(rest.map((line) => line.split(":")[0].replace(/ {2}.*/, ""))).to.deep.equal([
      ...["players 1", "players 2", "Killed with signal 9 and started again", "Checked", ""],
    ]);
  });

  it("exits with 1 if a message is lost, doubled or out of order, and says where", async () => {
    const figures: Figures = {
      ...{ messages: 10, seconds: 1, processes: [], players: [], killed: [] },
      arrived: { lost: 1, doubled: 2, disordered: 3 },
      stored: NONE,
    };
    const ended = (changes: Partial<Figures>) => runInside(() => runLoad([], async () => ({ ...figures, ...changes })));
    const { code, stderr } = await ended({});
    expect([code, stderr]).to.deep.equal([1, "Messages at the players: 1 lost, 2 doubled, 3 out of order.\n"]);
    const stored = await ended({ arrived: NONE, stored: { ...NONE, lost: 4 } });
    expect([stored.code, stored.stderr]).to.deep.equal([
      1,
      "Messages in the store: 4 lost, 0 doubled, 0 out of order.\n",
    ]);
    expect((await ended({ arrived: NONE })).code).to.equal(0);
  });

  for (const wrong of [
    ["--players", "3"],
    ["--players", "0"],
    ["--minutes", "0.0"],
    ["--relays", "2"],
    ["--relay-share", "1"],
    ["--recorded", "10", "--kills", "1"],
    ["--seed", "a b"],
    ["--bogus"],
  ]) {
    it(`refuses ${wrong.join(" ")} with a one-line error`, async () => {
      const { code, stdout, stderr } = await runInside(() => runLoad(wrong));
      expect([code, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.match(/^[^\n]+\n$/);
    });
  }
});

describe("The players of a load", () => {
  /** Lets two players play over a transport until one of them sends a message with this number. */
  async function faultsOver(transport: MemoryChannelTransport, last: number): Promise<Faults[]> {
    const pair = pairOf("planted", 0);
    const over = new AbortController();
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const put = transport.put.bind(transport);
    transport.put = async (line) => {
      await put(line);
      if (line.includes(`"count":${last},`)) end();
    };
    const options = { at: AT, place: { transportOf: () => transport }, think: () => 0 };
    const calls = { onArrival: () => undefined, onFailure: () => undefined };
    const players = ([1, 2] as const).map((player) => new LoadPlayer(pair, player, { ...options, ...calls }));
    await Promise.all(players.map((player) => player.enter()));
    const playing = players.map((player) => player.play(over.signal));
    await ended;
    await Promise.all(players.map((player) => player.leave()));
    over.abort();
    await Promise.all(playing);
    return players.map((player, i) => player.arrived.faults(players[1 - i].acknowledged));
  }

  it("count a message as lost that a relay acknowledges and does not pass on", async () => {
    class Dropping extends MemoryChannelTransport {
      override async put(line: string): Promise<void> {
        if (!line.includes(`"count":4,`)) await super.put(line);
      }
    }
    expect(await faultsOver(new Dropping(), 4)).to.deep.equal([{ ...NONE, lost: 1 }, NONE]);
  });

  it("count a message that a relay passes on twice, and answer it once", async () => {
    class Doubling extends MemoryChannelTransport {
      override async after(seen: number): Promise<ReadLines> {
        const read = await super.after(seen);
        return { ...read, lines: read.lines.flatMap((line) => (line.includes(`"count":2,`) ? [line, line] : [line])) };
      }
    }
    const transport = new Doubling();
    const [first] = await faultsOver(transport, 6);
    expect(first.doubled).to.equal(1);
    expect(transport.lines.filter((line) => line.includes(`"count":3,`)).length).to.equal(1);
  });
});

describe("The ledger of a load", () => {
  const faultsAfter = (arrived: number[], acknowledged: number) => {
    const ledger = new Ledger();
    for (const number of arrived) ledger.take(number);
    return ledger.faults(acknowledged);
  };

  it("counts acknowledged messages that have not arrived, and none that are not acknowledged", () => {
    expect(faultsAfter([1, 2, 3], 3)).to.deep.equal(NONE);
    expect(faultsAfter([1, 2, 3], 2)).to.deep.equal(NONE);
    expect(faultsAfter([1, 2], 4)).to.deep.equal({ ...NONE, lost: 2 });
    expect(faultsAfter([1, 3, 4], 3)).to.deep.equal({ ...NONE, lost: 1, disordered: 2 });
  });

  it("counts messages that arrive again, and those that arrive before an earlier one", () => {
    expect(faultsAfter([1, 1, 2, 1], 2)).to.deep.equal({ ...NONE, doubled: 2 });
    expect(faultsAfter([2, 2, 1, 3], 3)).to.deep.equal({ ...NONE, doubled: 1, disordered: 1 });
  });

  it("counts each player's messages in the store, of which the oldest may have been dropped", () => {
    const stored = (...counts: number[]) => counts.map((count) => ({ count }));
    expect(faultsOf(stored(1, 2, 3, 4), 1, 2)).to.deep.equal(NONE);
    expect(faultsOf(stored(7, 8, 9, 10), 2, 5)).to.deep.equal(NONE);
    expect(faultsOf(stored(1, 2, 2, 3), 2, 2)).to.deep.equal({ ...NONE, lost: 1, doubled: 1 });
    expect(faultsOf([], 1, 3)).to.deep.equal({ ...NONE, lost: 3 });
  });
});

describe("The histogram of a load", () => {
  it("gives percentiles that are at most 2 % too high, also of the sum of two", () => {
    const [low, high] = [new Histogram(), new Histogram()];
    for (let i = 1; i <= 90; i++) low.add(i);
    for (let i = 91; i <= 100; i++) high.add(10 * i);
    const both = new Histogram(low.times, high.times);
    expect([both.total, both.times.max, both.percentile(1)]).to.deep.equal([100, 1000, 1000]);
    expect(both.percentile(0.5)).to.be.within(50, 51);
    expect(both.percentile(0.99)).to.be.within(990, 1000);
    expect(new Histogram().percentile(0.5)).to.equal(0);
  });
});
