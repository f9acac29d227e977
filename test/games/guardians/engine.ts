import { expect } from "chai";
import type { BaseContract, Contract } from "ethers";
import fc from "fast-check";
import { previewContract } from "../../../cli/shared/match/preview.js";
import { Dice } from "../../../sdk/protocol/dice.js";
import { guardians } from "../../../sdk/games/guardians/index.js";
import type { Simulation } from "../../../sdk/games/guardians/simulate.js";
import { facts } from "../../../sdk/games/guardians/facts.js";
import { damageOf, relationOf, strike } from "../../../sdk/games/guardians/engine.js";
import { decodeTurn, encodeTurn } from "../../../sdk/games/guardians/log.js";
import { checkMode, decodeMode, defaultMode, encodeMode, type Mode } from "../../../sdk/games/guardians/mode.js";
import type { CardStats } from "../../../sdk/games/guardians/cards.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { hexWord } from "../../../sdk/protocol/word.js";
import { deployMock } from "../../support/index.js";

const [GALACTIC, COSMIC, CELESTIAL, MECHANICAL] = [0, 1, 2, 3];
const [NEUTRAL, ADVANTAGE, DISADVANTAGE] = [0, 1, 2];
const CARD: CardStats = { power: 100, defense: 0, hp: 1000, speed: 10, critical: 0, luck: 0, type: GALACTIC };
/** A card that dies from any hit and never kills a card with 1000 hp. */
const WEAK: CardStats = { ...CARD, power: 1, hp: 1 };
const cardOf = (changes: Partial<CardStats>): CardStats => ({ ...CARD, ...changes });
const seeds = [1n, 2n, 3n, 4n, 5n, 6n].map(hexWord);
const uint = (max: number) => fc.integer({ min: 0, max });

