import { once } from "node:events";
import { appendFile, mkdtemp, open, readdir, readFile, rm, utimes, writeFile, type FileHandle } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { expect } from "chai";
import { id } from "ethers";
import type { RelayedMatch } from "../../cli/relay/facts-cache.js";
import { MatchArchive } from "../../cli/relay/match-archive.js";
import { archiveFolder, relayedMatch } from "../../cli/relay/program.js";
import { Relay, type RelayLimits } from "../../cli/relay/relay.js";
import { isLocked } from "../../cli/shared/files/lock.js";
import { RelayTransport, relayUrl } from "../../sdk/player/away/relay-transport.js";
import { messageText, parseTranscript, type AwayMessage, type AwayMove } from "../../sdk/protocol/away/messages.js";
import { askRequest } from "../../sdk/protocol/away/signatures.js";
import { firstTable, tableHash } from "../../sdk/protocol/away/table.js";
import { InputError } from "../../sdk/protocol/input.js";
import { versionLine } from "../../sdk/protocol/version.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { askOf, awayBase, awayMatch, halfOf, movesBy, pledgedKey, signedBy } from "../support/away.js";
import { awayWorld } from "../support/away-world.js";
import { PATIENCE } from "../support/patience.js";

const { One, Two } = Seat;
const SEATS = [Two, One, One, Two, One];

/** First line of a file of the archive. */
const FIRST = versionLine("the archive of a relay");

const messageOf = (error: unknown) => (error as Error).message;

