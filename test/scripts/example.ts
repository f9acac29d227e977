import { expect } from "chai";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { urlOf } from "../../scripts/local-chain.js";
import { freePort, listens, runScript, stopScripts, type Running } from "../support/running.js";
import { commandsOf, patternOf, readDocument, ROOT } from "../../scripts/document.js";
import { NpmStandIn } from "./documents/npm-stand-in.js";
import { packed, run } from "./packages/outside.js";

const EXAMPLE = join("examples", "blotto");
/** Test of Sticks, next to the test of Blotto. */
const STICKS_TEST = `
import { lawsOf, testGame } from "duello/laws";
import hre from "hardhat";
import { sticks } from "../src/sticks.js";

const connection = await hre.network.create();

testGame(
  lawsOf(sticks, {
    deploy: ({ arena }) => connection.ethers.deployContract("Sticks", [arena]),
    badModes: { "a byte": "0x00" },
  }),
  { connection },
);
`;
const PROMISED = { "src/blotto.ts": 75, "contracts/Blotto.sol": 75 };
/**
 * Number of the match on the page, whose chain already has a match of each game, and on this test's chain, which has
 * only a match of Blotto.
 */
const [PAGE_MATCH, MATCH] = [" 8 ", " 2 "];

/** Reads the code that a page loads before it shows anything. */
async function codeOfPage(url: string): Promise<string> {
  const html = await (await fetch(url)).text();
  const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => fetch(`${url}${file}`));
  return (await Promise.all(files.map(async (file) => (await file).text()))).join("\n");
}

describe("The example of a game without a fork, copied out of the checkout", () => {
  const page = readDocument(join(EXAMPLE, "README.md"));
  const [install, start, play, deploy] = page.blocks
    .filter(({ language }) => language === "sh")
    .map((block) => commandsOf(block).map(({ command }) => command));
  let folder: string;
  let chain: Running;
  let rpc: string;
  let settings: NodeJS.ProcessEnv;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "duello-example-"));
    cpSync(join(ROOT, EXAMPLE), folder, {
      recursive: true,
      filter: (path) => !/\/(artifacts|cache|node_modules|packs)$/.test(path),
    });
    cpSync(await packed(), join(folder, "packs"), { recursive: true });
    settings = { DUELLO_DEPLOYMENTS: join(folder, "deployments"), HOME: folder };
  });

  after(() => {
    stopScripts();
    rmSync(folder, { recursive: true });
  });

  for (const [file, lines] of Object.entries(PROMISED)) {
    it(`has at most ${lines} lines: ${file}`, () => {
      expect(
        readFileSync(join(ROOT, EXAMPLE, file), "utf8")
          .trimEnd()
          .split("\n"),
      ).to.have.length.at.most(lines);
    });
  }

  for (const { at, file, text } of page.blocks.filter((block) => block.file !== undefined)) {
    it(`quotes consecutive lines of ${file!} (${at})`, () => {
      const source = readFileSync(join(ROOT, EXAMPLE, file!), "utf8");
      expect(source).to.match(new RegExp(`^${patternOf(text.trimEnd())}$`, "m"));
    });
  }

  it("installs, builds, checks and tests with the commands of its README, next to the packaged example", async () => {
    for (const command of install) {
      const isInstall = command.startsWith("npm install");
      const printed = await run(command + (isInstall ? " --prefer-offline --no-audit --no-fund" : ""), folder);
      if (isInstall) {
        cpSync(join(folder, "node_modules", "duello", "examples", "sticks"), folder, { recursive: true });
        writeFileSync(join(folder, "test", "sticks.ts"), STICKS_TEST);
      }
      if (command === "npm test")
        expect(printed)
          .to.match(/^ +Laws: sticks$/m)
          .and.match(/ passing/)
          .and.not.match(/ failing/);
    }
  });

  it("plays, replays, verifies and simulates with the commands of its README, on a chain that has the game", async () => {
    const port = await freePort();
    rpc = urlOf(port);
    const games = join(folder, "src", "blotto.ts");
    expect(start).to.deep.equal(["npm start -- --games ../blotto/src/blotto.ts"]);
    chain = runScript(
      "scripts/start.ts",
      [
        "--port",
        String(port),
        "--game",
        "blotto",
        "--games",
        games,
        "--no-agent",
        "--no-docs",
        "--page-port",
        String(await freePort()),
      ],
      settings,
    );
    await listens(chain);
    expect(chain.text()).to.include("Match 1 was replayed in TypeScript from its events");
    expect(await codeOfPage(/^Play in a browser: (\S+)$/m.exec(chain.text())![1])).to.include("Blotto");
    const npm = new NpmStandIn(join(folder, "npm"));
    const printed: string[] = [];
    for (const command of play) {
      if (command.startsWith("npm run agent")) continue;
      const here = `${command} `
        .replace(/npm run (-s )?/, "npm run -s ")
        .replaceAll("../blotto/", `${folder}/`)
        .replace(PAGE_MATCH, MATCH);
      const local = command.startsWith("npm run simulate") ? here : here.replace(" -- ", ` -- --rpc ${rpc} `);
      const { code, output } = await npm.run(local, { ...process.env, ...settings });
      expect(code, output).to.equal(0);
      printed.push(output);
    }
    const [created, joined, revealed, replayed, verified, simulated] = printed;
    expect(created).to.include("blotto (of your own list)");
    expect(joined).to.include("in play");
    expect(revealed).to.include("It is over: player 2 won.");
    expect(replayed).to.include("Player 1 reveals 4 3 3.").and.include("are identical");
    expect(verified).to.match(/2 matches/);
    expect(JSON.parse(simulated)).to.include({ winner: 2 });
  });

  it("deploys from its own folder for the arena of the chain", async () => {
    const [command] = deploy;
    const printed = await run(command, folder, { RPC_URL: rpc });
    expect(printed).to.match(/^"Blotto": "0x[0-9a-fA-F]{40}"$/m);
  });
});
