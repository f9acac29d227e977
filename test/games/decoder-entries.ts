import { expect } from "chai";
import { concat, toBeHex, type Contract, type Result } from "ethers";
import { LOG as AUTO_BATTLER } from "../../sdk/games/auto-battler/log.js";
import { LOG as GUARDIANS } from "../../sdk/games/guardians/log.js";
import { LOG as MINI_GAMES } from "../../sdk/games/mini-games/log.js";
import { BLOW, RESULT as DUEL_RESULT } from "../../sdk/games/pistols/log.js";
import { LOG as TIC_TAC_TOE } from "../../sdk/games/tic-tac-toe/log.js";
import { BATTLE, ENTRY, KILL, MOVE, Op, RESULT, REVEAL } from "../../sdk/games/warmancer/log.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Layout } from "../../sdk/protocol/layout.js";
import { hexWord } from "../../sdk/protocol/word.js";
import { Fighters__factory } from "../../typechain-types/index.js";
import { deployMock, ethers, loadFixture } from "../support/index.js";

type Fields = Record<string, number | bigint>;

/** Entries that a game writes, and that no game writes, by the values of their fields; missing fields are 0. */
interface Row {
  layout: Layout;
  entries: readonly Fields[];
  others: readonly Fields[];
}

const MAX_16 = 0xffff;
const MAX_48 = 2n ** 48n - 1n;

const ATTACK = { side: 1, attackerSlot: 3, defenderSlot: 4, randomDodge: 5, defenderHpStart: 20, defenderHpEnd: 8 };
const AUTO_BATTLER_ENTRY = { ...ATTACK, round: 100, rangePenalty: 2, randomCombo: 6, damageDealt: 12 };
const GUARDIANS_ENTRY = { ...ATTACK, turn: 500, typeRelation: 1, randomCritical: 7, damageDealt: 12 };
const GAME = { value1: 5, value2: 9, kind: 6, result: 1, winner: 2 };
const BLOW_ENTRY = {
  ...{ round: 2, slot: 1, side: 1, action: 7, paces: 10, critChance: 25, critDie: 26, hitChance: 75, hitDie: 74 },
  ...{ lethalChance: 50, points: 1, health1: 3, health2: 2 },
};
const DUEL_END = { round: 3, winner: 1, taker: 2, honour1: 100, honour2: 70 };
const MARK = { cell: 8, side: 1, x: 0b011, o: 0b100_000_000, winner: 1 };
const PAWN = { side: 1, slot: 63, turn: 2000 };

