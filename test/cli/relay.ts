import { once } from "node:events";
import { appendFile, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { id } from "ethers";
import type { Archive } from "../../cli/relay/archive.js";
import type { KeyIndex } from "../../cli/relay/key-index.js";
import { KeyNews } from "../../cli/relay/key-news.js";
import { Lobby } from "../../cli/relay/lobby.js";
import { MAX_BODY_BYTES, Relay } from "../../cli/relay/relay.js";
import { isLocked } from "../../cli/shared/files/lock.js";
import { channelIdOf, type Channel } from "../../sdk/protocol/channels/messages.js";
import { channelMessageText, plainText, type ChannelMessage } from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { versionLine } from "../../sdk/protocol/version.js";
import { FIRST, keyOf } from "../support/channels.js";
import { withFsync } from "../support/fsync.js";
import { AT, BEGIN, Correspondents, RelayWorld, type Asked } from "../support/relay-world.js";

/** First line of a file of the archive. */
const VERSION = versionLine("the archive of a relay");

const messageOf = (error: unknown) => (error as Error).message;

describe("The relay", () => {
  const pair = new Correspondents("alice and bob");
  const others = new Correspondents("carol and dave");
  let world: RelayWorld;

  beforeEach(async () => {
    world = await RelayWorld.open();
  });
  afterEach(() => world.close());

  async function json(path: string, asked?: Asked) {
    const { status, text } = await world.ask(path, asked);
    return { status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** Reads the messages of a channel as lines, and the position after them. */
  async function read(seen: number | string = 0, of = pair): Promise<{ lines: string[]; seen: number }> {
    const { body } = await json(world.path(`${of.id}/${seen}`));
    return { lines: body.messages.map((message: object) => plainText(message)), seen: body.seen };
  }

  async function expectTaken(...messages: ChannelMessage[]): Promise<void> {
    for (const message of messages) {
      const { status, text } = await world.put(message.channel === pair.id ? pair : others, message);
      expect(status, text).to.equal(201);
    }
  }

  async function expectRefused(sent: ReturnType<RelayWorld["ask"]>, status: number, error: string | RegExp) {
    const { status: found, text } = await sent;
    const { error: reason } = JSON.parse(text);
    expect(found, reason).to.equal(status);
    if (typeof error === "string") expect(reason).to.equal(error);
    else expect(reason).to.match(error);
  }

  const putText = (body: string, place = pair.id) => world.ask(world.path(place), { method: "PUT", body });
  const stored = async () => (await readdir(world.folder)).map((name) => name.replace(".jsonl", "")).toSorted();

  describe("given messages of a channel", () => {
    const messages = [pair.open(2), pair.offer(), pair.move(1), pair.move(2), pair.balance(1), pair.balance(2)];
    const lines = messages.map(channelMessageText);

    it("returns them in order to everybody, starting at any position", async () => {
      await expectTaken(...messages);
      const all = await read();
      expect(all.lines).to.deep.equal(lines);
      expect(await read(all.seen - 2)).to.deep.equal({ lines: lines.slice(4), seen: all.seen });
      expect(await read(all.seen)).to.deep.equal({ lines: [], seen: all.seen });
      expect(await read(0, others)).to.deep.equal({ lines: [], seen: 0 });
    });

    it("stores a repeated message once, even if the copies arrive at the same time", async () => {
      const answers = await Promise.all([1, 2, 3].map(() => world.put(pair, messages[0])));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 200, 201]);
      expect((await read()).lines).to.deep.equal(lines.slice(0, 1));
    });

    it("loses nothing in a restart, or if it was killed while it wrote a line", async () => {
      await expectTaken(...messages.slice(0, 3));
      const all = await read();
      await world.relay.stop();
      const file = join(world.folder, `${pair.id}.jsonl`);
      await appendFile(file, `{"by":1,"message":{"type"`);
      await world.start();
      expect(await read()).to.deep.equal(all);
      await expectTaken(messages[3]);
      expect((await read()).lines).to.deep.equal(lines.slice(0, 4));
      expect((await readFile(file, "utf8")).split("\n")).to.have.length(1 + 1 + 4 + 1);
    });

    it("resets readers of a dropped channel to the start, and returns all messages once the channel begins again", async () => {
      await world.restart({ channels: 1 });
      await expectTaken(...messages.slice(0, 3));
      const { seen } = await read();
      await expectTaken(others.open(1));
      expect(await read(seen)).to.deep.equal({ lines: [], seen: 0 });
      await pause(2);
      await expectTaken(messages[3], messages[4], messages[5]);
      expect((await read(seen)).lines).to.deep.equal(lines.slice(3));
    });

    it("drops the older half of a channel that exceeds its limit of bytes", async () => {
      await world.restart({ channelBytes: 6_000 });
      const moves = Array.from({ length: 12 }, (_, i) => pair.move(i + 1));
      await expectTaken(...moves);
      const { lines: left, seen } = await read();
      expect(left).to.have.length.within(3, 8);
      expect(left).to.deep.equal(moves.slice(-left.length).map(channelMessageText));
      const before = seen - 12 + 1;
      expect(await read(before)).to.deep.equal({ lines: left, seen });
      expect(await read(seen - 1)).to.deep.equal({ lines: left.slice(-1), seen });
      await world.restart();
      expect(await read()).to.deep.equal({ lines: left, seen });
    });
  });

  describe("given the fields of a channel", () => {
    it("requires them once, and rejects the fields of another channel", async () => {
      const bare = (message: ChannelMessage) => putText(plainText({ message }));
      await expectRefused(bare(pair.offer()), 404, `the channel ${pair.id} is not known: send its fields`);
      const wrong = plainText({ channel: others.channel, message: pair.offer() });
      await expectRefused(putText(wrong), 400, `channel: its id is ${others.id}, not ${pair.id}`);
      const strange = plainText({ channel: pair.channel, message: others.offer() });
      await expectRefused(putText(strange), 400, `message.channel: ${others.id} instead of ${pair.id}`);
      await expectTaken(pair.offer());
      expect((await bare(pair.move(1))).status).to.equal(201);
    });

    it("rejects messages that no player of the channel has signed", async () => {
      const signatures: readonly ChannelMessage[] = [
        { ...pair.offer(), position: id("other") },
        { ...pair.move(1), count: 2 },
        { ...pair.balance(1), amount1: 6n },
      ];
      for (const message of signatures) {
        await expectRefused(world.put(pair, message), 400, /^message.signature: no player of the channel 0x\w+ has/);
      }
      expect(await stored()).to.deep.equal([]);
    });
  });

  describe("given several messages for one move", () => {
    it("stores sixteen messages of one player as evidence, and still accepts messages of the other player", async () => {
      const offers = Array.from({ length: 17 }, (_, i) => pair.offer({ position: id(String(i)) }));
      await expectTaken(...offers.slice(0, 8));
      await world.restart();
      await expectTaken(...offers.slice(8, 16));
      const reason = "player 1 has signed 16 others of type offer for this place";
      await expectRefused(world.put(pair, offers[16]), 507, reason);
      await expectTaken(pair.offer({ nonce: FIRST + 1 }), pair.move(1));
    });

    it("has one limit for signatures that only the chain can check, and another for signatures of session keys", async () => {
      const forged = (i: number) => pair.open(1, { signature: `0x0${i}` });
      const { signature } = pair.balance(1);
      await expectTaken(...[1, 2, 3].map(forged), pair.open(1, { signature }));
      await world.restart();
      await expectRefused(world.put(pair, forged(5)), 507, /^player 1 has signed 4 others of type open/);
      await expectTaken(pair.open(1), pair.open(2, { signature: "0x01" }));
    });
  });

  describe("given a session key", () => {
    const keysOf = async ({ channel }: Correspondents, key: "key1" | "key2") =>
      (await json(world.path(`keys/${channel[key]}`))).body.channels;
    const fields = JSON.parse(plainText(pair.channel));

    it("lists the channels that the other player's wallet wants to open, even after a restart", async () => {
      await expectTaken(pair.offer());
      expect(await keysOf(pair, "key1")).to.deep.equal([]);
      await expectTaken(pair.open(2));
      for (let restarts = 0; restarts < 2; restarts++) {
        expect(await keysOf(pair, "key1")).to.deep.equal([fields]);
        expect(await keysOf(pair, "key2")).to.deep.equal([]);
        await world.restart();
      }
      await expectRefused(world.ask(world.path("keys/alice")), 400, `key: "alice" is not an address`);
      await world.restart({ channels: 1 });
      await expectTaken(others.open(2));
      expect(await keysOf(pair, "key1")).to.deep.equal([]);
    });

    it("lists the 48 newest channels, plus 16 whose signatures it cannot check", async () => {
      const { keys } = (world.relay as unknown as { archive: { keys: KeyIndex } }).archive;
      const add = (i: number, isChecked: boolean) => {
        const channel = { ...pair.channel, player2: keyOf(`wallet ${i}`).address };
        keys.add(channelIdOf(channel), channel, pair.open(2), isChecked);
      };
      for (let i = 0; i < 50; i++) add(i, true);
      for (let i = 50; i < 70; i++) add(i, false);
      const listed: Channel[] = await keysOf(pair, "key1");
      expect(listed).to.have.length(64);
      const players = new Set(listed.map(({ player2 }) => player2));
      expect([1, 2, 53, 54].map((i) => players.has(keyOf(`wallet ${i}`).address))).to.deep.equal([
        false,
        true,
        false,
        true,
      ]);
    });
  });

  describe("as a lobby", () => {
    const { player1, player2 } = pair.channel;
    const put = (seek: object, asked: Asked = {}) =>
      world.ask(world.path("lobby"), { method: "PUT", body: plainText(seek), ...asked });
    const seeksFor = async (player: string) => (await json(world.path(`lobby?player=${player}`))).body.seeks;

    it("shows a search to the players who can answer it, until the search ends or is renewed", async () => {
      const [anybody, one] = [pair.seek(), pair.seek({ opponent: player2 })];
      for (const seek of [one, anybody]) expect((await put(seek)).status).to.equal(201);
      const listed = [one, anybody].map((seek) => JSON.parse(plainText(seek)));
      expect(await seeksFor(player2)).to.deep.equal(listed);
      expect(await seeksFor(others.channel.player1)).to.deep.equal(listed.slice(1));
      expect(await seeksFor(player1)).to.deep.equal([]);
      await expectRefused(put(pair.seek({ expires: anybody.expires - 1 })), 400, /^expires: \d+ is older than the/);
      const renewed = pair.seek({ amount: 6n, expires: anybody.expires + 1 });
      expect((await put(renewed)).status).to.equal(201);
      expect(await seeksFor(others.channel.player1)).to.deep.equal([JSON.parse(plainText(renewed))]);
    });

    it("rejects a search that its key has not signed, that has expired, or that lasts too long", async () => {
      await expectRefused(put({ ...pair.seek(), amount: 6n }), 400, /^signature: 0x\w+ has not signed this$/);
      world.time = 0;
      await world.restart();
      const now = BEGIN / 1000;
      for (const expires of [now - 2, now + 200]) {
        await expectRefused(put(pair.seek({ expires })), 400, /^expires: \d+ is not \d+ to \d+$/);
      }
      await expectRefused(put({ ...pair.seek(), terms: {} }), 400, /^seek.terms.game: /);
      await expectRefused(world.ask(world.path("lobby?player=bob")), 400, `player: "bob" is not an address`);
    });

    it("forgets a search after two minutes", async () => {
      let now = 1_000;
      const lobby = new Lobby(AT, { seeks: 9, clientSeeks: 9 }, () => now);
      lobby.put(pair.seek({ expires: now + 170 }), "client");
      now += 120;
      expect(lobby.for(player2)).to.have.length(1);
      now += 1;
      expect([lobby.for(player2), lobby.count]).to.deep.equal([[], 0]);
    });

    it("counts a search toward the limit of the client that sent it first, even if others send it again", async () => {
      await world.restart({ seeks: 2, clientSeeks: 1 });
      const stranger = { from: "127.0.0.2" };
      const [own, foreign] = [pair.seek({ opponent: player2 }), others.seek({ opponent: player2 })];
      expect([(await put(own)).status, (await put(foreign, stranger)).status]).to.deep.equal([201, 201]);
      expect((await put(own, stranger)).status).to.equal(201);
      expect(await seeksFor(player2)).to.have.length(2);
      // The search still counts for the first client, which can renew it even at the limit of all clients.
      await expectRefused(put(pair.seek()), 429, "127.0.0.1 searches 1 times at once, the most");
      const renewed = pair.seek({ opponent: player2, expires: own.expires + 1 });
      await expectRefused(put(renewed, stranger), 429, "127.0.0.2 searches 1 times at once, the most");
      expect((await put(renewed)).status).to.equal(201);
      expect(await seeksFor(player2)).to.have.length(2);
    });

    it("limits the searches of each client, and those of all clients together", async () => {
      await world.restart({ seeks: 3, clientSeeks: 2 });
      const seek = (i: number) => pair.seek({ opponent: keyOf(`wallet ${i}`).address });
      for (const i of [1, 2, 2]) expect((await put(seek(i))).status).to.equal(201);
      await expectRefused(put(seek(3)), 429, "127.0.0.1 searches 2 times at once, the most");
      expect((await put(seek(3), { from: "127.0.0.2" })).status).to.equal(201);
      await expectRefused(put(seek(4), { from: "127.0.0.2" }), 507, "there are 3 searches, the most");
    });
  });

  describe("given its limits", () => {
    it("stores no more channels and bytes than allowed, and drops the least recently written channel", async () => {
      await world.restart({ channels: 2 });
      const third = new Correspondents("erin and frank");
      await expectTaken(pair.open(1), others.open(1), pair.open(2));
      expect((await world.put(third, third.open(1))).status).to.equal(201);
      expect(await stored()).to.deep.equal([pair.id, third.id].toSorted());
      await utimes(join(world.folder, `${third.id}.jsonl`), new Date(1e12), new Date(1e12));
      await world.restart({ bytes: 1_500 });
      expect(await stored()).to.deep.equal([pair.id]);
    });

    it("refuses a body that is too long, whatever length it declares", async () => {
      const long = `{"type":"${"x".repeat(MAX_BODY_BYTES)}"}`;
      await expectRefused(putText(long), 413, `a body has ${MAX_BODY_BYTES} bytes at most`);
      const head = `PUT ${world.path(pair.id)} HTTP/1.1\r\nHost: relay\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const socket = await world.open(head);
      const answered = once(socket, "data");
      socket.write(`${long.length.toString(16)}\r\n${long}\r\n`);
      expect(String((await answered)[0])).to.match(/^HTTP\/1\.1 413 /);
    });

    it("answers a long channel in parts", async () => {
      const moves = Array.from({ length: 80 }, (_, i) => pair.move(i + 1, `0x${"01".repeat(2_000)}`));
      await world.keep(pair, moves);
      const parts = [await read()];
      while (parts.at(-1)!.lines.length > 0) parts.push(await read(parts.at(-1)!.seen));
      expect(parts.flatMap(({ lines }) => lines)).to.deep.equal(moves.map(channelMessageText));
      expect(parts.map(({ lines }) => lines.length)).to.deep.equal([58, 22, 0]);
    });

    it("disconnects clients that send too slowly or do not read", async () => {
      await world.restart({ requestTime: 100, answerTime: 100, wait: 0 });
      const head = `PUT ${world.path(pair.id)} HTTP/1.1\r\nHost: relay\r\nContent-Length: 100\r\n\r\n{`;
      for (const sent of [head, "GET / HT"]) await once(await world.open(sent), "close");
    });

    it("disconnects a client that sends a request before its last request is answered, and ends the wait", async () => {
      await world.restart({ waiting: 1 });
      const path = await world.newsPath(pair);
      await once(await world.open(`GET ${path} HTTP/1.1\r\nHost: relay\r\n\r\n`.repeat(3)), "close");
      await world.until(`waiting{for="messages"}`, 0);
    });
  });

  describe("when somebody waits for news of a key", () => {
    const newsAt = async (path: string) => (await json(path)).body as { channels: Hex[]; seen: number };

    it("answers when the other player signs a message, or immediately if too many readers wait", async () => {
      await world.restart({ waiting: 1 });
      const path = await world.newsPath(pair);
      const waiting = newsAt(path);
      await world.until(`waiting{for="messages"}`, 1);
      expect((await newsAt(path)).channels).to.deep.equal([]);
      // Player 2 has signed nothing yet, so nobody else can create news for its key.
      // Player 2's messages are not news for player 2 either.
      await expectTaken(others.open(2), pair.open(1), pair.offer(), pair.move(1));
      await world.until(`waiting{for="messages"}`, 1);
      await expectTaken(pair.move(2));
      const { channels, seen } = await waiting;
      expect(channels).to.deep.equal([pair.id]);
      await expectTaken(pair.move(4));
      const next = await newsAt(await world.newsPath(pair, seen));
      expect([next.channels, next.seen - seen]).to.deep.equal([[pair.id], 1]);
    });

    it("answers a reader with an unknown position immediately with the newest position", async () => {
      const path = await world.newsPath(pair);
      const { seen } = await newsAt(path.replace("30", "0"));
      for (const unknown of [0, seen + 1]) {
        expect(await newsAt(await world.newsPath(pair, unknown))).to.deep.equal({ channels: [], seen });
      }
    });

    it("lists the newest 2,000 channels of a key, 256 at a time, without those that it has dropped", () => {
      const news = new KeyNews(1_000);
      const ids = Array.from({ length: 2_001 }, (_, i) => id(String(i)));
      for (const each of ids) for (const key of ["key", "other key"]) news.add(each, key);
      news.remove(ids[2]);
      const found: Hex[] = [];
      for (let seen = 1_000; ;) {
        const { channels, seen: next } = news.after("key", seen);
        expect(channels.length).to.be.at.most(256);
        if (channels.length === 0) break;
        found.push(...channels);
        seen = next;
      }
      expect(found).to.deep.equal(ids.filter((_, i) => i !== 0 && i !== 2));
      // The other key was the last to sign in each channel.
      expect(news.after("other key", 1_000)).to.deep.equal({ channels: [], seen: 1_000 });
    });

    it("answers without news after the time limit, and forgets a reader that disconnects", async () => {
      await world.restart({ wait: 0.01 });
      expect((await newsAt(await world.newsPath(pair))).channels).to.deep.equal([]);
      await world.restart();
      const socket = await world.open(`GET ${await world.newsPath(pair)} HTTP/1.1\r\nHost: relay\r\n\r\n`);
      await world.until(`waiting{for="messages"}`, 1);
      socket.destroy();
      await world.until(`waiting{for="messages"}`, 0);
    });
  });

  describe("while it runs and when it stops", () => {
    it("locks its folder", async () => {
      expect(await world.start().catch(messageOf)).to.equal(
        `A relay keeps its messages in ${world.folder} already, process ${process.pid} on ${hostname()}: stop it first. ${world.folder}.lock is locked.`,
      );
      const other = { ...AT, folder: join(world.folder, "other") };
      const taken = await Relay.start({ ...other, port: world.port }).catch(messageOf);
      expect(taken).to.match(/^Port \d+ of 127.0.0.1 is taken: /);
      await (await Relay.start({ ...other, port: 0 })).stop();
    });

    it("keeps the lock until its messages are on disk, and accepts no messages afterwards", async () => {
      const { archive } = world.relay as unknown as { archive: Archive };
      let write!: () => void;
      const mayWrite = new Promise<void>((resolve) => (write = resolve));
      let begin!: () => void;
      const isWriting = new Promise<void>((resolve) => (begin = resolve));
      const hold = () => {
        begin();
        return mayWrite;
      };
      await withFsync(hold, async () => {
        const sent = world.put(pair, pair.open(1));
        await isWriting;
        const stopped = world.relay.stop();
        await sent;
        await pause(20);
        expect(isLocked(`${world.folder}.lock`)).to.equal(true);
        write();
        await stopped;
      }).finally(write);
      expect(isLocked(`${world.folder}.lock`)).to.equal(false);
      const admit = async () => undefined;
      const late = await archive
        .add(others.id, "client", others.open(1), { channel: others.channel, admit })
        .catch(messageOf);
      expect(late).to.equal("the relay stops");
      await world.start();
      expect((await read()).lines).to.deep.equal([channelMessageText(pair.open(1))]);
    });

    it("continues if it cannot accept a connection, and reports the failure", async () => {
      const { server } = world.relay as unknown as { server: Server };
      server.emit("error", new Error("accept EMFILE"));
      expect(world.troubles).to.deep.equal(["accept EMFILE"]);
      await expectTaken(pair.open(1));
    });
  });

  describe("given invalid input", () => {
    it("rejects the input with a one-line error, and continues", async () => {
      await expectRefused(putText("{"), 400, "body: not JSON");
      await expectRefused(putText("null"), 400, "input: null is not an object");
      await expectRefused(putText(`{"message":{"type":"say\\u001b[2J"}}`), 400, /^message.type: .* is not one of open/);
      await expectRefused(putText(plainText({ message: pair.offer(), more: 1 })), 400, "more: unknown field");
      const socket = await world.open(
        `PUT ${world.path(pair.id)} HTTP/1.1\r\nHost: relay\r\nContent-Length: 99\r\n\r\n{`,
      );
      socket.resetAndDestroy();
      await expectTaken(pair.offer());
      expect(world.troubles).to.deep.equal([]);
    });

    it("refuses unknown paths, deployments and methods", async () => {
      const news = `keys/${pair.channel.key2}`;
      const elsewhere = `this relay is of the channels ${AT.channels} of chain 31337`;
      for (const path of [`/1/${AT.channels}/lobby`, `/31337/${pair.channel.key1}/lobby`, "/favicon.ico", "/31337"]) {
        await expectRefused(world.ask(path), 404, elsewhere);
      }
      for (const rest of [
        "",
        "0x12",
        `${pair.id}/-1`,
        `${pair.id}/x`,
        `${pair.id}/0/0`,
        "lobby/1",
        "keys",
        `${news}/x`,
        `${news}/0/0`,
      ]) {
        await expectRefused(world.ask(world.path(rest)), 404, "there is no such place");
      }
      const lower = world.path(pair.id).replace(AT.channels, AT.channels.toLowerCase());
      expect((await world.ask(lower)).status).to.equal(200);
      await expectRefused(world.ask(world.path(pair.id), { method: "POST" }), 405, "POST is not allowed");
      for (const place of [`${pair.id}/0`, news]) {
        await expectRefused(putText("{}", place), 405, "PUT is not allowed here");
      }
      await expectRefused(world.ask(world.path(`${news}/0?wait=1s`)), 400, "wait: 1s is not a number of seconds");
      expect(await json("/")).to.deep.equal({
        status: 200,
        body: { type: "duello relay", chainId: 31_337, channels: AT.channels },
      });
    });

    it("neither reads nor writes to a file that was changed or has another version, and still serves other channels", async () => {
      const file = join(world.folder, `${pair.id}.jsonl`);
      const header = plainText({ channel: pair.channel, from: 5 });
      for (const [lines, problem] of [
        [
          [VERSION, header, `{"by":1,"message":{}`],
          `Expected property name or '}' in JSON at position 1 (line 1 column 2)`,
        ],
        [[VERSION, header, "{}"], `${file}:3: it names no sender`],
        [[VERSION, plainText({ channel: others.channel, from: 5 })], `${file}:2: it is not of the channel ${pair.id}`],
        [[VERSION.replace("1", "2"), header], /:1: it has version 2 of the archive of a relay, and this program reads/],
      ] as const) {
        await world.relay.stop();
        const text = `${lines.join("\n")}\n`;
        await writeFile(file, text);
        await world.start();
        world.troubles.length = 0;
        await expectRefused(world.ask(world.path(pair.id)), 500, "the relay has failed");
        await expectRefused(world.put(pair, pair.open(1)), 500, "the relay has failed");
        if (typeof problem === "string") expect(world.troubles).to.deep.equal([problem, problem]);
        else expect(world.troubles[1]).to.match(problem);
        expect((await world.ask(world.path(others.id))).status).to.equal(200);
        expect(await readFile(file, "utf8")).to.equal(text);
      }
    });
  });

  it("answers web pages of any origin, and requests for any host name", async () => {
    const { status, headers } = await world.ask(world.path(pair.id), { method: "OPTIONS" });
    expect([status, headers["access-control-allow-methods"]]).to.deep.equal([204, "GET, PUT"]);
    for (const path of [world.path(pair.id), "/nowhere"]) {
      expect((await world.ask(path)).headers["access-control-allow-origin"]).to.equal("*");
    }
    const asked = { headers: { Host: "relay.example", Origin: "https://page.example" } };
    expect((await world.ask("/", asked)).status).to.equal(200);
  });
});
