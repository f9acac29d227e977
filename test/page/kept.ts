import { expect } from "chai";
import { VERSIONS } from "../../sdk/protocol/version.js";
import { describePage, visit } from "./support/harness.js";

const KNOWN = VERSIONS["the page's data"];

describePage("Data stored in the browser", () => {
  it("is ignored if a newer version of the page stored it, until the user clears it", async () => {
    const visitor = await visit({ deployments: [] });
    const { page } = visitor;
    await visitor.open("#/settings");
    await page.getByRole("button", { name: "Forget everything" }).waitFor();
    await page.evaluate(
      (version) =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open("duello", version);
          opening.onerror = () => reject(new Error(String(opening.error)));
          opening.onsuccess = () => {
            opening.result.close();
            resolve();
          };
        }),
      KNOWN + 1,
    );
    await page.reload();
    const notice = page.getByRole("alert").filter({ hasText: "the page's data" });
    expect(await notice.textContent()).to.equal(
      `This browser: it has version ${KNOWN + 1} of the page's data, and this program reads version ${KNOWN}: use the newer program that wrote it. Load the page again to get the newer version, or forget everything in the settings.`,
    );
    await page.getByRole("button", { name: "Forget everything" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget everything" }).click();
    // The page starts over with empty data, in its own version.
    await page.waitForFunction(
      async (version) =>
        (await indexedDB.databases()).some(({ name, version: kept }) => name === "duello" && kept === version),
      KNOWN,
    );
    expect(await notice.count()).to.equal(0);
  });
});
