import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFile, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { computeAddress, id, SigningKey } from "ethers";
import { MAX_BODY_BYTES } from "../../cli/relay/app.js";
import { folderStore } from "../../cli/relay/folder/store.js";
import { KeyNews } from "../../cli/relay/key-news.js";
import { PostgresMessages } from "../../cli/relay/postgres/messages.js";
import { postgresStore } from "../../cli/relay/postgres/store.js";
import { Relay } from "../../cli/relay/relay.js";
import type { RelayStore } from "../../cli/relay/store.js";
import { isLocked } from "../../cli/shared/files/lock.js";
import { channelIdOf, type Channel } from "../../sdk/protocol/channels/messages.js";
import {
  channelMessageText,
  plainText,
  signedWith,
  type ChannelMessage,
  type OpenMessage,
} from "../../sdk/protocol/channels/wire.js";
import { InputError } from "../../sdk/protocol/input.js";
import { versionLine } from "../../sdk/protocol/version.js";
import { FIRST, keyOf } from "../support/channels.js";
import { startPostgresIfInstalled } from "../support/postgres.js";
import type { PostgresServer } from "../../scripts/postgres-server.js";
import { withFsync } from "../support/fsync.js";
import { AT, BEGIN, Correspondents, RelayWorld, type Asked } from "../support/relay-world.js";

/** First line of a file of the archive. */
const VERSION = versionLine("the archive of a relay");

const messageOf = (error: unknown) => (error as Error).message;

const upTo = (count: number, from: number) => Array.from({ length: count }, (_, i) => from + i);

