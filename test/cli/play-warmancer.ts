import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { runVerify } from "../../cli/verify/command.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";
import { runInside } from "../support/inside.js";
import type { Ended } from "../support/running.js";

const [ALICE, BOB, OLGA] = [4, 5, 6];
const SALT = `0x${"07".repeat(32)}`;
const SETUPS = ["TG/SL", "GT/LS"];
/** Both Warlords die in battle, and Bob commits to a move of the second turn. */
const FIRST_TURN = [[ALICE, "b2-c2"], [BOB, "c2-b2"], [ALICE], [BOB, "c1-c2"]] as const;

describe("npm run play: hidden pawns", () => {
  let world: PlayWorld;
  let addresses: string[];
  let terminals: Map<number, Terminal>;
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    const named = [ALICE, BOB, OLGA].map(async (account) => {
      return [account, await world.terminal(["--account", String(account)])] as const;
    });
    terminals = new Map(await Promise.all(named));
  });
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  const at = (account: number) => terminals.get(account)!;
  const act = (account: number, ...args: string[]) => at(account).run("act", "2", ...args);

  /** Starts match 2 on the smallest board, and plays the given turns. */
  async function begun(actions: readonly (readonly [number, string?])[] = [], ...flags: string[]): Promise<void> {
    const offer = ["--mode", "quick", "--opponent", addresses[BOB], ...flags];
    await at(ALICE).run("create", "warmancer", SETUPS[0], ...offer);
    await at(BOB).run("join", "2", SETUPS[1]);
    for (const [account, word] of actions) await act(account, ...(word === undefined ? [] : [word]));
  }

  it("shows a player only its own ranks and ranks that were proved", async () => {
    await begun(FIRST_TURN.slice(0, 2));
    const [alices, bobs] = [await at(ALICE).run("show", "2"), await at(BOB).run("show", "2")];
    expect(alices).to.include("   2 ▲S ▲L ▽? ▽?\n   1 ▲T ▲G ▽? ▽?\n      a  b  c  d\n▲ player 1, ▽ player 2\n");
    expect(alices).to.include("Proof due: your pawn on b2 is a Warlord; your action shows it.");
    expect(alices).to.match(
      /The other player must prove ranks before the turn is over: act without a move\.\nNext: .*$/,
    );
    expect(bobs).to.include("   2 ▲? ▲? ▽L ▽S\n   1 ▲? ▲? ▽G ▽T\n      a  b  c  d\n");
    expect(bobs).to.match(/The other player's turn\.\nNext: .*$/);
    expect(await at(OLGA).run("show", "2")).not.to.include("a  b  c  d");

    for (const [account, ...args] of FIRST_TURN.slice(2)) await act(account, ...args);
    expect(await at(ALICE).run("show", "2")).to.include("   2 ▲S  .  . ▽?\n   1 ▲T ▲G ▽? ▽?\n");
    expect(await at(ALICE).run("replay", "2")).to.include("both Warlords fall");
  });

  it("rejects moves that the player's ranks or the board forbid, and sends nothing", async () => {
    await begun();
    const count = await world.provider.getBlockNumber();
    for (const [args, line] of [
      [["a1-c1"], /^a1-c1: The pawn in slot 0 is of rank 0, which cannot move\.$/],
      [["b1-d1"], /^b1-d1: The pawn in slot 1 is of rank 4, which moves one step only\.$/],
      [["a2-b2"], /^a2-b2: On b2 stands a pawn of one's own\.$/],
      [["stuck"], /^stuck: there is a legal move, e\.g\. .*: you would lose$/],
      [["b2"], /^b2: not a move: two tiles like d4-d5, or stuck$/],
      [["z9-a1"], /^z9-a1: not a move: /],
      [[], /^move: 1 more asked for, like d4-d5$/],
    ] as const) {
      expect(await at(ALICE).fail(2, "act", "2", ...args)).to.match(line);
    }
    for (const setup of ["TTTT", "TG/S", "TG/SQ"])
      expect(await at(ALICE).fail(2, "create", "warmancer", setup, "--mode", "quick")).to.match(/^setup: /);
    expect(await world.provider.getBlockNumber()).to.equal(count);
    expect((await world.arena.matchOf(2)).turn).to.equal(Seat.One);
  });

  it("requires the winner to show its setup before the opponent's concession counts", async () => {
    await begun(FIRST_TURN.slice(0, 1));
    await act(BOB, "concede");
    expect(await at(ALICE).run("show", "2")).to.match(/your setup is to be shown, act without a move\.\nNext: .*$/);
    await act(ALICE);
    expect(await world.arena.statusOf(2)).to.equal(Status.P1Win);
  });

  /** Plays match 2 until Alice has won: her Grunt takes Bob's Throne. */
  const WON = [...FIRST_TURN, [ALICE, "b1-c1"], [BOB, "c2-b2"], [ALICE, "c1-d1"], [BOB], [ALICE]] as const;

  /** Writes a file that shows an army, as another player would. */
  async function written(content: unknown): Promise<string> {
    const file = join(at(OLGA).home, `army-${++files}.json`);
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  }
  let files = 0;

  const verify = (...args: string[]): Promise<Ended> =>
    runInside(() => runVerify(args), {
      DUELLO_DEPLOYMENTS: world.folder,
      DUELLO_RPC_URL: `http://127.0.0.1:${world.port}`,
    });

  it("describes each action, and draws every turn on request", async () => {
    await begun(FIRST_TURN.slice(0, 3));
    expect(await act(BOB, "c1-c2")).to.match(
      /^Player 2 proves the Warlord on c2 and commits to its next move\.\nNext: 0x\w+ must act by .*$/,
    );
    for (const [account, ...args] of WON.slice(4)) await act(account, ...args);
    const told = await at(OLGA).run("watch", "2");
    expect(told).to.match(/\nPlayer 1 reveals b2-c2 and proves the Warlord on b2\.\n/);
    expect(told).to.include("\nTurn 1: ▲b2 and ▽c2 attack each other; both Warlords fall\nTurn 2: ▽c1 to c2\n");
    expect(told).to.match(/\nSetup of player 1: TG\/SL\nSetup of player 2: \?T\/L\?\nIt is over: player 1 won\./);
    const boards = await at(OLGA).run("replay", "2", "--turns");
    expect(boards).to.include("Turn 2\n  ▽c1 to c2\n  ▲b1 to c1, which the ▽pawn has just left\n   2 ▲S  . ▽? ▽?\n");
    expect(boards).to.include("\n   2 ▲S ▽?  . ▽?\n   1 ▲T  .  . ▲G\n");
  });

  describe("given a match that is over", () => {
    let army: Record<string, unknown>;

    beforeEach(async () => {
      await begun(WON);
      army = await at(BOB).json<Record<string, unknown>>("reveal-army", "2");
    });

    it("lets the loser show its army without a transaction, and lets anybody check it", async () => {
      const blocks = await world.provider.getBlockNumber();
      const file = join(at(BOB).home, "army.json");
      const shown = await at(BOB).run("reveal-army", "2", "--out", file);
      expect(shown).to.include("   2 ▲? ▲? ▽L ▽S\n   1 ▲? ▲? ▽G ▽T\n");
      expect(JSON.parse(await readFile(file, "utf8"))).to.deep.equal(army);
      expect(Object.keys(army)).to.deep.equal(["chainId", "game", "matchId", "player", "move", "salt"]);
      const honest =
        "The army of player 2 in match 2 is the one that it committed to, and fits all that was proved and moved.";
      expect((await at(OLGA).run("reveal-army", "2", file)).split("\n").at(-1)).to.equal(honest);
      expect(await at(OLGA).json("reveal-army", "2", file)).to.deep.equal({
        matchId: "2",
        seat: "2",
        player: addresses[BOB],
        identical: true,
      });
      const filled = await at(OLGA).run("replay", "2", "--turns", "--army", file);
      expect(filled).to.include("Turn 2\n  ▽c1 to c2\n  ▲b1 to c1, which the ▽pawn has just left\n   2 ▲S  . ▽G ▽S\n");
      expect(filled).to.include(`Setup of player 2: GT/LS\n${honest}\n`);
      const winners = join(at(ALICE).home, "army.json");
      await at(ALICE).run("reveal-army", "2", "--out", winners);
      const both = await at(OLGA).run("replay", "2", "--turns", "--army", winners, "--army", file, "--sight", "2");
      expect(both).to.include("just left\n   2 ▲?  . ▽G ▽S\n");
      expect(both).to.include("Setup of player 1: TG/SL\nSetup of player 2: GT/LS\n");
      expect(await at(OLGA).fail(2, "replay", "2", "--sight", "3")).to.equal(
        "--sight: 3 is none of end, then, 1 and 2",
      );
      for (const args of [
        ["--army", file],
        ["2", "--army", file],
        ["--all", "--army", file],
      ]) {
        const { code, stdout, stderr } = await verify(...args);
        expect([code, stderr]).to.deep.equal([0, ""]);
        expect(stdout).to.match(/^Identical: .*\n0x\w+ has shown the army of match 2: it played honestly\.\n$/);
      }
      expect(await world.provider.getBlockNumber()).to.equal(blocks);
      expect(await at(BOB).fail(2, "reveal-army", "2", "--out", file)).to.match(
        /: the file exists, and is not replaced$/,
      );
    });

    it("recovers the army from the wallet alone, on another machine", async () => {
      expect(await (await at(BOB).elsewhere()).json("reveal-army", "2")).to.deep.equal(army);
    });

    it("names the difference between a shown army and the committed army", async () => {
      for (const [change, what] of [
        [{ move: "0x0400020a" }, "proved rank of the pawn set up on c2: expected Warlord, found Scout"],
        [{ move: "0x00040a02" }, "proved rank of the pawn set up on d1: expected Throne, found Grunt"],
        [{ move: "0x04000a" }, "number of pawns: expected 4, found 3"],
        [{ salt: `0x${"11".repeat(32)}` }, `root of the setup: expected 0x\\w{64}, found 0x\\w{64}`],
        [{ player: addresses[ALICE] }, ""],
      ] as const) {
        const file = await written({ ...army, ...change });
        const mismatch = new RegExp(`^Mismatch: match 2, the army of player [12]: ${what}`);
        expect(await at(OLGA).fail(1, "reveal-army", "2", file)).to.match(mismatch);
        expect(await at(OLGA).fail(1, "replay", "2", "--army", file)).to.match(mismatch);
        const { code, stdout } = await verify("--army", file);
        expect([code, stdout]).to.match(new RegExp(`^1,Mismatch: match 2, the army of player [12]: ${what}`));
      }
    });

    it("rejects a file that is not a shown army, in one line", async () => {
      const other = addresses[OLGA];
      for (const [content, line] of [
        ["", /: not JSON: /],
        ["x".repeat(10_001), /: more than 10000 bytes$/],
        [[], /: a list is not an object$|: .* is not an object$/],
        [{ ...army, more: 1 }, /\.more: unknown field$/],
        [{ ...army, chainId: 1 }, /: chainId is 1, that of match 2 is 31337$/],
        [{ ...army, game: other }, new RegExp(`: game is ${other}, that of match 2 is 0x`)],
        [{ ...army, player: other }, new RegExp(`: ${other} is no player of match 2$`)],
        [{ ...army, player: "\u001b[2J\u202e" }, /\.player: not an address$/],
        [{ ...army, matchId: 2 }, /\.matchId: 2 is not a text$/],
        [{ ...army, matchId: "02" }, /\.matchId: not a match's number$/],
        [{ ...army, matchId: "1" }, /: it is of match 1, not 2$/],
        [{ ...army, move: "0x" }, /\.move: 0 bytes instead of 1 to 1024$/],
        [{ ...army, move: `0x${"00".repeat(1025)}` }, /\.move: 1025 bytes instead of 1 to 1024$/],
        [{ ...army, move: "four" }, /\.move: not 0x and hex bytes$/],
        [{ ...army, salt: "0x11" }, /\.salt: "0x11" is not 0x and 64 hex digits$/],
      ] as const) {
        const file = await written(content);
        for (const args of [
          ["reveal-army", "2", file],
          ["replay", "2", "--army", file],
        ]) {
          expect(await at(OLGA).fail(2, ...args)).to.match(line);
        }
      }
      expect(await at(OLGA).fail(2, "reveal-army", "2", "/dev/zero")).to.match(/more than 10000 bytes$/);
      expect((await verify("--army", await written({ ...army, matchId: "99" }))).stderr).to.equal(
        "match: there is no match 99\n",
      );
      expect((await verify("--army", await written({ ...army, matchId: "1" }))).code).to.equal(2);
    });

    it("shows no army to an account that did not play the match, or in a game without hidden armies", async () => {
      expect(await at(OLGA).fail(1, "reveal-army", "2")).to.equal(`${addresses[OLGA]} is no player of match 2.`);
      await at(ALICE).end("create", "tic-tac-toe", "4", "--opponent", addresses[BOB]);
      expect(await at(ALICE).fail(1, "reveal-army", "3")).to.equal("The game of match 3 hides nothing beyond the end.");
    });
  });

  it("keeps an army hidden while the match is in play", async () => {
    await begun(FIRST_TURN);
    const line = "Match 2 is not over: until then the army stays hidden.";
    expect(await at(BOB).fail(1, "reveal-army", "2")).to.equal(line);
    const game = world.addresses.Warmancer;
    const shown = { chainId: 31_337, game, matchId: "2", player: addresses[BOB], move: "0x04000a02", salt: SALT };
    const file = await written(shown);
    expect(await at(OLGA).fail(1, "reveal-army", "2", file)).to.equal(line);
    expect(await at(OLGA).fail(1, "replay", "2", "--army", file)).to.equal(line);
    expect(await verify("--army", file)).to.deep.include({ code: 2, stderr: `${line}\n` });
  });

  it("lets both players show their armies after a resignation", async () => {
    await begun(FIRST_TURN);
    await at(BOB).end("resign", "2", "--yes");
    for (const account of [ALICE, BOB]) {
      const file = await written(await at(account).json("reveal-army", "2"));
      expect(await at(OLGA).run("replay", "2", "--army", file)).to.include("it committed to");
    }
  });

  it("lets an operator continue with exported secrets and with its own commitments", async () => {
    await begun();
    const file = join(at(OLGA).home, "secrets.json");
    await writeFile(file, await at(ALICE).run("secrets", "export", "2"));
    expect(await at(OLGA).run("secrets", "import", file)).to.match(
      /^The secret behind the commitment 0x\w+ is in \S+$/,
    );
    await at(ALICE).run("allow", addresses[OLGA]);
    await act(OLGA, "b2-c2");
    await act(BOB, "c2-b2");
    await act(OLGA);
    expect((await world.arena.matchOf(2)).turn).to.equal(Seat.Two);
    const fresh = await at(ALICE).elsewhere();
    expect(await fresh.run("show", "2")).to.include("   1 ▲T ▲G ▽? ▽?");
  });

  it("warns when the clock runs short", async () => {
    await begun([], "--clock", "10h");
    await world.pass(30_000);
    const { stderr } = await at(ALICE).end("show", "2");
    expect(stderr).to.match(/^Your clock runs short: \d+ s are left of 36000\.\n$/);
    const acted = await at(ALICE).end("act", "2", "b2-c2");
    expect([acted.code, acted.stderr]).to.match(/^0,Your clock runs short: /);
  });
});
