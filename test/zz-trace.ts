import { ethers, deployed, termsFor, termsHash, time, receiptOf, Seat } from "./support.js";
import { Campaign } from "./warmancer-support.js";
import { Random } from "./laws/random.js";
import { CLASSIC } from "../sdk/games/warmancer/mode.js";
describe("trace", function () {
  this.timeout(100000);
  it("x", async () => {
    const world = await deployed();
    const { arena, alice, bob } = world;
    const game: any = await ethers.deployContract("Warmancer", [world.arena]);
    const random = new Random("g");
    const terms = await termsFor(world, { game: await game.getAddress(), mode: ethers.ZeroHash });
    const matchId = (await arena.matchCount()) + 1n;
    const c = new Campaign(
      { chainId: 31337, matchId, game: terms.game, rated: true, mode: CLASSIC, players: [alice.address, bob.address] },
      Campaign.of(CLASSIC, random).setups,
      random,
    );
    c.start().play(12);
    for (const [i, { seat, data, outcome }] of c.sent.entries()) {
      const p = arena.connect(seat === Seat.One ? alice : bob);
      const rc = await receiptOf(
        i == 0
          ? p.create(terms, bob, (await time.latest()) + 3600, data)
          : i == 1
            ? p.join(matchId, termsHash(terms), data)
            : p.act(matchId, data),
      );
      if (i < 4 || i > 7) continue;
      const tr: any = await ethers.provider.send("debug_traceTransaction", [rc.hash, {}]);
      const by: any = {};
      const depth: any = { 1: 0, 2: 0 };
      const L = tr.structLogs;
      for (let k = 0; k < L.length; k++) {
        const s = L[k];
        let cost = s.gasCost;
        if (s.op === "CALL" || s.op === "STATICCALL") {
          // net: until return
          cost = 2600;
        }
        by["d" + s.depth + " " + s.op] = (by["d" + s.depth + " " + s.op] ?? 0) + cost;
        depth[s.depth] += cost;
      }
      const cd = ethers.getBytes((await ethers.provider.getTransaction(rc.hash))!.data);
      let z = 0;
      for (const b of cd) if (!b) z++;
      console.log(
        "kind",
        data.slice(2, 4),
        "gas",
        rc.gasUsed,
        "calldata",
        cd.length,
        "zeros",
        z,
        "cost",
        z * 4 + (cd.length - z) * 16,
        depth,
        "ops",
        L.length,
      );
      console.log(
        Object.entries(by)
          .sort((a: any, b: any) => b[1] - a[1])
          .slice(0, 22)
          .map(([k, v]) => k + ":" + v)
          .join(" "),
      );
    }
  });
});