const storeOf = (world: RelayWorld) => (world.relay as unknown as { store: RelayStore }).store;

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

  for (const kind of ["a folder", "Postgres"] as const) {
    describe(`with messages in ${kind}`, () => {
      let postgres: PostgresServer | undefined;

      before(async function () {
        if (kind === "a folder") return;
        postgres = await startPostgresIfInstalled();
        if (!postgres) this.skip();
      });
      beforeEach(async () => {
        if (!postgres) return;
        await world.close();
        world = await RelayWorld.open({}, {}, postgresStore(postgres.url, randomUUID()));
      });
      after(() => postgres?.stop());

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

        it("returns every message to a reader at any position, even if no other player has signed anything", async () => {
          await expectTaken(pair.open(1), pair.open(2, { signature: "0x01" }));
          const { seen } = await read();
          await expectTaken(pair.offer());
          expect((await read(seen)).lines).to.deep.equal([channelMessageText(pair.offer())]);
        });

        it("stores a repeated message once, even if the copies arrive at the same time", async () => {
          const answers = await Promise.all([1, 2, 3].map(() => world.put(pair, messages[0])));
          expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 200, 201]);
          expect((await read()).lines).to.deep.equal(lines.slice(0, 1));
        });

        it("loses nothing in a restart", async () => {
          await expectTaken(...messages.slice(0, 3));
          const all = await read();
          await world.restart();
          expect(await read()).to.deep.equal(all);
          await expectTaken(messages[3]);
          expect((await read(all.seen)).lines).to.deep.equal(lines.slice(3, 4));
        });

        it("resets readers of a dropped channel to the start, and returns all messages once the channel begins again", async () => {
          world.time = 0;
          await world.restart({ channels: 1 });
          await expectTaken(...messages.slice(0, 3));
          const { seen } = await read();
          world.time += 60_000;
          await expectTaken(others.open(1));
          await world.until(`kept{what="channels"}`, 1);
          expect(await read(seen)).to.deep.equal({ lines: [], seen: 0 });
          await pause(2);
          await expectTaken(messages[3], messages[4], messages[5]);
          expect((await read(seen)).lines).to.deep.equal(lines.slice(3));
        });

        it("drops the older half of a channel that exceeds its limit of bytes", async () => {
          await world.restart({ channelBytes: 5_000 });
          const moves = Array.from({ length: 12 }, (_, i) => pair.move(i + 1));
          await expectTaken(...moves);
          const { lines: left, seen } = await read();
          expect(left).to.have.length.within(3, 8);
          expect(left).to.deep.equal(moves.slice(-left.length).map(channelMessageText));
          const before = seen - 100;
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
            await expectRefused(
              world.put(pair, message),
              400,
              /^message.signature: no player of the channel 0x\w+ has/,
            );
          }
          expect(await world.counts()).to.include({ 'kept{what="channels"}': 0 });
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
          const { messages } = storeOf(world);
          const add = async (i: number, isChecked: boolean) => {
            const key = new SigningKey(keyOf(`wallet ${i}`).privateKey);
            const channel = { ...pair.channel, player2: computeAddress(key) };
            const open = { ...pair.open(2), channel: channelIdOf(channel) };
            const message = isChecked ? signedWith<OpenMessage>(key, AT, open) : open;
            await messages.add(message.channel, "client", message, {
              channel: () => channel,
              admit: async () => undefined,
            });
          };
          for (let i = 0; i < 50; i++) await add(i, true);
          for (let i = 50; i < 70; i++) await add(i, false);
          const listed: Channel[] = await keysOf(pair, "key1");
          const newest = [...upTo(48, 2).toReversed(), ...upTo(16, 54).toReversed()];
          expect(listed.map(({ player2 }) => player2)).to.deep.equal(newest.map((i) => keyOf(`wallet ${i}`).address));
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
          world.time = 0;
          await world.restart();
          expect((await put(pair.seek({ expires: BEGIN / 1000 + 170 }))).status).to.equal(201);
          world.time = 120_000;
          expect(await seeksFor(player2)).to.have.length(1);
          world.time += 1_000;
          expect(await seeksFor(player2)).to.deep.equal([]);
          expect(await world.counts()).to.include({ 'kept{what="seeks"}': 0 });
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
    });
  }

  describe("as one of two relays with the same database", () => {
    let postgres: PostgresServer | undefined;
    let second: RelayWorld | undefined;

    before(async function () {
      postgres = await startPostgresIfInstalled();
      if (!postgres) this.skip();
    });
    beforeEach(async () => {
      await world.close();
      const store = postgresStore(postgres!.url, randomUUID());
      [world, second] = [await RelayWorld.open({}, {}, store), await RelayWorld.open({}, {}, store)];
    });
    afterEach(() => second?.close());
    after(() => postgres?.stop());

    it("stores a message that both receive once, and streams it from both", async () => {
      await expectTaken(pair.move(1));
      const worlds = [world, second!];
      const streams = await Promise.all(worlds.map((each) => each.stream(pair)));
      const answers = await Promise.all(worlds.map((each) => each.put(pair, pair.move(2))));
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 201]);
      const events = await Promise.all(streams.map((stream) => stream.next()));
      expect(events[0]).to.deep.include({ channel: pair.id }).and.to.deep.equal(events[1]);
      const later = await second!.stream(pair, { seen: events[0]!.seen - 1 });
      expect(await later.next()).to.deep.equal(events[0]);
    });

    /** Lets the second relay miss the notifications of some messages. */
    const missed = async (...messages: readonly ChannelMessage[]) => {
      const store = storeOf(second!).messages as PostgresMessages;
      let notices = 0;
      store.receive = () => {
        notices++;
        return true;
      };
      await expectTaken(...messages);
      while (notices < messages.length) await pause(2);
      store.receive = PostgresMessages.prototype.receive;
      return store;
    };

    it("returns from both a message of which only one has heard", async () => {
      await expectTaken(pair.move(1));
      const { seen } = await read();
      const stream = await second!.stream(pair);
      await expectTaken(pair.move(2));
      await stream.next();
      await missed(pair.move(3));
      const { text } = await second!.ask(second!.path(`${pair.id}/${seen}`));
      const expected = [pair.move(2), pair.move(3)].map((each) => JSON.parse(plainText(each)) as unknown);
      expect(JSON.parse(text).messages).to.deep.equal(expected);
    });

    it("streams what it has missed while it heard nothing, and nothing else", async () => {
      await expectTaken(pair.move(1), others.move(1));
      const [stream, other] = await Promise.all([pair, others].map((each) => second!.stream(each)));
      const store = await missed(pair.move(2), pair.move(4));
      await store.begin();
      const event = await stream.next();
      expect([event!.channel, event!.messages!.at(-1)]).to.deep.equal([pair.id, JSON.parse(plainText(pair.move(4)))]);
      await expectTaken(others.move(2));
      expect(await other.next()).to.deep.include({ channel: others.id });
    });

    it("streams what it has missed once it hears of a later message", async () => {
      await expectTaken(pair.move(1), others.move(1));
      const streams = await Promise.all([pair, others].map((each) => second!.stream(each)));
      await missed(pair.move(2));
      await expectTaken(others.move(2));
      const events = await Promise.all(streams.map((stream) => stream.next()));
      expect(events.map((event) => event!.channel)).to.deep.equal([pair.id, others.id]);
    });

    it("lets all readers read again if the database has lost its newest messages", async () => {
      await expectTaken(pair.move(1));
      const { news } = second!.relay as unknown as { news: KeyNews };
      news.add(others.id, 0, [], news.end + 1_000);
      const stream = await second!.stream(pair);
      await (storeOf(second!).messages as PostgresMessages).begin();
      expect(await stream.next()).to.deep.equal({ seen: news.end });
      await expectTaken(pair.move(2));
      expect(await stream.next()).to.deep.include({ channel: pair.id, seen: news.end });
    });

    it("lets all readers read again if another database has taken over", async () => {
      await expectTaken(pair.move(1));
      const stream = await second!.stream(pair);
      const store = await missed(pair.move(2));
      Object.assign(store, { history: "of the database that is lost" });
      await store.begin();
      const { news } = second!.relay as unknown as { news: KeyNews };
      expect(await stream.next()).to.deep.equal({ seen: news.end });
    });

    it("adds no news of a beginning that a later one has overtaken", async () => {
      await expectTaken(pair.move(1));
      const store = await missed(pair.move(2));
      const reading = store as unknown as { newsAfter(place: number): Promise<unknown[]> };
      const { news } = second!.relay as unknown as { news: KeyNews };
      const { newsAfter } = reading;
      let later: Promise<void> | undefined;
      reading.newsAfter = async (place) => {
        const found = await newsAfter.call(store, place);
        if (later === undefined) await (later = store.begin());
        return found;
      };
      const places: number[] = [];
      const { add } = news;
      news.add = (id, at, keys, place) => {
        places.push(place!);
        add.call(news, id, at, keys, place);
      };
      await store.begin();
      expect(places).to.deep.equal([news.end]);
    });

    it("counts searches and their answers of both", async () => {
      const limits = { clientSeeks: 1, clientChannels: { burst: 0, perSecond: 0 } };
      await Promise.all([world, second!].map((each) => each.restart(limits)));
      const put = (of: RelayWorld, opponent: string) =>
        of.ask(of.path("lobby"), { method: "PUT", body: plainText(pair.seek({ opponent })) });
      expect((await put(world, pair.channel.player2)).status).to.equal(201);
      await expectRefused(put(second!, keyOf("eve").address), 429, "127.0.0.1 searches 1 times at once, the most");
      expect(await storeOf(second!).seeks.answer(pair.channel)).to.equal("127.0.0.1");
      expect(await storeOf(world).seeks.answer(pair.channel)).to.equal(undefined);
    });

    it("refuses messages while the database is down, and continues with all messages once it is back", async () => {
      await expectTaken(pair.move(1));
      const stream = await second!.stream(pair);
      await postgres!.crash();
      await expectRefused(world.put(pair, pair.move(2)), 503, "the store accepts no messages");
      expect(world.troubles).to.have.length(1);
      expect(await world.counts()).to.include({ 'works{part="store"}': 0 });
      await postgres!.launch();
      let status = 503;
      while (status === 503) ({ status } = await world.put(pair, pair.move(2)));
      expect(status).to.equal(201);
      expect(await stream.next()).to.deep.include({ channel: pair.id });
      expect((await read()).lines.slice(0, 2)).to.deep.equal([1, 2].map((i) => channelMessageText(pair.move(i))));
    });
  });

  it("rejects a database that cannot be used", async () => {
    const taken = postgresStore("postgresql://duello@127.0.0.1:1/duello", "deployment");
    const problem = await Relay.start({ ...AT, store: taken, port: 0 }).catch(messageOf);
    expect(problem).to.match(/^The database of RELAY_STORE cannot be used: .*ECONNREFUSED/);
    for (const wrong of ["nats://127.0.0.1", "127.0.0.1:5432", ""]) {
      expect(() => postgresStore(wrong, "deployment")).to.throw(
        InputError,
        /^RELAY_STORE: it is not an address such as/,
      );
    }
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
      await world.restart({ requestTime: 100, answerTime: 100 });
      const head = `PUT ${world.path(pair.id)} HTTP/1.1\r\nHost: relay\r\nContent-Length: 100\r\n\r\n{`;
      for (const sent of [head, "GET / HT"]) await once(await world.open(sent), "close");
    });

    it("disconnects a client that sends a request before its last request is answered, and ends its stream", async () => {
      const path = world.newsPath(pair);
      await once(await world.open(`GET ${path} HTTP/1.1\r\nHost: relay\r\n\r\n`.repeat(3)), "close");
      await world.until(`waiting{for="messages"}`, 0);
    });
  });

  describe("as a stream of news", () => {
    const plain = (message: ChannelMessage) => JSON.parse(channelMessageText(message)) as object;

    it("sends each message that the other player signs, with the reader's own messages before it", async () => {
      const stream = await world.stream(pair);
      // Player 2 has signed nothing yet, so nobody else can create news for its key.
      // Player 2's messages are not news for player 2 either.
      await expectTaken(others.open(2), pair.open(1), pair.offer(), pair.move(1), pair.move(2));
      const { seen: end } = await read();
      const first = await stream.next();
      expect(first).to.deep.include({ channel: pair.id, from: end - 1, messages: [plain(pair.move(2))] });
      await expectTaken(pair.move(3), pair.move(4));
      const next = await stream.next();
      expect(next).to.deep.include({ from: end, messages: [plain(pair.move(3)), plain(pair.move(4))] });
      expect(next!.seen - first!.seen).to.equal(2);
      const later = await world.stream(pair, { seen: first!.seen });
      expect(await later.next()).to.deep.equal({ ...next, from: end + 1, messages: [plain(pair.move(4))] });
    });

    it("tells a reader with an unknown place to read all channels, and continues at the newest place", async () => {
      await expectTaken(pair.move(1), pair.move(2));
      const { seen } = (await (await world.stream(pair, { seen: 0 })).next())!;
      const ahead = await world.stream(pair, { seen: seen + 1 });
      expect(await ahead.next()).to.deep.equal({ seen });
      await expectTaken(pair.move(4));
      expect(await ahead.next()).to.deep.include({ seen: seen + 1, channel: pair.id });
    });

    it("sends comments while there is no news, and forgets a reader that disconnects", async () => {
      await world.restart({ beat: 0.01 });
      const stream = await world.stream(pair);
      expect(await stream.part()).to.equal(":");
      await world.until(`waiting{for="messages"}`, 1);
      stream.close();
      await world.until(`waiting{for="messages"}`, 0);
    });

    it("sends what there is and ends the stream if too many readers wait", async () => {
      await world.restart({ waiting: 1 });
      await world.stream(pair);
      await world.until(`waiting{for="messages"}`, 1);
      const { seen } = (await (await world.stream(others, { seen: 0 })).next())!;
      await world.put(others, others.move(1));
      await world.put(others, others.move(2));
      const second = await world.stream(others, { seen });
      expect(await second.next()).to.deep.include({ channel: others.id });
      expect(await second.next()).to.equal(undefined);
    });

    it("lists up to 256 channels of a key at a time, and forgets the oldest news beyond its limit", () => {
      const news = new KeyNews(undefined, 600);
      news.reset(1_000);
      const ids = Array.from({ length: 301 }, (_, i) => id(String(i)));
      for (const [i, each] of ids.entries()) news.add(each, i, ["key", "other key"]);
      // The limit covers the news of both keys: those of the first channel are forgotten.
      expect(news.after("key", 1_000)).to.equal(undefined);
      const first = news.after("key", 1_001)!;
      expect(first.map(({ id: each }) => each)).to.deep.equal(ids.slice(1, 257));
      expect(first[0]).to.deep.equal({ id: ids[1], at: 1, place: 1_002 });
      expect(news.after("key", first.at(-1)!.place)!.map(({ at }) => at)).to.deep.equal(upTo(44, 257));
      expect([news.after("key", news.end), news.after("key", news.end + 1)]).to.deep.equal([[], undefined]);
      // A second message in a channel replaces its first news.
      news.add(ids[1], 7, ["key"]);
      expect(news.after("key", 1_100)!.at(-1)).to.deep.equal({ id: ids[1], at: 7, place: news.end });
    });
  });

  describe("while it runs and when it stops", () => {
    it("loses nothing if it was killed while it wrote a line", async () => {
      await expectTaken(pair.open(1), pair.open(2));
      const all = await read();
      await world.relay.stop();
      const file = join(world.folder, `${pair.id}.jsonl`);
      await appendFile(file, `{"by":1,"message":{"type"`);
      await world.start();
      expect(await read()).to.deep.equal(all);
      await expectTaken(pair.offer());
      expect((await readFile(file, "utf8")).split("\n")).to.have.length(1 + 1 + 3 + 1);
    });

    it("locks its folder", async () => {
      expect(await world.start().catch(messageOf)).to.equal(
        `A relay keeps its messages in ${world.folder} already, process ${process.pid} on ${hostname()}: stop it first. ${world.folder}.lock is locked.`,
      );
      const other = { ...AT, store: folderStore(join(world.folder, "other")) };
      const taken = await Relay.start({ ...other, port: world.port }).catch(messageOf);
      expect(taken).to.match(/^Port \d+ of 127.0.0.1 is taken: /);
      await (await Relay.start({ ...other, port: 0 })).stop();
    });

    it("keeps the lock until its messages are on disk, and accepts no messages afterwards", async () => {
      const { messages } = storeOf(world);
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
      const late = await messages
        .add(others.id, "client", others.open(1), { channel: () => others.channel, admit })
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
      // A stream that sends nothing would hold a place of a reader.
      expect((await world.ask(world.path(`${news}/0`), { method: "HEAD" })).status).to.equal(405);
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
    for (const Host of ["relay.example", "Relay.Example:8090", "[0:0:0:0:0:0:0:1]:8090", "a@b"]) {
      const asked = { headers: { Host, Origin: "https://page.example" } };
      expect((await world.ask("/", asked)).status, Host).to.equal(200);
    }
    const target = await world.ask("*", { method: "OPTIONS" });
    expect([target.status, target.text]).to.deep.equal([400, `{"error":"the request cannot be read"}`]);
  });
});
