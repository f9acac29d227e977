import { expect } from "chai";
import { toBeHex, ZeroHash } from "ethers";
import { encodeResult } from "../../../sdk/games/pistols/log.js";
import {
  armed,
  BLOCK,
  MatchDriver,
  endsAtOnce,
  FLEE,
  goesOn,
  HEAVY,
  IDLE,
  LIGHT,
  LIGHTS,
  SEPPUKU,
  STEAL,
  type Arms,
  type Plan,
} from "../../support/pistols.js";
import {
  DAY,
  ethers,
  loadFixture,
  logsIn,
  offerHashOf,
  Seat,
  Status,
  time,
  UNIT,
  type Player,
} from "../../support/index.js";
import { stateHashOf } from "../../../sdk/protocol/commit-reveal.js";
import { pursesOf } from "../../support/matches.js";
import { inOneBlock } from "../../support/one-block.js";

const STAKE = 10n * UNIT;

describe("Pistols: matches", () => {
  let arms: Arms;

  beforeEach(async () => (arms = await loadFixture(armed)));

  const standingOf = async (player: Player) => {
    const { record, standing } = await arms.pistols.duelistOf(player);
    return { record: [...record].map(Number), standing: [...standing].map(Number) };
  };
  const untouched = { record: [0, 0, 0], standing: [0, 0, 0, 0] };

  /** Plays a match to its end. Returns its status, and the gains of each player and the house, in whole tokens. */
  async function settled(plan: Plan) {
    const before = await pursesOf(arms, arms.fight);
    const driver = await MatchDriver.played(arms, plan);
    const gains = (await pursesOf(arms, arms.fight)).map((purse, i) => (purse - before[i]) / UNIT);
    return { driver, status: await arms.arena.statusOf(driver.id), gains };
  }

  describe("when a duel is fought", () => {
    it("takes three transactions if it ends with the pistols, and logs the round and the result", async () => {
      const driver = await MatchDriver.played(arms, { wanted: (first) => first.winner === 1 }, 2);
      const before = await pursesOf(arms, arms.fight);
      const receipt = await driver.reveal();
      expect(await arms.arena.statusOf(driver.id)).to.equal(Status.P1Win);
      expect(logsIn(arms.pistols, receipt)).to.deep.equal([
        { round: 1n, entries: [...driver.first.entries, encodeResult(driver.first)] },
      ]);
      expect(await arms.arena.positionOf(driver.id)).to.equal(ZeroHash);
      const [alice, bob, house] = (await pursesOf(arms, arms.fight)).map((purse, i) => purse - before[i]);
      expect([alice, bob, house]).to.deep.equal([16n * UNIT, 0n, 4n * UNIT]);
    });

    it("takes five transactions with blades, and logs each round, with the result in the last", async () => {
      const driver = await MatchDriver.played(arms, { wanted: (first, { winner }) => !first.over && winner === 2 }, 2);
      expect(logsIn(arms.pistols, await driver.reveal())).to.deep.equal([{ round: 1n, entries: driver.first.entries }]);
      expect((await arms.arena.matchOf(driver.id)).turn).to.equal(Seat.Two);
      expect(logsIn(arms.pistols, await driver.answer())).to.deep.equal([]);
      expect((await arms.arena.matchOf(driver.id)).turn).to.equal(Seat.One);
      const entries = [...driver.second.entries, encodeResult(driver.second)];
      expect(logsIn(arms.pistols, await driver.finish())).to.deep.equal([{ round: 2n, entries }]);
      expect(await arms.arena.statusOf(driver.id)).to.equal(Status.P2Win);
      expect(await arms.arena.positionOf(driver.id)).to.equal(ZeroHash);
    });

    it("requires a next commitment if the duel continues, and ignores a next commitment if the duel is over", async () => {
      const over = await MatchDriver.played(arms, { wanted: endsAtOnce }, 2);
      await over.reveal({ next: ZeroHash });
      expect(await arms.arena.statusOf(over.id)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
      const honours = [[over.honour[0]], [over.honour[1]]] satisfies Plan["honours"];
      const on = await MatchDriver.played(arms, { wanted: goesOn, honours }, 2);
      await expect(on.reveal({ next: "0x" }))
        .to.be.revertedWithCustomError(arms.pistols, "WrongLength")
        .withArgs(0, 32, 128);
      await expect(on.reveal({ next: ZeroHash })).to.be.revertedWithCustomError(arms.pistols, "ZeroCommitment");
      await on.reveal();
      await on.answer();
      await expect(on.finish({ next: "0x11" })).to.be.revertedWithCustomError(arms.pistols, "WrongLength");
      await on.finish({ next: on.commitment(2) });
    });
  });

  describe("when duel and pot have different winners", () => {
    const on = (moves: Plan["blades"], wanted: Plan["wanted"] = () => true): Plan => ({
      blades: moves,
      wanted: (first, second) => !first.over && wanted(first, second),
    });

    it("a player who flees and survives loses the duel but keeps its stake", async () => {
      const { status, gains } = await settled(on([[FLEE, IDLE], LIGHTS], (_, { health }) => health[0] > 0));
      expect([status, gains]).to.deep.equal([Status.P2Win, [0n, 0n, 0n]]);
    });

    it("lets a player who is shot while fleeing lose both the duel and the pot", async () => {
      const { status, gains } = await settled(on([[FLEE, IDLE], LIGHTS], (_, { health }) => health[0] === 0));
      expect([status, gains]).to.deep.equal([Status.P2Win, [-10n, 6n, 4n]]);
    });

    it("lets a thief who is not hit lose the duel and take the pot", async () => {
      const { status, gains } = await settled(on([LIGHTS, [STEAL, IDLE]], (_, { pot }) => pot === 2));
      expect([status, gains]).to.deep.equal([Status.P1Win, [-10n, 6n, 4n]]);
    });

    it("lets a thief who is hit and survives lose both the duel and the pot", async () => {
      const hit: Plan["wanted"] = (_, { pot, health }) => pot === 1 && health[1] > 0;
      const { status, gains } = await settled(on([LIGHTS, [STEAL, IDLE]], hit));
      expect([status, gains]).to.deep.equal([Status.P1Win, [6n, -10n, 4n]]);
    });

    it("is a draw between a thief and a player who flees, and gives the thief the pot", async () => {
      const { status, gains } = await settled(
        on([
          [STEAL, IDLE],
          [FLEE, IDLE],
        ]),
      );
      expect([status, gains]).to.deep.equal([Status.Draw, [6n, -10n, 4n]]);
    });

    it("lets a player who commits seppuku lose both the duel and the pot, but only the pot against a thief", async () => {
      const { status, gains, driver } = await settled(on([[SEPPUKU, IDLE], LIGHTS]));
      expect([status, gains]).to.deep.equal([Status.P2Win, [-10n, 6n, 4n]]);
      expect(driver.honour).to.deep.equal([100, 100]);
      const honours = [[100], [100]] satisfies Plan["honours"];
      const robbed = await settled({
        ...on([
          [SEPPUKU, IDLE],
          [STEAL, IDLE],
        ]),
        honours,
      });
      expect([robbed.status, robbed.gains]).to.deep.equal([Status.Draw, [-10n, 6n, 4n]]);
    });
  });

  describe("given the honour of both players", () => {
    it("records the honour of both players' paces", async () => {
      const driver = await MatchDriver.played(arms, { paces: [3, 8], wanted: endsAtOnce });
      expect(driver.honour).to.deep.equal([30, 80]);
      expect(await standingOf(arms.alice)).to.deep.equal({ record: [1, 30, 30], standing: [30, 1, 25, 10] });
      expect(await standingOf(arms.bob)).to.deep.equal({ record: [1, 80, 80], standing: [80, 3, 28, 10] });
    });

    it("records 0 for running and 100 for seppuku", async () => {
      await MatchDriver.played(arms, {
        wanted: goesOn,
        blades: [
          [STEAL, IDLE],
          [SEPPUKU, IDLE],
        ],
        paces: [9, 2],
      });
      expect((await standingOf(arms.alice)).record).to.deep.equal([1, 0, 0]);
      expect((await standingOf(arms.bob)).record).to.deep.equal([1, 100, 100]);
    });

    it("records consecutive duels, in both seats", async () => {
      await MatchDriver.played(arms, { paces: [3, 8], wanted: endsAtOnce });
      const players = [arms.bob, arms.alice] as const;
      const back = await MatchDriver.played(arms, {
        paces: [10, 6],
        wanted: endsAtOnce,
        players,
        honours: [[80], [30]],
      });
      expect(back.honour).to.deep.equal([100, 60]);
      expect(await standingOf(arms.alice)).to.deep.equal({ record: [2, 90, 60], standing: [45, 2, 60, 20] });
      expect(await standingOf(arms.bob)).to.deep.equal({ record: [2, 180, 100], standing: [90, 3, 64, 20] });
    });

    it("records no honour for an unrated duel", async () => {
      for (const wanted of [endsAtOnce, goesOn]) await MatchDriver.played(arms, { terms: { rated: false }, wanted });
      expect([await standingOf(arms.alice), await standingOf(arms.bob)]).to.deep.equal([untouched, untouched]);
    });

    it("records no honour for a duel that was cancelled, resigned or timed out", async () => {
      const { arena, alice, bob, stranger } = arms;
      const soft = await MatchDriver.plan(arms);
      await arena.connect(alice).create(soft.terms, bob, 0, soft.commitment(1));
      await arena.connect(alice).cancel(soft.id);
      for (const steps of [2, 3, 4]) {
        const resigned = await MatchDriver.played(arms, { wanted: goesOn }, steps);
        await arena.connect(steps % 2 ? alice : bob).resign(resigned.id);
        const late = await MatchDriver.played(arms, { wanted: goesOn }, steps);
        await time.increaseTo((await arena.matchOf(late.id)).deadline + 1n);
        await arena.connect(stranger).timeout(late.id);
      }
      expect([await standingOf(alice), await standingOf(bob)]).to.deep.equal([untouched, untouched]);
    });

    it("freezes player 1's honour when player 1 creates the match", async () => {
      const { carol, bob } = arms;
      const early = await MatchDriver.played(arms, { wanted: endsAtOnce }, 1);
      const between = await MatchDriver.played(arms, {
        players: [arms.alice, carol],
        paces: [1, 1],
        wanted: endsAtOnce,
      });
      expect((await standingOf(arms.alice)).record).to.deep.equal([1, 10, 10]);
      const newer = { archetype: 1, strength: 10 };
      const state = toBeHex(newer.archetype | (newer.strength << 2), 32);
      await expect(early.join({ state })).to.be.revertedWithCustomError(arms.pistols, "WrongRound");
      await early.join();
      await early.reveal();
      expect((await standingOf(bob)).record).to.deep.equal([1, early.honour[1], early.honour[1]]);
      expect(between.honour[0]).to.equal(10);
    });

    it("freezes player 2's honour when player 2 joins, although the answer does not contain the honour", async () => {
      const early = await MatchDriver.played(arms, { honours: [[], [100]] }, 1);
      const between = await MatchDriver.played(arms, { paces: [1, 10], wanted: endsAtOnce });
      expect(between.honour).to.deep.equal([10, 100]);
      await early.join();
      for (const state of [early.state1, early.state2]) {
        await expect(early.reveal({ state })).to.be.revertedWithCustomError(arms.pistols, "WrongRound");
      }
      await early.reveal();
    });

    it("freezes the honour of both players as of the start of the block", async () => {
      const { arena, alice, bob, carol } = arms;
      const ending = await MatchDriver.played(arms, { players: [bob, alice], wanted: endsAtOnce }, 2);
      const other = await MatchDriver.played(arms, { players: [bob, carol], wanted: endsAtOnce }, 2);
      const joined = await MatchDriver.played(arms, { players: [carol, bob], wanted: goesOn }, 1);
      const created = await MatchDriver.plan(arms, { players: [bob, carol] });
      const answer = [joined.id, await offerHashOf(arena, joined.id), joined.answerData(1)] as const;
      const firm = (await time.latest()) + 3600;
      const receipts = await inOneBlock([
        (fees) => arena.connect(bob).act(ending.id, ending.revealData(1), fees),
        // The second duel that ends in the block must not use the first one's result as its earlier record.
        (fees) => arena.connect(bob).act(other.id, other.revealData(1), fees),
        (fees) => arena.connect(bob).join(...answer, fees),
        (fees) => arena.connect(bob).create(created.terms, carol, firm, created.commitment(1), fees),
      ]);
      expect(receipts.map(({ index, blockNumber }) => [index, blockNumber])).to.deep.equal(
        [0, 1, 2, 3].map((index) => [index, receipts[0].blockNumber]),
      );
      expect((await standingOf(bob)).record).to.deep.equal([2, 200, 100]);
      // All players are still newcomers, as before the block.
      await joined.reveal();
      await created.join();
      // One block later, this player is no longer a newcomer.
      const later = await MatchDriver.played(arms, { players: [alice, bob], honours: [[100], [100, 100]] }, 2);
      const state = { round: 1, state: later.joinedState };
      const salted = { move: later.moves(1)[1], salt: later.salts.two1 };
      expect(await arena.positionOf(later.id)).to.equal(stateHashOf(state, later.commitment(1), salted));
    });

    it("freezes the earlier honour of a player of whom two duels end in the block", async () => {
      const { arena, alice, bob, carol } = arms;
      const first = await MatchDriver.played(arms, { players: [bob, alice], wanted: endsAtOnce });
      const [ofBob, ofAlice] = first.honour.map((honour) => [honour]);
      const endings: MatchDriver[] = [];
      for (const [opponent, before] of [
        [alice, ofAlice],
        [carol, []],
      ] as const) {
        const plan: Plan = { players: [bob, opponent], honours: [ofBob, [...before]], wanted: endsAtOnce };
        endings.push(await MatchDriver.played(arms, plan, 2));
      }
      const created = await MatchDriver.plan(arms, { players: [bob, carol], honours: [ofBob, []] });
      const firm = (await time.latest()) + 3600;
      await inOneBlock([
        ...endings.map((each) => (fees: object) => arena.connect(bob).act(each.id, each.revealData(1), fees)),
        (fees) => arena.connect(bob).create(created.terms, carol, firm, created.commitment(1), fees),
      ]);
      const state = { round: 1, state: created.state1 };
      expect(await arena.positionOf(endings.at(-1)!.id + 1n)).to.equal(stateHashOf(state, created.commitment(1)));
    });

    it("keeps the honour that player 2 had when it joined", async () => {
      const { alice, bob, carol } = arms;
      const plan: Plan = { honours: [[], []], wanted: goesOn, paces: [10, 9] };
      const early = await MatchDriver.played(arms, plan, 2);
      await MatchDriver.played(arms, { players: [carol, bob], paces: [1, 1], wanted: endsAtOnce });
      await MatchDriver.played(arms, {
        players: [alice, carol],
        paces: [1, 1],
        wanted: endsAtOnce,
        honours: [[], [10]],
      });
      await early.reveal();
      await early.answer();
      await early.finish();
      expect((await standingOf(bob)).record[0]).to.equal(2);
    });

    it("gives an honourable duelist other chances than a newcomer", async () => {
      const wanted: Plan["wanted"] = (first) => first.over && first.winner === 1;
      await MatchDriver.played(arms, { paces: [10, 10], wanted });
      const honours = [[100], [100]] satisfies Plan["honours"];
      const driver = await MatchDriver.plan(arms, { paces: [8, 10], honours });
      expect(driver.duelists).to.deep.include({ honour: 100, archetype: 3, level: 100, strength: 10 });
      // 16, plus 1 for a tenth of honour, plus 10 for shooting first.
      expect((driver.first.entries[0] >> 16n) & 127n).to.equal(27n);
      await driver.create();
      await driver.join();
      const [{ entries }] = logsIn(arms.pistols, await driver.reveal());
      expect(entries[0]).to.equal(driver.first.entries[0]);
    });
  });

  describe("given an invalid transaction before the valid one", () => {
    it("refuses paces of 0 and 11 in an answer", async () => {
      const driver = await MatchDriver.played(arms, {}, 1);
      for (const paces of [0, 11, 255]) {
        await expect(driver.join({ move: toBeHex(paces, 1) }))
          .to.be.revertedWithCustomError(arms.pistols, "PacesOutOfBounds")
          .withArgs(paces, 1, 10);
      }
      await driver.join();
    });

    it("refuses moves that are not among the thirteen in an answer", async () => {
      const driver = await MatchDriver.played(arms, { wanted: goesOn }, 3);
      for (const [one, two] of [
        [HEAVY, IDLE],
        [LIGHT, HEAVY],
        [BLOCK, FLEE],
        [STEAL, LIGHT],
        [7, IDLE],
        [IDLE, 255],
      ]) {
        await expect(driver.answer({ move: toBeHex(one * 256 + two, 2) }))
          .to.be.revertedWithCustomError(arms.pistols, "NoSuchBlades")
          .withArgs(one, two);
      }
      await driver.answer();
    });

    it("refuses answers and reveals with another length, salt, state, commitment or round", async () => {
      const driver = await MatchDriver.played(arms, { wanted: goesOn }, 3);
      const { pistols: game, arena, bob, alice } = arms;
      const by = { 0: arena.connect(alice), 1: arena.connect(bob) };
      const cut = (data: string) => data.slice(0, -2);
      await expect(driver.answer({ salt: ZeroHash })).to.be.revertedWithCustomError(game, "ZeroSalt");
      await expect(driver.answer({ salt: "0x" })).to.be.revertedWithCustomError(game, "WrongLength");
      await expect(driver.answer({ move: "0x010101" })).to.be.revertedWithCustomError(game, "WrongLength");
      await expect(by[1].act(driver.id, cut(driver.answerData(2)))).to.be.revertedWithCustomError(game, "WrongLength");
      for (const wrong of [
        { round: 1 },
        { round: 3 },
        { state: driver.state1 },
        { commitment: driver.commitment(1) },
      ]) {
        await expect(driver.answer(wrong)).to.be.revertedWithCustomError(game, "WrongRound");
      }
      await driver.answer();
      await expect(driver.finish({ salt: ZeroHash })).to.be.revertedWithCustomError(game, "ZeroSalt");
      await expect(by[0].act(driver.id, cut(driver.revealData(2)))).to.be.revertedWithCustomError(game, "WrongLength");
      for (const wrong of [
        { state: driver.state1 },
        { move: "0x0000" },
        { answerMove: "0x0000" },
        { salt: driver.salts.one1 },
        { answerSalt: driver.salts.two1 },
      ]) {
        await expect(driver.finish(wrong)).to.be.revertedWithCustomError(game, "WrongRound");
      }
      await expect(by[0].act(driver.id, driver.revealData(1))).to.be.revertedWithCustomError(game, "WrongRound");
      await expect(by[1].act(driver.id, driver.revealData(2))).to.be.revertedWithCustomError(arena, "NotYourTurn");
      await driver.finish();
      expect(await arena.statusOf(driver.id)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
    });

    it("refuses the reveal of another match or player", async () => {
      const { arena, alice, bob, pistols: game } = arms;
      const driver = await MatchDriver.played(arms, {}, 2);
      const back = await MatchDriver.played(arms, { players: [bob, alice] }, 2);
      await expect(arena.connect(alice).act(driver.id, back.revealData(1))).to.be.revertedWithCustomError(
        game,
        "WrongRound",
      );
      await expect(arena.connect(bob).act(back.id, driver.revealData(1))).to.be.revertedWithCustomError(
        game,
        "WrongRound",
      );
      await driver.reveal();
    });

    it("refuses every mode", async () => {
      for (const content of ["0x", "0x00", "0x01", `0x${"00".repeat(32)}`]) {
        await expect(arms.pistols.registerMode(content)).to.be.revertedWithCustomError(
          arms.pistols,
          "OnlyTheDefaultMode",
        );
      }
      expect(await arms.pistols.modeOf(ZeroHash)).to.equal("0x00");
    });

    it("rejects an invalid move in the preview", async () => {
      const seeds = [ethers.id("a"), ethers.id("b")] as [string, string];
      const preview = (paces: [number, number], moves: [[number, number], [number, number]]) =>
        arms.pistols.preview(seeds, [0, 0], [0, 0], paces, moves);
      const idle: [[number, number], [number, number]] = [
        [0, 0],
        [0, 0],
      ];
      await expect(preview([1, 11], idle)).to.be.revertedWithCustomError(arms.pistols, "PacesOutOfBounds");
      await expect(preview([0, 1], idle)).to.be.revertedWithCustomError(arms.pistols, "PacesOutOfBounds");
      await expect(preview([1, 1], [idle[0], [2, 0]])).to.be.revertedWithCustomError(arms.pistols, "NoSuchBlades");
      await preview([1, 1], idle);
    });
  });

  describe("given an illegal committed move", () => {
    it("refuses its reveal in round 1, and player 1 loses by the clock", async () => {
      for (const paces of [0, 11] as const) {
        const driver = await MatchDriver.played(arms, { paces: [1, 5] }, 0);
        const bad = Object.assign(Object.create(driver) as MatchDriver, { paces: [paces, 5] });
        await bad.create();
        await bad.join();
        await expect(bad.reveal({ next: driver.commitment(2) }))
          .to.be.revertedWithCustomError(arms.pistols, "PacesOutOfBounds")
          .withArgs(paces, 1, 10);
        await time.increaseTo((await arms.arena.matchOf(bad.id)).deadline + 1n);
        await arms.arena.connect(arms.stranger).timeout(bad.id);
        expect(await arms.arena.statusOf(bad.id)).to.equal(Status.P2WinInactive);
      }
    });

    it("refuses its reveal in round 2, and player 1 loses by the clock", async () => {
      const driver = await MatchDriver.played(arms, { wanted: goesOn }, 0);
      const bad = Object.assign(Object.create(driver) as MatchDriver, { blades: [[HEAVY, IDLE], LIGHTS] });
      for (const step of [() => bad.create(), () => bad.join(), () => bad.reveal(), () => bad.answer()]) await step();
      await expect(bad.finish()).to.be.revertedWithCustomError(arms.pistols, "NoSuchBlades").withArgs(HEAVY, IDLE);
      await time.increaseTo((await arms.arena.matchOf(bad.id)).deadline + 1n);
      await arms.arena.connect(arms.stranger).timeout(bad.id);
      expect(await arms.arena.statusOf(bad.id)).to.equal(Status.P2WinInactive);
    });
  });

  describe("when the clock runs out", () => {
    for (const [steps, status, gains] of [
      [2, Status.P2WinInactive, [-10n, 10n, 0n]],
      [3, Status.P1WinInactive, [10n, -10n, 0n]],
      [4, Status.P2WinInactive, [-10n, 10n, 0n]],
    ] as const) {
      it(`gives the other player the full pot after ${steps} transactions`, async () => {
        const before = await pursesOf(arms, arms.fight);
        const driver = await MatchDriver.played(
          arms,
          { wanted: goesOn, terms: { stake1: STAKE, stake2: STAKE } },
          steps,
        );
        const { deadline } = await arms.arena.matchOf(driver.id);
        expect(deadline).to.be.at.most(BigInt(await time.latest()) + DAY);
        await time.increaseTo(deadline + 1n);
        const late = [driver.reveal.bind(driver), driver.answer.bind(driver), driver.finish.bind(driver)][steps - 2];
        await expect(late()).to.be.revertedWithCustomError(arms.arena, "TooLate");
        await arms.arena.connect(arms.stranger).timeout(driver.id);
        expect(await arms.arena.statusOf(driver.id)).to.equal(status);
        expect((await pursesOf(arms, arms.fight)).map((purse, i) => (purse - before[i]) / UNIT)).to.deep.equal([
          ...gains,
        ]);
      });
    }
  });

  it("lets an operator continue the duel", async () => {
    const { arena, alice, bob, stranger } = arms;
    const driver = await MatchDriver.played(arms, { wanted: goesOn }, 2);
    for (const player of [alice, bob]) await arena.connect(player).allow(stranger, 2n ** 40n - 1n);
    for (const action of [driver.revealData(1), driver.answerData(2), driver.revealData(2)]) {
      await arena.connect(stranger).act(driver.id, action);
    }
    expect((await standingOf(alice)).record[0]).to.equal(1);
    expect((await standingOf(stranger)).record[0]).to.equal(0);
  });
});
