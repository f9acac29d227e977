import { expect } from "chai";
import type { Page } from "playwright-core";
import { describePage, visit, type Visitor } from "./support/harness.js";

/** Number of turns within which every match here ends. */
const MAX_TURNS = 60;

/** Opens the page without a deployment or a working node. */
async function visitAlone(hash: string): Promise<Visitor> {
  const visitor = await visit({ deployments: [] });
  const { context, chain } = visitor;
  await context.route(`${chain.url}/**`, (route) => {
    visitor.problems.push("A node was asked.");
    return route.abort();
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visitor.open(hash);
  return visitor;
}

const move = (page: Page) => page.getByRole("region", { name: "Your move" });
const result = (page: Page) => page.locator(".result");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const radio = (page: Page, name: string | RegExp) => move(page).getByRole("radio", { name });

/** Waits until the person must move, or the result is shown. @returns true while the match is in play */
async function isOn(page: Page): Promise<boolean> {
  await move(page).or(result(page)).or(button(page, "Skip")).first().waitFor();
  if (await button(page, "Skip").isVisible()) await page.keyboard.press("End");
  await move(page).or(result(page)).first().waitFor();
  return !(await result(page).isVisible());
}

/** Plays turns until the match is over. */
async function playOut(page: Page, play: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS && (await isOn(page)); turn++) {
    const picker = await move(page).elementHandle();
    await play();
    // The clicked button disappears once the move is played.
    await picker.waitForElementState("hidden");
  }
}

/** Waits for the choice of a move on Warmancer's board. */
async function boardOfTurn(page: Page, turn: number) {
  await move(page)
    .getByRole("grid", { name: `Board of turn ${turn}` })
    .waitFor();
  return await move(page).elementHandle();
}

/** Returns the address that the page copies. */
async function copiedLink(page: Page, name = "Copy a link to this replay"): Promise<string> {
  await button(page, name).click();
  await page.getByText("Copied.").waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

describePage("Practice on the page, without a node", () => {
  it("begins with the first link of the lobby", async () => {
    const { page } = await visitAlone("#/");
    await page.getByRole("main").getByRole("link").first().click();
    await radio(page, "rock").check();
    await button(page, "Play rock").click();
    await result(page).waitFor();
    expect(page.url()).to.match(/#\/try\/mini-games\/rock-paper-scissors-challenger$/);
  });

  it("keeps the chosen level, and offers no level in a game of luck", async () => {
    const { page } = await visitAlone("#/try");
    const levels = page.getByRole("group", { name: "Level of the computer" });
    expect(await levels.getByRole("radio", { name: "Usual" }).isChecked()).to.equal(true);
    await levels.getByRole("radio", { name: "Hard" }).check();
    await page.getByRole("link", { name: "Play Tic-tac-toe" }).click();
    await move(page).waitFor();
    expect(await levels.getByRole("radio", { name: "Hard" }).isChecked()).to.equal(true);
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (request: { level: string }) {
        document.title = request.level;
        postMessage.call(this, request);
      };
    });
    await page.getByRole("gridcell", { name: /free$/ }).first().click();
    await page.waitForFunction(() => document.title === "hard");
    await page.evaluate(() => (location.hash = "#/try/mini-games/coin"));
    await radio(page, "heads").waitFor();
    expect(await levels.count()).to.equal(0);
  });

  it("plays tic-tac-toe by taps on free cells", async () => {
    const { page } = await visitAlone("#/try/tic-tac-toe/default");
    await playOut(page, () => page.getByRole("gridcell", { name: /free$/ }).first().click());
    expect(await page.getByRole("cell", { name: /, [XO]/ }).count()).to.be.at.least(5);
  });

  it("takes back moves with the keyboard, one by one, even while the computer thinks", async () => {
    const { page } = await visitAlone("#/try/tic-tac-toe/default");
    const back = button(page, "Take back");
    const free = page.getByRole("gridcell", { name: /free$/ });
    /** Waits for the person's turn with a number of free cells. */
    const waitForFree = async (count: number) => {
      await free.nth(count - 1).waitFor();
      await free.nth(count).waitFor({ state: "detached" });
    };
    await waitForFree(9);
    expect(await back.isDisabled()).to.equal(true);
    for (const left of [7, 5]) {
      await free.first().click();
      await waitForFree(left);
    }
    await back.focus();
    await page.keyboard.press("Enter");
    await waitForFree(7);
    await page.keyboard.press("Enter");
    await waitForFree(9);
    expect(await back.isDisabled()).to.equal(true);
    // The computer player receives the request, and never answers.
    await page.evaluate(() => (Worker.prototype.postMessage = () => undefined));
    await free.first().click();
    await page.getByText("thinks …").waitFor();
    await back.click();
    await waitForFree(9);
    await page.waitForFunction(async () => {
      const [{ name }] = await indexedDB.databases();
      const resultOf = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result)));
      const database = await resultOf(indexedDB.open(name!));
      const matches = await resultOf<{ sent: unknown[] }[]>(
        database.transaction("practice").objectStore("practice").getAll(),
      );
      database.close();
      return matches.every(({ sent }) => sent.length === 0);
    });
    await page.reload();
    await waitForFree(9);
  });

  it("shows each hint once, when it matters, until it is closed", async () => {
    const { page } = await visitAlone("#/try/tic-tac-toe/default");
    const tip = page.getByRole("note");
    const free = page.getByRole("gridcell", { name: /free$/ });
    await tip.getByText("Three in a row win.").waitFor();
    await free.first().click();
    await tip.getByText("Look for two of theirs in a row").waitFor();
    await button(page, "Close the tip").click();
    expect(await tip.count()).to.equal(0);
    await button(page, "Take back").click();
    await free.nth(8).waitFor();
    expect(await tip.count()).to.equal(0);
    await page.reload();
    await free.first().click();
    await free.nth(7).waitFor({ state: "detached" });
    await move(page).waitFor();
    expect(await tip.count()).to.equal(0);
    await free.first().click();
    await tip.getByText("Try to threaten two rows").waitFor();
    await button(page, "New game, other side").click();
    await free.nth(7).waitFor();
    expect(await tip.count()).to.equal(0);
  });

  it("plays pistols with a choice of paces and then of blades", async () => {
    const { page } = await visitAlone("#/try/pistols/default");
    let rounds = 0;
    await playOut(page, async () => {
      const paces = move(page).getByRole("radio", { name: "10 paces" });
      await move(page).getByRole("radio").first().waitFor();
      if (await paces.isVisible()) await paces.check();
      else
        for (const slot of ["First slot", "Second slot"])
          await page
            .getByRole("group", { name: slot })
            .getByRole("radio", { name: /^block/ })
            .check();
      rounds++;
      await move(page).locator("button.primary").click();
    });
    expect(rounds).to.be.at.least(1);
  });

  for (const [game, size] of [
    ["auto-battler", 5],
    ["guardians", 3],
  ] as const) {
    it(`plays ${game} with a team of ${size} chosen one by one`, async () => {
      const { page } = await visitAlone(`#/try/${game}/default`);
      const options = move(page).getByRole("option");
      for (let n = 0; n < size; n++) await options.nth(n).click();
      await move(page).getByText(`${size} of ${size} chosen.`).waitFor();
      await button(page, "Commit to this team").click();
      expect(await isOn(page)).to.equal(false);
    });
  }

  it("plays Warmancer with a preset army and suggested legal moves, then as the other player", async () => {
    const { page } = await visitAlone("#/try/warmancer/quick");
    await button(page, "Fortress").click();
    await button(page, "Commit to this army").click();
    await boardOfTurn(page, 1);
    await playOut(page, () => button(page, "Any legal move").click());
    await button(page, "Other side").click();
    await page.getByRole("grid", { name: "Board to set your army up on" }).waitFor();
    const players = page.getByRole("region", { name: "Players" }).getByRole("paragraph");
    await players
      .filter({ has: page.getByRole("img", { name: "Player 2" }) })
      .getByText("You")
      .waitFor();
  });

  it("computes in a Worker, and lets the user resign meanwhile", async () => {
    const { page } = await visitAlone("#/try/warmancer/quick");
    await button(page, "Commit to this army").click();
    await boardOfTurn(page, 1);
    // The computer player receives the request, and never answers.
    await page.evaluate(() => (Worker.prototype.postMessage = () => undefined));
    await button(page, "Any legal move").click();
    await page.getByText("thinks …").waitFor();
    await button(page, "Resign").click();
    await button(page, "Play again").click();
    await page.getByRole("grid", { name: "Board to set your army up on" }).waitFor();
  });

  it("counts the matches of a best-of-three series", async () => {
    const { page } = await visitAlone("#/try/tic-tac-toe/default");
    for (const score of [
      "Best of three: you have 0, the computer has 1.",
      "The computer wins the best of three, 2 : 0.",
      // The next match starts another series.
      "Best of three: you have 0, the computer has 1.",
    ]) {
      await page.getByRole("gridcell", { name: /free$/ }).first().click();
      await button(page, "Resign").click();
      await page.getByText(score).waitFor();
      await button(page, "Play again").click();
    }
  });

  it("works without a network after a first visit, and can be installed", async () => {
    const visitor = await visitAlone("#/try/tic-tac-toe/default");
    const { page } = visitor;
    await page.evaluate(async () => navigator.serviceWorker.ready.then(() => undefined));
    await page.context().setOffline(true);
    await page.goto("about:blank");
    // Games that were not played before also work.
    await visitor.open("#/try/mini-games/rock-paper-scissors-challenger");
    await radio(page, "rock").check();
    await button(page, "Play rock").click();
    await result(page).waitFor();
    const manifest = await page.locator('link[rel="manifest"]').getAttribute("href");
    const read = await page.evaluate(async (href) => (await fetch(href)).json() as Promise<unknown>, manifest!);
    expect(read).to.include({ name: "Duello", display: "standalone", start_url: "./" });
  });

  it("resumes after a reload during a match", async () => {
    const { page } = await visitAlone("#/try/warmancer/quick");
    await button(page, "Commit to this army").click();
    await boardOfTurn(page, 1);
    const army = await page.getByRole("gridcell", { name: /your/ }).allInnerTexts();
    await page.reload();
    await boardOfTurn(page, 1);
    expect(await page.getByRole("gridcell", { name: /your/ }).allInnerTexts()).to.deep.equal(army);
  });
});

describePage("A link to a replay", () => {
  it("opens without a node, shows each step, and notes that the replay was not compared with a chain", async () => {
    const { page, context, url } = await visitAlone("#/try/mini-games/rock-paper-scissors");
    await playOut(page, () => button(page, "Any legal move").click());
    const link = await copiedLink(page);
    expect(link.startsWith(`${url}#/replay/`)).to.equal(true);
    const shared = await context.newPage();
    await shared.goto(link);
    await shared.getByText("Not compared with a chain").waitFor();
    await result(shared).waitFor();
    expect(await shared.getByText("does not fit together").count()).to.equal(0);
    // A link without some of its last characters is invalid.
    for (const cut of [
      link.slice(0, -1),
      link.slice(0, -9),
      `${url}#/replay/`,
      `${url}#/replay/%00%f0`,
      `${link}A/B`,
    ]) {
      await shared.goto("about:blank");
      await shared.goto(cut);
      await shared.getByRole("heading", { name: "This link holds no match" }).waitFor();
    }
  });
});
