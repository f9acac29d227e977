import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { computeAddress, id, SigningKey } from "ethers";
import { AwayReader } from "../../cli/shared/off-chain/away-reader.js";
import { urlOf } from "../../scripts/local-chain.js";
import { History } from "../../sdk/chain/history.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import { games } from "../../sdk/games/index.js";
import { findGame } from "../../sdk/games/list.js";
import { QUICK } from "../../sdk/games/warmancer/mode.js";
import { Random } from "../../sdk/laws/random.js";
import { MAX_MATCH_BYTES, messageText, type AwayMessage, type AwayMove } from "../../sdk/protocol/away/messages.js";
import { digestOf, NEVER, stateRequest } from "../../sdk/protocol/away/signatures.js";
import { nextRecord, stateBehind } from "../../sdk/protocol/away/transcript.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import { Seat } from "../../sdk/protocol/status.js";
import { AwayWorld, type AwayTable } from "../support/away-tables.js";
import { runInside } from "../support/inside.js";

/** Milliseconds that the relay takes for an answer, and for which it is read. */
const [SLOW, LIMIT] = [20, 200];

/** Milliseconds for which a relay that has failed is not asked again. */
const REST = 30_000;

/** Reads in which a slow machine gets all of a long answer. */
const MAX_READS = 100;

/** Answers that are read at once, at most, messages that count for nothing, and notes of a seat in a position. */
const [MAX_ANSWERS, MAX_REFUSED, MAX_NOTES] = [64, 64, 64];

