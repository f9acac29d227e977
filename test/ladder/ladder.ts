import { expect } from "chai";
import { AbiCoder, keccak256, toBeHex } from "ethers";
import fc from "fast-check";
import { applyResult, NEWCOMER, ratingChange, type PlayerRecord, type Result } from "../../sdk/protocol/ladder.js";
import { deployMock, ethers, loadFixture, networkHelpers, Seat, now } from "../support/index.js";
import { otherSeat } from "../support/seats.js";

const { None, One, Two } = Seat;
const MAX32 = 2n ** 32n - 1n;
const MAX128 = 2n ** 128n - 1n;
const FIELDS = ["rating", "experience", "wins", "losses", "draws", "forfeits"] as const;
const RECORDS_SLOT = 0n;
const STAKES_SLOT = 1n;

async function harness() {
  const ladder = await deployMock("LadderHarness");
  const [game, token, ...players] = (await ethers.getSigners()).map(({ address }) => address);
  return { ladder, game, token, players };
}

type Harness = Awaited<ReturnType<typeof harness>>;

async function recordOf({ ladder, game }: Harness, player: string): Promise<PlayerRecord> {
  return (await ladder.recordOf(game, player)).toObject();
}

async function stakesOf({ ladder, token }: Harness, player: string): Promise<[staked: bigint, won: bigint]> {
  const { staked, won } = await ladder.stakesOf(player, token);
  return [staked, won];
}

/** Writes a word into a mapping of mappings. */
async function put({ ladder }: Harness, slot: bigint, outer: string, inner: string, word: bigint): Promise<void> {
  const at = (key: string, place: string) =>
    keccak256(AbiCoder.defaultAbiCoder().encode(["address", "bytes32"], [key, place]));
  const place = at(inner, at(outer, toBeHex(slot, 32)));
  await networkHelpers.setStorageAt(await ladder.getAddress(), place, toBeHex(word, 32));
}

async function putRecord(world: Harness, player: string, record: PlayerRecord): Promise<void> {
  const word = FIELDS.reduce((sum, field, i) => sum | (record[field] << BigInt(32 * i)), record.lastDuel << 192n);
  await put(world, RECORDS_SLOT, world.game, player, word);
  expect(await recordOf(world, player)).to.deep.equal(record);
}

/** Rates a duel in the contract and in the engine, which must agree. @returns the records. */
async function rated(world: Harness, one: string, two: string, winner: bigint, forfeit: boolean) {
  const { ladder, game } = world;
  const [before1, before2] = [await recordOf(world, one), await recordOf(world, two)];
  const sent = ladder.rate(game, one, two, winner, forfeit);
  await sent;
  const [lost, time]: [Result, bigint] = [forfeit ? "forfeit" : "loss", await now()];
  const resultOf = (seat: bigint): Result => (winner === None ? "draw" : winner === seat ? "win" : lost);
  const after1 = applyResult(before1, before2.rating, resultOf(One), time);
  const after2 = applyResult(before2, before1.rating, resultOf(Two), time);
  expect(await recordOf(world, one)).to.deep.equal(after1);
  expect(await recordOf(world, two)).to.deep.equal(after2);
  await expect(sent).to.emit(ladder, "Rated").withArgs(after1.rating, after2.rating);
  return [after1, after2];
}

