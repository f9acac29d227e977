import { expect } from "chai";
import { clock } from "../../cli/play/clock.js";
import type { CommandContext } from "../../cli/shared/command/context.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB] = [4, 5];

describe("npm run play: the clock of a test chain", function () {
  let world: PlayWorld;
  let alice: Terminal;
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    alice = await world.terminal(["--account", String(ALICE)]);
  });
  after(() => world.close());
  beforeEach(async () => (snapshot = await world.provider.send("evm_snapshot", [])));
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  const now = async () => (await world.provider.getBlock("latest"))!.timestamp;

  it("is advanced past a deadline by the pass command", async () => {
    const { address } = await world.provider.getSigner(BOB);
    await alice.end("create", "tic-tac-toe", "4", "--opponent", address);
    expect(await alice.run("pass", "23h")).to.match(/^It is \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/);
    expect((await alice.end("timeout", "2")).code).to.equal(1);
    const before = await now();
    const { seconds, time } = await alice.json("pass", "2h");
    expect(seconds).to.equal(7200);
    expect(await now()).to.be.within(before + 7200, Number(time));
    expect((await alice.json("timeout", "2")).status).to.equal("P1Canceled");
  });

  for (const [text, error] of [
    ["0s", "time: 0s is not between 1s and 366d"],
    ["367d", "time: 367d is not between 1s and 366d"],
    ["1", "time: 1 is not a time like 90s, 15m, 24h or 7d"],
  ]) {
    it(`stays unchanged if the pass command rejects ${text}`, async () => {
      const before = await now();
      const { code, stdout, stderr } = await alice.end("pass", text);
      expect([code, stdout, stderr]).to.deep.equal([2, "", `${error}\n`]);
      expect(await now()).to.equal(before);
    });
  }

  /** Runs the command on a chain whose node answers with `send`. @returns the error message. */
  async function refusal(chainId: number, send: () => Promise<unknown>): Promise<string> {
    const context = { chainId, provider: { send } } as unknown as CommandContext;
    const error: unknown = await clock[0].run(context, ["1d"], {}).catch((reason: unknown) => reason);
    return (error as Error).message;
  }

  it("is not advanced on a public chain, which gets no request", async () => {
    let asked = 0;
    const message = await refusal(8453, () => Promise.resolve(asked++));
    expect(message).to.equal("pass: time passes by command on test chains only, and this is chain 8453");
    expect(asked).to.equal(0);
  });

  it("causes a readable error if the node cannot advance it", async () => {
    const message = await refusal(31_337, () => Promise.reject(new Error("the method does not exist")));
    expect(message).to.equal("The node cannot let time pass: the method does not exist");
  });
});
