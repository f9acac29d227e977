import { expect } from "chai";
import { MatchDriver, teamOf } from "../support/auto-battler.js";
import { COIN, HOUR, loadFixture, networkHelpers, Status, termsHash, ZERO_HASH, type World } from "../support/index.js";
import { attacked } from "../support/attacked.js";
import { offered } from "../support/matches.js";
import { FREE, expectReverted } from "../support/refusals.js";

const COUNT_BITS = 40n;

/** Sets the counts of matches and terms. They share a slot with the treasury and the fee, in the bits above these. */
async function setCounts({ arena, treasury }: World, count: bigint): Promise<void> {
  const address = await arena.getAddress();
  for (let slot = 0; slot < 20; slot++) {
    const word = BigInt(await networkHelpers.getStorageAt(address, slot));
    if (BigInt.asUintN(160, word) !== BigInt(treasury.address)) continue;
    const low = BigInt.asUintN(176, word);
    await networkHelpers.setStorageAt(address, slot, low | (count << 176n) | (count << (176n + COUNT_BITS)));
    // The next contract that the arena creates stores the next terms. The first one was the channels contract.
    await networkHelpers.setNonce(address, count + 2n);
    expect(await arena.matchCount()).to.equal(count);
    return;
  }
  throw new Error("not found");
}

describe("Known attacks: ids", () => {
  for (const power of [8n, 16n, 32n, 39n]) {
    it(`match 2^${power} + 1 and its terms do not collide with match 1, whose terms and busy fighters stay unchanged (AI Arena H-06)`, async () => {
      const world = await loadFixture(attacked);
      const { arena, autoBattler, alice, bob } = world;
      const [team1, team2] = [await teamOf(world, alice), await teamOf(world, bob)];
      const first = await MatchDriver.create(world, await teamOf(world, alice));
      await first.join(team2);
      const before = [await arena.matchOf(1), await arena.termsOf(1), await arena.positionOf(1)];

      await setCounts(world, 2n ** power);
      const other = await teamOf(world, bob);
      const driver = await MatchDriver.create(world, team1, { clock: HOUR });
      await driver.join(other);
      const { termsId } = await arena.matchOf(driver.id);
      expect([driver.id, termsId]).to.deep.equal([2n ** power + 1n, 2n ** power + 1n]);
      expect(await arena.termsIdOf(termsHash(driver.terms))).to.equal(termsId);
      expect((await arena.termsOf(termsId)).clock).to.equal(HOUR);
      expect(await autoBattler.busyUntil(other[0])).to.deep.equal([driver.id, 0n]);
      await driver.reveal();

      expect(await arena.statusOf(driver.id)).to.be.oneOf([Status.P1Win, Status.P2Win]);
      expect((await autoBattler.busyUntil(other[0])).matchId).to.equal(0n);
      expect(await arena.positionOf(driver.id)).to.equal(ZERO_HASH);
      expect([await arena.matchOf(1), await arena.termsOf(1), await arena.positionOf(1)]).to.deep.equal(before);
      for (const id of team2) expect(await autoBattler.busyUntil(id)).to.deep.equal([1n, 0n]);
    });
  }

  it("an arena that has used all ids refuses new matches instead of reusing an id", async () => {
    const world = await loadFixture(attacked);
    const known = (await offered(world)).terms;
    await setCounts(world, 2n ** COUNT_BITS - 1n);
    for (const terms of [known, { ...known, rated: false }]) {
      await expectReverted(world, () => world.arena.connect(world.alice).create(terms, COIN, 0, "0x", FREE));
    }
  });
});
