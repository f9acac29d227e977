import { once } from "node:events";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { folderStore } from "../../cli/relay/folder/store.js";
import { relay } from "../../cli/relay/program.js";
import { plainText } from "../../sdk/protocol/channels/wire.js";
import { Correspondents, RelayWorld } from "../support/relay-world.js";

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

  it("reports at / that it cannot write to the disk, and checks this at most every five seconds", async () => {
    expect(await root()).to.deep.equal([200, undefined]);
    await rm(world.folder, { recursive: true });
    await writeFile(world.folder, "");
    world.time! += 5_001;
    for (let i = 0; i < 3; i++) expect(await root()).to.deep.equal([503, "the store accepts no messages"]);
    expect(world.troubles).to.have.length(1);
    expect(await world.counts()).to.include({ 'works{part="store"}': 0 });
    const health = await fetch(new URL("/health", world.relay.metricsUrl));
    expect([health.status, await health.text()]).to.deep.equal([503, "the store accepts no messages\n"]);
  });

  it("serves counts of accepted, rejected and stored messages on a separate address", async () => {
    const pair = new Correspondents("alice and bob");
    for (const status of [201, 200]) expect((await world.put(pair, pair.move(1))).status).to.equal(status);
    expect((await world.put(pair, { ...pair.move(1), count: 2 })).status).to.equal(400);
    const body = plainText(pair.seek());
    await world.ask(world.path("lobby"), { method: "PUT", body });
    expect((await world.ask("/metrics")).status).to.equal(404);
    await once(await world.open("nonsense\r\n\r\n"), "close");
    expect(await world.counts()).to.include({
      'messages_taken_total{type="move"}': 1,
      messages_repeated_total: 1,
      'requests_refused_total{reason="invalid"}': 1,
      'requests_refused_total{reason="not-found"}': 1,
      'requests_refused_total{reason="malformed"}': 1,
      'requests_refused_total{reason="queue"}': 0,
      'waiting{for="messages"}': 0,
      'kept{what="channels"}': 1,
      'kept{what="bytes"}': (await stat(join(world.folder, `${pair.id}.jsonl`))).size,
      'kept{what="seeks"}': 1,
    });
    const answer = await fetch(world.relay.metricsUrl);
    expect(answer.headers.get("content-type")).to.match(/^text\/plain; version=0.0.4/);
    expect((await fetch(new URL("/", world.relay.metricsUrl))).status).to.equal(404);
  });

  it("serves counts only if configured to, and reports an error if the address for the counts is taken", async () => {
    const { port } = new URL(world.relay.metricsUrl);
    const metrics = { port: Number(port), host: "127.0.0.1" };
    const other = { store: folderStore(join(world.folder, "other")), metrics };
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
