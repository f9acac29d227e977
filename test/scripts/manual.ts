import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { Browser, Page } from "playwright-core";
import { buildManual } from "../../scripts/manual/build.js";
import { hashOfScript, inlineScripts } from "../../scripts/manual/policy.js";
import { runQuietly } from "../../scripts/manual/run.js";
import { linkTo } from "../../scripts/manual/source.js";
import { pagesOf, PARTS } from "../../scripts/manual/sidebar.js";
import { manualSite } from "../../scripts/manual/site.js";
import { PageServer } from "../../scripts/page/server.js";
import type { Site } from "../../scripts/page/site.js";
import { startChromium } from "../page/support/chromium.js";
import { PATIENCE } from "../support/patience.js";
import { readDocuments } from "../../scripts/document.js";

/** Path at which the site is built and served here: links that ignore it lead nowhere. */
const BASE = "/duello/manual/";
const OTHER = { text: "0.0.1", link: "https://duello.example/0.0.1/" };

/** Lists the addresses on other hosts from which a file of the site loads something. */
function foreignLoads(name: string, text: string): string[] {
  const loads: Record<string, RegExp> = {
    html: /<(?:script|img|iframe|source|video|audio|embed|object|link|use|image)\b[^>]*?\s(?:src|srcset|href|data|xlink:href)="((?:https?:)?\/\/[^"]*)"/g,
    css: /(?:url\(\s*["']?|@import\s+["'])((?:https?:)?\/\/[^"')\s]*)/g,
    js: /(?:\b(?:import|fetch|importScripts|Worker|EventSource|WebSocket|sendBeacon)\(\s*|\bfrom\s*|\bimport\s*|\.src\s*=\s*)["'`]((?:(?:https?|wss?):)?\/\/[^"'`]*)/g,
  };
  const kind = posix.extname(name).slice(1);
  // Pages and pictures contain styles too.
  const patterns = { html: [loads.html, loads.css], svg: [loads.html, loads.css], css: [loads.css], js: [loads.js] }[
    kind
  ];
  return (patterns ?? []).flatMap((pattern) => [...text.matchAll(pattern)].map(([, address]) => address));
}

/** Lists what a policy without `unsafe-inline` and without other hashes refuses in a page. */
function refusedInline(html: string, policy: string): string[] {
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1].split(" ") ?? [];
  return [
    ...inlineScripts(html).filter((text) => !scripts.includes(hashOfScript(text))),
    ...[...html.matchAll(/<style\b|<[a-z][^>]*?\s(?:style|on[a-z]+)="[^"]*"/g)].map(([tag]) => tag),
  ];
}

