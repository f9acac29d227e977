import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { parseEther } from "ethers";
import { waitFor } from "../../cli/play/challenge.js";
import { commandText } from "../../cli/shared/match/next-step.js";
import { didYouMean } from "../../cli/shared/command/did-you-mean.js";
import { readJson } from "../../cli/shared/files/json.js";
import { cryptoSource } from "../../sdk/bots/source.js";
import { History } from "../../sdk/chain/history.js";
import { perfectPlayers } from "../../sdk/games/tic-tac-toe/bot.js";
import { Ties } from "../../sdk/games/tic-tac-toe/mode.js";
import { cellsOf } from "../../sdk/games/tic-tac-toe/moves.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB, AGENT] = [4, 5, 10];
const TEAM1 = ["15", "16", "17", "18", "19"];
const RUN = "npm run -s play --";

describe("The suggestion for a mistyped word", () => {
  it("is the nearest known word, if it is close enough", () => {
    const words = ["coin", "dice", "1", "rock-paper-scissors"];
    expect(didYouMean("COIN ", words)).to.equal(" (Did you mean coin?)");
    expect(didYouMean("rock-papers-scisors", words)).to.equal(" (Did you mean rock-paper-scissors?)");
    for (const typed of ["chess", "2", ""]) expect(didYouMean(typed, words), typed).to.equal("");
    expect(didYouMean("12", ["11", "13"])).to.equal("");
  });
});

describe("A suggested command", () => {
  it("repeats the options for account, node, chain, relay and games, quoted where the shell needs it", () => {
    const named = {
      keystore: "my key.json",
      rpc: "http://a,http://b",
      network: "mine",
      relay: "/tmp/r",
      games: "g.ts",
    };
    const options = "--keystore 'my key.json' --rpc http://a,http://b --network mine --relay /tmp/r --games g.ts";
    expect(commandText(["act", "7"], named)).to.equal(`${RUN} act 7 ${options}`);
  });
});

describe("The default wait of a challenge", () => {
  it("is long enough for an opponent to wait until the offer is final and then join in one step", () => {
    expect(waitFor(0)).to.equal(120);
    for (const lag of [2, 768, 1800]) expect(waitFor(lag) - lag).to.be.greaterThan(900 + lag);
  });
});

