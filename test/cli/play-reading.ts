import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { Vault } from "../../cli/shared/files/vault.js";
import { randomKey } from "../../sdk/player/secrets.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB, OLGA] = [4, 5, 6];

describe("npm run play: read commands", function () {
  let world: PlayWorld;
  let terminals: Terminal[];
  let addresses: string[];
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    terminals = await Promise.all([ALICE, BOB, OLGA].map((account) => world.terminal(["--account", String(account)])));
  });
  after(() => world.close());
  beforeEach(async () => (snapshot = await world.provider.send("evm_snapshot", [])));
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  /** Lets both players mark these cells in turns, in match 2 of tic-tac-toe. */
  async function marked(...cells: string[]): Promise<void> {
    const [alice, bob] = terminals;
    const [first, second, ...more] = cells;
    await alice.end("create", "tic-tac-toe", first, "--opponent", addresses[BOB]);
    await bob.end("join", "2", second);
    for (const [i, cell] of more.entries()) await terminals[i % 2].run("act", "2", cell);
  }

  it("shows anyone the board of a tic-tac-toe match in play", async () => {
    await marked("4", "0", "2");
    const [alice, , olga] = terminals;
    for (const who of [alice, olga]) {
      const shown = await who.run("show", "2");
      expect(shown).to.match(/\n\nX is player 1, O is player 2; .*\n {2}O 1 X\n {2}3 X 5\n {2}6 7 8\nNext: .*$/);
    }
    expect((await alice.json("show", "2")).status).to.equal("AllJoined");
  });

  it("shows a match even if the player's own secrets cannot be read", async () => {
    const [alice, bob] = terminals;
    await alice.end("create", "pistols", "10", "--opponent", addresses[BOB]);
    await bob.end("join", "2", "10");
    const lost = await alice.elsewhere();
    const place = { chainId: 31_337, arena: world.addresses.Arena, player: addresses[ALICE] };
    await new Vault(lost.home).keepKey({ ...place, key: randomKey() });
    expect(await lost.run("show", "2")).to.match(
      /^Match 2: in play\n[^]*\n\nThis commitment was made with another key, or for another player, game or chain\.\nNext: .*$/,
    );
    expect(await alice.run("show", "2")).to.include("\n\nRound 1, as you will open it: Player 1 walks 10 paces");
  });

  it("prints the board after each mark while it watches a match, until the player's turn or the end", async () => {
    await marked("4", "0", "2");
    const [alice, bob] = terminals;
    const turn = await bob.run("watch", "2", "--turn");
    const board = "Player 1 marks cell 2\n  O . X\n  . X .\n  . . .";
    expect(turn).to.include(`\n${board}\nNext: your turn, until `);
    const running = alice.start("watch", "2");
    while (!running.text().includes(board)) await pause(50);
    await bob.run("act", "2", "1");
    await alice.run("act", "2", "6");
    const { stdout } = await running.ended;
    expect(stdout).to.match(
      /marks cell 6\n {2}O O X\n {2}\. X \.\n {2}X \. \.\nIt is over: player 1 won\. .*\nNext: .* replay 2 --account 4\n$/,
    );
    expect(stdout.split(board)).to.have.length(2);
  });

  it("prints each event as JSON with match, seat, player and move, and prints statuses by name", async () => {
    await marked("4", "0", "2", "1", "6");
    const lines = (await terminals[2].run("watch", "2", "--json")).split("\n");
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.every(({ matchId }) => matchId === "2")).to.equal(true);
    const [alice, bob] = [ALICE, BOB].map((account) => addresses[account]);
    expect(events.map(({ event, seat, player, move }) => [event, seat, player, move])).to.deep.equal([
      ["created", "1", alice, "0x04"],
      ["funded", "1", alice, undefined],
      ["funded", "2", bob, undefined],
      ["joined", "2", bob, "0x0400"],
      ["acted", "1", alice, "0x0302"],
      ["acted", "2", bob, "0x0401"],
      ["acted", "1", alice, "0x0506"],
      ["settled", undefined, undefined, undefined],
    ]);
    expect((events.at(-1)!.settlement as { status: string }).status).to.equal("P1Win");
    const statuses = await terminals[0].json<{ status: string }[]>("list", "--all");
    expect(statuses.map(({ status }) => status)).to.have.members(["P1Win", statuses[1].status]);
    expect(statuses[1].status).to.match(/^P[12]Win$/);
  });

  it("distinguishes both sides' fighters by their marks, without colours", async () => {
    const story = (await terminals[2].run("replay", "1")).split("\n");
    const attacks = story.filter((line) => / (hits|lands a combo on|lunges at) /.test(line));
    expect(attacks.length).to.be.greaterThan(5);
    for (const line of attacks) expect(line).to.match(/^ {2}(▲\S+ .*▽\S+|▽\S+ .*▲\S+)/);
    expect(story.slice(0, 2).join()).to.match(/^Team 1, {2}▲/);
    expect(story.slice(6, 8).join()).to.match(/^Team 2, {2}▽/);
  });

  it("reports in one sentence that a token's address has no contract", async () => {
    const [alice] = terminals;
    const line = `token: there is no contract at ${addresses[BOB]}`;
    for (const args of [
      ["purse", "deposit", addresses[BOB], "1"],
      ["purse", "--token", addresses[BOB]],
      ["purse", "withdraw", addresses[BOB], "all"],
      ["create", "tic-tac-toe", "4", "--token", addresses[BOB]],
      ["challenge", "tic-tac-toe", "4", "--token", addresses[BOB], "--opponent", addresses[BOB]],
    ]) {
      expect(await alice.fail(2, ...args)).to.equal(line);
    }
  });
});
