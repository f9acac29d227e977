import { ethers, deployed, termsFor, termsHash, time, receiptOf, Seat } from "./support.js";
import { Campaign } from "./warmancer-support.js";
import { Random } from "./laws/random.js";
import { CLASSIC, encodeMode, SKIRMISH } from "../sdk/games/warmancer/mode.js";
describe("gas", function () {
  this.timeout(100000);
  for (const [name, mode] of [
    ["classic", CLASSIC],
    ["skirmish", SKIRMISH],
    ["classic casual", { ...CLASSIC, casual: true }],
    ["classic seq", { ...CLASSIC, sequential: true }],
  ] as const)
    it(name, async () => {
      const world = await deployed();
      const { arena, alice, bob } = world;
      const game: any = await ethers.deployContract("Warmancer", [world.arena]);
      if (name !== "classic") await game.registerMode(encodeMode(mode));
      const random = new Random("g");
      const terms = await termsFor(world, {
        game: await game.getAddress(),
        mode: name === "classic" ? ethers.ZeroHash : ethers.keccak256(encodeMode(mode)),
        rated: !mode.casual,
      });
      for (let r = 0; r < 2; r++) {
        const matchId = (await arena.matchCount()) + 1n;
        const c = new Campaign(
          {
            chainId: 31337,
            matchId,
            game: terms.game,
            rated: terms.rated,
            mode,
            players: [alice.address, bob.address],
          },
          Campaign.of(mode, random).setups,
          random,
        );
        c.start().play(60);
        const by: any = {};
        for (const [i, { seat, data, outcome }] of c.sent.entries()) {
          const p = arena.connect(seat === Seat.One ? alice : bob);
          const rc = await receiptOf(
            i == 0
              ? p.create(terms, bob, (await time.latest()) + 3600, data)
              : i == 1
                ? p.join(matchId, termsHash(terms), data)
                : p.act(matchId, data),
          );
          const k =
            i == 0
              ? "create"
              : i == 1
                ? "join"
                : "k" +
                  parseInt(data.slice(2, 4), 16) +
                  (outcome.logs.length ? " w" + outcome.logs.flatMap((l) => l.words).length : "");
          (by[k] ??= []).push(Number(rc.gasUsed));
        }
        if (r == 1)
          for (const k of Object.keys(by).sort())
            console.log(
              k,
              by[k].length,
              Math.min(...by[k]),
              Math.round(by[k].reduce((a: number, b: number) => a + b) / by[k].length),
              Math.max(...by[k]),
            );
      }
    });
});
