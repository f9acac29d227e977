import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { expect } from "chai";
import { readProxies } from "../../cli/shared/server/client-address.js";
import { freePort, HOST } from "../../cli/shared/server/port.js";
import { Gateway, GATEWAY_LIMITS, type GatewayLimits } from "../../indexer/gateway.js";
import { Progress } from "../../indexer/progress.js";
import { eventually, PATIENCE } from "../support/patience.js";
import { keepStatistics, writeAtomically, type Pglite, type PonderDatabase } from "../../indexer/src/api/database.js";

describe("Batch of rows in the embedded database", () => {
  let instance: PGlite;
  let database: PonderDatabase;

  /** Writes rows one by one, as Ponder writes a batch. */
  const write = (...values: number[]) =>
    database.userQB.transaction(async () => {
      for (const value of values) await instance.query("insert into row values ($1)", [value]);
    });
  const rows = async () => (await instance.query<{ value: number }>("select value from row order by 1")).rows;

  beforeEach(async () => {
    instance = await PGlite.create();
    await instance.exec("create table row (value integer primary key)");
    const userQB = { transaction: (work: unknown) => (work as () => Promise<void>)() };
    database = { driver: { dialect: "pglite", instance: instance as unknown as Pglite }, userQB };
    writeAtomically(database);
  });

  afterEach(() => instance.close());

  it("leaves no row if it fails halfway, so that it can be retried", async () => {
    const failure = await write(1, 2, 1).catch((error: unknown) => error);
    expect((failure as Error).message).to.match(/duplicate key/);
    expect(await rows()).to.deep.equal([]);
    await write(1, 2);
    expect(await rows()).to.deep.equal([{ value: 1 }, { value: 2 }]);
  });

  it("becomes visible to other connections atomically, and does not fail because of their errors", async () => {
    const written = write(1, 2, 3);
    const seen = rows();
    const failed = instance.query("select nothing").catch((error: unknown) => error);
    await written;
    expect(await seen).to.have.length(3);
    expect(await failed).to.be.an("error");
    expect(await rows()).to.have.length(3);
  });

  it("is counted again and again in the statistics from which queries are planned", async () => {
    keepStatistics(database, 1);
    for (const values of [
      [1, 2],
      [3, 4, 5],
    ]) {
      await write(...values);
      const { length } = await rows();
      await eventually(async () => {
        const { rows } = await instance.query<{ count: number }>(
          "select reltuples as count from pg_class where relname = 'row'",
        );
        expect(rows).to.deep.equal([{ count: length }]);
      });
    }
  });
});

describe("Progress of an index", () => {
  const MINUTE = 60_000;

  it("is not stalled while it reaches each block within a minute", () => {
    const progress = new Progress();
    for (let minute = 0; minute < 5; minute++) {
      progress.note(minute + 1, minute, minute * MINUTE);
      expect(progress.isStalled(minute * MINUTE)).to.equal(false);
    }
  });

  it("is stalled if the head of the chain advances but the head of the index does not", () => {
    const progress = new Progress();
    progress.note(7, 7, 0);
    for (const second of [1, 30, 60]) progress.note(7 + second, 7, second * 1000);
    // The index was at block 7 when that was the goal; block 8 has been the goal since the first second.
    expect(progress.isStalled(61_000)).to.equal(false);
    expect(progress.isStalled(61_001)).to.equal(true);
    progress.note(70, 8, 62_000);
    expect(progress.isStalled(62_000)).to.equal(false);
  });

  it("is not stalled on a chain without new blocks, or after a reorganisation", () => {
    const progress = new Progress();
    for (const minute of [0, 1, 2, 3]) progress.note(7, 7, minute * MINUTE);
    expect(progress.isStalled(4 * MINUTE)).to.equal(false);
    progress.note(9, 7, 4 * MINUTE);
    progress.note(5, 5, 5 * MINUTE);
    expect(progress.isStalled(6 * MINUTE)).to.equal(false);
  });

  it("is stalled if the chain or the index is unreachable for more than a minute", () => {
    const progress = new Progress();
    progress.note(7, 7, 0);
    expect(progress.isStalled(MINUTE)).to.equal(false);
    expect(progress.isStalled(MINUTE + 1)).to.equal(true);
  });
});