describe("Relay", () => {
  let folder: string;
  let relay: Relay;
  let moves: AwayMove[];
  /** Facts of matches, by number. */
  let matches: Map<bigint, RelayedMatch>;
  let reads: number;
  let troubles: string[];
  let time: number;
  /** Resolves once matches from 100 on may be read. */
  let slow: Promise<void>;

  before(async () => {
    moves = await movesBy(SEATS);
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "duello-relay-"));
    const position = tableHash(firstTable(awayBase, Two));
    matches = new Map([[7n, { ...awayMatch, status: Status.AllJoined, turn: Seat.Either, position }]]);
    [reads, troubles, time] = [0, [], 0];
    relay = await start();
  });
  afterEach(async () => {
    await relay.stop();
    await rm(folder, { recursive: true });
    await rm(`${folder}.lock`);
  });

  /** Starts a relay on the folder of the test. */
  async function start(limits: Partial<RelayLimits> = {}): Promise<Relay> {
    return Relay.start({
      chainId: awayMatch.chainId,
      arena: awayMatch.arena,
      folder,
      port: 0,
      limits,
      now: () => time,
      onTrouble: (line) => troubles.push(line),
      readMatch: async (matchId) => {
        reads++;
        const facts = matches.get(matchId);
        if (matchId === 99n) throw new Error("no node");
        if (matchId >= 100n) await slow;
        return facts;
      },
    });
  }

  async function restart(limits?: Partial<RelayLimits>): Promise<void> {
    await relay.stop();
    relay = await start(limits);
  }

  /** Opens a connection that the relay may reset at any time. */
  const connectToRelay = () => connect(Number(new URL(relay.url).port), "127.0.0.1").on("error", () => undefined);
  const base = (matchId: bigint | number = 7) => `/${awayMatch.chainId}/${awayMatch.arena}/${matchId}`;

  /** Sends a request; the answer's status, body and headers. */
  async function ask(path: string, init: RequestInit = {}) {
    const response = await fetch(`${relay.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers };
  }

  async function put(message: AwayMessage, matchId: bigint | number = 7) {
    const place = message.type === "move" ? message.nonce : "notes";
    return ask(`${base(matchId)}/${place}`, { method: "PUT", body: messageText(message) });
  }

  async function expectTaken(...messages: AwayMessage[]): Promise<void> {
    for (const message of messages) expect((await put(message)).status).to.equal(201);
  }

  async function expectRefused(sent: ReturnType<typeof ask>, status: number, error: string | RegExp): Promise<void> {
    const { status: found, body } = await sent;
    expect(found, body.error).to.equal(status);
    if (typeof error === "string") expect(body.error).to.equal(error);
    else expect(body.error).to.match(error);
  }

  /** Writes a match of about 4 MB to the archive. @returns its number of lines */
  async function longMatch(matchId: number): Promise<number> {
    const line = `${messageText(moves[0])}\n`;
    const count = Math.floor(2 ** 22 / line.length);
    await writeFile(join(folder, `${matchId}.jsonl`), `${FIRST}\n${line.repeat(count)}`);
    return count;
  }

  const transport = () => new RelayTransport(relay.url, awayMatch, { timeLimit: PATIENCE });

  /** Returns the messages that the relay has. */
  async function all(): Promise<string[]> {
    const { messages } = await transport().after(0);
    return messages.map(messageText);
  }

  describe("given the signed messages of a match", () => {
    it("returns all messages to everybody, in order, from any position", async () => {
      await expectTaken(moves[0], moves[1], await askOf(One, 2), moves[2]);
      const texts = [moves[0], moves[1], await askOf(One, 2), moves[2]].map(messageText);
      expect(await all()).to.deep.equal(texts);
      const { messages, seen } = await transport().after(2);
      expect([messages.map(messageText), seen]).to.deep.equal([texts.slice(2), 4]);
      expect(await transport().after(4)).to.deep.equal({ messages: [], seen: 4 });
      // A reader that has seen more messages than there are starts again.
      expect((await transport().after(5)).seen).to.equal(0);
    });

    it("sends a reader to the start if the relay lost messages and has as many new ones", async () => {
      await restart({ matches: 1 });
      await expectTaken(moves[0], moves[1]);
      const reader = transport();
      const { seen } = await reader.after(0);
      expect(await reader.after(seen)).to.deep.equal({ messages: [], seen: 2 });
      const match = { ...awayMatch, matchId: 8n };
      matches.set(8n, { ...matches.get(7n)!, ...match });
      const [other] = await movesBy([Two], { match });
      expect((await put(other, 8)).status).to.equal(201);
      const again = [moves[0], await askOf(One, 1)];
      await expectTaken(...again);
      for (const waitMs of [30_000, 0]) {
        expect(await reader.after(seen, { waitMs })).to.deep.equal({ messages: [], seen: 0 });
      }
      expect(await reader.after(0)).to.deep.equal({ messages: again, seen: 2 });
      expect(await reader.after(2)).to.deep.equal({ messages: [], seen: 2 });
    });

    it("accepts a repeated message like the first, and stores one", async () => {
      await expectTaken(moves[0], moves[1]);
      for (const move of [moves[0], moves[1], moves[0]]) expect((await put(move)).status).to.equal(200);
      expect(await all()).to.deep.equal(moves.slice(0, 2).map(messageText));
    });

    it("stores an agreement once, even if it is repeated under another state", async () => {
      await expectTaken(moves[0]);
      const half = await halfOf(One, moves[0]);
      await expectTaken(half);
      expect((await put({ ...half, nonce: 0 })).status).to.equal(200);
      expect(await all()).to.deep.equal([moves[0], half].map(messageText));
    });

    it("loses nothing in a restart or a kill in the middle of a line", async () => {
      await expectTaken(moves[0], moves[1], await askOf(One, 2));
      const texts = await all();
      await restart();
      expect(await all()).to.deep.equal(texts);
      await relay.stop();
      const file = join(folder, "7.jsonl");
      await appendFile(file, messageText(moves[2]).slice(0, 100));
      relay = await start();
      expect(await all()).to.deep.equal(texts);
      await expectTaken(moves[2]);
      expect((await readFile(file, "utf8")).split("\n")).to.deep.equal([FIRST, ...texts, messageText(moves[2]), ""]);
    });

    it("counts proposals made before a restart", async () => {
      await expectTaken(moves[0]);
      for (const winner of [Seat.None, One, Two]) await expectTaken(await askOf(One, 1, winner));
      await restart();
      await expectTaken(await halfOf(One, moves[0]));
      await expectRefused(
        put(await halfOf(One, moves[0], Two)),
        507,
        "seat 1 has proposed or agreed too often behind message 1",
      );
      await expectTaken(await askOf(Two, 1));
      // The next move makes room for others.
      await expectTaken(moves[1], await askOf(One, 2));
    });

    it("processes two simultaneous messages one after the other", async () => {
      const statuses = await Promise.all([moves[0], moves[0], moves[0]].map(async (move) => (await put(move)).status));
      expect(statuses.sort()).to.deep.equal([200, 200, 201]);
      expect(await all()).to.deep.equal([messageText(moves[0])]);
    });
  });

  it("locks its folder while it runs", async () => {
    expect(await start().catch(messageOf)).to.equal(
      `A relay keeps its messages in ${folder} already, process ${process.pid} on ${hostname()}: stop it first. ${folder}.lock is locked.`,
    );
    await restart();
    const { port } = new URL(relay.url);
    const other = {
      chainId: 1n,
      arena: awayMatch.arena,
      folder: join(folder, "other"),
      readMatch: async () => undefined,
    };
    const taken = await Relay.start({ ...other, port: Number(port) }).catch(messageOf);
    expect(taken).to.match(/^Port \d+ of 127.0.0.1 is taken: /);
    await (await Relay.start({ ...other, port: 0 })).stop();
    expect(await readdir(folder)).to.deep.equal(["other", "other.lock"]);
  });

  describe("when it is stopped", () => {
    const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

    it("locks its folder until its writes are on the disk", async () => {
      const handle = await open(folder);
      const handles = Object.getPrototypeOf(handle) as FileHandle;
      await handle.close();
      const { sync } = handles;
      let write!: () => void;
      const mayWrite = new Promise<void>((resolve) => (write = resolve));
      let syncs = 0;
      const isWriting = new Promise<void>((resolve) => {
        handles.sync = async function (this: FileHandle) {
          syncs++;
          resolve();
          await mayWrite;
          return sync.call(this);
        };
      });
      try {
        const sent = put(moves[0]).catch(() => undefined);
        await isWriting;
        const stopped = relay.stop();
        await sent;
        await pause(50);
        expect(isLocked(`${folder}.lock`)).to.equal(true);
        write();
        await stopped;
        expect(isLocked(`${folder}.lock`)).to.equal(false);
        // The file is new, so its folder is also synced.
        expect(syncs).to.equal(2);
      } finally {
        handles.sync = sync;
        write();
      }
      relay = await start();
      expect(await all()).to.deep.equal([messageText(moves[0])]);
    });

    it("does not wait for the chain, and writes nothing afterwards", async () => {
      let read!: () => void;
      slow = new Promise((resolve) => (read = resolve));
      const match = { ...awayMatch, matchId: 100n };
      matches.set(100n, { ...matches.get(7n)!, ...match });
      const [move] = await movesBy([Two], { match });
      const sent = put(move, 100).catch(() => undefined);
      while (reads < 1) await pause(10);
      const stopped = relay.stop();
      // A relay that does wait is answered in the end, so that the test fails.
      setTimeout(read, 500);
      await Promise.all([stopped, sent]);
      read();
      await pause(50);
      expect([await readdir(folder), troubles]).to.deep.equal([[], []]);
      relay = await start();
    });
  });

  it("keeps running if a connection cannot be accepted, and reports it", async () => {
    const { server } = relay as unknown as { server: Server };
    server.emit("error", new Error("accept EMFILE"));
    expect(troubles).to.deep.equal(["accept EMFILE"]);
    await expectTaken(moves[0]);
  });

  it("accepts a limited number of proposals in a game that continues on chain", async () => {
    await expectTaken(moves[0]);
    for (let nonce = 2; nonce < 66; nonce++) await expectTaken(await askOf(One, nonce));
    await expectRefused(put(await askOf(One, 66)), 507, "seat 1 has proposed or agreed too often behind message 1");
    await expectTaken(await askOf(Two, 66));
  });

  describe("when a message is not in order, or not signed by a seat", () => {
    it("rejects a nonce that is not the next, and a second message with a known nonce", async () => {
      await expectRefused(put(moves[1]), 409, "message 1 comes next, not 2");
      await expectTaken(moves[0]);
      await expectRefused(put(moves[2]), 409, "message 2 comes next, not 3");
      const [other] = await movesBy([Two], { seed: "other" });
      await expectRefused(put(other), 409, "there is another message 1");
      await expectRefused(put(await askOf(One, 0)), 409, "the last message is 1, not 0");
      await expectRefused(put(await halfOf(One, { nonce: 1, record: awayBase })), 409, /record of message 1/);
    });

    it("rejects messages that no seat signed or that contradict the previous move", async () => {
      const strange = id("strange");
      await expectRefused(put({ ...moves[0], word: strange }), 400, "message.signature: seat 2 has not signed this");
      await expectRefused(put({ ...moves[0], record: strange }), 400, /^message.record: /);
      await expectTaken(moves[0]);
      await expectRefused(put({ ...moves[1], seat: Two }), 400, "message.seat: 2 instead of 1, which is in turn");
      await expectRefused(put({ ...moves[1], previous: moves[1].signature }), 400, /^message.previous: /);
      await expectRefused(put({ ...(await askOf(One, 1)), seat: Two }), 400, /^message.signature: /);
      await expectRefused(put({ ...(await halfOf(One, moves[0])), winner: Two }), 400, /^message.signature: /);
    });

    it("rejects a first move whose seat or base differs from the chain's", async () => {
      const [early] = await movesBy([One]);
      await expectRefused(put(early), 400, "message.base: the match did not begin so");
      const [strange] = await movesBy([Two], { base: id("strange") });
      await expectRefused(put(strange), 400, "message.base: the match did not begin so");
      await expectTaken(moves[0]);
    });

    it("rejects messages of matches that are not joined, over or unknown to the chain", async () => {
      await expectRefused(put(moves[0], 8), 404, "match 8 is not in play");
      matches.set(9n, { ...matches.get(7n)!, status: Status.P1Win });
      await expectRefused(put(moves[0], 9), 410, "match 9 is over");
      await expectRefused(put(moves[0], 99), 503, "the chain does not answer the relay");
      expect(troubles).to.deep.equal(["no node"]);
      expect(await readdir(folder)).to.deep.equal([]);
    });

    it("accepts the first move of a match soon after joining, even if one came earlier", async () => {
      const facts = matches.get(7n)!;
      matches.delete(7n);
      await expectRefused(put(moves[0]), 404, "match 7 is not in play");
      matches.set(7n, facts);
      time += 1_000;
      await expectRefused(put(moves[0]), 404, "match 7 is not in play");
      time += 2_000;
      await expectTaken(moves[0]);
      expect(reads).to.equal(2);
    });

    it("accepts the signature of a key that was pledged after the facts were read", async () => {
      const facts = matches.get(7n)!;
      matches.set(7n, { ...facts, keys: [] });
      const ask = await askOf(Two, 0);
      const { chainId, arena } = awayMatch;
      const request = askRequest(chainId, arena, { matchId: 7n, winner: Seat.None, nonce: 0 });
      const pledged = { ...ask, signature: await signedBy(pledgedKey, request) };
      await expectRefused(put(pledged), 400, /^message.signature: /);
      matches.set(7n, facts);
      time += 1_000;
      await expectRefused(put(pledged), 400, /^message.signature: /);
      time += 2_000;
      await expectTaken(pledged);
      expect(reads).to.equal(2);
    });
  });

  describe("when somebody sends garbage", () => {
    it("refuses garbage in one line, and goes on", async () => {
      const send = (body: string, place = "1") => ask(`${base()}/${place}`, { method: "PUT", body });
      await expectRefused(send("{"), 400, "message: not JSON");
      await expectRefused(send(""), 400, "message: not JSON");
      await expectRefused(send("null"), 400, "message.type: left out");
      await expectRefused(
        send(`{"type":"say\\u001b[2J"}`),
        400,
        /^message.type: .* is not one of move, ask, agreement$/,
      );
      await expectRefused(send(messageText(moves[0]), "2"), 400, "message: its place is 1, not 2");
      await expectRefused(send(messageText(moves[0]), "notes"), 400, "message: its place is 1, not notes");
      await expectRefused(send(messageText({ ...moves[0], action: "0x" })), 400, /^message.action: /);
      await expectTaken(moves[0]);
      expect(troubles).to.deep.equal([]);
    });

    it("does not treat an aborted message as an internal error", async () => {
      const socket = connectToRelay();
      socket.write(`PUT ${base()}/1 HTTP/1.1\r\nHost: relay\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n{`);
      await once(socket, "data");
      socket.resetAndDestroy();
      await expectTaken(moves[0]);
      expect(troubles).to.deep.equal([]);
    });

    it("rejects unknown paths, chains, arenas and methods", async () => {
      const other = `/1/${awayMatch.arena}/7/0`;
      for (const path of [other, `/31337/${awayMatch.game}/7/0`, "/favicon.ico", "/31337"]) {
        await expectRefused(ask(path), 404, `this relay is of the arena ${awayMatch.arena} of chain 31337`);
      }
      for (const rest of ["/0", "/07", "/7/-1", "/7/x", "/7/0/0", "/7/99999999999", "/../../etc"]) {
        await expectRefused(ask(`/31337/${awayMatch.arena}${rest}`), 404, /^(there is no such place|this relay is of)/);
      }
      expect((await ask(`/31337/${awayMatch.arena.toLowerCase()}/7`)).status).to.equal(200);
      for (const method of ["POST", "DELETE"]) {
        await expectRefused(ask(`${base()}/1`, { method }), 405, `${method} is not allowed`);
      }
      await expectRefused(ask(`${base()}/notes`), 405, "notes are read with all messages");
      await expectRefused(ask(`${base()}/0?wait=1s`), 400, "wait: 1s is not a number of seconds");
      expect((await ask("/")).body).to.deep.equal({ type: "duello relay", chainId: 31_337, arena: awayMatch.arena });
    });

    it("reports a tampered file, without affecting other matches", async () => {
      await expectTaken(moves[0]);
      await relay.stop();
      await writeFile(join(folder, "7.jsonl"), `${FIRST}\n{}\n${messageText(moves[0])}\n`);
      await writeFile(join(folder, "note.txt"), "mine");
      relay = await start();
      await expectRefused(ask(`${base()}/0`), 500, "the relay has failed");
      expect(troubles).to.deep.equal([`${join(folder, "7.jsonl")}:2.type: left out`]);
      expect((await ask(`${base(8)}/0`)).status).to.equal(200);
    });
  });

  it("neither reads nor writes a file of a newer or missing version, and serves other matches", async () => {
    await relay.stop();
    const reads = "of the archive of a relay, and this program reads version 1";
    for (const [first, problem] of [
      [FIRST.replace("1", "2"), `it has version 2 ${reads}: use the newer program that wrote it`],
      [messageText(moves[0]), `it has no version ${reads}: it is damaged, or too old to be used: move it away`],
    ]) {
      const text = `${first}\n${messageText(moves[0])}\n`;
      await writeFile(join(folder, "7.jsonl"), text);
      relay = await start();
      troubles.length = 0;
      await expectRefused(ask(`${base()}/0`), 500, "the relay has failed");
      await expectRefused(put(moves[0]), 500, "the relay has failed");
      expect(new Set(troubles)).to.deep.equal(new Set([`${join(folder, "7.jsonl")}:1: ${problem}`]));
      expect((await ask(`${base(8)}/0`)).status).to.equal(200);
      await relay.stop();
      expect(await readFile(join(folder, "7.jsonl"), "utf8")).to.equal(text);
    }
    relay = await start();
  });

  describe("given its limits", () => {
    it("refuses a message of more than 4 KB, whatever length it declares", async () => {
      const long = `{"type":"${"x".repeat(5_000)}"}`;
      await expectRefused(ask(`${base()}/1`, { method: "PUT", body: long }), 413, "a message has 4096 bytes at most");
      const chunks = new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(1_000))),
      });
      const init = { method: "PUT", body: chunks, duplex: "half" } as RequestInit;
      const answer = await ask(`${base()}/1`, init).catch(() => ({ status: 413 }));
      expect(answer.status).to.equal(413);
      await expectTaken(moves[0]);
    });

    it("rejects a message whose stored form is too long", async () => {
      const nonce = 1_000;
      const padded = (bytes: number) => messageText({ ...moves[0], nonce, action: `0x${"00".repeat(bytes)}` });
      const body = padded((4_097 - padded(0).length) / 2).replace('"nonce":1000', '"nonce":1e3');
      expect(body).to.have.length(4_096);
      const sent = ask(`${base()}/1000`, { method: "PUT", body });
      await expectRefused(sent, 400, "message: it takes 4097 bytes, and 4096 at most");
    });

    it("stores no more than 4 MB per match", async () => {
      await expectTaken(moves[0]);
      await relay.stop();
      await longMatch(7);
      relay = await start();
      await expectRefused(put(moves[1]), 507, /have 4194304 bytes, the most$/);
      // A client that reads gets the match in parts, none of them long.
      let [seen, parts] = [0, 0];
      for (let more = true; more; parts++) {
        const { messages, seen: next } = await transport().after(seen);
        [more, seen] = [messages.length > 0, next];
      }
      expect(parts).to.be.greaterThan(15);
    });

    it("stores no more matches than allowed, and drops the least recently written", async () => {
      const facts = matches.get(7n)!;
      await relay.stop();
      relay = await start({ matches: 2 });
      for (const matchId of [7n, 8n, 9n]) {
        matches.set(matchId, { ...facts, matchId });
        const [move] = await movesBy([Two], { match: { ...awayMatch, matchId } });
        expect((await put(move, matchId)).status).to.equal(201);
      }
      expect((await readdir(folder)).sort()).to.deep.equal(["8.jsonl", "9.jsonl"]);
      expect(await all()).to.deep.equal([]);
      const old = new Date(2_000_000_000_000 - 1e9);
      await utimes(join(folder, "8.jsonl"), new Date(2e12), new Date(2e12));
      await utimes(join(folder, "9.jsonl"), old, old);
      await restart({ matches: 1 });
      expect(await readdir(folder)).to.deep.equal(["8.jsonl"]);
    });

    it("stores no more total bytes than allowed, and drops the least recently written match", async () => {
      const opened = (bytes: number) => new MatchArchive(folder, { matches: 9, bytes, patience: 0 });
      const none = async () => undefined;
      const [first, second] = moves.map((move) => Buffer.byteLength(messageText(move)) + 1);
      const bytes = 2 * (FIRST.length + 1 + first) + second;
      const archive = opened(bytes);
      for (const matchId of [7n, 8n]) await archive.add(matchId, "a", moves[0], none);
      await archive.add(7n, "a", moves[1], none);
      expect((await readdir(folder)).sort()).to.deep.equal(["7.jsonl", "8.jsonl"]);
      await archive.add(9n, "a", moves[0], none);
      expect((await readdir(folder)).sort()).to.deep.equal(["7.jsonl", "9.jsonl"]);
      await utimes(join(folder, "7.jsonl"), new Date(1e12), new Date(1e12));
      opened(bytes);
      expect((await readdir(folder)).sort()).to.deep.equal(["7.jsonl", "9.jsonl"]);
      opened(bytes - 1);
      expect(await readdir(folder)).to.deep.equal(["9.jsonl"]);
    });

    it("drops no match while adding a message to it", async () => {
      const limits = { matches: 1, bytes: Infinity, patience: 0 };
      const archive = new MatchArchive(folder, limits);
      const [first, second] = moves;
      const none = async () => undefined;
      await archive.add(7n, "a", first, none);
      await archive.add(7n, "a", second, async () => {
        await archive.add(8n, "a", first, none);
      });
      const { lines } = await new MatchArchive(folder, limits).read(7n, "a");
      expect(lines).to.deep.equal([first, second].map(messageText));
    });

    it("disconnects clients that send too slowly or do not read", async () => {
      await restart({ requestTime: 100, answerTime: 100, wait: 0 });
      const open = (text: string) => {
        const socket = connectToRelay();
        socket.write(text);
        return socket.resume();
      };
      const slow = open(`PUT ${base()}/1 HTTP/1.1\r\nHost: relay\r\nContent-Length: 100\r\n\r\n{`);
      await once(slow, "close");
      const mute = open("GET / HT");
      await once(mute, "close");
      await restart();
      await expectTaken(moves[0]);
    });

    it("disconnects a client that sends a request before the last is answered, and ends its wait", async () => {
      await restart({ waiting: 1 });
      const asked = async (path: string) => {
        const socket = connectToRelay();
        socket.end(`GET ${path} HTTP/1.1\r\nHost: relay\r\n\r\n`.repeat(3));
        return streamText(socket).catch(() => "");
      };
      expect(await asked("/")).to.equal("");
      expect(await asked(`${base()}/0?wait=30`)).to.equal("");
      // Nobody is waiting any more: a new waiter is not answered at once.
      const waiting = transport().after(0, { waitMs: 30_000 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await expectTaken(moves[0]);
      expect((await waiting).seen).to.equal(1);
    });

    it("stops waiting for a client that left before a long match was read", async () => {
      await longMatch(7);
      await restart({ waiting: 1 });
      const { lines } = await new MatchArchive(folder, { matches: 9, bytes: Infinity, patience: 0 }).read(7n, "a");
      const socket = connectToRelay();
      socket.write(`GET ${base()}/${lines.length}?wait=30 HTTP/1.1\r\nHost: relay\r\n\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
      expect((await ask(`${base()}/0`)).status).to.equal(200);
      // Nobody is waiting any more: a new waiter is not answered at once.
      const start = performance.now();
      expect((await ask(`${base(8)}/0?wait=1`)).body.seen).to.equal(0);
      expect(performance.now() - start).to.be.greaterThan(900);
    });

    it("serves others while it reads a long match", async () => {
      const lines = await longMatch(7);
      // Processor time, which excludes other programs; garbage collection takes some at times.
      const spent = () => process.cpuUsage().user;
      let share = 1;
      for (let attempt = 0; attempt < 5 && share >= 0.5; attempt++) {
        const archive = new MatchArchive(folder, { matches: 9, bytes: Infinity, patience: 0 });
        let isRead = false;
        const reading = archive.read(7n, "a").finally(() => (isRead = true));
        const start = spent();
        let longest = 0;
        for (let last = start; !isRead; last = spent()) {
          await new Promise((resolve) => setImmediate(resolve));
          longest = Math.max(longest, spent() - last);
        }
        expect((await reading).lines).to.have.length(lines);
        share = longest / (spent() - start);
      }
      expect(share).to.be.lessThan(0.5);
    });

    it("reads at most eight matches from disk at once, and queues others", async () => {
      await relay.stop();
      for (let matchId = 1; matchId <= 9; matchId++) await longMatch(matchId);
      const archive = new MatchArchive(folder, { matches: 9, bytes: Infinity, patience: 600_000 });
      const read = Array.from({ length: 9 }, (_, i) => archive.read(BigInt(i + 1), i % 2 ? "a" : "b"));
      expect(archive.state.waiting).to.equal(1);
      for (const { lines } of await Promise.all(read)) expect(lines.length).to.be.greaterThan(1);
      const hasty = new MatchArchive(folder, { matches: 9, bytes: Infinity, patience: 0 });
      const tried = Array.from({ length: 9 }, (_, i) => hasty.read(BigInt(i + 1), i % 2 ? "a" : "b").catch(messageOf));
      expect(await tried[8]).to.equal("the server is busy");
      await Promise.all(tried);
      relay = await start();
    });

    it("answers at once when too many wait", async () => {
      await restart({ waiting: 1 });
      const stop = new AbortController();
      const first = transport().after(0, { waitMs: 30_000, signal: stop.signal });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await transport().after(0, { waitMs: 30_000 })).to.deep.equal({ messages: [], seen: 0 });
      stop.abort();
      await first.catch(() => undefined);
    });

    it("limits concurrent reads from the chain, and caches the results", async () => {
      await expectTaken(moves[0], moves[1], moves[2]);
      expect(reads).to.equal(1);
      time += 60_001;
      await expectTaken(moves[3]);
      expect(reads).to.equal(2);
      await restart({ reads: 0 });
      await expectRefused(put(moves[4]), 503, "the server is busy");
    });
  });

  it("reads matches with messages while others are slow", async () => {
    await restart({ reads: 2 });
    await expectTaken(moves[0]);
    let read!: () => void;
    slow = new Promise((resolve) => (read = resolve));
    const first = put(moves[0], 100);
    while (reads < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    await expectRefused(put(moves[0], 101), 503, "the server is busy");
    time += 60_001;
    await expectTaken(moves[1]);
    read();
    await expectRefused(first, 404, "match 100 is not in play");
  });

  describe("when somebody waits for messages", () => {
    it("answers as soon as a message arrives", async () => {
      const waiting = transport().after(0, { waitMs: 30_000 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      await expectTaken(moves[0]);
      expect((await waiting).messages.map(messageText)).to.deep.equal([messageText(moves[0])]);
    });

    it("answers without messages at the timeout, and frees the resources of a reader that disconnects", async () => {
      expect(await transport().after(0, { waitMs: 1_000 })).to.deep.equal({ messages: [], seen: 0 });
      const stop = new AbortController();
      const gone = transport().after(0, { waitMs: 30_000, signal: stop.signal });
      stop.abort(new Error("gone"));
      expect(await gone.catch(messageOf)).to.equal("gone");
      await restart();
    });
  });

  describe("for pages and programs", () => {
    it("answers pages of any host", async () => {
      const { status, headers } = await ask(`${base()}/1`, { method: "OPTIONS" });
      expect([status, headers.get("access-control-allow-methods")]).to.deep.equal([204, "GET, PUT"]);
      expect(headers.get("access-control-allow-origin")).to.equal("*");
      expect((await ask(`${base()}/0`)).headers.get("access-control-allow-origin")).to.equal("*");
      expect((await ask(`${base()}/x`)).headers.get("access-control-allow-origin")).to.equal("*");
    });

    it("answers under any host name, as a proxy may pass the public one", async () => {
      const socket = connectToRelay();
      socket.write(
        "GET / HTTP/1.1\r\nHost: relay.example\r\nOrigin: https://page.example\r\nConnection: close\r\n\r\n",
      );
      expect(await streamText(socket)).to.match(/^HTTP\/1\.1 200 /);
    });

    it("is distinguished from relays of other deployments", async () => {
      await transport().check(awayMatch.chainId, awayMatch.arena);
      const wrong = transport().check(1n, awayMatch.arena);
      expect(await wrong.catch(messageOf)).to.equal(
        `The relay at ${relay.url} is of the arena ${awayMatch.arena} of chain 31337.`,
      );
    });

    it("returns refusals in one sentence, and has its address checked", async () => {
      const refused = await transport().put(moves[1]).catch(messageOf);
      expect(refused).to.equal(`The relay at ${relay.url} refuses: message 1 comes next, not 2.`);
      expect(relayUrl("http://example.org/relay//?x#y")).to.equal("http://example.org/relay");
      for (const wrong of ["", "relay", "ftp://example.org", "javascript:1"]) {
        expect(() => relayUrl(wrong)).to.throw(InputError);
      }
    });
  });
});

describe("A transport by a relay", () => {
  it("rejects an address with a user or a password, and prints neither", () => {
    for (const wrong of [
      "http://ann:secret@example.org",
      "https://ann@example.org/relay",
      "http://:secret@example.org",
      "http:ann:secret@example.org",
      "ftp://ann:secret@example.org",
    ]) {
      expect(() => relayUrl(wrong, "--relay"), wrong).to.throw(
        InputError,
        /^--relay: an address of a relay has no user and no password$/,
      );
    }
    expect(() => relayUrl("http://ann:secret@example.org:99999")).to.throw(
      InputError,
      /^relay: …@example.org:99999 is not an address of HTTP$/,
    );
  });

  it("skips entries that are not messages, and reports invalid answers", async () => {
    const [move] = await movesBy([Two]);
    let answer = "";
    const server = createServer((_, response) => response.end(answer)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    const after = () => new RelayTransport(url, awayMatch, { timeLimit: PATIENCE }).after(0).catch(messageOf);
    answer = `{"messages":[{},${messageText(move)},null,"x"],"seen":4}`;
    expect(await after()).to.deep.equal({ messages: [move], seen: 4 });
    answer = "{";
    expect(await after()).to.equal(`The relay at ${url} answers nonsense: no JSON.`);
    answer = `{"messages":[]}`;
    expect(await after()).to.equal(`The relay at ${url} answers nonsense: answer.seen: left out.`);
    answer = "x".repeat(700_000);
    expect(await after()).to.equal(`The relay at ${url} answers with more than 600000 bytes.`);
    server.closeAllConnections();
    server.close();
    expect(await after()).to.match(/^The relay at .* does not answer: .*\.$/);
  });

  it("retries if a kept-alive connection was closed", async () => {
    let requests = 0;
    const server = createServer((request, response) => {
      if (++requests === 1) request.socket.destroy();
      else response.end(`{"messages":[],"seen":4}`);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const transport = new RelayTransport(`http://127.0.0.1:${port}`, awayMatch, { timeLimit: PATIENCE });
    expect([await transport.after(0), requests]).to.deep.equal([{ messages: [], seen: 4 }, 2]);
    server.closeAllConnections();
    server.close();
  });

  it("stops asking a relay that does not answer", async () => {
    const server = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}`;
    // oxlint-disable-next-line eslint-js/no-restricted-syntax -- of a question that nobody answers, on however slow a machine
    const transport = new RelayTransport(url, awayMatch, { timeLimit: 100 });
    const late = await transport.after(0).catch(messageOf);
    expect(late).to.equal(`The relay at ${url} has not answered within 0.1 s.`);
    server.closeAllConnections();
    server.close();
  });
});

describe("Relay of a chain", () => {
  it("delivers a whole game between two seats, and accepts nothing once it is settled", async () => {
    const world = await awayWorld();
    const folder = await mkdtemp(join(tmpdir(), "duello-relay-"));
    try {
      await world.reset();
      const [{ arena }] = world.clients;
      const matchId = await world.begun();
      const relay = await Relay.start({
        chainId: 7777n,
        arena: world.addresses.Arena,
        folder: archiveFolder(folder, 7777, id("genesis"), world.addresses.Arena),
        port: 0,
        readMatch: (match) => relayedMatch(arena, match),
      });
      const match = { chainId: 7777n, arena: world.addresses.Arena, matchId };
      const seats = await world.both(matchId, new RelayTransport(relay.url, match, { timeLimit: PATIENCE }));
      const { phase, historyHash } = await world.playOn(seats);
      expect(phase).to.equal("over");
      const kept = await readFile(join(folder, (await readdir(folder))[0], `${matchId}.jsonl`), "utf8");
      const transcript = parseTranscript(kept, "archive");
      expect(transcript.at(-1)!.record).to.equal(historyHash);
      expect(await relayedMatch(arena, matchId + 1n)).to.equal(undefined);
      const over = await relayedMatch(arena, matchId);
      expect(over!.status).to.be.greaterThan(Status.AllJoined);
      await relay.stop();
    } finally {
      await world.connection.close();
      await rm(folder, { recursive: true });
    }
  });
});
