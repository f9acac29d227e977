import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { getAddress } from "ethers";
import { PageServer } from "../../scripts/page/server.js";
import { siteOf } from "../../scripts/page/site.js";
import { CORE } from "../../sdk/chain/addresses.js";
import { readDeployments } from "../../sdk/chain/deployment.js";
import { FakeIndex } from "../support/fake-index.js";
import { freePort, occupy, runScript, stopScripts } from "../support/running.js";
import { builtPage } from "./support/harness.js";
import { until } from "./support/playing.js";

/** Address of an arena. */
const ARENA = getAddress(`0x${"ab".repeat(20)}`);

describe("The page's server", () => {
  let server: PageServer;
  before(async () => {
    await builtPage();
    server = await PageServer.listen(0, "");
    server.show(await siteOf([]));
  });
  after(() => server.close());

  it("sends the page with its content policy, to be revalidated each time", async () => {
    const { status, headers } = await fetch(server.url);
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).to.equal((await siteOf([])).header);
    expect(headers.get("x-content-type-options")).to.equal("nosniff");
    expect(headers.get("referrer-policy")).to.equal("no-referrer");
    expect(headers.get("cache-control")).to.equal("no-cache");
  });

  it("sends content-hashed files as immutable, with their type", async () => {
    const [, name] = /src="\.\/(assets\/.+\.js)"/.exec(await (await fetch(server.url)).text())!;
    const { headers } = await fetch(`${server.url}${name}`);
    expect(headers.get("content-type")).to.equal("text/javascript; charset=utf-8");
    expect(headers.get("cache-control")).to.include("immutable");
    expect(headers.get("content-security-policy")).to.include("require-trusted-types-for");
  });

  it("compresses files for clients that accept compression", async () => {
    const [, name] = /src="\.\/(assets\/.+\.js)"/.exec(await (await fetch(server.url)).text())!;
    const sent = async (accepted: string) => {
      const asked = request(`${server.url}${name}`, { headers: { "accept-encoding": accepted } }).end();
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      const content = await buffer(response);
      expect(response.headers["content-length"]).to.equal(String(content.length));
      return { encoding: response.headers["content-encoding"], content };
    };
    const plain = await sent("");
    for (const accepted of ["gzip", "br;q=1, GZIP;q=0.5", "deflate, gzip"]) {
      const { encoding, content } = await sent(accepted);
      expect(encoding, accepted).to.equal("gzip");
      expect(gunzipSync(content).equals(plain.content)).to.equal(true);
      expect(content.length).to.be.lessThan(plain.content.length / 2);
    }
    for (const accepted of ["identity", "gzip;q=0", "gzip;q=0.0", "x-gzip-not"]) {
      expect((await sent(accepted)).encoding, accepted).to.equal(undefined);
    }
  });

  for (const path of ["/../package.json", "/%2e%2e/package.json", "/assets/", "/none", "//", "/assets/../index.html"]) {
    it(`does not serve ${path}`, async () => {
      // The path must be sent as written, and `fetch` would normalize it.
      const status = await new Promise((resolve) => {
        request(server.url, { path }, (response) => resolve(response.resume().statusCode)).end();
      });
      expect(status).to.equal(404);
    });
  }

  it("accepts no uploads", async () => {
    const { status, headers } = await fetch(server.url, { method: "POST", body: "{}" });
    expect([status, headers.get("allow")]).to.deep.equal([405, "GET, HEAD"]);
  });

  for (const headers of [{ host: "evil.example:8080" }, { origin: "http://evil.example" }, { origin: "null" }]) {
    it(`refuses web pages of other sites, with ${JSON.stringify(headers)}`, async () => {
      for (const path of ["/", "/deployment.json"]) {
        const [response] = (await once(request(server.url, { path, headers }).end(), "response")) as [IncomingMessage];
        expect(await text(response)).to.match(/^(Host|Origin) "[^"\n]+" is not this machine: .+\.\n$/);
        expect(response.statusCode).to.equal(403);
      }
    });
  }

  it("serves requests by any name of this machine, and visitors who follow a link", async () => {
    for (const headers of [
      { host: "localhost:8080" },
      { host: "[::1]:8080" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    ]) {
      const [response] = (await once(request(server.url, { headers }).end(), "response")) as [IncomingMessage];
      expect(response.resume().statusCode).to.equal(200);
    }
  });

  it("answers with status 503 before it has a page to show", async () => {
    const early = await PageServer.listen(0, "");
    expect((await fetch(early.url)).status).to.equal(503);
    early.close();
  });
});

