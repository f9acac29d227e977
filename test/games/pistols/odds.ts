import { expect } from "chai";
import { MatchSynthesizer } from "../../../scripts/record/match-synthesizer.js";
import { Random } from "../../../scripts/soak/random.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { turnOf, type SecretStore } from "../../../sdk/games/moves.js";
import { frames, pistolsGame, stateBeforeBlades } from "../../../sdk/games/pistols/index.js";
import { decodeReveal } from "../../../sdk/protocol/commit-reveal.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { bladesRound } from "../../../sdk/games/pistols/bot.js";
import type { Duelist } from "../../../sdk/games/pistols/honour.js";
import { ALL_BLADES, BLOCK, HEAVY, LIGHT, MAX_PACES, type Pair } from "../../../sdk/games/pistols/legal-moves.js";
import {
  bladesProspects,
  pacesProspects,
  shotOdds,
  strokeOdds,
  type PointOdds,
  type Prospects,
} from "../../../sdk/games/pistols/odds.js";
import { expectClose } from "../../support/bots.js";
import { critChance, hitChance, lethalChance, matchBonus, type When } from "../../support/pistols-oracle.js";

const TINY = 1e-9;
const NEWCOMER: Duelist = { archetype: 0, strength: 0 };
const VILLAIN: Duelist = { archetype: 1, strength: 100 };
const TRICKSTER: Duelist = { archetype: 2, strength: 70 };
const LORD: Duelist = { archetype: 3, strength: 40 };
const DUELS: Pair<Duelist>[] = [
  [NEWCOMER, NEWCOMER],
  [VILLAIN, LORD],
  [LORD, TRICKSTER],
];
const PACES = Array.from({ length: MAX_PACES }, (_, i) => i + 1);
const ORDERS = [
  ["unordered", "neither"],
  ["first", "first"],
  ["second", "second"],
] as const;

function expectOdds(odds: PointOdds, expected: readonly number[]): void {
  for (const [points, chance] of odds.entries()) expectClose(chance, expected[points], TINY);
}

/** Returns the odds of a shot at full health, from the tables of the rules page. */
function shotByTables(duelists: Pair<Duelist>, side: number, paces: number, when: When): number[] {
  const [{ archetype: own, strength }, { archetype: other }] = [duelists[side], duelists[1 - side]];
  const crit = critChance(own, strength, other, paces, matchBonus(own, when)) / 100;
  const hit = hitChance(own, strength, other, paces, 3) / 100;
  const lethal = Math.min(hit, lethalChance(other, paces, when) / 100);
  return [(1 - crit) * (1 - hit), (1 - crit) * (hit - lethal), (1 - crit) * lethal, crit];
}

function sumOf({ won, drawn, lost, goesOn }: Prospects): number {
  return won + drawn + lost + goesOn;
}

/** Returns a store with player 1's secret of round 1, read from the reveal itself. */
function storeOf({ actions }: MatchRecord): SecretStore {
  const { move, salt } = decodeReveal(actions[0].data, 1, 3);
  return { commit: () => Promise.reject(new Error("nothing is committed")), reveal: async () => ({ move, salt }) };
}

describe("Pistols: the state before blades", () => {
  it("is the same when player 1 computes it in advance and when player 2 sees it revealed", async () => {
    const recorder = new MatchSynthesizer();
    const ids = await new Random("blades").instead(async () => {
      const played: bigint[] = [];
      for (let i = 0; i < 12; i++) played.push(await recorder.play(pistolsGame, "0x"));
      return played;
    });
    const archive = recorder.done();
    const records = await Promise.all(ids.map((id) => archive.match(id)));
    const longer = records.filter(({ actions }) => actions.length > 1);
    expect(longer).not.to.be.empty;
    for (const record of longer) {
      const steps = await frames(record, archive);
      const joined = turnOf({ ...record, actions: [] }, Seat.One, record.player1, archive);
      const revealed = turnOf({ ...record, actions: record.actions.slice(0, 1) }, Seat.Two, record.player2!, archive);
      const foreseen = await stateBeforeBlades(joined, storeOf(record));
      expect(foreseen).to.deep.equal(await stateBeforeBlades(revealed, storeOf(record)));
      expect(foreseen.paces).to.deep.equal(steps[0].paces);
      expect(foreseen.health).to.deep.equal(steps.find(({ round }) => round === 2)!.health);
    }
  });
});

describe("Pistols: the calculation of odds for a player", () => {
  it("returns the odds of the rules for a shot, in every order and at all paces", () => {
    for (const duelists of DUELS) {
      for (const seat of [1, 2]) {
        for (const paces of PACES) {
          for (const [order, when] of ORDERS) {
            const expected = shotByTables(duelists, seat - 1, paces, when);
            expectOdds(shotOdds({ duelists, seat }, paces, order), expected);
          }
        }
      }
    }
  });

  it("returns a newcomer's odds for blades, which fall with each lost point of health", () => {
    const view = (health: number) => ({ duelists: DUELS[0], seat: 2, health: [3, health] as const });
    expectOdds(strokeOdds(view(3), LIGHT), [0.2, 0.6, 0.2, 0]);
    expectOdds(strokeOdds(view(3), BLOCK), [0.2, 0.6, 0.2, 0]);
    expectOdds(strokeOdds(view(3), HEAVY), [0.2, 0, 0.6, 0.2]);
    expectOdds(strokeOdds(view(1), LIGHT), [0.8 * 0.45, 0.8 * 0.55, 0.2, 0]);
  });

  it("returns odds that add up to 1 for two moves, and are mirrored for the opponent", () => {
    for (const duelists of DUELS) {
      for (const own of PACES) {
        for (const other of PACES) {
          const mine = pacesProspects({ duelists, seat: 1 }, own, other);
          const theirs = pacesProspects({ duelists, seat: 2 }, other, own);
          expectClose(sumOf(mine), 1, TINY);
          expect([theirs.won, theirs.lost, theirs.drawn, theirs.goesOn]).to.deep.equal([
            mine.lost,
            mine.won,
            mine.drawn,
            mine.goesOn,
          ]);
        }
      }
    }
  });

  it("returns the odds of the bot's equilibrium for two moves with blades", () => {
    const health = [2, 1] as const;
    for (const duelists of DUELS) {
      const { payoffs } = bladesRound({ duelists, health, part: 0.25 });
      for (const [row, own] of ALL_BLADES.entries()) {
        for (const [column, other] of ALL_BLADES.entries()) {
          const { won, drawn, goesOn } = bladesProspects({ duelists, health, seat: 1 }, own, other);
          expectClose(won + 0.25 * drawn, payoffs[row][column], TINY);
          expect(goesOn).to.equal(0);
        }
      }
    }
  });
});
