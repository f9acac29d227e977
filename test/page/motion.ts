import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";

/** Properties that a browser animates without a new layout or painting. The last one moves nothing. */
const CHEAP = ["transform", "scale", "rotate", "opacity", "animation-timing-function"];
/** Animations that switch without motion: the ring around a hand appears. */
const CUTS = ["mini-ring"];

const styles = globSync("page/src/**/*.css").map((file) => readFileSync(file, "utf8"));

/** Returns each animation's name and the properties that it changes. */
function movements(css: string): [name: string, properties: string[]][] {
  return [...css.matchAll(/@keyframes ([\w-]+) \{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}/g)].map(([, name, body]) => [
    name,
    [...body.matchAll(/([\w-]+):/g)].map(([, property]) => property),
  ]);
}

describe("The page: motion", () => {
  it("animates only transforms and opacity", () => {
    const all = styles.flatMap(movements);
    expect(all.length).to.be.above(10);
    for (const [name, properties] of all) {
      if (!CUTS.includes(name)) expect(CHEAP, name).to.include.members(properties);
    }
    for (const css of styles) {
      for (const [, what] of css.matchAll(/transition:\s*([\w-]+)/g)) expect(["none", ...CHEAP]).to.include(what);
    }
  });
});
