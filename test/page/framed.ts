import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { expect } from "chai";
import type { Frame } from "playwright-core";
import { siteOf } from "../../scripts/page/site.js";
import { builtPage, describePage, pageChain, visit } from "./support/harness.js";

const PERSON = 2;
const VIEW = "#/purse";
const LINK = "Open Duello on its own";
const TYPES: Record<string, string> = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript" };

describePage("The page: in a frame of another page", () => {
  let server: Server;
  let port: number;
  /** Headers of the host that serves the page. Static hosts do not let a page choose them. */
  let headers: Record<string, string>;
  beforeEach(() => (headers = {}));

  before(async () => {
    await builtPage();
    const { files } = await siteOf([(await pageChain()).deployment]);
    server = createServer(({ url = "/" }, response) => {
      const { pathname, searchParams } = new URL(url, "http://host.example");
      const name = pathname.slice(1) || "index.html";
      const body = name === "around" ? (searchParams.get("body") ?? "") : files.get(name);
      response.writeHead(body === undefined ? 404 : 200, {
        "content-type": TYPES[extname(name)] ?? "text/html",
        ...headers,
      });
      response.end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  /** Opens a page of another host that frames the page. @returns the frame, and its requests. */
  async function frame(host: string, element: (address: string) => string) {
    const visitor = await visit({ wallets: [{ account: PERSON }] });
    const { page, context } = visitor;
    visitor.allow(
      /^foreign request: http:\/\/(localhost|127\.0\.0\.1):/,
      /Duello does not run inside another page\.$/m,
    );
    // The browser reports these messages for such sandboxes.
    visitor.allow(/can escape its sandboxing/, /Blocked script execution/, /blocked by CORS policy/, /net::ERR_FAILED/);
    // Pages use this event to look for wallets.
    await context.addInitScript(() => {
      addEventListener("eip6963:requestProvider", () => (document.documentElement.dataset.asked = "yes"));
    });
    const asked: string[] = [];
    visitor.wallet.answer = async ({ method }) => {
      asked.push(method);
      return { result: [] };
    };
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    const address = `http://127.0.0.1:${port}/${VIEW}`;
    await page.goto(`http://${host}:${port}/around?${new URLSearchParams({ body: element(address) })}`);
    await page.waitForLoadState("networkidle");
    const framed = page.frames().find((each) => each !== page.mainFrame())!;
    return { page, framed, address, requests, asked };
  }

  async function expectOnlyLink(framed: Frame): Promise<void> {
    await framed.getByRole("link", { name: LINK }).waitFor();
    expect(await framed.getByRole("link").count()).to.equal(1);
    expect(await framed.locator("button, nav, main, input").count()).to.equal(0);
  }

  for (const [what, host, element] of [
    ["of another site", "localhost", (src: string) => `<iframe src="${src}"></iframe>`],
    ["of its own site", "127.0.0.1", (src: string) => `<iframe src="${src}"></iframe>`],
    ["as an object", "localhost", (data: string) => `<object type="text/html" data="${data}"></object>`],
    [
      "in a sandbox that keeps its origin",
      "localhost",
      (src: string) => `<iframe sandbox="allow-scripts allow-same-origin allow-popups" src="${src}"></iframe>`,
    ],
  ] as const) {
    it(`shows only a link that opens the page in a new tab, and looks for no wallet: ${what}`, async () => {
      const { page, framed, address, requests, asked } = await frame(host, element);
      await expectOnlyLink(framed);
      expect(await framed.locator("body").innerText()).to.equal(LINK);
      expect(await framed.evaluate(() => [document.documentElement.dataset.asked, localStorage.length])).to.deep.equal([
        undefined,
        0,
      ]);
      const assets = requests.filter((path) => !["/around", "/"].includes(path));
      expect(assets.length).to.be.greaterThan(0);
      for (const path of assets) expect(path).to.match(/^\/assets\/(base|start|style)-[\w-]+\.(js|css)$/);
      expect(asked).to.deep.equal([]);

      const opening = page.waitForEvent("popup");
      await framed.getByRole("link", { name: LINK }).click();
      const alone = await opening;
      expect(alone.url()).to.equal(address);
      await alone.getByRole("navigation").getByRole("link", { name: "Purse" }).waitFor();
      await alone.locator("html[data-asked=yes]").waitFor();
      expect(await alone.evaluate(() => window.opener === null)).to.equal(true);
      expect(await alone.getByRole("link", { name: LINK }).count()).to.equal(0);
    });
  }

  for (const [what, sandbox, cors] of [
    ["without scripts", "", false],
    ["without its origin, whose scripts the host does not give", "allow-scripts", false],
    ["without its origin, whose scripts the host gives", "allow-scripts", true],
  ] as const) {
    it(`shows only a link in a sandbox ${what}`, async () => {
      if (cors) headers = { "access-control-allow-origin": "*" };
      const visiting = frame("localhost", (src) => `<iframe sandbox="${sandbox}" src="${src}"></iframe>`);
      const { framed, requests } = await visiting;
      await expectOnlyLink(framed);
      expect(requests).not.to.include("/deployment.json");
    });
  }
});
