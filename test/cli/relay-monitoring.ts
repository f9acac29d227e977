import { once } from "node:events";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { relay } from "../../cli/relay/program.js";
import { messageText } from "../../sdk/protocol/away/messages.js";
import { RelayWorld } from "../support/relay-world.js";
import { versionLine } from "../../sdk/protocol/version.js";

describe("Monitoring of a relay", () => {
  let world: RelayWorld;

  beforeEach(async () => {
    world = await RelayWorld.open();
    world.time = 0;
  });
  afterEach(() => world.close());

  const root = async () => {
    const { status, text } = await world.ask("/");
    return [status, (JSON.parse(text) as { error?: string }).error];
  };

  it("reports at / that the node does not answer, and checks it at most every five seconds", async () => {
    let checks = 0;
    world.onCheck = async () => {
      checks++;
      throw new Error("no node at http://example.org/key");
    };
    for (let i = 0; i < 10; i++) expect(await root()).to.deep.equal([503, "the chain does not answer the relay"]);
    expect([checks, world.troubles]).to.deep.equal([1, ["no node at http://example.org/key"]]);
    expect(await world.counts()).to.include({ 'works{part="node"}': 0, 'works{part="disk"}': 1 });
    const health = await fetch(new URL("/health", world.relay.metricsUrl));
    expect([health.status, await health.text()]).to.deep.equal([503, "the chain does not answer the relay\n"]);
    world.onCheck = async () => undefined;
    world.time! += 5_001;
    expect(await root()).to.deep.equal([200, undefined]);
    expect(await readdir(world.folder)).to.deep.equal([]);
  });

  it("reports at / that the disk cannot be written", async () => {
    expect(await root()).to.deep.equal([200, undefined]);
    await rm(world.folder, { recursive: true });
    await writeFile(world.folder, "");
    world.time! += 5_001;
    expect(await root()).to.deep.equal([503, "the disk takes no messages"]);
    expect(await world.counts()).to.include({ 'works{part="node"}': 1, 'works{part="disk"}': 0 });
    expect(world.troubles).to.have.length(1);
  });

  it("serves counts of accepted, rejected and stored messages on a separate address", async () => {
    const [{ matchId, move }] = await world.join(7);
    for (const status of [201, 200]) expect((await world.put(matchId, move)).status).to.equal(status);
    expect((await world.put(8, move)).status).to.equal(404);
    expect((await world.ask("/metrics")).status).to.equal(404);
    await once(await world.open("nonsense\r\n\r\n"), "close");
    expect(await world.counts()).to.include({
      'messages_taken_total{type="move"}': 1,
      messages_repeated_total: 1,
      'requests_refused_total{reason="not-in-play"}': 1,
      'requests_refused_total{reason="not-found"}': 1,
      'requests_refused_total{reason="malformed"}': 1,
      'requests_refused_total{reason="queue"}': 0,
      'waiting{for="messages"}': 0,
      'kept{what="matches"}': 1,
      'kept{what="bytes"}': versionLine("the archive of a relay").length + messageText(move).length + 2,
    });
    const answer = await fetch(world.relay.metricsUrl);
    expect(answer.headers.get("content-type")).to.match(/^text\/plain; version=0.0.4/);
    expect((await fetch(new URL("/", world.relay.metricsUrl))).status).to.equal(404);
  });

  it("serves counts only if configured, and reports if it cannot", async () => {
    const { port } = new URL(world.relay.metricsUrl);
    const metrics = { port: Number(port), host: "127.0.0.1" };
    const other = { folder: join(world.folder, "other"), metrics };
    const started = world.relay;
    const taken = await world.start({}, other).catch((error: unknown) => (error as Error).message);
    expect(taken).to.match(/^Port \d+ of 127.0.0.1 is taken: .* e.g. --metrics 127.0.0.1:\d+\.$/);
    expect(world.relay).to.equal(started);
    await world.restart({}, { metrics: undefined });
    expect(() => world.relay.metricsUrl).to.throw();
  });

  for (const [option, value, problem] of [
    ["--metrics", "9464", "9464 is no address such as 127.0.0.1:9464"],
    ["--metrics", "127.0.0.1:0", "0 is not a port"],
    ["--trust-proxy", "proxy", "proxy is neither an IP address nor a subnet such as 10.0.0.0/8"],
  ]) {
    it(`refuses ${option} ${value} on the command line`, async () => {
      const error = console.error;
      const lines: string[] = [];
      console.error = (line: string) => lines.push(line);
      try {
        expect(await relay([option, value])).to.equal(2);
      } finally {
        console.error = error;
      }
      expect(lines).to.deep.equal([`${option}: ${problem}`]);
    });
  }
});
