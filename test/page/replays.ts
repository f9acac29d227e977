import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { build } from "esbuild";
import { History } from "../../sdk/chain/history.js";
import { autoBattler } from "../../sdk/games/auto-battler/index.js";
import { catalogue } from "../../sdk/games/catalogue.js";
import { describePage, pageChain, visit, type Visitor } from "./support/harness.js";
import { playedMatches, playForeign } from "./support/matches.js";

const GOLDEN = "test/golden";

/** Bundles the engines of all games for a browser, as `simulateText(game, input)`. */
async function bundledEngines(): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { games } from "./sdk/games/index.ts";
        globalThis.simulateText = async (name, input) =>
          JSON.stringify(await games.find((game) => game.name === name).simulate(JSON.parse(input)));`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: "iife",
    target: "es2023",
    write: false,
  });
  return outputFiles[0].text;
}

describePage("Engines in the browser", () => {
  it("return the same bytes for every golden example", async () => {
    const { context } = await visit();
    const page = await context.newPage();
    await page.addScriptTag({ content: await bundledEngines() });
    const examples = globSync(`${GOLDEN}/*/*.in.json`)
      .sort()
      .map((file) => ({ file, game: file.split("/").at(-2)!, input: readFileSync(file, "utf8") }));
    const outputs = await page.evaluate(async (list) => {
      const { simulateText } = globalThis as unknown as {
        simulateText: (game: string, input: string) => Promise<string>;
      };
      return Promise.all(list.map(({ game, input }) => simulateText(game, input)));
    }, examples);
    expect(examples.length).to.be.above(40);
    for (const [i, { file }] of examples.entries()) {
      const expected: unknown = JSON.parse(readFileSync(file.replace(".in.json", ".out.json"), "utf8"));
      expect(outputs[i], file).to.equal(JSON.stringify(expected));
    }
  });
});

describePage("The page for spectators without a wallet", () => {
  let played: ReadonlyMap<string, bigint>;
  before(async () => {
    played = await playedMatches();
  });

  const verified = ({ page }: Visitor) => page.getByRole("button", { name: "Replay verified in this page" });
  const slider = ({ page }: Visitor) => page.getByRole("slider", { name: "Step", exact: true });

  /** Opens a match, and waits until it is replayed. */
  async function watch(matchId: bigint, step = ""): Promise<Visitor> {
    const visitor = await visit();
    await visitor.open(`#/match/${matchId}${step}`);
    return visitor;
  }

  for (const { name, title } of catalogue) {
    it(`replays and verifies a match of ${name}`, async () => {
      const visitor = await watch(played.get(name)!);
      const { page } = visitor;
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await verified(visitor).click();
      await page.getByText(/(the log entry|all [1-9]\d* log entries) and every payment are identical/).waitFor();
      // A match of a single step has no other steps to go to.
      const isLong = name !== "mini-games";
      const count = isLong ? Number(await slider(visitor).getAttribute("max")) + 1 : 1;
      if (isLong) await page.getByRole("button", { name: "First step" }).click();
      const story = page.getByRole("region", { name: "Story" }).getByRole("button");
      for (let step = 1; step < count; step++) {
        await page.getByText(`${step} / ${count}`, { exact: true }).waitFor();
        expect(await story.nth(step - 1).getAttribute("aria-current")).to.equal("step");
        // Nothing may reveal the result before the last step is shown.
        expect(await story.count()).to.be.below(count);
        expect(await page.locator(".result").count()).to.equal(0);
        await page.keyboard.press("ArrowRight");
      }
      await page.locator(".result").waitFor();
      await visitor.picture(`match-${name}`);
    });
  }

  it("steps through a match with buttons, slider, story and keys, and updates the address", async () => {
    const visitor = await watch(played.get("tic-tac-toe")!);
    const { page } = visitor;
    await verified(visitor).waitFor();
    const skip = page.getByRole("button", { name: "Skip" });
    await skip.waitFor();
    await page.keyboard.press("End");
    await page.getByRole("dialog").waitFor();
    // The page remembers the steps that were seen.
    await page.reload();
    await page.getByRole("region", { name: "Result" }).waitFor();
    expect(await skip.count()).to.equal(0);
    const count = Number(await slider(visitor).getAttribute("max")) + 1;
    const isAt = async (step: number) => {
      await page.getByText(`${step} / ${count}`, { exact: true }).waitFor();
      // The address of the last step is that of the match.
      const tail = step === count ? "" : `/${step}`;
      expect(page.url()).to.match(new RegExp(`#/match/\\d+@\\d+${tail}$`));
    };
    for (const [name, step] of [
      ["First step", 1],
      ["Step forward", 2],
      ["Last step", count],
      ["Step back", count - 1],
    ] as const) {
      await page.getByRole("button", { name }).click();
      await isAt(step);
    }
    await slider(visitor).fill("2");
    await isAt(3);
    await page.getByRole("region", { name: "Story" }).getByRole("button").nth(1).click();
    await isAt(2);
    for (const [key, step] of [
      ["ArrowRight", 3],
      ["ArrowLeft", 2],
      ["Home", 1],
      ["End", count],
    ] as const) {
      await page.keyboard.press(key);
      await isAt(step);
    }
    await page.getByRole("button", { name: "First step" }).click();
    const [play, pause] = ["Play", "Pause"].map((name) => page.getByRole("button", { name, exact: true }));
    await play.click();
    await page.getByText(/^[2-9] \/ \d$/).waitFor();
    // A click on the board pauses and resumes, like the space key.
    await page.keyboard.press("Home");
    await play.waitFor();
    for (const toggle of [
      () => page.locator(".stage-field").click({ position: { x: 5, y: 5 } }),
      () => page.keyboard.press(" "),
    ]) {
      await toggle();
      await pause.waitFor();
      await toggle();
      await play.waitFor();
      await page.keyboard.press("Home");
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Plays or pauses").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("stays at a chosen step, even if the time of the previous one ends before the page is drawn", async () => {
    const { page } = await watch(played.get("auto-battler")!, "/2");
    const playing = page.getByRole("button", { name: "Play", exact: true });
    const first = await page.getByRole("button", { name: "First step" }).elementHandle();
    await playing.evaluate(async (play: HTMLElement, button) => {
      const later = globalThis.setTimeout;
      const endStep = new Promise<() => void>((resolve) => {
        globalThis.setTimeout = ((act: () => void, time: number) => {
          if (time > 200) resolve(act);
          return later(act, time);
        }) as typeof setTimeout;
      });
      play.click();
      const end = await endStep;
      (button as HTMLElement).click();
      end();
      globalThis.setTimeout = later;
    }, first);
    await page.getByText(/^1 \/ \d+$/).waitFor();
    expect(await playing.isVisible()).to.equal(true);
  });

  it("shows the damage of a blow when it lands, and the course of hp behind the slider", async () => {
    const matchId = played.get("auto-battler")!;
    const { provider, addresses } = await pageChain();
    const history = new History(provider, addresses);
    const frames = await autoBattler.frames(await history.match(matchId), history);
    const hit = frames.findIndex(({ attack }) => attack !== null && !attack.dodge);
    const visitor = await visit();
    const { page } = visitor;
    await visitor.open(`#/match/${matchId}@1/${hit}`);
    const course = page.getByRole("img", { name: /^Remaining hp: / });
    const shown = () => course.getAttribute("aria-label");
    const struck = () => page.locator(".teams-field .is-hit .teams-hp").textContent();
    await page.getByText(`${hit} / ${frames.length}`, { exact: true }).waitFor();
    const full = (await shown())!;
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60_000);
    await page.keyboard.press("ArrowRight");
    await page.clock.runFor(100);
    const before = await struck();
    expect(await shown()).to.equal(full);
    await page.clock.runFor(400);
    expect(await struck()).to.not.equal(before);
    expect(await shown()).to.not.equal(full);
    await page.clock.resume();
    const [behind, front] = [(await course.boundingBox())!, (await slider(visitor).boundingBox())!];
    expect(Math.abs(behind.width - front.width)).to.be.at.most(6);
    await slider(visitor).click();
    const middle = Math.round(Number(await slider(visitor).getAttribute("max")) / 2);
    await page.getByText(new RegExp(`^(${middle}|${middle + 1}|${middle + 2}) / `)).waitFor();
    await visitor.picture("course");
  });

  it("animates nothing if the visitor prefers reduced motion, and shows the result right after the last step", async () => {
    const visitor = await visit({ reducedMotion: "reduce" });
    const { page } = visitor;
    const matchId = played.get("auto-battler")!;
    await visitor.open(`#/match/${matchId}@1/2`);
    const last = Number(await slider(visitor).getAttribute("max"));
    const moving = () => page.evaluate(() => document.getAnimations().length);
    await page.keyboard.press("ArrowRight");
    expect(await moving()).to.equal(0);
    await visitor.open(`#/match/${matchId}@1/${last}`);
    await page.getByText(`${last} / ${last + 1}`, { exact: true }).waitFor();
    // The page's clock advances only for the time in which the page draws itself.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(60_000);
    await page.keyboard.press("ArrowRight");
    await page.clock.runFor(400);
    await page.getByRole("dialog").waitFor();
    expect(await moving()).to.equal(0);
  });

  it("is silent until sound is switched on, then uses one audio context, and keeps the choice", async () => {
    const visitor = await visit();
    const { page } = visitor;
    await page.addInitScript(() => {
      const Real = AudioContext;
      Object.assign(globalThis, {
        made: 0,
        AudioContext: class extends Real {
          constructor() {
            super();
            (globalThis as unknown as { made: number }).made++;
          }
        },
      });
    });
    const made = () => page.evaluate(() => (globalThis as unknown as { made: number }).made);
    const speaker = page.getByRole("button", { name: "Sound" });
    await visitor.open("#/try");
    await page.getByRole("heading", { level: 1 }).click();
    expect(await made()).to.equal(0);
    for (const pressed of ["true", "false", "true"]) {
      await speaker.click();
      expect(await speaker.getAttribute("aria-pressed")).to.equal(pressed);
    }
    expect(await made()).to.equal(1);
    await page.reload();
    expect(await speaker.getAttribute("aria-pressed")).to.equal("true");
    expect(await made()).to.equal(0);
    await page.getByRole("heading", { level: 1 }).click();
    expect(await made()).to.equal(1);
  });

  it("opens the step that its address names, and another step if the address changes", async () => {
    const matchId = played.get("tic-tac-toe")!;
    const visitor = await watch(matchId, "@1/3");
    await visitor.page.getByText(/^3 \/ \d$/).waitFor();
    await visitor.open(`#/match/${matchId}@1/4`);
    await visitor.page.getByText(/^4 \/ \d$/).waitFor();
    await visitor.open(`#/match/${matchId}@1/999`);
    await visitor.page.getByText(/^(\d) \/ \1$/).waitFor();
  });

  it("draws the ranks that are known at the end, or those that a player knows at a step", async () => {
    const visitor = await watch(played.get("warmancer")!, "@1/1");
    const { page } = visitor;
    const sight = page.getByRole("combobox", { name: "Hidden ranks" });
    await sight.waitFor();
    const hidden: Record<string, number[]> = {};
    for (const value of ["end", "then", "1", "2"]) {
      await sight.selectOption(value);
      if (value === "end") await visitor.picture("match-warmancer-end");
      hidden[value] = await Promise.all(
        ["one", "two"].map((side) => page.locator(`[role=gridcell] .warmancer-token.unknown.${side}`).count()),
      );
    }
    const [left1, left2] = hidden.end;
    expect(left1 + left2).to.be.below(8);
    expect(hidden).to.deep.include({ then: [4, 4], "1": [left1, 4], "2": [4, left2] });
  });

  it("reports that a match does not exist, or that the address names no match", async () => {
    const { page, ...visitor } = await watch(999n);
    await page.getByRole("heading", { name: "There is no match 999 here" }).waitFor();
    for (const wrong of ["abc", "", "-1", "1@", "%00"]) {
      await page.goto(`${visitor.url}#/match/${wrong}`);
      await page.getByRole("heading", { name: "That is no match" }).waitFor();
    }
  });

  it("reports that a game is unknown, but still shows its match", async () => {
    const { matchId } = await playForeign(await pageChain());
    const { page } = await watch(matchId);
    await page.getByRole("heading", { name: `Match ${matchId}` }).waitFor();
    await page.getByText(/none that this page knows/).waitFor();
  });
});
