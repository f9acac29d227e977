import { expect } from "chai";
import { toBeHex, type BaseContract } from "ethers";
import { deepStrictEqual } from "node:assert/strict";
import { id } from "ethers";
import { Chance } from "../sdk/edges.js";
import { gameAtRandom } from "../sdk/games/warmancer/chance.js";
import { CLASSIC, encodeMode, QUICK, SKIRMISH, type Mode } from "../sdk/games/warmancer/mode.js";
import { wordOfState } from "../sdk/games/warmancer/protocol.js";
import { simulateWarmancer } from "../sdk/games/warmancer/simulate.js";
import { Warmancer__factory } from "../typechain-types/index.js";
import { Random } from "./laws/random.js";
import { deployed, ethers, loadFixture, Seat, termsFor, termsHash, time } from "./support.js";
import { Campaign } from "./warmancer-support.js";

async function withGame() {
  const world = await deployed();
  const game = Warmancer__factory.connect(
    await ((await ethers.deployContract("Warmancer", [world.arena])) as unknown as BaseContract).getAddress(),
    world.owner,
  );
  return { ...world, game };
}

describe("Warmancer on the chain", function () {
  this.timeout(600_000);
  const modes: [string, Mode][] = [
    ["quick", QUICK],
    ["skirmish", SKIRMISH],
    ["skirmish always hidden", { ...SKIRMISH, alwaysHidden: true }],
    ["quick sequential", { ...QUICK, sequential: true }],
    ["skirmish sequential", { ...SKIRMISH, sequential: true }],
    ["skirmish sequential hidden", { ...SKIRMISH, sequential: true, alwaysHidden: true }],
    ["skirmish casual", { ...SKIRMISH, casual: true }],
    ["casual sequential", { ...SKIRMISH, casual: true, sequential: true }],
    ["bought", { ...SKIRMISH, budget: 70 }],
    ["classic", { ...CLASSIC, maxTurns: 30 }],
  ];
  for (const [name, mode] of modes) {
    it(`says word for word what the twin says: ${name}`, async () => {
      const world = await loadFixture(withGame);
      const { arena, alice, bob, game } = world;
      await game.registerMode(encodeMode(mode));
      const random = new Random(name);
      for (let i = 0; i < 5; i++) {
        const terms = await termsFor(world, {
          game: await game.getAddress(),
          mode: ethers.keccak256(encodeMode(mode)),
          rated: !mode.casual,
          stake1: 0n,
          stake2: 0n,
        });
        const matchId = (await arena.matchCount()) + 1n;
        const players = [alice.address, bob.address] as const;
        const match = { chainId: 31337, matchId, game: terms.game, rated: terms.rated, mode, players };
        const played = new Campaign(match, Campaign.of(mode, random).setups, random);
        played.rides = i % 2 === 1;
        played.start().play();
        let logged = 0;
        for (const [step, { seat, data, outcome }] of played.sent.entries()) {
          const player = arena.connect(seat === Seat.One ? alice : bob);
          if (step === 0) await player.create(terms, bob, (await time.latest()) + 3600, data);
          else if (step === 1) await player.join(matchId, termsHash(terms), data);
          else await player.act(matchId, data);
          deepStrictEqual(await game.wordOf(matchId), wordOfState(outcome.state), `step ${step}`);
          if (step > 0) deepStrictEqual((await arena.matchOf(matchId)).turn, outcome.step.turn);
        }
        const logs = await game.queryFilter(game.filters.Log(matchId));
        deepStrictEqual(
          logs.map(({ args }) => [args.round, [...args.words]]),
          played.sent.flatMap(({ outcome }) => outcome.logs.map((l) => [l.round, l.words])),
        );
        logged += logs.length;
        expect(logged).to.be.greaterThan(0);
      }
    });
  }

  it("previews what the twin simulates, 5,000 turns", async () => {
    const { game } = await loadFixture(withGame);
    let turns = 0;
    for (let i = 0; turns < 5000; i++) {
      const mode = modes.filter(([, each]) => !each.casual)[i % 8][1];
      const input = gameAtRandom(encodeMode(mode), new Chance(id(`parity ${i}`)));
      const twin = await simulateWarmancer(input);
      deepStrictEqual(await simulateWarmancer(input, game), twin);
      turns += twin.turns;
    }
    console.log(turns, toBeHex(0));
  });
});
