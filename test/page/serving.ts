import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { PageServer } from "../../scripts/page/server.js";
import { siteOf } from "../../scripts/page/site.js";
import { occupy, runScript, stopScripts } from "../support/running.js";
import { builtPage } from "./support/harness.js";

describe("The page's server", () => {
  let server: PageServer;
  before(async () => {
    await builtPage();
    server = await PageServer.listen(0, "");
    server.show(await siteOf([]));
  });
  after(() => server.close());

  it("sends the page with its policy, and asks to look again next time", async () => {
    const { status, headers } = await fetch(server.url);
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).to.equal((await siteOf([])).header);
    expect(headers.get("x-content-type-options")).to.equal("nosniff");
    expect(headers.get("referrer-policy")).to.equal("no-referrer");
    expect(headers.get("cache-control")).to.equal("no-cache");
  });

  it("sends what is named by its content for ever, as what it is", async () => {
    const [, name] = /src="\.\/(assets\/.+\.js)"/.exec(await (await fetch(server.url)).text())!;
    const { headers } = await fetch(`${server.url}${name}`);
    expect(headers.get("content-type")).to.equal("text/javascript; charset=utf-8");
    expect(headers.get("cache-control")).to.include("immutable");
    expect(headers.get("content-security-policy")).to.include("require-trusted-types-for");
  });

  for (const path of ["/../package.json", "/%2e%2e/package.json", "/assets/", "/none", "//", "/assets/../index.html"]) {
    it(`has no ${path}`, async () => {
      // As written: fetch would normalize it.
      const status = await new Promise((resolve) => {
        request(server.url, { path }, (response) => resolve(response.resume().statusCode)).end();
      });
      expect(status).to.equal(404);
    });
  }

  it("takes nothing", async () => {
    const { status, headers } = await fetch(server.url, { method: "POST", body: "{}" });
    expect([status, headers.get("allow")]).to.deep.equal([405, "GET, HEAD"]);
  });

  it("says that it is not ready before there is anything to show", async () => {
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

  it("says in one line that the port is taken", async () => {
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
    [["--never"], /^[^\n]*--never[^\n]*\n$/],
  ] as const) {
    it(`refuses ${wrong.join(" ")} in one line`, async () => {
      const { code, stdout, stderr } = await run(...wrong);
      expect(stderr).to.match(says);
      expect([stdout, code]).to.deep.equal(["", 1]);
    });
  }

  it("refuses a malformed deployment", async () => {
    await writeFile(join(folder, "7.json"), "{}");
    const { code, stderr } = await run("--build");
    expect(stderr).to.match(/7\.json\.chainId: left out\n$/);
    expect(code).to.equal(1);
  });
});
