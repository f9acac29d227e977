import { expect } from "chai";
import type { Page } from "playwright-core";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { randomKey, secretStoreWith } from "../../sdk/player/secrets.js";
import type { TestChain } from "./support/chain.js";
import {
  describePage,
  ownChain,
  pageChain,
  visit,
  type Fault,
  type NodeCall,
  type Visitor,
} from "./support/harness.js";

/** Account that makes the offers in these tests. */
const PLAYER = 6;

/** Blocks whose logs a limited node returns. */
const RANGE = 5;

const TROUBLE = /^The node of Test chain does not answer as it should\./;

/** Offers a match without a stake to anyone. @returns its number */
async function offered(chain: TestChain): Promise<bigint> {
  const client = await chain.client(PLAYER);
  const { MiniGames, FightToken } = chain.addresses;
  const mode = modeHash(miniGames.modes["rock-paper-scissors"].content);
  const terms = { game: MiniGames, token: FightToken, stake1: 0n, stake2: 0n, mode, clock: 3600n, rated: false };
  const store = secretStoreWith(randomKey(), client.committer(MiniGames));
  const data = await store.commit("0x00");
  return (await client.create({ terms, data, firmUntil: 0 }, { acceptedRisks: ["short-clock"] })).matchId;
}

/** Returns the lobby's link to join a match. */
function linkTo(page: Page, matchId: bigint) {
  return page.getByRole("main").getByRole("link", { name: new RegExp(`^Join .*#${matchId}$`) });
}

function rangeOf({ method, params }: NodeCall): number {
  if (method !== "eth_getLogs") return 0;
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
  return Number(toBlock) - Number(fromBlock) + 1;
}

/** Counts the blocks whose logs a page requests from its node. */
function blocksAsked({ page, chain }: Visitor): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (!request.url().startsWith(chain.url)) return;
    const calls = [(request.postDataJSON() ?? []) as NodeCall | NodeCall[]].flat();
    for (const call of calls) count += rangeOf(call);
  });
  return () => count;
}

describePage("The page with a node that limits or fails", () => {
  it("reads everything from a node that serves five blocks per request", async () => {
    const chain = await pageChain();
    const [first, visitor] = [await offered(chain), await visit()];
    let refused = 0;
    await visitor.disturbNode((call) => {
      if (rangeOf(call) <= RANGE) return undefined;
      refused++;
      return { error: { code: -32615, message: `eth_getLogs is limited to a ${RANGE} range` } };
    });
    await visitor.open();
    await linkTo(visitor.page, first).waitFor();
    expect(refused).to.be.within(1, 20);
    await linkTo(visitor.page, await offered(chain)).waitFor();
  });

  for (const [title, fault] of [
    ["answers 429", { status: 429 }],
    ["drops every connection", "drop"],
  ] as [string, Fault][]) {
    it(`reports that the node ${title}, keeps its data, and resumes on its own`, async () => {
      const chain = await pageChain();
      const [matchId, visitor] = [await offered(chain), await visit()];
      const { page } = visitor;
      visitor.allow(/Failed to load resource/);
      await visitor.open();
      await linkTo(page, matchId).waitFor();
      await visitor.disturbNode(() => fault);
      await page.getByText(TROUBLE).waitFor();
      await linkTo(page, matchId).waitFor();
      visitor.calmNode();
      await page.getByText(TROUBLE).waitFor({ state: "detached" });

      await visitor.disturbNode(() => fault);
      await page.reload();
      await page.getByText(TROUBLE).waitFor();
      await page.getByRole("link", { name: "Play rock paper scissors now" }).waitFor();
      await page.getByText("Reading the chain …").waitFor();
      visitor.calmNode();
      await page.getByText(TROUBLE).waitFor({ state: "detached" });
      await linkTo(page, matchId).waitFor();
    });
  }

  it("shows a match that the node failed to return, once the node answers again, even without new blocks", async () => {
    const chain = await pageChain();
    const [matchId, visitor] = [await offered(chain), await visit()];
    const { page } = visitor;
    visitor.allow(/Failed to load resource/);
    // This page does not show the match, so the time of the match's block is not read yet.
    await visitor.open("#/ranking");
    await page
      .locator("table")
      .or(page.getByText(/^Nobody has played/))
      .first()
      .waitFor();
    await visitor.disturbNode(() => ({ status: 429 }));
    await page.evaluate((hash) => (location.hash = hash), `#/match/${matchId}`);
    await page.getByRole("heading", { name: "This match cannot be shown" }).waitFor();
    visitor.calmNode();
    await page.getByText("Connect a wallet to take it.").waitFor();
  });

  it("reports that the node refuses only logs during the initial read", async () => {
    const chain = await pageChain();
    const [matchId, visitor] = [await offered(chain), await visit()];
    const { page } = visitor;
    visitor.allow(/Failed to load resource/);
    await visitor.disturbNode(({ method }) => (method === "eth_getLogs" ? { status: 429 } : undefined));
    await visitor.open();
    await page.getByText(TROUBLE).waitFor();
    visitor.calmNode();
    await linkTo(page, matchId).waitFor();
    expect(await page.getByText(TROUBLE).count()).to.equal(0);
  });

  it("offers only practice if it has no deployment", async () => {
    const { page, ...visitor } = await visit({ deployments: [] });
    await page.goto(visitor.url);
    await page.getByText("This page knows no chain: you can practice").waitFor();
    await page.getByRole("link", { name: "Play rock paper scissors now" }).waitFor();
    await page.goto(`${visitor.url}#/match/1`);
    await page.getByText("There are no matches without a chain").waitFor();
  });
});

