import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { BaseContract } from "ethers";
import { previewContract } from "../../cli/shared/match/preview.js";
import { simulate } from "../../cli/simulate/simulation.js";
import { measureOdds, type Odds } from "../../sdk/games/calculator.js";
import { stockGame, games } from "../../sdk/games/index.js";
import { InputError } from "../../sdk/protocol/input.js";
import { runInside } from "../support/inside.js";
import { runScript } from "../support/running.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GOLDEN = join(ROOT, "test", "golden");
const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

/** Reads the golden files of a game with a file ending, and returns them with their paths. */
function golden(game: string, ending: string): string[] {
  const folder = join(GOLDEN, game);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
}

async function expectRefusal(args: string[], start: string): Promise<void> {
  const { code, stdout, stderr } = await runInside(() => simulate(args));
  expect([code, stdout]).to.deep.equal([1, ""]);
  expect(stderr).to.match(/^[^\n\r]+\n$/);
  expect(stderr.slice(0, start.length)).to.equal(start);
}

for (const game of games) {
  describe(`Simulating ${game.name}`, () => {
    let contract: BaseContract;
    let close: () => Promise<void>;

    before(async () => ({ contract, close } = await previewContract(game)));
    after(() => close());

    for (const file of golden(game.name, ".in.json")) {
      const expected = read(file.replace(".in.json", ".out.json"));
      it(`reproduces ${file.slice(GOLDEN.length + 1)} on both engines`, async () => {
        for (const engine of [undefined, contract]) {
          const output = await game.simulate(read(file), engine);
          expect(output).to.deep.equal(expected);
          expect(JSON.stringify(output)).to.equal(JSON.stringify(expected));
        }
      });
    }

    for (const file of golden(game.name, ".bad.json")) {
      const { why, ...input } = read(file) as { why: string };
      it(`refuses ${file.slice(GOLDEN.length + 1)}: ${why}`, async () => {
        const error: unknown = await game.simulate(input).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(InputError);
        expect((error as InputError).message.split(":")[0]).to.equal(why.split(":")[0]);
      });
    }
  });
}

describe("The simulate command", () => {
  const folder = mkdtempSync(join(tmpdir(), "duello-"));
  const good = join(GOLDEN, "auto-battler", "001.in.json");
  const expected = `${JSON.stringify(read(good.replace(".in.", ".out.")))}\n`;
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  after(() => rmSync(folder, { recursive: true }));

  it("prints one line of JSON and nothing else, with either engine", async () => {
    for (const engine of [[], ["--engine", "ts"], ["--engine", "evm"]]) {
      const { ended } = runScript("cli/simulate/main.ts", ["auto-battler", good, ...engine]);
      expect(await ended).to.deep.equal({ code: 0, stdout: expected, stderr: "" });
    }
  });

  it("names what is wrong in one line, and exits 1", async () => {
    const { ended } = runScript("cli/simulate/main.ts", []);
    expect(await ended).to.include({ code: 1, stdout: "" });
    const missing = join(folder, "none.json");
    await expectRefusal([], "arguments: 0 instead of 2; usage: ");
    await expectRefusal(["auto-battler"], "arguments: 1 instead of 2");
    await expectRefusal(["auto-battler", good, good], "arguments: 3 instead of 2");
    await expectRefusal(["chess", good], "chess: no such game; there are auto-battler");
    await expectRefusal(["__proto__", good], "__proto__: no such game");
    await expectRefusal(["auto-battler", good, "--engine", "solidity"], "--engine: solidity is neither evm nor ts");
    await expectRefusal(["auto-battler", good, "--engine"], "Option '--engine <value>' argument missing");
    await expectRefusal(["auto-battler", good, "--loud"], "Unknown option '--loud'");
    await expectRefusal(["auto-battler", missing], `${missing}: there is no such file`);
    await expectRefusal(["auto-battler", folder], `${folder}: it is a folder, not a file`);
  });

  it("names the wrong field of a file, on either engine", async () => {
    const text = readFileSync(good, "utf8");
    const broken = file("broken.json", "{\n\n\u2028oops\n}");
    await expectRefusal(["auto-battler", broken], `${broken}: not JSON: `);
    await expectRefusal(["auto-battler", file("empty.json", "")], `${join(folder, "empty.json")}: not JSON: `);
    await expectRefusal(["auto-battler", file("null.json", "null")], "input: null is not an object\n");
    await expectRefusal(
      ["auto-battler", file("huge.json", text.replace("[3,2,3", "[1e400,2,3"))],
      "teams[0][0][0]: Infinity is",
    );
    await expectRefusal(
      ["auto-battler", file("key.json", text.replace("{", '{"a\\n\u2028b":1,'))],
      '["a\\n b"]: unknown field\n',
    );
    const seed = `"${(JSON.parse(text) as { seed: string }).seed}"`;
    for (const [wrong, start] of [
      ['"0x12"', 'seed: "0x12" is not 0x and 64 hex digits\n'],
      [seed.replace(/..$/, 'g"'), 'seed: "0x'],
      ["-1", "seed: -1 is not 0x and 64 hex digits\n"],
      ["NaN", `${join(folder, "seed.json")}: not JSON: `],
    ]) {
      await expectRefusal(["auto-battler", file("seed.json", text.replace(seed, wrong))], start);
    }
    const tier = file("tier.json", text.replace("[1,2,1,1,1,1]", "[1,2,1,1,1,4]"));
    for (const engine of ["ts", "evm"])
      await expectRefusal(["auto-battler", tier, "--engine", engine], "teams[1][0][5]: 4 is above 3\n");
  });
});

