import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB, OLGA] = [4, 5, 6];
const SETUPS = ["TG/SL", "GT/LS"];
/** Both Warlords die on each other's tiles, and Bob commits to the second turn. */
const FIRST_TURN = [[ALICE, "b2-c2"], [BOB, "c2-b2"], [ALICE], [BOB, "c1-c2"]] as const;

describe("npm run play: hidden pawns", () => {
  let world: PlayWorld;
  let addresses: string[];
  let terminals: Map<number, Terminal>;
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    addresses = await Promise.all((await world.provider.listAccounts()).map((signer) => signer.getAddress()));
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

  /** Starts match 2 on the smallest board, and takes the given turns. */
  async function begun(actions: readonly (readonly [number, string?])[] = [], ...flags: string[]): Promise<void> {
    const offer = ["--mode", "quick", "--opponent", addresses[BOB], ...flags];
    await at(ALICE).run("create", "warmancer", SETUPS[0], ...offer);
    await at(BOB).run("join", "2", SETUPS[1]);
    for (const [account, word] of actions) await act(account, ...(word === undefined ? [] : [word]));
  }

  it("shows a player its own ranks and the proved ones, and nobody else's", async () => {
    await begun(FIRST_TURN.slice(0, 2));
    const [alices, bobs] = [await at(ALICE).run("show", "2"), await at(BOB).run("show", "2")];
    expect(alices).to.include("   2 ▲S ▲L ▽? ▽?\n   1 ▲T ▲G ▽? ▽?\n      a  b  c  d\n▲ player 1, ▽ player 2\n");
    expect(alices).to.include("Proof due: your pawn on b2 is a Warlord; your action shows it.");
    expect(alices).to.match(/The other player must prove ranks before the turn is over: act without a move\.$/);
    expect(bobs).to.include("   2 ▲? ▲? ▽L ▽S\n   1 ▲? ▲? ▽G ▽T\n      a  b  c  d\n");
    expect(bobs).to.match(/The other player's turn\.$/);
    expect(await at(OLGA).run("show", "2")).not.to.include("a  b  c  d");

    for (const [account, ...args] of FIRST_TURN.slice(2)) await act(account, ...args);
    expect(await at(ALICE).run("show", "2")).to.include("   2 ▲S  .  . ▽?\n   1 ▲T ▲G ▽? ▽?\n");
    expect(await at(ALICE).run("replay", "2")).to.include("neither survives");
  });

  it("refuses what the player's own ranks or the board forbid, before anything is sent", async () => {
    await begun();
    const count = await world.provider.getBlockNumber();
    for (const [args, line] of [
      [["a1-c1"], /^a1-c1: The pawn in slot 0 is of rank 0, which cannot move\.$/],
      [["b1-d1"], /^b1-d1: The pawn in slot 1 is of rank 4, which moves one step only\.$/],
      [["a2-b2"], /^a2-b2: On tile 17 stands a pawn of one's own\.$/],
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

  it("gives up so that the other must show its setup first", async () => {
    await begun(FIRST_TURN.slice(0, 1));
    await act(BOB, "concede");
    expect(await at(ALICE).run("show", "2")).to.match(/your setup is to be shown, act without a move\.$/);
    await act(ALICE);
    expect(await world.arena.statusOf(2)).to.equal(Status.P1Win);
  });

  it("lets an operator go on with the exported secrets, also with what it commits to itself", async () => {
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
