import { expect } from "chai";
import { catalogue } from "../../sdk/games/catalogue.js";
import { describePage, visit } from "./support/harness.js";

/** Milliseconds after which the page has painted, and how often it may try on a busy machine. */
const FIRST_PAINT = 1500;
const ATTEMPTS = 5;

describePage("The page: loading", () => {
  it("shows the lobby, and asks nobody but its own host and the chain's node", async () => {
    const visitor = await visit();
    await visitor.open();
    await visitor.page.getByRole("navigation").getByRole("link", { name: "Practice" }).waitFor();
    await visitor.page.waitForLoadState("networkidle");
    await visitor.picture("lobby");
  });

  it("loads no game before one is needed", async () => {
    const visitor = await visit();
    const names: string[] = [];
    visitor.page.on("request", (request) => names.push(new URL(request.url()).pathname));
    await visitor.open();
    await visitor.page.waitForLoadState("networkidle");
    const loaded = catalogue.filter(({ name }) =>
      names.some((path) => path.startsWith(`/assets/${name}-`) && path.endsWith(".js")),
    );
    expect(loaded.map(({ name }) => name)).to.deep.equal([]);
  });

  it(`paints within ${FIRST_PAINT} ms`, async () => {
    const times: number[] = [];
    while (times.length < ATTEMPTS && !times.some((time) => time < FIRST_PAINT)) {
      const visitor = await visit();
      await visitor.open();
      await visitor.page.waitForLoadState("networkidle");
      const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
      times.push(await visitor.page.evaluate(paint));
    }
    expect(Math.min(...times)).to.be.lessThan(FIRST_PAINT);
  });
});