describe("The site of the manual", () => {
  let folder: string;
  let site: Site;
  let pages: [name: string, html: string][];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "duello-manual-"));
    await buildManual(join(folder, "site"), { base: BASE, others: [OTHER], hasReference: false });
    site = await manualSite(join(folder, "site"));
    pages = [...site.files].filter(([name]) => name.endsWith(".html")).map(([name, html]) => [name, html.toString()]);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the file of the site to which a link of a page leads; undefined if there is none. */
  function targetOf(link: string, page: string): { name: string; anchor: string } | undefined {
    const { pathname, hash } = new URL(link, `http://site.invalid${BASE}${page}`);
    if (!pathname.startsWith(BASE)) return undefined;
    const name = decodeURIComponent(pathname.slice(BASE.length)).replace(/^$|\/$/, "$&index.html");
    return site.files.has(name) ? { name, anchor: decodeURIComponent(hash.slice(1)) } : undefined;
  }

  it("has every page of docs/ in the sidebar exactly once, from the start to the audit", () => {
    const all = pagesOf(PARTS);
    expect(all).to.have.members([...new Set(all)]);
    expect(all).to.include.members(readDocuments().map(({ file }) => file));
    expect(PARTS.map(({ title }) => title)).to.deep.equal(["Start", "Play", "Build", "Run", "Audit", "Project"]);
    const built = pages.find(([name]) => name === "docs/players.html")![1];
    const shown = [...built.matchAll(/class="VPLink link link" href="([^"]+)"/g)].map(([, link]) => link);
    for (const page of all) {
      const link = `${BASE}${linkTo(page).slice(1)}`.replace(/(?<!\/)$/, ".html");
      expect(
        shown.filter((each) => each === link),
        page,
      ).to.have.length(1);
    }
  });

  it("has only links that lead to a page and to an anchor on it", () => {
    const dead = pages.flatMap(([page, html]) =>
      [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)]
        .map(([, link]) => link.replaceAll("&amp;", "&"))
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const target = targetOf(link, page);
          const { anchor = "" } = target ?? {};
          return !target || (anchor !== "" && !String(site.files.get(target.name)).includes(` id="${anchor}"`));
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).to.deep.equal([]);
  });

  it("loads nothing from another host", () => {
    const found = [...site.files].flatMap(([name, content]) => foreignLoads(name, content.toString()));
    expect(found).to.deep.equal([]);
  });

  it("obeys its policy, which every page contains, and which allows inline scripts only by their hashes", () => {
    expect(site.header)
      .to.include("default-src 'none'")
      .and.not.include("unsafe")
      .and.not.match(/https?:|\*/);
    expect(pages.length).to.be.above(pagesOf(PARTS).length);
    for (const [name, html] of pages) {
      const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
      expect(`${policy}; frame-ancestors 'none'`, name).to.equal(site.header);
      expect(refusedInline(html, site.header), name).to.deep.equal([]);
    }
  });

  it("names the version of the project, and the other versions that it was built with", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    for (const [name, html] of pages.filter(([name]) => name !== "404.html")) {
      expect(html, name).to.include(version).and.include(`href="${OTHER.link}"`);
    }
  });

  it("contains every page in its search index", async () => {
    const name = [...site.files.keys()].find((each) => each.includes("@localSearchIndex"))!;
    const index = (await import(pathToFileURL(join(folder, "site", name)).href)) as { default: string };
    const { documentIds, index: words } = JSON.parse(index.default) as {
      documentIds: Record<string, string>;
      index: [word: string, found: object][];
    };
    const indexed = new Set(Object.values(documentIds).map((id) => id.split("#")[0]));
    for (const page of pagesOf(PARTS)) {
      expect([...indexed], page).to.include(`${BASE}${linkTo(page).slice(1)}`.replace(/(?<!\/)$/, ".html"));
    }
    expect(words.map(([word]) => word)).to.include.members(["commitment", "rock", "watchtower"]);
  });

  it("is served with an index for each folder and a page for missing files, once it is built", async () => {
    const server = await PageServer.listen(0, "", "The manual is being built.");
    try {
      const early = await fetch(server.url);
      expect([early.status, await early.text()]).to.deep.equal([503, "The manual is being built.\n"]);
      expect(early.headers.get("refresh")).to.equal("2");
      server.show(site);
      for (const [path, status, type] of [
        ["", 200, "text/html; charset=utf-8"],
        ["docs/", 200, "text/html; charset=utf-8"],
        ["nowhere/", 404, "text/html; charset=utf-8"],
        [[...site.files.keys()].find((name) => name.endsWith(".gif"))!, 200, "image/gif"],
      ] as const) {
        const { status: answered, headers } = await fetch(`${server.url}${path}`);
        expect([answered, headers.get("content-type")], path).to.deep.equal([status, type]);
        expect(headers.get("content-security-policy"), path).to.equal(site.header);
      }
    } finally {
      server.close();
    }
  });

  it("lets a visitor search, follow a result, and change between light and dark, in a browser that obeys the policy", async function () {
    const browser = await startChromium();
    if (!browser && process.env.CI) throw new Error("There is no Chromium: name one in DUELLO_CHROMIUM.");
    if (!browser) return this.skip();
    const server = await PageServer.listen(0, "");
    // The host serves the site below a path.
    const files = [...site.files].map(([name, content]) => [`${BASE.slice(1)}${name}`, content] as const);
    server.show({ ...site, files: new Map(files) });
    try {
      await visit(browser, new URL(BASE, server.url).href);
    } finally {
      await browser.close();
      server.close();
    }
  });
});