describe("Ladder: rating changes", () => {
  const CHANGES: [own: bigint, opponent: bigint, change: bigint, why: string][] = [
    [1000n, 1200n, 30n, "the source's first example"],
    [1200n, 1000n, 10n, "the source's second example"],
    [1100n, 1120n, 21n, "the source's third example"],
    [1000n, 1300n, 35n, "the source's fourth example"],
    [1500n, 1100n, 0n, "the source's fifth example"],
    [1000n, 1000n, 20n, "equal"],
    [0n, 0n, 20n, "both zero"],
    [0n, 400n, 40n, "opponent 400 above"],
    [0n, 401n, 40n, "opponent 401 above"],
    [0n, 399n, 39n, "opponent 399 above, 39.95"],
    [400n, 0n, 0n, "opponent 400 below"],
    [401n, 0n, 0n, "opponent 401 below"],
    [399n, 0n, 0n, "opponent 399 below, 0.05"],
    [381n, 0n, 0n, "opponent 381 below, 0.95"],
    [380n, 0n, 1n, "opponent 380 below"],
    [0n, MAX32, 40n, "zero against the highest"],
    [MAX32, 0n, 0n, "the highest against zero"],
    [MAX32, MAX32, 20n, "the highest against itself"],
  ];

  for (const [own, opponent, change, why] of CHANGES) {
    it(`given ratings of ${own} against ${opponent} (${why}), a win is worth ${change}`, async () => {
      const { ladder } = await loadFixture(harness);
      expect(await ladder.ratingChange(own, opponent)).to.equal(change);
      expect(ratingChange(own, opponent)).to.equal(change);
    });
  }

  for (const [own, opponent, change, why] of CHANGES) {
    it(`given ratings of ${own} against ${opponent} (${why}), a win adds ${change} and a loss subtracts as much, in either seat and by the clock too`, async () => {
      const world = await loadFixture(harness);
      const [me, other] = world.players;
      const won = own + change > MAX32 ? MAX32 : own + change;
      const lost = own < change ? 0n : own - change;
      for (const seat of [One, Two]) {
        for (const [winner, forfeit, rating] of [
          [seat, false, won],
          [seat, true, won],
          [otherSeat(seat), false, lost],
          [otherSeat(seat), true, lost],
          [None, false, own],
        ] as const) {
          await putRecord(world, me, { ...NEWCOMER, rating: own, lastDuel: 1n });
          await putRecord(world, other, { ...NEWCOMER, rating: opponent, lastDuel: 1n });
          const after = await rated(
            world,
            ...(seat === One ? ([me, other] as const) : ([other, me] as const)),
            winner,
            forfeit,
          );
          expect(after[Number(seat) - 1].rating).to.equal(rating);
        }
      }
    });
  }

  it("given any two ratings, the contract, the engine and the published formula agree", async () => {
    const { ladder } = await loadFixture(harness);
    const near = fc.tuple(fc.bigInt(0n, 5000n), fc.bigInt(-500n, 500n)).map(([own, gap]) => [own, own + gap]);
    const any = fc.tuple(fc.bigInt(0n, MAX32), fc.bigInt(0n, MAX32));
    const ratings = fc.oneof(near, any).filter(([, opponent]) => opponent >= 0n);
    const property = fc.asyncProperty(ratings, async ([own, opponent]) => {
      const published = Math.floor(Math.min(Math.max((20 * (400 + Number(opponent) - Number(own))) / 400, 0), 40));
      expect(ratingChange(own, opponent)).to.equal(BigInt(published));
      expect(await ladder.ratingChange(own, opponent)).to.equal(BigInt(published));
    });
    await fc.assert(property, { seed: 20262, numRuns: 500 });
  });
});

describe("Ladder: examples from the source", () => {
  for (const [own, opponent, result, rating] of [
    [1000n, 1200n, "win", 1030n],
    [1200n, 1000n, "loss", 1190n],
    [1100n, 1120n, "win", 1121n],
    [1000n, 1300n, "loss", 965n],
    [1500n, 1100n, "win", 1500n],
  ] as const) {
    it(`given ratings of ${own} against ${opponent}, a ${result} leads to ${rating}, in either seat and by the clock too`, async () => {
      for (const seat of [One, Two]) {
        for (const forfeit of [false, true]) {
          const world = await loadFixture(harness);
          const [me, other] = world.players;
          await putRecord(world, me, { ...NEWCOMER, rating: own, lastDuel: 1n });
          await putRecord(world, other, { ...NEWCOMER, rating: opponent, lastDuel: 1n });
          const pair = seat === One ? ([me, other] as const) : ([other, me] as const);
          await rated(world, ...pair, result === "win" ? seat : otherSeat(seat), forfeit);
          expect((await recordOf(world, me)).rating).to.equal(rating);
        }
      }
    });
  }

  for (const [own, opponent] of [
    [1000n, 1000n],
    [1000n, 1400n],
    [1000n, 1401n],
    [1400n, 1000n],
    [1401n, 1000n],
    [0n, 0n],
    [0n, MAX32],
    [MAX32, 0n],
  ]) {
    it(`given ratings of ${own} against ${opponent}, a draw changes neither rating`, async () => {
      const world = await loadFixture(harness);
      const [one, two] = world.players;
      await putRecord(world, one, { ...NEWCOMER, rating: own, lastDuel: 1n });
      await putRecord(world, two, { ...NEWCOMER, rating: opponent, lastDuel: 1n });
      const after = await rated(world, one, two, None, false);
      expect(after.map(({ rating }) => rating)).to.deep.equal([own, opponent]);
    });
  }
});

