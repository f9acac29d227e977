import { expect } from "chai";
import { Chain, phraseOf, SETTINGS } from "../../scripts/soak/chain.js";
import { Random } from "../../scripts/soak/random.js";
import { soak, type Soaked } from "../../scripts/soak/run.js";
import { games } from "../../sdk/games/index.js";
import { Status } from "../../sdk/protocol/status.js";
import { hasAnvil, TestNode } from "../support/deploy-support.js";
import { mismatchOf, standOf } from "../support/two-chains.js";

/** Seed of the matches, which include every game and every kind of ending. */
const SEED = "two chains";
const MATCHES = 60;
const NAMES = ["Hardhat", "anvil"] as const;

interface Run extends Soaked {
  chain: Chain;
  stand: object[];
}

/** Plays whole matches with all faults. The soak tests check the money and the replays. */
async function played(start: (random: Random) => Promise<Chain>): Promise<Run> {
  const random = new Random(SEED);
  const chain = await start(random);
  try {
    const soaked = await soak(chain, random, { matches: MATCHES });
    return { ...soaked, chain, stand: await standOf(soaked.world) };
  } finally {
    await chain.close();
  }
}

describe("The same matches on Hardhat and on anvil", () => {
  let node: TestNode | undefined;
  let hardhat: Run;
  let anvil: Run;

  before(async function () {
    if (!hasAnvil()) {
      console.log("    anvil is not installed on this machine: nothing is compared with it.");
      this.skip();
    }
    const { hardfork, accounts, start } = SETTINGS;
    const settings = { hardfork, accounts, mnemonic: phraseOf(SEED), timestamp: start };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const { url } = (node = await TestNode.start("anvil", "--no-mining", ...args));
    hardhat = await played((random) => Chain.inProcess(phraseOf(SEED), random));
    anvil = await played((random) => Chain.at(url, random));
  });

  after(async () => {
    await node?.stop();
  });

  it("include every game and every kind of ending", () => {
    for (const { name } of games) expect(Object.values(hardhat.ends[name]), name).to.not.be.empty;
    const ends = new Set(Object.values(hardhat.ends).flatMap((each) => Object.keys(each)));
    const { P1Win, P2Win, P1Canceled, P1WinInactive, P2WinInactive, Draw } = Status;
    const all = [P1Win, P2Win, P1Canceled, P1WinInactive, P2WinInactive, Draw];
    expect([...ends]).to.have.members(all.map(String));
    expect(hardhat.world.faults.size).to.be.greaterThan(10);
  });

  it("end the same way on both nodes", () => {
    expect(anvil.ends).to.deep.equal(hardhat.ends);
  });

  it("need the same transactions, with equal logs, payments, ratings and gas", () => {
    expect(hardhat.chain.sent.length).to.be.greaterThan(MATCHES);
    expect(mismatchOf(NAMES, hardhat.chain.sent, anvil.chain.sent)).to.equal(undefined);
  });

  it("leave the same balance in every purse, and the same records", () => {
    expect(anvil.stand).to.deep.equal(hardhat.stand);
    expect(anvil.money).to.deep.equal(hardhat.money);
  });

  it("cause a report if any field of a transaction differs", () => {
    const { sent } = hardhat.chain;
    const at = sent.findIndex(({ status }) => status === 0);
    for (const [changes, what] of [
      [{ gasUsed: sent[at].gasUsed + 1n }, /gasUsed is "\d+" on Hardhat, "\d+" on anvil$/],
      [{ status: 1 }, /status is 0 on Hardhat, 1 on anvil$/],
      [{ logs: sent[0].logs }, /logs is \[\] on Hardhat, /],
      [{ from: "0x" }, /from is "0x\w+" on Hardhat, "0x" on anvil$/],
      [{ to: "0x" }, /to is "0x\w+" on Hardhat, "0x" on anvil$/],
      [{ value: -1n }, /value is "\d+" on Hardhat, "-1" on anvil$/],
      [{ block: -1 }, /block is \d+ on Hardhat, -1 on anvil$/],
      [{ data: "0x" }, /data is "0x\w+" on Hardhat, "0x" on anvil$/],
      [{ time: 1 }, /time is \d+ on Hardhat, 1 on anvil$/],
    ] as const) {
      const other = sent.with(at, { ...sent[at], ...changes });
      const found = mismatchOf(NAMES, sent, other);
      expect(found)
        .to.match(what)
        .and.to.match(new RegExp(`^transaction ${at + 1}, \\w+: `));
    }
    expect(mismatchOf(NAMES, sent, sent.slice(1))).to.match(/^transaction 1, a deployment: /);
    expect(mismatchOf(NAMES, sent, sent.slice(0, -1))).to.match(/^\d+ transactions on Hardhat, \d+ on anvil$/);
  });
});
