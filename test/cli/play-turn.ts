import { expect } from "chai";
import { arenaAbi } from "../../sdk/chain/arena.js";
import { proxyTo } from "../support/play-proxy.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

describe("npm run play: a turn", function () {
  let world: PlayWorld;
  let line: Awaited<ReturnType<typeof proxyTo>>;
  /** Names of the requests to the node; for calls, the names of the arena's functions. */
  const asked: string[] = [];
  const countOf = (name: string) => asked.filter((each) => each === name).length;

  before(async () => {
    world = await startWorld();
    line = await proxyTo(world.port, (method, params) => {
      const [call] = params as [{ data: string }];
      asked.push((method === "eth_call" && arenaAbi.parseTransaction(call)?.name) || method);
      return undefined;
    });
  });
  after(async () => {
    await line.close();
    await world.close();
  });

  const player = async (account: string): Promise<Terminal> =>
    (await world.terminal(["--account", account])).with({ DUELLO_RPC_URL: line.url });

  it("reads its match at the start, just before it makes the move, and after it sent the move", async () => {
    const [alice, bob] = [await player("4"), await player("5")];
    const { matchId } = await alice.json("create", "mini-games", "rock", "--mode", "rock-paper-scissors");
    asked.length = 0;
    await bob.end("join", matchId, "paper", "--yes");
    // The match is read again when a join is encoded, because an offer that is about to lapse must not be answered.
    expect([countOf("matchOf"), countOf("eth_getLogs")], "join").to.deep.equal([4, 2]);
    asked.length = 0;
    await alice.run("reveal", matchId);
    expect([countOf("matchOf"), countOf("eth_getLogs")], "reveal").to.deep.equal([3, 2]);
    asked.length = 0;
    await alice.run("show", matchId);
    expect([countOf("matchOf"), countOf("eth_getLogs")], "show").to.deep.equal([1, 1]);
  });

  it("is listed with one read per match", async () => {
    const alice = await player("4");
    asked.length = 0;
    const listed = await alice.json<object[]>("list", "--all");
    expect(countOf("matchOf")).to.equal(listed.length).and.not.equal(0);
  });
});
