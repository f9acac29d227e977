import { expect } from "chai";
import { parseEther } from "ethers";
import { setTimeout as pause } from "node:timers/promises";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";
import type { Running } from "../support/running.js";

const [ALICE, BOB] = [4, 5];
/** Keys that clear the line, and keys that interrupt the command. */
const [CLEAR, GIVE_UP] = ["\u0015", "\u0003"];
const ASKED = /◆ {2}Your move: CELL/;

describe("npm run play: interrupted matches", function () {
  let world: PlayWorld;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let snapshot: unknown;
  let challenge: string[];

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    challenge = ["challenge", "tic-tac-toe", "4", "--stake", "5", "--opponent", addresses[BOB]];
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    alice = await world.terminal(["--account", String(ALICE)]);
    bob = await world.terminal(["--account", String(BOB)]);
  });
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  const statusOf = (matchId: number) => world.arena.statusOf(matchId);
  const turnOf = async (matchId: number) => (await world.arena.matchOf(matchId)).turn;
  const purseOf = (account: number) => world.arena.purseOf(addresses[account], world.addresses.FightToken);

  async function eventually(what: () => Promise<boolean>): Promise<void> {
    while (!(await what())) await pause(50);
  }

  /** Starts Alice's challenge in a separate process, and waits until the chain has the offer. */
  async function sent(): Promise<Running> {
    const running = alice.start(...challenge);
    await eventually(async () => (await world.arena.matchCount()) === 2n && running.child.exitCode === null);
    return running;
  }

  /** Starts Alice's challenge, and waits until it has reported the offer. */
  async function offered(): Promise<Running> {
    const running = await sent();
    await eventually(async () => running.errors().includes("The offer stands until"));
    return running;
  }

  async function joined(): Promise<void> {
    await bob.run("purse", "deposit", "FIGHT", "5");
    expect((await bob.end("join", "2", "0")).code).to.equal(0);
  }

  /** Interrupts a command. @returns its last line. */
  async function interrupted(running: Running, signal: NodeJS.Signals): Promise<string> {
    running.child.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    expect([code, stdout]).to.deep.equal([1, ""]);
    return stderr.trimEnd().split("\n").at(-1)!;
  }

  describe("given a challenge", () => {
    it("when the command is killed, its offer lapses when its wait ends, and the stake is returned", async () => {
      const running = await offered();
      running.child.kill("SIGKILL");
      await running.ended;
      const { deadline, firm } = await world.arena.matchOf(2);
      const { timestamp } = (await world.provider.getBlock("latest"))!;
      expect([firm, Number(deadline) - timestamp <= 120]).to.deep.equal([true, true]);
      await world.pass(121);
      await bob.run("purse", "deposit", "FIGHT", "5");
      expect((await bob.end("join", "2", "0")).stderr).to.match(/Too late for match 2: /);
      const { code, stdout, stderr } = await alice.end("challenge", "2");
      expect([code, stdout]).to.deep.equal([1, ""]);
      // If the command was killed before it reported the offer, the outcome of the offer is printed first.
      expect(stderr).to.match(/(^|\n)Nobody took match 2: your stake is back in your purse\. .*\n$/);
      expect(await purseOf(ALICE)).to.equal(parseEther("5"));
    });

    it("when an offer has lapsed unnoticed, the next challenge reclaims the stake and deposits only what is missing", async () => {
      // Most likely, the command has not reported the offer to Alice yet.
      const running = await sent();
      running.child.kill("SIGKILL");
      await running.ended;
      await world.pass(121);
      const again = alice.start(...challenge);
      await eventually(async () => (await world.arena.matchCount()) === 3n);
      expect([await statusOf(2), await statusOf(3)]).to.deep.equal([Status.P1Canceled, Status.P1Deposited]);
      expect(await purseOf(ALICE)).to.equal(0n);
      await interrupted(again, "SIGTERM");
    });

    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      it(`when ${signal} ends the waiting command, it prints the open offer, when the offer ends and how to continue`, async () => {
        expect(await interrupted(await offered(), signal)).to.match(
          /^Stopped\. Match 2 is offered until .* UTC, then your stake can come back; challenge 2 continues it\.$/,
        );
      });
    }

    it("when nobody takes the offer, the command exits with 1", async () => {
      const running = await offered();
      await world.pass(121);
      const { code, stdout, stderr } = await running.ended;
      expect([code, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.match(/\nNobody took match 2: your stake is back in your purse\. .*\n$/);
      expect([await statusOf(2), await purseOf(ALICE)]).to.deep.equal([Status.P1Canceled, parseEther("5")]);
    });

    it("when the command is repeated, it continues the existing match, even a match in play, and creates no second match", async () => {
      await interrupted(await offered(), "SIGTERM");
      await joined();
      const running = alice.start(...challenge);
      await eventually(async () => (await turnOf(2)) === Seat.Two);
      expect(await interrupted(running, "SIGTERM")).to.match(
        /^Stopped\. Match 2 is in play, the opponent's turn until .* UTC; challenge 2 continues it\.$/,
      );
      expect((await running.ended).stderr).to.match(/^Match 2 stands already: going on with it\.\n/);
      expect((await bob.end("resign", "2", "--yes")).code).to.equal(0);
      const { code, stdout } = await alice.end("challenge", "2");
      expect([code, stdout]).to.match(
        /^0,[^]*\nIt is over: player 1 won\. .*\nYou win\.\nPlayer 1: rating 1000 → 1020, .*\n.*\nNext: .*\n$/,
      );
      expect(await world.arena.matchCount()).to.equal(2n);
    });

    it("when a repeated command names other stakes, it creates another match, and mentions the existing match", async () => {
      await interrupted(await offered(), "SIGTERM");
      const running = alice.start("challenge", "tic-tac-toe", "4", "--opponent", addresses[BOB]);
      await eventually(async () => (await world.arena.matchCount()) === 3n);
      await interrupted(running, "SIGTERM");
      expect((await running.ended).stderr).to.match(/^Match 2 is offered until .*; challenge 2 continues it\.\n/);
    });

    it("can be continued only by its challenger, and can have a wait of 1 minute to 30 days", async () => {
      await interrupted(await offered(), "SIGTERM");
      expect(await bob.fail(2, "challenge", "2")).to.equal(`match 2: its challenger is ${addresses[ALICE]}`);
      expect(await alice.fail(1, "challenge", "9")).to.equal("There is no match 9.");
      for (const wait of ["59s", "31d"]) {
        const line = `--wait: ${wait} is not between 1m and 30d`;
        expect(await alice.fail(2, ...challenge, "--wait", wait)).to.equal(line);
      }
    });
  });

  describe("at a terminal", () => {
    it("asks again for a mistyped move, and prints the state of a match on exit", async () => {
      await interrupted(await offered(), "SIGTERM");
      await joined();
      const { code, screen } = await alice.typing(
        [
          [ASKED, `${CLEAR}0\r`],
          [/Cell 0 is marked already\.[^]*◆ {2}Your move: CELL/, `${CLEAR}ten\r`],
          [/cell: a move is one number from 0 to 8[^]*◆ {2}Your move: CELL/, GIVE_UP],
        ],
        "challenge",
        "2",
      );
      expect(screen).to.include("  O 1 2\r\n  3 X 5\r\n  6 7 8\r\n");
      expect(screen).to.match(
        /No move was given: nothing was sent\. Match 2 is in play: move until .* UTC, or you lose the pot; challenge 2 continues/,
      );
      expect([code, await turnOf(2)]).to.deep.equal([1, Seat.One]);
    });

    it("asks in the same way for a move that is missing from the act command, and sends the typed move", async () => {
      await interrupted(await offered(), "SIGTERM");
      await joined();
      const left = await alice.typing([[ASKED, GIVE_UP]], "act", "2");
      expect(left.screen).to.match(/Match 2 is in play: move until .* UTC, or you lose the pot; act 2 continues it\./);
      expect([left.code, await turnOf(2)]).to.deep.equal([1, Seat.One]);
      const { code, screen } = await alice.typing(
        [
          [ASKED, `${CLEAR}4\r`],
          [/Cell 4 is marked already\.[^]*◆ {2}Your move: CELL/, `${CLEAR}8\r`],
        ],
        "act",
        "2",
      );
      expect([code, await turnOf(2)], screen).to.deep.equal([0, Seat.Two]);
    });

    it("asks for blades as a separate move, after it has shown the shots and the health of the pistol round", async () => {
      let matchId = "1";
      // Some shots end the match immediately.
      for (let code = 0; code === 0;) {
        matchId = String(BigInt(matchId) + 1n);
        expect((await alice.end("create", "pistols", "10", "--opponent", addresses[BOB])).code).to.equal(0);
        expect((await bob.end("join", matchId, "10")).code).to.equal(0);
        code = (await alice.end("act", matchId)).code!;
        expect(code).to.be.oneOf([0, 2]);
      }
      const asked = /◆ {2}Your move: BLADES: one or two of idle, light, /;
      const { code, screen } = await alice.typing([[asked, `${CLEAR}light block\r`]], "act", matchId);
      expect([code, await turnOf(Number(matchId))], screen).to.deep.equal([0, Seat.Two]);
      expect(screen).to.match(/Round 1, as you will open it: Player 1 walks 10 paces, Player 2 walks 10 paces\r\n/);
      expect(screen).to.match(/Player [12] shoots at 10 paces and .* {2}Player 1 [●○]{3} {2}Player 2 [●○]{3}\r\n/);
      expect(await bob.run("show", matchId)).to.match(/Round 1: Player 1 walks 10 paces.*\n.*Player 2 [●○]{3}/);
    });

    it("resigns only after the player confirms with --yes or y", async () => {
      await interrupted(await offered(), "SIGTERM");
      await joined();
      const refused = await alice.end("resign", "2");
      const warning = "Warning: You give up match 2: the other player wins its pot of 10 FIGHT.\n";
      expect(refused).to.deep.equal({
        code: 1,
        stdout: "",
        stderr: `${warning}Nothing was sent. Add --yes to accept the warnings.\n`,
      });
      expect((await alice.typing([[/Go on\?/, "n"]], "resign", "2")).code).to.equal(1);
      expect(await statusOf(2)).to.equal(Status.AllJoined);
      expect((await alice.typing([[/Go on\?/, "y"]], "resign", "2")).code).to.equal(0);
      expect(await statusOf(2)).to.equal(Status.P2Win);
      expect(await alice.fail(1, "resign", "2")).to.equal("This cannot be done with match 2: player 2 won.");
    });
  });
});
