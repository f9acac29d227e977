import { COIN } from "../../sdk/protocol/terms.js";
import { expect } from "chai";
import { randomBytes, ZeroAddress, ZeroHash } from "ethers";
import { runSoak } from "../../scripts/soak/command.js";
import type { Figures } from "../../scripts/soak/figures.js";
import type { Options } from "../../scripts/soak/run.js";
import type { World } from "../../scripts/soak/world.js";
import { games } from "../../sdk/games/index.js";
import { runInside } from "../support/inside.js";

const SEED = "planted";
const soaked = (args: string[], prepare?: Options["prepare"]) => runInside(() => runSoak(args, prepare));

describe("npm run soak", () => {
  it("plays the same matches for the same seed, and other matches for another seed", async () => {
    const run = async (seed: string) => {
      const { code, stdout, stderr } = await soaked(["--matches", "6", "--seed", seed, "--json"]);
      expect([stderr, code]).to.deep.equal(["", 0]);
      const { seconds, ...figures } = JSON.parse(stdout) as Figures;
      expect(seconds).to.be.greaterThan(0);
      expect(figures.seed).to.equal(seed);
      expect(figures.matches).to.equal(6);
      expect(figures.offered).to.be.greaterThan(1);
      return { figures: { ...figures, seed: "" }, drawn: String(randomBytes(8)) };
    };
    const [once, again, other] = [await run("one"), await run("one"), await run("two")];
    expect(again.figures).to.deep.equal(once.figures);
    expect(other.figures).to.not.deep.equal(once.figures);
    expect(again.drawn, "chance is left to others afterwards").to.not.equal(once.drawn);
  });

  it("chooses a random seed and prints it", async () => {
    const { code, stdout, stderr } = await soaked(["--matches", "1"]);
    expect([stderr, code]).to.deep.equal(["", 0]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).to.match(/^Seed ([0-9a-f]{8}); again: npm run -s soak -- --matches 1 --seed \1$/);
    expect(lines[1]).to.match(
      /^1 matches, and \d+ in channels, in [\d.]+ s, [\d.]+ a second: [\d,]+ transactions, [\d,]+ gas$/,
    );
    expect(lines.at(-1)).to.equal(
      "Every match has ended, every replay is identical, no unit is missing, and all follows from the events.",
    );
    for (const { name } of games) expect(stdout).to.match(new RegExp(`^${name} +\\d`, "m"));
  });

  for (const wrong of [
    ["--matches", "0"],
    ["--matches", "-1"],
    ["--matches", "x"],
    ["--matches", "1000000"],
    ["--channels", "x"],
    ["--seed", "a b"],
    ["--games", "chess"],
    ["--bogus"],
    ["more"],
  ]) {
    it(`refuses ${wrong.join(" ")} with a one-line error`, async () => {
      const { code, stdout, stderr } = await soaked(wrong);
      expect([stdout, code]).to.deep.equal(["", 1]);
      expect(stderr).to.match(/^[^\n]+\n$/);
    });
  }
});

describe("A soak", () => {
  /** Number of matches after which a fault that is unrelated to any match is found. */
  const FEW = 2;

  async function expectFound(prepare: Options["prepare"], what: RegExp, matches = 12): Promise<void> {
    const args = ["--matches", `${matches}`, "--seed", SEED];
    const { code, stderr } = await soaked([...args, "--json"], prepare);
    expect(stderr).to.match(what);
    expect(stderr).to.match(/^[^\n]+\n$/);
    expect(stderr.endsWith(`; again: npm run -s soak -- ${args.join(" ")}\n`), stderr).to.equal(true);
    expect(code).to.equal(1);
  }

  /** Replaces a constant in the arena's code. */
  const planting =
    (whole: string, planted: string) =>
    async ({ chain, addresses }: World) => {
      const code = await chain.provider.getCode(addresses.Arena);
      expect(code).to.include(whole);
      await chain.provider.send("hardhat_setCode", [addresses.Arena, code.replaceAll(whole, planted)]);
    };

  it("fails if the arena pays a wrong house fee", async () => {
    await expectFound(
      planting("612710", "612711"), // PUSH2 with 10 000, and the same plus 1
      /^match \d+ of [\w-]+: the replay of match \d+ differs: (paid[12]|house): expected \d+, found \d+;/,
    );
  });

  it("fails if the arena rates players wrongly, even though no replay of a match detects that", async () => {
    await expectFound(
      planting("6103e8", "6103e9"), // PUSH2 with the initial rating of 1000, and the same plus 1
      /^verifying the arena finds match \d+, Settled, block \d+: rating1: expected \d+, found \d+;/,
    );
  });

  it("fails if an engine disagrees with the chain", async () => {
    const replays = games.map(({ replay }) => replay);
    const doctored: (typeof replays)[0] = async () => ({
      logs: [{ round: 9n, entries: [] }],
      turns: [],
      position: ZeroHash,
    });
    for (const game of games) Object.assign(game, { replay: doctored });
    await expectFound(undefined, /: the replay of match \d+ differs: /).finally(() => {
      for (const [i, replay] of replays.entries()) Object.assign(games[i], { replay });
    });
  });

  it("fails if a game rejects a valid action", async () => {
    await expectFound(async ({ chain, addresses }) => {
      for (const { contract } of games) await chain.provider.send("hardhat_setCode", [addresses[contract], "0xfe"]);
      // If a game's views are called first, they fail.
    }, /^match 1 of [\w-]+: (refused: |VM Exception while processing transaction: invalid opcode)/);
  });

  it("fails if the arena has a unit of the token that nobody deposited", async () => {
    await expectFound(
      async ({ fight, owner, arena }) => {
        await fight.connect(owner.client.signer).mint(arena, 1n);
      },
      /^what the arena owes of 0x\w+ is \d+ instead of \d+;/,
      FEW,
    );
  });

  it("fails if an address without a purse holds a unit of the token", async () => {
    await expectFound(
      async ({ fight, owner, addresses }) => {
        await fight.connect(owner.client.signer).mint(addresses.Fighters, 1n);
      },
      /^what there is of FIGHT is \d+ instead of \d+;/,
      FEW,
    );
  });

  it("fails if the arena has a unit of the coin that nobody deposited", async () => {
    await expectFound(
      async ({ chain, addresses }) => {
        await chain.provider.send("hardhat_setBalance", [addresses.Arena, "0x1"]);
      },
      /^what the arena owes of 0x0+ is \d+ instead of \d+;/,
      FEW,
    );
  });

  it("fails if a match is not over, or if there is an unexpected match", async () => {
    const offer = async ({ addresses, stranger }: World) => {
      const terms = { game: addresses.TicTacToe, stake1: 0n, token: COIN, stake2: 0n, mode: `0x${"00".repeat(32)}` };
      const rest = { clock: 60n, feeBps: 2000n, rated: true };
      await stranger.client.arena.create({ ...terms, ...rest }, ZeroAddress, 0, "0x00");
    };
    await expectFound(offer, /^match 1 is not over;/, FEW);
    await expectFound(
      async (world) => {
        await offer(world);
        await world.stranger.client.cancel(1n);
      },
      /^there are 3 matches instead of 2;/,
      FEW,
    );
  });
});
