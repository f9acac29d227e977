import { expect } from "chai";
import { computeAddress, SigningKey, ZeroAddress } from "ethers";
import type { Request } from "playwright-core";
import { channelsOf } from "../../sdk/chain/channels.js";
import { catalogue } from "../../sdk/games/catalogue.js";
import { RelayLobby, RenewedSearch } from "../../sdk/player/channels/lobby.js";
import { randomKey } from "../../sdk/player/secrets.js";
import { NO_END } from "../../sdk/protocol/channels/messages.js";
import { describePage, pageChain, visit } from "./support/harness.js";
import { TestRelay } from "./support/relay.js";

const KIB = 1024;
/** Maximum compressed size of the code and the styles of a first visit to the lobby without an account. */
const MAX_LOBBY = 110 * KIB;

/** Puts a search for anybody into the lobby. */
async function putSeek({ deployment, url }: TestRelay): Promise<void> {
  const { Arena, FightToken } = deployment.addresses;
  const at = { chainId: BigInt(deployment.chainId), channels: channelsOf(Arena) };
  const search = { opponent: ZeroAddress, token: FightToken, feeBps: 0n, amount: 0n, otherAmount: 0n, until: NO_END };
  const seeker = { at, player: computeAddress(randomKey()), key: new SigningKey(randomKey()) };
  await new RenewedSearch(new RelayLobby([url], at), seeker).put(search);
}

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

  it("loads at most 110 KiB of code and styles for the lobby of a visitor without an account", async () => {
    const relay = await TestRelay.start(await pageChain());
    try {
      const visitor = await visit({ deployments: [relay.deployment] });
      const { page } = visitor;
      const asked = new Set<Request>();
      page.on("requestfinished", (request) => asked.add(request));
      await visitor.open();
      for (const name of ["Play at once", "Channels", "Open offers"])
        await page.getByRole("heading", { name }).waitFor();
      await page.waitForLoadState("networkidle");
      const code = [...asked].filter((request) => ["script", "stylesheet"].includes(request.resourceType()));
      const sizes = await Promise.all(code.map(async (request) => (await request.sizes()).responseBodySize));
      expect(code.length).to.be.greaterThan(2);
      expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(MAX_LOBBY);
      await putSeek(relay);
      const seeks = page.getByRole("list", { name: "Players who look for an opponent" });
      await seeks.getByRole("listitem").waitFor();
    } finally {
      await relay.stop();
    }
  });

  it("reports that a needed part of the page could not be loaded", async () => {
    const visitor = await visit();
    const { page } = visitor;
    visitor.allow(/Failed to load resource|ERR_FAILED/);
    await page.route("**/assets/page-*.js", (route) => route.abort());
    await visitor.open();
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("alert").filter({ hasText: "A part of the page could not be loaded" }).waitFor();
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
