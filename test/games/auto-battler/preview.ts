import { expect } from "chai";
import { changed, five, modeBytes, read, saltOf, type Tiers } from "../../support/auto-battler.js";
import { deployMock, ethers, loadFixture } from "../../support/index.js";

const LOW: Tiers = [1, 1, 1, 1, 1, 1];
/** Damage by range penalty of attack 1000 without a combo, with the factors 0.9, 0.3 and 0.01. */
const DAMAGES = [1000, 900, 300, 10];
const MODE = changed({
  ...{ 2: 9000, 3: 3000, 4: 100 },
  // Attack below defense, much health, no range and combos only at a roll of 0.
  ...{ 6: 1000, 7: 1000, 8: 1000, 9: 2000, 10: 2000, 11: 2000, 12: 60_000, 13: 60_000, 14: 60_000 },
  ...{ 18: 0, 19: 0, 20: 0, 21: 0, 22: 0, 23: 0 },
});

async function withGame() {
  const [owner] = await ethers.getSigners();
  return { game: await deployMock("AutoBattler", owner, owner) };
}

describe("Auto-battler: the preview", () => {
  it("multiplies the damage by the factor of each range penalty", async () => {
    const { game } = await loadFixture(withGame);
    const team = five(() => LOW);
    const { logEntries } = await game.preview(saltOf("range"), modeBytes(MODE), team, team);
    const hits = [...(logEntries as bigint[])].map(read).filter(({ dodge, combo }) => !dodge && !combo);
    for (const [penalty, damage] of DAMAGES.entries()) {
      const dealt = hits.filter((hit) => hit.penalty === penalty).map((hit) => hit.damage);
      expect([...new Set(dealt)], `penalty ${penalty}`).to.deep.equal([damage]);
    }
  });
});
