import { once } from "node:events";
import { request, type OutgoingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { isCallException, JsonRpcProvider, WebSocketProvider } from "ethers";
import hre from "hardhat";
import { WebSocket } from "ws";
import { ChainServer } from "../../scripts/chain-server.js";
import { endServer } from "../support/chain-server.js";
import { eventually } from "../support/patience.js";
import { freePort } from "../support/running.js";

/** Account without coin on a new chain. */
const POOR = `0x${"ab".repeat(20)}`;
const RICHES = { jsonrpc: "2.0", id: 1, method: "hardhat_setBalance", params: [POOR, "0x64"] };

/** Code that reverts with a word of data, whether it is created or called. */
const REVERTING = "0x60aa5f5260205ffd";

/** Sends a raw request. @returns status, headers and text of the answer. */
async function send(url: string, headers: OutgoingHttpHeaders, body = "", method = "POST") {
  const asking = request(url, { method, headers: { ...headers, "content-length": Buffer.byteLength(body) } });
  asking.end(body);
  const [response] = await once(asking, "response");
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

describe("The local chain", () => {
  let chain: ChainServer;
  before(async () => (chain = await ChainServer.start(0)));
  after(() => chain.close());

  const open: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  /** Connects by WebSocket until the end of the test. */
  const connect = (headers: { host?: string; origin?: string } = {}, { url } = chain) => {
    const client = new WebSocket(url, { headers });
    open.push(() => client.terminate());
    return client;
  };

  const port = () => new URL(chain.url).port;
  const balance = async () => {
    const body = JSON.stringify({ ...RICHES, method: "eth_getBalance", params: [POOR, "latest"] });
    return JSON.parse((await send(chain.url, {}, body)).text).result as string;
  };

  describe("accepts no request from a foreign web page", () => {
    const evil = "http://evil.example";
    for (const [what, headers] of [
      [
        "that sends text, which browsers allow without a preflight request",
        { origin: evil, "content-type": "text/plain" },
      ],
      ["that sends JSON", { origin: evil, "content-type": "application/json" }],
      ["in a sandbox or a file", { origin: "null", "content-type": "text/plain" }],
      ["whose host name now resolves to this machine", { host: "evil.example:8545", origin: `${evil}:8545` }],
      ["whose host name now resolves to this machine, without an origin", { host: "evil.example:8545" }],
    ] as const) {
      it(what, async () => {
        const { status, headers: answered, text } = await send(chain.url, headers, JSON.stringify(RICHES));
        expect(await balance()).to.equal("0x0");
        expect(text).to.match(/^(Host|Origin) "[^"\n]+" is not this machine: .+\.\n$/);
        expect([status, answered["access-control-allow-origin"]]).to.deep.equal([403, undefined]);
      });
    }

    it("refuses a foreign web page that asks for permission to send JSON", async () => {
      const asked = { origin: evil, "access-control-request-method": "POST" };
      const { status, headers } = await send(chain.url, asked, "", "OPTIONS");
      expect([status, headers["access-control-allow-origin"]]).to.deep.equal([403, undefined]);
    });

    for (const headers of [{ origin: evil }, { origin: "null" }, { host: "evil.example:8545" }]) {
      it(`refuses a foreign web page by WebSocket, with ${JSON.stringify(headers)}`, async () => {
        const client = connect(headers);
        const outcome = await new Promise<string>((resolve) => {
          client.on("open", () => client.send(JSON.stringify(RICHES)));
          client.on("message", () => resolve("answered"));
          client.on("error", ({ message }) => resolve(message));
        });
        expect(await balance()).to.equal("0x0");
        expect(outcome).to.equal("Unexpected server response: 403");
      });
    }
  });

  describe("answers local clients", () => {
    for (const [what, headers] of [
      ["a program, which sends no origin", {}],
      ["the page", { origin: "http://127.0.0.1:8080" }],
      ["a page in development", { origin: "http://localhost:5173" }],
      ["a wallet in Chromium", { origin: "chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn" }],
      ["a wallet in Firefox", { origin: "moz-extension://5b1e0a1c-2a7c-4d0b-8f43-0d8b7f9f1c11" }],
      ["a client that calls it localhost", { host: "localhost:8545" }],
      ["a client that connects over IPv6", { host: "[::1]:8545" }],
    ] as const) {
      it(what, async () => {
        const permission = await send(chain.url, headers, "", "OPTIONS");
        expect(permission.headers["access-control-allow-headers"]).to.equal("*");
        const body = JSON.stringify({ ...RICHES, method: "eth_chainId", params: [] });
        const { status, headers: answered, text } = await send(chain.url, headers, body);
        expect([status, answered["access-control-allow-origin"]]).to.deep.equal([200, "*"]);
        expect(JSON.parse(text)).to.deep.equal({ jsonrpc: "2.0", id: 1, result: "0x7a69" });
        const client = connect(headers);
        client.on("open", () => client.send(body));
        const [message] = await once(client, "message");
        expect(String(message)).to.equal(text);
      });
    }
  });

  describe("given a greedy client", () => {
    const call = (method: string, ...params: unknown[]) => ({ jsonrpc: "2.0", id: 1, method, params });
    const ask = async (body: unknown) => JSON.parse((await send(chain.url, {}, JSON.stringify(body))).text) as unknown;
    const refused = (message: string) => ({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message, data: { message } },
    });

    it("limits the requests of a batch", async () => {
      const many = Array(1_001).fill(call("eth_chainId"));
      expect(await ask(many)).to.deep.equal(refused("A batch has 1001 calls, and 1000 is the most"));
      expect(await ask(many.slice(1))).to.have.length(1_000);
    });

    it("limits the size of the answer to a batch", async () => {
      // The code returns a megabyte.
      await ask(call("hardhat_setCode", POOR, "0x621000005ff3"));
      const calls = (count: number) => ask(Array(count).fill(call("eth_call", { to: POOR }, "latest")));
      expect(await calls(31)).to.deep.equal(refused("The answers have more than 64000000 characters"));
      expect(await calls(2)).to.have.length(2);
      await ask(call("hardhat_setCode", POOR, "0x"));
    });

    it("limits the bytes that a client sends", async () => {
      const declared = request(chain.url, { method: "POST", headers: { "content-length": 32_000_001 } });
      declared.on("error", () => undefined).flushHeaders();
      const [response] = await once(declared, "response");
      expect(response.statusCode).to.equal(413);
      expect(JSON.parse(await text(response))).to.deep.equal(refused("The request has more than 32000000 bytes"));
      declared.destroy();
      const client = connect();
      await once(client, "open");
      client.send(" ".repeat(32_000_001));
      expect((await once(client, "close"))[0]).to.equal(1009);
      // Without a declared length, the request is cut off.
      const undeclared = request(chain.url, { method: "POST", headers: { "transfer-encoding": "chunked" } });
      const cut = new Promise((resolve) => undeclared.on("error", resolve));
      undeclared.write(" ".repeat(32_000_001));
      await cut;
    });

    it("limits the subscriptions of a client", async () => {
      const client = connect();
      await once(client, "open");
      const say = async (asked: object) => {
        client.send(JSON.stringify(asked));
        return JSON.parse(String((await once(client, "message"))[0])) as {
          result: string;
          error?: { message: string };
        };
      };
      const { result } = await say(call("eth_subscribe", "newHeads"));
      for (let i = 1; i < 100; i++) await say(call("eth_subscribe", "newHeads"));
      expect((await say(call("eth_subscribe", "newHeads"))).error?.message).to.equal("100 subscriptions are the most");
      await say(call("eth_unsubscribe", result));
      expect((await say(call("eth_subscribe", "newHeads"))).error).to.equal(undefined);
    });

    it("disconnects a client that leaves too many bytes unread", async () => {
      await ask(call("hardhat_setCode", POOR, "0x621000005ff3"));
      const client = connect();
      await once(client, "open");
      client.on("error", () => undefined).pause();
      // Each answer has 50 MB.
      const asked = JSON.stringify(Array(25).fill(call("eth_call", { to: POOR }, "latest")));
      for (let i = 0; i < 2; i++) client.send(asked);
      await eventually(async () => {
        // A client that does not read notices a closed connection only when it writes.
        client.ping();
        expect(client.readyState).to.not.equal(WebSocket.OPEN);
      });
      await ask(call("hardhat_setCode", POOR, "0x"));
    });
  });

  it("sends events by WebSocket to the clients that have subscribed, and to no others", async () => {
    const provider = new JsonRpcProvider(chain.url);
    open.push(() => provider.destroy());
    const [subscribed, other] = [new WebSocketProvider(chain.url), connect()];
    open.push(() => subscribed.destroy());
    await Promise.all([subscribed.getBlockNumber(), once(other, "open")]);
    const news: string[] = [];
    other.on("message", (message: Buffer) => news.push(message.toString()));
    const block = new Promise<number>((resolve) => void subscribed.on("block", resolve));
    // The subscription must be confirmed before the block that it reports.
    await subscribed.send("eth_chainId", []);
    await provider.send("evm_mine", []);
    expect(await block).to.equal(await provider.getBlockNumber());
    other.send(JSON.stringify({ ...RICHES, method: "eth_chainId", params: [] }));
    await once(other, "message");
    expect(news).to.deep.equal([JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x7a69" })]);
  });

  it("returns a revert reason that clients understand", async () => {
    const provider = new JsonRpcProvider(chain.url);
    open.push(() => provider.destroy());
    const error: unknown = await provider.call({ data: REVERTING }).catch((error: unknown) => error);
    if (!isCallException(error)) throw error;
    expect(error.data).to.equal(`0x${"aa".padStart(64, "0")}`);
  });

  it("keeps running if clients disconnect or break the protocol", async () => {
    const broken = request(chain.url, { method: "POST", headers: { "content-length": 9 } });
    broken.on("error", () => undefined);
    broken.write("{");
    const client = connect();
    await once(client, "open");
    broken.destroy();
    // No WebSocket frame starts like this.
    (client as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.from([0xff, 0xff, 0xff]));
    await once(client, "close");
    expect(await balance()).to.equal("0x0");
  });

  it("stops even if clients keep connections open", async () => {
    const other = await ChainServer.start(0);
    const client = connect({}, other);
    await once(client, "open");
    client.send(JSON.stringify({ ...RICHES, method: "eth_subscribe", params: ["newHeads"] }));
    await once(client, "message");
    const waiting = request(other.url, { method: "POST", headers: { "content-length": 9 } });
    const ended = new Promise((resolve) => waiting.on("close", resolve));
    waiting.on("error", () => undefined);
    await new Promise((resolve) => waiting.write("{", resolve));
    const closed = once(client, "close");
    await other.close();
    await Promise.all([closed, ended]);
  });

  it("gives the same answers as Hardhat's server", async () => {
    const own = await ChainServer.start(0);
    open.push(() => own.close());
    const theirPort = await freePort();
    const theirs = await hre.network.createServer("node", "127.0.0.1", theirPort);
    await theirs.listen();
    open.push(() => endServer(theirs, theirPort));
    const call = (method: string, ...params: unknown[]) => ({ jsonrpc: "2.0", id: "a", method, params });
    const from = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    const requests: unknown[] = [
      call("eth_getBalance", from, "latest"),
      call("eth_getBlockByNumber", "0x7", false),
      call("eth_sendTransaction", { from, data: "0x5f5ff3" }),
      call("eth_sendTransaction", { from, data: REVERTING, gas: "0x20000" }),
      call("eth_sendTransaction", { from: POOR, to: from, value: "0x1" }),
      call("eth_call", { data: REVERTING }, "latest"),
      call("eth_call", { data: "0xfe" }, "latest"),
      call("eth_estimateGas", { from, data: REVERTING }),
      call("eth_getBalance", "nobody"),
      call("eth_sendRawTransaction", "0x00"),
      call("hardhat_setBalance", POOR, 5),
      call("evm_revert", "0x99"),
      call("nonsense_method"),
      [call("eth_chainId"), call("nonsense_method"), 7],
      [],
      { jsonrpc: "2.0", id: 3, method: "net_version" },
      { jsonrpc: "2.0", method: "net_version" },
      { jsonrpc: "1.0", id: 3, method: "net_version" },
      { jsonrpc: "2.0", id: 3, method: "eth_chainId", params: {} },
      { jsonrpc: "2.0", id: 3, method: 7 },
      null,
      "text",
    ];
    for (const body of [...requests.map((each) => JSON.stringify(each)), "{", ""]) {
      const answers = [`http://127.0.0.1:${theirPort}`, own.url].map(async (url) => {
        const { status, text } = await send(url, {}, body);
        return [status, JSON.parse(text)];
      });
      const [expected, answered] = await Promise.all(answers);
      expect(answered, body).to.deep.equal(expected);
    }
  });

  it("reports that its port is taken", async () => {
    const taken = ChainServer.start(Number(port()));
    const reason = await taken.then(String, (error: unknown) => (error as Error).message);
    expect(reason).to.match(/^Port \d+ of 127\.0\.0\.1 is taken: .+ npm start -- --port \d+\.$/);
  });
});