/** Entries by decoder. Each flag and each bound has an entry on both of its sides. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  AutoBattlerLog: [
    {
      layout: AUTO_BATTLER,
      entries: [
        AUTO_BATTLER_ENTRY,
        { ...AUTO_BATTLER_ENTRY, side: 0, attackerSlot: 4, defenderSlot: 0, wasDodge: 1 },
        { ...AUTO_BATTLER_ENTRY, wasCombo: 1, defenderHpStart: MAX_16, damageDealt: MAX_48 },
        { ...AUTO_BATTLER_ENTRY, wasKill: 1, defenderHpEnd: MAX_16 },
      ],
      others: [
        { ...AUTO_BATTLER_ENTRY, attackerSlot: 5 },
        { ...AUTO_BATTLER_ENTRY, defenderSlot: 5 },
        { ...AUTO_BATTLER_ENTRY, defenderHpStart: MAX_16 + 1 },
        { ...AUTO_BATTLER_ENTRY, defenderHpEnd: MAX_16 + 1 },
        { ...AUTO_BATTLER_ENTRY, damageDealt: MAX_48 + 1n },
      ],
    },
  ],
  GuardiansLog: [
    {
      layout: GUARDIANS,
      entries: [
        GUARDIANS_ENTRY,
        { ...GUARDIANS_ENTRY, side: 0, wasKill: 1, typeRelation: 2, defenderHpStart: MAX_16 },
        { ...GUARDIANS_ENTRY, wasDodge: 1, defenderHpEnd: MAX_16 },
        { ...GUARDIANS_ENTRY, wasCritical: 1, damageDealt: 2n ** 32n - 1n },
      ],
      others: [
        { ...GUARDIANS_ENTRY, typeRelation: 3 },
        { ...GUARDIANS_ENTRY, defenderHpStart: MAX_16 + 1 },
        { ...GUARDIANS_ENTRY, defenderHpEnd: MAX_16 + 1 },
      ],
    },
  ],
  MiniGamesLog: [
    {
      layout: MINI_GAMES,
      entries: [GAME, { ...GAME, kind: 0, result: 2, winner: 1 }, { ...GAME, kind: 3, flip: 1 }, { ...GAME, kind: 3 }],
      others: [
        { ...GAME, kind: 4 },
        { ...GAME, kind: 7 },
        { ...GAME, flip: 1 },
        { ...GAME, result: 3 },
        { ...GAME, winner: 3 },
      ],
    },
  ],
  PistolsLog: [
    {
      layout: BLOW,
      entries: [BLOW_ENTRY, { ...BLOW_ENTRY, round: 1, slot: 3, side: 0, critical: 1 }, { ...BLOW_ENTRY, hit: 1 }],
      others: [],
    },
    {
      layout: DUEL_RESULT,
      entries: [DUEL_END, { ...DUEL_END, winner: 2, taker: 1 }],
      others: [
        { ...DUEL_END, winner: 3 },
        { ...DUEL_END, taker: 3 },
      ],
    },
  ],
  TicTacToeLog: [
    {
      layout: TIC_TAC_TOE,
      entries: [MARK, { ...MARK, cell: 3, side: 0, winner: 2, finished: 1 }],
      others: [
        { ...MARK, cell: 9 },
        { ...MARK, winner: 3 },
      ],
    },
  ],
  WarmancerLog: [
    {
      layout: { ...ENTRY, ...MOVE },
      entries: [{ ...PAWN, op: Op.Move, from: 17, to: 255 }],
      others: [
        { ...PAWN, op: 0 },
        { ...PAWN, op: 6 },
        { ...PAWN, op: 7 },
      ],
    },
    {
      layout: { ...ENTRY, ...REVEAL },
      entries: [{ ...PAWN, op: Op.Reveal, tile: 254, rank: 11 }],
      others: [{ ...PAWN, op: Op.Reveal, rank: 12 }],
    },
    {
      layout: { ...ENTRY, ...BATTLE },
      entries: [
        { ...PAWN, op: Op.Battle, defender: 62, tile: 17, kind: 2, winner: 1 },
        { ...PAWN, op: Op.Battle, defender: 1, tile: 18, kind: 1, winner: 2 },
      ],
      others: [
        { ...PAWN, op: Op.Battle, kind: 3 },
        { ...PAWN, op: Op.Battle, winner: 3 },
      ],
    },
    { layout: { ...ENTRY, ...KILL }, entries: [{ ...PAWN, op: Op.Kill, tile: 253 }], others: [] },
    {
      layout: { ...ENTRY, ...RESULT },
      entries: [
        { op: Op.Result, turn: 9, winner: 1 },
        { op: Op.Result, turn: 9, winner: 2 },
      ],
      others: [
        { op: Op.Result, side: 1 },
        { op: Op.Result, slot: 1 },
        { op: Op.Result, winner: 3 },
      ],
    },
  ],
};

/** Bytes before the teams in a reveal: round, state and salt. */
const REVEAL_HEAD = 66;
const TEAM_SIZE = 5;
const LENGTH = REVEAL_HEAD + 2 * 16 * TEAM_SIZE + 32;

/** Packs fields of any width into an entry. */
function packed(layout: Layout, fields: Fields): bigint {
  return Object.entries(fields).reduce((word, [name, value]) => word | (BigInt(value) << BigInt(layout[name].at)), 0n);
}

/** Deploys the decoders. That of the auto-battler calls no fighters here. */
async function decoders(): Promise<Record<string, Contract>> {
  const [nobody] = await ethers.getSigners();
  const deployed: Record<string, Contract> = {};
  for (const name of Object.keys(ROWS)) {
    deployed[name] = await (name === "AutoBattlerLog" ? deployMock(name, nobody) : deployMock(name));
  }
  return deployed;
}

