import { expect } from "chai";
import type { Duelist } from "../../../sdk/games/pistols/honour.js";
import {
  ALL_BLADES,
  BLOCK,
  FLEE,
  HEAVY,
  IDLE,
  LIGHT,
  SEPPUKU,
  STEAL,
  type Pair,
} from "../../../sdk/games/pistols/legal-moves.js";
import { bladesRound, bladesStrategy, pacesRound, pacesStrategy } from "../../../sdk/games/pistols/bot.js";
import { critChance, firstToShoot, fought, hitChance, lethalChance, matchBonus } from "../../support/pistols-oracle.js";
import type { Dice4, When } from "../../support/pistols-oracle.js";
import { chanceOf, expectClose, maxGained, parts } from "../../support/bots.js";

const TINY = 1e-9;
const NEWCOMER: Duelist = { archetype: 0, strength: 0 };
const VILLAIN: Duelist = { archetype: 1, strength: 100 };
const TRICKSTER: Duelist = { archetype: 2, strength: 70 };
const LORD: Duelist = { archetype: 3, strength: 40 };
const DUELS: Pair<Duelist>[] = [
  [NEWCOMER, NEWCOMER],
  [NEWCOMER, VILLAIN],
  // At nine paces, only one in a hundred rolls of this wounded duelist is a non-lethal hit.
  [NEWCOMER, { ...VILLAIN, strength: 30 }],
  [VILLAIN, TRICKSTER],
  [LORD, TRICKSTER],
  [LORD, LORD],
];
const HEALTHS = [1, 2, 3].flatMap((one) => [1, 2, 3].map((two): Pair<number> => [one, two]));
const NO_DICE: Dice4 = [100, 100, 100, 100];

const nameOf = (duelists: Pair<Duelist>) =>
  duelists.map(({ archetype, strength }) => `archetype ${archetype} at ${strength}`).join(" against ");

/** Returns the chances that a shot in round 1 deals 0 to 3 damage, from the tables of the rules page. */
function damages(duelists: Pair<Duelist>, side: number, health: number, paces: number, when: When): number[] {
  const [{ archetype: own, strength }, { archetype: other }] = [duelists[side], duelists[1 - side]];
  const crit = critChance(own, strength, other, paces, matchBonus(own, when)) / 100;
  const hit = hitChance(own, strength, other, paces, health) / 100;
  const lethal = Math.min(hit, lethalChance(other, paces, when) / 100);
  return [(1 - crit) * (1 - hit), (1 - crit) * (hit - lethal), (1 - crit) * lethal, crit];
}

/** Returns the pairs of healths after both have shot, each with its chance, from the tables of the rules page. */
function healthsAfter(duelists: Pair<Duelist>, paces: Pair<number>): [Pair<number>, number][] {
  const left = (damage: number) => Math.max(0, 3 - damage);
  const first = firstToShoot(
    duelists.map(({ archetype }) => archetype),
    paces,
  );
  const leader = first ?? 0;
  const leads = damages(duelists, leader, 3, paces[leader], first === undefined ? "neither" : "first");
  return leads.flatMap((chance, damage) => {
    const health = first === undefined ? 3 : left(damage);
    // The dead do not shoot.
    const replies =
      health === 0
        ? [1]
        : damages(duelists, 1 - leader, health, paces[1 - leader], first === undefined ? "neither" : "second");
    return replies.map((other, reply): [Pair<number>, number] => {
      const [own, theirs] = [left(reply), left(damage)];
      return [leader === 0 ? [own, theirs] : [theirs, own], chance * other];
    });
  });
}

/**
 * Returns player 1's average share of the pot over one side's two dice in a slot, 1 to 100 each; other dice are 100.
 */
function byAllDice(
  duelists: Pair<Duelist>,
  health: Pair<number>,
  moves: Pair<number>,
  slot: number,
  side: number,
  part: number,
): number {
  let sum = 0;
  for (let crit = 1; crit <= 100; crit++) {
    for (let hit = 1; hit <= 100; hit++) {
      const rolled: Dice4 = side === 0 ? [crit, hit, 100, 100] : [100, 100, crit, hit];
      const dice = [1, 2, 3].map((n) => (n === slot ? rolled : NO_DICE)) as [Dice4, Dice4, Dice4];
      const { pot } = fought({
        archetypes: [duelists[0].archetype, duelists[1].archetype],
        strengths: [duelists[0].strength, duelists[1].strength],
        health,
        paces: [1, 1],
        blades: [ALL_BLADES[moves[0]], ALL_BLADES[moves[1]]],
        dice,
      });
      sum += pot === 0 ? part : Number(pot === 1);
    }
  }
  return sum / 10_000;
}

const place = (first: number, second: number) =>
  ALL_BLADES.findIndex((each) => each[0] === first && each[1] === second);

