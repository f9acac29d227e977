import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { play } from "../../cli/play/program.js";
import { MAX_SHARED_RECORD } from "../../sdk/player/shared-record.js";
import { runInside } from "../support/inside.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB] = [4, 5];

describe("npm run play: stored matches", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let story: string;

  before(async () => {
    world = await startWorld();
    alice = await world.terminal(["--account", String(ALICE)]);
    const bob = await world.terminal(["--account", String(BOB)]);
    const opponent = await (await world.provider.getSigner(BOB)).getAddress();
    await alice.end("create", "tic-tac-toe", "4", "--opponent", opponent);
    await bob.end("join", "2", "0");
    await alice.run("replay", "2");
    expect(await kept()).to.deep.equal([]);
    for (const [i, cell] of ["3", "5", "2", "6", "1", "7", "8"].entries())
      await (i % 2 ? bob : alice).end("act", "2", cell);
    story = await alice.run("replay", "2", "--turns");
  });
  after(() => world.close());

  const folder = () => join(alice.home, "replays");
  const kept = async () => (existsSync(folder()) ? readdir(folder()) : []);

  /** Runs a command on Alice's machine without a node. */
  async function offline(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runInside(() => play(args), {
      DUELLO_HOME: alice.home,
      DUELLO_RPC_URL: "http://127.0.0.1:1",
    });
    return code === 0 ? stdout.trimEnd() : `${code} ${stderr.trimEnd()}`;
  }

  it("stores a finished match when it is replayed, and prints it again without a node", async () => {
    expect(story).to.match(/\nIt is kept: `kept 2` tells it without a node\.\nMatch 2 was replayed .*$/);
    expect(await kept()).to.deep.equal([`31337-${world.addresses.Arena}-2.json`]);
    const told = await offline("kept", "2", "--turns");
    const [board] = story.split("\n\n");
    expect(told.startsWith(`${board}\n`)).to.equal(true);
    expect(told).to.match(/\n2 {2}tic-tac-toe {2}0x\w+ : 0x\w+ {2}31337 {2}(player \d won|draw)\n.* with a chain\.$/);
    expect(await offline("kept")).to.match(/^match .*\n2 +tic-tac-toe {2}.* (player \d won|draw)$/);
    expect(JSON.parse(await offline("kept", "2", "--json"))).to.deep.include({ game: "tic-tac-toe", chainId: "31337" });
    const copy = join(await mkdtemp(join(tmpdir(), "duello-")), "any name");
    await cp(join(folder(), `31337-${world.addresses.Arena}-2.json`), copy);
    expect(await offline("kept", copy, "--turns")).to.equal(told);
  });

  it("fails in one line if the match is not stored, or its file is invalid", async () => {
    expect(await offline("kept", "3")).to.equal(`2 match: no match 3 is kept in ${folder()}`);
    expect(await offline("kept", "nothing.json")).to.equal("2 nothing.json: there is no such file");
    expect(await offline("kept", alice.home)).to.match(/^2 [^\n]+$/);
    expect(await offline("kept", "--limit", "0")).to.match(/^2 --limit: /);
    const file = join(alice.home, "file.json");
    for (const [text, refusal] of [
      ["", /not JSON/],
      ["{}", /no version of a kept match/],
      ['{"version":2,"record":"a"}', /version 2 of a kept match/],
      ['{"version":1,"record":"a"}', /^2 record: it is damaged$/],
      [" ".repeat(MAX_SHARED_RECORD + 2_000), /more than \d+ bytes/],
    ] as const) {
      await writeFile(file, text);
      expect(await offline("kept", file))
        .to.match(refusal)
        .and.to.match(/^2 [^\n]+$/);
    }
  });

  it("lists an unreadable match with the reason, and lists matches with the same number by file", async () => {
    const other = join(folder(), `1-${world.addresses.FightToken}-2.json`);
    await writeFile(other, "{}");
    expect((await offline("kept")).split("\n")).to.have.length(3);
    expect(await offline("kept")).to.include(`${other}: it has no version of a kept match`);
    expect(await offline("kept", "2")).to.match(
      /^2 match: matches of this number of 2 arenas are kept: name a file of /,
    );
    await rm(other);
    expect(await readFile(join(folder(), (await kept())[0]), "utf8")).to.include('"version": 1');
  });
});
