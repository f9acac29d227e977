import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { PlaygroundChain } from "../../page/src/playground/chain.js";
import type { Guides, StartChain } from "../../page/src/playground/guides/guides.js";
import { isSnippet, readDocuments } from "../../scripts/document.js";
import { DIST } from "../../scripts/page/build.js";
import { NOT_IN_PLAYGROUND, playgroundSnippets } from "../../scripts/page/guides.js";
import { TEST_CHAIN } from "../../sdk/chain/traits.js";
import * as contracts from "../../typechain-types/index.js";
import { expectLines } from "../scripts/documents/running.js";
import { look } from "./support/axe.js";
import { builtPage, describePage, visit } from "./support/harness.js";

/** Creation code of all contracts. */
const bytecodes = Object.fromEntries(
  Object.entries(contracts as Readonly<Record<string, { bytecode?: string }>>).flatMap(([name, { bytecode }]) =>
    bytecode === undefined ? [] : [[name.replace("__factory", ""), bytecode]],
  ),
);

const startChain: StartChain = (accounts) => PlaygroundChain.start({ chainId: TEST_CHAIN, accounts });

/** Loads the guides as the page has them. */
async function builtGuides(): Promise<Guides> {
  await builtPage();
  const name = readdirSync(join(DIST, "assets")).find((each) => each.startsWith("playground-guides-"))!;
  return import(pathToFileURL(join(DIST, "assets", name)).href) as Promise<Guides>;
}

/**
 * Returns what a page says that its snippet prints, as it is in the playground. The local chain has a match of each of the
 * six games before the guides begin, the playground's chain has only match 1. Its transactions cost no coin, so that a
 * wallet pays nothing to a session key.
 */
function onPlayground(output: string): string {
  return output.replaceAll("Match 7 ", "Match 2 ").replace(/^\w+: payment\n/gm, "");
}

const snippets = playgroundSnippets();

describe("The snippets of the guides", () => {
  let built: Guides;

  before(async () => {
    built = await builtGuides();
  });

  /** Runs a snippet, and returns the lines that it printed. */
  async function linesOf(name: string, start = startChain): Promise<string[]> {
    const lines: string[] = [];
    const snippet = built.snippets.find((each) => each.name === name)!;
    await built.runSnippet(snippet, { startChain: start, bytecodes }, (line) => lines.push(line));
    return lines;
  }

  it("are all in the playground, each with an own name and its output, but for those with a reason", () => {
    const written = readDocuments().flatMap(({ file, blocks }) =>
      blocks.filter(isSnippet).map((block) => ({ file, block })),
    );
    const isLeftOut = ({ file }: { file: string }) => file in NOT_IN_PLAYGROUND;
    expect(built.snippets.map(({ file, code }) => [file, code])).to.deep.equal(
      written.filter((each) => !isLeftOut(each)).map(({ file, block }) => [file, block.text]),
    );
    expect(new Set(built.snippets.map(({ name }) => name)).size).to.equal(built.snippets.length);
    expect(snippets.filter(({ output }) => output === "")).to.deep.equal([]);
    expect([...new Set(written.filter(isLeftOut).map(({ file }) => file))]).to.deep.equal(
      Object.keys(NOT_IN_PLAYGROUND),
    );
  });

  for (const { name, block, output } of snippets) {
    it(`print in the playground what their page says: ${name}`, async () => {
      expectLines({ ...block, text: onPlayground(output) }, await linesOf(name));
    });
  }

  it("fail with a sentence", async () => {
    const failed = await linesOf("statistics", () => startChain([])).catch(
      (error: unknown) => (error as Error).message,
    );
    expect(failed).to.match(/^The playground has no account 0x\w{40}\.$/);
  });
});

describePage("The guides of the playground", () => {
  it("run in the page, and say what stopped them", async () => {
    const visitor = await visit({ deployments: [] });
    const { page } = visitor;
    await visitor.open("#/playground");
    await page.getByRole("link", { name: "Run the guides" }).click();
    await page.getByLabel("Program").selectOption("The client: Play a match");
    await page.getByText("From the guide “The client”, docs/integrating/client.md.").waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("The program has ended.").waitFor();
    const output = page.getByRole("region", { name: "Output" });
    expect((await output.locator("pre").textContent())!.split("\n").at(-1)).to.equal("Match 2 is over, and identical.");
    await visitor.picture("playground-guide");
    expect((await look(page, "playground-guide")).join("\n")).to.equal("");

    await page.evaluate(() => {
      Object.assign(AbortSignal, {
        timeout() {
          throw new Error("The browser has no timers.");
        },
      });
    });
    await page.getByLabel("Program").selectOption("Showing matches: Follow a chain");
    await page.getByRole("heading", { name: "Follow a chain" }).waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("alert").getByText("The browser has no timers.").waitFor();
    await page.getByRole("button", { name: "Run again" }).waitFor();
    await visitor.picture("playground-guide-failed");

    await visitor.open("#/playground/guides/chess");
    await page.getByRole("heading", { name: "There is no such snippet" }).waitFor();
  });
});
