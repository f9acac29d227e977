import { expect } from "chai";
import { getAddress, ZeroHash, zeroPadValue, toBeHex } from "ethers";
import type { Page } from "playwright-core";
import { playMatch } from "../../scripts/demo-match.js";
import { History } from "../../sdk/chain/history.js";
import type { IndexRow } from "../../sdk/chain/index-tables.js";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import { ticTacToe } from "../../sdk/games/tic-tac-toe/index.js";
import { Status } from "../../sdk/protocol/status.js";
import type { FakeIndex } from "../support/fake-index.js";
import { TestChain } from "./support/chain.js";
import { indexOfChain } from "./support/indexed.js";
import { describePage, visit, type Visitor, type VisitOptions } from "./support/harness.js";
import { connect } from "./support/playing.js";

/** Accounts that each play against every other of these accounts. */
const PLAYERS = [4, 5, 6, 7];
/** Account that plays no match. */
const STRANGER = 8;
/** Matches that each pair plays. */
const ROUNDS = 2;
/** Number of blocks by which an index can lag behind the chain. */
const MAX_LATE = 20;

/** Returns an address that no account has. */
function somebody(number: number): string {
  return getAddress(zeroPadValue(toBeHex(0xabc000 + number), 20));
}

/** Reads the rows of a table as displayed. */
function shown(page: Page, caption: RegExp): Promise<string[]> {
  return page.getByRole("table", { name: caption }).locator("tbody tr").allInnerTexts();
}

