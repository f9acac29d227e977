import { expect } from "chai";
import type { HintMoment } from "../../../sdk/games/view.js";
import { catalogue } from "../../../sdk/games/catalogue.js";

/** Moments of a match: before a choice after some turns, and after the end. */
const MOMENTS = [0, 1, 2, 3, 4].flatMap((turns) => [false, true].map((isOver) => ({ turns, isOver })));

describe("Hints of the games", () => {
  for (const { name } of catalogue) {
    it(`are two or three, of one or two short sentences each, and start before the first choice: ${name}`, async () => {
      const { hintAt } = (await import(`../../../page/src/games/${name}/hints.ts`)) as {
        hintAt: (moment: HintMoment) => string | undefined;
      };
      expect(hintAt({ turns: 0, isOver: false })).to.be.a("string");
      const told = new Set(MOMENTS.flatMap((moment) => hintAt(moment) ?? []));
      expect(told.size).to.be.within(2, 3);
      for (const text of told) expect(text).to.match(/^([A-Z][^.]{9,90}\.( |$)){1,2}$/);
    });
  }
});