/** Visits the site as a reader. @throws AssertionError if the browser reports a problem */
async function visit(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext({ colorScheme: "light", locale: "en-GB" });
  context.setDefaultTimeout(PATIENCE);
  const problems: string[] = [];
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  context.on("weberror", (error) => problems.push(error.error().message));
  context.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith("data:"))
      problems.push(`foreign request: ${request.url()}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator("#localsearch-input").fill("watchtower");
  await page.getByRole("link", { name: "watchtower" }).first().click();
  await page.waitForURL(/docs\/.*#/);
  await page.locator(".VPLocalSearchBox").waitFor({ state: "detached" });
  expect(await page.locator(".vp-doc h1").count()).to.equal(1);
  expect(await brightness(page)).to.be.above(200);
  await page.getByRole("switch", { name: "Switch to dark theme" }).first().click();
  await page.locator("html.dark").waitFor();
  expect(await brightness(page)).to.be.below(60);
  // The choice lasts, and diagrams and code are drawn on a page that the server sends.
  await page.goto(`${url}docs/channels.html#states`);
  await page.locator("html.dark").waitFor();
  expect(await page.locator(".drawing svg").count()).to.equal(2);
  const token = page.locator(".vp-doc pre span[class*=__shiki]").first();
  expect(await token.evaluate((each) => getComputedStyle(each).color)).to.not.equal("rgb(0, 0, 0)");
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).to.equal(390);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.locator(".VPSidebar.open").getByRole("link", { name: "Channels" }).waitFor();
  expect(problems).to.deep.equal([]);
}

/** Returns the brightness of a page's background, from 0 to 255. */
async function brightness(page: Page): Promise<number> {
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red, green, blue] = colour.match(/\d+/g)!.map(Number);
  return (red + green + blue) / 3;
}

describe("The build of the manual", () => {
  it("fails on a link to a page that does not exist, and names the page with the link", async () => {
    const folder = mkdtempSync(join("cache", "manual-test-"));
    try {
      const page = join(folder, "page.md");
      writeFileSync(page, "# A page\n\nIt links to [nothing](nowhere.md).\n");
      const parts = [{ title: "Start", pages: [page] }];
      const failed = await buildManual(join(folder, "site"), { parts, hasReference: false }).then(
        () => "built",
        (error: unknown) => (error as Error).message,
      );
      expect(failed).to.match(/^The manual cannot be built: .*dead link .*nowhere.* in file .*page\.md/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("ends with all its programs if its signal says so", async () => {
    const ending = new AbortController();
    const isStarted = new Promise((done) => process.once("SIGUSR2", done));
    const script = `sleep 600 & kill -USR2 ${process.pid}; wait`;
    const running = runQuietly("sh", ["-c", script], { signal: ending.signal });
    await isStarted;
    ending.abort(new Error("stopped"));
    // The output closes only after all programs that share it have ended.
    expect(await running.catch((error: unknown) => (error as Error).message)).to.equal("stopped");
  });
});

describe("The checks of the site", () => {
  it("find what a page loads from another host", () => {
    for (const [name, text] of [
      ["a.html", '<script src="https://cdn.example/a.js"></script>'],
      ["a.html", '<link rel="stylesheet" href="//cdn.example/a.css">'],
      ["a.html", "<style>@import 'https://fonts.example/a.css'</style>"],
      ["a.css", "@font-face{src:url(https://fonts.example/a.woff2)}"],
      ["a.js", 'import("https://cdn.example/a.js")'],
      ["a.js", "fetch(`https://search.example/?q=${word}`)"],
      ["a.js", 'import a from"https://cdn.example/a.js"'],
      ["a.svg", '<image href="https://cdn.example/a.png"/>'],
    ]) {
      expect(foreignLoads(name, text), text).to.have.length(1);
    }
    expect(foreignLoads("a.html", '<a href="https://semver.org">Versions</a>')).to.deep.equal([]);
  });

  it("find inline scripts, styles and handlers that the policy refuses", () => {
    const policy = `script-src 'self' ${hashOfScript("known()")}`;
    for (const html of [
      "<script>other()</script>",
      "<style>p{}</style>",
      '<p style="a:b">',
      '<p id="a" onclick="b()">',
    ]) {
      expect(refusedInline(html, policy), html).to.have.length(1);
    }
    expect(refusedInline('<script>known()</script><script src="/a.js"></script>', policy)).to.deep.equal([]);
  });
});
