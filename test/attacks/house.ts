import { expect } from "chai";
import { HOUR, loadFixture, Seat, Status, time, UNIT } from "../support/index.js";
import { attacked, type Attacked } from "../support/attacked.js";
import { inPlay } from "../support/matches.js";
import { FREE, expectRefused } from "../support/refusals.js";

describe("Known attacks: the house", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  /** A match of bob against the owner, who is also the treasury, for 10 FIGHT each, on the turn of this seat. */
  async function houseInPlay(turn: bigint): Promise<bigint> {
    const { arena, fight, owner, alice } = w;
    await arena.setTreasury(owner);
    await arena.connect(alice).deposit(fight, 10n * UNIT, owner);
    return (await inPlay(w, { by: owner }, turn)).id;
  }

  it("the house can leave a match only by a timeout, which costs it the whole pot (Dice2win)", async () => {
    const { arena, fight, owner, bob, stranger } = w;
    const id = await houseInPlay(Seat.One);
    const before = await arena.matchOf(id);
    await expectRefused(w, () => arena.cancel(id, FREE), "WrongStatus", [id, Status.AllJoined]);
    await expectRefused(w, () => arena.timeout(id, FREE), "TooEarly");
    await expectRefused(w, () => arena.withdraw(fight, 1n, owner, FREE), "PurseTooLow");
    await arena.setFeeBps(0);
    await arena.renounceOwnership();
    expect(await arena.matchOf(id)).to.deep.equal(before);
    await time.increase(HOUR + 1n);
    await arena.connect(stranger).timeout(id);
    expect(await arena.statusOf(id)).to.equal(Status.P2WinInactive);
    expect(await arena.purseOf(bob, fight)).to.equal(1010n * UNIT);
    expect(await arena.purseOf(owner, fight)).to.equal(0n);
  });

  it("the house must wait for its opponent's clock exactly as long as any other player", async () => {
    const { arena, owner } = w;
    const id = await houseInPlay(Seat.Two);
    const { deadline } = await arena.matchOf(id);
    await time.setNextBlockTimestamp(deadline);
    await expectRefused(w, () => arena.connect(owner).timeout(id, FREE), "TooEarly", [id, deadline, deadline]);
    await arena.connect(owner).timeout(id);
    expect(await arena.statusOf(id)).to.equal(Status.P1WinInactive);
    expect(await arena.purseOf(owner, w.fight)).to.equal(20n * UNIT);
  });
});
