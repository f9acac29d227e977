import { expect } from "chai";
import { standingAfter, type Standing } from "../../../sdk/games/pistols/honour.js";
import { deployMock, ethers, loadFixture } from "../../support/index.js";

const [NONE, VILLAINOUS, TRICKSTER, HONOURABLE] = [0, 1, 2, 3];

/** Levels of villains and honourable duelists by average honour, computed by hand. */
const LEVELS: [honour: number, archetype: number, level: number][] = [
  [0, VILLAINOUS, 100],
  [1, VILLAINOUS, 100],
  [10, VILLAINOUS, 100],
  [11, VILLAINOUS, 97],
  [12, VILLAINOUS, 93],
  [13, VILLAINOUS, 89],
  [14, VILLAINOUS, 85],
  [22, VILLAINOUS, 55],
  [33, VILLAINOUS, 14],
  [34, VILLAINOUS, 10],
  [75, HONOURABLE, 10],
  [76, HONOURABLE, 13],
  [77, HONOURABLE, 17],
  [80, HONOURABLE, 28],
  [99, HONOURABLE, 96],
  [100, HONOURABLE, 100],
];
/** Levels of a trickster by the honour of its last duel. */
const LAST: [last: number, level: number][] = [
  [0, 100],
  [10, 90],
  [49, 51],
  [50, 50],
  [51, 51],
  [80, 80],
  [100, 100],
];
const FULL = 2n ** 40n - 1n;

/** Returns honours of a hundred duels with the average `honour`, the last of which is `last`. */
function duelsOf(honour: number, last: number): number[] {
  const others = Array.from({ length: 99 }, (_, i) => Math.floor((100 * honour - last + i) / 99));
  return [...others, last];
}

describe("Pistols: honour", () => {
  const deploy = () => deployMock("DuellingHarness");
  let harness: Awaited<ReturnType<typeof deploy>>;
  let preview: (honours: number[]) => Promise<Standing>;

  beforeEach(async () => {
    harness = await loadFixture(deploy);
    const game = await deployMock("Pistols", ethers.ZeroAddress);
    preview = async (honours) => {
      const [honour, archetype, level, strength] = ((await game.previewStanding(honours)) as bigint[]).map(Number);
      return { honour, archetype, level, strength };
    };
  });

  /** Expects both engines to compute this standing after these duels. */
  async function expectStanding(honours: number[], standing: Standing): Promise<void> {
    expect(standingAfter(honours)).to.deep.equal(standing);
    expect(await preview(honours)).to.deep.equal(standing);
  }

  it("is zero before the first duel", () => expectStanding([], { honour: 0, archetype: NONE, level: 0, strength: 0 }));

  it("is the average, rounded down, and makes a duelist villainous up to 34, a trickster from 35, and honourable from 75", async () => {
    const few = { level: 50 + 10, strength: 30 };
    await expectStanding([35, 35, 34], { honour: 34, archetype: VILLAINOUS, level: 10, strength: 10 });
    await expectStanding([30, 35, 40], { honour: 35, archetype: TRICKSTER, ...few });
    await expectStanding([85, 99, 40], { honour: 74, archetype: TRICKSTER, ...few });
    await expectStanding([85, 100, 40], { honour: 75, archetype: HONOURABLE, level: 10, strength: 10 });
  });

  for (const [honour, archetype, level] of LEVELS) {
    it(`of ${honour} gives the level ${level}`, () => {
      const honours = Array.from({ length: 10 }, () => honour);
      return expectStanding(honours, { honour, archetype, level, strength: level });
    });
  }

  for (const [last, level] of LAST) {
    it(`gives a trickster whose last duel scored ${last} the level ${level}`, async () => {
      for (const honour of [35, 50, 74]) {
        await expectStanding(duelsOf(honour, last), { honour, archetype: TRICKSTER, level, strength: level });
      }
    });
  }

  it("grants ten points of strength per duel, up to the level", async () => {
    for (let duels = 1; duels <= 12; duels++) {
      const honours = Array.from({ length: duels }, () => 0);
      await expectStanding(honours, {
        honour: 0,
        archetype: VILLAINOUS,
        level: 100,
        strength: Math.min(100, 10 * duels),
      });
      const middling = Array.from({ length: duels }, () => 75);
      await expectStanding(middling, { honour: 75, archetype: HONOURABLE, level: 10, strength: 10 });
      const trickster = Array.from({ length: duels }, () => 60);
      await expectStanding(trickster, {
        honour: 60,
        archetype: TRICKSTER,
        level: 60,
        strength: Math.min(60, 10 * duels),
      });
    }
  });

  it("is equal on both engines after 300 random series of duels", async () => {
    let seed = 7;
    const next = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
    for (let i = 0; i < 300; i++) {
      const [max, min] = [1 + next(101), next(100)];
      const honours = Array.from({ length: 1 + next(15) }, () => Math.min(100, min + next(max)));
      expect(await preview(honours), honours.join()).to.deep.equal(standingAfter(honours));
    }
  });

  it("adds each duel to the count, the total and the last score, until the count is at its maximum", async () => {
    const plain = (record: bigint[]) => Array.from(record);
    expect(plain(await harness.add([0, 0, 0], 70))).to.deep.equal([1n, 70n, 70n]);
    expect(plain(await harness.add([4, 210, 70], 0))).to.deep.equal([5n, 210n, 0n]);
    const max = 100n * FULL;
    expect(plain(await harness.add([FULL - 1n, max - 100n, 50], 100))).to.deep.equal([FULL, max, 100n]);
    expect(plain(await harness.add([FULL, max, 50], 100)), "full").to.deep.equal([FULL, max, 100n]);
    expect(plain(await harness.add([FULL, 0n, 50], 100)), "count and total stop together").to.deep.equal([
      FULL,
      0n,
      100n,
    ]);
    expect(plain(await harness.standing([FULL, max, 100]))).to.deep.equal([100n, 3n, 100n, 100n]);
    expect(plain(await harness.standing([FULL, 0n, 100]))).to.deep.equal([0n, 1n, 100n, 100n]);
  });
});