describe("Ladder: records", () => {
  it("given a newcomer, its record has a rating of 1000 and is otherwise empty", async () => {
    const world = await loadFixture(harness);
    expect(await recordOf(world, world.players[0])).to.deep.equal(NEWCOMER);
    expect(await stakesOf(world, world.players[0])).to.deep.equal([0n, 0n]);
  });

  for (const [how, winner, forfeit, experience1, experience2] of [
    ["player 1 wins", One, false, 50n, 20n],
    ["player 2 wins", Two, false, 20n, 50n],
    ["nobody wins", None, false, 20n, 20n],
    ["player 2 times out", One, true, 50n, 0n],
    ["player 1 times out", Two, true, 0n, 50n],
  ] as const) {
    it(`given two newcomers, when ${how}, player 1 gains ${experience1} and player 2 gains ${experience2} experience`, async () => {
      const world = await loadFixture(harness);
      const [one, two] = world.players;
      const after = await rated(world, one, two, winner, forfeit);
      expect(after.map(({ experience }) => experience)).to.deep.equal([experience1, experience2]);
      for (const [i, seat] of [One, Two].entries()) {
        const [won, drawn] = [winner === seat, winner === None];
        const counts = [won, !won && !drawn, drawn, forfeit && !won].map((yes) => (yes ? 1n : 0n));
        const { rating, wins, losses, draws, forfeits } = after[i];
        expect([wins, losses, draws, forfeits]).to.deep.equal(counts);
        expect(rating).to.equal(drawn ? 1000n : won ? 1020n : 980n);
      }
    });
  }

  it("given a player of two games, when it plays one game, its record in the other game is unchanged", async () => {
    const world = await loadFixture(harness);
    const [one, two, otherGame] = world.players;
    await rated(world, one, two, One, false);
    expect((await world.ladder.recordOf(otherGame, one)).toObject()).to.deep.equal(NEWCOMER);
  });

  it("given a rating below the change, when its player loses, the rating becomes zero and is not reset to a newcomer's", async () => {
    const world = await loadFixture(harness);
    const [one, two] = world.players;
    await putRecord(world, one, { ...NEWCOMER, rating: 19n, lastDuel: 1n });
    await putRecord(world, two, { ...NEWCOMER, rating: 19n, lastDuel: 1n });
    expect((await rated(world, one, two, Two, false))[0].rating).to.equal(0n);
    expect((await rated(world, one, two, Two, true))[0].rating).to.equal(0n);
  });

  for (const field of FIELDS) {
    for (const below of [0n, 1n, 49n]) {
      it(`given the field ${field} at ${below} below its maximum, when further duels are rated, the field stops there and affects no other field`, async () => {
        const world = await loadFixture(harness);
        const [one, two] = world.players;
        for (const player of [one, two]) {
          await putRecord(world, player, { ...NEWCOMER, lastDuel: 1n, [field]: MAX32 - below });
        }
        for (const [winner, forfeit] of [
          [One, false],
          [Two, true],
          [None, false],
          [One, true],
          [Two, false],
        ] as const) {
          await rated(world, one, two, winner, forfeit);
        }
      });
    }
  }

  it("given every field at its maximum, rating any duel does not revert", async () => {
    const world = await loadFixture(harness);
    const [one, two] = world.players;
    const full = { ...Object.fromEntries(FIELDS.map((field) => [field, MAX32])), lastDuel: 2n ** 40n - 1n };
    for (const player of [one, two]) await putRecord(world, player, full as unknown as PlayerRecord);
    for (const winner of [None, One, Two]) await rated(world, one, two, winner, true);
  });

  it("given any sequence of results among three players, the contract and the engine agree", async () => {
    const pairs = fc.constantFrom([0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]);
    const duel = fc.tuple(pairs, fc.constantFrom(None, One, Two), fc.boolean());
    const property = fc.asyncProperty(fc.array(duel, { minLength: 1, maxLength: 12 }), async (duels) => {
      const world = await loadFixture(harness);
      const engine = Array.from({ length: 3 }, () => NEWCOMER);
      for (const [[one, two], winner, forfeit] of duels) {
        [engine[one], engine[two]] = await rated(world, world.players[one], world.players[two], winner, forfeit);
      }
      for (const [i, record] of engine.entries()) expect(await recordOf(world, world.players[i])).to.deep.equal(record);
    });
    await fc.assert(property, { seed: 20263, numRuns: 25 });
  });

  it("given any two records, a player who aborts is never better off than by losing, drawing or winning", () => {
    const field = fc.oneof(fc.constantFrom(0n, 1n, 39n, 40n, MAX32), fc.bigInt(0n, MAX32), fc.bigInt(600n, 1400n));
    const property = fc.property(field, field, field, (rating, experience, opponent) => {
      const record = { ...NEWCOMER, rating, experience, lastDuel: 1n };
      const results = ["forfeit", "loss", "draw", "win"] as const;
      const after = results.map((result) => applyResult(record, opponent, result, 2n));
      for (let i = 1; i < after.length; i++) {
        expect(after[i].rating >= after[i - 1].rating, `rating: ${results[i]}`).to.equal(true);
        expect(after[i].experience >= after[i - 1].experience, `experience: ${results[i]}`).to.equal(true);
      }
    });
    fc.assert(property, { seed: 20264, numRuns: 1000 });
  });
});

