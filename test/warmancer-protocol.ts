import { expect } from "chai";
import { keccak256, ZeroHash } from "ethers";
import { CLASSIC, QUICK, SKIRMISH, type Mode } from "../sdk/games/warmancer/mode.js";
import { decodePosition, encodePosition } from "../sdk/games/warmancer/position.js";
import { wordOfState } from "../sdk/games/warmancer/protocol.js";
import { wordOf } from "../sdk/seal.js";
import { Random } from "./laws/random.js";
import { Campaign } from "./warmancer-support.js";

const MODES: Record<string, Mode> = {
  quick: QUICK,
  skirmish: SKIRMISH,
  "quick, always hidden": { ...QUICK, alwaysHidden: true },
  "quick, sequential": { ...QUICK, sequential: true },
  "skirmish, sequential and always hidden": { ...SKIRMISH, sequential: true, alwaysHidden: true },
  "quick, casual": { ...QUICK, casual: true },
  "quick, casual and sequential": { ...QUICK, casual: true, sequential: true },
  "skirmish, bought": { ...SKIRMISH, budget: 80 },
};

describe("Warmancer's matches", () => {
  for (const [name, mode] of Object.entries(MODES)) {
    it(`go from creation to the last setup: ${name}`, () => {
      const ends = new Set<string>();
      for (let n = 0; n < 20; n++) {
        const campaign = Campaign.of(mode, new Random(`${name} ${n}`));
        campaign.rides = n % 2 === 1;
        campaign.start().play();
        ends.add(String(campaign.state.winner));
        const logs = campaign.sent.flatMap(({ outcome }) => outcome.logs);
        expect(logs.map(({ round }) => Number(round))).to.deep.equal(logs.map((_, i) => i + 1));
      }
      console.log(name, [...ends]);
    });
  }
});