describe("Pistols: payoffs", () => {
  for (const duelists of DUELS) {
    it(`follow the tables of the rules in round 1: ${nameOf(duelists)}`, () => {
      for (const part of [1 / 2, 0.2]) {
        const { payoffs } = pacesRound({ duelists, part });
        for (let one = 1; one <= 10; one++) {
          for (let two = 1; two <= 10; two++) {
            const gets = healthsAfter(duelists, [one, two]).map(([health, chance]) => {
              if (!health.includes(0)) return chance * bladesRound({ duelists, part, health }).equilibrium.value;
              return chance * (health[0] === health[1] ? part : Number(health[1] === 0));
            });
            const sum = gets.reduce((all, each) => all + each, 0);
            expectClose(payoffs[one - 1][two - 1], sum, TINY, `${one} ${two}`);
          }
        }
      }
    });

    it(`have an equilibrium in every round from which no player gains by deviating: ${nameOf(duelists)}`, () => {
      for (const part of [1 / 2, 0.2]) {
        const rounds = [
          pacesRound({ duelists, part }),
          ...HEALTHS.map((health) => bladesRound({ duelists, part, health })),
        ];
        for (const { payoffs, equilibrium } of rounds) {
          const { rows, columns, value } = equilibrium;
          expect(maxGained(payoffs, rows, columns)).to.be.below(TINY);
          expect(value).to.be.within(0, 1);
        }
      }
    });

    it(`have the same value from the opponent's view: ${nameOf(duelists)}`, () => {
      const [one, two] = duelists;
      const value = pacesRound({ duelists, part: 0.3 }).equilibrium.value;
      expectClose(pacesRound({ duelists: [two, one], part: 0.7 }).equilibrium.value, 1 - value, TINY);
    });
  }

  it("give half of the pot to equal duelists, at the start and at equal health", () => {
    for (const duelist of [NEWCOMER, VILLAIN, TRICKSTER, LORD]) {
      const duelists = [duelist, duelist] as const;
      expectClose(pacesRound({ duelists }).equilibrium.value, 1 / 2, TINY);
      for (const health of [1, 2, 3]) {
        expectClose(bladesRound({ duelists, health: [health, health] }).equilibrium.value, 1 / 2, TINY);
      }
    }
  });

  it("average over all dice for blades if one player rolls", () => {
    const cases: [number, number, number, number][] = [
      // Both moves, the slot in which dice are rolled, and the side that rolls.
      [place(FLEE, IDLE), place(IDLE, IDLE), 3, 1],
      [place(IDLE, IDLE), place(STEAL, IDLE), 3, 0],
      [place(STEAL, IDLE), place(IDLE, HEAVY), 3, 1],
      [place(LIGHT, IDLE), place(IDLE, IDLE), 1, 0],
      [place(IDLE, IDLE), place(IDLE, LIGHT), 2, 1],
      [place(IDLE, HEAVY), place(IDLE, IDLE), 2, 0],
      [place(BLOCK, IDLE), place(IDLE, IDLE), 1, 0],
      [place(SEPPUKU, IDLE), place(LIGHT, LIGHT), 3, 1],
      [place(STEAL, IDLE), place(FLEE, IDLE), 3, 0],
    ];
    for (const [n, [one, two, slot, side]] of cases.entries()) {
      const [duelists, health] = [DUELS[n % DUELS.length], HEALTHS[n % HEALTHS.length]];
      const { payoffs } = bladesRound({ duelists, health, part: 0.4 });
      expectClose(payoffs[one][two], byAllDice(duelists, health, [one, two], slot, side, 0.4), TINY, `${one} ${two}`);
    }
  });

  it("let newcomers walk one pace, as the rules state", () => {
    const { rows, columns } = pacesRound({ duelists: [NEWCOMER, NEWCOMER] }).equilibrium;
    expect([rows[0], columns[0]]).to.deep.equal([1, 1]);
  });
});

describe("Pistols: strategy", () => {
  it("plays its seat's equilibrium with the right frequencies, in both rounds", () => {
    // A round in which the seats have different strategies.
    const duelists = [VILLAIN, TRICKSTER] as const;
    const health = [1, 3] as const;
    const paces = pacesRound({ duelists }).equilibrium;
    const blades = bladesRound({ duelists, health }).equilibrium;
    expect(paces.rows).to.not.deep.equal(paces.columns);
    expect(blades.rows).to.not.deep.equal(blades.columns);
    for (const seat of [1, 2]) {
      const chosenPaces = parts(500, (source) => pacesStrategy.choose({ duelists, seat }, source));
      const chosenBlades = parts(500, (source) => bladesStrategy.choose({ duelists, seat, health }, source));
      const [ofPaces, ofBlades] = seat === 1 ? [paces.rows, blades.rows] : [paces.columns, blades.columns];
      for (const [i, part] of ofPaces.entries()) {
        expectClose(chosenPaces.filter((each) => each === i + 1).length / 500, part, 0.004);
      }
      for (const [i, part] of ofBlades.entries()) {
        expectClose(chosenBlades.filter((each) => each === ALL_BLADES[i]).length / 500, part, 0.004);
      }
    }
  });

  it("weighs a draw by the stakes: a player with a small stake prefers to end the duel", () => {
    const value = (part: number) => bladesRound({ duelists: DUELS[0], health: [2, 2], part }).equilibrium.value;
    expect([value(0.1) < value(0.5), value(0.5) < value(0.9)]).to.deep.equal([true, true]);
  });

  it("chooses the same move for the same view and random numbers", () => {
    const duel = { duelists: [VILLAIN, TRICKSTER] as const, seat: 2 };
    const moves = (source = chanceOf("duel")) => [
      pacesStrategy.choose(duel, source),
      bladesStrategy.choose({ ...duel, health: [2, 1] }, source),
    ];
    expect(moves()).to.deep.equal(moves());
  });
});
