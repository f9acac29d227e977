import { mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { loadGames } from "../../cli/shared/command/games.js";
import { buildPage } from "../../scripts/page/build.js";
import { ownGames } from "../../scripts/page/own-games.js";
import { games as stock } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { describePage, pageChain, visit, type Visitor } from "./support/harness.js";
import { playForeign } from "./support/matches.js";
import { noughts, sticks, toss } from "./support/own-games.js";
import { connect, openedMatch, PERSON } from "./support/playing.js";

const FILE = join("test", "page", "support", "own-games.ts");
const OWN: readonly GameModule[] = [sticks, toss, noughts];

/** Number of turns within which every match here ends. */
const MAX_TURNS = 30;

const MARK = "Not a stock game";
const notice = (page: Page, { title }: GameModule) => page.getByText(`${title} is not one of Duello's stock games.`);
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const result = (page: Page) =>
  page.locator(".result").filter({ hasText: /^\s*(You (win|lose)\.|A draw.*|(First|Second) player wins\.)$/ });

describe("The build of a page with custom games", () => {
  afterEach(() => delete process.env.DUELLO_GAMES);

  it("uses the list that DUELLO_GAMES names, and works without a list", async () => {
    expect(ownGames(await loadGames())).to.equal(undefined);
    process.env.DUELLO_GAMES = FILE;
    const own = ownGames(await loadGames());
    expect(own?.file).to.equal(resolve(FILE));
    expect(own?.games.map(({ name }) => name)).to.have.members(OWN.map(({ name }) => name));
  });

  it("rejects with a one-line error a list that imports modules of Node", async () => {
    const file = join("test", "support", "own-games.ts");
    const error = await buildPage(join("cache", "page-refused"), ownGames(await loadGames(file), file)).catch(
      (thrown: unknown) => thrown,
    );
    const reason = `${resolve(file)} imports node:fs, which a browser does not have.`;
    expect(error).to.have.property("message", `The page cannot be built: ${reason}`);
  });
});

describePage("A page that was built with custom games", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join("cache", "page-"));
    await buildPage(folder, ownGames(await loadGames(FILE), FILE));
  });
  after(() => rm(folder, { recursive: true }));

  async function open(hash: string): Promise<Visitor> {
    const visitor = await visit({ deployments: [], folder });
    await visitor.open(hash);
    return visitor;
  }

  /** Deploys a game, and plays a match of it. @returns the match, and a deployment that includes the game */
  async function playedMatch(game: GameModule, artifact: string) {
    const chain = await pageChain();
    const { matchId, addresses } = await playForeign(chain, game, artifact);
    return { matchId, deployment: { ...chain.deployment, addresses } };
  }

  /** Plays until the match is over. @param buttons Buttons that make a move, in order. */
  async function playOut(page: Page, ...buttons: readonly Locator[]): Promise<void> {
    const again = button(page, "Play again");
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      await buttons[0].or(again).first().waitFor();
      if (await again.isVisible()) break;
      const picker = await page.getByRole("region", { name: "Your move" }).elementHandle();
      for (const each of buttons) await each.click();
      await picker.waitForElementState("hidden");
    }
    await again.waitFor();
    await result(page).waitFor();
  }

  for (const [where, hash, list] of [
    ["lobby", "#/", "Games"],
    ["choice of practice", "#/try", undefined],
  ] as const) {
    it(`lists custom games after the stock games in the ${where}, and marks them`, async () => {
      const { page } = await open(hash);
      const main = list === undefined ? page.getByRole("main") : page.getByRole("list", { name: list });
      for (const { title } of OWN) {
        await main.getByRole("listitem").filter({ hasText: title }).getByText(MARK).first().waitFor();
      }
      expect(await main.getByText(MARK).count()).to.equal(OWN.length);
      for (const { title } of stock) await main.getByText(title, { exact: true }).first().waitFor();
    });
  }

  it("plays a game without a picker by text input, which reports invalid moves", async () => {
    const { page } = await open("#/try");
    await page.getByRole("link", { name: "Play sticks" }).click();
    await notice(page, sticks).waitFor();
    const field = page.getByRole("textbox", { name: "Your move: STICKS" });
    await field.fill("77");
    await button(page, "Play it").click();
    await page.getByRole("alert").getByText(/77/).waitFor();
    await field.fill("5");
    await field.press("Enter");
    await page
      .getByText(/^A heap of \d+ sticks$/)
      .first()
      .waitFor();
  });

  it("shows a game without a view as text, with legal moves as buttons, until the match ends", async () => {
    const { page } = await open("#/try/sticks/default");
    await button(page, "Any legal move").click();
    const heap = page.locator(".told").filter({ hasText: /^ {2}\|+$/ });
    await heap.waitFor();
    await playOut(page, page.getByRole("group", { name: "Moves" }).getByRole("button").first());
    expect(await heap.count()).to.equal(0);
  });

  it("describes a match of a game without steps in text, even in a shared link", async () => {
    const { page, context } = await open("#/try/toss/rock-paper-scissors");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await playOut(page, button(page, "Any legal move"));
    const story = page.locator(".told").filter({ hasText: /player 1/i });
    await story.waitFor();
    await button(page, "Copy a link to this replay").click();
    await page.getByText("Copied.").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText("Not compared with a chain").waitFor();
    await notice(page, toss).waitFor();
    await story.waitFor();
    await result(page).waitFor();
  });

  it("draws a custom game with the game's view, and takes moves from it", async () => {
    const { page } = await open("#/try/noughts/default");
    const row = page.getByLabel("Row of signs");
    await playOut(page, button(page, "Find a free cell"), button(page, /^Mark cell/));
    await row.getByText(/^[XO·]( [XO·]){8}$/).waitFor();
  });

  it("offers custom games in the challenge form, with modes, stakes and clocks", async () => {
    const { deployment } = await playedMatch(toss, "MiniGames");
    const visitor = await visit({ wallets: [{ account: PERSON }], deployments: [deployment], folder });
    const { page: form } = visitor;
    await visitor.open("#/play");
    await connect(visitor);
    const games = form.getByRole("combobox", { name: "Game" });
    await games.selectOption("Toss (not a stock game)");
    await notice(form, toss).waitFor();
    const modes = form.getByRole("combobox", { name: "Mode" }).getByRole("option");
    expect(await modes.allInnerTexts()).to.include.members(["Coin", "Rock paper scissors"]);
    await button(form, "Other").click();
    await form.getByRole("textbox", { name: "Stake of each player" }).fill("2");
    await form.getByText("More", { exact: true }).click();
    await form.getByRole("combobox", { name: "Clock of each player" }).selectOption("an hour");
    await button(form, "Any legal move").click();
    await openedMatch(form);
    await form.getByRole("heading", { level: 1, name: toss.title }).waitFor();
    await notice(form, toss).waitFor();
  });

  it("replays and verifies on-chain matches of custom games, step by step", async () => {
    const { matchId, deployment } = await playedMatch(noughts, "TicTacToe");
    const visitor = await visit({ deployments: [deployment], folder });
    const { page } = visitor;
    await visitor.open(`#/match/${matchId}`);
    await page.getByRole("heading", { level: 1, name: noughts.title }).waitFor();
    await notice(page, noughts).waitFor();
    await button(page, "Replay verified in this page").waitFor();
    await page.getByLabel("Row of signs").getByText(/X/).waitFor();
    await visitor.open("#/");
    const match = page.getByRole("listitem").filter({ hasText: `#${matchId}` });
    await match.getByText(MARK).waitFor();
  });

  it("treats a game as unknown if the deployment does not list its address", async () => {
    const { matchId } = await playedMatch(noughts, "TicTacToe");
    const visitor = await visit({ folder });
    const { page } = visitor;
    await visitor.open(`#/match/${matchId}`);
    await page.getByRole("heading", { name: `Match ${matchId}` }).waitFor();
    await page.getByText(/none that this page knows/).waitFor();
    await visitor.open("#/");
    await page.getByRole("link", { name: /^Unknown game/ }).waitFor();
  });
});
