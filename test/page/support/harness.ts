import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from "playwright-core";
import { buildPageIfChanged } from "../../../scripts/page/build.js";
import { PageServer } from "../../../scripts/page/server.js";
import { siteOf } from "../../../scripts/page/site.js";
import type { PageDeployment } from "../../../sdk/chain/deployment.js";
import { PATIENCE } from "../../support/patience.js";
import { TestChain } from "./chain.js";
import { startChromium } from "./chromium.js";
import { announceWallet, PageWallet, type WalletOptions } from "./wallet.js";

/** Folder of pictures that tests take: of failures, and of other views if PICTURES is in the environment. */
const PICTURES = join("cache", "page-pictures");

/** A request of a page to a node. */
export interface NodeCall {
  id: number;
  method: string;
  params: unknown[];
}

/** What a node does instead of answering a request. */
export type Fault =
  | { error: { code: number; message: string } }
  | { result: unknown }
  | { status: number }
  | "drop"
  | undefined;

export interface VisitOptions extends BrowserContextOptions {
  /** Wallets in the browser, the first of which is the visitor's. */
  wallets?: readonly { account: number; options?: WalletOptions }[];
  /** Chain to use; defaults to the shared one, reverted. Pass the shared chain if the test's changes must stay. */
  chain?: TestChain;
  /** Deployments of the page; defaults to that of the chain. */
  deployments?: readonly PageDeployment[];
  /** Folder of another build of the page. */
  folder?: string;
}

let browser: Promise<Browser | undefined> | undefined;
let shared: Promise<TestChain> | undefined;
let undo: Promise<() => Promise<void>> | undefined;
let built: Promise<void> | undefined;
const visitors: Visitor[] = [];
const own: TestChain[] = [];
const servers = new Map<string, Promise<PageServer>>();

/** Returns the shared chain of the page's tests, for permanent changes before tests. */
export function standingChain(): Promise<TestChain> {
  return (shared ??= TestChain.start());
}

/** Returns the shared chain of the page's tests for one test, after which it is reverted. */
export async function pageChain(): Promise<TestChain> {
  const chain = await standingChain();
  await (undo ??= chain.snapshot());
  return chain;
}

/**
 * Starts a chain for one test, which may stop it.
 * @param player Its players.
 * @param port Port of a chain that has ended.
 */
export async function ownChain(players: readonly number[], port?: number): Promise<TestChain> {
  const chain = await TestChain.start(players, port);
  own.push(chain);
  return chain;
}

/** Builds the page if its sources have changed since it was built. */
export function builtPage(): Promise<void> {
  return (built ??= buildPageIfChanged());
}

/** Serves the page with the real headers. */
async function serve(deployments: readonly PageDeployment[], folder?: string): Promise<PageServer> {
  if (folder === undefined) await builtPage();
  const server = await PageServer.listen(0, "");
  server.show(await siteOf(deployments, folder));
  return server;
}

/** Takes a picture for people to look at. */
async function picture(name: string, page: Page): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/** Describes tests that need a browser: skipped without one, except in CI, which must have one. */
export function describePage(title: string, define: () => void): void {
  describe(title, () => {
    before(async function () {
      if (await (browser ??= startChromium())) return;
      if (process.env.CI) throw new Error("There is no Chromium: name one in DUELLO_CHROMIUM.");
      console.log(`${title}: skipped, as there is no Chromium. Install one, or name it in DUELLO_CHROMIUM.`);
      this.skip();
    });
    afterEach(async function () {
      if (this.currentTest?.state === "failed") await pictureAll(this.currentTest.title);
      const problems = visitors.flatMap((visitor) => visitor.problems);
      await Promise.all(visitors.splice(0).map((visitor) => visitor.close()));
      await Promise.all(own.splice(0).map((chain) => chain.stop()));
      await (
        await undo
      )?.();
      undo = undefined;
      expect(problems).to.deep.equal([]);
    });
    define();
  });
}