describe("Ladder: stakes", () => {
  it("given stakes and payments, when they are added, the sums grow and stop at their maximum", async () => {
    const world = await loadFixture(harness);
    const { ladder, token, players } = world;
    const [player, other] = players;
    const amounts = [0n, 1n, 2n ** 96n - 1n, MAX128 - 2n ** 96n, 1n, 2n ** 97n];
    let [staked, won] = [0n, 0n];
    for (const [i, amount] of amounts.entries()) {
      const back = amounts[amounts.length - 1 - i];
      await ladder.addStakes(player, token, amount, back);
      [staked, won] = [staked + amount, won + back].map((sum) => (sum > MAX128 ? MAX128 : sum));
      expect(await stakesOf(world, player)).to.deep.equal([staked, won]);
    }
    expect(await stakesOf(world, other)).to.deep.equal([0n, 0n]);
  });

  it("given a stake without a payment or a payment without a stake, when it is added, the other sum stays at zero", async () => {
    const world = await loadFixture(harness);
    const { ladder, token, players } = world;
    const amounts = [
      [1n, 0n],
      [2n, 0n],
      [0n, 1n],
      [0n, 2n],
    ] as const;
    for (const [i, [staked, won]] of amounts.entries()) {
      await ladder.addStakes(players[i], token, staked, won);
      expect(await stakesOf(world, players[i])).to.deep.equal([staked, won]);
    }
  });

  for (const [staked, won] of [
    [MAX128, 0n],
    [0n, MAX128],
    [MAX128, MAX128],
  ]) {
    it(`given the sum ${staked ? "staked" : ""}${staked && won ? " and the sum " : ""}${won ? "won" : ""} at the maximum, when more is added, it stays at the maximum`, async () => {
      const world = await loadFixture(harness);
      const { ladder, token, players } = world;
      await put(world, STAKES_SLOT, players[0], token, staked | (won << 128n));
      await ladder.addStakes(players[0], token, 5n, 7n);
      expect(await stakesOf(world, players[0])).to.deep.equal([staked || 5n, won || 7n]);
    });
  }
});
