import { expect } from "chai";
import { battle } from "../../../sdk/games/auto-battler/engine.js";
import { autoBattler, frames } from "../../../sdk/games/auto-battler/index.js";
import { fightOf } from "../../../sdk/games/auto-battler/replay.js";
import { recorded } from "../../support/recorded.js";

describe("Auto-battler: the animation of a match", () => {
  it("shows both teams, and the same hp after each attack as the engine", async () => {
    const { archive, matches } = await recorded();
    for (const { record } of matches.filter(({ game }) => game === autoBattler)) {
      const fight = (await fightOf(record, archive))!;
      const { hp, winner, entries } = battle(
        fight.seed,
        fight.mode,
        fight.teams.map((team) => team.map(({ tiers }) => tiers)),
      );
      const [start, ...attacks] = await frames(record, archive);
      expect(start.attack).to.equal(null);
      expect(start.hp).to.deep.equal(start.teams.map((team) => team.map((each) => each.hp)));
      expect(start.teams.map((team) => team.map(({ id }) => BigInt(id)))).to.deep.equal(
        fight.teams.map((team) => team.map(({ id }) => id)),
      );
      expect(attacks).to.have.length(entries.length);
      let before = start.hp;
      for (const frame of attacks) {
        const { attacker, defender, damage, dodge, death, combo } = frame.attack!;
        expect(attacker.player).not.to.equal(defender.player);
        const was = before[defender.player - 1][defender.slot];
        const left = Math.max(0, was - damage);
        const expected = before.map((team, side) =>
          side === defender.player - 1 ? team.with(defender.slot, left) : team,
        );
        expect(frame.hp).to.deep.equal(expected);
        expect(frame.teams).to.equal(start.teams);
        expect([dodge, death]).to.deep.equal([damage === 0, left === 0]);
        if (dodge) expect([combo, frame.text.endsWith(", who dodges")]).to.deep.equal([false, true]);
        before = frame.hp;
      }
      expect(before).to.deep.equal(hp);
      expect(attacks.at(-1)!.result).to.deep.equal({ winner, taker: winner });
    }
  });
});