describePage("The page with an index", () => {
  let chain: TestChain;
  let index: FakeIndex;
  let addresses: string[];

  before(async () => {
    chain = await TestChain.start();
    const clients = await Promise.all(PLAYERS.map((account) => chain.client(account)));
    addresses = clients.map(({ address }) => address);
    const history = new History(chain.provider, chain.addresses);
    const silent = () => undefined;
    // Some matches are drawn, and change no rating.
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, alice] of clients.entries()) {
        for (const bob of clients.slice(i + 1)) await playMatch(miniGames, alice, bob, history, silent);
      }
    }
    await playMatch(ticTacToe, clients[0], clients[1], history, silent);
  });
  after(() => chain?.stop());

  beforeEach(async () => {
    index = await indexOfChain(chain);
  });
  afterEach(() => index.stop());

  const visitIndexed = (options: VisitOptions = {}): Promise<Visitor> =>
    visit({ chain, deployments: [{ ...chain.deployment, index: index.url }], ...options });
  const withoutEvents = async (visitor: Visitor) => {
    visitor.allow(/Failed to load resource/);
    await visitor.disturbNode(({ method }) => (method === "eth_getLogs" ? { status: 429 } : undefined));
  };
  const source = (page: Page) => page.getByRole("status").filter({ hasText: /^From the / });

  it("shows a visitor the lobby without reading events, and a player the same lobby from events", async () => {
    const visitor = await visitIndexed({ wallets: [{ account: STRANGER }] });
    const { page } = visitor;
    let reads = 0;
    await visitor.disturbNode(({ method }) => {
      if (method === "eth_getLogs") reads++;
      return undefined;
    });
    await visitor.open();
    const matches = page.locator(".match");
    await matches.nth(6).waitFor();
    expect(await source(page).innerText()).to.equal(`From the index, up to block ${index.block}.`);
    const before = await matches.allInnerTexts();
    await page.waitForLoadState("networkidle");
    expect(reads).to.equal(0);
    await connect(visitor);
    await page.getByText("From the events.").waitFor();
    expect(reads).to.be.greaterThan(0);
    expect(await matches.allInnerTexts()).to.deep.equal(before);
    // Each filter shows a part of the list, and both parts together are the whole list.
    const finished = page.locator("section").filter({ has: page.getByRole("heading", { name: "Finished" }) });
    const counts: number[] = [];
    for (const filter of ["Free", "With stake", "All"]) {
      await finished.getByRole("button", { name: filter, exact: true }).click();
      if (filter === "All") await finished.getByRole("button", { name: /^Show more/ }).click();
      counts.push(await finished.locator(".match").count());
    }
    expect(counts[0] + counts[1])
      .to.be.at.least(1)
      .and.at.most(counts[2]);
    await finished.getByLabel("Game").selectOption({ label: "Tic-tac-toe" });
    expect(await finished.locator(".match").count()).to.equal(1);
  });

  it("loads more matches of a player and of the lobby on request", async () => {
    const [row] = (index.rows.match as IndexRow<"match">[]).filter(({ player1 }) => player1 === addresses[0]);
    const many = Array.from({ length: 130 }, (_, i) => ({ ...row, matchId: BigInt(1000 + i) }));
    index.rows = { ...index.rows, match: many };
    const visitor = await visitIndexed();
    const { page } = visitor;
    await withoutEvents(visitor);
    for (const hash of [`#/player/${addresses[0]}`, "#/"]) {
      await visitor.open(hash);
      const oldest = page.getByRole("link", { name: /#1000$/ });
      const more = page.getByRole("button", { name: /^Show more/ });
      await more.waitFor();
      for (let presses = 0; presses < 14 && (await oldest.count()) === 0; presses++) {
        const count = await page.locator(".match").count();
        await more.click();
        await page.locator(".match").nth(count).waitFor();
      }
      expect(await page.locator(".match").count(), hash).to.equal(130);
      expect(await more.count(), hash).to.equal(0);
    }
  });

  it("offers to join each offer that the visitor can take, and names the invited player of other offers", async () => {
    const [row] = index.rows.match as IndexRow<"match">[];
    const offer = { ...row, isOver: false, status: Number(Status.P1Deposited) };
    index.rows = {
      ...index.rows,
      match: [
        { ...offer, matchId: 1000n, player2: undefined },
        { ...offer, matchId: 1001n, player2: addresses[1] },
        { ...offer, matchId: 1002n, player2: undefined, firmUntil: 1n },
        { ...offer, matchId: 1003n, player2: undefined, game: addresses[0] },
      ],
    };
    const visitor = await visitIndexed();
    const { page } = visitor;
    await visitor.open();
    const [toAnybody, toBob, ...others] = [1000, 1001, 1002, 1003].map((number) =>
      page.locator(".match", { hasText: `#${number}` }),
    );
    await toAnybody.getByRole("link", { name: /^Join .+ #1000$/ }).waitFor();
    await visitor.picture("join");
    await toBob.getByText(/^for \S+ \S+$/).waitFor();
    // Nor can anybody take a lapsed offer, or one of a game that the page does not know.
    for (const each of [toBob, ...others]) {
      await each.waitFor();
      expect(await each.getByRole("link", { name: /^Join/ }).count()).to.equal(0);
    }
  });

  it("shows the same profile of a player from the index as from events", async () => {
    const seen: unknown[] = [];
    for (const deployment of [{ ...chain.deployment, index: index.url }, chain.deployment]) {
      const visitor = await visit({ chain, deployments: [deployment] });
      const { page } = visitor;
      if (seen.length === 0) await withoutEvents(visitor);
      await visitor.open(`#/player/${addresses[0]}?against=${addresses[1]}`);
      await page.getByText(/^Mini-games: from 1000 to \d+ in the last 6 rated matches/).waitFor();
      await page.getByText("As a table").click();
      seen.push([
        await shown(page, /^Rated matches by game$/),
        await page.getByText(/^Mini-games: from/).innerText(),
        await shown(page, /^Rating at Mini-games/),
        await shown(page, /^Rated matches of both players/),
        await page.getByText(/^Staked /).allInnerTexts(),
        await page.locator(".match").allInnerTexts(),
      ]);
      expect(await source(page).count()).to.equal(seen.length === 1 ? 1 : 0);
    }
    expect(seen[0]).to.deep.equal(seen[1]);
    expect((seen[0] as string[][])[3]).to.have.length(2);
  });

  it("compares a player with the player whose profile was opened before", async () => {
    const { page, ...visitor } = await visitIndexed();
    await page.goto(`${visitor.url}#/player/${addresses[2]}`);
    await page.getByRole("heading", { name: "Record by game" }).waitFor();
    expect(await page.getByRole("heading", { name: /^\w+ \w+ and \w+ \w+$/ }).count()).to.equal(0);
    await page.goto(`${visitor.url}#/player/${addresses[3]}`);
    await page.getByRole("heading", { name: /^\w+ \w+ and \w+ \w+$/ }).waitFor();
    expect(await shown(page, /^Rated matches of both players/)).to.have.length(1);
    // A name is not identity: the keyboard shows the address, as hovering does.
    const person = page.locator(".profile-columns .row > .person").first();
    await page.keyboard.press("Tab");
    await person.focus();
    expect(await page.locator(".address-tip").textContent()).to.equal(addresses[2]);
    expect(await person.getAttribute("title")).to.equal(addresses[2]);
    await page.keyboard.press("Escape");
    expect(await page.locator(".address-tip").count()).to.equal(0);
    await page.getByRole("button", { name: "Give a name …" }).click();
    await page.keyboard.type("Bob");
    await page.keyboard.press("Enter");
    const named = page.getByRole("heading", { level: 1, name: /^Bob, your name for this person$/ });
    await named.waitFor();
    await page.reload();
    await named.waitFor();
  });

  it("shows the same rankings from the index as from events: rating, zero-sum points, winnings, wins by seat", async () => {
    const seen: string[][][] = [];
    for (const deployment of [{ ...chain.deployment, index: index.url }, chain.deployment]) {
      const visitor = await visit({ chain, deployments: [deployment] });
      const { page } = visitor;
      if (seen.length === 0) await withoutEvents(visitor);
      const tables: string[][] = [];
      for (const [query, caption] of [
        ["", /^Players of Mini-games by rating/],
        ["?by=points", /^Players of Mini-games by points/],
        ["?by=winnings", /^Players by what they have won of FIGHT/],
        ["", /^Wins of each seat/],
      ] as const) {
        await visitor.open(`#/ranking/mini-games${query}`);
        await page.getByRole("table", { name: caption }).waitFor();
        // Players with equal ranks can be in any order.
        tables.push((await shown(page, caption)).map((row) => row.replace(/^\d+/, "")).sort());
      }
      seen.push(tables);
    }
    expect(seen[0]).to.deep.equal(seen[1]);
    for (const table of seen[0].slice(0, 3)) expect(table).to.have.length(PLAYERS.length);
    expect(seen[0][3]).to.have.length(1);
    expect(seen[0][3][0]).to.match(/34 % : 34 % : 33 %$/);
  });

  it("loads a ranking page by page", async () => {
    const [row] = index.rows.record as IndexRow<"record">[];
    const ranked = Array.from({ length: 120 }, (_, i) => ({ ...row, player: somebody(i), rating: 1000 + i }));
    index.rows = { ...index.rows, record: ranked };
    const visitor = await visitIndexed();
    const { page } = visitor;
    await visitor.open("#/ranking/mini-games");
    const rows = page.getByRole("table", { name: /by rating/ }).locator("tbody tr");
    await rows.nth(49).waitFor();
    expect(await rows.first().innerText()).to.match(/^1\s.*\s1119\s/s);
    // If columns are cut off, the page shows a note.
    const hint = page.getByText("Scroll sideways for more columns").first();
    expect(await hint.count()).to.equal(0);
    await page.setViewportSize({ width: 320, height: 740 });
    await hint.waitFor();
    for (const count of [50, 100]) {
      expect(await rows.count()).to.equal(count);
      await page.getByRole("button", { name: "Show more" }).click();
      await rows.nth(count).waitFor();
    }
    expect(await rows.count()).to.equal(120);
    expect(await page.getByRole("button", { name: "Show more" }).count()).to.equal(0);
  });

  for (const [title, spoil, reason] of [
    ["is down", (each: FakeIndex) => (each.instead = (response) => response.destroy()), /does not answer: /],
    [
      "is of another deployment",
      (each: FakeIndex) => (each.deployment.arena = somebody(1)),
      /is of another deployment: its arena is 0x/,
    ],
    [
      "returns invalid data",
      (each: FakeIndex) => (each.change = ({ data }) => ({ data: { ...data, page: { ...data.page, items: [{}] } } })),
      /answers nonsense: /,
    ],
    [
      "refuses with its own error message",
      (each: FakeIndex) => (each.instead = (response) => response.end('{"errors":[{"message":"<b>a\\u202e\\n</b>"}]}')),
      /refuses: <b>a ?<\/b>\.$/,
    ],
    [
      "is behind the chain",
      (each: FakeIndex) => (each.block -= MAX_LATE + 1),
      new RegExp(`^From the events: The index is ${MAX_LATE + 1} blocks behind the chain\\.$`),
    ],
  ] as const) {
    it(`falls back to the events if the index ${title}, and reports it`, async () => {
      spoil(index);
      const visitor = await visitIndexed();
      visitor.allow(/Failed to load resource/);
      const { page } = visitor;
      for (const [hash, there] of [
        [`#/player/${addresses[0]}`, ".match"],
        ["#/ranking/mini-games", "td"],
      ]) {
        await visitor.open(hash);
        await page.locator(there).first().waitFor();
        await source(page).filter({ hasText: reason }).waitFor();
      }
      await visitor.open();
      await page.locator(".match").nth(6).waitFor();
      await source(page).filter({ hasText: reason }).waitFor();
    });
  }

  it("shows how far the index lags while no events can be read", async () => {
    index.block -= MAX_LATE + 5;
    const visitor = await visitIndexed();
    await withoutEvents(visitor);
    await visitor.open();
    const { block } = index;
    await visitor.page
      .getByText(`From the index, up to block ${block}, ${MAX_LATE + 5} blocks behind the chain.`)
      .waitFor();
  });

  it("uses the index again once it answers, and keeps the index's data if it fails", async () => {
    const visitor = await visitIndexed();
    visitor.allow(/Failed to load resource/);
    const { page } = visitor;
    index.instead = (response) => response.destroy();
    await visitor.open("#/ranking/mini-games");
    await source(page)
      .filter({ hasText: /^From the events: / })
      .waitFor();
    index.instead = undefined;
    await source(page)
      .filter({ hasText: /^From the index/ })
      .waitFor();
    await withoutEvents(visitor);
    await page.evaluate(() => indexedDB.deleteDatabase("duello"));
    await page.reload();
    await source(page)
      .filter({ hasText: /^From the index/ })
      .waitFor();
    index.instead = (response) => response.destroy();
    await source(page)
      .filter({ hasText: /^From the index, up to block \d+\. The index at/ })
      .waitFor();
    expect(
      await page
        .getByRole("table", { name: /by rating/ })
        .locator("tbody tr")
        .count(),
    ).to.equal(PLAYERS.length);
  });

  it("uses an index on the page's host, named by a path", async () => {
    const visitor = await visit({ chain, deployments: [{ ...chain.deployment, index: "history/" }] });
    await visitor.context.route(`${visitor.url}history/graphql`, async (route) => {
      const response = await fetch(`${index.url}/graphql`, { method: "POST", body: route.request().postData() });
      await route.fulfill({ body: await response.text() });
    });
    await visitor.open("#/ranking/mini-games");
    await source(visitor.page)
      .filter({ hasText: /^From the index/ })
      .waitFor();
  });

  it("opens a match from the chain, whatever the index returns", async () => {
    const [row] = index.rows.match as IndexRow<"match">[];
    index.rows = { ...index.rows, match: [{ ...row, matchId: 777n, mode: ZeroHash }] };
    const visitor = await visitIndexed();
    await withoutEvents(visitor);
    const { page } = visitor;
    await visitor.open();
    await page.getByRole("link", { name: /#777$/ }).click();
    await page.getByText("Reading the chain …").waitFor();
    visitor.calmNode();
    await page.getByText("There is no match 777 here").waitFor();
  });
});