describe("npm run page", () => {
  afterEach(stopScripts);

  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "duello-"))));
  afterEach(() => rm(folder, { recursive: true }));

  const run = (...args: string[]) => runScript("scripts/page.ts", args, { DUELLO_DEPLOYMENTS: folder }).ended;

  it("reports in one line that the port is taken", async () => {
    const other = await occupy();
    const { code, stderr } = await run("--port", String(other.port));
    await other.close();
    expect(stderr).to.match(/^Port \d+ of 127\.0\.0\.1 is taken: .*npm run page -- --port \d+\.\n$/);
    expect(code).to.equal(1);
  });

  for (const [wrong, says] of [
    [["--chain", "5"], /^--chain: there is no .*5\.json\n$/],
    [["--rpc", "http://127.0.0.1:9"], /^http:\/\/127\.0\.0\.1:9: it does not answer: .+\n$/],
    [["--rpc", "ftp://a"], /^--rpc: "ftp:\/\/a" is not an http or https URL\n$/],
    [["--port", "0"], /^--port: 0 is not a port\n$/],
    [["--index", "http://127.0.0.1:9"], /^--index: the page has no deployment\n$/],
    [["--index", "/index"], /^--index: a path is for a page of one deployment, not of 0: use --chain\n$/],
    [["--games", "nowhere.ts"], /^nowhere\.ts: there is no such file\n$/],
    [["--never"], /^[^\n]*--never[^\n]*\n$/],
  ] as const) {
    it(`refuses ${wrong.join(" ")} with a one-line error`, async () => {
      const { code, stdout, stderr } = await run(...wrong);
      expect(stderr).to.match(says);
      expect([stdout, code]).to.deep.equal(["", 1]);
    });
  }

  describe("with an index", () => {
    const genesis = `0x${"1a".repeat(32)}`;
    const addresses = Object.fromEntries(CORE.map((name) => [name, ARENA]));
    let index: FakeIndex;
    beforeEach(async () => {
      for (const chainId of [7, 8]) {
        const deployment = { chainId, block: 0, addresses, genesis, index: "https://index.example" };
        await writeFile(join(folder, `${chainId}.json`), JSON.stringify(deployment));
      }
      index = await FakeIndex.start(8, ARENA, genesis);
    });
    afterEach(() => index.stop());

    it("uses the index named on the command line, or by default the index in the deployment file", async () => {
      const port = String(await freePort());
      const { text, ended } = runScript("scripts/page.ts", ["--port", port, "--index", index.url], {
        DUELLO_DEPLOYMENTS: folder,
      });
      await Promise.race([ended, until(async () => text().includes("The page is at"))]);
      const response = await fetch(`http://127.0.0.1:${port}/deployment.json`);
      const { deployments } = readDeployments(await response.json(), "");
      expect(deployments.map((each) => each.index)).to.deep.equal(["https://index.example", index.url]);
      expect(response.headers.get("content-security-policy")).to.include(
        `connect-src 'self' https://index.example ${index.url};`,
      );
    });

    it("rejects an index of an unknown deployment, and an index path for several deployments", async () => {
      index.deployment.arena = "0x0000000000000000000000000000000000000001";
      for (const [url, says] of [
        [index.url, /^--index: The index at http:\S+ is of another deployment: its arena is 0x0{39}1, not 0x[^\n]+\n$/],
        ["/index", /^--index: a path is for a page of one deployment, not of 2: use --chain\n$/],
      ] as const) {
        const { code, stdout, stderr } = await run("--index", url);
        expect(stderr).to.match(says);
        expect([stdout, code]).to.deep.equal(["", 1]);
      }
    });
  });

  it("refuses a malformed deployment", async () => {
    await writeFile(join(folder, "7.json"), "{}");
    const { code, stderr } = await run("--build");
    expect(stderr).to.match(/7\.json\.chainId: left out\n$/);
    expect(code).to.equal(1);
  });
});
