import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { clientOf, readProxies } from "../../cli/shared/server/client-address.js";
import { FactsCache } from "../../cli/relay/facts-cache.js";
import { messageText } from "../../sdk/protocol/away/messages.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Seat } from "../../sdk/protocol/status.js";
import { awayMatch, movesBy } from "../support/away.js";
import { matchInPlay, RelayWorld } from "../support/relay-world.js";
import { versionLine } from "../../sdk/protocol/version.js";

/** Milliseconds of a request to the chain. */
const CHAIN_TIME = 5;
/** No machine is too slow for queues in which requests wait this long. */
const PATIENT = { patience: 600_000, readTime: 600_000 };
/** Addresses of a player and of an attacker. */
const [PLAYER, ATTACKER] = ["127.0.0.1", "127.0.0.2"];

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);

/** Counts equal entries. */
function tally(entries: readonly number[]): Record<number, number> {
  return Object.fromEntries(entries.map((entry) => [entry, entries.filter((other) => other === entry).length]));
}

describe("A relay under attack", () => {
  let world: RelayWorld;

  beforeEach(async () => {
    world = await RelayWorld.open(PATIENT);
  });
  afterEach(() => world.close());

  const statusOf = async (path: string, from: string) => (await world.ask(path, { from })).status;

  describe("by messages for matches that do not exist", () => {
    for (const [where, from] of [
      ["another address", ATTACKER],
      ["the players' address", PLAYER],
    ]) {
      it(`accepts 30 new matches while eight connections of ${where} send messages for unknown ones`, async () => {
        // Enough requests to exhaust the allowance, which then comes back fast.
        await world.restart({ ...PATIENT, clientRequests: { burst: 100, perSecond: 500 } });
        world.onRead = () => pause(CHAIN_TIME);
        const played = await world.join(...upTo(30));
        let isOver = false;
        let unknown = 1_000;
        const attackers = upTo(8).map(async () => {
          while (!isOver) await world.put(unknown++, played[0].move, { from });
        });
        const statuses: number[] = [];
        for (const { matchId, move } of played) statuses.push((await world.put(matchId, move)).status);
        isOver = true;
        await Promise.all(attackers);
        expect(tally(statuses)).to.deep.equal({ 201: 30 });
      });
    }

    it("reads a new match on its player's request, even if a stranger's request for it waits", async () => {
      await world.restart({ ...PATIENT, reads: 2 });
      const asked: bigint[] = [];
      let answer!: () => void;
      const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
      world.onRead = async (matchId) => {
        asked.push(matchId);
        await mayAnswer;
      };
      const [{ matchId, move }] = await world.join(7);
      const attack = [...upTo(20, 1_000), 7].map((unknown) => world.put(unknown, move, { from: ATTACKER }));
      await world.until(`waiting{for="unknown-match"}`, 20);
      const sent = world.put(matchId, move);
      await world.until(`waiting{for="unknown-match"}`, 21);
      answer();
      expect((await sent).status).to.equal(201);
      await Promise.all(attack);
      expect(asked.indexOf(matchId)).to.be.lessThan(3);
    });

    it("accepts messages of known matches while strangers occupy every read from the chain", async () => {
      await world.restart({ ...PATIENT, reads: 2 });
      const [{ matchId, move }] = await world.join(7);
      await world.put(matchId, move);
      await world.restart({ ...PATIENT, reads: 2 });
      let answer!: () => void;
      const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
      world.onRead = async (asked) => (asked === matchId ? undefined : mayAnswer);
      const attack = upTo(5, 1_000).map((unknown) => world.put(unknown, move, { from: `127.0.1.${unknown - 999}` }));
      await world.until(`waiting{for="unknown-match"}`, 4);
      const refused = await world.put(matchId, { ...move, nonce: 2, signature: `0x${"11".repeat(65)}` });
      expect(refused.status, refused.text).to.equal(400);
      answer();
      await Promise.all(attack);
    });

    it("gives a stranger at most half of the slots, however slow the chain is", async () => {
      await world.restart({ ...PATIENT, reads: 8 });
      const [{ matchId, move }] = await world.join(7);
      let answer!: () => void;
      const mayAnswer = new Promise<void>((resolve) => (answer = resolve));
      world.onRead = async (asked) => (asked === matchId ? undefined : mayAnswer);
      const attack = upTo(10, 1_000).map((unknown) => world.put(unknown, move, { from: ATTACKER }));
      await world.until(`waiting{for="unknown-match"}`, 8);
      expect((await world.put(matchId, move)).status).to.equal(201);
      answer();
      await Promise.all(attack);
    });

    it("caches the facts of known matches, however many others are requested", async () => {
      let reads = 0;
      const cache = new FactsCache(
        {
          readMatch: async (matchId) => (++reads, matchId === 7n ? matchInPlay : undefined),
          hasMessages: (matchId) => matchId === 7n,
          onTrouble: () => undefined,
          now: () => 0,
        },
        { reads: 2, ...PATIENT },
      );
      const none = () => undefined;
      await cache.check(7n, PLAYER, none);
      for (const matchId of upTo(10_001, 1_000)) await cache.check(BigInt(matchId), ATTACKER, none);
      await cache.check(7n, PLAYER, none);
      expect(reads).to.equal(10_002);
    });

    it("rejects a message if its turn does not come in time or the chain does not answer", async () => {
      await world.restart({ patience: 20, readTime: 600_000, reads: 2 });
      const [{ matchId, move }] = await world.join(7);
      let answer!: () => void;
      world.onRead = () => new Promise<void>((resolve) => (answer = resolve));
      const first = world.put(1_000, move);
      while (world.reads === 0) await pause(5);
      const late = await world.put(matchId, move);
      expect([late.status, late.text, late.headers["retry-after"]]).to.deep.equal([
        503,
        `{"error":"the server is busy"}`,
        "1",
      ]);
      answer();
      expect((await first).status).to.equal(404);
      await world.restart({ ...PATIENT, readTime: 20, reads: 2 });
      world.onRead = () => new Promise<never>(() => undefined);
      const silent = await world.put(matchId, move);
      expect([silent.status, silent.text]).to.deep.equal([503, `{"error":"the chain does not answer the relay"}`]);
      expect(world.troubles).to.deep.equal(["The chain has not answered within 0.02 s."]);
      // Its slot is free.
      world.onRead = async () => undefined;
      expect((await world.put(matchId, move)).status).to.equal(201);
    });
  });

  it("accepts a burst of 150 new matches at the first try", async () => {
    world.onRead = () => pause(CHAIN_TIME);
    const played = await world.join(...upTo(150));
    const answers = await Promise.all(played.map(({ matchId, move }) => world.put(matchId, move)));
    expect(tally(answers.map(({ status }) => status))).to.deep.equal({ 201: 150 });
  });

  describe("by connections", () => {
    for (const [what, sent] of [
      ["idle connections", ""],
      ["connections with slow headers", "GET / HTTP/1.1\r\nHost: "],
    ]) {
      it(`answers everybody while one client holds more ${what} than there are slots`, async () => {
        await world.restart({ connections: 100 });
        for (let i = 0; i < 110; i++) await world.open(sent, ATTACKER);
        for (const from of [PLAYER, ATTACKER]) expect(await statusOf(world.path(7, 0), from), from).to.equal(200);
      });
    }

    it("answers everybody while many clients hold idle connections", async () => {
      await world.restart({ connections: 20 });
      for (let i = 0; i < 30; i++) await world.open("", `127.0.1.${i + 1}`);
      expect(await statusOf(world.path(7, 0), PLAYER)).to.equal(200);
      expect((await world.counts()).connections_closed_total).to.be.greaterThan(10);
    });

    it("answers others while a client sends its maximum of slow bodies", async () => {
      await world.restart({ clientConnections: 5, connections: 10 });
      const slow = `PUT ${world.path(7, 1)} HTTP/1.1\r\nHost: relay\r\nContent-Length: 100\r\n\r\n{`;
      for (let i = 0; i < 5; i++) await world.open(slow, ATTACKER);
      // Each of the five connections has a pending request before the next one opens, so there is no idle one to close.
      await world.until(`open{what="requests"}`, 5);
      expect(await statusOf(world.path(7, 0), ATTACKER)).to.equal(0);
      expect(await statusOf(world.path(7, 0), PLAYER)).to.equal(200);
    });

    it("closes a connection that is silent from the start, or after an answer", async () => {
      await world.restart({ requestTime: 50, idleTime: 50 });
      for (const sent of ["", `GET ${world.path(7, 0)} HTTP/1.1\r\nHost: relay\r\n\r\n`]) {
        const socket = await world.open(sent);
        await once(socket, "close");
      }
    });

    it("limits waiting readers per client, without affecting other clients", async () => {
      await world.restart({ clientWaiting: 2 });
      const [{ matchId, move }] = await world.join(7);
      const path = `${world.path(matchId, 0)}?wait=30`;
      const waiting = [ATTACKER, ATTACKER].map((from) => world.ask(path, { from }));
      await world.until(`waiting{for="messages"}`, 2);
      expect(JSON.parse((await world.ask(path, { from: ATTACKER })).text)).to.deep.include({ messages: [], seen: 0 });
      waiting.push(world.ask(path));
      await world.until(`waiting{for="messages"}`, 3);
      await world.put(matchId, move);
      for (const { text } of await Promise.all(waiting)) expect(JSON.parse(text)).to.deep.include({ seen: 1 });
    });
  });

  describe("by requests", () => {
    it("rejects only the requests of a client beyond its limit", async () => {
      world.time = 0;
      await world.restart({ patience: 0, clientRequests: { burst: 3, perSecond: 1 } });
      const path = world.path(7, 0);
      for (const status of [200, 200, 200, 429]) expect(await statusOf(path, ATTACKER)).to.equal(status);
      const { text, headers } = await world.ask(path, { from: ATTACKER });
      expect([text, headers["retry-after"]]).to.deep.equal([`{"error":"127.0.0.2 sends too many requests"}`, "1"]);
      expect(await statusOf(path, PLAYER)).to.equal(200);
      world.time += 1_000;
      for (const status of [200, 429]) expect(await statusOf(path, ATTACKER)).to.equal(status);
    });

    it("delays a client slightly beyond its limit instead of rejecting it", async () => {
      world.time = 0;
      await world.restart({ ...PATIENT, clientRequests: { burst: 1, perSecond: 10 } });
      const start = performance.now();
      for (let i = 0; i < 2; i++) expect(await statusOf(world.path(7, 0), ATTACKER)).to.equal(200);
      expect(performance.now() - start).to.be.greaterThan(90);
    });

    it("counts a message that it refuses as three requests", async () => {
      world.time = 0;
      await world.restart({ patience: 0, clientRequests: { burst: 6, perSecond: 1 } });
      const [{ move }] = await world.join(7);
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push((await world.put(8, move)).status);
      expect(statuses).to.deep.equal([404, 404, 429]);
    });

    it("counts one request per 64 KB of a match read from disk", async () => {
      const [{ move }] = await world.join(7);
      const line = `${messageText(move)}\n`;
      await world.relay.stop();
      const lines = line.repeat(Math.ceil((10 * 2 ** 16) / line.length));
      await writeFile(join(world.folder, "7.jsonl"), `${versionLine("the archive of a relay")}\n${lines}`);
      world.time = 0;
      await world.start({ patience: 0, clientRequests: { burst: 10, perSecond: 1 } });
      for (const status of [200, 429]) expect(await statusOf(world.path(7, 0), ATTACKER)).to.equal(status);
      // Other clients read the cached match.
      expect(await statusOf(world.path(7, 0), PLAYER)).to.equal(200);
    });

    it("rejects only the messages of a client that has added too much", async () => {
      world.time = 0;
      const played = await world.join(7, 8, 9);
      const size = messageText(played[0].move).length;
      await world.restart({ patience: 0, clientBytes: { burst: size, perSecond: 1 } });
      const put = async (i: number, from: string) =>
        (await world.put(played[i].matchId, played[i].move, { from })).status;
      expect([await put(0, ATTACKER), await put(1, ATTACKER)]).to.deep.equal([201, 201]);
      expect([await put(2, ATTACKER), await put(2, PLAYER)]).to.deep.equal([429, 201]);
    });

    it("accepts a message of the largest legal size, and rejects headers of more than 8 KB", async () => {
      const padding = { "x-padding": "x".repeat(9_000) };
      expect((await world.ask("/", { headers: padding })).status).to.equal(431);
      expect((await world.ask(`/${"x".repeat(9_000)}`)).status).to.equal(431);
      const [{ matchId, move: small }] = await world.join(7);
      const size = 1 + Math.floor((4_096 - messageText(small).length) / 2);
      const [move] = await movesBy([Seat.Two], { match: { ...awayMatch, matchId }, size });
      expect(messageText(move).length).to.be.within(4_095, 4_096);
      expect((await world.put(matchId, move)).status).to.equal(201);
      expect((await world.counts())[`requests_refused_total{reason="headers"}`]).to.equal(2);
    });
  });

  describe("through a proxy", () => {
    const proxiesOf = (written: string) => readProxies(written, "--trust-proxy");

    it("trusts X-Forwarded-For only from a configured proxy", async () => {
      world.time = 0;
      const limits = { patience: 0, clientRequests: { burst: 1, perSecond: 1 } };
      const as = async (forwarded: string) =>
        (await world.ask(world.path(7, 0), { headers: { "X-Forwarded-For": forwarded } })).status;
      await world.restart(limits);
      expect([await as("1.2.3.4"), await as("1.2.3.5")]).to.deep.equal([200, 429]);
      await world.restart(limits, { proxies: proxiesOf("127.0.0.1") });
      expect([await as("1.2.3.4"), await as("1.2.3.5"), await as("1.2.3.4")]).to.deep.equal([200, 200, 429]);
      // The part before the proxy's own entry was sent by the client.
      expect(await as("6.6.6.6, 1.2.3.4")).to.equal(429);
    });

    it("limits concurrent requests, not connections, of each client behind the proxy", async () => {
      await world.restart({ clientConnections: 2 }, { proxies: proxiesOf("127.0.0.0/8") });
      const ask = (client: string, query = "") =>
        world.ask(`${world.path(7, 0)}${query}`, { headers: { "X-Forwarded-For": client } });
      const waiting = upTo(2).map(() => ask("1.2.3.4", "?wait=30"));
      await world.until(`waiting{for="messages"}`, 2);
      expect((await ask("1.2.3.4")).text).to.equal(`{"error":"1.2.3.4 has 2 requests at once, the most"}`);
      expect((await ask("1.2.3.5")).status).to.equal(200);
      const [{ matchId, move }] = await world.join(7);
      await world.put(matchId, move);
      await Promise.all(waiting);
    });

    it("identifies a client by the last untrusted address, or half of an IPv6 address", () => {
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
