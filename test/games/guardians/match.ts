import { expect } from "chai";
import { games } from "../../../sdk/games/index.js";
import { guardians } from "../../../sdk/games/guardians/index.js";
import { decodeTurn } from "../../../sdk/games/guardians/log.js";
import { operatorChecks } from "../../../sdk/games/operators.js";
import { moveChecks } from "../../../sdk/games/guardians/move-checks.js";
import { defaultMode, encodeMode, type Mode } from "../../../sdk/games/guardians/mode.js";
import type { CardStats } from "../../../sdk/games/guardians/cards.js";
import { History } from "../../../sdk/chain/history.js";
import { replay } from "../../../sdk/verify/replay.js";
import { MatchDriver, CARD, historyOf, mint, statsOf, teamOf } from "../../support/guardians.js";
import { chainStats } from "../../support/cards.js";
import { expectRefused } from "../../support/refusals.js";
import {
  deployed,
  ethers,
  inPassing,
  loadFixture,
  logsIn,
  networkHelpers,
  receiptOf,
  Seat,
  Status,
  time,
  UNIT,
  ZERO_HASH,
  type World,
} from "../../support/index.js";

const STATS1 = [0, 1, 2].map(statsOf);
const STATS2 = [3, 4, 5].map(statsOf);
/** A card that never deals or takes more than 1 damage. */
const STONE: CardStats = { ...CARD, power: 1, defense: 1000, critical: 0, luck: 0 };

