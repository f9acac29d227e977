import { expect } from "chai";
import { catalogue } from "../../sdk/games/catalogue.js";
import { describePage, visit } from "./support/harness.js";

describePage("The page: loading", () => {
  it("shows the lobby, and contacts only its own host and the chain's node", async () => {
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

  it("paints before the node has answered any request", async () => {
    const visitor = await visit();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await visitor.disturbNode(async () => {
      await answered;
      return undefined;
    });
    await visitor.open();
    await visitor.page.getByText("Reading the chain …").waitFor();
    await visitor.page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    answer();
    await visitor.page.getByText("Reading the chain …").waitFor({ state: "detached" });
  });
});
