import { expect } from "chai";
import { keccak256 } from "ethers";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { longestMatch, maxActions } from "../../support/warmancer/longest.js";
import { CLASSIC, encodeMode, QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { STUCK } from "../../../sdk/games/warmancer/legal-moves.js";
import { Kind } from "../../../sdk/games/warmancer/state.js";
import { Random } from "../../../sdk/laws/random.js";
import { DAY, HOUR, loadFixture, Seat, Status, termsFor, time, offerHashOf } from "../../support/index.js";
import { EngineDriver } from "../../support/warmancer.js";
import { anyBoard, SWITCHES } from "../../support/warmancer/boards.js";
import { withGame } from "../../support/warmancer/contest.js";

const NAMES = ["committed", "always hidden", "sequential", "sequential, hidden", "casual", "casual, sequential"];
const TURNS = 3;

/** Plays a match of random moves, in which a player sometimes claims Stuck, or concedes. */
function wayward(mode: Mode, random: Random, place?: Parameters<typeof EngineDriver.of>[3]): EngineDriver {
  const stubborn = random.below(2) === 0;
  const choice = (moves: number[]) => (stubborn || random.below(8) ? random.pick(moves) : STUCK);
  const driver = EngineDriver.of(mode, random, choice, place).start();
  while (!driver.over) {
    const concession = encodeAction(Kind.Concede, driver.position, driver.concession());
    if (stubborn || random.below(20) || driver.refusal(concession)) driver.step();
    else driver.send(driver.state.turn, concession);
  }
  return driver;
}

const actionsOf = ({ sent }: EngineDriver) => sent.length - 2;

const found = new Map<string, EngineDriver>();

/** Finds a match with the maximum number of actions, and caches it by its mode. `place` is always the same. */
function longest(mode: Mode, place: Parameters<typeof EngineDriver.of>[3]): EngineDriver {
  const random = new Random("stall");
  let driver = found.get(encodeMode(mode));
  while (!driver || actionsOf(driver) < maxActions(mode)) driver = wayward(mode, random, place);
  found.set(encodeMode(mode), driver);
  return driver;
}

/** Plays a match of maximum length, except its last `left` actions, with each action in the clock's last second. */
async function stall(mode: Mode, clock: bigint, left: number) {
  const world = await loadFixture(withGame);
  const { arena, alice, bob, warmancer } = world;
  await warmancer.getFunction("registerMode")(encodeMode(mode));
  const game = await warmancer.getAddress();
  const hash = keccak256(encodeMode(mode));
  const terms = await termsFor(world, { game, mode: hash, clock, rated: false });
  const place = { game, matchId: 1n, rated: false, players: [alice.address, bob.address] } as const;
  const [created, joined, ...actions] = longest(mode, place).sent;
  await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, created.data);
  await arena.connect(bob).join(1n, await offerHashOf(arena, 1n), joined.data);
  const start = await time.latest();
  for (const { seat, data } of actions.slice(0, actions.length - left)) {
    const { turn, deadline } = await arena.matchOf(1n);
    expect(turn).to.equal(seat);
    await time.setNextBlockTimestamp(deadline);
    await arena.connect(seat === Seat.One ? alice : bob).act(1n, data);
  }
  return { ...world, start, took: BigInt((await time.latest()) - start) };
}

describe("Warmancer: clock", () => {
  for (const [i, switches] of SWITCHES.entries()) {
    const mode = { ...QUICK, ...switches, maxTurns: TURNS };

    it(`lasts exactly the computed maximum if both players stall every action: ${NAMES[i]}`, async () => {
      for (const clock of [60n, HOUR, DAY + 31n]) {
        const { arena, took } = await stall(mode, clock, 0);
        expect(took).to.equal(longestMatch(mode, clock));
        expect(await arena.statusOf(1n)).to.be.oneOf([Status.Draw, Status.P1Win, Status.P2Win]);
      }
    });
  }

  it("lets a match be timed out one second after the deadline, and not sooner", async () => {
    const mode = { ...QUICK, maxTurns: TURNS };
    const { arena, stranger, start } = await stall(mode, HOUR, 1);
    const end = BigInt(start) + longestMatch(mode, HOUR);
    expect((await arena.matchOf(1n)).deadline).to.equal(end);
    await time.setNextBlockTimestamp(end);
    await expect(arena.connect(stranger).timeout(1n)).to.be.revertedWithCustomError(arena, "TooEarly");
    await time.setNextBlockTimestamp(end + 1n);
    await arena.connect(stranger).timeout(1n);
    expect(await arena.statusOf(1n)).to.equal(Status.P1WinInactive);
  });

  it("never allows more than the maximum number of actions, whoever moves, claims Stuck or gives up", () => {
    const random = new Random("actions");
    for (let n = 0; n < 150; n++) {
      const switches = { ...SWITCHES[n % SWITCHES.length], maxTurns: 1 + random.below(12) };
      const mode = n % 3 === 0 ? anyBoard(random, switches, false) : { ...QUICK, ...switches };
      expect(actionsOf(wayward(mode, random))).to.be.at.most(maxActions(mode));
    }
  });

  it("allows the documented number of clocks on the stock boards", () => {
    const clocks = (mode: Mode) => Number(longestMatch(mode, 32n)) / 32;
    expect([CLASSIC, SKIRMISH, QUICK].map(clocks)).to.deep.equal([35.75, 15.25, 5.375]);
    expect(clocks({ ...CLASSIC, sequential: true })).to.equal(17.65625);
    expect(clocks({ ...CLASSIC, casual: true })).to.equal(17.59375);
    expect(maxActions({ ...QUICK, maxTurns: 0 })).to.equal(maxActions({ ...QUICK, maxTurns: 2000 }));
  });
});
