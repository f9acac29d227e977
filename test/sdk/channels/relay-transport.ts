import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { checkRelay } from "../../../cli/shared/channels/relays.js";
import { unlessAborted, type Clock } from "../../../sdk/chain/waiting.js";
import { RelayLobby } from "../../../sdk/player/channels/lobby.js";
import { relayPlace } from "../../../sdk/player/channels/meeting.js";
import { relayUrl, type RelayOptions } from "../../../sdk/player/channels/relay-client.js";
import { RelayChannelTransport } from "../../../sdk/player/channels/relay-transport.js";
import { MemoryChannelTransport } from "../../../sdk/player/channels/transport.js";
import { channelIdOf } from "../../../sdk/protocol/channels/messages.js";
import { channelMessageText, plainText } from "../../../sdk/protocol/channels/wire.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { PATIENCE } from "../../support/patience.js";
import { AT, BEGIN, Correspondents, RelayWorld } from "../../support/relay-world.js";

const messageOf = (error: unknown) => (error as Error).message;

/** Clock whose short pauses take no real time. A long pause ends once short pauses add up to it, or by its signal. */
class SteppingClock implements Clock {
  time = BEGIN;
  private readonly ends = new Map<() => void, number>();
  readonly random = () => 0;
  readonly now = () => this.time;

  async pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (milliseconds > 30_000) {
      const over = new Promise<void>((resolve) => this.ends.set(resolve, this.time + milliseconds));
      return unlessAborted(over, signal);
    }
    this.time += milliseconds;
    for (const [end, time] of this.ends) if (time <= this.time) end();
  }
}

/** Answer of a relay; "stall" sends nothing, "cut" ends the connection. Events are a stream that stays open. */
type Answer = { status?: number; body: string } | { events: readonly object[] } | "stall" | "cut";

/** Relay that gives the answers of a test, and records the requests. */
class FakeRelay {
  readonly asked: string[] = [];
  /** Open streams. */
  readonly streams: ServerResponse[] = [];
  private readonly server: Server;
  answer: (method: string, place: string) => Answer | Promise<Answer> = () => ({
    body: `{"messages":[],"seen":0,"more":false}`,
  });

  constructor() {
    this.server = createServer((request, response) => {
      const { method = "", url = "" } = request;
      void text(request).then(async (body) => {
        const place = url.split("/").slice(3).join("/");
        this.asked.push(`${method} ${place}${body}`);
        const answer = await this.answer(method, place);
        if (answer === "cut") request.socket.destroy();
        else if (answer === "stall") return;
        else if ("events" in answer) {
          this.streams.push(response);
          response.write(":\n\n");
          this.tell(...answer.events);
        } else response.writeHead(answer.status ?? 200).end(answer.body);
      });
    });
  }