describe("Gateway of an index", () => {
  const [CLIENT, OTHER, THIRD] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
  /** Addresses of this machine, none of which is a proxy. */
  const [NEAR, NEXT, LAST] = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
  /** Time limits that even a slow machine meets. */
  const PATIENT = { patience: PATIENCE, requestTime: PATIENCE, questionTime: PATIENCE, answerTime: PATIENCE };
  /** An answer that exceeds the system's buffer for a connection without a reader. */
  const LONG = "x".repeat(12_000_000);
  const UNREAD = [429, "Too many answers are not read yet."];

  let gateway: Gateway | undefined;
  let url: string;
  let reason: string | undefined;
  /** Ends of the requests that were passed on. */
  let asked: ((answer: Response) => void)[];
  let sockets: Socket[];

  const start = async (limits: Partial<GatewayLimits> = {}, host?: string) => {
    const port = await freePort();
    url = `http://${host ?? HOST}:${port}`;
    const ponder = {
      hasServed: true,
      fetch: () => new Promise<Response>((resolve) => asked.push(resolve)),
    };
    gateway = await Gateway.listen({
      port,
      host,
      hasSql: false,
      proxies: readProxies(HOST, "--trust-proxy"),
      ponder: () => ponder,
      trouble: () => reason,
      limits: { ...PATIENT, ...limits },
    });
  };
  const fetchFrom = (client: string, path = "/graphql") =>
    fetch(url + path, { headers: { "X-Forwarded-For": client } }).then(async (response) => {
      const text = await response.text();
      return [response.status, text.length > 100 ? text.length : text];
    });
  const until = async (count: number) => {
    while (asked.length < count) await pause(10);
  };
  const answerAll = (text = "yes") => asked.splice(0).forEach((end) => end(new Response(text)));
  /** Sends a request that is answered at once. */
  const askFrom = async (client: string, text: string) => {
    const answer = fetchFrom(client);
    await until(1);
    answerAll(text);
    return answer;
  };
  /** Connects to the gateway and sends text, but reads nothing. */
  const send = async (text: string, from = HOST) => {
    const socket = connect({ port: Number(new URL(url).port), host: HOST, localAddress: from });
    sockets.push(socket.on("error", () => undefined).pause());
    await once(socket, "connect");
    socket.write(text);
    return socket;
  };
  const questionFrom = (client: string) => `GET /graphql HTTP/1.1\r\nHost: index\r\nX-Forwarded-For: ${client}\r\n\r\n`;
  /** Requests a long answer, and reads only its beginning. */
  const hoardFor = async (client: string) => {
    const socket = await send(questionFrom(client));
    await until(1);
    answerAll(LONG);
    await once(socket, "readable");
    return socket;
  };
  /** Returns the first line received; empty if the connection is closed. */
  const lineOn = (socket: Socket) =>
    new Promise<string>((resolve) => {
      socket.once("data", (data) => resolve(String(data).split("\r\n")[0])).once("close", () => resolve(""));
      socket.resume();
    });
  /** Asks on a connection whether the gateway runs. */
  const healthOn = (socket: Socket) => {
    socket.write("GET /health HTTP/1.1\r\nHost: index\r\n\r\n");
    return lineOn(socket);
  };

  beforeEach(() => {
    [asked, sockets, reason] = [[], [], undefined];
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await gateway?.close();
    gateway = undefined;
  });

  it("listens on the given address only", async () => {
    await start({}, "127.0.0.2");
    const ready = async () => fetch(`${url}/ready`).then(({ status }) => status);
    expect(await ready()).to.equal(200);
    url = url.replace("127.0.0.2", HOST);
    expect(await ready().catch(() => "refused")).to.equal("refused");
  });

  it("has the limits that docs/indexing.md lists", () => {
    const docs = readFileSync("docs/indexing.md", "utf8");
    const limits = GATEWAY_LIMITS;
    const bytes = (count: number) => `${count.toLocaleString("en")} bytes`;
    const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`;
    for (const [limit, value] of [
      ["body of a request", bytes(limits.body)],
      ["time to receive a request", seconds(limits.requestTime)],
      ["answer", bytes(limits.answer)],
      ["time to answer a query", seconds(limits.questionTime)],
      [
        "queries answered at once",
        `${limits.running}, and ${limits.clientRunning} per client; others wait for up to ${seconds(limits.patience)}`,
      ],
      ["connections, and requests at once", `${limits.connections}, and ${limits.clientConnections} per client;`],
      [
        "answers that are not read yet",
        `${bytes(limits.unread)}, and ${limits.clientUnread.toLocaleString("en")} per client;`,
      ],
      ["time until an answer is read", seconds(limits.answerTime)],
    ]) {
      expect(docs).to.match(new RegExp(`^\\| ${limit} +\\| ${value}`, "m"));
    }
  });

  it("reports that the index is ready, or why it is not", async () => {
    await start();
    reason = "The index reads the history.";
    expect(await fetchFrom(CLIENT, "/ready")).to.deep.equal([503, reason]);
    reason = undefined;
    expect(await fetchFrom(CLIENT, "/ready")).to.deep.equal([200, ""]);
  });

  it("serves no metrics and no live queries to strangers, and serves SQL only if it is enabled", async () => {
    await start();
    for (const path of ["/metrics", "/sql/db", "/sql/live", "/anything"]) {
      expect(await fetchFrom(CLIENT, path), path).to.deep.equal([404, "404 Not Found"]);
    }
    expect(asked).to.have.length(0);
  });

  it("answers eight requests at once, at most two per client, and rejects requests that wait too long", async () => {
    await start({ patience: 50 });
    const two = Array.from({ length: 2 }, () => fetchFrom(CLIENT));
    await until(2);
    expect(await fetchFrom(CLIENT)).to.deep.equal([503, "Too many questions are waiting."]);
    const others = [OTHER, THIRD, "192.0.2.4"].flatMap((client) => [fetchFrom(client), fetchFrom(client)]);
    await until(8);
    expect(await fetchFrom("192.0.2.5")).to.deep.equal([503, "Too many questions are waiting."]);
    expect(asked).to.have.length(8);
    answerAll();
    expect(await Promise.all([...two, ...others])).to.deep.equal(Array(8).fill([200, "yes"]));
  });

  it("keeps a disconnected client's slots until its requests are answered, and starts no further request of that client", async () => {
    await start({ clientConnections: 4 });
    const gone = [];
    for (let i = 0; i < 3; i++) gone.push(await send(questionFrom(CLIENT)));
    await until(2);
    for (const socket of gone) socket.destroy();
    const waiting = fetchFrom(CLIENT);
    // Together with the other three there would be five requests.
    await eventually(async () => {
      expect(await Promise.all([1, 2].map(() => fetchFrom(CLIENT, "/health")))).to.deep.equal(Array(2).fill([200, ""]));
    });
    expect(asked).to.have.length(2);
    answerAll();
    await until(1);
    answerAll("mine");
    expect(await waiting).to.deep.equal([200, "mine"]);
  });

  it("refuses more than fifty simultaneous requests of a client", async () => {
    await start();
    const asking = Array.from({ length: 50 }, () => fetchFrom(CLIENT));
    const refused = [429, `${CLIENT} has 50 requests at once, the most.`];
    await eventually(async () => expect(await fetchFrom(CLIENT, "/health")).to.deep.equal(refused));
    expect(await fetchFrom(OTHER, "/health")).to.deep.equal([200, ""]);
    const all = setInterval(answerAll, 10);
    await Promise.all(asking);
    clearInterval(all);
    await eventually(async () => expect(await fetchFrom(CLIENT, "/health")).to.deep.equal([200, ""]));
  });

  it("closes a connection that sends a request before the previous request is answered", async () => {
    await start();
    const socket = await send(questionFrom(CLIENT));
    await until(1);
    const closed = once(socket.resume(), "close");
    socket.write(questionFrom(CLIENT));
    await closed;
    expect(asked).to.have.length(1);
  });

  it("closes an idle connection of a client that has too many, and no connection of other clients", async () => {
    await start({ clientConnections: 2 });
    const other = await send("", NEXT);
    const first = await send("", NEAR);
    const closed = once(first.resume(), "close");
    const rest = [await send("", NEAR), await send("", NEAR)];
    await closed;
    for (const socket of [other, ...rest]) expect(await healthOn(socket)).to.equal("HTTP/1.1 200 OK");
  });

  it("closes the connection that has been idle longest once there are too many, and never a connection with an open request", async () => {
    await start({ connections: 2 });
    const asking = await send(questionFrom(NEAR), NEAR);
    await until(1);
    const idle = await send("", NEXT);
    const closed = once(idle.resume(), "close");
    const latest = await send("", LAST);
    await closed;
    expect(await healthOn(latest)).to.equal("HTTP/1.1 200 OK");
    answerAll();
    expect(await lineOn(asking)).to.equal("HTTP/1.1 200 OK");
  });

  for (const [client, sent] of [
    ["whose headers come too slowly", "GET /graphql HTTP/1.1\r\nHost: "],
    ["whose body comes too slowly", "POST /graphql HTTP/1.1\r\nHost: index\r\nContent-Length: 100\r\n\r\n{"],
    ["that sends nothing", ""],
  ]) {
    it(`disconnects a client ${client}`, async () => {
      await start({ requestTime: 50 });
      const socket = await send(sent);
      await once(socket.resume(), "close");
      expect(asked).to.have.length(0);
    });
  }

  it("refuses a request that takes too long", async () => {
    await start({ questionTime: 50 });
    expect(await fetchFrom(CLIENT)).to.deep.equal([504, "The question took too long."]);
  });

  it("refuses a body that is too long, whether its length is declared or not", async () => {
    await start({ body: 10 });
    const stream = new Blob(["x".repeat(11)]).stream();
    for (const body of ["x".repeat(11), stream]) {
      const response = await fetch(`${url}/graphql`, { method: "POST", body, duplex: "half" } as RequestInit);
      expect([response.status, await response.text()]).to.deep.equal([413, "The body has more than 10 bytes."]);
    }
  });

  it("refuses an answer that is too long", async () => {
    await start({ answer: 10 });
    expect(await askFrom(CLIENT, "x".repeat(10))).to.deep.equal([200, "x".repeat(10)]);
    const refused = [413, "The answer has more than 10 bytes: ask for fewer rows."];
    expect(await askFrom(CLIENT, "x".repeat(11))).to.deep.equal(refused);
  });

  it("buffers at most two of the largest answers for a client that does not read its answers", async () => {
    await start({ clientUnread: 2 * LONG.length });
    for (let i = 0; i < 2; i++) await hoardFor(CLIENT);
    expect(await askFrom(CLIENT, LONG)).to.deep.equal(UNREAD);
    expect(await askFrom(OTHER, LONG)).to.deep.equal([200, LONG.length]);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await askFrom(CLIENT, LONG)).to.deep.equal([200, LONG.length]));
  });

  it("limits the total size of unread answers", async () => {
    await start({ unread: 2 * LONG.length });
    for (const client of [CLIENT, OTHER]) await hoardFor(client);
    const more = "x".repeat(100_001);
    expect(await askFrom(THIRD, more)).to.deep.equal(UNREAD);
    expect(await askFrom(THIRD, "yes")).to.deep.equal([200, "yes"]);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await askFrom(THIRD, more)).to.deep.equal([200, more.length]));
  });

  it("disconnects a client that does not read its answer", async () => {
    const answerTime = 500;
    await start({ answerTime });
    const socket = await send(questionFrom(CLIENT));
    await until(1);
    answerAll(LONG);
    // The gateway's timer runs in this process and started earlier, so it ends first even on a slow machine.
    await pause(2 * answerTime);
    let bytes = 0;
    socket.on("data", (data: Buffer) => (bytes += data.length));
    await once(socket.resume(), "close");
    expect(bytes).to.be.lessThan(LONG.length);
  });
});
