import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { playMatch } from "../../scripts/demo-match.js";
import { History } from "../../sdk/chain/history.js";
import { games } from "../../sdk/games/index.js";
import { film } from "./support/film.js";
import { describePage, pageChain, visit, type Visitor } from "./support/harness.js";

/** Folder of the pictures in the docs. */
const FOLDER = join("docs", "images", "page");
const MAX_BYTES = 240_000;
/** Game that is filmed, file of the film, and the film's maximum number of bytes. */
const FILMED = "auto-battler";
const FILM = join(FOLDER, "fight.gif");
const MAX_FILM_BYTES = 1_000_000;
const UPDATE = process.env.UPDATE_PICTURES === "1";

/** Part of a match at which the picture is taken, if its end shows less. */
const STEPS: Readonly<Record<string, number>> = { "auto-battler": 0.6, guardians: 0.6 };

const NAMES = [...games.map(({ name }) => name), "lobby", "phone", "setup"].sort();

/** Takes all pictures: a match of each game, the lobby, the setup of an army, and a match on a phone. */
async function takeAll(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const chain = await pageChain();
  const [alice, bob] = await Promise.all([chain.client(2), chain.client(3)]);
  const history = new History(chain.provider, chain.addresses);
  const desk = await visit({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  for (const game of games) {
    const { matchId } = await playMatch(game, alice, bob, history);
    // Warmancer's demo is on its smallest board.
    if (game.name !== "warmancer") await takeMatch(desk, game.name, matchId);
    if (game.name === FILMED) await filmMatch(matchId);
  }
  await desk.open("#/");
  await desk.page.getByRole("heading", { name: "Finished" }).waitFor();
  await desk.page.getByText("#6").first().waitFor();
  await take(desk.page, "lobby");
  await desk.open("#/try/warmancer/classic");
  await take(desk.page, "setup", "Commit to this army");
  await playOn(desk.page, "warmancer");
  const phone = await visit({ viewport: { width: 360, height: 740 }, reducedMotion: "reduce", isMobile: true });
  await phone.open("#/try/warmancer/skirmish");
  await phone.page.getByRole("button", { name: "Commit to this army" }).waitFor();
  await playOn(phone.page, "phone");
}

/** Films a match from its first step to its result. */
async function filmMatch(matchId: bigint): Promise<void> {
  const visitor = await visit({ viewport: { width: 560, height: 1000 } });
  const { page } = visitor;
  await visitor.open(`#/match/${matchId}`);
  await page.locator(".teams-stage").waitFor();
  await film(page, ".teams-stage", FILM, () => page.locator(".result-card").isVisible());
}

/** Takes a picture of a match at the step that shows most. */
async function takeMatch(visitor: Visitor, name: string, matchId: bigint): Promise<void> {
  const { page } = visitor;
  await visitor.open(`#/match/${matchId}`);
  await page.getByRole("button", { name: "Replay verified in this page" }).waitFor();
  const slider = page.getByRole("slider", { name: "Step" });
  const part = STEPS[name];
  if (part !== undefined) {
    const max = Number(await slider.getAttribute("max"));
    await slider.fill(String(Math.round(max * part)));
  } else {
    await page.keyboard.press("End");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
  }
  await take(page, name);
}

/** Commits to the army of a practice match of Warmancer, and takes a picture of the first choice of a move. */
async function playOn(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Commit to this army" }).click();
  await page.getByRole("button", { name: "Resign" }).waitFor();
  await take(page, name);
}

async function take(page: Page, name: string, button?: string): Promise<void> {
  if (button !== undefined) await page.getByRole("button", { name: button }).waitFor();
  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

describePage("Pictures of the page", () => {
  if (UPDATE) it("are taken again for an update", takeAll);

  it("exist for the lobby, each game, the setup of an army and a phone, and are used in the docs", () => {
    const text = readFileSync(join("docs", "page.md"), "utf8");
    for (const name of NAMES) {
      expect(existsSync(join(FOLDER, `${name}.png`)), name).to.equal(true);
      expect(text).to.include(`images/page/${name}.png`);
    }
    expect(readFileSync("README.md", "utf8")).to.include("docs/images/page/fight.gif");
  });

  it("are small files", () => {
    for (const name of NAMES) expect(statSync(join(FOLDER, `${name}.png`)).size, name).to.be.lessThan(MAX_BYTES);
    expect(statSync(FILM).size, FILM).to.be.lessThan(MAX_FILM_BYTES);
  });
});
