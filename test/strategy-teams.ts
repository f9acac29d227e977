import { expect } from "chai";
import { battle as fightersBattle, type Tiers } from "../sdk/games/auto-battler/engine.js";
import { defaultMode as fightersMode } from "../sdk/games/auto-battler/mode.js";
import { games } from "../sdk/games/index.js";
import { battle as cardsBattle } from "../sdk/games/guardians/engine.js";
import { decodeMode, defaultMode } from "../sdk/games/guardians/mode.js";
import type { CardStats } from "../sdk/history.js";
import { autoBattlerStrategy } from "../sdk/strategy/auto-battler.js";
import { guardiansStrategy } from "../sdk/strategy/guardians.js";
import { QuickSource, shuffle } from "../sdk/strategy/source.js";
import type { TeamStrategy } from "../sdk/strategy/teams.js";
import { chanceOf } from "./strategy-support.js";

/** A game of teams in a mode, with characters to choose from. */
interface Table<Mode, Character> {
  name: string;
  mode: Mode;
  size: number;
  strategy: TeamStrategy<Mode, Character>;
  pool: Character[];
  battle(seed: Uint8Array, mode: Mode, teams: (readonly Character[])[]): { winner: number };
}

const POOL = 15;
const BATTLES = 600;

const chance = chanceOf("characters");
const from = (least: number, most: number) => least + chance.below(most + 1 - least);
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

/** The part of battles that a seat's team wins, draws by half; the opponent brings what it is asked for each time. */
function partWon(
  { battle, mode }: Table<unknown, unknown>,
  seat: number,
  team: readonly unknown[],
  rival: () => readonly unknown[],
) {
  const quick = new QuickSource(chanceOf("dice"));
  let won = 0;
  for (let n = 0; n < BATTLES; n++) {
    const { winner } = battle(quick.bytes(32), mode, seat === 1 ? [team, rival()] : [rival(), team]);
    won += winner === 0 ? 1 / 2 : Number(winner === seat);
  }
  return won / BATTLES;
}

for (const table of tables) {
  const { name, mode, size, strategy, pool } = table;
  const known = (places: readonly number[]) => places.map((place) => pool[place]);
  const any = (source: QuickSource) => shuffle([...pool], source).slice(0, size);

  describe(`The choice of a team in ${name}`, function () {
    this.timeout(20_000);

    for (const seat of [1, 2]) {
      it(`is legal, and wins four of five battles against teams at random of the same characters: player ${seat}`, () => {
        const random = new QuickSource(chanceOf("rivals"));
        for (const seed of ["one", "two", "three"]) {
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

    it("beats what the opponent has brought again and again better than a choice that does not know it", () => {
      const random = new QuickSource(chanceOf("habit"));
      let [knowing, blind] = [0, 0];
      for (let n = 0; n < 8; n++) {
        const habit = known(strategy.choose({ mode, seat: 2, own: pool }, random));
        const used = Array.from({ length: 20 }, () => habit);
        const source = () => chanceOf(`habit ${n}`);
        knowing += partWon(table, 1, known(strategy.choose({ mode, seat: 1, own: pool, used }, source())), () => habit);
        blind += partWon(table, 1, known(strategy.choose({ mode, seat: 1, own: pool }, source())), () => habit);
      }
      expect(knowing / 8).to.be.above(blind / 8);
      expect(knowing / 8).to.be.above(1 / 2);
    });

    it("is the same for the same view and the same chance, and takes less than a second", () => {
      const view = { mode, seat: 1, own: pool, theirs: pool.slice(0, size + 1) };
      const began = performance.now();
      const chosen = strategy.choose(view, chanceOf("again"));
      expect(performance.now() - began).to.be.below(1000);
      expect(strategy.choose(view, chanceOf("again"))).to.deep.equal(chosen);
    });

    it("is made of exactly those at hand if there are no more, and refused if they are too few", () => {
      const own = pool.slice(0, size);
      expect(strategy.choose({ mode, seat: 2, own }, chanceOf("few")).toSorted()).to.deep.equal([...own.keys()]);
      const few = { mode, seat: 1, own: own.slice(1) };
      expect(() => strategy.choose(few, chanceOf("few"))).to.throw(
        RangeError,
        `${size - 1} at hand; a team has ${size}`,
      );
    });

    it("counts with the opponent's own characters where they are known", () => {
      const order = [...pool.keys()].toSorted((a, b) => JSON.stringify(pool[a]).localeCompare(JSON.stringify(pool[b])));
      const theirs = order.slice(0, size).map((place) => pool[place]);
      const team = known(strategy.choose({ mode, seat: 1, own: pool, theirs }, chanceOf("theirs")));
      const random = new QuickSource(chanceOf("theirs"));
      expect(partWon(table, 1, team, () => shuffle([...theirs], random))).to.be.above(0.7);
    });
  });
}
