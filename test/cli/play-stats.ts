import { expect } from "chai";
import { games } from "../../sdk/games/index.js";
import { AutoBattler__factory } from "../../typechain-types/index.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [CHALLENGER, ALICE, BOB] = [2, 4, 5];
const NOBODY = "0x000000000000000000000000000000000000dEaD";

type Json = Record<string, unknown>;
interface Shown {
  player: string;
  block: number;
  games: Record<string, string>[];
  tokens: { token: { symbol: string }; staked: string; won: string; net: string }[];
}

describe("npm run play: statistics", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    [alice, bob] = await Promise.all([ALICE, BOB].map((account) => world.terminal(["--account", String(account)])));
  });
  after(() => world.close());
  beforeEach(async () => (snapshot = await world.provider.send("evm_snapshot", [])));
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  /** Plays tic-tac-toe for 10 FIGHT, which alice wins with a row. @returns the output of her last move. */
  async function won(...flags: string[]): Promise<string> {
    for (const each of [alice, bob]) await each.run("purse", "deposit", "FIGHT", "10");
    await alice.end("create", "tic-tac-toe", "4", "--stake", "10", "--opponent", addresses[BOB]);
    await bob.end("join", "2", "0");
    await alice.run("act", "2", "2");
    await bob.run("act", "2", "1");
    return alice.run("act", "2", "6", ...flags);
  }

  it("shows the changes after a match, for the caller's account, another account and one game", async () => {
    const lines = (await won()).split("\n");
    expect(lines.at(-1)).to.match(/^Next: see what happened, /);
    expect(lines.slice(1, -1)).to.deep.equal([
      "Player 1: rating 1000 → 1020, experience +50 (level 1), 1 win, 0 losses, 0 draws.",
      "Player 2: rating 1000 → 980, experience +20 (level 1), 0 wins, 1 loss, 0 draws.",
    ]);
    const [head, titles, ...rest] = (await alice.run("stats")).split("\n");
    expect([head, titles]).to.deep.equal([
      addresses[ALICE],
      "game          rating  level  experience  duels  wins  losses  draws  forfeits  last duel",
    ]);
    expect(rest).to.have.length(games.length + 3);
    const row = "tic-tac-toe     1020      1          50      1     1       0      0         0  2";
    expect(rest.filter((line) => line.startsWith(row))).to.have.length(1);
    expect(rest.filter((line) => line.endsWith("0  never"))).to.have.length(games.length - 1);
    expect(rest.slice(-3)).to.deep.equal([
      "pistols: no honour yet",
      "all games: staked 0 COIN, won 0 COIN, net 0 COIN",
      "all games: staked 10 FIGHT, won 16 FIGHT, net 6 FIGHT",
    ]);
    const bobs = (await alice.run("stats", addresses[BOB], "--game", "tic-tac-toe", "--token", "FIGHT")).split("\n");
    expect(bobs).to.have.length(4);
    expect(bobs[2]).to.match(/^tic-tac-toe +980 +1 +20 +1 +0 +1 +0 +0 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(bobs[3]).to.equal("all games: staked 10 FIGHT, won 0 FIGHT, net -10 FIGHT");
  });

  it("prints statistics as JSON, with changes only for the move that ends a match", async () => {
    const { changes } = JSON.parse(await won("--json")) as { changes: { players: Json[]; characters: Json[] } };
    expect(
      changes.players.map(({ player, result, rating, experience }) => [player, result, rating, experience]),
    ).to.eql([
      [addresses[ALICE], "win", "1020", "50"],
      [addresses[BOB], "loss", "980", "20"],
    ]);
    expect(changes.characters).to.deep.equal([]);
    const stats = await alice.json<Shown>("stats", "--game", "tic-tac-toe");
    const { timestamp } = (await world.provider.getBlock(stats.block))!;
    expect([stats.player, stats.games]).to.deep.equal([
      addresses[ALICE],
      [
        {
          game: "tic-tac-toe",
          duels: "1",
          level: "1",
          rating: "1020",
          experience: "50",
          wins: "1",
          losses: "0",
          draws: "0",
          forfeits: "0",
          lastDuel: String(timestamp),
        },
      ],
    ]);
    const unit = "000000000000000000";
    expect(stats.tokens.map(({ token, ...sums }) => [token.symbol, sums])).to.deep.equal([
      ["COIN", { staked: "0", won: "0", net: "0" }],
      ["FIGHT", { staked: `10${unit}`, won: `16${unit}`, net: `6${unit}` }],
    ]);
    const pistols = await alice.json<Shown>("stats", "--game", "pistols");
    expect(pistols.games[0].own).to.deep.equal({
      duels: "0",
      honour: "0",
      last: "0",
      archetype: "none",
      level: "0",
      strength: "0",
    });
    await alice.end("create", "tic-tac-toe", "4", "--opponent", addresses[BOB]);
    await bob.end("join", "3", "0");
    const first = await alice.json<Json>("act", "3", "2");
    expect(first).not.to.have.property("changes");
  });

  it("shows the honour of duelists, and the changes after a resignation or timeout", async () => {
    await alice.end("create", "pistols", "1", "--opponent", addresses[BOB]);
    await bob.end("join", "2", "1");
    const resigned = await bob.end("resign", "2", "--yes");
    expect(resigned.stdout).to.include("\nPlayer 1: rating 1000 → 1020, experience +50 (level 1), 1 win,");
    await alice.end("create", "pistols", "10", "--opponent", addresses[BOB]);
    await bob.end("join", "3", "1");
    await world.pass(86_401);
    expect(await bob.run("timeout", "3")).to.include(
      "experience +0 (level 1), 1 win, 1 loss (1 by the clock), 0 draws.",
    );
    await alice.end("create", "pistols", "1", "--opponent", addresses[BOB]);
    await bob.end("join", "4", "1");
    const { code } = await alice.end("reveal", "4");
    if (code !== 0) {
      await alice.end("reveal", "4", "light", "light");
      await bob.end("act", "4", "light", "light");
      await alice.end("reveal", "4");
    }
    expect(await alice.run("stats", "--game", "pistols")).to.match(
      /\npistols: honour \d+ of 100, (villainous|trickster|honourable) of level \d+ and strength \d+ of 100\n/,
    );
  });

  it("shows zeros for an account that has never played, and says that it has played no match", async () => {
    const [line, , ...rest] = (await alice.run("stats", NOBODY)).split("\n");
    expect(line).to.equal(`${NOBODY} has fought no rated duel at any game.`);
    expect(rest.filter((each) => / 1000 +1 +0 +0 +0 +0 +0 +0 {2}never$/.test(each))).to.have.length(games.length);
    const [single] = (await alice.run("stats", NOBODY, "--game", "pistols")).split("\n");
    expect(single).to.equal(`${NOBODY} has fought no rated duel at pistols.`);
  });

  it("needs no account, and shows the statistics of any account", async () => {
    const anyone = await world.terminal([]);
    expect(await anyone.run("stats", addresses[CHALLENGER])).to.match(/^0x\w+\ngame .*\nauto-battler +(1020|980) /);
    expect(await anyone.run("stats", "--fighter", "1")).to.match(/^fighter 1 of auto-battler: attack /);
    expect(await anyone.fail(2, "stats")).to.match(/^you: say who you are: /);
  });

  it("shows a fighter's counters and cooldown from the contract", async () => {
    const { addresses: contracts, provider } = world;
    const kept = await AutoBattler__factory.connect(contracts.AutoBattler, provider).fighterOf(1n);
    const shown = await alice.json<Json & { counters: Record<string, string> }>("stats", "--fighter", "1");
    const names = ["kills", "deaths", "dodges", "combos", "damageDealt", "damageReceived"] as const;
    expect(shown.counters).to.deep.equal(Object.fromEntries(names.map((name) => [name, String(kept[name])])));
    expect([shown.id, shown.until]).to.deep.equal(["1", String(kept.cooldownEnd)]);
    const lines = (await alice.run("stats", "--fighter", "1")).split("\n");
    expect(lines).to.have.length(3);
    expect(lines[1]).to.match(
      /^\d+ kills?, \d deaths?, \d+ dodges?, \d+ combos?, \d+ damage dealt, \d+ damage received$/,
    );
    expect(lines[1]).to.include(`${kept.damageDealt} damage dealt`);
    expect(lines[2]).to.match(/^cools down until .* UTC$/);
    expect((await alice.run("stats", "--fighter", "15")).split("\n")[2]).to.equal("ready");
    const [own] = await alice.json<Json[]>("fighters", "--of", addresses[CHALLENGER]);
    expect(own.counters).to.deep.equal(shown.counters);
    expect(await alice.run("fighters", "--of", addresses[CHALLENGER])).to.match(
      /^1 {2}attack .* {2}\d kills?, \d deaths? {2}/,
    );
  });

  it("reads a card's battles from events, and adds the battles to lists on request", async () => {
    await alice.end("create", "guardians", "15", "16", "17", "--opponent", addresses[BOB]);
    await bob.end("join", "2", "22", "23", "24");
    const revealed = (await alice.run("reveal", "2")).split("\n");
    expect(revealed).to.have.length(6);
    expect(revealed[3]).to.match(/^Player 1's cards: 15: [^;]+; 16: [^;]+; 17: [^;]+\.$/);
    expect(revealed[4]).to.match(/^Player 2's cards: 22: [^;]+; 23: [^;]+; 24: [^;]+\.$/);
    const hasWon = revealed[0].includes("player 1 won");
    const { counters } = await alice.json<{ counters: Record<string, string> }>("stats", "--card", "15");
    expect([counters.battles, counters.wins]).to.deep.equal(["1", hasWon ? "1" : "0"]);
    const told = Number(counters.damageDealt);
    expect(revealed[3]).to.include(told > 0 ? ` ${told} damage dealt` : "15: ");
    const lines = (await alice.run("cards", "--stats")).split("\n");
    expect(lines[0]).to.match(/ luck [\d.]+ % {2}[01] wins?, \d kills?, \d deaths? {2}ready$/);
    expect(lines[3]).to.match(/ luck [\d.]+ % {2}0 wins, 0 kills, 0 deaths {2}ready$/);
    expect(await alice.run("cards")).not.to.include("kills");
    const [first] = await alice.json<Json[]>("cards", "--stats");
    expect(first.counters).to.deep.equal(counters);
  });

  it("rejects unknown names, missing characters and conflicting options with a one-line error", async () => {
    for (const [code, args, line] of [
      [2, ["bob"], "address: bob is not an address"],
      [2, [NOBODY.replace("E", "e")], /^address: 0x0+deaD has a wrong checksum/],
      [2, ["--game", "chess"], /^chess: no such game; there are auto-battler, /],
      [2, ["--token", "GOLD"], "token: GOLD is not an address"],
      [2, ["--token", NOBODY], `token: there is no contract at ${NOBODY}`],
      [2, ["--fighter", "x"], "fighter: x is not a whole number"],
      [2, ["--card", "0"], /^card: 0 is not between 1 and /],
      [2, ["--fighter", String(2n ** 128n)], /^fighter: \d+ is not between 1 and /],
      [2, ["--fighter", "1", "--card", "1"], "--card: --fighter is given too"],
      [2, ["--fighter", "1", "--game", "pistols"], "--game: --fighter is given too"],
      [2, ["--card", "1", "--token", "COIN"], "--token: --card is given too"],
      [2, [NOBODY, "--card", "1"], "address: --card is given too"],
      [2, [NOBODY, NOBODY], /too many arguments/],
      [1, ["--fighter", "999"], "The fighter 999 was never minted."],
      [1, ["--card", "999"], "The card 999 was never minted."],
    ] as const) {
      const refusal = await alice.fail(code, "stats", ...args);
      if (typeof line === "string") expect(refusal).to.equal(line);
      else expect(refusal).to.match(line);
    }
  });
});
