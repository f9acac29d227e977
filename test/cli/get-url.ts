import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { FetchRequest } from "ethers";
import { urlOfServer } from "../../cli/shared/server/port.js";
import { getUrl } from "../../cli/shared/node/get-url.js";

const PARTS = ["many ", "parts ", "with an ö"];

describe("A request to a node", () => {
  let server: Server;

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** Sends a request to a server with a listener. */
  async function sent(listener: RequestListener, change: (request: FetchRequest) => void = () => undefined) {
    server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    const request = new FetchRequest(urlOfServer(server));
    change(request);
    return getUrl(request);
  }

  for (const encoding of ["identity", "gzip"]) {
    it(`returns an answer that arrives in parts as a whole, with the encoding ${encoding}`, async () => {
      const whole = Buffer.from(PARTS.join(""));
      const written = encoding === "gzip" ? gzipSync(whole) : whole;
      const { statusCode, headers, body } = await sent((_, response) => {
        response.writeHead(200, { "content-encoding": encoding, "x-list": ["1", "2"] });
        response.write(written.subarray(0, 12));
        setImmediate(() => response.end(written.subarray(12)));
      });
      expect([statusCode, headers["x-list"]]).to.deep.equal([200, "1, 2"]);
      expect(Buffer.from(body!).toString()).to.equal(PARTS.join(""));
    });
  }

  it("sends its method, headers and body", async () => {
    const seen: unknown[] = [];
    await sent(
      (request, response) => {
        seen.push(request.method, request.headers["content-type"]);
        void text(request).then((body) => {
          seen.push(body);
          response.end();
        });
      },
      (request) => {
        request.body = '{"id":1}';
        request.setHeader("content-type", "application/json");
      },
    );
    expect(seen).to.deep.equal(["POST", "application/json", '{"id":1}']);
  });

  it("fails with a timeout if no answer comes in time", async () => {
    const error: unknown = await sent(
      () => undefined,
      // oxlint-disable-next-line eslint-js/no-restricted-syntax -- nothing ever answers
      (request) => void (request.timeout = 20),
    ).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: "TIMEOUT", shortMessage: "request timeout" });
  });

  it("fails if the connection breaks within an answer", async () => {
    const error: unknown = await sent((_, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.destroy());
    }).catch((thrown: unknown) => thrown);
    expect(error).to.include({ code: "ECONNRESET" });
  });
});
