import { expect } from "chai";
import { concat, dataSlice, keccak256, toBeHex, type Contract } from "ethers";
import { encodeMode as autoBattlerMode, checkMode } from "../../sdk/games/auto-battler/mode.js";
import { decodeTurn } from "../../sdk/games/guardians/log.js";
import { defaultMode, encodeMode as guardiansMode } from "../../sdk/games/guardians/mode.js";
import { encodeAnswer, NO_STATE, stateHashOf } from "../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Fighters__factory } from "../../typechain-types/index.js";
import { chainStats } from "../support/cards.js";
import { CARD } from "../support/guardians.js";
import { deployMock, ethers, loadFixture, ZERO_HASH } from "../support/index.js";

/** Highest number of a match that the arena can assign. */
const HIGHEST = 2n ** 40n - 1n;
const DEFENSE_AT = 18;

/** Deploys games with an account as their arena, and five fighters of another account. */
async function withGames() {
  const [arena, player1, player2] = await ethers.getSigners();
  const fighters = Fighters__factory.connect(await (await deployMock("Fighters", arena)).getAddress(), arena);
  await fighters.setMinter(arena, true);
  for (let n = 0; n < 5; n++) await fighters.mint(player2, n, [1, 1, 1, 1, 1, 1], false);
  return {
    players: [player1.address, player2.address],
    autoBattler: await deployMock("AutoBattler", arena, fighters),
    guardians: await deployMock("Guardians", arena, await deployMock("GuardianCards", arena)),
    miniGames: await deployMock("MiniGames", arena),
    ticTacToe: await deployMock("TicTacToe", arena),
  };
}

function refused(contract: Contract, call: Promise<unknown>, error: string, ...values: unknown[]): Promise<unknown> {
  return expect(call, error)
    .to.be.revertedWithCustomError(contract, error)
    .withArgs(...values);
}

describe("Games: contracts without an arena", () => {
  it("report the first of two fields of a mode that are out of bounds", async () => {
    const { autoBattler, guardians, ticTacToe } = await loadFixture(withGames);
    const register = (game: Contract, content: Hex) => game.registerMode.staticCall(content);
    const many = guardiansMode({ ...defaultMode, maxTurns: 501, dodgeCap: 1001 });
    await refused(guardians, register(guardians, many), "ModeOutOfBounds", 1, 501, 1, 500);
    const valid = autoBattlerMode(checkMode({}));
    const falling = concat([dataSlice(valid, 0, DEFENSE_AT), new Uint8Array(12), dataSlice(valid, DEFENSE_AT + 12)]);
    await refused(autoBattler, register(autoBattler, falling), "ModeOutOfBounds", DEFENSE_AT, 0, 1, 65_535);
    await refused(ticTacToe, register(ticTacToe, "0x"), "WrongLength", 0, 1, 1);
    await refused(ticTacToe, register(ticTacToe, "0x0202"), "WrongLength", 2, 1, 1);
    await refused(ticTacToe, register(ticTacToe, "0x02"), "UnknownTieRule", 2);
  });

  it("report player 1's move if both moves to preview are out of bounds", async () => {
    const { miniGames } = await loadFixture(withGames);
    await refused(miniGames, miniGames.preview(ZERO_HASH, "0x0001", 9, 8), "MoveOutOfBounds", 9, 0, 2);
    await refused(miniGames, miniGames.preview(ZERO_HASH, "0x0001", 2, 8), "MoveOutOfBounds", 8, 0, 2);
  });

  it("emit a registered mode once", async () => {
    const { ticTacToe } = await loadFixture(withGames);
    await expect(ticTacToe.registerMode("0x00"))
      .to.emit(ticTacToe, "ModeRegistered")
      .withArgs(keccak256("0x00"), "0x00");
    await expect(ticTacToe.registerMode("0x00")).not.to.emit(ticTacToe, "ModeRegistered");
    expect(await ticTacToe.modeOf(keccak256("0x00"))).to.equal("0x00");
  });

  it("order guardians by their speed before the tie-break", async () => {
    const { guardians } = await loadFixture(withGames);
    const mode = guardiansMode({ ...defaultMode, teamSize: 2, maxTurns: 1 });
    const card = (speed: number) => chainStats({ ...CARD, speed });
    for (let n = 0; n < 16; n++) {
      const teams = [
        [card(100), card(102)],
        [card(103), card(101)],
      ];
      const [, order] = (await guardians.preview(keccak256(toBeHex(n, 1)), mode, ...teams)) as [bigint, bigint[]];
      expect([...order], `seed ${n}`).to.deep.equal([5n, 1n, 6n, 0n]);
    }
  });

  it("cap the chance of guardians to dodge at the cap of the mode", async () => {
    const { guardians } = await loadFixture(withGames);
    const mode = guardiansMode({ ...defaultMode, teamSize: 1, maxTurns: 200, dodgeCap: 500 });
    const team = [chainStats({ ...CARD, power: 1, hp: 65_535, luck: 1000 })];
    const { logEntries } = await guardians.preview(ZERO_HASH, mode, team, team);
    const turns = [...(logEntries as bigint[])].map(decodeTurn);
    expect(turns.length).to.equal(200);
    for (const { randomDodge, wasDodge } of turns) expect(wasDodge, String(randomDodge)).to.equal(randomDodge < 500);
  });

  it("record the match of a fighter up to the arena's highest number, and no match of a channel", async () => {
    for (const [id, recorded] of [
      [HIGHEST, HIGHEST],
      [HIGHEST + 1n, 0n],
    ]) {
      const { autoBattler, players } = await loadFixture(withGames);
      const [state, commitment, salt] = [NO_STATE, keccak256("0x01"), keccak256("0x02")];
      const move = concat([1, 2, 3, 4, 5].map((fighter) => toBeHex(fighter, 16)));
      const duel = [id, ZERO_HASH, false, ...players, stateHashOf({ round: 1, state }, commitment)];
      await autoBattler.join(duel, encodeAnswer({ round: 1, state, commitment, move, salt }));
      expect((await autoBattler.fighterOf(1)).matchId).to.equal(recorded);
    }
  });
});