/** Takes pictures of all pages, which help to explain a failed test. */
async function pictureAll(title: string): Promise<void> {
  const name = `failed-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  const pages = visitors.flatMap((visitor) => visitor.context.pages());
  await Promise.all(pages.map((page, i) => picture(`${name}-${i}`, page)));
}

after(async () => {
  // If a start has failed, its tests have failed already.
  const ends: Promise<unknown>[] = [...servers.values()].map((server) => server.then((each) => each.close()));
  if (browser) ends.push(browser.then((each) => each?.close()));
  if (shared) ends.push(shared.then((chain) => chain.stop()));
  await Promise.allSettled(ends);
});

/** Opens a new browser for a user; `open` opens the page. */
export async function visit(options: VisitOptions = {}): Promise<Visitor> {
  const { wallets = [], chain = await pageChain(), deployments = [chain.deployment], folder, ...rest } = options;
  const key = JSON.stringify([folder, deployments]);
  const server = servers.get(key) ?? serve(deployments, folder);
  servers.set(key, server);
  const { url } = await server;
  const context = await (await browser)!.newContext({ ...rest, locale: "en-GB", timezoneId: "UTC" });
  context.setDefaultTimeout(PATIENCE);
  // The compiler of tests adds calls of `__name` to functions, and some of these functions run in the page.
  await context.addInitScript({ content: "globalThis.__name = (each) => each;" });
  const held = await Promise.all(
    wallets.map(
      async ({ account, options }) => new PageWallet(chain.url, (await chain.account(account)).address, options),
    ),
  );
  for (const [i, wallet] of held.entries()) await putInto(context, wallet, `wallet${i}`);
  const others = deployments.flatMap(({ index, relay }) => [index ?? [], relay ?? []].flat());
  const known = others.filter((each) => URL.parse(each));
  const visitor = new Visitor(context, await context.newPage(), url, held, chain, known);
  visitors.push(visitor);
  return visitor;
}

async function putInto(context: BrowserContext, wallet: PageWallet, name: string): Promise<void> {
  const { info, delay } = wallet;
  await context.exposeFunction(name, (asked: { method: string; params?: unknown }) => wallet.answer(asked));
  // The tests' compiler marks the names of functions with calls of `__name`.
  await context.addInitScript("globalThis.__name = (named) => named");
  await context.addInitScript(announceWallet, { info, delay, answer: name });
  wallet.tell = async (event, value) => {
    const dispatch = (told: { name: string; detail: unknown }) =>
      void dispatchEvent(new CustomEvent(`${told.name}-event`, { detail: told.detail }));
    for (const page of context.pages()) await page.evaluate(dispatch, { name, detail: { event, value } });
  };
}

/** A user with a browser. Any problem in it fails the test. */
export class Visitor {
  /** Errors on the console, uncaught errors, violations of the policy, and requests to other hosts. */
  readonly problems: string[] = [];
  private readonly allowed: RegExp[] = [];
  /** Returns the node's fault for a request of the page; undefined while the node works normally. */
  private faultOf?: (call: NodeCall) => Fault | Promise<Fault>;

  constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly url: string,
    readonly wallets: readonly PageWallet[],
    readonly chain: TestChain,
    others: readonly string[] = [],
  ) {
    const origins = [url, chain.url, ...others].map((allowed) => new URL(allowed).origin);
    context.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.report(`console: ${message.text()}`);
    });
    context.on("weberror", (error) => this.report(`error: ${error.error().stack ?? error.error().message}`));
    context.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (/^https?:$/.test(protocol) && !origins.includes(origin)) this.report(`foreign request: ${request.url()}`);
    });
  }

  /** The visitor's wallet. */
  get wallet(): PageWallet {
    return this.wallets[0];
  }

  /** Ignores a problem that the test provokes. */
  allow(...problems: readonly RegExp[]): void {
    this.allowed.push(...problems);
  }

  /** Opens an address of the page, e.g. `#/settings`. */
  async open(hash = "#/", page = this.page): Promise<void> {
    await page.goto(`${this.url}${hash}`);
  }

  /** Opens another tab of the same browser. */
  async openTab(hash = "#/"): Promise<Page> {
    const page = await this.context.newPage();
    await this.open(hash, page);
    return page;
  }

  /** Makes the node fail some of the page's requests. @param faultOf Called for each request, even in a batch. */
  async disturbNode(faultOf: (call: NodeCall) => Fault | Promise<Fault>): Promise<void> {
    const isRouted = this.faultOf !== undefined;
    this.faultOf = faultOf;
    // Keep the route: removing it while it answers a request would answer that request twice.
    if (!isRouted) await this.context.route(`${this.chain.url}/**`, (route) => this.answer(route));
  }

  /** Makes the node answer again. */
  calmNode(): void {
    this.faultOf = () => undefined;
  }

  /** Ends the browser, even during a request to the node. */
  async close(): Promise<void> {
    await this.context.unrouteAll({ behavior: "ignoreErrors" });
    await this.context.close();
  }

  /** Takes a picture for people to look at, if PICTURES is set. */
  async picture(name: string, page = this.page): Promise<void> {
    if (process.env.PICTURES) await picture(name, page);
  }

  private async answer(route: Route): Promise<void> {
    const posted = (route.request().postDataJSON() ?? []) as NodeCall | NodeCall[];
    const calls = [posted].flat();
    const faults = await Promise.all(calls.map(async (call) => this.faultOf!(call)));
    if (faults.includes("drop")) return route.abort("connectionfailed");
    const headers = { "access-control-allow-origin": "*" };
    const refusal = faults.find((fault) => typeof fault === "object" && "status" in fault);
    if (refusal) return route.fulfill({ status: refusal.status, headers, body: "" });
    if (faults.every((fault) => fault === undefined)) return route.continue();
    const answers = await Promise.all(
      calls.map(async (call, i) => {
        if (faults[i] !== undefined) return { jsonrpc: "2.0", id: call.id, ...(faults[i] as object) };
        const response = await fetch(this.chain.url, { method: "POST", body: JSON.stringify(call) });
        return response.json() as Promise<object>;
      }),
    );
    return route.fulfill({ headers, json: Array.isArray(posted) ? answers : answers[0] });
  }

  private report(problem: string): void {
    if (!this.allowed.some((allowed) => allowed.test(problem))) this.problems.push(problem);
  }
}