  async listen(): Promise<this> {
    await once(this.server.listen(0, "127.0.0.1"), "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  /** Sends events in all open streams. */
  tell(...events: readonly object[]): void {
    for (const stream of this.streams) for (const event of events) stream.write(`data: ${plainText(event)}\n\n`);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe("Channels: the relay transport", () => {
  const pair = new Correspondents("alice and bob");
  const other = new Correspondents("carol and dave");
  const [open, offer, move] = [pair.open(2), pair.offer(), pair.move(1)];
  const lines = [open, offer, move].map(channelMessageText);
  let fake: FakeRelay;
  let clock: SteppingClock;

  beforeEach(async () => {
    fake = await new FakeRelay().listen();
    clock = new SteppingClock();
  });
  afterEach(() => fake.close());

  const by = (urls: readonly string[], options: RelayOptions = {}) =>
    relayPlace(urls, AT, { timeLimit: PATIENCE, clock, ...options }).transportOf(pair.channel, 2);

  const showing = (messages: readonly unknown[], seen: number, more = false) => ({
    body: plainText({ messages, seen, more }),
  });

  describe("with two relays", () => {
    let worlds: readonly [RelayWorld, RelayWorld];

    beforeEach(async () => {
      worlds = [await RelayWorld.open(), await RelayWorld.open()];
    });
    afterEach(() => Promise.all(worlds.map((world) => world.close())));

    it("returns each message once, even if only one relay has it", async () => {
      const urls = worlds.map(({ relay }) => relay.url);
      const [own, others] = [by(urls), by(urls)];
      await own.put(lines[0]);
      await worlds[0].put(pair, offer);
      await worlds[1].put(pair, move);
      const read = await others.after(0);
      expect(read.lines.toSorted()).to.deep.equal(lines.toSorted());
      expect(await others.after(read.seen)).to.deep.equal({ lines: [], seen: 3, isMore: false });
      // A player that starts again reads from the beginning.
      expect((await others.after(0)).lines.toSorted()).to.deep.equal(lines.toSorted());
    });

    it("works while at least one relay works, and retries a failed relay after a pause", async () => {
      const [{ relay: first }, { relay: second }] = worlds;
      const ports = worlds.map(({ port }) => port);
      const transport = by([first.url, second.url]);
      await first.stop();
      await transport.put(lines[0]);
      expect(await transport.after(0)).to.deep.equal({ lines: lines.slice(0, 1), seen: 1, isMore: false });
      await worlds[0].start({}, { port: ports[0] });
      await worlds[0].put(pair, offer);
      expect((await transport.after(1)).lines).to.deep.equal([]);
      clock.time += 1_000;
      expect((await transport.after(1)).lines).to.deep.equal(lines.slice(1, 2));
    });

    it("stops waiting once a relay has an unread message", async () => {
      const transport = by(worlds.map(({ relay }) => relay.url));
      await worlds[1].put(pair, open);
      let read = await transport.after(0);
      // The first event of each relay only contains its current place.
      const reading = (async () => {
        do {
          await transport.news(1, { waitMs: 60_000 });
          read = await transport.after(1);
        } while (read.lines.length === 0);
      })();
      for (const world of worlds) await world.until(`waiting{for="messages"}`, 1);
      await worlds[1].put(pair, offer);
      await reading;
      expect(read.lines).to.deep.equal(lines.slice(1, 2));
    });
  });

  it("returns only messages that a player of the channel has signed", async () => {
    const junk = ["x", null, {}, { ...open, more: 1 }, { ...move, count: 2 }, other.offer(), { ...offer, until: 1 }];
    fake.answer = (_, place) => showing(place.endsWith("/0") ? [...junk, move, move, offer] : [], 9);
    expect(await by([fake.url]).after(0)).to.deep.equal({ lines: [lines[2], lines[1]], seen: 2, isMore: false });
  });

  it("skips messages that it already has, but stops after 16 requests", async () => {
    let answers = 0;
    fake.answer = () => showing([++answers < 5 ? move : offer], answers, true);
    const transport = by([fake.url]);
    expect((await transport.after(0)).lines).to.have.length(1);
    expect((await transport.after(1)).lines).to.deep.equal([lines[1]]);
    expect(answers).to.equal(5);
    expect((await transport.after(2)).lines).to.deep.equal([]);
    expect(answers).to.equal(5 + 16);
  });

  it("sends its messages again to a relay that has lost them, except messages that it has already read there", async () => {
    const transport = by([fake.url]);
    fake.answer = () => ({ body: `{}` });
    await transport.put(lines[0]);
    fake.answer = (method) => (method === "PUT" ? { body: "{}" } : showing([move], 5));
    await transport.after(0);
    await transport.put(lines[2]);
    fake.answer = () => showing([], 0);
    fake.asked.length = 0;
    expect(await transport.after(1)).to.deep.equal({ lines: [], seen: 1, isMore: false });
    expect(fake.asked).to.deep.equal([
      `GET ${pair.id}/5`,
      `PUT ${pair.id}{"channel":${plainText(pair.channel)},"message":${lines[0]}}`,
    ]);
  });

  it("sends its messages again to a relay that has restarted the channel", async () => {
    const transport = by([fake.url]);
    fake.answer = (method) => (method === "PUT" ? { body: "{}" } : showing([move], 5));
    await transport.put(lines[0]);
    await transport.after(0);
    // The relay's positions now start at a later time.
    fake.answer = (method) => (method === "PUT" ? { body: "{}" } : showing([offer], 5_000));
    fake.asked.length = 0;
    expect((await transport.after(1)).lines).to.deep.equal([lines[1]]);
    expect(fake.asked.map((each) => each.slice(0, 4))).to.deep.equal(["GET ", "PUT "]);
  });

  it("reports a relay with invalid answers in one line, and pauses longer each time", async () => {
    const transport = by([fake.url]);
    const trouble = () => transport.after(0).catch(messageOf);
    const cases = [
      ["{", "answers nonsense: no JSON"],
      [`{"messages":[]}`, "answers nonsense: answer.seen: left out"],
      [
        `{"messages":[${"0,".repeat(4_000)}0],"seen":1,"more":false}`,
        "answers nonsense: answer.messages: more than 4000 items",
      ],
      ["x".repeat(700_000), "answers with more than 600000 bytes"],
    ];
    for (const [i, [body, problem]] of cases.entries()) {
      fake.answer = () => ({ body });
      const line = `The relay at ${fake.url} ${problem}.`;
      expect(await trouble()).to.equal(line);
      const { length } = fake.asked;
      clock.time += 50 * 2 ** i - 1;
      expect([await trouble(), fake.asked.length]).to.deep.equal([line, length]);
      clock.time += 1;
    }
  });

  it("counts requests that failed together as one failure", async () => {
    fake.answer = () => ({ status: 503, body: "" });
    const transport = by([fake.url]);
    await Promise.allSettled(lines.map((line) => transport.put(line)));
    fake.answer = () => showing([], 4);
    const { length } = fake.asked;
    clock.time += 49;
    await transport.after(0).catch(messageOf);
    expect(fake.asked).to.have.length(length);
    clock.time += 1;
    expect(await transport.after(0)).to.deep.equal({ lines: [], seen: 0, isMore: false });
  });

  it("pauses for at least a second if a limit is exceeded", async () => {
    fake.answer = () => ({ status: 429, body: "" });
    const transport = by([fake.url]);
    await transport.after(0).catch(messageOf);
    clock.time += 999;
    await transport.after(0).catch(messageOf);
    expect(fake.asked).to.have.length(1);
    clock.time += 1;
    // Another request that was sent at the same time succeeds later.
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    fake.answer = async (method) => {
      if (method === "PUT") return { status: 429, body: "" };
      await answered;
      return showing([], 0);
    };
    const reading = transport.after(0);
    await transport.put(lines[0]).catch(messageOf);
    answer();
    await reading;
    const { length } = fake.asked;
    clock.time += 999;
    await transport.after(0).catch(messageOf);
    expect([length, fake.asked.length]).to.deep.equal([3, 3]);
  });

  it("does not pause a relay that only refuses a message, and reports the relay's reason in one line", async () => {
    fake.answer = (method) => (method === "PUT" ? { status: 507, body: `{"error":"no\\u001b room"}` } : showing([], 0));
    const refused = await by([fake.url]).put(lines[0]).catch(messageOf);
    expect(refused).to.equal(`The relay at ${fake.url} refuses: no  room.`);
    fake.answer = (method) => (method === "PUT" ? { status: 400, body: "<html>" } : showing([], 0));
    const transport = by([fake.url]);
    expect(await transport.put(lines[0]).catch(messageOf)).to.match(/ answers with the status 400 of HTTP\.$/);
    expect(await transport.after(0)).to.deep.equal({ lines: [], seen: 0, isMore: false });
  });

  it("gives up on a silent relay after the time limit, and retries once if the connection breaks", async () => {
    fake.answer = () => "stall";
    // oxlint-disable-next-line eslint-js/no-restricted-syntax -- of a question that nobody answers, on however slow a machine
    const late = by([fake.url], { timeLimit: 50 }).after(0).catch(messageOf);
    expect(await late).to.equal(`The relay at ${fake.url} has not answered within 0.05 s.`);
    fake.asked.length = 0;
    fake.answer = () => (fake.asked.length === 1 ? "cut" : showing([], 4));
    expect(await by([fake.url]).after(0)).to.deep.equal({ lines: [], seen: 0, isMore: false });
    fake.answer = () => "cut";
    expect(await by([fake.url]).after(0).catch(messageOf)).to.match(/^The relay at .* does not answer: .*\.$/);
  });

  describe("while it waits", () => {
    const waitMs = 60_000;
    const event = (seen: number, from: number, messages: readonly object[], channel = pair.id) => ({
      ...{ seen, channel, from, messages },
    });
    const asked = (path: string) => fake.asked.filter((each) => each.startsWith(`GET ${path}`)).length;
    /** Answers with these events in a new stream, and with no messages otherwise. */
    const streaming = (...events: readonly object[]) => {
      fake.answer = (_, place) => (place.startsWith("keys") ? { events } : showing([], 0));
    };

    it("opens a stream at most once a second if it ends, and after growing pauses if the relay fails", async () => {
      fake.answer = (_, place) => (place.startsWith("keys") ? { body: ":\n\n" } : showing([], 0));
      const place = relayPlace([fake.url], AT, { timeLimit: PATIENCE, clock });
      await place.transportOf(pair.channel, 2).news(0, { waitMs: 40_000 });
      place.close();
      expect(fake.asked).to.have.length(40);
      expect(fake.asked[0]).to.equal(`GET keys/${pair.channel.key2}/0`);
      fake.asked.length = 0;
      fake.answer = () => ({ status: 503, body: "" });
      await by([fake.url]).news(0, { waitMs: 40_000 });
      expect(fake.asked).to.have.length(14);
    });

    it("reads messages from the stream without a request, and from the relay if some are missing", async () => {
      streaming({ seen: 3 });
      const transport = by([fake.url]);
      const next = async (seen: number) => {
        await transport.news(seen, { waitMs });
        return (await transport.after(seen)).lines;
      };
      expect((await transport.after(0)).lines).to.deep.equal([]);
      expect(await next(0)).to.deep.equal([]);
      fake.answer = (_, place) => (place.startsWith("keys") ? "stall" : showing([open], 8));
      fake.tell(event(4, 7, [open]));
      // The message is at place 7, and the transport has read up to 0.
      expect(await next(0)).to.deep.equal(lines.slice(0, 1));
      const requests = asked(pair.id);
      fake.tell(event(5, 8, [offer, { ...move, count: 2 }]));
      expect(await next(1)).to.deep.equal(lines.slice(1, 2));
      fake.tell(event(6, 9, [{ ...move, count: 2 }, move]));
      expect(await next(2)).to.deep.equal(lines.slice(2));
      expect(asked(pair.id)).to.equal(requests);
      // Without news, only a read after 15 seconds asks the relay.
      await transport.after(3);
      expect(asked(pair.id)).to.equal(requests);
      clock.time += 15_000;
      await transport.after(3);
      expect([asked(pair.id), asked("keys")]).to.deep.equal([requests + 1, 1]);
    });

    it("waits for news of all channels with one stream, and misses no news between two waits", async () => {
      const place = relayPlace([fake.url], AT, { timeLimit: PATIENCE, clock });
      const others = { ...pair.channel, player1: other.channel.player1 };
      const [own, second] = [pair.channel, others].map((channel) => place.transportOf(channel, 2));
      streaming();
      const waits = [own, second].map((transport) => transport.news(0, { waitMs }));
      while (fake.streams.length === 0) await pause(1);
      fake.tell(event(7, 0, []));
      await waits[0];
      fake.tell(event(9, 0, []), event(9, 0, [], channelIdOf(others)));
      await waits[1];
      // The news came after the last read.
      await own.news(0, { waitMs });
      expect((await own.after(0)).lines).to.deep.equal([]);
      const waiting = own.news(0, { waitMs });
      // A relay that does not know the place may have lost messages of any channel.
      await second.after(0);
      fake.tell({ seen: 3 });
      await waiting;
      await second.news(0, { waitMs });
      expect(asked("keys")).to.equal(1);
      const ended = once(fake.streams[0], "close");
      place.close();
      await ended;
    });

    it("continues at the last event after a stream breaks off", async () => {
      streaming(event(7, 0, []));
      const transport = by([fake.url]);
      await transport.news(0, { waitMs });
      await transport.after(0);
      const waiting = transport.news(0, { waitMs });
      streaming(event(8, 0, []));
      fake.streams.pop()!.destroy();
      await waiting;
      expect(fake.asked.filter((each) => each.includes("keys"))).to.deep.equal(
        [0, 7].map((seen) => `GET keys/${pair.channel.key2}/${seen}`),
      );
    });

    it("waits a second each time after five pieces of news in a row without a message", async () => {
      streaming({ seen: 1 });
      const transport = by([fake.url]);
      const times: number[] = [];
      for (let i = 0; i < 8; i++) {
        const began = clock.time;
        await transport.news(0, { waitMs });
        times.push(clock.time - began);
        await transport.after(0);
        fake.tell({ seen: i + 2 });
      }
      expect(times.map((time) => time >= 1_000)).to.deep.equal([...Array<boolean>(5).fill(false), true, true, true]);
    });

    it("reads at most 500 events and comments a second, which strangers and relays can invent", async () => {
      const other = `0x${"1".repeat(64)}`;
      streaming(...Array.from({ length: 1_000 }, (_, i) => event(i + 1, 0, [], other)), { seen: 1_001 });
      const began = clock.time;
      await by([fake.url]).news(0, { waitMs });
      expect(clock.time - began).to.equal(2 * 1_000);
    });

    it("reads from the relay if it has lost its place since the stream's last message", async () => {
      streaming({ seen: 3 });
      const transport = by([fake.url]);
      await transport.after(0);
      await transport.news(0, { waitMs });
      await transport.after(0);
      fake.answer = (_, place) => (place.startsWith("keys") ? "stall" : showing([open, offer], 2));
      const waiting = transport.news(0, { waitMs });
      fake.tell(event(4, 0, [open]), { seen: 9 });
      await waiting;
      expect((await transport.after(0)).lines).to.deep.equal(lines.slice(0, 2));
    });

    it("closes a stream with invalid events, and opens it again after a second", async () => {
      fake.answer = () => ({ body: `data: {"seen":-1}\n\n` });
      await by([fake.url]).news(0, { waitMs: 40_000 });
      expect(fake.asked).to.have.length(40);
    });

    it("if a read after news fails, reads again immediately", async () => {
      fake.answer = (_, place) => (place.startsWith("keys") ? { events: [{ seen: 7 }] } : { status: 400, body: "" });
      const transport = by([fake.url]);
      await transport.news(0, { waitMs });
      await transport.after(0).catch(() => undefined);
      await transport.news(0, { waitMs });
    });

    it("waits only a second if no relay can be asked for news", async () => {
      const began = clock.time;
      await new RelayChannelTransport([fake.url], AT, pair.channel, { clock }).news(0, { waitMs: 40_000 });
      expect([clock.time - began, fake.asked]).to.deep.equal([1_000, []]);
    });

    it("returns immediately to a reader at another position, and throws the reason of an abort signal", async () => {
      const transport = by([fake.url]);
      await transport.news(1, { waitMs: 60_000 });
      expect(fake.asked).to.deep.equal([]);
      fake.answer = () => "stall";
      const stop = new AbortController();
      for (const each of [transport, new MemoryChannelTransport()]) {
        const waiting = each.news(0, { waitMs: 60_000, signal: stop.signal }).catch(messageOf);
        stop.abort(new Error("gone"));
        expect(await waiting).to.equal("gone");
      }
    });

    it("stops waiting for messages in memory once there is a message", async () => {
      const memory = new MemoryChannelTransport();
      const waiting = memory.news(0, { waitMs: PATIENCE });
      await memory.put("line");
      await waiting;
      await memory.news(0, { waitMs: PATIENCE });
      await memory.news(1, { waitMs: 1 });
    });
  });

  it("accepts only HTTP addresses, and never repeats a password", () => {
    expect(relayUrl("http://example.org/relay//?x#y")).to.equal("http://example.org/relay");
    for (const wrong of ["", "relay", "ftp://example.org", "javascript:1"]) {
      expect(() => relayUrl(wrong)).to.throw(InputError, / is not an address of HTTP$/);
    }
    for (const wrong of ["http://ann:secret@example.org", "https://ann@example.org/relay", "http:ann:secret@x.org"]) {
      expect(() => relayUrl(wrong, "--relay")).to.throw(/^--relay: an address of a relay has no user and no password$/);
    }
    expect(() => relayUrl("http://ann:secret@example.org:99999")).to.throw(/^relay: …@example.org:99999 is not an/);
  });
});

describe("Channels: the relay lobby", () => {
  const pair = new Correspondents("alice and bob");
  const other = new Correspondents("carol and dave");
  const { player1, player2, key1 } = pair.channel;
  const plain = (value: object) => JSON.parse(plainText(value)) as object;
  let fake: FakeRelay;
  let clock: SteppingClock;

  beforeEach(async () => {
    fake = await new FakeRelay().listen();
    clock = new SteppingClock();
  });
  afterEach(() => fake.close());

  it("finds searching players and the channels of a key", async () => {
    const world = await RelayWorld.open();
    try {
      const lobby = new RelayLobby([world.relay.url, fake.url], AT, { timeLimit: PATIENCE, clock });
      fake.answer = () => ({ status: 503, body: "" });
      await lobby.put(pair.seek());
      expect(await lobby.seeks(player2)).to.deep.equal([{ ...pair.seek(), terms: undefined, match: undefined }]);
      await world.put(pair, pair.open(2));
      expect(await lobby.channels(key1)).to.deep.equal([pair.channel]);
    } finally {
      await world.close();
    }
  });

  it("ignores a relay's entries that are unsigned, expired or for other players", async () => {
    const { terms } = pair.offer();
    const [old, seek] = [pair.seek({ expires: BEGIN / 1000 + 5 }), pair.seek({ terms })];
    const seeks = [{}, old, seek, { ...seek, expires: seek.expires + 1 }, pair.seek({ opponent: player1 })];
    seeks.push(pair.seek({ opponent: other.channel.player1 }), other.seek({ expires: BEGIN / 1000 - 1 }));
    const channels = [other.channel, 7, pair.channel, pair.channel];
    fake.answer = (_, place) => ({
      body: JSON.stringify(
        place.startsWith("keys")
          ? { channels: channels.map((each) => plain(Object(each))) }
          : { seeks: seeks.map(plain) },
      ),
    });
    const lobby = new RelayLobby([fake.url], AT, { timeLimit: PATIENCE, clock });
    expect(await lobby.seeks(player2)).to.deep.equal([{ ...seek, match: undefined }]);
    expect(await lobby.channels(key1)).to.deep.equal([pair.channel]);
    fake.answer = () => ({ body: `{"seeks":[${"0,".repeat(256)}0],"channels":[]}` });
    expect(await lobby.seeks(player2).catch(messageOf)).to.match(/ answer.seeks: more than 256 items\.$/);
  });

  it("rejects a relay of another chain", async () => {
    const world = await RelayWorld.open();
    try {
      await checkRelay(world.relay.url, AT);
      const wrong = checkRelay(world.relay.url, { ...AT, chainId: 1n });
      expect(await wrong.catch(messageOf)).to.equal(
        `The relay at ${world.relay.url} is of the channels ${AT.channels} of chain 31337.`,
      );
    } finally {
      await world.close();
    }
  });
});
