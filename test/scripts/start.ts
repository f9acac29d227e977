import { expect } from "chai";
import { isAddress } from "ethers";
import { games } from "../../sdk/games/index.js";
import { urlOf } from "../../scripts/local-chain.js";
import { addressesIn, freePort, listens, occupy, rpc, runScript, stopScripts } from "./running.js";

describe("npm start", function () {
  this.timeout(120_000);
  afterEach(stopScripts);

  let port: number;
  let args: string[];
  beforeEach(async () => {
    port = await freePort();
    args = ["--port", String(port)];
  });

  /** Nobody listens any more: the port can be had at once. */
  async function expectFree(): Promise<void> {
    await (await occupy(port)).close();
  }

  it("--once plays a match of every game, replays it and ends", async () => {
    const { code, stdout, stderr } = await runScript("start.ts", ["--once", ...args]).ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    const titles = [...stdout.matchAll(/^(.+): a staked match$/gm)].map(([, title]) => title);
    expect(titles).to.deep.equal(games.map(({ title }) => title));
    const ends = stdout.match(/^(Alice|Bob|Nobody) wins: (player [12] won|draw)\.$/gm);
    expect(ends).to.have.length(games.length);
    const replays = [...stdout.matchAll(/^Match (\d+) was played again .*: all (\d+) words are identical\.$/gm)];
    expect(replays.map(([, matchId]) => Number(matchId))).to.deep.equal(games.map((_, i) => i + 1));
    for (const [, , words] of replays) expect(Number(words)).to.be.greaterThan(0);
    const addresses = addressesIn(stdout);
    expect([...addresses.keys()]).to.include.members([
      "Arena",
      "FightToken",
      "Fighters",
      ...games.map(({ contract }) => contract),
    ]);
    for (const address of addresses.values()) expect(isAddress(address)).to.equal(true);
    await expectFree();
  });

  it("--game plays a match of that one, and tells it turn by turn", async () => {
    const { code, stdout } = await runScript("start.ts", ["--once", "--game", "auto-battler", ...args]).ended;
    expect(code).to.equal(0);
    const [words, ...more] = [...stdout.matchAll(/all (\d+) words are identical/g)].map(([, count]) => Number(count));
    expect(more).to.deep.equal([]);
    expect(stdout).to.match(/^Round 1$/m);
    const turns = stdout.match(/^ {2}.+ (hits|lands a combo on|lunges at) .+$/gm);
    expect(turns?.length, "a line for each word of the log").to.equal(words);
  });

  it("stays up, answers JSON-RPC, and is stopped by SIGTERM", async () => {
    const running = runScript("start.ts", args);
    await listens(running);
    expect(running.text()).to.include(urlOf(port));
    expect(await rpc(port, "eth_chainId")).to.equal("0x7a69");
    for (const [name, address] of addressesIn(running.text())) {
      expect(await rpc(port, "eth_getCode", [address, "latest"]), name).to.match(/^0x6/);
    }
    expect(Number(await rpc(port, "eth_blockNumber"))).to.be.greaterThan(5);
    running.child.kill("SIGTERM");
    const { stderr, code } = await running.ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    await expectFree();
  });

  it("says in one line that the port is taken, and starts nothing", async () => {
    const other = await occupy(port);
    const { code, stdout, stderr } = await runScript("start.ts", ["--once", ...args]).ended;
    await other.close();
    expect(stderr).to.equal(`Port ${port} of 127.0.0.1 is taken: stop what listens there, e.g. another npm start.\n`);
    expect([stdout, code]).to.deep.equal(["", 1]);
    await expectFree();
  });

  for (const wrong of [
    ["--twice"],
    ["now"],
    ["--port", "none"],
    ["--port", "65536"],
    ["--port", "0"],
    ["--game", "chess"],
  ]) {
    it(`refuses ${wrong.join(" ")} in one line`, async () => {
      const { code, stdout, stderr } = await runScript("start.ts", wrong).ended;
      expect(stderr)
        .to.match(/^[^\n]+\n$/)
        .and.to.include(wrong.at(-1));
      expect([stdout, code]).to.deep.equal(["", 1]);
    });
  }
});
