import { expect } from "chai";
import { MatchSynthesizer } from "../../../scripts/record/match-synthesizer.js";
import { Random } from "../../../scripts/soak/random.js";
import { frames, FULL_HEALTH, pistolsGame, type PistolsFrame } from "../../../sdk/games/pistols/index.js";
import type { Blow } from "../../../sdk/games/pistols/log.js";
import { foughtRounds } from "../../../sdk/games/pistols/replay.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import type { Archive } from "../../../sdk/chain/archive.js";

const MATCHES = 40;

describe("Pistols: the animation of a duel", () => {
  let archive: Archive;
  let records: MatchRecord[];

  before(async () => {
    await new Random("frames").instead(async () => {
      const recorder = new MatchSynthesizer();
      const ids: bigint[] = [];
      for (let i = 0; i < MATCHES; i++) ids.push(await recorder.play(pistolsGame, "0x"));
      archive = recorder.done();
      records = await Promise.all(ids.map((id) => archive.match(id)));
    });
  });

  const bladesOf = (drawn: readonly PistolsFrame[]) => drawn.at(-1)!.blades;

  it("shows the moves of each round, the health after each blow, and the honour of both at the end", async () => {
    for (const record of records) {
      const drawn = await frames(record, archive);
      const rounds = await foughtRounds(record, archive);
      const logged = ((await pistolsGame.decodeLog(record, archive)) as Blow[]).filter((entry) => "points" in entry);
      const blows = drawn.flatMap(({ blow }) => blow ?? []);
      expect(blows.map(({ player, points, health }) => [player, points, health])).to.deep.equal(
        logged.map(({ player, points, health }) => [player, points, health]),
      );
      expect(drawn[0]).to.deep.include({ round: 1, blow: null, blades: null, health: [FULL_HEALTH, FULL_HEALTH] });
      for (const { health, paces } of drawn) {
        expect(Math.min(...health)).to.be.at.least(0);
        expect(Math.max(...health)).to.be.at.most(FULL_HEALTH);
        expect(drawn[0].text).to.include(`Player 1 walks ${paces[0]} paces, Player 2 walks ${paces[1]} paces`);
      }
      expect(drawn.at(-1)!).to.deep.include({ health: rounds.at(-1)!.health, honour: rounds.at(-1)!.honour });
      expect(drawn.slice(0, -1).flatMap(({ honour }) => honour ?? [])).to.deep.equal([]);
    }
  });

  it("names the blades of both players, and shows a death by Seppuku without a blow", async () => {
    const all = await Promise.all(records.map((record) => frames(record, archive)));
    const fatal = all.flatMap((drawn) =>
      [0, 1].filter((side) => bladesOf(drawn)?.[side][0] === "seppuku").map((side) => drawn.at(-1)!.health[side]),
    );
    expect(fatal).not.to.be.empty;
    expect(new Set(fatal)).to.deep.equal(new Set([0]));
  });
});