describe("The simulate command with --odds", () => {
  const good = join(GOLDEN, "guardians", "001.in.json");
  const seed = `0x${"5e".repeat(32)}`;
  const odds = async (...args: string[]) => {
    const { code, stdout, stderr } = await runInside(() => simulate(["guardians", good, "--odds", "30", ...args]));
    expect([code, stderr]).to.deep.equal([0, ""]);
    return stdout;
  };

  it("prints a table, and the expected result of each card's attack", async () => {
    const lines = (await odds("--seed", seed)).split("\n");
    expect(lines[0]).to.equal(`30 simulated, with intervals of 95 % confidence. Seed: ${seed}`);
    expect(lines[1]).to.match(/^player 1 wins +\d+\.\d % +\d+\.\d % to \d+\.\d %$/);
    expect(lines).to.include("Expected of an attack, critical hits included:");
    expect(lines.filter((line) => /^player [12], slot [0-2] {2}slot [0-2] /.test(line))).to.have.length(18);
  });

  it("prints the same odds as JSON, on either engine and for the same seed", async () => {
    const json = await odds("--seed", seed, "--json");
    expect(await odds("--seed", seed, "--json", "--engine", "evm")).to.equal(json);
    const data = JSON.parse(json) as Odds;
    expect(data).to.deep.equal(
      JSON.parse(JSON.stringify(await measureOdds(stockGame("guardians"), read(good), 30, seed))),
    );
    expect(await odds("--json")).not.to.equal(await odds("--json"));
  });

  it("accepts a file without a seed", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "duello-")), "coin.json");
    writeFileSync(file, JSON.stringify({ mode: { kind: 3, ties: 1 }, moves: [0, 1] }));
    const { code, stdout } = await runInside(() => simulate(["mini-games", file, "--odds", "10", "--seed", seed]));
    expect([code, stdout.split("\n")[0].slice(0, 12)]).to.deep.equal([0, "10 simulated"]);
    rmSync(file);
  });

  it("names what is wrong in one line, and exits 1", async () => {
    const board = join(GOLDEN, "tic-tac-toe", "001.in.json");
    for (const [count, start] of [
      ["0", "--odds: 0 is not between 1 and 1000000\n"],
      ["1000001", "--odds: 1000001 is not between 1 and 1000000\n"],
      ["1.5", "--odds: 1.5 is not a whole number\n"],
      ["many", "--odds: many is not a whole number\n"],
    ]) {
      await expectRefusal(["guardians", good, "--odds", count], start);
    }
    await expectRefusal(["guardians", good, "--seed", seed], "--seed: only the runs of --odds have it\n");
    await expectRefusal(
      ["guardians", good, "--odds", "2", "--seed", "0x12"],
      "--seed: 0x12 is not 0x and 64 hex digits\n",
    );
    await expectRefusal(["tic-tac-toe", board, "--odds", "2"], "--odds: tic-tac-toe has no dice");
    await expectRefusal(["tic-tac-toe", board, "--odds", "2", "--engine", "evm"], "--odds: tic-tac-toe has no dice");
  });
});
