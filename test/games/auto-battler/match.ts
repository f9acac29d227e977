import { expect } from "chai";
import hre from "hardhat";
import {
  deployed,
  deployMock,
  ethers,
  DAY,
  inPassing,
  loadFixture,
  networkHelpers,
  receiptOf,
  Seat,
  Status,
  termsFor,
  time,
  UNIT,
  type World,
  ZERO_HASH,
  offerHashOf,
  type Player,
} from "../../support/index.js";
import { changing } from "../../support/attacked.js";
import { expectRefused } from "../../support/refusals.js";
import {
  DEFAULTS,
  COOLDOWN,
  SIDES,
  modeBytes,
  changed,
  saltOf,
  tiersOf,
  five,
  mint,
  teamOf,
  MatchDriver,
  entriesOf,
  read,
  checkLog,
  addScores,
  scoreOf,
  type Send,
  type Team,
  type Tiers,
  type Score,
} from "../../support/auto-battler.js";

describe("Auto-battler: matches", () => {
  let w: World;
  let team1: bigint[];
  let team2: bigint[];

  /** The usual world with a team for alice, one for bob, and a spare fighter for each. */
  async function withTeams() {
    const world = await deployed();
    const one = await teamOf(world, world.alice);
    const two = await teamOf(world, world.bob, (slot) => tiersOf(slot + 5));
    return { world, one, two };
  }
  beforeEach(async () => {
    const fixture = await loadFixture(withTeams);
    [w, team1, team2] = [fixture.world, fixture.one, fixture.two];
  });

  const untilOf = async (id: bigint) => [...(await w.autoBattler.busyUntil(id))];
  const fightersOf = async (ids: bigint[]) =>
    Promise.all(ids.map(async (id) => [...(await w.autoBattler.fighterOf(id))]));
  const refused = async (send: Send, error: string, args: unknown[]) => {
    await expectRefused(w, send, error, args);
  };
  const nobodys = (id: bigint) => (player: Player) => [id, ethers.ZeroAddress, player.address];
  const register = async (numbers: number[]) => {
    await w.autoBattler.registerMode(modeBytes(numbers));
    return ethers.keccak256(modeBytes(numbers));
  };
  /** Expects a join and a reveal with this team to be refused with the same error. */
  const expectRefusedForBoth = async (
    team: bigint[],
    owner: Player,
    error: string,
    args: (player: Player) => unknown[],
  ) => {
    const other = owner === w.alice ? w.bob : w.alice;
    const rest = owner === w.alice ? team2 : team1;
    const joined = await MatchDriver.create(w, rest, { player1: other, player2: owner });
    await refused(() => joined.join(team), error, args(owner));
    const opened = await MatchDriver.create(w, team, { player1: owner, player2: other });
    await opened.join(rest);
    await refused(() => opened.reveal(), error, args(owner));
    await w.arena.connect(owner).resign(opened.id);
  };

  describe("when a match is played to the end", () => {
    it("agrees with the preview, pays and rates the players, starts the cooldown of all ten fighters, and leaves a log", async () => {
      const driver = await MatchDriver.create(w, team1);
      await driver.join(team2);
      const tiers = five(tiersOf);
      const tiers2 = five((slot) => tiersOf(slot + 5));
      const [winner, hp, entries] = await w.autoBattler.preview(driver.seed, "0x", tiers, tiers2);
      const receipt = await receiptOf(driver.reveal());
      expect(entriesOf(w, receipt)).to.deep.equal([...entries]);
      const { hp: expected } = checkLog([...entries], DEFAULTS, [tiers, tiers2], winner);
      expect(hp).to.deep.equal(expected.flat().map(BigInt));
      expect(await w.arena.statusOf(driver.id)).to.equal(winner === Seat.One ? Status.P1Win : Status.P2Win);
      expect(await w.arena.purseOf(winner === Seat.One ? w.alice : w.bob, w.fight)).to.equal(1006n * UNIT);
      expect((await w.arena.recordOf(w.autoBattler, winner === Seat.One ? w.alice : w.bob)).wins).to.equal(1n);
      expect(await w.arena.positionOf(driver.id)).to.equal(ZERO_HASH);
      const now = BigInt(await time.latest());
      for (const id of [...team1, ...team2]) expect(await untilOf(id)).to.deep.equal([0n, now + DAY]);
    });

    it("has the same result for any sender, time and gas limit of the reveal", async () => {
      const driver = await MatchDriver.create(w, team1);
      await driver.join(team2);
      await w.arena.connect(w.alice).allow(w.stranger, 2n ** 40n - 1n);
      const results: unknown[] = [];
      for (const [sender, later, gasLimit] of [
        [w.alice, 1, 3_000_000],
        [w.stranger, 80_000, 9_000_000],
      ] as const) {
        await inPassing(async () => {
          await time.increase(later);
          const receipt = await receiptOf(w.arena.connect(sender).act(driver.id, driver.revealData(), { gasLimit }));
          results.push([entriesOf(w, receipt), await w.arena.statusOf(driver.id)]);
        });
      }
      expect(results[0]).to.deep.equal(results[1]);
    });

    it("keeps the log consistent with the rules, and fighters' counters with the log, over several matches", async () => {
      const teams: [bigint[], bigint[]] = [
        await teamOf(w, w.alice, (slot) => tiersOf(slot * 3 + 1), true),
        await teamOf(w, w.bob, (slot) => tiersOf(slot * 2 + 4), true),
      ];
      const tiers: [Tiers[], Tiers[]] = [five((slot) => tiersOf(slot * 3 + 1)), five((slot) => tiersOf(slot * 2 + 4))];
      const scores = new Map<bigint, Score>();
      const seen = new Set<string>();
      const mode = await register(changed({ 2: 9000, 3: 3000, 4: 100, 5: 30_000, 12: 40, 13: 80, 14: 160 }));
      for (let n = 0; n < 6; n++) {
        const custom = n % 2 === 1;
        const driver = await MatchDriver.create(w, teams[0], {
          mode: custom ? mode : ZERO_HASH,
          salt: `${n}`,
        });
        await driver.join(teams[1]);
        const entries = entriesOf(w, await receiptOf(driver.reveal()));
        const numbers = custom ? changed({ 2: 9000, 3: 3000, 4: 100, 5: 30_000, 12: 40, 13: 80, 14: 160 }) : DEFAULTS;
        const winner = (await w.arena.statusOf(driver.id)) === Status.P1Win ? Seat.One : Seat.Two;
        checkLog(entries, numbers, tiers, winner);
        addScores(scores, entries, teams);
        for (const a of entries.map(read)) {
          seen
            .add(`first ${SIDES[read(entries[0]).side]}`)
            .add(`penalty ${a.penalty}`)
            .add(`dodge ${a.dodge}`)
            .add(`combo ${a.combo}`);
        }
      }
      expect(scores.size).to.equal(10);
      for (const [id, score] of scores) expect(await scoreOf(w, id)).to.deep.equal(score);
      const all = [
        "first 1",
        "first 2",
        ...[0, 1, 2, 3].map((p) => `penalty ${p}`),
        "dodge true",
        "dodge false",
        "combo true",
        "combo false",
      ];
      expect([...seen]).to.have.members(all);
    });
  });

  it("keeps the counters of fighters that rest after each match, and tells in their records until when", async () => {
    const scores = new Map<bigint, Score>();
    for (const salt of ["first", "second"]) {
      const driver = await MatchDriver.create(w, team1, { salt });
      await driver.join(team2);
      addScores(scores, entriesOf(w, await receiptOf(driver.reveal())), [team1, team2]);
      const { cooldownEnd } = await w.autoBattler.fighterOf(team1[0]);
      expect(cooldownEnd).to.equal(BigInt(await time.latest()) + DAY);
      for (const id of [...team1, ...team2]) {
        expect(await untilOf(id)).to.deep.equal([0n, cooldownEnd]);
        expect((await w.autoBattler.fighterOf(id)).cooldownEnd).to.equal(cooldownEnd);
      }
      await time.increaseTo(cooldownEnd + 1n);
    }
    for (const [id, score] of scores) expect(await scoreOf(w, id)).to.deep.equal(score);
  });

  describe("when a match ends without a battle", () => {
    const endings: [string, (driver: MatchDriver) => Promise<unknown>, bigint][] = [
      ["player 1 lets the clock run out", (driver) => expire(driver), Status.P2WinInactive],
      ["player 1 resigns", (driver) => w.arena.connect(w.alice).resign(driver.id), Status.P2Win],
      ["player 2 resigns", (driver) => w.arena.connect(w.bob).resign(driver.id), Status.P1Win],
    ];
    const expire = async (driver: MatchDriver) => {
      await time.increaseTo((await w.arena.matchOf(driver.id)).deadline);
      return w.arena.connect(w.stranger).timeout(driver.id);
    };

    for (const [what, end, status] of endings) {
      it(`frees player 2's fighters, starts no cooldown and changes no counter if ${what}`, async () => {
        const before = (await fightersOf([...team1, ...team2])).map((fighter) => fighter.slice(1));
        const driver = await MatchDriver.create(w, team1);
        await driver.join(team2);
        for (const id of team2) expect((await untilOf(id))[0]).to.equal(driver.id);
        await end(driver);
        expect(await w.arena.statusOf(driver.id)).to.equal(status);
        expect((await fightersOf([...team1, ...team2])).map((fighter) => fighter.slice(1))).to.deep.equal(before);
        for (const id of team2) expect(await untilOf(id)).to.deep.equal([0n, 0n]);
        await expect(driver.reveal()).to.be.revertedWithCustomError(w.arena, "WrongStatus").withArgs(driver.id, status);
        const again = await MatchDriver.create(w, team1, { salt: "again" });
        await again.join(team2);
        await again.reveal();
      });
    }

    it("changes no counter and engages no fighter if player 2 never joins", async () => {
      const terms = await termsFor(w, { game: await w.autoBattler.getAddress(), clock: DAY });
      await w.arena.connect(w.alice).create(terms, w.bob, 0, saltOf("any commitment"));
      await w.arena.connect(w.bob).fund(1, await offerHashOf(w.arena, 1));
      await time.increase(DAY + 1n);
      await w.arena.connect(w.stranger).timeout(1);
      expect(await w.arena.statusOf(1)).to.equal(Status.P1WinInactive);
      for (const id of [...team1, ...team2]) expect(await untilOf(id)).to.deep.equal([0n, 0n]);
    });
  });

  describe("when a team is chosen", () => {
    it("refuses another player's fighter in any slot", async () => {
      for (const slot of [0, 4]) {
        const team = team2.with(slot, team1[slot]);
        await expectRefusedForBoth(team, w.bob, "NotOwned", (player) => [team1[slot], w.alice, player]);
      }
    });

    it("refuses a fighter that is only approved to the player", async () => {
      const other = await mint(w, w.carol, tiersOf(1));
      await w.fighters.connect(w.carol).setApprovalForAll(w.bob, true);
      await expectRefusedForBoth(team2.with(2, other), w.bob, "NotOwned", (player) => [other, w.carol, player]);
    });

    it("refuses the same fighter twice, in any two slots", async () => {
      for (let a = 0; a < 5; a++) {
        for (let b = a + 1; b < 5; b++) {
          const driver = await MatchDriver.create(w, team1);
          await refused(() => driver.join(team2.with(b, team2[a])), "SameFighterTwice", [team2[a]]);
        }
      }
      await expectRefusedForBoth(team1.with(4, team1[0]), w.alice, "SameFighterTwice", () => [team1[0]]);
    });

    it("refuses fighters that were never minted or are burned", async () => {
      for (const id of [0n, 11n, 2n ** 128n - 1n]) {
        await expectRefusedForBoth(team2.with(1, id), w.bob, "NotOwned", nobodys(id));
      }
      await w.fighters.connect(w.bob).burn(team2[3]);
      await expectRefusedForBoth(team2, w.bob, "NotOwned", nobodys(team2[3]));
    });

    it("refuses ids that equal a fighter's id only in their lowest 8, 16, 32 or 64 bits", async () => {
      for (const power of [8n, 16n, 32n, 64n, 127n]) {
        const alias = team2[0] + 2n ** power;
        await expectRefusedForBoth(team2.with(0, alias), w.bob, "NotOwned", nobodys(alias));
      }
    });

    it("refuses a fighter that is busy in another match", async () => {
      const other = await MatchDriver.create(w, await teamOf(w, w.carol), { player1: w.carol });
      await other.join(team2);
      await expectRefusedForBoth(team2, w.bob, "Busy", () => [team2[0], other.id]);
    });

    it("refuses a fighter until the exact second in which its cooldown ends", async () => {
      const spare = await teamOf(w, w.alice);
      const driver = await MatchDriver.create(w, team1);
      await driver.join(team2);
      await driver.reveal();
      const until = BigInt(await time.latest()) + DAY;
      const joining = await MatchDriver.create(w, spare, { salt: "join", clock: 10n * DAY });
      const reveal = await MatchDriver.create(w, team2, {
        player1: w.bob,
        player2: w.alice,
        salt: "open",
        clock: 10n * DAY,
      });
      await reveal.join(spare);
      for (const send of [() => reveal.reveal(), () => joining.join(team2)]) {
        await inPassing(async () => {
          await time.setNextBlockTimestamp(until - 1n);
          await refused(send, "CoolingDown", [team2[0], until, until - 1n]);
        });
        await inPassing(async () => {
          await time.setNextBlockTimestamp(until);
          await send();
        });
      }
    });

    it("refuses any number of fighters other than five", async () => {
      const driver = await MatchDriver.create(w, team1);
      for (const team of [[], team2.slice(1), [...team2, ...team1]]) {
        await refused(() => driver.join(team), "WrongLength", [98 + team.length * 16, 178, 178]);
      }
    });

    it("refuses a reveal with a fighter that player 2 gave to player 1 after the join, so no fighter is on both sides", async () => {
      const driver = await MatchDriver.create(w, team1.with(0, team2[0]));
      await driver.join(team2);
      await w.fighters.connect(w.bob).transferFrom(w.bob, w.alice, team2[0]);
      await refused(() => driver.reveal(), "Busy", [team2[0], driver.id]);
    });
  });

  it("takes fighters with ids above 255, 65535 and 2^32 (AI Arena H-06)", async () => {
    const slot = await lastIdSlot();
    const ids: bigint[][] = [[], []];
    for (const [i, power] of [8n, 16n, 32n, 64n, 127n].entries()) {
      await networkHelpers.setStorageAt(await w.fighters.getAddress(), slot, 2n ** power - 1n);
      ids[0].push(await mint(w, w.alice, tiersOf(i)));
      ids[1].push(await mint(w, w.bob, tiersOf(i + 5)));
      expect(ids[0].at(-1)).to.equal(2n ** power);
    }
    const driver = await MatchDriver.create(w, ids[0]);
    await driver.join(ids[1]);
    const entries = entriesOf(w, await receiptOf(driver.reveal()));
    const scores = new Map<bigint, Score>();
    addScores(scores, entries, [ids[0], ids[1]]);
    for (const [id, score] of scores) expect(await scoreOf(w, id)).to.deep.equal(score);
    for (const id of [...team1, ...team2]) expect(await untilOf(id)).to.deep.equal([0n, 0n]);
  });

  /** Storage slot of the last id, which is the number of fighters minted. */
  async function lastIdSlot(): Promise<number> {
    const address = await w.fighters.getAddress();
    for (let slot = 0; slot < 20; slot++)
      if (BigInt(await networkHelpers.getStorageAt(address, slot)) === 10n) return slot;
    throw new Error("not found");
  }

  it("keeps player 2's fighters busy from the join until the match ends", async () => {
    const driver = await MatchDriver.create(w, team1);
    for (const id of [...team1, ...team2]) expect(await untilOf(id)).to.deep.equal([0n, 0n]);
    await driver.join(team2);
    for (const id of team2) expect(await untilOf(id)).to.deep.equal([driver.id, 0n]);
    for (const id of team1) expect(await untilOf(id)).to.deep.equal([0n, 0n]);
    await time.increase(DAY);
    for (const id of team2) expect(await untilOf(id)).to.deep.equal([driver.id, 0n]);
    await w.arena.connect(w.stranger).timeout(driver.id);
    for (const id of team2) expect(await untilOf(id)).to.deep.equal([0n, 0n]);
  });

  it("predicts with busyUntil whether a join succeeds", async () => {
    const golden = await mint(w, w.bob, tiersOf(3), true);
    const fresh = await teamOf(w, w.bob, tiersOf);
    const driver = await MatchDriver.create(w, team1);
    await driver.join(team2.with(4, golden));
    const other = await MatchDriver.create(w, await teamOf(w, w.carol), { player1: w.carol, salt: "dry run" });
    const agree = async () => {
      const seen = new Set<boolean>();
      for (const id of [...team2, golden]) {
        const [matchId, until] = await w.autoBattler.busyUntil(id);
        // A dry run has the time of the block after the latest.
        const next = (await time.latest()) + 1;
        const free = matchId === 0n && until <= BigInt(next);
        const joined = await inPassing(async () => {
          await time.setNextBlockTimestamp(next);
          return other.join(fresh.with(0, id)).then(
            () => true,
            () => false,
          );
        });
        expect(joined).to.equal(free);
        seen.add(free);
      }
      return [...seen].sort();
    };
    expect(await agree()).to.deep.equal([false, true]);
    await driver.reveal();
    expect(await agree()).to.deep.equal([false, true]);
    const until = BigInt(await time.latest()) + DAY;
    await time.increaseTo(until - 2n);
    expect(await agree()).to.deep.equal([false, true]);
    await time.increaseTo(until - 1n);
    expect(await agree()).to.deep.equal([true]);
  });

  it("has neither a record nor a cooldown of fighters that were never minted", async () => {
    for (const id of [0n, BigInt(Number.MAX_SAFE_INTEGER)])
      for (const read of [w.autoBattler.fighterOf, w.autoBattler.busyUntil])
        await expect(read(id)).to.be.revertedWithCustomError(w.fighters, "UnknownFighter").withArgs(id);
  });

  it("lets golden fighters fight again at once", async () => {
    const golden1 = await teamOf(w, w.alice, tiersOf, true);
    const golden2 = await teamOf(w, w.bob, tiersOf, true);
    for (const salt of ["1", "2"]) {
      const driver = await MatchDriver.create(w, golden1, { salt });
      await driver.join(golden2.with(0, salt === "1" ? team2[0] : golden2[0]));
      await driver.reveal();
    }
    expect((await untilOf(golden1[0]))[1]).to.equal(0n);
    expect((await untilOf(team2[0]))[1] > 0n).to.equal(true);
  });

  it("relies on fighters that move only by burn, transferFrom and both forms of safeTransferFrom", () => {
    const moving = ["burn", "safeTransferFrom", "safeTransferFrom", "transferFrom"];
    const others = ["approve", "setApprovalForAll", "mint", "setMinter"];
    const ownership = ["acceptOwnership", "renounceOwnership", "transferOwnership"];
    const names = changing(w.fighters).map(({ name }) => name);
    expect(names).to.have.members([...moving, ...others, ...ownership]);
  });

  describe("when fighters of player 2 are moved after the join (AI Arena H-01, H-02)", () => {
    const ways: Record<string, (id: bigint) => Promise<unknown>> = {
      "transferFrom to a third account": (id) => w.fighters.connect(w.bob).transferFrom(w.bob, w.carol, id),
      "transferFrom by an approved operator": async (id) => {
        await w.fighters.connect(w.bob).setApprovalForAll(w.carol, true);
        return w.fighters.connect(w.carol).transferFrom(w.bob, w.stranger, id);
      },
      safeTransferFrom: (id) =>
        w.fighters.connect(w.bob)["safeTransferFrom(address,address,uint256)"](w.bob, w.carol, id),
      "safeTransferFrom with data": (id) =>
        w.fighters.connect(w.bob)["safeTransferFrom(address,address,uint256,bytes)"](w.bob, w.carol, id, "0x1234"),
      "a sale to the opponent": (id) => w.fighters.connect(w.bob).transferFrom(w.bob, w.alice, id),
      "sending it into the game": async (id) => w.fighters.connect(w.bob).transferFrom(w.bob, w.autoBattler, id),
      "sending it into the arena": async (id) => w.fighters.connect(w.bob).transferFrom(w.bob, w.arena, id),
      burning: (id) => w.fighters.connect(w.bob).burn(id),
      "transferFrom by an account approved for this fighter only": async (id) => {
        await w.fighters.connect(w.bob).approve(w.carol, id);
        return w.fighters.connect(w.carol).transferFrom(w.bob, w.alice, id);
      },
      "burning by an approved operator": async (id) => {
        await w.fighters.connect(w.bob).setApprovalForAll(w.carol, true);
        return w.fighters.connect(w.carol).burn(id);
      },
    };
    for (const [what, move] of Object.entries(ways)) {
      it(`lets player 1 reveal, and frees no fighter: ${what}`, async () => {
        const driver = await MatchDriver.create(w, team1);
        await driver.join(team2);
        const undisturbed = await inPassing(async () => entriesOf(w, await receiptOf(driver.reveal())));
        for (const id of team2) await move(id);
        for (const id of team2) expect((await untilOf(id))[0]).to.equal(driver.id);
        const owner = await w.fighters.ownerOf(team2[0]).catch(() => undefined);
        if (owner === w.carol.address || owner === w.alice.address) {
          const player = owner === w.carol.address ? w.carol : w.alice;
          const other = await MatchDriver.create(w, await teamOf(w, w.stranger), {
            stake1: 0n,
            stake2: 0n,
            player1: w.stranger,
            player2: player,
          });
          await refused(() => other.join(team2), "Busy", [team2[0], driver.id]);
        }
        const receipt = await receiptOf(driver.reveal());
        expect(entriesOf(w, receipt)).to.deep.equal(undisturbed);
        const scores = new Map<bigint, Score>();
        addScores(scores, undisturbed, [team1, team2]);
        for (const [id, score] of scores) expect(await scoreOf(w, id)).to.deep.equal(score);
        const cooled = BigInt(await time.latest()) + DAY;
        for (const id of team2) expect(await untilOf(id)).to.deep.equal([0n, cooled]);
      });
    }
  });

  it("refuses to reveal a team if player 1 gave away a fighter in it, and affects no other match", async () => {
    const driver = await MatchDriver.create(w, team1);
    await driver.join(team2);
    await w.fighters.connect(w.alice).transferFrom(w.alice, w.carol, team1[2]);
    await refused(() => driver.reveal(), "NotOwned", [team1[2], w.carol, w.alice]);
    const four = await teamOf(w, w.carol);
    const other = await MatchDriver.create(w, four.with(0, team1[2]), {
      player1: w.carol,
      player2: w.alice,
      salt: "other",
    });
    const spare = await teamOf(w, w.alice);
    await other.join(spare);
    await other.reveal();
    const until = BigInt(await time.latest()) + DAY;
    await w.fighters.connect(w.carol).transferFrom(w.carol, w.alice, team1[2]);
    const next = BigInt(await time.latest()) + 1n;
    await time.setNextBlockTimestamp(next);
    await refused(() => driver.reveal(), "CoolingDown", [team1[2], until, next]);
    await time.increaseTo((await w.arena.matchOf(driver.id)).deadline);
    await w.arena.connect(w.bob).timeout(driver.id);
    expect(await w.arena.statusOf(driver.id)).to.equal(Status.P2WinInactive);
  });

  it("lets two committed teams share a fighter, but delays the second reveal until the fighter has rested", async () => {
    const first = await MatchDriver.create(w, team1);
    const second = await MatchDriver.create(w, team1, {
      player2: w.carol,
      salt: "second",
      clock: 10n * DAY,
    });
    await first.join(team2);
    await second.join(await teamOf(w, w.carol));
    await first.reveal();
    const until = BigInt(await time.latest()) + DAY;
    await time.setNextBlockTimestamp(until - 1n);
    await refused(() => second.reveal(), "CoolingDown", [team1[0], until, until - 1n]);
    await time.setNextBlockTimestamp(until);
    await second.reveal();
  });

  describe("given custom modes", () => {
    const name = (field: number) => (field === COOLDOWN ? 48 : 2 * field);
    const outOfBounds = async (changes: Record<number, number>, field: number, min: number, max: number) => {
      const numbers = changed(changes);
      const args = [name(field), numbers[field], min, max];
      await refused(() => w.autoBattler.registerMode(modeBytes(numbers)), "ModeOutOfBounds", args);
    };

    it("registers modes with default, smallest and largest values, each once, under the hash of the content", async () => {
      const min = [2, 1, 0, 0, 0, 10_000, ...Array(12).fill(1), ...Array(6).fill(0), 0];
      const max = [1000, 1000, 10_000, 10_000, 10_000, 60_000, ...Array(18).fill(65_535), 30 * 86_400];
      for (const numbers of [DEFAULTS, min, max]) {
        const content = modeBytes(numbers);
        const hash = ethers.keccak256(content);
        const registering = w.autoBattler.connect(w.stranger).registerMode(content);
        await expect(registering).to.emit(w.autoBattler, "ModeRegistered").withArgs(hash, content);
        await expect(w.autoBattler.registerMode(content)).not.to.emit(w.autoBattler, "ModeRegistered");
        expect(await w.autoBattler.registerMode.staticCall(content)).to.equal(hash);
        expect(await w.autoBattler.modeOf(hash)).to.equal(content);
      }
      expect(await w.autoBattler.modeOf(ZERO_HASH)).to.equal(modeBytes(DEFAULTS));
    });

    it("refuses every field outside its bounds", async () => {
      for (const value of [0, 1, 1001, 65_535]) await outOfBounds({ 0: value }, 0, 2, 1000);
      for (const value of [0, 1001, 65_535]) await outOfBounds({ 1: value }, 1, 1, 1000);
      for (const value of [10_001, 65_535]) await outOfBounds({ 2: value }, 2, 0, 10_000);
      for (const value of [0, 9_999, 60_001, 65_535]) await outOfBounds({ 5: value }, 5, 10_000, 60_000);
      for (const value of [30 * 86_400 + 1, 2 ** 32 - 1]) await outOfBounds({ 24: value }, 24, 0, 30 * 86_400);
      for (const stat of [0, 1, 2, 3]) await outOfBounds({ [6 + 3 * stat]: 0 }, 6 + 3 * stat, 1, 65_535);
      for (const stat of [4, 5]) await w.autoBattler.registerMode(modeBytes(changed({ [6 + 3 * stat]: 0 })));
    });

    it("refuses range factors that increase, and other values that decrease", async () => {
      await outOfBounds({ 3: 7501 }, 3, 0, 7500);
      await outOfBounds({ 4: 5001 }, 4, 0, 5000);
      for (let stat = 0; stat < 6; stat++) {
        const field = 6 + 3 * stat;
        await outOfBounds({ [field]: DEFAULTS[field + 1] + 1 }, field + 1, DEFAULTS[field + 1] + 1, 65_535);
        await outOfBounds({ [field + 1]: DEFAULTS[field + 2] + 1 }, field + 2, DEFAULTS[field + 2] + 1, 65_535);
      }
    });

    it("refuses content of any other length", async () => {
      for (let length = 0; length < 110; length++) {
        if (length === 52) continue;
        const content = ethers.concat([modeBytes(DEFAULTS), new Uint8Array(60)]).slice(0, 2 + 2 * length);
        await refused(() => w.autoBattler.registerMode(content), "WrongLength", [length, 52, 52]);
      }
    });

    it("rejects an unknown mode in create and in reads of its content", async () => {
      const mode = ethers.keccak256(modeBytes(changed({ 0: 77 })));
      await refused(() => MatchDriver.create(w, team1, { mode }) as never, "UnknownMode", [mode]);
      await refused(() => w.autoBattler.modeOf(mode) as never, "UnknownMode", [mode]);
      await register(changed({ 0: 77 }));
      await MatchDriver.create(w, team1, { mode });
    });

    it("agrees with the preview, and lets fighters fight again immediately if the mode has no cooldown", async () => {
      const numbers = changed({ 0: 3, 1: 20, 5: 60_000, 24: 0 });
      const mode = await register(numbers);
      for (const salt of ["1", "2"]) {
        const driver = await MatchDriver.create(w, team1, { mode, salt });
        await driver.join(team2);
        const tiers: [Team<Tiers>, Team<Tiers>] = [five(tiersOf), five((slot) => tiersOf(slot + 5))];
        const [winner, , entries] = await w.autoBattler.preview(driver.seed, modeBytes(numbers), ...tiers);
        expect(entriesOf(w, await receiptOf(driver.reveal()))).to.deep.equal([...entries]);
        checkLog([...entries], numbers, tiers, winner);
      }
      expect(await untilOf(team1[0])).to.deep.equal([0n, 0n]);
    });
  });

  describe("given a battle of a hundred rounds", () => {
    const ALL = (tier: number): Tiers => [tier, tier, tier, tier, tier, tier];
    /** A mode in which fighters with health of tier 3 never die, and those of tier 1 die from the first hit. */
    const ENDLESS = changed({ 0: 1000, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1, 13: 1, 14: 65_535 });
    const WORST = [
      1000, 1, 9999, 9998, 9997, 60_000, 2, 2, 2, 1, 1, 1, 65_535, 65_535, 65_535, 1, 1, 1, 0, 0, 0, 65_535, 65_535,
      65_535, 86_400,
    ];

    it("is won by player 1 if both sides have the same number of living fighters, whoever attacked first", async () => {
      const mode = await register(ENDLESS);
      const one = await teamOf(w, w.alice, () => ALL(3), true);
      const two = await teamOf(w, w.bob, () => ALL(3), true);
      const began = new Set<number>();
      for (let n = 0; began.size < 2; n++) {
        const driver = await MatchDriver.create(w, one, { mode, salt: `${n}` });
        await driver.join(two);
        const entries = entriesOf(w, await receiptOf(driver.reveal()));
        expect(entries.length).to.equal(1000);
        began.add(read(entries[0]).side);
        expect(await w.arena.statusOf(driver.id)).to.equal(Status.P1Win);
      }
    });

    it("is won by the side with more living fighters", async () => {
      const mode = await register(ENDLESS);
      const weak = (slot: number): Tiers => (slot === 3 ? [3, 3, 1, 3, 3, 3] : ALL(3));
      for (const winner of [Seat.One, Seat.Two]) {
        const one = await teamOf(w, w.alice, winner === Seat.Two ? weak : () => ALL(3));
        const two = await teamOf(w, w.bob, winner === Seat.One ? weak : () => ALL(3));
        const driver = await MatchDriver.create(w, one, { mode, salt: `${winner}` });
        await driver.join(two);
        const entries = entriesOf(w, await receiptOf(driver.reveal()));
        const tiers = five(weak);
        const strong = five(() => ALL(3));
        const { rounds } = checkLog(entries, ENDLESS, winner === Seat.Two ? [tiers, strong] : [strong, tiers], winner);
        expect(rounds).to.equal(100);
        expect(await w.arena.statusOf(driver.id)).to.equal(winner === Seat.One ? Status.P1Win : Status.P2Win);
      }
    });

    it("is revealed for less than 4,000,000 gas with the worst rules, ids, fighters and records", async () => {
      const mode = await register(WORST);
      const slot = await lastIdSlot();
      await networkHelpers.setStorageAt(await w.fighters.getAddress(), slot, 2n ** 128n - 1n - 2n ** 100n);
      const one = await teamOf(w, w.alice, () => ALL(3));
      const two = await teamOf(w, w.bob, () => ALL(3));
      await w.arena.setTreasury(await deployMock("ScriptedGame", w.arena));
      await w.arena.connect(w.alice).allow(w.stranger, 2n ** 40n - 1n);
      const driver = await MatchDriver.create(w, one, { mode });
      await driver.join(two);
      const reveal = ethers.concat([driver.revealData(), new Uint8Array(128).fill(255)]);
      const receipt = await receiptOf(w.arena.connect(w.stranger).act(driver.id, reveal));
      const entries = entriesOf(w, receipt);
      expect(entries.length).to.equal(1000);
      expect(entries.filter((entry) => read(entry).combo && read(entry).penalty > 0).length > 700).to.equal(true);
      if (process.env.SHOW_GAS) console.log(`worst reveal: ${receipt.gasUsed} gas`);
      // Contracts instrumented for coverage cost several times as much.
      if (!hre.globalOptions.coverage) expect(receipt.gasUsed < 4_000_000n, `${receipt.gasUsed}`).to.equal(true);
    });
  });
});
