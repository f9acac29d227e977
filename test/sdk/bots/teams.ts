import { expect } from "chai";
import { battle as fightersBattle, type Tiers } from "../../../sdk/games/auto-battler/engine.js";
import { defaultMode as fightersMode } from "../../../sdk/games/auto-battler/mode.js";
import { games } from "../../../sdk/games/index.js";
import { battle as cardsBattle } from "../../../sdk/games/guardians/engine.js";
import { decodeMode, defaultMode } from "../../../sdk/games/guardians/mode.js";
import type { CardStats } from "../../../sdk/games/guardians/cards.js";
import { autoBattlerStrategy } from "../../../sdk/games/auto-battler/bot.js";
import { guardiansStrategy } from "../../../sdk/games/guardians/bot.js";
import { QuickSource, shuffle } from "../../../sdk/bots/source.js";
import { BATTLES, TeamStrategy } from "../../../sdk/bots/teams.js";
import { chanceOf } from "../../support/bots.js";

/** A team game in one mode, with characters to choose from. */
interface Table<Mode, Character> {
  name: string;
  mode: Mode;
  size: number;
  strategy: TeamStrategy<Mode, Character>;
  pool: Character[];
  battle(seed: Uint8Array, mode: Mode, teams: (readonly Character[])[]): { winner: number };
}

const POOL = 15;
const TESTED = 400;
/** Seeds for the choices of each seat. There are only a few, because one choice simulates thousands of battles. */
const SEEDS = (seat: number) => (process.env.THOROUGH ? ["one", "two"] : [["one"], ["two"]][seat - 1]);

const random = chanceOf("characters");
const from = (min: number, max: number) => min + random.below(max + 1 - min);
const fighters = Array.from({ length: POOL }, (): Tiers => Array.from({ length: 6 }, () => from(1, 3)));
const cards = Array.from({ length: POOL }, (): CardStats => ({
  power: from(100, 600),
  defense: from(100, 600),
  hp: from(500, 2000),
  speed: from(1, 100),
  critical: from(0, 400),
  luck: from(0, 400),
  type: from(0, 7),
}));

const guardians = games.find(({ name }) => name === "guardians")!;
const tables = [
  {
    name: "the auto-battler",
    mode: fightersMode,
    size: 5,
    strategy: autoBattlerStrategy(),
    pool: fighters,
    battle: fightersBattle,
  } satisfies Table<typeof fightersMode, Tiers>,
  ...Object.entries(guardians.modes).map(([name, { content }]) => {
    const mode = content === "0x" ? defaultMode : decodeMode(content);
    const strategy = guardiansStrategy();
    const table = { name: `guardians, ${name}`, mode, size: mode.teamSize, strategy, pool: cards, battle: cardsBattle };
    return table satisfies Table<typeof mode, CardStats>;
  }),
] as unknown as Table<unknown, unknown>[];

/** Returns the share of battles that a seat's team wins; draws count half. `rival` chooses the opponent's teams. */
function partWon(
  { battle, mode }: Table<unknown, unknown>,
  seat: number,
  team: readonly unknown[],
  rival: () => readonly unknown[],
) {
  const quick = new QuickSource(chanceOf("dice"));
  let won = 0;
  for (let n = 0; n < TESTED; n++) {
    const { winner } = battle(quick.bytes(32), mode, seat === 1 ? [team, rival()] : [rival(), team]);
    won += winner === 0 ? 1 / 2 : Number(winner === seat);
  }
  return won / TESTED;
}

for (const table of tables) {
  const { name, mode, size, strategy, pool } = table;
  const known = (places: readonly number[]) => places.map((place) => pool[place]);
  const any = (source: QuickSource) => shuffle([...pool], source).slice(0, size);

  describe(`The strategy for a team in ${name}`, () => {
    for (const seat of [1, 2]) {
      it(`chooses a legal team, which wins over 80% of battles against random teams of the same characters: player ${seat}`, () => {
        const random = new QuickSource(chanceOf("rivals"));
        for (const seed of SEEDS(seat)) {
          const places = strategy.choose({ mode, seat, own: pool }, chanceOf(seed));
          expect(places).to.have.length(size);
          expect(new Set(places).size).to.equal(size);
          for (const place of places) expect(place).to.be.within(0, POOL - 1);
          expect(
            partWon(table, seat, known(places), () => any(random)),
            seed,
          ).to.be.above(0.8);
        }
      });
    }

    for (const seat of [1, 2]) {
      it(`judges a team by battles against the opponent's strongest characters: player ${seat}`, () => {
        const all = strategy.strongest(pool, mode);
        const [best, worst] = [all.slice(0, size), all.slice(-size)];
        const judged = (team: number[], theirs?: readonly unknown[]) =>
          strategy.judge({ mode, seat, own: pool, theirs }, team, chanceOf("judge"));
        expect(judged(best, known(worst))).to.be.above(0.85);
        expect(judged(worst, pool)).to.be.below(0.15);
        expect(judged(best)).to.be.within(0.25, 0.75);
        // If the opponent has too few characters, the strategy assumes that the opponent has the player's.
        expect(judged(worst, known(worst).slice(1))).to.equal(judged(worst));
      });
    }

    it("fails if too few characters are available", () => {
      const few = { mode, seat: 1, own: pool.slice(0, size - 1) };
      expect(() => strategy.choose(few, chanceOf("few"))).to.throw(
        RangeError,
        `${size - 1} at hand; a team has ${size}`,
      );
    });
  });
}