/** Deploys the decoder of the auto-battler, and ten fighters with the characters 101 to 110. */
async function withFighters() {
  const [owner] = await ethers.getSigners();
  const fighters = Fighters__factory.connect(await (await deployMock("Fighters", owner)).getAddress(), owner);
  await fighters.setMinter(owner, true);
  for (let n = 1; n <= 2 * TEAM_SIZE; n++) await fighters.mint(owner, 100 + n, [1, 2, 3, 1, 2, 3], false);
  return { fighters, decoder: await deployMock("AutoBattlerLog", fighters) };
}

/** Calls a decoder, and returns the fields that are not 0 or false. */
async function decode(decoder: Contract, entries: readonly bigint[], data: Hex = "0x"): Promise<Fields[]> {
  const args = decoder.interface.getFunction("decode")!.inputs.length === 2 ? [entries, data] : [entries];
  const result = (await decoder.getFunction("decode").staticCall(...args)) as Result;
  return result.map((each: Result) => nonZero(each.toObject()));
}

/** Returns the fields that are not 0 or false. */
function nonZero(fields: Record<string, unknown>): Fields {
  const values = Object.entries(fields).map(([name, value]) => [name, BigInt(value as bigint | boolean)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== 0n));
}

describe("A decoder of single log entries", () => {
  for (const [name, rows] of Object.entries(ROWS)) {
    it(`returns each field of an entry, in the order of the entries: ${name}`, async () => {
      const { [name]: decoder } = await loadFixture(decoders);
      const all = rows.flatMap(({ layout, entries }) => entries.map((fields) => ({ layout, fields })));
      const decoded = await decode(
        decoder,
        all.map(({ layout, fields }) => packed(layout, fields)),
      );
      expect(decoded).to.deep.equal(all.map(({ fields }) => nonZero(fields)));
    });

    it(`rejects a value with an impossible field or a bit outside all fields: ${name}`, async () => {
      const { [name]: decoder } = await loadFixture(decoders);
      const valid = packed(rows[0].layout, rows[0].entries[0]);
      const stray = rows.flatMap(({ layout, entries }) => entries.map((each) => packed(layout, each) | (1n << 255n)));
      const impossible = rows.flatMap(({ layout, others }) => others.map((fields) => packed(layout, fields)));
      for (const value of [...stray, ...impossible]) {
        await expect(decode(decoder, [valid, value]), hexWord(value))
          .to.be.revertedWithCustomError(decoder, "NotALogEntry")
          .withArgs(1, value);
      }
    });
  }

  it("adds the tokens of both teams in a reveal, and their characters, to each attack of the auto-battler", async () => {
    const { decoder } = await loadFixture(withFighters);
    const ids = Array.from({ length: 2 * TEAM_SIZE }, (_, i) => toBeHex(2 * TEAM_SIZE - i, 16));
    const data = concat([new Uint8Array(REVEAL_HEAD), ...ids, new Uint8Array(32)]);
    const attacks: Fields[] = [
      { attackerSlot: 1, defenderSlot: 4 },
      { side: 1, attackerSlot: 4, defenderSlot: 3 },
    ];
    const [one, two] = await decode(
      decoder,
      attacks.map((fields) => packed(AUTO_BATTLER, fields)),
      data,
    );
    const named = (attacker: number, defender: number) => ({
      ...{ attackerAssetId: attacker, attackerCharId: 100 + attacker },
      ...{ defenderAssetId: defender, defenderCharId: 100 + defender },
    });
    expect(one).to.deep.equal(nonZero({ ...attacks[0], ...named(9, 1) }));
    expect(two).to.deep.equal(nonZero({ ...attacks[1], ...named(1, 7) }));
  });

  it("rejects data that is too short for a reveal, or names a fighter that was never minted", async () => {
    const { decoder, fighters } = await loadFixture(withFighters);
    for (const length of [1, LENGTH - 1]) {
      await expect(decode(decoder, [], concat([new Uint8Array(length)])))
        .to.be.revertedWithCustomError(decoder, "NotAReveal")
        .withArgs(length, LENGTH);
    }
    await expect(decode(decoder, [], concat([new Uint8Array(LENGTH)])))
      .to.be.revertedWithCustomError(fighters, "UnknownFighter")
      .withArgs(0);
  });
});