describe("Guardians: engine", () => {
  let chain: BaseContract;
  let close: () => Promise<void>;
  let engine: Contract;

  before(async () => {
    ({ contract: chain, close } = await previewContract(guardians));
    engine = await deployMock("GuardianEngine");
  });
  after(() => close());

  /** Makes an attack on both engines, and expects equal results. */
  async function struck(attacker: CardStats, defender: CardStats, rolls: [number, number], dodgeCap = 750) {
    const said = strike(attacker, defender, dodgeCap, ...rolls);
    const [one, two] = [attacker, defender].map(({ type, ...stats }) => ({ ...stats, cardType: type }));
    const word = await engine.getFunction("strike").staticCall(one, two, dodgeCap, ...rolls);
    const places = { turn: 0, attacker: 1, attackerSlot: 0, defenderSlot: 0 };
    expect(hexWord(word)).to.equal(hexWord(encodeTurn({ ...places, ...said })));
    return said;
  }

  /** Fights a battle on both engines, and expects equal results. */
  async function fought(seed: string, mode: Partial<Mode>, teams: CardStats[][]): Promise<Simulation> {
    const input = { seed, mode, teams };
    const said = await guardians.simulate(input);
    expect(await guardians.simulate(input, chain)).to.deep.equal(said);
    return said;
  }

  describe("given the worked examples of the original game", () => {
    const rows: [string, Partial<CardStats>, Partial<CardStats>, [number, number], number, number][] = [
      ["1", { power: 500, critical: 250 }, { defense: 250, type: COSMIC, luck: 100, hp: 1200 }, [300, 150], 862, 338],
      ["2", { power: 450, type: COSMIC, critical: 200 }, { defense: 200, luck: 150, hp: 1000 }, [200, 300], 297, 703],
      ["3", { power: 600, critical: 300 }, { defense: 280, type: COSMIC, luck: 180, hp: 1300 }, [250, 200], 1058, 242],
      ["4", { power: 65_535, critical: 1000 }, { luck: 200, hp: 1200 }, [150, 0], 0, 1200],
      [
        "5",
        { power: 550, type: MECHANICAL, critical: 250 },
        { defense: 320, type: CELESTIAL, luck: 120, hp: 1500 },
        [300, 300],
        331,
        1169,
      ],
    ];
    for (const [row, attacker, defender, rolls, damage, hp] of rows) {
      it(`matches example ${row}: ${damage} damage, ${hp} hp left`, async () => {
        const said = await struck(cardOf(attacker), cardOf(defender), rolls);
        expect([said.damageDealt, said.defenderHpEnd]).to.deep.equal([damage, hp]);
        expect(said.wasDodge).to.equal(row === "4");
      });
    }
  });

  describe("when a card attacks", () => {
    it("lets a card dodge when the roll is below the smaller of its luck and the cap", async () => {
      for (const [luck, dodgeCap, roll, dodged] of [
        [200, 750, 199, true],
        [200, 750, 200, false],
        [1000, 750, 749, true],
        [1000, 750, 750, false],
        [1000, 1000, 999, true],
        [0, 1000, 0, false],
        [1000, 0, 0, false],
        [751, 750, 750, false],
      ] as const) {
        expect((await struck(CARD, cardOf({ luck }), [roll, 0], dodgeCap)).wasDodge, `${luck}, ${roll}`).to.equal(
          dodged,
        );
      }
    });

    it("never hits a card with a luck of 1000 in the original game's mode, which does not cap dodging", async () => {
      const mode = decodeMode(facts.modes["protocol-guardians"].content);
      expect(mode).to.deep.equal({ ...defaultMode, dodgeCap: 1000 });
      for (const [luck, dodged] of [
        [1000, true],
        [999, false],
      ] as const) {
        const { wasDodge } = await struck(CARD, cardOf({ luck }), [999, 999], mode.dodgeCap);
        expect(wasDodge, String(luck)).to.equal(dodged);
      }
    });

    it("deals no damage and rolls no critical die on a dodge, but logs the type relation", async () => {
      const attacker = cardOf({ critical: 1000, power: 65_535 });
      const said = await struck(attacker, cardOf({ luck: 500, hp: 7, type: COSMIC }), [499, 123]);
      expect(said).to.deep.equal({
        wasKill: false,
        typeRelation: ADVANTAGE,
        wasDodge: true,
        wasCritical: false,
        randomDodge: 499,
        randomCritical: 0,
        defenderHpStart: 7,
        defenderHpEnd: 7,
        damageDealt: 0,
      });
    });

    it("hits critically when the roll is below the attacker's critical value", async () => {
      for (const [critical, roll, isCritical] of [
        [250, 249, true],
        [250, 250, false],
        [0, 0, false],
        [1000, 999, true],
      ] as const) {
        const { wasCritical, damageDealt } = await struck(cardOf({ critical }), cardOf({}), [0, roll]);
        expect([wasCritical, damageDealt]).to.deep.equal([isCritical, isCritical ? 200 : 100]);
      }
    });

    it("subtracts half the defense, rounded down, from the power, and deals at least 1 damage", async () => {
      for (const [power, defense, damage] of [
        [100, 0, 100],
        [100, 1, 100],
        [100, 199, 1],
        [100, 197, 2],
        [100, 200, 1],
        [100, 201, 1],
        [1, 65_535, 1],
        [65_535, 65_535, 32_768],
      ]) {
        expect((await struck(cardOf({ power }), cardOf({ defense }), [0, 0])).damageDealt).to.equal(damage);
      }
    });

    it("applies the type factor last, rounds down, and still deals at least 1 damage", async () => {
      const of = async (power: number, type: number, critical = 0) =>
        (await struck(cardOf({ power, critical }), cardOf({ type }), [0, 0])).damageDealt;
      expect([await of(1, COSMIC), await of(1, 7), await of(1, 7, 1000), await of(2, 7)]).to.deep.equal([1, 1, 1, 1]);
      expect([await of(7, COSMIC), await of(7, 7), await of(7, COSMIC, 1000)]).to.deep.equal([8, 5, 16]);
      expect(await of(65_535, COSMIC, 1000)).to.equal(150_730);
    });

    it("makes every type beat one neighbour in the wheel, and lose to the other neighbour", async () => {
      for (let attacker = 0; attacker < 8; attacker++) {
        for (let defender = 0; defender < 8; defender++) {
          const next = defender === attacker + 1 || (attacker === 7 && defender === 0);
          const last = attacker === defender + 1 || (defender === 7 && attacker === 0);
          const relation = next ? ADVANTAGE : last ? DISADVANTAGE : NEUTRAL;
          const said = await struck(cardOf({ type: attacker }), cardOf({ type: defender }), [0, 0]);
          expect([said.typeRelation, said.damageDealt]).to.deep.equal([relation, [100, 115, 85][relation]]);
        }
      }
      // In these two cells, the original game's table contradicts its own wheel.
      expect([relationOf(GALACTIC, CELESTIAL), relationOf(GALACTIC, 7)]).to.deep.equal([NEUTRAL, DISADVANTAGE]);
    });

    it("kills with damage of at least the remaining hp, and reports the damage uncapped", async () => {
      for (const [hp, end] of [
        [99, 0],
        [100, 0],
        [101, 1],
      ]) {
        const said = await struck(CARD, cardOf({ hp }), [0, 0]);
        expect([said.defenderHpEnd, said.wasKill, said.damageDealt]).to.deep.equal([end, end === 0, 100]);
      }
    });

    it("returns the same result on both engines for any cards and rolls", async () => {
      const stat = fc.integer({ min: 1, max: 65_535 });
      const card = fc.record({
        power: stat,
        defense: uint(65_535),
        hp: stat,
        speed: stat,
        critical: uint(1000),
        luck: uint(1000),
        type: uint(7),
      });
      const property = fc.asyncProperty(
        card,
        card,
        uint(1000),
        uint(999),
        uint(999),
        async (a, b, cap, dodge, crit) => {
          const { damageDealt, wasDodge, wasCritical, typeRelation } = await struck(a, b, [dodge, crit], cap);
          expect(damageDealt).to.equal(wasDodge ? 0 : damageOf(a.power, b.defense, wasCritical, typeRelation));
        },
      );
      await fc.assert(property, { numRuns: 300, seed: 1 });
    });
  });

  describe("when the order of attack is determined", () => {
    it("puts the faster card first, whoever owns it", async () => {
      const team = (speeds: number[]) => speeds.map((speed) => cardOf({ speed }));
      const { order, turns } = await fought(seeds[0], {}, [team([5, 65_535, 1]), team([7, 6, 65_534])]);
      expect(order).to.deep.equal([1, 7, 5, 6, 0, 2]);
      const acted = turns.slice(0, 12).map(({ attacker, attackerSlot }) => (attacker - 1) * 5 + attackerSlot);
      expect(acted).to.deep.equal([...order, ...order]);
    });

    it("orders cards of equal speed by 24 bits of the seed's first word for each place, from high to low", async () => {
      const firsts = new Set<number>();
      for (const seed of seeds) {
        const entry = new Dice(seed).roll(0).word;
        const tie = (place: number) => (entry >> BigInt(24 * place)) % 2n ** 24n;
        for (const teamSize of [1, 3, 5]) {
          const team = new Array<CardStats>(teamSize).fill(CARD);
          const { order } = await fought(seed, { teamSize }, [team, team]);
          const places = [...team.keys(), ...[...team.keys()].map((slot) => 5 + slot)];
          expect(order).to.deep.equal(places.sort((a, b) => (tie(a) > tie(b) ? -1 : 1)));
          firsts.add(order[0]);
        }
      }
      expect(firsts.size).to.be.greaterThan(4);
    });

    it("puts the lower place first if both the speed and the tie-break bits are equal", async () => {
      // The first number that, as a seed, has the same 24 tie-break bits for the places 2 and 8, one on each side.
      const seed = hexWord(405_578n);
      const word = hexWord(new Dice(seed).roll(0).word);
      const tie = (place: number) => word.slice(66 - 6 * (place + 1), 66 - 6 * place);
      expect(tie(2)).to.equal(tie(8));
      const team = new Array<CardStats>(5).fill(CARD);
      const { order } = await fought(seed, { teamSize: 5 }, [team, team]);
      expect(order.indexOf(8)).to.equal(order.indexOf(2) + 1);
    });

    it("keeps the order in every round, and skips dead cards", async () => {
      const teams = [
        [cardOf({ speed: 6 }), cardOf({ speed: 5 }), cardOf({ speed: 1 })],
        [WEAK, cardOf({ speed: 4 }), cardOf({ speed: 3 })].map((card, slot) =>
          slot === 0 ? { ...card, speed: 2 } : card,
        ),
      ];
      const { order, turns } = await fought(seeds[1], {}, teams);
      expect(order).to.deep.equal([0, 1, 6, 7, 5, 2]);
      const acted = turns.slice(0, 10).map(({ attacker, attackerSlot }) => (attacker - 1) * 5 + attackerSlot);
      expect(acted).to.deep.equal([0, 1, 6, 7, 2, 0, 1, 6, 7, 2]);
    });
  });

  it("rolls for each attack from the seed's word for that turn", async () => {
    const teams = [[cardOf({ critical: 500, luck: 300 })], [cardOf({ critical: 500, luck: 300 })]];
    for (const seed of seeds) {
      for (const { turn, wasDodge, randomDodge, randomCritical } of (await fought(seed, { teamSize: 1 }, teams))
        .turns) {
        const roll = new Dice(seed).roll(turn);
        expect([randomDodge, randomCritical]).to.deep.equal([roll.lane(0, 1000), wasDodge ? 0 : roll.lane(1, 1000)]);
      }
    }
  });

  it("attacks the opposite card or, if that is dead, the next living card, wrapping from the last slot to the first", async () => {
    for (const [teamSize, own, living, target] of [
      [5, 2, [2, 4], 2],
      [5, 2, [0, 1, 4], 4],
      [5, 3, [0, 1, 2], 0],
      [5, 4, [3], 3],
      [5, 0, [4], 4],
      [3, 2, [0, 1], 0],
      [3, 1, [0], 0],
      [2, 1, [0], 0],
      [3, 0, [1, 2], 1],
    ] as const) {
      const slots = Array.from({ length: teamSize }, (_, slot) => slot);
      // All opposing cards that can die are dead before the tested card acts a second time.
      const teams = [
        slots.map((slot) => cardOf({ speed: slot === own ? 100 : 200 })),
        slots.map((slot) => ((living as readonly number[]).includes(slot) ? CARD : WEAK)),
      ];
      const both = [teams, [teams[1], teams[0]]];
      for (const [side, sides] of both.entries()) {
        const { turns } = await fought(seeds[0], { teamSize }, sides);
        const first = turns.find((turn) => turn.attacker === side + 1 && turn.attackerSlot === own)!;
        const then = turns.find(
          (turn) => turn.turn > first.turn && turn.attacker === side + 1 && turn.attackerSlot === own,
        )!;
        const watched = first.wasKill ? then : first;
        expect(watched.defenderSlot, `${own} at ${living} of ${teamSize}`).to.equal(target);
      }
    }
  });

  describe("when a battle ends", () => {
    it("stops with the last card's death, even in the middle of a round", async () => {
      const teams = [[CARD, CARD, CARD], [WEAK, WEAK, WEAK].map((card) => ({ ...card, speed: 1 }))];
      for (const [winner, sides] of [
        [1, teams],
        [2, [teams[1], teams[0]]],
      ] as const) {
        const said = await fought(seeds[0], {}, [...sides]);
        expect([said.winner, said.turns.length, said.turns[2].wasKill]).to.deep.equal([winner, 3, true]);
        expect(said.hp[2 - winner]).to.deep.equal([0, 0, 0]);
      }
    });

    it("compares hp after the last turn: more hp wins, even with fewer cards, and equal hp is a draw", async () => {
      const tough = cardOf({ power: 1, hp: 50_000 });
      for (const [hp1, hp2, winner] of [
        [50_000, 50_000, 0],
        [50_000, 49_999, 1],
        [50_000, 50_001, 2],
        [65_535, 1, 1],
      ]) {
        const teams = [[{ ...tough, hp: hp1 }], [{ ...tough, hp: hp2 }]];
        expect((await fought(seeds[2], { teamSize: 1, maxTurns: 2 }, teams)).winner).to.equal(winner);
      }
      const few = [WEAK, { ...tough, speed: 1 }, { ...WEAK, speed: 1 }];
      const many = [CARD, CARD, CARD].map((card) => ({ ...card, speed: 20 }));
      const { winner, hp, turns } = await fought(seeds[2], { maxTurns: 9 }, [few, many]);
      expect([winner, turns.length, hp[0].filter((each) => each > 0).length]).to.deep.equal([1, 9, 1]);
    });

    it("stops after exactly maxTurns attacks", async () => {
      const teams = [[cardOf({ power: 1, hp: 65_535 })], [cardOf({ power: 1, hp: 65_535 })]];
      for (const maxTurns of [1, 2, 50, 499, 500]) {
        const { turns } = await fought(seeds[3], { teamSize: 1, maxTurns }, teams);
        expect([turns.length, turns[turns.length - 1].turn]).to.deep.equal([maxTurns, maxTurns]);
      }
      expect((await fought(seeds[3], { teamSize: 1 }, teams)).turns).to.have.length(50);
    });
  });

  it("packs turns and modes and reads them back", () => {
    const turn = fc.record({
      turn: uint(1023),
      attacker: fc.constantFrom(1, 2),
      attackerSlot: uint(4),
      defenderSlot: uint(4),
      wasKill: fc.boolean(),
      typeRelation: uint(2),
      wasDodge: fc.boolean(),
      wasCritical: fc.boolean(),
      randomDodge: uint(65_535),
      randomCritical: uint(65_535),
      defenderHpStart: uint(65_535),
      defenderHpEnd: uint(65_535),
      damageDealt: uint(2 ** 32 - 1),
    });
    const property = fc.property(turn, (each) => {
      expect(decodeTurn(encodeTurn(each))).to.deep.equal(each);
    });
    fc.assert(property, { seed: 1 });
    expect(encodeMode(defaultMode)).to.equal("0x03003202ee");
    for (const mode of [defaultMode, checkMode({ teamSize: 5, maxTurns: 500, dodgeCap: 1000 })]) {
      expect(decodeMode(encodeMode(mode))).to.deep.equal(mode);
    }
  });

  it("refuses packed modes that have another length or values out of bounds", () => {
    expect(() => decodeMode("0x03003202ee00")).to.throw(InputError, "mode: 6 bytes instead of 5");
    expect(() => decodeMode("0x06003202ee")).to.throw(InputError, "mode.teamSize: 6 is above 5");
  });
});
