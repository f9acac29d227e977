import { expect } from "chai";
import { orderOf as orderOfFighters } from "../../../page/src/games/auto-battler/order.js";
import { orderOf as orderOfCards } from "../../../page/src/games/guardians/order.js";
import { isSame, partLeft, roundAt } from "../../../page/src/games/teams/fight.js";
import { pointOf } from "../../../page/src/games/teams/places.js";
import { filled, firstFree, moved, placed, swapped } from "../../../page/src/games/teams/team.js";
import { autoBattler, frames as fightersFrames } from "../../../sdk/games/auto-battler/index.js";
import { battle } from "../../../sdk/games/guardians/engine.js";
import { guardians, frames as cardsFrames } from "../../../sdk/games/guardians/index.js";
import { MAX_TEAM } from "../../../sdk/games/guardians/mode.js";
import { fightOf } from "../../../sdk/games/guardians/replay.js";
import { recorded } from "../../support/recorded.js";

describe("The page: the grid of a team's slots", () => {
  it("holds each character once, and swaps two characters if one moves to an occupied slot", () => {
    expect(placed(["1", null, null], "2", 2)).to.deep.equal(["1", null, "2"]);
    expect(placed(["1", "2", null], "3", 0)).to.deep.equal(["3", "2", null]);
    expect(placed(["1", "2", null], "1", 1)).to.deep.equal(["2", "1", null]);
    expect(placed(["1", "2", null], "1", 2)).to.deep.equal([null, "2", "1"]);
    expect(swapped(["1", null, "3"], 1, 2)).to.deep.equal(["1", "3", null]);
  });

  it("fills only empty slots, without duplicates", () => {
    expect(filled([null, "2", null], ["1", "2", "3", "4"])).to.deep.equal(["1", "2", "3"]);
    expect(filled([null, "2", null], ["2"])).to.deep.equal([null, "2", null]);
    expect([firstFree(["1", null]), firstFree(["1"])]).to.deep.equal([1, -1]);
  });

  it("moves the focus between its slots with arrows, Home and End", () => {
    const to = (key: string, place: number) => moved(key, place, 7, 3);
    expect([to("ArrowRight", 0), to("ArrowLeft", 0), to("ArrowDown", 0), to("ArrowUp", 4)]).to.deep.equal([1, 0, 3, 1]);
    expect([to("ArrowRight", 6), to("ArrowDown", 5), to("ArrowUp", 2)]).to.deep.equal([6, 5, 2]);
    expect([to("Home", 4), to("End", 4), to("Enter", 4)]).to.deep.equal([0, 6, undefined]);
  });
});

describe("The page: the course of a fight", () => {
  it("has the same rounds of the auto-battler as the engine", async () => {
    const { archive, matches } = await recorded();
    for (const { record } of matches.filter(({ game }) => game === autoBattler)) {
      const frames = await fightersFrames(record, archive);
      const order = orderOfFighters(frames);
      expect(order).to.have.length(10);
      for (const [step, { round, attack }] of frames.entries()) {
        const found = roundAt(frames, step, order);
        expect(found.round).to.equal(round);
        expect(found.attacks.at(-1)).to.equal(attack ?? undefined);
      }
    }
  });

  it("lets cards of guardians act once a round, in the order of the engine", async () => {
    const { archive, matches } = await recorded();
    const all = matches.filter(({ game }) => game === guardians);
    expect(all.length).to.be.above(0);
    for (const { record } of all) {
      const fight = (await fightOf(record, archive))!;
      const frames = await cardsFrames(record, archive);
      const order = orderOfCards(frames);
      const places = order.map(({ player, slot }) => MAX_TEAM * (player - 1) + slot);
      expect(places).to.deep.equal(battle(fight.seed, fight.mode, fight.teams).order);
      for (const step of frames.keys()) {
        const { attacks } = roundAt(frames, step, order);
        const acted = attacks.map(({ attacker }) => order.findIndex((place) => isSame(place, attacker)));
        expect(acted).to.deep.equal(acted.toSorted((one, other) => one - other));
        expect(new Set(acted).size).to.equal(acted.length);
      }
    }
  });

  it("sorts cards of equal speed in the order in which they acted", () => {
    const card = { speed: 7 };
    const teams = [
      [card, card],
      [card, { speed: 9 }],
    ] as never;
    const attack = (player: number, slot: number) => ({ attacker: { player, slot } }) as never;
    const frames = [null, attack(2, 1), attack(2, 0), attack(1, 1), attack(1, 0)].map((each) => ({
      teams,
      attack: each,
    }));
    expect(orderOfCards(frames)).to.deep.equal([
      { player: 2, slot: 1 },
      { player: 2, slot: 0 },
      { player: 1, slot: 1 },
      { player: 1, slot: 0 },
    ]);
  });

  it("returns the fraction of a side's hp that is left", () => {
    expect(partLeft([3, 0, 2], [4, 4, 2])).to.equal(0.5);
  });
});

describe("The page: the stage of a fight", () => {
  it("places both teams as mirror images, with no two characters in one place", () => {
    for (const size of [1, 2, 3, 4, 5]) {
      const slots = Array.from({ length: size }, (_, slot) => slot);
      const left = slots.map((slot) => pointOf(slot, size, true));
      const right = slots.map((slot) => pointOf(slot, size, false));
      expect(right).to.deep.equal(left.map(({ x, y }) => ({ x: 100 - x, y })));
      expect(new Set(left.map(({ x, y }) => `${x} ${y}`)).size).to.equal(size);
      for (const { x, y } of left) {
        expect(x).to.be.within(5, 45);
        expect(y).to.be.within(30, 95);
      }
    }
  });
});
