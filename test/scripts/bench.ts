import { expect } from "chai";
import { readFileSync } from "node:fs";
import { checkParity } from "../../scripts/parity.js";
import { setupsOf } from "../../sdk/games/win-rate.js";
import { stockGame, games } from "../../sdk/games/index.js";
import { runScript } from "../support/running.js";

const bench = (...args: string[]) => runScript("scripts/bench.ts", args).ended;

const winRates = () => readFileSync("sdk/games/win-rates.ts", "utf8");

describe("npm run bench", () => {
  it("prints the speed of both engines, the bots' results against opponents, and the parity of the engines", async () => {
    const { code, stdout } = await bench(
      ...["--battles", "100", "--matches", "2", "--verified", "5"],
      ...["--index", "30", "--opponents", "1", "--parity", "5"],
      "--no-win-rates",
    );
    expect(code).to.equal(0);
    const [battles, ratio, events, eventRatios, matches, ...others] = stdout.trimEnd().split("\n");
    const [match, matchRatios, attack, attackRatio, ...more] = others;
    const [short, long, recorded, ...measured] = more;
    const [list, again, ranking, stats, verified, plain, index, indexRatio, ...answered] = measured;
    const requests = answered.splice(
      0,
      answered.findIndex((line) => line.startsWith("list ")),
    );
    const [indexedList, indexedRanking, indexedStats, random, greedy, classic, ...rest] = answered;
    expect(battles).to.match(/^Random default battles: \d+ a second in TypeScript, \d+ on chain$/);
    expect(ratio).to.match(/^TypeScript : chain = [\d.]+ : 1$/);
    expect(events).to.match(/^Events of recorded matches: \d+ decoded a second, \d+ encoded$/);
    expect(eventRatios).to.match(/^ours : ethers = [\d.]+ : 1 decoding, [\d.]+ : 1 encoding$/);
    expect(matches).to.match(/^Whole matches in three transactions: [\d.]+ a second$/);
    expect(match).to.match(
      /^Gas of a whole auto-battle on average: 45\d,\d{3}; three others': 525,000, 621,000, 904,000$/,
    );
    expect(matchRatios).to.match(/^others : ours = 1\.\d\d, 1\.\d\d, 1\.\d\d : 1$/);
    expect(attack).to.match(/^Gas of an attack, log and statistics included: 1,2\d\d; another's: 15,304$/);
    expect(attackRatio).to.match(/^other : ours = 12\.\d : 1$/);
    expect(short).to.match(/^Verified 5 recorded matches, as many of each of \d short games: [\d.]+ s$/);
    expect(long).to.match(/^Verified 1 recorded matches of Warmancer with \d+ actions each: [\d.]+ s$/);
    expect(recorded).to.match(/^Recorded 30 matches: \d+ events$/);
    expect(plain).to.match(/^Plain loop into SQLite: \d+ events a second$/);
    expect(index).to.match(/^Index in the embedded database: [\d.]+ s, \d+ events a second$/);
    expect(indexRatio).to.match(/^index : plain loop = 1 : [\d.]+$/);
    for (const [line, name] of [
      [list, "list from the chain"],
      [again, "list again from the chain"],
      [ranking, "ranking from the chain"],
      [stats, "stats from the chain"],
      [verified, "verify --all from the chain"],
      [indexedList, "list from the index"],
      [indexedRanking, "ranking from the index"],
      [indexedStats, "stats from the index"],
    ]) {
      expect(line).to.match(new RegExp(`^${name}: [\\d.]+ s, [\\d.]+ processor seconds, \\d+ MB(, with progress)?$`));
    }
    expect(requests).to.have.length.above(0);
    for (const request of requests) {
      expect(request).to.match(/^the embedded database, [^:]+: median [\d.]+ ms, 99 % within [\d.]+ ms$/);
    }
    const told = (name: string) =>
      new RegExp(`^Warmancer, Skirmish, against a ${name} player: [01] won, [01] drawn, [01] lost; [\\d.]+ ms a move$`);
    expect(random).to.match(told("random"));
    expect(greedy).to.match(told("greedy"));
    expect(classic).to.match(/^Warmancer, Classic, against itself: over after \d+ turns; [\d.]+ ms a move$/);
    expect(rest).to.deep.equal(
      games.map(({ name }) => `Parity, ${name}: 5 matches at random, every log entry the same`),
    );
  });

  it("measures win rates and parity of a single game on request, and reproduces the recorded rates", async () => {
    const before = winRates();
    const { stdout } = await bench("--battles", "100", "--matches", "1", "--parity", "21", "--game", "tic-tac-toe");
    const lines = stdout.trimEnd().split("\n").slice(9);
    expect(lines[0]).to.match(/: player 1 [\d.]+ %, player 2 [\d.]+ %, draws [\d.]+ % at random$/);
    expect(lines.map((line) => line.split(":")[0])).to.deep.equal([
      ...Object.keys(setupsOf(stockGame("tic-tac-toe"))).map((name) => `tic-tac-toe, ${name}`),
      "Parity, tic-tac-toe",
    ]);
    expect(winRates()).to.equal(before);
  });

  it("reports the input for which two engines differ", async () => {
    const input = { which: 1 };
    const liar = {
      ...stockGame("tic-tac-toe"),
      odds: { atRandom: () => input },
      simulate: async (_: unknown, contract?: object) => ({ winner: contract ? 1 : 2 }),
    };
    const error = await checkParity(liar, 1).catch(String);
    expect(error).to.equal('Error: The engines of tic-tac-toe differ: {"which":1}');
  });

  for (const wrong of [
    ["--parity", "-1"],
    ["--verified", "1e3"],
    ["--battles", "99999999999"],
    ["--bogus"],
    ["--parity", "1", "--game", "chess"],
  ]) {
    it(`refuses ${wrong.join(" ")} with a one-line error`, async () => {
      const { code, stdout, stderr } = await bench(...wrong);
      expect([code, stdout]).to.deep.equal([1, ""]);
      expect(stderr.trimEnd().split("\n").length).to.equal(1);
    });
  }
});