describe("What is read of a relay", () => {
  let world: AwayWorld;
  let table: AwayTable;
  let server: Server;
  /** Messages of an answer, by its number, of the match from a place on. */
  let answer: (asked: number, from: number) => readonly AwayMessage[];
  let asked: number;
  /** Time of the readers in milliseconds. */
  let time: number;

  before(async () => {
    world = await AwayWorld.open();
    table = await joined("reader").then((each) => each.play(4));
  });

  beforeEach(async () => {
    [asked, time] = [0, 1e12];
    server = createServer(({ url }, response) => {
      const from = Number(/\d+(?=\?|$)/.exec(url!)![0]);
      const messages = answer(++asked, from).map(messageText);
      setTimeout(() => response.end(`{"messages":[${messages.join()}],"seen":${from + messages.length}}`), SLOW);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  function joined(seed: string): Promise<AwayTable> {
    return world.join({ ...QUICK, away: true }, new Random(seed));
  }

  const url = () => urlOf((server.address() as AddressInfo).port);

  /** Reader of a match. */
  interface Reading {
    reader: AwayReader;
    record: MatchRecord;
  }

  async function open(limit?: number, relay = url(), { matchId } = table): Promise<Reading> {
    const { provider, addresses, players } = world;
    const context = {
      options: { relay },
      deployment: {},
      chainId: 31_337,
      arena: players[0].arena,
      history: new History(provider, addresses),
      findGame: (address: string) => findGame(address, games, addresses),
    };
    const reader = new AwayReader(
      context,
      async () => [],
      limit,
      () => time,
    );
    return { reader, record: await context.history.match(matchId) };
  }

  /** Reads a match again. @returns what is found, and what was said of the relay. */
  async function readWith<T>(
    { reader, record }: Reading,
    look: (reader: AwayReader, record: MatchRecord) => Promise<T>,
  ) {
    reader.forget(record.matchId);
    let found!: T;
    const { stderr } = await runInside(async () => {
      found = await look(reader, record);
      return 0;
    });
    return { found, stderr };
  }

  async function read(reading?: Reading) {
    const { found: moves, stderr } = await readWith(reading ?? (await open()), (reader, record) =>
      reader.movesOf(record),
    );
    return { moves, stderr };
  }

  /** Makes moves of the seat in turn, each of which has it go on, and which no game knows. */
  function hostile({ base, moves: [{ seat }], matchId }: AwayTable, key: SigningKey, count: number): AwayMove[] {
    const { chainId } = table.client(seat);
    const moves: AwayMove[] = [];
    for (let nonce = 1; nonce <= count; nonce++) {
      const record = nextRecord(moves.at(-1)?.record ?? base, seat, "0x00");
      const unsigned = {
        type: "move" as const,
        nonce,
        seat,
        action: "0x00",
        base,
        turn: seat,
        word: id("word"),
        record,
      };
      const digest = digestOf(stateRequest(chainId, world.game, stateBehind(matchId, unsigned)));
      moves.push({ ...unsigned, signature: key.sign(digest).serialized });
    }
    return moves;
  }

  it("are the moves, until an answer brings nothing", async () => {
    answer = (_, from) => table.moves.slice(from, from + 1);
    expect(await read()).to.deep.equal({ moves: table.moves, stderr: "" });
    expect(asked).to.equal(5);
  });

  it("ends with an answer that only repeats what is known", async () => {
    answer = () => table.moves;
    expect(await read()).to.deep.equal({ moves: table.moves, stderr: "" });
    expect(asked).to.equal(2);
  });

  it("ends in time, however many slow answers there would be", async () => {
    answer = (number) => [...table.moves, { ...table.moves[0], nonce: 100 + number }];
    const { stderr } = await read(await open(LIMIT));
    expect(stderr).to.match(
      /^http:\S+ has not sent all messages within 0\.2 s\. What was played away from the chain may be missing\.\n$/,
    );
    expect(asked).to.be.lessThan(MAX_ANSWERS);
  });

  it("are the moves in whatever order they come, and on whichever relay", async () => {
    const folder = await mkdtemp(join(tmpdir(), "duello-"));
    const inside = join(folder, "31337", world.addresses.Arena, String(table.matchId));
    try {
      await mkdir(inside, { recursive: true });
      const put = (move: AwayMove, number: number) => writeFile(join(inside, `${number}.json`), messageText(move));
      for (const { nonce } of table.moves) await put(table.moves.at(-nonce)!, nonce);
      expect(await read(await open(undefined, folder))).to.deep.equal({ moves: table.moves, stderr: "" });
      for (const number of [3, 4]) await rm(join(inside, `${number}.json`));
      // The folder is read to its end before the relay answers.
      answer = (_, from) => table.moves.slice(from, 2);
      expect(await read(await open(undefined, `${folder},${url()}`))).to.deep.equal({ moves: table.moves, stderr: "" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("are not moves of a match that began otherwise, which hide none of this one", async () => {
    const [first] = table.moves;
    for (const change of [{ base: id("foreign") }, { seat: otherSeat(first.seat) }]) {
      const { action, base, seat, ...rest } = { ...first, ...change };
      const foreign = { ...rest, action, base, seat, record: nextRecord(base, seat, action) };
      const hiding = { ...foreign, signature: await table.signed(seat, foreign) };
      answer = (_, from) => [hiding, ...table.moves].slice(from);
      expect(await read()).to.deep.equal({ moves: table.moves, stderr: "" });
    }
  });

  it("are also messages that came before the key was pledged that has signed them", async () => {
    const other = await (await joined("pledge")).play(1);
    const key = new SigningKey(id("pledged"));
    const moves = hostile(other, key, 2);
    answer = (_, from) => moves.slice(from);
    const reading = await open(undefined, url(), other);
    expect(await read(reading)).to.deep.equal({ moves: [], stderr: "" });
    await other.client(moves[0].seat).pledge(other.matchId, computeAddress(key));
    expect(await read(reading)).to.deep.equal({ moves, stderr: "" });
  });

  it("takes no longer than it may while a long answer is checked, and loses nothing by that", async () => {
    const other = await (await joined("long")).play(1);
    const key = new SigningKey(id("long"));
    // To check them takes a multiple of the limit.
    const moves = hostile(other, key, 400);
    await other.client(moves[0].seat).pledge(other.matchId, computeAddress(key));
    answer = (_, from) => moves.slice(from);
    const reading = await open(LIMIT, url(), other);
    const { moves: some, stderr } = await read(reading);
    expect(some!.length).to.be.lessThan(moves.length);
    expect(stderr).to.match(/ has not sent all messages within 0\.2 s\. /);
    let found = some!;
    for (let reads = 0; reads < MAX_READS && found.length < moves.length; reads++) {
      time += REST;
      found = (await read(reading)).moves!;
    }
    expect(found).to.deep.equal(moves);
  });

  it("is limited to the byte limit of a match", async () => {
    const [first, second, third] = table.moves;
    const sent = [first];
    answer = (_, from) => sent.slice(from);
    const reading = await open();
    await read(reading);
    sent.push(second, third);
    const { read: matches } = reading.reader as unknown as { read: Map<bigint, { bytes: number }> };
    matches.get(table.matchId)!.bytes = MAX_MATCH_BYTES - messageText(second).length;
    expect((await read(reading)).moves).to.deep.equal([first, second]);
  });

  it("are no more messages of a relay that sends what counts for nothing", async () => {
    const junk = (i: number): AwayMessage => ({
      type: "ask",
      seat: Seat.One,
      winner: Seat.None,
      nonce: 0,
      signature: `0x${String(i).padStart(130, "0")}`,
    });
    const sent = Array.from({ length: MAX_REFUSED + 1 }, (_, i) => junk(i));
    answer = (_, from) => sent.slice(from, MAX_REFUSED);
    const reading = await open();
    expect(await read(reading)).to.deep.equal({ moves: [], stderr: "" });
    answer = (_, from) => sent.slice(from);
    expect((await read(reading)).stderr).to.match(/^http:\S+ sends what counts for nothing, and is read no more\. /);
    const before = asked;
    time += REST;
    answer = (_, from) => table.moves.slice(from);
    expect([await read(reading), asked]).to.deep.equal([{ moves: [], stderr: "" }, before]);
  });

  it("are no more agreements of a seat in a position than are of use", async () => {
    const other = await (await joined("notes")).play(2);
    const half = async (seat: bigint, winner: bigint, until = NEVER): Promise<AwayMessage> => {
      const { agreement, signatures } = await other.agreed(winner, { until });
      const signature = seat === Seat.One ? signatures.signature1 : signatures.signature2;
      return { type: "agreement", seat, winner, until, record: agreement.record, nonce: other.nonce, signature };
    };
    const { nonce } = other;
    const sent: AwayMessage[] = [...other.moves];
    for (let i = 0; i < MAX_NOTES; i++) sent.push(await half(Seat.One, Seat.Two, NEVER - BigInt(i)));
    sent.push(await half(Seat.One, Seat.One));
    answer = (_, from) => sent.slice(from);
    const reading = await open(undefined, url(), other);
    const standing = () => readWith(reading, (reader, match) => reader.standing(match));
    expect((await standing()).found).to.deep.include({ nonce, winner: Seat.Two, agreed: [Seat.One] });
    sent.push(await half(Seat.Two, Seat.Two));
    expect((await standing()).found).to.deep.include({ nonce, winner: Seat.Two, agreed: [Seat.One, Seat.Two] });
    // The next position has its own.
    await other.step();
    sent.push(other.moves.at(-1)!, await half(Seat.One, Seat.One));
    expect((await standing()).found).to.deep.include({ nonce: nonce + 1, winner: Seat.One, agreed: [Seat.One] });
  });
});
