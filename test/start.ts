import { expect } from "chai";
import { isAddress } from "ethers";
import { addressesIn, expectFree, occupied, rpc, Starts, URL_OF_CHAIN } from "./start-support.js";

describe("npm start", function () {
  this.timeout(120_000);
  const starts = new Starts();

  afterEach(() => starts.kill());

  it("--once plays a match turn by turn, replays it and ends", async () => {
    const { code, stdout, stderr } = await (await starts.startAlone("--once")).ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    const words = Number(/all (\d+) words are identical/.exec(stdout)?.[1]);
    const turns = stdout.match(/^ {2}.+ (hits|lands a combo on|lunges at) .+$/gm);
    expect(turns?.length, "a line for each word of the log").to.equal(words);
    expect(words).to.be.greaterThan(0);
    expect(stdout)
      .to.match(/^Round 1$/m)
      .and.to.match(/^(Alice|Bob) wins/m);
    const addresses = addressesIn(stdout);
    expect([...addresses.keys()]).to.include.members(["Arena", "FightToken", "Fighters", "AutoBattler"]);
    for (const address of addresses.values()) expect(isAddress(address)).to.equal(true);
    await expectFree();
  });

  it("stays up, answers JSON-RPC, and is stopped by SIGTERM", async () => {
    const running = await starts.chain();
    expect(running.text()).to.include(URL_OF_CHAIN);
    expect(await rpc("eth_chainId")).to.equal("0x7a69");
    for (const [name, address] of addressesIn(running.text())) {
      expect(await rpc("eth_getCode", [address, "latest"]), name).to.match(/^0x6/);
    }
    expect(Number(await rpc("eth_blockNumber"))).to.be.greaterThan(5);
    running.child.kill("SIGTERM");
    const { stderr, code } = await running.ended;
    expect([stderr, code]).to.deep.equal(["", 0]);
    await expectFree();
  });

  it("says in one line that the port is taken, and starts nothing", async () => {
    const other = await occupied();
    const { code, stdout, stderr } = await starts.start("--once").ended;
    await other.close();
    expect(stderr).to.match(/^Port 8545 of 127\.0\.0\.1 is taken.*\n$/);
    expect([stdout, code]).to.deep.equal(["", 1]);
    await expectFree();
  });

  for (const args of [["--twice"], ["now"]]) {
    it(`refuses ${args.join(" ")} in one line`, async () => {
      const { code, stdout, stderr } = await starts.start(...args).ended;
      expect(stderr)
        .to.match(/^[^\n]+\n$/)
        .and.to.include(args[0]);
      expect([stdout, code]).to.deep.equal(["", 1]);
    });
  }
});
