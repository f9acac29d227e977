import { expect } from "chai";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { games } from "../../sdk/games/index.js";

const bench = (...args: string[]) => spawnSync("tsx", ["scripts/bench.ts", ...args], { encoding: "utf8" });

const edges = () => readFileSync("sdk/games/edges.ts", "utf8");

describe("Bench", () => {
  it("prints rates, their ratio and what parity it saw, and finds the edges that are in the table", () => {
    const before = edges();
    const { status, stdout } = bench("--battles", "100", "--matches", "2", "--parity", "5");
    expect(status).to.equal(0);
    const [battles, ratio, matches, ...rest] = stdout.trimEnd().split("\n");
    expect(battles).to.match(/^Random default battles: \d+ a second in TypeScript, \d+ on chain$/);
    expect(ratio).to.match(/^TypeScript : chain = [\d.]+ : 1$/);
    expect(matches).to.match(/^Whole matches in three transactions: [\d.]+ a second$/);
    expect(rest.pop()).to.equal("Parity: 5 random default battles, every word the same");
    const modes = games.flatMap(({ name, modes }) => Object.keys(modes).map((mode) => `${name}, ${mode}`));
    expect(rest.map((line) => line.split(":")[0])).to.deep.equal(modes);
    expect(edges()).to.equal(before);
    for (const line of rest) expect(line).to.match(/: player 1 [\d.]+ %, player 2 [\d.]+ %, draws [\d.]+ % at random$/);
  });

  for (const wrong of [
    ["--parity", "-1"],
    ["--matches", "x"],
    ["--battles", "NaN"],
    ["--battles", "99999999999"],
    ["--bogus"],
  ]) {
    it(`refuses ${wrong.join(" ")} in one line`, () => {
      const { status, stdout, stderr } = bench(...wrong);
      expect([status, stdout]).to.deep.equal([1, ""]);
      expect(stderr.trimEnd().split("\n").length).to.equal(1);
    });
  }
});
