import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { HttpProvider } from "../../page/src/store/http-provider.js";
import { textOf } from "../../sdk/chain/response.js";
import { troubleOf, type Trouble } from "../../sdk/chain/trouble.js";

const OPTIONS = { staticNetwork: true, batchStallTime: 5, cacheTimeout: -1 };
const TIME_LIMIT = 100;
const MAX_BYTES = 1_000;

const read = (answer: Response) => textOf(answer, MAX_BYTES);

/** Answers of a node, and how the archive must interpret each answer. */
const ANSWERS: Readonly<Record<string, readonly [RequestListener, Trouble]>> = {
  "a status of 500": [(_, response) => response.writeHead(500).end("broken"), { kind: "silence" }],
  "a status of 413": [(_, response) => response.writeHead(413).end(), { kind: "limit", blocks: undefined }],
  "a status of 429 with a time": [
    (_, response) => response.writeHead(429, { "retry-after": "7" }).end(),
    { kind: "rate", after: 7000 },
  ],
  "more bytes than its limit": [(_, response) => response.end("1".repeat(1_001)), { kind: "limit", blocks: undefined }],
  "no JSON": [(_, response) => response.end("<html>"), { kind: "silence" }],
  "a closed connection": [(request) => request.socket.destroy(), { kind: "silence" }],
  "no answer in time": [() => undefined, { kind: "timeout" }],
};

describe("The page's provider of a node over HTTP", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) (server.closeAllConnections(), server.close());
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, "127.0.0.1");
    servers.push(server);
    await new Promise((resolve) => server.once("listening", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("returns the answers to single requests and to batches", async () => {
    const url = await serve((request, response) => {
      let body = "";
      request.on("data", (part) => (body += String(part)));
      request.on("end", () => {
        const asked = JSON.parse(body) as { id: number; params: string[] } | { id: number; params: string[] }[];
        const answerTo = ({ id, params }: { id: number; params: string[] }) => ({
          jsonrpc: "2.0",
          id,
          result: params[0],
        });
        response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked)));
      });
    });
    const provider = new HttpProvider(url, 1, OPTIONS, read);
    expect(await provider.send("echo", ["one"])).to.equal("one");
    expect(await Promise.all(["one", "two"].map((text) => provider.send("echo", [text])))).to.deep.equal([
      "one",
      "two",
    ]);
    provider.destroy();
  });

  for (const [name, [answer, trouble]] of Object.entries(ANSWERS)) {
    it(`given ${name}, it fails with an error that the page can explain`, async () => {
      const provider = new HttpProvider(await serve(answer), 1, OPTIONS, read, TIME_LIMIT);
      const error: unknown = await provider.send("eth_chainId", []).catch((thrown: unknown) => thrown);
      provider.destroy();
      expect(troubleOf(error)).to.deep.equal(trouble);
    });
  }
});
