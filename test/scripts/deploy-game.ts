import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { JsonRpcProvider } from "ethers";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { modeHash } from "../../sdk/games/modes.js";
import { Game__factory } from "../../typechain-types/index.js";
import { buildGames, BUILT_GAMES as GAMES } from "../support/built-games.js";
import { deployLocally, expectDone, TestNode } from "../support/deploy-support.js";
import { noughts } from "../support/own-games.js";

describe("npm run deploy -- --game", () => {
  const folder = mkdtempSync(join(tmpdir(), "duello-"));
  const file = join(folder, "31337.json");
  const original = join(folder, "original.json");
  let node: TestNode;
  let provider: JsonRpcProvider;

  before(async () => {
    await buildGames();
    node = await TestNode.inside();
    provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1 });
    expectDone(await deployLocally(folder, node.url));
    // A person who adds a game to another deployer's deployment has only the deployment file.
    rmSync(join(folder, "ignition"), { recursive: true });
    copyFileSync(file, original);
  });
  afterEach(() => copyFileSync(original, file));
  after(async () => {
    provider?.destroy();
    await node?.stop();
    rmSync(folder, { recursive: true });
  });

  const written = () => JSON.parse(readFileSync(file, "utf8")) as Deployment;
  const run = (...args: string[]) => deployLocally(folder, node.url, ...args);

  /** Removes contracts from the deployment file. */
  function without(...names: string[]) {
    const { addresses, ...rest } = written();
    const left = Object.fromEntries(Object.entries(addresses).filter(([name]) => !names.includes(name)));
    writeFileSync(file, JSON.stringify({ ...rest, addresses: left }));
  }

  async function expectRefusal(message: RegExp, ...args: string[]) {
    const before = [readFileSync(file, "utf8"), await node.nonce()];
    const { code, stderr } = await run(...args);
    expect(code).to.equal(1);
    expect(stderr).to.match(message);
    expect(stderr).to.match(/^[^\n]+\n$/);
    expect([readFileSync(file, "utf8"), await node.nonce()]).to.deep.equal(before);
  }

  it("adds a custom game with its modes, and sends nothing when repeated", async () => {
    const added = await run("--game", "noughts", "--games", GAMES);
    expectDone(added);
    expect(added.stdout).to.match(/Noughts is sent, for 0x\w{40}: 0x\w{64}\n/);
    const { Noughts, ...others } = written().addresses;
    expect(others).to.deep.equal((JSON.parse(readFileSync(original, "utf8")) as Deployment).addresses);
    const game = Game__factory.connect(Noughts, provider);
    expect(await game.arena()).to.equal(others.Arena);
    const { content } = noughts.modes["x-wins-ties"];
    expect(await game.modeOf(modeHash(content))).to.equal(content);

    const sent = await node.nonce();
    const again = await run("--game", "noughts", "--games", GAMES);
    expectDone(again);
    expect(again.stdout).to.include(`stands at ${Noughts}`);
    expect(await node.nonce()).to.equal(sent);
    expectDone(await run());
  });

  it("prints a plan, then adds a stock game that a deployment lacks, with its decoder", async () => {
    without("TicTacToe", "TicTacToeLog");
    const told = await run();
    expectDone(told);
    expect(told.stdout).to.match(/TicTacToe +is not there; --game tic-tac-toe adds it\n/);
    expect(told.stdout).not.to.include("Everything stands");
    expectDone(await run("--game", "tic-tac-toe"));
    const { TicTacToe, TicTacToeLog } = written().addresses;
    for (const address of [TicTacToe, TicTacToeLog]) expect(await provider.getCode(address)).not.to.equal("0x");
  });

  it("resumes an interrupted run", async () => {
    without("TicTacToeLog");
    const sent = await node.nonce();
    expectDone(await run("--game", "tic-tac-toe"));
    expect(await node.nonce()).to.equal(sent + 1);
    expect(written().addresses.TicTacToeLog).to.match(/^0x/);
  });

  it("refuses an address that has the code of another contract, and sends nothing", async () => {
    const { addresses, ...rest } = written();
    writeFileSync(file, JSON.stringify({ ...rest, addresses: { ...addresses, Noughts: addresses.Pistols } }));
    await expectRefusal(/^Noughts at 0x\w+ has other code; take it out of /, "--game", "noughts", "--games", GAMES);
  });

  it("rejects unknown games, games without bytecode, and options that conflict with --game", async () => {
    const bare = join("cache", "bundled", "bare-games.js");
    writeFileSync(bare, `import games from "./own-games.js"; export default [{ ...games[0], artifact: undefined }];`);
    await expectRefusal(
      /^chess: no such game; there are auto-battler, .*, noughts, toss\.?$/m,
      "--game",
      "chess",
      "--games",
      GAMES,
    );
    await expectRefusal(
      /^noughts: its module brings no bytecode: deploy Noughts yourself/,
      "--game",
      "noughts",
      "--games",
      bare,
    );
    await expectRefusal(/^--reset: --game adds a game/, "--game", "pistols", "--reset");
    await expectRefusal(/^--owner: --game adds a game/, "--game", "pistols", "--owner", `0x${"1".repeat(40)}`);
    await expectRefusal(/^--treasury: --game adds a game/, "--game", "pistols", "--treasury", `0x${"1".repeat(40)}`);
  });

  it("refuses a chain on which nothing is deployed", async () => {
    const empty = mkdtempSync(join(tmpdir(), "duello-"));
    const { code, stderr } = await deployLocally(empty, node.url, "--game", "pistols");
    rmSync(empty, { recursive: true });
    expect([code, stderr]).to.deep.equal([
      1,
      `${join(empty, "31337.json")}: nothing is known to be deployed on chain 31337\n`,
    ]);
  });
});
