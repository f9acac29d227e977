import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { keccak256 } from "ethers";
import { viewMode } from "../../sdk/player/modes.js";
import { stockGame, games } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { Client } from "../../sdk/player/client.js";
import { Status } from "../../sdk/protocol/status.js";
import { Game__factory } from "../../typechain-types/index.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB] = [4, 5];
/** A board of six tiles, on which pawns are bought. */
const LANE = {
  board: ["11..22"],
  army: { T: 1, Grunt: 1 },
  budget: 10,
  maxTurns: 9,
};
const hashIn = (text: string) => /0x[0-9a-f]{64}/.exec(text)![0];

describe("npm run play: modes", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let snapshot: unknown;
  let file: (content: unknown, name?: string) => Promise<string>;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    file = async (content, name = "mode.json") => {
      const path = join(world.folder, name);
      await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
      return path;
    };
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    alice = await world.terminal(["--account", String(ALICE)]);
    bob = await world.terminal(["--account", String(BOB)]);
  });
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  const registered = (contract: "Warmancer" | "Guardians") => {
    const game = Game__factory.connect(world.addresses[contract], world.provider);
    return game.queryFilter(game.filters.ModeRegistered());
  };

  for (const game of games) {
    it(`lists the published modes with their content: ${game.name}`, async () => {
      const nobody = await world.terminal([]);
      const listed = await nobody.json<{ name: string; mode: string; content: string; rules: string[] }[]>(
        "mode",
        game.name,
      );
      expect(listed.map(({ name, content }) => [name, content])).to.deep.equal(
        Object.entries(game.modes).map(([name, { content }]) => [name, content]),
      );
      const text = await nobody.run("mode", game.name);
      for (const { name, mode, rules } of listed) {
        const own = [`${name}  ${mode}`, ...rules.map((line) => `  ${line}`)].join("\n");
        expect(text).to.include(own);
        expect(await nobody.run("mode", game.name, name)).to.equal(own);
        expect(mode).to.equal(modeHash(game.modes[name].content));
      }
    });
  }

  it("challenges an agent for no stake in the mode in which the challenger wins ties, unless a mode is named", async () => {
    const path = join(world.folder, "31337.json");
    const before = await readFile(path, "utf8");
    const [person, agent] = [addresses[BOB], addresses[BOB + 1]];
    const modeBy = async (...args: string[]) => {
      const { stdout } = await alice.end("create", ...args, "--yes", "--json");
      const { matchId } = JSON.parse(stdout) as { matchId: string };
      return /^ {2}game +mini-games, mode (.*)$/m.exec(await alice.run("show", matchId))![1];
    };
    try {
      await writeFile(path, JSON.stringify({ ...JSON.parse(before), agents: [agent] }));
      expect(await modeBy("dice", "6", "--opponent", agent)).to.equal("dice-challenger");
      expect(await modeBy("mini-games", "rock", "--opponent", agent)).to.equal("rock-paper-scissors-challenger");
      expect(await modeBy("dice", "6", "--opponent", agent, "--mode", "dice")).to.equal("dice");
      expect(await modeBy("dice", "6", "--opponent", agent, "--stake", "1")).to.equal("dice");
      expect(await modeBy("dice", "6", "--opponent", agent, "--against", "1")).to.equal("dice");
      expect(await modeBy("dice", "6", "--opponent", person)).to.equal("dice");
      expect(await modeBy("dice", "6")).to.equal("dice");
    } finally {
      await writeFile(path, before);
    }
  });

  it("prints a template equal to the mode it was made from", async () => {
    const text = await alice.run("mode", "warmancer", "quick", "--template");
    expect(JSON.parse(text)).to.deep.include({ board: ["1122", "1122"], budget: 0, casual: false, maxTurns: 50 });
    const same = await alice.run("mode", "warmancer", await file(text));
    expect(same).to.match(/^quick {2}0x/);
    expect(same).to.match(/\nIt is the published mode quick\.$/);
    expect(await alice.json<object>("mode", "guardians", "--template")).to.deep.equal({
      teamSize: 3,
      maxTurns: 50,
      dodgeCap: 750,
    });
    expect(await alice.fail(2, "mode", "pistols", "--template")).to.equal("mode: Pistols has no mode but its default");
  });

  it("registers a mode once, prints its content and hash, and lists it for everybody, newest first", async () => {
    const path = await file(LANE);
    const before = (await registered("Warmancer")).length;
    const text = await alice.run("mode", "warmancer", path);
    const mode = hashIn(text);
    expect(text).to.match(/^not published {2}0x/);
    expect(text).to.include("\n     1 11..22\n       abcdef\n");
    expect(text).to.include("Players buy their pawns for 10 instead: ");
    expect(keccak256(/^content (0x[0-9a-f]+)$/m.exec(text)![1])).to.equal(mode);
    expect(text).to.match(new RegExp(`\nIt is registered: --mode ${mode} plays it\\.$`));
    expect(await bob.run("mode", "warmancer", path)).to.match(/\nIt is registered already\.$/);
    expect(await registered("Warmancer")).to.have.length(before + 1);

    const other = await bob.json<{ mode: string; transaction: string }>(
      "mode",
      "warmancer",
      await file({ ...LANE, maxTurns: 8 }),
    );
    expect(other.transaction).to.match(/^0x[0-9a-f]{64}$/);
    const lines = (await bob.run("mode", "warmancer")).split("\n").filter((line) => line.startsWith("not published"));
    expect(lines.map(hashIn)).to.deep.equal([other.mode, mode]);
    const some = await bob.run("mode", "warmancer", "--limit", "1");
    expect(some).not.to.include(mode);
    expect(some).to.match(/\nPlayers have registered 1 more: --limit shows them\.$/);
    expect(await bob.run("mode", "warmancer", mode)).to.include("not published");
  });

  it("rejects an out-of-bounds mode, a wrong file and an unknown mode, and sends nothing", async () => {
    const before = await world.provider.getBlockNumber();
    const path = await file({ ...LANE, budget: 3 });
    for (const command of [
      ["mode", "warmancer", path],
      ["create", "warmancer", "TG", "--mode", path],
    ]) {
      expect(await alice.fail(2, ...command)).to.equal(
        `${path}: budget: 3 is below 4, the price of the mode's own army; it is 0 for exactly the army, or up to 65535; the army itself must be for sale`,
      );
    }
    const broken = await file("{", "broken.json");
    expect(await alice.fail(2, "mode", "guardians", broken)).to.match(/broken\.json: not JSON: /);
    expect(await alice.fail(2, "mode", "guardians", "nowhere.json")).to.equal("nowhere.json: there is no such file");
    expect(await alice.fail(2, "mode", "pistols", await file({}))).to.equal(
      "mode: Pistols has no mode but its default",
    );
    expect(await alice.fail(2, "mode", "guardians", `0x${"12".repeat(32)}`)).to.equal(
      `mode: nobody has registered 0x${"12".repeat(32)} with Guardians`,
    );
    expect(await alice.fail(2, "create", "guardians", "15", "--mode", "2v2")).to.equal(
      "--mode: Guardians has no mode 2v2; there are default, 1v1, 5v5, protocol-guardians, and modes in a .json file",
    );
    const hostile = await file({ "\u001b[31m\u202e": 1 }, "hostile.json");
    expect(await alice.fail(2, "mode", "guardians", hostile)).to.match(/^\S*hostile\.json: [ -~]*: unknown field$/);
    expect(await world.provider.getBlockNumber()).to.equal(before);
  });

  it("creates matches in a mode from a file, and registers the mode once for two matches", async () => {
    const path = await file({ teamSize: 2, maxTurns: 40 });
    const before = (await registered("Guardians")).length;
    const offer = ["create", "guardians", "15", "16", "--mode", path, "--opponent", addresses[BOB]];
    expect(await alice.fail(2, ...offer.toSpliced(2, 1))).to.match(/^team: /);
    expect(await registered("Guardians")).to.have.length(before);
    expect(await alice.run(...offer)).to.match(/^2 {2}guardians \(mode not stock\)/);
    expect(await alice.run(...offer)).to.match(/^3 {2}guardians/);
    expect(await registered("Guardians")).to.have.length(before + 1);
    const shown = await bob.run("show", "2");
    expect(shown).to.include(
      "  rules     Cards in a team: 2.\n            After 40 attacks the side with more hp wins.\n",
    );
    const { modeValues } = await bob.json<{ modeValues: object }>("show", "2");
    expect(modeValues).to.deep.equal({ teamSize: 2, maxTurns: 40, dodgeCap: 750 });
  });

  it("prints a mode's content before joining, and asks the player to accept the mode", async () => {
    const path = await file({ teamSize: 2 });
    await alice.run("create", "guardians", "15", "16", "--mode", path, "--opponent", addresses[BOB]);
    const joined = await bob.end("join", "2", "22", "23");
    expect(joined.code).to.equal(1);
    expect(joined.stderr).to.match(
      /^Cards in a team: 2\.\nAfter 50 attacks .*\nNo card .*\nWarning: Guardians does not publish the mode 0x.*\nNothing was sent\. /,
    );
    expect((await bob.end("join", "2", "22", "23", "--yes")).code).to.equal(0);
    await alice.run("reveal", "2");
    expect(await bob.run("replay", "2")).to.match(/every payment are identical\.$/);
  });

  it("uses a mode that an interrupted command registered, without a second registration", async () => {
    const path = await file({ teamSize: 2, dodgeCap: 3 });
    const signer = await world.provider.getSigner(ALICE);
    const client = await Client.connect(world.addresses, games, signer);
    const content = client.encodeMode(world.addresses.Guardians, { teamSize: 2, dodgeCap: 3 });
    const [first, second] = [
      await client.registerMode(world.addresses.Guardians, content),
      await client.registerMode(world.addresses.Guardians, content),
    ];
    expect([first.mode, first.receipt?.status, second]).to.deep.equal([
      keccak256(content),
      1,
      { mode: keccak256(content) },
    ]);
    expect(client.decodeMode(world.addresses.Guardians, content)).to.deep.equal({
      teamSize: 2,
      maxTurns: 50,
      dodgeCap: 3,
    });
    const before = (await registered("Guardians")).length;
    await alice.run("create", "guardians", "15", "16", "--mode", path, "--opponent", addresses[BOB]);
    expect(await registered("Guardians")).to.have.length(before);
    const { mode } = await client.registerMode(world.addresses.Guardians, "0x");
    expect(mode).to.equal(modeHash("0x"));
    expect(() => client.encodeMode(world.addresses.Pistols, {})).to.throw("Pistols has no mode but its default");
    expect(() => client.encodeMode(world.addresses.Arena, {})).to.throw("not a game of this deployment");
  });

  it("plays a game with bought armies within the budget", async () => {
    const path = await file({ ...LANE, maxTurns: 1 });
    const offer = ["create", "warmancer"];
    const rest = ["--mode", path, "--opponent", addresses[BOB]];
    const refused = await alice.fail(2, ...offer, "LT/K", ...rest);
    expect(refused).to.equal("setup: 3 letters instead of 2");
    await alice.run(...offer, "TL", ...rest);
    expect(await bob.fail(2, "join", "2", "LC", "--yes")).to.match(/^setup: There are 0 pawns of rank 0, /);
    const tooDear = await file({ ...LANE, budget: 9 }, "poor.json");
    expect(await bob.fail(2, ...offer, "TL", "--mode", tooDear, "--opponent", addresses[ALICE])).to.equal(
      "setup: The army costs 10; the budget is 9.",
    );
    expect((await bob.end("join", "2", "GT", "--yes")).code).to.equal(0);
    await alice.run("act", "2", "b1-c1");
    await bob.run("act", "2", "e1-d1");
    // After the only turn the game is a draw, and both players show that their armies were within budget.
    while ((await world.arena.statusOf(2)) === Status.AllJoined) {
      const { turn } = await world.arena.matchOf(2);
      await (turn === 1n ? alice : bob).run("act", "2");
    }
    expect(await world.arena.statusOf(2)).to.equal(Status.Draw);
    expect(await bob.run("replay", "2")).to.match(/every payment are identical\.$/);
  });

  it("also shows the rules of a published mode", async () => {
    await alice.run("create", "warmancer", "TG/SL", "--mode", "quick", "--opponent", addresses[BOB]);
    const shown = await bob.run("show", "2");
    expect(shown).to.include("  game      warmancer, mode quick\n  rules     Board: player 1 sets up on 1, ");
    expect(shown).to.include("\n               2 1122\n               1 1122\n                 abcd\n");
  });

  it("makes a challenge in a mode that a file defines", async () => {
    const path = await file({ ...LANE, sequential: true });
    const challenge = ["challenge", "warmancer", "TL", "--mode", path, "--opponent", addresses[BOB], "--wait", "1m"];
    const running = alice.start(...challenge);
    while ((await world.arena.matchCount()) < 2n && running.child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    running.child.kill("SIGTERM");
    await running.ended;
    expect(await bob.run("show", "2")).to.include("Sequential: the players move in turns, player 1 first.");
  });

  it("reports an unreadable mode in one printable line", () => {
    const { values, rules } = viewMode(stockGame("guardians"), "0xff");
    expect(values).to.equal(undefined);
    expect(rules).to.deep.equal(["This mode cannot be read: mode: 1 bytes instead of 5"]);
  });
});