describe("The strategy for a team against an opponent", () => {
  // A team is one of rock, paper and scissors: each beats the one before it.
  const beats = (own: number, other: number) => (own - other + 3) % 3 === 1;
  const strategy = new TeamStrategy<object, number>({
    sizeOf: () => 1,
    strength: () => 0,
    fight: (_seed, _mode, [[one], [two]]) => (beats(one, two) ? 1 : beats(two, one) ? 2 : 0),
  });
  const own = [0, 1, 2];

  for (const seat of [1, 2]) {
    it(`counters the opponent's repeated teams: player ${seat}`, () => {
      for (const habit of own) {
        const view = { mode: {}, seat, own, used: Array.from({ length: 40 }, () => [habit]) };
        for (const seed of ["one", "two"])
          expect(strategy.choose(view, chanceOf(seed))).to.deep.equal([(habit + 1) % 3]);
      }
    });

    it(`counters the opponent's characters: player ${seat}`, () => {
      for (const only of own) {
        for (const seed of ["one", "two"]) {
          const chosen = strategy.choose({ mode: {}, seat, own, theirs: [only] }, chanceOf(seed));
          expect(chosen).to.deep.equal([(only + 1) % 3]);
        }
      }
    });
  }

  describe("with several characters per team", () => {
    const MAX = 2_000;
    const threes = new TeamStrategy<object, number>(
      {
        sizeOf: () => 3,
        strength: (one) => one,
        // Any change of the seed, or of an opposing character, can change the result.
        fight: (seed, _mode, [one, two]) => [...one, ...two].reduce((sum, each) => 31 * sum + each, seed[0]) % 3,
      },
      MAX,
    );

    it("makes the same choice for the same view and the same random numbers", () => {
      const many = Array.from({ length: 15 }, (_, i) => i);
      const view = { mode: {}, seat: 1, own: many, theirs: many.slice(0, 4) };
      const chosen = threes.choose(view, chanceOf("again"));
      expect(threes.choose(view, chanceOf("again"))).to.deep.equal(chosen);
    });

    it("chooses the available characters if there are just enough", () => {
      for (const seat of [1, 2]) {
        const chosen = threes.choose({ mode: {}, seat, own: [7, 7, 9] }, chanceOf("few"));
        expect(chosen.toSorted()).to.deep.equal([0, 1, 2]);
      }
    });
  });

  it("expects a good choice from the opponent, not just any of its teams", () => {
    // One team of the opponent is strong: it beats the player's first team, but loses to the second. Against the
    // opponent's weak teams, the first team wins and the second draws.
    const [FIRST, SECOND, STRONG, WEAK] = [1, 2, 3, 4];
    const wins = (own: number, other: number) =>
      (own === FIRST && other === WEAK) || (own === SECOND && other === STRONG) || (own === STRONG && other === FIRST);
    const uneven = new TeamStrategy<object, number>({
      sizeOf: () => 1,
      strength: () => 0,
      fight: (_seed, _mode, [[one], [two]]) => (wins(one, two) ? 1 : wins(two, one) ? 2 : 0),
    });
    const theirs = [STRONG, ...Array.from({ length: 4 }, () => WEAK)];
    for (const seat of [1, 2]) {
      expect(uneven.choose({ mode: {}, seat, own: [FIRST, SECOND], theirs }, chanceOf("apt"))).to.deep.equal([1]);
    }
  });

  describe("when it estimates its chance", () => {
    const [weak, strong] = [1, 3].map((tier): Tiers => Array<number>(6).fill(tier));
    const teamOf = (...fighters: Tiers[]) => Array.from({ length: 5 }, (_, i) => fighters[i % fighters.length]);
    const middling = teamOf([2, 2, 2, 2, 2, 2]);
    const chanceAgainst = (known: { own?: Tiers[]; theirs?: Tiers[]; used?: Tiers[][] }, seat = 2) =>
      autoBattlerStrategy().weigh({ mode: fightersMode, seat, own: middling, ...known }, chanceOf("weighed")).chance;

    for (const seat of [1, 2]) {
      it(`returns the share of battles that it wins: player ${seat}`, () => {
        expect(chanceAgainst({ theirs: teamOf(weak) }, seat)).to.be.above(0.95);
        expect(chanceAgainst({ theirs: teamOf(strong) }, seat)).to.be.below(0.05);
        for (const like of [{}, { theirs: middling }]) expect(chanceAgainst(like, seat)).to.be.within(0.4, 0.6);
      });
    }

    it("returns a low chance if an opponent hides a strong team among many weak ones", () => {
      const hidden = [...Array<Tiers>(20).fill(weak), ...teamOf(strong), ...Array<Tiers>(15).fill(weak)];
      expect(chanceAgainst({ own: teamOf([3, 2, 3, 2, 2, 2]), theirs: hidden })).to.be.below(0.05);
    });

    it("returns a low chance if an opponent with a strong team has lost with weak ones on purpose", () => {
      const used = Array.from({ length: 20 }, () => teamOf(weak));
      expect(chanceAgainst({ theirs: [...teamOf(strong), ...teamOf(weak)], used })).to.be.below(0.05);
    });

    it("returns a low chance if an opponent keeps winning with seemingly weak teams", () => {
      const game = { sizeOf: () => 1, strength: (one: number) => one, fight: beaten };
      const { chance } = new TeamStrategy<object, number>(game).weigh(
        { mode: {}, seat: 2, own: [5], theirs: [4, 1], used: Array.from({ length: 3 }, () => [1]) },
        chanceOf("seems"),
      );
      expect(chance).to.equal(0);
    });

    /** Fights a battle in which character 1 always wins, and otherwise the stronger character. */
    function beaten(_seed: Uint8Array, _mode: object, [[one], [two]]: readonly (readonly number[])[]): number {
      return one === 1 ? 1 : two === 1 ? 2 : one > two ? 1 : 2;
    }

    it("returns zero against an opponent with too few characters for a team", () => {
      for (const theirs of [[], teamOf(weak).slice(1)]) expect(chanceAgainst({ theirs })).to.equal(0);
    });
  });

  for (const { name, strategy: table, pool, mode } of tables) {
    it(`ranks a character that is better in one property as stronger: ${name}`, () => {
      for (const one of pool as Record<string, number>[]) {
        for (const stat of Object.keys(one).filter((key) => key !== "type")) {
          const more = { ...one, [stat]: one[stat] + 1 };
          const some = [one, Array.isArray(one) ? Object.values(more) : more];
          expect(table.strongest(some, mode), stat).to.deep.equal([1, 0]);
        }
      }
    });
  }

  it("assumes that the opponent has the player's own characters if the opponent is unknown or has too few for a team", () => {
    const sizes = new Set<string>();
    const pairs = new TeamStrategy<object, number>({
      sizeOf: () => 2,
      strength: () => 0,
      fight: (_seed, _mode, [one, two]) => {
        sizes.add(`${one.length} ${two.length}`);
        return 0;
      },
    });
    for (const theirs of [undefined, [], [7]]) {
      expect(pairs.choose({ mode: {}, seat: 1, own, theirs }, chanceOf("like"))).to.have.length(2);
    }
    expect([...sizes]).to.deep.equal(["2 2"]);
  });

  it("simulates no more battles than its limit", () => {
    for (const max of [2_000, BATTLES]) {
      let fought = 0;
      const sizeOf = () => 2;
      new TeamStrategy<object, number>({ sizeOf, strength: () => 0, fight: () => (fought++, 1) }, max).choose(
        { mode: {}, seat: 1, own, theirs: own },
        chanceOf("costs"),
      );
      expect(fought).to.be.within(max / 2, max);
    }
  });

  it("chooses at random among equal teams, so that it forms no habit", () => {
    const chosen = Array.from(
      { length: 30 },
      (_, n) => strategy.choose({ mode: {}, seat: 1, own }, chanceOf(`${n}`))[0],
    );
    expect(new Set(chosen).size).to.equal(3);
  });
});
