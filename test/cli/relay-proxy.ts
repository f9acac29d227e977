import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { expect } from "chai";
import { readProxies } from "../../cli/shared/server/client-address.js";
import { MAX_BODY_BYTES } from "../../cli/relay/app.js";
import { RELAY_LIMITS } from "../../cli/relay/relay.js";
import { RELAY_PORT } from "../../cli/shared/server/port.js";
import { freePort } from "../../cli/shared/server/port.js";
import { plainText } from "../../sdk/protocol/channels/wire.js";
import { Correspondents, EventStream, RelayWorld } from "../support/relay-world.js";

const EXAMPLE = "examples/relay-proxy/haproxy.cfg";
const config = readFileSync(EXAMPLE, "utf8");

/** Finds a program. Debian installs some in folders that are only in root's PATH. */
function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Replaces a text that the example must contain. */
function replaced(whole: string, part: string, by: string): string {
  expect(whole.split(part), part).to.have.length(2);
  return whole.replace(part, by);
}

/** Reads a number after a text of the example. */
function numberBehind(words: string): number {
  const found = new RegExp(`${words} (\\d+)`).exec(config);
  expect(found, words).not.to.equal(null);
  return Number(found![1]);
}

describe("The example of a proxy in front of a relay", () => {
  it("has limits that fit the limits of the relay", () => {
    expect(config).to.include(`server relay 127.0.0.1:${RELAY_PORT} `).and.include("--trust-proxy 127.0.0.1");
    expect(numberBehind("server relay \\S+ check maxconn")).to.be.lessThan(RELAY_LIMITS.connections);
    expect(numberBehind("timeout server")).to.be.greaterThan(RELAY_LIMITS.beat);
    expect(numberBehind("content-length\\) gt")).to.equal(MAX_BODY_BYTES);
    expect(numberBehind("sc0_conn_cur gt")).to.equal(RELAY_LIMITS.clientConnections);
    expect(numberBehind("sc0_http_req_rate gt") / 10).to.be.at.least(RELAY_LIMITS.clientRequests.perSecond);
    expect(config).to.include("http-request set-header X-Forwarded-For %[src]\n");
  });

  describe("while it runs", () => {
    let folder: string;
    let world: RelayWorld;
    let haproxy: string;
    let proxy: { child: ChildProcess; port: number } | undefined;
    let certificate: string;
    let path: string;
    const pair = new Correspondents("alice and bob");
    const sockets: Socket[] = [];

    before(async function () {
      const [program, openssl] = ["haproxy", "openssl"].map(find);
      if (program === undefined || openssl === undefined) {
        console.log("      HAProxy and OpenSSL are not both installed here: apt-get install haproxy openssl.");
        return this.skip();
      }
      haproxy = program;
      folder = mkdtempSync(join(tmpdir(), "duello-proxy-"));
      const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
      const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
      execFileSync(openssl, ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert], { stdio: "pipe" });
      certificate = readFileSync(cert, "utf8");
      writeFileSync(join(folder, "relay.pem"), certificate + readFileSync(key, "utf8"));
      world = await RelayWorld.open({}, { proxies: readProxies("127.0.0.1", "--trust-proxy") });
      path = world.path(pair.id);
    });
    afterEach(async () => {
      for (const socket of sockets.splice(0)) socket.destroy();
      if (!proxy) return;
      const ended = once(proxy.child, "close");
      proxy.child.kill();
      await ended;
      proxy = undefined;
    });
    after(async () => {
      await world?.close();
      if (folder) rmSync(folder, { recursive: true });
    });

    /** Starts the proxy of the example. @param time Time limit for a handshake and for a request. */
    async function start(time = "600s"): Promise<void> {
      const port = await freePort();
      const file = join(folder, "haproxy.cfg");
      let tested = replaced(config, ":443 ssl crt /etc/haproxy/", `127.0.0.1:${port} ssl crt ${folder}/`);
      for (const timeout of ["http-request", "client"]) {
        tested = replaced(tested, `timeout ${timeout} 5s`, `timeout ${timeout} ${time}`);
      }
      writeFileSync(file, replaced(tested, `127.0.0.1:${RELAY_PORT} `, `127.0.0.1:${world.port} `));
      execFileSync(haproxy, ["-c", "-f", file], { stdio: "pipe" });
      const child = spawn(haproxy, ["-db", "-f", file], { stdio: "ignore" });
      proxy = { child, port };
      while (await refuses(port)) {
        if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}.`);
        await pause(20);
      }
    }

    function open(from: string): Socket {
      const socket = connect({ port: proxy!.port, host: "127.0.0.1", localAddress: from });
      sockets.push(socket);
      return socket.on("error", () => undefined).resume();
    }

    /** Sends a request over TLS from an address of this machine. */
    async function answerOf(path: string, { method = "GET", body = "", from = "127.0.0.2", headers = {} } = {}) {
      const sent = request({
        host: "127.0.0.1",
        servername: "localhost",
        ca: certificate,
        port: proxy!.port,
        path,
        method,
        headers: { "Content-Length": Buffer.byteLength(body), ...headers },
        localAddress: from,
        agent: false,
      });
      const answer = once(sent, "response");
      sent.end(body);
      return ((await answer) as [IncomingMessage])[0];
    }

    async function ask(path: string, asked: Parameters<typeof answerOf>[1] = {}) {
      const response = await answerOf(path, asked);
      return { status: response.statusCode!, text: await text(response) };
    }

    /** Opens a stream over TLS. */
    async function streamFrom(path: string): Promise<EventStream> {
      const response = await answerOf(path);
      sockets.push(response.socket);
      const stream = new EventStream(response);
      await stream.opened;
      return stream;
    }

    it("forwards messages and streams by HTTPS", async () => {
      await start();
      await world.put(pair, pair.move(1));
      const stream = await streamFrom(world.newsPath(pair));
      const body = plainText({ channel: pair.channel, message: pair.move(2) });
      expect((await ask(path, { method: "PUT", body })).status).to.equal(201);
      expect(await stream.next()).to.deep.include({ messages: [JSON.parse(body).message] });
      expect(JSON.parse((await ask(`${path}/0`)).text).messages.at(-1)).to.deep.equal(JSON.parse(body).message);
      const long = "x".repeat(MAX_BODY_BYTES + 1);
      expect((await ask(path, { method: "PUT", body: long })).status).to.equal(413);
    });

    it("names each client to the relay, whatever headers the client sends", async () => {
      world.time = 0;
      const proxies = readProxies("127.0.0.1", "--trust-proxy");
      await world.restart({ patience: 0, clientRequests: { burst: 1, perSecond: 1 } }, { proxies, port: world.port });
      await start();
      expect((await ask(path)).status).to.equal(200);
      for (const headers of [{}, { "X-Forwarded-For": "6.6.6.6" }]) {
        expect(await ask(path, { headers })).to.deep.equal({
          status: 429,
          text: `{"error":"127.0.0.2 sends too many requests"}`,
        });
      }
      expect((await ask(path, { from: "127.0.0.3" })).status).to.equal(200);
      await world.restart({}, { proxies, port: world.port });
    });

    it("closes connections of a client at its limit, and answers others", async () => {
      await start();
      // Which connection is closed depends on the proxy's threads.
      const held = Array.from({ length: RELAY_LIMITS.clientConnections + 10 }, () => open("127.0.0.4"));
      while (held.filter(({ closed }) => closed).length < 10) await pause(5);
      expect((await ask(path)).status).to.equal(200);
    });

    it("keeps a stream open for longer than the time limit for sending a request", async () => {
      await world.restart({ beat: 0.15 }, { proxies: readProxies("127.0.0.1", "--trust-proxy"), port: world.port });
      await start("200ms");
      const stream = await streamFrom(world.newsPath(pair));
      for (let beats = 0; beats < 4; beats++) expect(await stream.part()).to.equal(":");
    });

    it("closes connections that are silent or too slow, without involving the relay", async () => {
      await start("200ms");
      await new Promise((resolve) => open("127.0.0.4").once("close", resolve));
      const slow = connectTls({ port: proxy!.port, host: "127.0.0.1", servername: "localhost", ca: certificate });
      sockets.push(slow);
      await once(slow, "secureConnect");
      slow.write(`PUT ${path} HTTP/1.1\r\nHost: relay\r\nContent-Length: 100\r\n\r\n{`);
      expect(await text(slow)).to.match(/^HTTP\/1.1 408 /);
      expect(await world.counts()).to.include({
        'requests_refused_total{reason="malformed"}': 0,
        'open{what="requests"}': 0,
      });
    });
  });
});

/** True while nothing listens on a port of this machine. */
async function refuses(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await new Promise((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  });
  socket.destroy();
  return !isOpen;
}
