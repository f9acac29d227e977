import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { actingLines, SNIPPETS } from "../../page/src/playground/snippets.js";
import { catalogue } from "../../sdk/games/catalogue.js";
import { look } from "./support/axe.js";
import { describePage, visit, type Visitor, type VisitOptions } from "./support/harness.js";

/** Number of turns within which every match here ends. */
const MAX_TURNS = 80;

/** Opens the playground of a page without deployments, for which any request to a node is a problem. */
async function visitPlayground(hash = "#/playground", options: VisitOptions = {}): Promise<Visitor> {
  const visitor = await visit({ deployments: [], ...options });
  const { context, chain } = visitor;
  await context.route(`${chain.url}/**`, (route) => {
    visitor.problems.push("A node was asked.");
    return route.abort();
  });
  await visitor.open(hash);
  await button(visitor.page, "Reset").waitFor();
  return visitor;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const entry = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
const move = (page: Page) => page.getByRole("region", { name: "Your move" });
const step = (page: Page, text: string) => page.getByRole("heading", { name: text });

/** Plays a move of rock-paper-scissors. */
async function choose(page: Page, name: string): Promise<void> {
  await move(page).getByRole("radio", { name }).check();
  await button(page, `Play ${name}`).click();
}

/** Lists the fields of a part of the page, by name. */
async function fieldsOf(page: Page, selector: string): Promise<Record<string, string>> {
  const pairs = await page
    .locator(`${selector} .fields > div`)
    .evaluateAll((all) =>
      all.map((each) => [each.querySelector("dt")!.textContent, each.querySelector("dd")!.textContent] as const),
    );
  return Object.fromEntries(pairs);
}

describePage("The playground of the page", () => {
  it("plays rock-paper-scissors on the contracts, and decodes the log word by word", async () => {
    const visitor = await visitPlayground();
    const { page } = visitor;
    const deployed = entry(page, "The contracts are deployed");
    await deployed.getByText("3 contracts").click();
    expect(Object.keys(await fieldsOf(page, "details[open]"))).to.deep.equal(["Arena", "FightToken", "MiniGames"]);
    await visitor.picture("playground-start");

    await step(page, "Player 1: create the match").waitFor();
    await choose(page, "rock");
    await step(page, "Player 2: join with your answer").waitFor();
    await entry(page, "Player 1 creates the match").getByText("Kept secret by player 1").waitFor();
    const secret = await fieldsOf(page, ".entry .notice");
    expect(secret).to.include({ "in words": "rock", move: "0x00" });
    expect(secret.salt).to.match(/^0x[0-9a-f]{64}$/);
    const call = await fieldsOf(page, ".entry details[open]");
    expect(call).to.include({ game: "MiniGames", stake1: "1 COIN", opponent: "Player 2", clock: "an hour" });
    expect(call.data).not.to.include(secret.salt.slice(2, 20));
    await visitor.picture("playground-created");

    await choose(page, "paper");
    await step(page, "Player 1: reveal what you have committed to").waitFor();
    await button(page, "Reveal").click();
    await step(page, "Paper wraps rock. The match is over: player 2 won.").waitFor();
    const revealed = entry(page, "Player 1 reveals");
    await revealed.getByText("The game's log: 1 word").waitFor();
    expect(await revealed.locator("code").textContent()).to.equal(`0x${"a00000100".padStart(64, "0")}`);
    expect(await fieldsOf(page, ".word")).to.deep.equal({
      values: "0, 1",
      flip: "none",
      kind: "0",
      result: "2",
      winner: "2",
    });
    expect(await revealed.getByText("Arena.Settled").count()).to.equal(1);
    expect(await fieldsOf(page, "[aria-label='State of the match']")).to.include({ status: "player 2 won" });
    await visitor.picture("playground-end");

    await button(page, "Play again").click();
    await step(page, "Player 1: create the match").waitFor();
    expect(
      await page
        .getByRole("listitem")
        .filter({ has: page.locator(".tag") })
        .count(),
    ).to.equal(1);
  });

  it("explains in a sentence what the contracts refuse, and changes nothing", async () => {
    const { page } = await visitPlayground();
    await choose(page, "scissors");
    await button(page, "Withdraw the offer").click();
    const withdrawn = entry(page, "Player 1 withdraws the offer");
    await withdrawn.getByText("Match 1 is a firm offer: it cannot be cancelled before it lapses at").waitFor();
    await withdrawn.getByText(/^OfferIsFirm\(matchId 1, until \d+\)$/).waitFor();
    expect(await withdrawn.getByText(/^Block/).count()).to.equal(0);
    await choose(page, "rock");
    await button(page, "Reveal another move").click();
    await entry(page, "Player 1 reveals another move").getByText("This does not fit what was committed").waitFor();
    await button(page, "Act out of turn").click();
    await entry(page, "Player 2 acts out of turn").getByText("It is the turn of").waitFor();
    await button(page, "Claim a time-out").click();
    await entry(page, "Player 2 claims the time-out")
      .getByText(/^Match 1 runs until/)
      .waitFor();
    await button(page, "Reveal").waitFor();
  });

  it("lets time pass until the other player wins by time", async () => {
    const { page } = await visitPlayground("#/playground/tic-tac-toe");
    for (let free = 8; free >= 7; free--) {
      await page.getByRole("gridcell", { name: /free$/ }).first().click();
      await page.getByRole("gridcell", { name: /free$/ }).nth(free).waitFor({ state: "detached" });
    }
    await button(page, "Repeat the last move").click();
    await entry(page, "Player 1 repeats the last move").getByText("Refused").waitFor();
    await button(page, "Let two days pass").click();
    await entry(page, "2 days pass").waitFor();
    await button(page, "Claim a time-out").click();
    await step(page, "The match is over: player 2 won: player 1 let the clock run out.").waitFor();
  });

  for (const { name } of catalogue) {
    it(`plays a match of ${name} to its end, and decodes each word of its log`, async () => {
      const { page } = await visitPlayground(`#/playground/${name}`);
      const again = button(page, "Play again");
      const words: number[] = [];
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        await move(page).or(again).first().waitFor();
        if (await again.isVisible()) break;
        const picker = await move(page).elementHandle();
        // A turn without a choice has one button, whose name depends on the game.
        await move(page).locator('button.primary:enabled, button:text-is("Any legal move")').first().click();
        await picker.waitForElementState("hidden");
        words.push(await page.locator(".word").count());
      }
      await again.waitFor();
      expect(words.at(-1)).to.be.greaterThan(0);
      const bare = page.locator(".word").filter({ hasNot: page.locator("dd") });
      expect(await bare.count()).to.equal(0);
    });
  }

  it("goes on at the next step by keyboard", async () => {
    const { page } = await visitPlayground();
    await move(page).getByRole("radio", { name: "rock" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await step(page, "Player 2: join with your answer").waitFor();
    await page.waitForFunction(() => document.activeElement!.textContent === " Player 2: join with your answer");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await button(page, "Reveal").waitFor();
  });

  for (const [title, width, colorScheme] of [
    ["on a wide, light screen", 1280, "light"],
    ["on a phone, in the dark", 360, "dark"],
  ] as const) {
    it(`has no accessibility violation, and nothing that overflows, ${title}`, async () => {
      const visitor = await visitPlayground("#/playground", { colorScheme, viewport: { width, height: 740 } });
      const { page } = visitor;
      await choose(page, "rock");
      await step(page, "Player 2").waitFor();
      await button(page, "Withdraw the offer").click();
      await page.getByText("Refused").first().waitFor();
      await page
        .locator("details")
        .evaluateAll((all) => all.forEach((each) => ((each as HTMLDetailsElement).open = true)));
      await visitor.picture(`playground-${width}`);
      expect((await look(page, "playground")).join("\n")).to.equal("");
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).to.be.at.most(0);
    });
  }

  it("names a game that it does not have", async () => {
    const visitor = await visit({ deployments: [] });
    await visitor.open("#/playground/chess");
    await visitor.page.getByRole("heading", { name: "There is no such game" }).waitFor();
  });

  it("is linked from the lobby", async () => {
    const visitor = await visit({ deployments: [] });
    await visitor.open();
    await visitor.page.getByRole("main").getByRole("link", { name: "See the contracts at work" }).click();
    await button(visitor.page, "Reset").waitFor();
  });
});

describe("The lines of code that the playground shows", () => {
  it("are those of the guide of the client", () => {
    const guide = readFileSync("docs/integrating/client.md", "utf8").replace(/\[\d+n(?:, \d+n)*\]/g, "move");
    const lines = [...SNIPPETS.create, ...SNIPPETS.join, ...actingLines(1, false)];
    for (const line of lines) expect(guide).to.include(`\n${line}\n`);
  });
});