describe("Guardians: matches", () => {
  let w: World;
  let team1: bigint[];
  let team2: bigint[];

  /** The usual world with three cards for alice and three for bob. */
  async function withTeams() {
    const world = await deployed();
    const one = await teamOf(world, world.alice, STATS1);
    const two = await teamOf(world, world.bob, STATS2);
    return { world, one, two };
  }
  beforeEach(async () => {
    const fixture = await loadFixture(withTeams);
    [w, team1, team2] = [fixture.world, fixture.one, fixture.two];
  });

  const refused = async (send: () => Promise<unknown>, error: string, args: unknown[]) => {
    await expectRefused(w, send, error, args);
  };
  const register = async (changes: Partial<Mode>) => {
    const content = encodeMode({ ...defaultMode, ...changes });
    await w.guardians.registerMode(content);
    return ethers.keccak256(content);
  };
  const entriesOf = async (sent: ReturnType<MatchDriver["reveal"]>) => {
    return logsIn(w.guardians, await receiptOf(sent))[0].entries;
  };

  describe("when a match is played to the end", () => {
    it("agrees with the preview, pays and rates the players, logs the battle, and leaves no data in storage", async () => {
      for (const salt of ["a", "b", "c", "d", "e", "f"]) {
        const purses = await Promise.all([w.alice, w.bob].map((player) => w.arena.purseOf(player, w.fight)));
        const records = await Promise.all([w.alice, w.bob].map((player) => w.arena.recordOf(w.guardians, player)));
        const driver = await MatchDriver.create(w, team1, { salt });
        await driver.join(team2);
        const preview = w.guardians.preview(driver.seed, "0x", STATS1.map(chainStats), STATS2.map(chainStats));
        const [winner, order, , entries] = await preview;
        expect(await entriesOf(driver.reveal())).to.deep.equal([...entries]);
        const first = decodeTurn(entries[0]);
        expect(order[0]).to.equal(BigInt((first.attacker - 1) * 5 + first.attackerSlot));
        expect(await w.arena.statusOf(driver.id)).to.equal(winner === Seat.One ? Status.P1Win : Status.P2Win);
        for (const [i, player] of [w.alice, w.bob].entries()) {
          const won = winner === BigInt(i + 1);
          expect(await w.arena.purseOf(player, w.fight)).to.equal(purses[i] + (won ? 6n : -10n) * UNIT);
          const record = await w.arena.recordOf(w.guardians, player);
          expect(record.wins).to.equal(records[i].wins + (won ? 1n : 0n));
          expect(record.experience).to.equal(records[i].experience + (won ? 50n : 20n));
        }
        expect(await w.arena.positionOf(driver.id)).to.equal(ZERO_HASH);
      }
    });

    it("is won by either player, from either seat", async () => {
      const strong = await teamOf(
        w,
        w.carol,
        [0, 1, 2].map((n) => ({ ...statsOf(n), hp: 60_000 })),
      );
      const one = await MatchDriver.create(w, strong, { player1: w.carol });
      await one.join(team2);
      await one.reveal();
      expect(await w.arena.statusOf(one.id)).to.equal(Status.P1Win);
      const two = await MatchDriver.create(w, team1, { player2: w.carol });
      await two.join(strong);
      await two.reveal();
      expect(await w.arena.statusOf(two.id)).to.equal(Status.P2Win);
    });

    it("returns both stakes in a draw, without a fee, and changes no rating", async () => {
      const mode = await register({ teamSize: 1, maxTurns: 2 });
      const [one, two] = [await teamOf(w, w.alice, [STONE]), await teamOf(w, w.bob, [STONE])];
      const driver = await MatchDriver.create(w, one, { mode, stake1: 7n * UNIT });
      await driver.join(two);
      await driver.reveal();
      expect(await w.arena.statusOf(driver.id)).to.equal(Status.Draw);
      for (const player of [w.alice, w.bob]) {
        expect(await w.arena.purseOf(player, w.fight)).to.equal(1000n * UNIT);
        const { rating, draws, experience } = await w.arena.recordOf(w.guardians, player);
        expect([rating, draws, experience]).to.deep.equal([1000n, 1n, 20n]);
      }
      expect(await w.arena.purseOf(w.treasury, w.fight)).to.equal(0n);
    });

    it("accepts as many cards as the mode requires, from one to five", async () => {
      for (const teamSize of [1, 2, 4, 5]) {
        const changes = { mode: await register({ teamSize }) };
        const slots = Array.from({ length: teamSize }, (_, slot) => slot);
        const one = await teamOf(w, w.alice, slots.map(statsOf));
        const two = await teamOf(
          w,
          w.bob,
          slots.map((slot) => statsOf(slot + 5)),
        );
        const driver = await MatchDriver.create(w, one, changes);
        const spare = await mint(w, w.bob, CARD);
        const due = 98 + 16 * teamSize;
        const wrong = [...(teamSize > 1 ? [two.slice(1)] : []), ...(teamSize < 5 ? [[...two, spare]] : [])];
        for (const team of wrong) {
          await refused(() => driver.join(team), "WrongLength", [98 + 16 * team.length, due, due]);
        }
        await driver.join(two);
        expect((await entriesOf(driver.reveal())).length).to.be.greaterThan(teamSize - 1);
      }
    });

    it("is replayed from its events alone, and described line by line", async () => {
      const history = await historyOf(w);
      const driver = await MatchDriver.create(w, team1);
      await driver.join(team2);
      expect(await guardians.story(await history.match(driver.id), history, (text) => text)).to.deep.equal([]);
      expect(await guardians.decodeLog(await history.match(driver.id), history)).to.deep.equal([]);
      const entries = await entriesOf(driver.reveal());
      await w.cards.connect(w.bob).burn(team2[1]);
      const { record, mismatch } = await replay(history, games, driver.id);
      expect(mismatch).to.equal(undefined);
      const turns = (await guardians.decodeLog(record, history)) as { attackerId: bigint; defenderId: bigint }[];
      for (const [i, { attackerId, defenderId, ...turn }] of turns.entries()) {
        expect(turn).to.deep.equal(decodeTurn(entries[i]));
        const teams = [team1, team2];
        const { attacker, attackerSlot, defenderSlot } = decodeTurn(entries[i]);
        expect([attackerId, defenderId]).to.deep.equal([
          teams[attacker - 1][attackerSlot],
          teams[2 - attacker][defenderSlot],
        ]);
      }
      const story = await guardians.story(record, history, (text, player) => `${player}:${text}`);
      expect(story.slice(0, 2)).to.deep.equal([
        "Team 1",
        "  1:▲Galactic #1: power 400  defense 200  hp 900  speed 100  critical 0 %  luck 0 %",
      ]);
      expect(story.slice(9)).to.have.length(entries.length);
      for (const line of story.slice(9))
        expect(line).to.match(/^ {2}(1:▲|2:▽)\w+ #\d+ (strikes at|hits|lands a critical)/);
      expect(story.at(-1)).to.include("and that was the last of it");
    });
  });

  describe("when a team is chosen", () => {
    /** Expects a join and a reveal with a team to be refused with the same error, and player 1 to lose by the clock. */
    const expectRefusedForBoth = async (
      team: (player: World["alice"]) => bigint[],
      error: string,
      args: unknown[][],
    ) => {
      const joined = await MatchDriver.create(w, team1, { salt: "joined" });
      await refused(() => joined.join(team(w.bob)), error, args[1]);
      const opened = await MatchDriver.create(w, team(w.alice), { salt: "opened" });
      await opened.join(team2);
      await refused(() => opened.reveal(), error, args[0]);
      await time.increaseTo((await w.arena.matchOf(opened.id)).deadline + 1n);
      await w.arena.timeout(opened.id);
      expect(await w.arena.statusOf(opened.id)).to.equal(Status.P2WinInactive);
    };
    const ownOf = (player: World["alice"]) => (player === w.alice ? team1 : team2);

    it("refuses another player's card", async () => {
      const other = await mint(w, w.carol, CARD);
      const args = [w.alice, w.bob].map((player) => [other, w.carol.address, player.address]);
      await expectRefusedForBoth((player) => ownOf(player).with(2, other), "CardNotOwned", args);
    });

    it("refuses a card that its owner has only approved to the player", async () => {
      const other = await mint(w, w.carol, CARD);
      await w.cards.connect(w.carol).setApprovalForAll(w.alice, true);
      await w.cards.connect(w.carol).approve(w.bob, other);
      const args = [w.alice, w.bob].map((player) => [other, w.carol.address, player.address]);
      await expectRefusedForBoth((player) => ownOf(player).with(0, other), "CardNotOwned", args);
    });

    it("refuses a team with one card in two slots, whatever the slots", async () => {
      const args = [team1, team2].map((team) => [team[2]]);
      await expectRefusedForBoth((player) => ownOf(player).with(0, ownOf(player)[2]), "SameCardTwice", args);
    });

    it("refuses a card that was burned or never minted", async () => {
      const burned = await mint(w, w.carol, CARD);
      await w.cards.connect(w.carol).burn(burned);
      const argsOf = (id: bigint) => [w.alice, w.bob].map((player) => [id, ethers.ZeroAddress, player.address]);
      for (const id of [burned, burned + 1n, 0n, 2n ** 128n - 1n]) {
        await inPassing(() => expectRefusedForBoth((player) => ownOf(player).with(1, id), "CardNotOwned", argsOf(id)));
      }
    });

    it("checks a team only once, so that player 2's later transfers change nothing", async () => {
      const driver = await MatchDriver.create(w, team1);
      await driver.join(team2);
      const undisturbed = await inPassing(() => entriesOf(driver.reveal()));
      await w.cards.connect(w.bob).burn(team2[0]);
      await w.cards.connect(w.bob).transferFrom(w.bob, w.carol, team2[1]);
      await w.cards.connect(w.bob).transferFrom(w.bob, w.alice, team2[2]);
      expect(await entriesOf(driver.reveal())).to.deep.equal(undisturbed);
    });

    it("refuses to reveal a team while player 1 has given a card away, until the card is back", async () => {
      const driver = await MatchDriver.create(w, team1);
      await w.cards.connect(w.alice).transferFrom(w.alice, w.carol, team1[2]);
      await driver.join(team2);
      await refused(() => driver.reveal(), "CardNotOwned", [team1[2], w.carol.address, w.alice.address]);
      await w.cards.connect(w.carol).transferFrom(w.carol, w.alice, team1[2]);
      await driver.reveal();
      expect(await w.arena.statusOf(driver.id)).to.be.oneOf([Status.P1Win, Status.P2Win]);
    });

    it("accepts ids up to 2^128 - 1", async () => {
      const address = await w.cards.getAddress();
      const slots = await Promise.all([...Array(20).keys()].map((at) => networkHelpers.getStorageAt(address, at)));
      const slot = slots.findIndex((word) => BigInt(word) === 6n);
      const ids: bigint[] = [];
      for (const power of [8n, 16n, 32n, 64n, 96n]) {
        await networkHelpers.setStorageAt(address, slot, 2n ** power - 1n);
        ids.push(await mint(w, w.alice, statsOf(Number(power))));
      }
      await networkHelpers.setStorageAt(address, slot, 2n ** 128n - 2n);
      ids.push(await mint(w, w.alice, CARD));
      expect(ids.at(-1)).to.equal(2n ** 128n - 1n);
      for (const team of [ids.slice(0, 3), ids.slice(3)]) {
        const driver = await MatchDriver.create(w, team, { salt: `${team[0]}` });
        await driver.join(team2);
        expect((await entriesOf(driver.reveal())).length).to.be.greaterThan(2);
      }
    });
  });

  it("puts no cooldown on cards, which may be in several matches at once, on either side", async () => {
    const first = await MatchDriver.create(w, team1, { salt: "first" });
    const second = await MatchDriver.create(w, team1, { salt: "second", player2: w.carol });
    const carols = await teamOf(w, w.carol, STATS2);
    const third = await MatchDriver.create(w, carols, { salt: "third", player1: w.carol, player2: w.bob });
    await first.join(team2);
    await second.join(carols);
    await third.join(team2);
    for (const driver of [second, third, first]) {
      await driver.reveal();
      expect(await w.arena.statusOf(driver.id)).to.be.oneOf([Status.P1Win, Status.P2Win]);
    }
  });

  it("rejects the reveal of a team of the wrong size, and player 2 wins by timeout", async () => {
    for (const [size, error] of [
      [1, "WrongLength"],
      [2, "WrongLength"],
      [4, "WrongLength"],
      [5, "WrongRound"], // two cards more are as long as a next commitment
    ] as const) {
      const spare = await teamOf(w, w.alice, [CARD, CARD]);
      const driver = await MatchDriver.create(w, [...team1, ...spare].slice(0, size), { salt: `${size}` });
      await driver.join(team2);
      await expect(driver.reveal()).to.be.revertedWithCustomError(w.guardians, error);
      await time.increaseTo((await w.arena.matchOf(driver.id)).deadline + 1n);
      await w.arena.timeout(driver.id);
      expect(await w.arena.statusOf(driver.id)).to.equal(Status.P2WinInactive);
    }
  });

  it("ends by resignation and by the clock like any other match", async () => {
    const ends: [string, (driver: MatchDriver) => Promise<unknown>, bigint, bigint[]][] = [
      ["player 1 resigns", (driver) => w.arena.connect(w.alice).resign(driver.id), Status.P2Win, [-10n, 6n]],
      ["player 2 resigns", (driver) => w.arena.connect(w.bob).resign(driver.id), Status.P1Win, [6n, -10n]],
      [
        "player 1 never reveals",
        async (driver) => {
          await time.increaseTo((await w.arena.matchOf(driver.id)).deadline + 1n);
          await w.arena.connect(w.stranger).timeout(driver.id);
        },
        Status.P2WinInactive,
        [-10n, 10n],
      ],
    ];
    for (const [what, end, status, gains] of ends) {
      const before = await Promise.all([w.alice, w.bob].map((player) => w.arena.purseOf(player, w.fight)));
      const driver = await MatchDriver.create(w, team1, { salt: what });
      await driver.join(team2);
      await end(driver);
      expect(await w.arena.statusOf(driver.id), what).to.equal(status);
      const after = await Promise.all([w.alice, w.bob].map((player) => w.arena.purseOf(player, w.fight)));
      expect(after.map((purse, i) => purse - before[i])).to.deep.equal(gains.map((gain) => gain * UNIT));
      await expect(driver.reveal(), what).to.be.revertedWithCustomError(w.arena, "WrongStatus");
    }
  });

  describe("given custom modes", () => {
    const packed = (teamSize: number, maxTurns: number, dodgeCap: number) =>
      ethers.concat([ethers.toBeHex(teamSize, 1), ethers.toBeHex(maxTurns, 2), ethers.toBeHex(dodgeCap, 2)]);

    it("registers modes with default, smallest and largest values, each once, under the hash of the content", async () => {
      for (const content of [packed(3, 50, 750), packed(1, 1, 0), packed(5, 500, 1000)]) {
        const hash = ethers.keccak256(content);
        const registering = w.guardians.connect(w.stranger).registerMode(content);
        await expect(registering).to.emit(w.guardians, "ModeRegistered").withArgs(hash, content);
        await expect(w.guardians.registerMode(content)).not.to.emit(w.guardians, "ModeRegistered");
        expect(await w.guardians.modeOf(hash)).to.equal(content);
      }
      expect(await w.guardians.modeOf(ZERO_HASH)).to.equal(packed(3, 50, 750));
    });

    it("refuses every field outside its bounds, both in a registration and in a preview", async () => {
      for (const [mode, args] of [
        [packed(0, 50, 750), [0, 0, 1, 5]],
        [packed(6, 50, 750), [0, 6, 1, 5]],
        [packed(255, 50, 750), [0, 255, 1, 5]],
        [packed(3, 0, 750), [1, 0, 1, 500]],
        [packed(3, 501, 750), [1, 501, 1, 500]],
        [packed(3, 65_535, 750), [1, 65_535, 1, 500]],
        [packed(3, 50, 1001), [3, 1001, 0, 1000]],
        [packed(3, 50, 65_535), [3, 65_535, 0, 1000]],
      ] as const) {
        await refused(() => w.guardians.registerMode(mode), "ModeOutOfBounds", [...args]);
        await refused(() => w.guardians.preview(ZERO_HASH, mode, [], []), "ModeOutOfBounds", [...args]);
      }
    });

    it("refuses content of any other length", async () => {
      for (const length of [0, 1, 2, 3, 4, 6, 7, 32, 52]) {
        const content = `0x${"01".repeat(length)}`;
        await refused(() => w.guardians.registerMode(content), "WrongLength", [length, 5, 5]);
      }
    });

    it("refuses to create with an unknown mode", async () => {
      const mode = ethers.keccak256(packed(2, 2, 2));
      await refused(() => MatchDriver.create(w, team1, { mode }), "UnknownMode", [mode]);
      await register({ teamSize: 2, maxTurns: 2, dodgeCap: 2 });
      await MatchDriver.create(w, team1.slice(1), { mode });
    });

    it("fights by the mode's turns and cap", async () => {
      const mode = await register({ maxTurns: 4, dodgeCap: 0 });
      const lucky = { ...STONE, luck: 1000 };
      const [one, two] = [await teamOf(w, w.alice, [lucky, lucky, lucky]), team2];
      const driver = await MatchDriver.create(w, one, { mode });
      await driver.join(two);
      const turns = (await entriesOf(driver.reveal())).map(decodeTurn);
      expect(turns.map(({ turn, wasDodge }) => [turn, wasDodge])).to.deep.equal([1, 2, 3, 4].map((n) => [n, false]));
    });
  });

  describe("when a battle is previewed", () => {
    const stats = STATS1.map(chainStats);

    it("refuses teams whose size differs from the mode's", async () => {
      const preview = (one: number, two: number) =>
        w.guardians.preview(ZERO_HASH, "0x", [...stats, ...stats].slice(0, one), [...stats, ...stats].slice(0, two));
      for (const [one, two, size] of [
        [2, 3, 2],
        [3, 2, 2],
        [4, 3, 4],
        [3, 6, 6],
        [0, 3, 0],
      ]) {
        await refused(() => preview(one, two), "WrongTeamSize", [size, 3]);
      }
    });

    it("refuses stats that no card can have, on either side", async () => {
      const bad = { ...stats[0], luck: 1001 };
      for (const teams of [
        [[...stats.slice(1), bad], stats],
        [stats, [bad, ...stats.slice(1)]],
      ]) {
        await refused(
          () => w.guardians.preview(ZERO_HASH, "0x", teams[0], teams[1]),
          "StatOutOfBounds",
          [5, 1001, 0, 1000],
        );
      }
    });
  });

  it("warns of cards that belong to another player, or that an approved account can take", async () => {
    const [history, other] = [await historyOf(w), await mint(w, w.carol, CARD)];
    const about = (ids: bigint[]) =>
      moveChecks(ids, {
        player: w.alice.address,
        game: history.addresses.Guardians,
        history,
        committed: [],
      });
    expect(await about(team1)).to.deep.equal([]);
    await w.cards.connect(w.alice).approve(w.bob, team1[1]);
    expect(await about([other, ...team1])).to.deep.equal([
      `Card ${other} belongs to ${w.carol.address}: the team fights only while it is yours.`,
      `Card ${team1[1]} is approved to ${w.bob.address}, who can take it before the fight.`,
    ]);
  });

  it("warns of operators approved for all cards, and of a node that does not answer", async () => {
    const history = await historyOf(w);
    const about = (from: History = history) => operatorChecks(guardians.characters, w.alice.address, from);
    const approved = ({ address }: { address: string }) =>
      `All your cards are approved to ${address}, who can take them before the fight.`;
    const cards = w.cards.connect(w.alice);
    await cards.setApprovalForAll(w.bob, true);
    await cards.setApprovalForAll(w.carol, true);
    // Approvals by other players and revoked approvals do not count.
    await w.cards.connect(w.bob).setApprovalForAll(w.carol, true);
    expect(await about()).to.deep.equal([approved(w.bob), approved(w.carol)]);
    await cards.setApprovalForAll(w.bob, false);
    expect(await about()).to.deep.equal([approved(w.carol)]);
    await cards.setApprovalForAll(w.carol, false);
    expect(await about()).to.deep.equal([]);
    class Limited extends History {
      override events(): Promise<never> {
        return Promise.reject(new Error("query exceeds max block range"));
      }
    }
    expect(await about(new Limited(history.provider, history.addresses))).to.deep.equal([
      "Whether anybody may move all your cards at once cannot be told: the node does not say.",
    ]);
  });
});
