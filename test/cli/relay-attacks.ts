import { once } from "node:events";
import { expect } from "chai";
import { clientOf, readClients, readProxies } from "../../cli/shared/server/client-address.js";
import { channelIdOf } from "../../sdk/protocol/channels/messages.js";
import { MAX_ACTION_BYTES, plainText } from "../../sdk/protocol/channels/wire.js";
import { InputError } from "../../sdk/protocol/input.js";
import { AT, Correspondents, RelayWorld } from "../support/relay-world.js";

/** Requests can wait so long in queues that no machine is too slow for these tests. */
const PATIENT = { patience: 600_000 };
/** Addresses of a player and of an attacker. */
const [PLAYER, ATTACKER] = ["127.0.0.1", "127.0.0.2"];

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);

/** Counts equal entries. */
function tally<T extends string | number>(entries: readonly T[]): Record<T, number> {
  return Object.fromEntries(
    entries.map((entry) => [entry, entries.filter((other) => other === entry).length]),
  ) as Record<T, number>;
}

describe("A relay under attack", () => {
  const pair = new Correspondents("alice and bob");
  const path = `/${AT.chainId}/${AT.channels}/${pair.id}/0`;
  let world: RelayWorld;

  beforeEach(async () => {
    world = await RelayWorld.open(PATIENT);
  });
  afterEach(() => world.close());

  const statusOf = async (path: string, from: string) => (await world.ask(path, { from })).status;

  it("accepts messages of players while eight connections of a stranger send unsigned messages", async () => {
    const forged = { ...pair.move(1), count: 2 };
    let isOver = false;
    const attackers = upTo(8).map(async () => {
      while (!isOver) await world.put(pair, forged, { from: ATTACKER });
    });
    const statuses: number[] = [];
    for (const count of upTo(10)) statuses.push((await world.put(pair, pair.move(count))).status);
    isOver = true;
    await Promise.all(attackers);
    expect(tally(statuses)).to.deep.equal({ 201: 10 });
  });

  it("accepts a burst of messages of 20 new channels at the first try", async () => {
    const pairs = upTo(20).map((number) => new Correspondents(`pair ${number}`));
    const answers = await Promise.all(pairs.map((each) => world.put(each, each.open(1))));
    expect(tally(answers.map(({ status }) => status))).to.deep.equal({ 201: 20 });
  });

  describe("by held connections", () => {
    for (const [what, sent] of [
      ["idle connections", ""],
      ["connections with slow headers", "GET / HTTP/1.1\r\nHost: "],
    ]) {
      it(`answers everybody while one client holds more ${what} than there are slots`, async () => {
        await world.restart({ connections: 100 });
        for (let i = 0; i < 110; i++) await world.open(sent, ATTACKER);
        for (const from of [PLAYER, ATTACKER]) expect(await statusOf(path, from), from).to.equal(200);
      });
    }

    it("answers everybody while many clients hold idle connections", async () => {
      await world.restart({ connections: 20 });
      for (let i = 0; i < 30; i++) await world.open("", `127.0.1.${i + 1}`);
      expect(await statusOf(path, PLAYER)).to.equal(200);
      expect((await world.counts()).connections_closed_total).to.be.greaterThan(10);
    });

    it("answers others while a client sends its maximum of slow bodies", async () => {
      await world.restart({ clientConnections: 5, connections: 10 });
      const slow = `PUT ${world.path(pair.id)} HTTP/1.1\r\nHost: relay\r\nContent-Length: 100\r\n\r\n{`;
      for (let i = 0; i < 5; i++) await world.open(slow, ATTACKER);
      // Each of the five connections has a pending request before the next one opens, so none is idle and can be closed.
      await world.until(`open{what="requests"}`, 5);
      expect(await statusOf(path, ATTACKER)).to.equal(0);
      expect(await statusOf(path, PLAYER)).to.equal(200);
    });

    it("closes a connection that is silent from the start, or after an answer", async () => {
      await world.restart({ requestTime: 50, idleTime: 50 });
      for (const sent of ["", `GET ${path} HTTP/1.1\r\nHost: relay\r\n\r\n`]) {
        const socket = await world.open(sent);
        await once(socket, "close");
      }
    });

    it("limits streams per client, without affecting other clients", async () => {
      await world.restart({ clientWaiting: 2 });
      await world.put(pair, pair.move(1));
      const open = (from: string) => world.stream(pair, { from });
      const streams = [await open(ATTACKER), await open(ATTACKER)];
      await world.until(`waiting{for="messages"}`, 2);
      expect(await (await open(ATTACKER)).next()).to.equal(undefined);
      streams.push(await open(PLAYER));
      await world.until(`waiting{for="messages"}`, 3);
      await world.put(pair, pair.move(2));
      for (const stream of streams) expect(await stream.next()).to.deep.include({ channel: pair.id });
    });

    it("closes a stream on which nothing has been sent for too long, as if the client does not read", async () => {
      await world.restart({ answerTime: 100, beat: 60 });
      expect(await (await world.stream(pair)).next()).to.equal(undefined);
    });
  });

  describe("by many requests", () => {
    it("rejects requests beyond the limit of one client only", async () => {
      world.time = 0;
      await world.restart({ patience: 0, clientRequests: { burst: 3, perSecond: 1 } });
      for (const status of [200, 200, 200, 429]) expect(await statusOf(path, ATTACKER)).to.equal(status);
      const { text, headers } = await world.ask(path, { from: ATTACKER });
      expect([text, headers["retry-after"]]).to.deep.equal([`{"error":"127.0.0.2 sends too many requests"}`, "1"]);
      expect(await statusOf(path, PLAYER)).to.equal(200);
      world.time += 1_000;
      for (const status of [200, 429]) expect(await statusOf(path, ATTACKER)).to.equal(status);
    });

    it("does not limit requests and new channels of the host's own addresses", async () => {
      world.time = 0;
      const limits = {
        patience: 0,
        clientRequests: { burst: 2, perSecond: 1 },
        clientChannels: { burst: 1, perSecond: 1 },
      };
      await world.restart(limits, { own: readClients(`10.0.0.7, ${ATTACKER}`, "--own") });
      const pairs = upTo(4).map((number) => new Correspondents(`pair ${number}`));
      const put = async (from: string) => {
        const statuses = [];
        for (const each of pairs) statuses.push((await world.put(each, each.open(1), { from })).status);
        return statuses;
      };
      expect(await put(ATTACKER)).to.deep.equal([201, 201, 201, 201]);
      expect(await put(PLAYER)).to.deep.equal([200, 200, 429, 429]);
      expect(() => readClients("127.0.0.1,10.0.0.0/8", "--own")).to.throw(
        InputError,
        "--own: 10.0.0.0/8 is not an IP address",
      );
    });

    it("counts an event as a request, and ends the stream of a client that exceeds its limit", async () => {
      world.time = 0;
      await world.restart({ patience: 0, clientRequests: { burst: 2, perSecond: 1 } });
      await world.put(pair, pair.move(1), { from: "127.0.0.3" });
      const stream = await world.stream(pair, { from: ATTACKER });
      for (const [i, count] of [2, 4].entries()) {
        await world.put(pair, pair.move(count), { from: `127.0.0.${4 + i}` });
        if (i === 0) expect(await stream.next()).to.deep.include({ channel: pair.id });
        else expect(await stream.next()).to.equal(undefined);
      }
    });

    it("counts a refused message as three requests", async () => {
      world.time = 0;
      await world.restart({ patience: 0, clientRequests: { burst: 6, perSecond: 1 } });
      const statuses = [];
      for (const count of [2, 4, 6]) statuses.push((await world.put(pair, { ...pair.move(1), count })).status);
      expect(statuses).to.deep.equal([400, 400, 429]);
    });

    it("counts one request per 64 KB of a channel read from disk", async () => {
      const moves = upTo(160).map((count) => pair.move(count, `0x${"01".repeat(2_000)}`));
      world.time = 0;
      await world.keep(pair, moves, { patience: 0, clientRequests: { burst: 10, perSecond: 1 } });
      for (const status of [200, 429]) expect(await statusOf(path, ATTACKER)).to.equal(status);
      // Other clients read the cached channel.
      expect(await statusOf(path, PLAYER)).to.equal(200);
    });

    it("rejects new channels beyond the limit of one client only", async () => {
      world.time = 0;
      await world.restart({ patience: 0, clientChannels: { burst: 1, perSecond: 1 } });
      const [one, two] = upTo(2).map((number) => new Correspondents(`pair ${number}`));
      const put = async (each: Correspondents, from: string) => (await world.put(each, each.open(1), { from })).status;
      expect([await put(one, ATTACKER), await put(two, ATTACKER), await put(two, PLAYER)]).to.deep.equal([
        201, 429, 201,
      ]);
      expect((await world.put(one, one.open(2), { from: ATTACKER })).status).to.equal(201);
    });

    it("counts the first channel that answers a search toward the limit of the searching client", async () => {
      world.time = 0;
      await world.restart({ patience: 0, clientChannels: { burst: 1, perSecond: 1 } });
      const search = plainText(pair.seek({ opponent: pair.channel.player2 }));
      const put = async () =>
        (await world.ask(world.path("lobby"), { method: "PUT", body: search, from: ATTACKER })).status;
      const add = async (each: Correspondents, from: string) => (await world.put(each, each.open(2), { from })).status;
      const [one, two] = upTo(2).map((number) => new Correspondents(`pair ${number}`));
      expect(await put()).to.equal(201);
      // The answering player still has its full allowance, and the searching client has none left.
      expect([await add(pair, PLAYER), await add(one, PLAYER), await add(two, ATTACKER)]).to.deep.equal([
        201, 201, 429,
      ]);
      // A second channel does not count for the searching client, even after that client renews the search.
      world.time += 1_000;
      expect(await put()).to.equal(201);
      const channel = { ...pair.channel, key2: two.channel.key2 };
      const [body, at] = [{ channel, message: pair.open(2, { channel: channelIdOf(channel) }) }, channelIdOf(channel)];
      const again = { method: "PUT", body: plainText(body), from: PLAYER };
      expect([(await world.ask(world.path(at), again)).status, await add(two, ATTACKER)]).to.deep.equal([201, 201]);
    });

    it("accepts a message of the maximum size, and rejects headers of more than 8 KB", async () => {
      const padding = { "x-padding": "x".repeat(9_000) };
      expect((await world.ask("/", { headers: padding })).status).to.equal(431);
      expect((await world.ask(`/${"x".repeat(9_000)}`)).status).to.equal(431);
      const largest = pair.offer({ data: `0x${"11".repeat(MAX_ACTION_BYTES)}` });
      for (const message of [largest, pair.open(1, { signature: `0x${"11".repeat(1_024)}` })]) {
        expect((await world.put(pair, message)).status).to.equal(201);
      }
      expect((await world.counts())[`requests_refused_total{reason="headers"}`]).to.equal(2);
    });
  });

  describe("through a proxy", () => {
    const proxiesOf = (written: string) => readProxies(written, "--trust-proxy");

    it("trusts X-Forwarded-For only from a configured proxy", async () => {
      world.time = 0;
      const limits = { patience: 0, clientRequests: { burst: 1, perSecond: 1 } };
      const as = async (forwarded: string) =>
        (await world.ask(path, { headers: { "X-Forwarded-For": forwarded } })).status;
      await world.restart(limits);
      expect([await as("1.2.3.4"), await as("1.2.3.5")]).to.deep.equal([200, 429]);
      await world.restart(limits, { proxies: proxiesOf("127.0.0.1") });
      expect([await as("1.2.3.4"), await as("1.2.3.5"), await as("1.2.3.4")]).to.deep.equal([200, 200, 429]);
      // The part before the proxy's own entry was sent by the client.
      expect(await as("6.6.6.6, 1.2.3.4")).to.equal(429);
    });

    it("limits concurrent requests, not connections, of each client behind the proxy", async () => {
      await world.restart({ clientConnections: 2 }, { proxies: proxiesOf("127.0.0.0/8") });
      const ask = (client: string) => world.ask(path, { headers: { "X-Forwarded-For": client } });
      for (let i = 0; i < 2; i++) await world.stream(pair, { headers: { "X-Forwarded-For": "1.2.3.4" } });
      await world.until(`waiting{for="messages"}`, 2);
      expect((await ask("1.2.3.4")).text).to.equal(`{"error":"1.2.3.4 has 2 requests at once, the most"}`);
      expect((await ask("1.2.3.5")).status).to.equal(200);
    });

    it("identifies a client by its last untrusted address, or by the first half of an IPv6 address", () => {
      const proxies = proxiesOf("127.0.0.1, 10.0.0.0/8,2001:db8::/32");
      for (const [peer, forwarded, client] of [
        ["1.2.3.4", "6.6.6.6", "1.2.3.4"],
        ["::ffff:1.2.3.4", "", "1.2.3.4"],
        ["127.0.0.1", "", "127.0.0.1"],
        ["127.0.0.1", "6.6.6.6, 1.2.3.4, 10.1.2.3", "1.2.3.4"],
        ["::ffff:127.0.0.1", "1.2.3.4", "1.2.3.4"],
        ["127.0.0.1", "10.1.2.3", "10.1.2.3"],
        ["127.0.0.1", "1.2.3.4, nonsense", "127.0.0.1"],
        ["127.0.0.1", ",,,", "127.0.0.1"],
        ["2001:db8::1", "2002:0:00a:b::1", "2002:0:a:b::/64"],
        ["2002:0:a:b:1:2:3:4", "", "2002:0:a:b::/64"],
        ["::1", "", "0:0:0:0::/64"],
        ["fe80::1%eth0", "", "fe80:0:0:0::/64"],
      ]) {
        expect(clientOf(peer, forwarded, proxies), `${peer} ${forwarded}`).to.equal(client);
      }
      for (const wrong of ["", "localhost", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/x", "10.0.0.0/"]) {
        expect(() => proxiesOf(wrong), wrong).to.throw(InputError, /^--trust-proxy: /);
      }
    });
  });
});
