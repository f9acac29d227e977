import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { Contract, ContractFactory } from "ethers";
import { runVerify } from "../../cli/verify/command.js";
import { simulate } from "../../cli/simulate/simulation.js";
import { loadGames } from "../../cli/shared/command/games.js";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { games as stock } from "../../sdk/games/index.js";
import { Status } from "../../sdk/protocol/status.js";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import { MiniGames__factory, TicTacToe__factory } from "../../typechain-types/index.js";
import { buildGames, BUILT_GAMES as GAMES } from "../support/built-games.js";
import { openSteppedAgent } from "../support/agent-support.js";
import { runInside } from "../support/inside.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const TYPESCRIPT = fileURLToPath(new URL("../support/own-games.ts", import.meta.url));
const [ALICE, BOB, AGENT, OLGA] = ["4", "5", "6", "7"];
/** X takes the first row. */
const MARKS = ["0", "3", "1", "4", "2"];

describe("The command line with custom games", () => {
  let world: PlayWorld;
  let deployment: Deployment;
  let alice: Terminal;
  let bob: Terminal;
  let bobsAddress: string;

  before(async () => {
    await buildGames();
    world = await startWorld();
    bobsAddress = await (await world.provider.getSigner(Number(BOB))).getAddress();
    const owner = await world.provider.getSigner(0);
    const deployed = async (factory: ContractFactory) => {
      const contract = await factory.connect(owner).deploy(world.addresses.Arena);
      await contract.waitForDeployment();
      return contract as Contract;
    };
    const [noughts, toss] = [await deployed(new TicTacToe__factory()), await deployed(new MiniGames__factory())];
    for (const { content } of Object.values(miniGames.modes)) await (await toss.registerMode(content)).wait();
    const file = join(world.folder, "31337.json");
    deployment = JSON.parse(await readFile(file, "utf8")) as Deployment;
    const [Noughts, Toss] = await Promise.all([noughts, toss].map((contract) => contract.getAddress()));
    deployment = { ...deployment, addresses: { ...deployment.addresses, Noughts, Toss } };
    await writeFile(file, JSON.stringify(deployment));
    [alice, bob] = await Promise.all(
      [ALICE, BOB].map((account) => world.terminal(["--account", account, "--games", GAMES])),
    );
  });
  after(() => world.close());

  /** Offers a match of alice against bob, who joins it. @returns its number. */
  async function begun(game: string, ...[first, second]: readonly string[]): Promise<string> {
    const { stderr, stdout } = await alice.end("create", game, first, "--opponent", bobsAddress, "--yes", "--json");
    expect(stderr).to.match(/ is of your own list, not audited here\.\n/);
    const { matchId } = JSON.parse(stdout) as { matchId: string };
    await bob.end("join", matchId, second, "--yes");
    return matchId;
  }

  it("creates, joins, plays, shows, reports and replays custom games like stock games, and marks them", async () => {
    const matchId = await begun("noughts", ...MARKS);
    const shown = await bob.run("show", matchId);
    expect(shown).to.include("noughts, of your own list, not audited here, mode default");
    expect(shown).to.include("X");
    expect(await bob.run("list", "--limit", "1")).to.include("  noughts (of your own list)  ");
    expect((await bob.json<{ trust: string }>("show", matchId)).trust).to.equal("listed");
    for (const [i, cell] of MARKS.slice(2).entries()) await [alice, bob][i % 2].end("act", matchId, cell);
    expect(await world.arena.statusOf(matchId)).to.equal(Status.P1Win);
    const replayed = await bob.run("replay", matchId);
    expect(replayed).to.include("all 5 log entries and every payment are identical");
    expect(await bob.run("watch", matchId)).to.include("Player 1 marks cell 2");
    expect(await alice.run("stats", "--game", "noughts")).to.include("noughts");
    expect(await alice.run("mode", "noughts")).to.include("x-wins-ties");
  });

  it("explains a custom game's errors, even if two games use the same name", async () => {
    for (const [game, sentence] of [
      ["noughts", "Somebody was at 0 before you."],
      ["tic-tac-toe", "Cell 0 is marked already."],
    ]) {
      const { stdout } = await alice.end("create", game, "0", "--opponent", bobsAddress, "--yes", "--json");
      const { matchId } = JSON.parse(stdout) as { matchId: string };
      expect((await bob.end("join", matchId, "0", "--yes")).stderr).to.include(sentence);
      await bob.end("join", matchId, "1", "--yes");
      expect((await alice.end("act", matchId, "1", "--yes")).stderr).to.include(sentence.replace("0", "1"));
    }
  });

  it("treats custom games as foreign if they are not listed", async () => {
    const matchId = await begun("noughts", ...MARKS);
    const stranger = await world.terminal(["--account", OLGA]);
    expect(await stranger.run("show", matchId)).to.include(
      `${deployment.addresses.Noughts}, which is not stock: it can decide its matches as it likes`,
    );
    expect(await stranger.fail(2, "create", "noughts", "0")).to.match(/^noughts: no such game or mode; /);
    expect(await stranger.fail(2, "replay", matchId)).to.match(/not a game of this deployment/);
    await alice.end("resign", matchId, "--yes");
  });

  it("also reads the list of games from DUELLO_GAMES", async () => {
    const carol = await world.terminal(["--account", OLGA], { DUELLO_GAMES: TYPESCRIPT });
    expect(await carol.run("mode", "toss", "coin")).to.match(/^coin /);
  });

  it("verifies custom games fully if they are listed, and only their money and clocks otherwise", async () => {
    await alice.end("resign", await begun("noughts", ...MARKS), "--yes");
    const environment = { DUELLO_DEPLOYMENTS: world.folder, DUELLO_RPC_URL: `http://127.0.0.1:${world.port}` };
    const verify = async (...args: string[]) => {
      const { code, stdout } = await runInside(() => runVerify(["--all", "--json", ...args]), environment);
      return { code, ...(JSON.parse(stdout) as { identical: boolean; foreign: number; matches: number }) };
    };
    const known = await verify("--games", GAMES);
    expect(known).to.include({ code: 0, identical: true, foreign: 0 });
    const unknown = await verify();
    expect(unknown).to.include({ code: 0, identical: true, matches: known.matches });
    expect(unknown.foreign).to.be.greaterThan(0);
  });

  it("simulates custom games", async () => {
    const file = join(world.folder, "noughts.json");
    await writeFile(file, JSON.stringify({ moves: MARKS.map(Number) }));
    const { stdout, code } = await runInside(async () => simulate(["noughts", file, "--games", GAMES]));
    expect([code, (JSON.parse(stdout) as { winner: number }).winner]).to.deep.equal([0, 1]);
  });

  it("lets the agent play listed games, and the watchtower reveal in them", async () => {
    const agent = await openSteppedAgent(world, { account: Number(AGENT), games: GAMES });
    const offer = ["--opponent", agent.address, "--yes", "--json"];
    const { stdout } = await alice.end("create", "toss", "0", "--mode", "rock-paper-scissors", ...offer);
    const { matchId } = JSON.parse(stdout) as { matchId: string };
    const matches = [
      matchId,
      (JSON.parse((await alice.end("create", "noughts", "4", ...offer)).stdout) as { matchId: string }).matchId,
    ];
    await agent.settle();
    for (const id of matches) expect(await world.arena.statusOf(id)).to.equal(Status.AllJoined);
    const texts = agent
      .reports()
      .map(({ text }) => text)
      .join("\n");
    expect(texts).to.include("challenges me at toss (of your own list) rock-paper-scissors");

    const file = join(alice.home, "secrets.json");
    await writeFile(file, await alice.run("secrets", "export", matchId));
    const olga = await openSteppedAgent(world, { account: Number(OLGA), plays: false, secrets: [file], games: GAMES });
    await alice.run("allow", olga.address);
    await world.pass(65_000);
    await olga.settle();
    expect(olga.reports().map(({ event }) => event)).to.include("acted");
    expect(await world.arena.statusOf(matchId)).to.be.greaterThan(Status.AllJoined);
    for (const each of [agent, olga]) each.close();
  });

  it("refuses a game whose code on the chain differs from the module's, unless the user accepts the risk", async () => {
    const { Noughts } = deployment.addresses;
    const snapshot: unknown = await world.provider.send("evm_snapshot", []);
    const code = await world.provider.getCode(Noughts);
    await world.provider.send("hardhat_setCode", [Noughts, `${code}00`]);
    const { code: exit, stderr } = await alice.end("create", "noughts", "0", "--opponent", bobsAddress);
    expect(exit).to.equal(1);
    expect(stderr).to.include(`The code at ${Noughts} is not that of Noughts and crosses as its module brings it`);
    const agent = await openSteppedAgent(world, { account: Number(AGENT), games: GAMES });
    await alice.end("create", "noughts", "0", "--opponent", agent.address, "--yes");
    await agent.settle();
    expect(
      agent
        .reports()
        .map(({ why }) => why)
        .join(),
    ).to.include("is not that of Noughts and crosses");
    agent.close();
    await world.provider.send("evm_revert", [snapshot]);
  });

  it("refuses to play a game that the deployment lacks, and gives the reason", async () => {
    const { Noughts: _, Warmancer: __, ...addresses } = deployment.addresses;
    await writeFile(
      join(world.folder, "31337.json"),
      JSON.stringify({ ...deployment, addresses: { ...addresses, Chess: addresses.Arena } }),
    );
    expect(await alice.fail(2, "create", "noughts", "0")).to.equal(
      "noughts: it is not deployed here: the deployment has no address of Noughts",
    );
    expect(await alice.fail(2, "create", "skirmish", "--yes")).to.match(/^warmancer: it is not deployed here/);
    expect(await alice.run("list")).not.to.equal("");
    const { Arena: ___, ...coreless } = deployment.addresses;
    await writeFile(join(world.folder, "31337.json"), JSON.stringify({ ...deployment, addresses: coreless }));
    expect(await alice.fail(2, "list")).to.match(/31337\.json\.addresses\.Arena: left out$/);
    await writeFile(join(world.folder, "31337.json"), JSON.stringify(deployment));
  });

  describe("a module of games", () => {
    const DEFINED = `const game = { name: "chess", title: "Chess", contract: "Chess", decoder: { contract: "ChessLog" }, modes: { default: { content: "0x", odds: [1n, 1n] } }, moves: {},
      simulate() {}, atRandom() {}, replay() {}, decodeLog() {}, story() {} };`;

    for (const [what, text, message] of [
      ["that cannot be read", "export default {", /^FILE: it cannot be loaded: /],
      ["that throws", "throw new Error('one\\ntwo')", /^FILE: it cannot be loaded: one.*two/],
      ["without games", "export const help = 1", /^FILE: it exports no game$/],
      [
        "with an incomplete game",
        `${DEFINED} delete game.replay; export { game }`,
        /^FILE: the game chess is incomplete: it has no function replay$/,
      ],
      [
        "with a game without modes",
        `${DEFINED} game.modes = {}; export { game }`,
        /^FILE: the game chess is incomplete: it has no mode$/,
      ],
      [
        "with a mode without content",
        `${DEFINED} game.modes.other = { odds: [1n, 1n] }; export { game }`,
        /^FILE: the game chess is incomplete: one of its modes lacks content in hex, or odds$/,
      ],
      [
        "with a mode without odds",
        `${DEFINED} game.modes.other = { content: "0x" }; export { game }`,
        /^FILE: the game chess is incomplete: one of its modes lacks content in hex, or odds$/,
      ],
      [
        "with a view of another game",
        `${DEFINED} export { game }; export const views = { draughts: async () => ({ default: {} }) }`,
        /^FILE: it exports a view of draughts, but no such game$/,
      ],
      [
        "with a view that is not loaded",
        `${DEFINED} export { game }; export const views = { chess: {} }`,
        /^FILE: the view of chess is not a function that loads it$/,
      ],
      [
        "with views that are not listed by game",
        `${DEFINED} export { game }; export const views = "all"`,
        /^FILE: its views are not listed by game$/,
      ],
      [
        "with a name that contains invisible characters",
        `${DEFINED} game.name = "x\\u202e"; export { game }`,
        /^FILE: the name .* is not 1 to 40 small letters/,
      ],
      [
        "with the name of a stock game",
        `${DEFINED} game.name = "pistols"; export { game }`,
        /^FILE: pistols: there is a game pistols already$/,
      ],
      [
        "with the contract of a stock game",
        `${DEFINED} game.contract = "Pistols"; export { game }`,
        /^FILE: chess: there is a contract Pistols already$/,
      ],
      [
        "with a contract of the core",
        `${DEFINED} game.contract = "Arena"; export { game }`,
        /^FILE: chess: there is a contract Arena already$/,
      ],
      [
        "with a token whose contract has the name of a stock game's token",
        `${DEFINED} game.characters = { contract: "Fighters", minted: "PawnMinted" }; export { game }`,
        /^FILE: chess: there is another contract Fighters already$/,
      ],
      [
        "with a token whose contract has the name of a core token",
        `${DEFINED} game.characters = { contract: "FightToken", minted: "PawnMinted" }; export { game }`,
        /^FILE: chess: there is another contract FightToken already$/,
      ],
    ] as const) {
      it(`is rejected with a one-line error: a module ${what}`, async () => {
        const file = join(world.folder, `${what.replaceAll(" ", "-")}.mjs`);
        await writeFile(file, text);
        const line = await (await world.terminal(["--games", file])).fail(2, "list");
        expect(line.replace(file, "FILE")).to.match(message);
      });
    }

    it("is rejected with a one-line error if its file does not exist", async () => {
      expect(await (await world.terminal(["--games", "nowhere.ts"])).fail(2, "list")).to.equal(
        "nowhere.ts: there is no such file",
      );
    });

    it("has only games that are marked as listed, whatever they claim, and that do not become stock games", async () => {
      const file = join(world.folder, "bold.mjs");
      await writeFile(file, `${DEFINED} game.trust = "stock"; export { game, game as default }`);
      const loaded = await loadGames(file);
      expect(loaded.map(({ name, trust }) => [name, trust])).to.deep.equal([
        ...stock.map(({ name }) => [name, "stock"]),
        ["chess", "listed"],
      ]);
      expect(await loadGames("")).to.equal(stock);
    });
  });
});