describePage("The page with a chain that changes", () => {
  it("reports that blocks were undone, and hides their matches", async () => {
    const chain = await pageChain();
    const [kept, visitor] = [await offered(chain), await visit()];
    const { page } = visitor;
    await visitor.open();
    await linkTo(page, kept).waitFor();
    const undo = await chain.snapshot();
    const lost = await offered(chain);
    const tab = await visitor.openTab(`#/match/${lost}`);
    await linkTo(page, lost).waitFor();
    await tab.getByText(/Rock paper scissors/).waitFor();
    await undo();
    await chain.provider.send("hardhat_mine", ["0x5"]);
    await page.getByText(/^The chain has undone its last blocks, and [1-9]/).waitFor();
    await linkTo(page, lost).waitFor({ state: "detached" });
    await linkTo(page, kept).waitFor();
    await tab.getByText(`There is no match ${lost} here`).waitFor();
    const again = await offered(chain);
    expect(again).to.equal(lost);
    await linkTo(page, again).waitFor();
    await page.getByText(/^The chain has undone/).waitFor({ state: "detached" });
  });

  for (const isOpen of [true, false]) {
    it(`reports that the chain was restarted ${isOpen ? "while the page was open" : "since the last visit"}`, async () => {
      const chain = await ownChain([PLAYER]);
      const [matchId, visitor] = [await offered(chain), await visit({ chain })];
      const { page } = visitor;
      visitor.allow(/Failed to load resource/);
      await visitor.open();
      await linkTo(page, matchId).waitFor();
      if (!isOpen) await page.goto("about:blank");
      await chain.stop();
      if (isOpen) await page.getByText(TROUBLE).waitFor();
      await ownChain([PLAYER], chain.port);
      if (!isOpen) await visitor.open();
      await page.getByText("Test chain was restarted: what was there before is gone.").waitFor();
      await page.getByText("Nobody offers a match right now.").waitFor();
      await page.getByRole("button", { name: "Understood" }).click();
      expect(await page.getByText("was restarted").count()).to.equal(0);
    });
  }

  it("restores stored data after a reload", async () => {
    const chain = await pageChain();
    const [matchId, visitor] = [await offered(chain), await visit()];
    const { page } = visitor;
    await visitor.open();
    await linkTo(page, matchId).waitFor();
    await page.reload();
    const asked = blocksAsked(visitor);
    await linkTo(page, matchId).waitFor();
    const later = await offered(chain);
    await linkTo(page, later).waitFor();
    expect(asked()).to.be.within(1, 2 * RANGE);
  });
});
