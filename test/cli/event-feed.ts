import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { mock } from "node:test";
import { expect } from "chai";
import { WebSocketServer, type WebSocket } from "ws";
import { followEvents } from "../../cli/shared/node/event-feed.js";
import { QuickClock } from "../support/clock.js";

const ACCEPTED = JSON.stringify({ jsonrpc: "2.0", id: 0, result: "0x1" });
const ADDRESSES = ["0x1111111111111111111111111111111111111111", "0x2222222222222222222222222222222222222222"];

/** Returns the announcement of an event in a block. */
function eventIn(blockNumber: unknown): string {
  const params = { subscription: "0x1", result: { blockNumber } };
  return JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params });
}

describe("A node that announces events", () => {
  let server: WebSocketServer;
  let url: string;
  let stop: AbortController;
  let over: Promise<void> | undefined;
  /** Blocks of the news. */
  let news: number[];
  let troubles: (string | undefined)[];
  let clock: QuickClock;
  /** Connections of the feed, the newest last. */
  let clients: WebSocket[];

  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: false });
    await once(server, "listening");
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`;
    [stop, clock, news, troubles, clients] = [new AbortController(), new QuickClock(), [], [], []];
    server.on("connection", (client) => clients.push(client));
  });
  afterEach(async () => {
    mock.timers.reset();
    stop.abort();
    await over;
    for (const client of server.clients) client.terminate();
    server.close();
  });

  const follow = () => {
    over = followEvents(url, {
      addresses: ADDRESSES,
      signal: stop.signal,
      onNews: (block) => news.push(block),
      onTrouble: (trouble) => troubles.push(trouble),
      clock,
    });
  };
  /** Waits for the feed's next subscription. @returns the request */
  const subscription = async (): Promise<{ client: WebSocket; request: unknown }> => {
    const [client] = (await once(server, "connection")) as [WebSocket];
    const [data] = (await once(client, "message")) as [Buffer];
    return { client, request: JSON.parse(data.toString()) };
  };
  const until = async (holds: () => boolean) => {
    while (!holds()) await turn();
  };

  it("wakes its reader for events, at most 20 times a second however many are announced", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    follow();
    const { client, request } = await subscription();
    expect(request).to.deep.include({ method: "eth_subscribe", params: ["logs", { address: ADDRESSES }] });
    const many = Array.from({ length: 5_000 }, (_, i) => eventIn(`0x${(i % 10).toString(16)}`));
    const told: number[] = [];
    for (const [messages, block] of [
      [[ACCEPTED], 0],
      [many, 9],
      [[eventIn("0x8")], 9],
    ] as const) {
      for (const message of messages) client.send(message);
      client.ping();
      await once(client, "pong");
      expect(news).to.deep.equal(told);
      told.push(block);
      mock.timers.tick(50);
      expect(news).to.deep.equal(told);
      mock.timers.tick(50);
      expect(news).to.deep.equal(told);
    }
  });

  it("wakes its reader also for events without a valid block", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    follow();
    const { client } = await subscription();
    const odd = [undefined, null, { toString: 1 }, 9, "x", "-0x1"].map(eventIn);
    for (const message of [...odd, '{"params":null}', '{"params":"x"}', '{"params":{"result":7}}', "[]"]) {
      client.send(message);
      client.ping();
      await once(client, "pong");
      mock.timers.tick(50);
    }
    expect(news).to.deep.equal(Array(10).fill(0));
  });

  const ENDS: [what: string, answer: (client: WebSocket) => void, reason: string][] = [
    ["closes the connection", (client) => client.close(), "it closed the connection"],
    [
      "refuses subscriptions",
      (client) => client.send('{"id":0,"error":{"code":-32601}}'),
      "it refuses to announce them",
    ],
    ["sends no JSON", (client) => client.send("<html>"), "it sends no JSON-RPC"],
    ["sends JSON that is no object", (client) => client.send("7"), "it sends no JSON-RPC"],
    ["sends too long a message", (client) => client.send("1".repeat(4 * 2 ** 20 + 1)), "Max payload size exceeded"],
  ];
  for (const [what, answer, reason] of ENDS)
    it(`is connected again after a pause if it ${what}, and its key is not shown`, async () => {
      follow();
      for (let n = 0; n < 3; n++) answer((await subscription()).client);
      await until(() => troubles.length === 3);
      expect(new Set(troubles)).to.deep.equal(new Set([`${new URL(url).host} announces no events: ${reason}.`]));
      await until(() => clock.waits.length === 3);
      expect(clock.waits).to.deep.equal([75, 150, 300]);
    });

  it("is connected again if it does not answer for 30 seconds, before or after it has accepted", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    follow();
    await subscription();
    mock.timers.tick(30_000);
    const { client } = await subscription();
    expect(troubles).to.deep.equal([`${new URL(url).host} announces no events: it does not answer.`]);
    client.send(ACCEPTED);
    await until(() => news.length === 1);
    mock.timers.tick(30_000);
    expect(troubles.at(-1)).to.equal(undefined);
    await turn();
    mock.timers.tick(30_000);
    await subscription();
    expect(troubles.slice(2)).to.deep.equal([`${new URL(url).host} announces no events: it does not answer.`]);
  });

  it("stays connected while it answers", async () => {
    mock.timers.enable({ apis: ["setInterval"] });
    follow();
    const { client } = await subscription();
    client.send(ACCEPTED);
    await until(() => news.length === 1);
    for (let n = 1; n <= 3; n++) {
      mock.timers.tick(30_000);
      const [data] = (await once(client, "ping")) as [Buffer];
      client.pong(data);
      client.ping();
      await once(client, "pong");
    }
    expect(troubles).to.deep.equal([undefined, undefined, undefined]);
    expect(clients).to.have.length(1);
  });

  it("reports that a node cannot be reached, and stops at once on request", async () => {
    server.close();
    follow();
    await until(() => troubles.length > 0);
    expect(troubles[0]).to.match(/^127\.0\.0\.1:\d+ announces no events: connect ECONNREFUSED/);
    stop.abort();
    await over;
  });
});