describe("npm run play: guidance", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
  });
  after(() => world.close());
  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    [alice, bob] = await Promise.all([ALICE, BOB].map((account) => world.terminal(["--account", String(account)])));
  });
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  const lastLine = (text: string) => text.trimEnd().split("\n").at(-1)!;
  const toBob = () => ["--opponent", addresses[BOB]];

  it("ends each command's output with the next command, ready to copy", async () => {
    const created = lastLine(await alice.run("create", "auto-battler", ...TEAM1, ...toBob()));
    expect(created).to.match(
      new RegExp(
        `^Next: ${addresses[BOB]} joins, until .* UTC: ${RUN} join 2; wait for it: ${RUN} watch 2 --turn --account 4$`,
      ),
    );
    expect(await alice.json("show", "2")).to.deep.include({
      next: {
        player: addresses[BOB],
        command: ["join", "2"],
        until: (await world.arena.matchOf(2)).deadline.toString(),
      },
    });
    const [, joining] = /^Next: your turn, until .* UTC: npm run -s play -- (join 2( \d+){5}) --account 5$/.exec(
      lastLine(await bob.run("show", "2")),
    )!;
    const joined = lastLine((await bob.end(...joining.split(" "))).stdout);
    expect(joined).to.match(
      new RegExp(`^Next: ${addresses[ALICE]} must reveal by .* UTC; wait for it: ${RUN} watch 2 --turn --account 5$`),
    );
    const reveal = new RegExp(`^Next: your turn, until .* UTC: ${RUN} reveal 2 --account 4$`);
    expect(lastLine(await alice.run("watch", "2", "--turn"))).to.match(reveal);
    expect(lastLine(await alice.run("list", "--mine")).trim()).to.match(reveal);
    expect(lastLine(await alice.run("reveal", "2"))).to.equal(
      `Next: see what happened, and check it: ${RUN} replay 2 --account 4`,
    );
  });

  it("suggests a good move in the next command", async () => {
    await alice.end("create", "tic-tac-toe", "4", ...toBob());
    await bob.end("join", "2", "0");
    await alice.run("act", "2", "1");
    // Every other move loses.
    expect(lastLine(await bob.run("show", "2"))).to.match(/: npm run -s play -- act 2 7 --account 5$/);
    expect(lastLine(await (await world.terminal([])).run("show", "2"))).to.match(/^Next: 0x\w+ must act by .* UTC$/);
  });

  it("accepts the name of a mode in place of a game, and shows the mode beside the game", async () => {
    await alice.run("create", "coin", "heads", ...toBob());
    expect(await bob.run("list")).to.match(/^match .*\n2 +mini-games coin {2}an offer +you /);
    expect(lastLine(await bob.run("show", "2"))).to.match(/ join 2 (heads|tails) --account 5$/);
  });

  it("lists matches that need the player now if no command is given", async () => {
    await bob.run("purse", "deposit", "FIGHT", "30");
    await alice.run("create", "coin", "heads", "--clock", "2h", ...toBob());
    await alice.run("create", "coin", "heads", "--firm", "30m", ...toBob());
    await bob.end("create", "coin", "tails", "--opponent", addresses[ALICE]);
    await bob.end("join", "2", "heads");
    const line = (id: number) => `\n${id} +mini-games coin  .*\n  Next: `;
    expect(await bob.run()).to.match(
      new RegExp(
        `^These matches need you now:\nmatch .*${line(3)}your turn, until .*: ${RUN} join 3 --account 5\nIn your purse: 30 FIGHT\\. ` +
          `To take it out: ${RUN} purse withdraw FIGHT all --account 5\nNo command is given; --help lists them\\.$`,
      ),
    );
    await world.pass(7300);
    expect(await alice.run()).to.match(
      new RegExp(
        `^These matches need you now:\nmatch .*${line(3)}the deadline has passed: ${RUN} timeout 3 --account 4${line(4)}your turn, until`,
      ),
    );
    const { due } = await bob.json<{ due: { matchId: string; next: { command: string[] } }[] }>();
    expect(due.map(({ matchId, next }) => [matchId, next.command[0]])).to.deep.equal([["2", "timeout"]]);
    expect(await (await world.terminal([])).fail(2)).to.equal(
      "you: say who you are: --account N on a test chain, --keystore FILE, or DUELLO_PRIVATE_KEY",
    );
  });

  it("asks at a terminal which account plays on a test chain", async () => {
    await alice.end("create", "tic-tac-toe", "4", ...toBob());
    const nobody = await world.terminal([]);
    const { code, screen } = await nobody.typing([
      [/Who are you\?[^]*Account 4/, "\u001b[B\r"],
      [/What do you want to play\?[^]*Match 2/, "\r"],
      [/◆ {2}Your move: CELL/, "\u00150\r"],
    ]);
    expect([code, await world.arena.statusOf(2)], screen).to.deep.equal([0, Status.AllJoined]);
  });

  it("asks at a terminal what to play, lists possible moves, and continues the match", async () => {
    await alice.end("create", "tic-tac-toe", "4", ...toBob());
    const { code, screen } = await bob.typing([
      [/What do you want to play\?[^]*Match 2/, "\r"],
      [/You can choose from: 0, 1, 2, 3, 5, 6, 7, 8\.[^]*◆ {2}Your move: CELL/, "\u00150\r"],
    ]);
    expect([code, await world.arena.statusOf(2)], screen).to.deep.equal([0, Status.AllJoined]);
    expect(screen).to.match(/These matches need you now:\r\nmatch .*\r\n2 +tic-tac-toe/);
  });

  it("suggests unbeatable moves at tic-tac-toe", async () => {
    const history = new History(world.provider, world.addresses);
    const running = alice.start("challenge", "tic-tac-toe", ...toBob());
    for (let isJoined = false; running.child.exitCode === null; await pause(50)) {
      if ((await world.arena.matchCount()) < 2n) continue;
      const { status, turn } = await world.arena.matchOf(2);
      if (status !== Status.P1Deposited && (status !== Status.AllJoined || turn !== Seat.Two)) continue;
      const cell = perfectPlayers[Ties.Draw].choose(cellsOf(await history.match(2n)), cryptoSource);
      const { code, stderr } = await bob.end(isJoined ? "act" : "join", "2", String(cell));
      expect(code, stderr).to.equal(0);
      isJoined = true;
    }
    expect((await running.ended).stdout).to.match(/\nA draw\.\n[^]*\nNext: /);
  });

  describe("given the policy of the deployment's agent", () => {
    const policy = { tokens: { FIGHT: { stake: "50", total: "60" } }, games: { "mini-games": ["coin"] } };
    let file: string;
    let before: object;

    beforeEach(async () => {
      file = join(world.folder, "31337.json");
      before = (await readJson(file)) as object;
      const agent = addresses[AGENT];
      await writeFile(file, JSON.stringify({ ...before, agents: [agent], policies: { [agent]: policy } }));
    });
    afterEach(() => writeFile(file, JSON.stringify(before)));

    it("warns before sending if the agent would decline, and gives the reason", async () => {
      const block = await world.provider.getBlockNumber();
      const agent = ["--opponent", addresses[AGENT]];
      for (const [args, why] of [
        [["challenge", "coin", "heads", "--stake", "80"], "its stake of 80 FIGHT is above my 50 FIGHT a match"],
        [["create", "coin", "heads", "--stake", "80", ...agent], "its stake of 80 FIGHT is above my 50 FIGHT a match"],
        [["challenge", "coin", "heads", "--stake", "5"], "my purse holds 0 FIGHT only"],
        [["challenge", "coin", "heads", "--token", "COIN", "--stake", "5"], "I do not stake its token"],
        [["challenge", "undercut", "5"], "I do not play mini-games in the mode undercut-challenger"],
        [["challenge", "coin", "heads", "--clock", "1m"], "its clock of 60 s is below my 300 s"],
      ] as const) {
        const { code, stderr } = await alice.end(...args);
        const warning = `Warning: The agent would decline, and say: ${why}.\n`;
        expect(stderr)
          .to.include(warning)
          .and.to.match(/Nothing was sent\. Add --yes to accept the warnings\.\n$/);
        expect(code).to.equal(1);
      }
      expect(await world.provider.getBlockNumber()).to.equal(block);
    });

    it("sends an offer that the agent would accept, and sends any offer with --yes", async () => {
      const agent = ["--opponent", addresses[AGENT]];
      // Without a stake, an agent that plays coin also plays the mode in which the challenger wins ties.
      expect((await alice.end("create", "coin", "heads", ...agent)).code).to.equal(0);
      await alice.run("create", "coin", "heads", ...agent, "--mode", "coin");
      await alice.run("create", "undercut", "5", ...toBob());
      const { code, stderr } = await alice.end("create", "undercut", "5", ...agent, "--yes");
      expect([code, stderr]).to.match(
        /^0,Of \d+ matches at random .*\nWarning: The agent would decline, and say: I do not play mini-games /,
      );
    });

    it("counts the stakes that the agent already has at risk", async () => {
      const seller = await world.terminal(["--account", String(AGENT)]);
      await seller.run("purse", "deposit", "COIN", "1");
      const fight = ["--stake", "40", ...toBob()];
      await alice.run("purse", "deposit", "FIGHT", "90", "--player", addresses[AGENT]);
      await seller.run("create", "coin", "heads", ...fight);
      const { stderr } = await alice.end("challenge", "coin", "heads", "--stake", "30");
      expect(stderr).to.include("say: 70 FIGHT would be staked, more than my 60 FIGHT in all.\n");
    });

    it("rejects a malformed policy, and names the position", async () => {
      const agent = addresses[AGENT];
      await writeFile(file, JSON.stringify({ ...before, agents: [agent], policies: { [agent]: { chance: 101 } } }));
      expect(await alice.fail(2, "challenge", "coin", "heads")).to.equal(
        `${file}: policies.${agent}: chance: 101 is above 100`,
      );
      await writeFile(file, JSON.stringify({ ...before, policies: { me: {} } }));
      expect(await alice.fail(2, "purse")).to.equal(`${file}.policies: "me" is not an address`);
    });
  });

  it("shows amounts in error messages in units of the token, even if the error names no token", async () => {
    await alice.run("purse", "deposit", "FIGHT", "2");
    expect(await alice.fail(1, "purse", "withdraw", "FIGHT", "2.5")).to.equal(
      `The purse of ${addresses[ALICE]} holds 2 FIGHT; 2.5 FIGHT are needed.`,
    );
    expect(await world.arena.purseOf(addresses[ALICE], world.addresses.FightToken)).to.equal(parseEther("2"));
  });
});
