import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { awayViewOf, PlayedSeat } from "../../cli/shared/off-chain/away-seat.js";
import { CommandContext } from "../../cli/shared/command/context.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { urlOf } from "../../scripts/local-chain.js";
import type { Relay } from "../../cli/relay/relay.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { lineTo, startRelay } from "../support/away-support.js";
import { proxyTo } from "../support/play-proxy.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [ALICE, BOB, OLGA] = [4, 5, 6];
const SETUPS = ["TG/SL", "GT/LS"];
/** Alice's Grunt takes Bob's Throne. */
const WON = [
  [ALICE, "b2-c2"],
  [BOB, "c2-b2"],
  [ALICE],
  [BOB, "c1-c2"],
  [ALICE, "b1-c1"],
  [BOB, "c2-b2"],
  [ALICE, "c1-d1"],
  [BOB],
  [ALICE],
] as const;
const DAY = 86_400;
/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

describe("npm run play: away from the chain", () => {
  let world: PlayWorld;
  let addresses: string[];
  let terminals: Map<number, Terminal>;
  let snapshot: unknown;
  let relay: Relay;

  before(async () => {
    world = await startWorld();
    addresses = await Promise.all((await world.provider.listAccounts()).map((signer) => signer.getAddress()));
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    relay = await startRelay(world);
    const named = [ALICE, BOB, OLGA].map(async (account) => {
      return [account, await world.terminal(["--account", String(account)], { DUELLO_RELAY: relay.url })] as const;
    });
    terminals = new Map(await Promise.all(named));
  });
  afterEach(async () => {
    await relay.stop();
    await world.provider.send("evm_revert", [snapshot]);
  });

  const at = (account: number) => terminals.get(account)!;
  const act = (account: number, ...args: string[]) => at(account).run("act", "2", ...args);
  const statusOf = () => world.arena.statusOf(2);
  const blocks = () => world.provider.getBlockNumber();
  const turn = async () => (await world.arena.matchOf(2)).turn;

  /** Starts match 2 on the smallest board, and takes the given turns. */
  async function begun(actions: readonly (readonly [number, string?])[] = [], ...flags: string[]): Promise<void> {
    const offer = ["--mode", "quick-away", "--opponent", addresses[BOB], ...flags];
    await at(ALICE).run("create", "warmancer", SETUPS[0], ...offer);
    await at(BOB).run("join", "2", SETUPS[1]);
    for (const [account, word] of actions) await act(account, ...(word === undefined ? [] : [word]));
  }

  /** Has everybody play without a relay from now on. */
  function cutOff(): void {
    for (const [account, terminal] of terminals) terminals.set(account, terminal.with({ DUELLO_RELAY: "" }));
  }

  it("plays a whole game at the table, and settles it in one transaction", async () => {
    await begun();
    const before = await blocks();
    for (const [account, ...args] of WON) {
      expect(await act(account, ...args)).to.match(/^Player [12] .*\.\nNext: 0x\w{40} must (act|agree) by /);
    }
    expect(await at(BOB).run("show", "2")).to.match(/\nThe game is over\.\nNext: /);
    expect(await at(BOB).run("agree", "2")).to.match(
      /^You have signed that the other player has won, for good: .*\nNext: 0x\w{40} must settle by /,
    );
    expect(await blocks()).to.equal(before);
    expect(await at(ALICE).run("settle", "2")).to.include("player 1 won");
    expect(await blocks()).to.equal(before + 1);
    expect([await statusOf(), await turn()]).to.deep.equal([Status.P1Win, Seat.None]);
    expect(await at(OLGA).run("replay", "2")).to.include("Setup of player 1: TG/SL");
  });

  it("says in show and list how many actions were played, and who is waited for", async () => {
    await begun(WON.slice(0, 2));
    for (const account of [ALICE, BOB, OLGA]) {
      const shown = await at(account).run("show", "2");
      expect(shown).to.match(/^Match 2: in play away from the chain\n/);
      expect(shown).to.include("  After 2 actions away from the chain player 1 is in turn.\n");
    }
    const { away, next } = await at(ALICE).json<{ away: object; next: object }>("show", "2");
    expect(away).to.deep.equal({ nonce: 2, turn: "1", agreed: [] });
    expect(next).to.deep.include({ player: addresses[ALICE], command: ["act", "2"] });
    const [mine, others] = [await at(ALICE).run("list", "--mine"), await at(BOB).run("list", "--mine")];
    expect(mine).to.match(/\n {2}Next: your turn, until .*: npm run -s play -- act 2 --account 4$/);
    expect(others).to.match(/\n {2}Next: 0x15d34A\w+ must act by /);
    expect(await at(ALICE).run("show", "2")).to.match(/Proof due: your pawn on b2 is a Warlord/);
  });

  it("watches a match at the table until it is one's turn, and to its end", async () => {
    await begun(WON.slice(0, 1));
    // Nobody has to act here: it is Bob's turn already.
    expect(await at(BOB).run("watch", "2", "--turn")).to.match(/\nNext: your turn, until .* -- act 2 .*$/);
    for (const [account, ...args] of WON.slice(1)) await act(account, ...args);
    await at(BOB).run("agree", "2");
    await at(ALICE).run("settle", "2");
    expect(await at(OLGA).run("watch", "2")).to.match(/\nTurn 3: .*\n(.*\n)+It is over: player 1 won\./);
    // What nobody shows any more is missing, and nothing else.
    const without = at(OLGA).with({ DUELLO_RELAY: "" });
    expect(await without.run("watch", "2")).to.match(/It is over: player 1 won\./);
    expect((await without.end("replay", "2")).code).to.equal(0);
  });

  it("plays on where a player has lost all its files, with its wallet and the relay alone", async () => {
    await begun(WON.slice(0, 4));
    const fresh = await at(ALICE).elsewhere();
    const { code, stderr } = await fresh.end("act", "2", "b1-c1");
    expect([code, stderr]).to.deep.equal([
      0,
      "What this machine kept of the match was lost, and was read from a relay again.\n",
    ]);
    terminals.set(ALICE, fresh);
    for (const [account, ...args] of WON.slice(5)) await act(account, ...args);
    await at(BOB).run("agree", "2");
    await at(ALICE).run("settle", "2");
    expect(await statusOf()).to.equal(Status.P1Win);
  });

  it("signs nothing where neither files nor a relay tell what was signed before", async () => {
    await begun(WON.slice(0, 2));
    const fresh = await at(ALICE).elsewhere({ DUELLO_RELAY: NOWHERE });
    const { code, stderr } = await fresh.end("act", "2", "b1-c1");
    expect(code).to.equal(1);
    expect(stderr.split("\n").at(-2)).to.equal(
      "Nothing is signed in match 2 before a relay has told what was sent before: name one by --relay. post 2 brings it onto the chain by what this machine has kept, which is nothing if its files were lost.",
    );
  });

  // Before the first action, where a proof is due, where a move is, and where the game is over.
  for (const cut of [0, 2, 5, WON.length]) {
    it(`finishes on chain without a relay, from action ${cut} on`, async () => {
      await begun(WON.slice(0, cut));
      const [last] = cut === 0 ? [BOB] : WON[cut - 1];
      cutOff();
      // Whoever has sent the last action posts what the other has signed, and so takes it back to that.
      await at(last).run("post", "2");
      expect(await turn()).to.equal(last === ALICE ? Seat.Two : Seat.One);
      while ((await statusOf()) === Status.AllJoined) {
        const who = (await turn()) === Seat.One ? ALICE : BOB;
        // The next command is one that can be given as it stands.
        const shown = await at(who).run("show", "2");
        const [, words] = / -- (act 2.*) --account \d$/.exec(shown)!;
        await at(who).run(...words.split(" "));
      }
      expect(await statusOf()).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
    });
  }

  it("posts, accepts and acts on chain where the name of a relay cannot be read, and says so", async () => {
    await begun(WON.slice(0, 2));
    const wrong = { DUELLO_RELAY: "localhost:8090" };
    for (const [account, ...args] of [
      [ALICE, "show", "2"],
      [BOB, "post", "2"],
      [ALICE, "act", "2"],
      [BOB, "act", "2", "c1-c2"],
    ] as const) {
      const ended = await at(account)
        .with(wrong)
        .end(...args);
      expect(ended.code, ended.stderr).to.equal(0);
      if (args[0] !== "post")
        expect(ended.stderr).to.match(/^DUELLO_RELAY: localhost:8090 is neither an address like /);
    }
    expect(await turn()).to.equal(Seat.One);
    expect(await at(ALICE).with(wrong).end("resign", "2", "--yes")).to.include({ code: 0 });
    expect(await statusOf()).to.equal(Status.P2Win);
  });

  it("signs one move only where two commands of a player act at once", async () => {
    await begun();
    const outside = at(ALICE).outside();
    const ended = await Promise.all(["b2-c2", "b1-c1", "b2-c2"].map((word) => outside.end("act", "2", word)));
    expect(ended.map(({ code }) => code).sort()).to.deep.equal([0, 1, 1]);
    for (const { code, stderr } of ended) {
      if (code === 0) expect(stderr).to.equal("");
      else expect(stderr).to.match(/^(It is the turn of 0x\w{40} in match 2|The position is not the one that .*)\.\n$/);
    }
    expect(await at(OLGA).run("show", "2")).to.include("After 1 action away from the chain player 2 is in turn.");
  });

  it("knows before each step what another process has signed since", async () => {
    await begun();
    process.env.DUELLO_DEPLOYMENTS = world.folder;
    const asked = { rpc: urlOf(world.port), account: String(ALICE), relay: "" };
    const context = await CommandContext.open(asked, new Vault(at(ALICE).home)).finally(
      () => delete process.env.DUELLO_DEPLOYMENTS,
    );
    const played = await PlayedSeat.open((await awayViewOf(context, await context.view(2n)))!);
    const due = async () => (await played.step((seat) => seat.sync())).due;
    expect(await due()).to.deep.include({ type: "act" });
    await at(BOB).run("agree", "2", "draw");
    await at(ALICE).end("agree", "2", "draw", "--yes");
    expect(await due()).to.deep.include({ type: "wait", for: "settlement" });
    context.close();
  });

  it("keeps no secret in its log, and lets nobody else read it", async () => {
    await begun(WON.slice(0, 4));
    const folder = join(at(ALICE).home, "away");
    const [place] = await readdir(folder);
    const [file] = await readdir(join(folder, place));
    expect(file).to.equal(`2-${addresses[ALICE]}.jsonl`);
    const lines = (await readFile(join(folder, place, file), "utf8")).trimEnd().split("\n");
    const [first, ...entries] = lines.map((line) => JSON.parse(line) as { type: string });
    expect(first).to.deep.equal({ version: 1, format: "the log of a seat" });
    expect(entries.map(({ type }) => type)).to.deep.equal(["move", "move", "move"]);
    expect((await stat(join(folder, place, file))).mode & 0o777).to.equal(0o600);
    const { key } = JSON.parse(await at(ALICE).run("secrets", "export")) as { key: string };
    expect(lines.join("\n")).not.to.include(key.slice(2));
  });

  describe("given a damaged line in the log of a seat", () => {
    const signing = [
      ["act", "2", "b1-c1"],
      ["agree", "2", "draw"],
      ["post", "2"],
    ];
    let file: string;
    const wayOut = () =>
      `Move ${file} away, and give the command again with a relay that has the match: your messages are taken back from it before anything is signed`;
    /** Runs a command. @returns exit code, and the lines on standard error */
    const told = async (...args: string[]): Promise<[number | null, string[]]> => {
      const { code, stderr } = await at(ALICE).end(...args);
      return [code, stderr.split("\n").slice(0, -1)];
    };

    beforeEach(async () => {
      await begun(WON.slice(0, 4));
      const [place] = await readdir(join(at(ALICE).home, "away"));
      file = join(at(ALICE).home, "away", place, `2-${addresses[ALICE]}.jsonl`);
    });

    async function change(line: number, text: (line: string) => string): Promise<void> {
      const lines = (await readFile(file, "utf8")).split("\n");
      lines[line - 1] = text(lines[line - 1]);
      await writeFile(file, lines.join("\n"));
    }

    it("goes on with commands that only look, by the relay and by the lines before it, with a warning", async () => {
      const show = ["show", "2"];
      const whole = await at(ALICE).run(...show);
      await change(3, () => "garbage");
      const warning = `${file}:3: not JSON. Moves that only this log has are not shown.`;
      for (const args of [show, ["list", "--mine"], ["replay", "2"]]) {
        expect(await told(...args), args.join(" ")).to.deep.equal([0, [warning]]);
      }
      expect((await at(ALICE).end(...show)).stdout.trimEnd()).to.equal(whole);
      cutOff();
      expect((await at(ALICE).end(...show)).stdout).to.include(
        "After 1 action away from the chain player 2 is in turn.",
      );
      await rm(file);
      await mkdir(file);
      const [code, [line]] = await told(...show);
      expect([code, line]).to.deep.equal([
        0,
        `${file}: it is a folder, not a file. Moves that only this log has are not shown.`,
      ]);
    });

    it("refuses commands that sign with the line and the way out, which works", async () => {
      await change(3, () => "garbage");
      for (const args of signing) {
        const [code, [warning, line]] = await told(...args);
        expect([code, line ?? warning], args.join(" ")).to.deep.equal([2, `${file}:3: not JSON. ${wayOut()}`]);
      }
      await rename(file, `${file}.damaged`);
      const lost = "What this machine kept of the match was lost, and was read from a relay again.";
      expect(await told("act", "2", "b1-c1")).to.deep.equal([0, [lost]]);
    });

    it("refuses them by a line that was changed, is there twice or is missing, and signs and keeps nothing", async () => {
      const show = ["show", "2"];
      const [shown, whole] = [await at(ALICE).run(...show), await readFile(file, "utf8")];
      /** Changes the last digit of a field. */
      const flipped = (field: string) => (text: string) => {
        const [at] = new RegExp(`"${field}":"0x\\w*(\\w")`, "d").exec(text)!.indices![1]!;
        return [`${text.slice(0, at)}${text[at] === "2" ? "3" : "2"}${text.slice(at + 1)}`];
      };
      const twice = (text: string) => [text, text];
      for (const [line, text, problem] of [
        [4, flipped("signature"), /^4: move\.signature: seat 1 has not signed this$/],
        [4, flipped("word"), /^4: move\.signature: seat 1 has not signed this$/],
        [4, flipped("record"), /^4: move\.record: 0x\w{64} instead of 0x\w{64}$/],
        [2, twice, /^3: move\.nonce: 1 instead of 2$/],
        [3, () => [], /^3: move\.nonce: 3 instead of 2$/],
      ] as const) {
        const lines = whole.split("\n");
        lines.splice(line - 1, 1, ...text(lines[line - 1]));
        const changed = lines.join("\n");
        await writeFile(file, changed);
        for (const args of signing) {
          const [code, said] = await told(...args);
          const [found, end] = said.at(-1)!.split(". ");
          expect([code, end], args.join(" ")).to.deep.equal([2, wayOut()]);
          expect(found.replace(`${file}:`, "")).to.match(problem);
        }
        const { code, stdout, stderr } = await at(ALICE).end(...show);
        expect([code, stdout.trimEnd()]).to.deep.equal([0, shown]);
        const hidden = `${file}:${line}: this message is none of the match. Moves that only this log has are not shown.\n`;
        expect(stderr).to.equal(text === twice ? "" : hidden);
        expect(await readFile(file, "utf8")).to.equal(changed);
        expect(await at(OLGA).run(...show)).to.include("After 4 actions away from the chain player 1 is in turn.");
      }
    });

    it("advises no such thing where a newer program has written the log", async () => {
      await change(1, (line) => line.replace(":1,", ":2,"));
      const problem = `${file}:1: it has version 2 of the log of a seat, and this program reads version 1: use the newer program that wrote it`;
      expect(await told("show", "2")).to.deep.equal([0, [`${problem}. Moves that only this log has are not shown.`]]);
      const [code, lines] = await told("act", "2", "b1-c1");
      expect([code, lines.at(-1)]).to.deep.equal([2, problem]);
    });
  });

  it("shows a match whatever a relay sends without end", async () => {
    await begun();
    const signature = `0x${"11".repeat(65)}`;
    const ask = JSON.stringify({ type: "ask", seat: 1, winner: 0, nonce: 0, signature });
    let asked = 0;
    const endless = await lineTo(relay.url, () => ({ body: `{"messages":[${ask}],"seen":${++asked}}` }));
    try {
      const { code, stderr } = await at(ALICE).with({ DUELLO_RELAY: endless.url }).end("show", "2");
      expect([code, asked < 200]).to.deep.equal([0, true]);
      expect(stderr).to.include("sends messages without end. What was played away from the chain may be missing.");
    } finally {
      await endless.close();
    }
  });

  it("tells in one line why nothing can be done", async () => {
    await begun(WON.slice(0, 1));
    const before = await blocks();
    for (const [account, args, code, line] of [
      [ALICE, ["act", "2", "b1-b2"], 1, `It is the turn of ${addresses[BOB]} in match 2.`],
      [BOB, ["act", "2", "a1-b1"], 2, /^a1-b1: /],
      [BOB, ["act", "2"], 2, /^move: 1 more asked for/],
      [OLGA, ["post", "2"], 1, "Match 2 is not one of yours that is played away from the chain."],
      [OLGA, ["act", "2"], 1, /^/],
      [ALICE, ["agree", "2"], 2, "result: the game is not over: say win, lose, draw"],
      [ALICE, ["agree", "2", "no"], 2, "result: no is not one of win, lose, draw"],
      [ALICE, ["agree", "2", "lose"], 1, /^/],
      [ALICE, ["settle", "2"], 1, "The other player has not agreed to a result of match 2."],
      [ALICE, ["show", "2", "--relay", "localhost:1"], 2, /^--relay: localhost:1 is neither an address like /],
      [ALICE, ["resign", "2", "--yes", "--relay", "localhost:1"], 2, /^--relay: localhost:1 is neither an address /],
      [ALICE, ["post", "2", "--relay", "http://"], 2, "--relay: http:// is not an address of HTTP"],
      [ALICE, ["post", "1"], 1, "Match 1 is over."],
      [ALICE, ["reveal", "2"], 1, /^It is the turn of /],
    ] as const) {
      const ended = await at(account).end(...args);
      expect([ended.code, ended.stdout], args.join(" ")).to.deep.equal([code, ""]);
      const last = ended.stderr.trimEnd().split("\n").at(-1)!;
      if (typeof line === "string") expect(last).to.equal(line);
      else expect(last).to.match(line);
    }
    expect(await blocks()).to.equal(before);
  });

  it("ends in a draw on which both agree, which binds whoever signs it for ten minutes only", async () => {
    await begun(WON.slice(0, 2));
    expect(await at(ALICE).run("agree", "2", "draw")).to.match(/^You have proposed a draw: that binds nobody /);
    expect(await at(BOB).run("show", "2")).to.include(" Player 1 proposes a draw, which binds nobody.\n");
    const { code, stdout, stderr } = await at(BOB).end("agree", "2", "draw", "--yes");
    expect([code, stderr]).to.deep.equal([
      0,
      "Warning: You sign a draw in match 2: that binds you for ten minutes, in which you cannot move.\n",
    ]);
    expect(stdout).to.match(/^You have signed a draw, until 20.* UTC: the other player, or anybody /);
    expect(await at(ALICE).run("agree", "2", "draw")).to.include("  draw");
    expect(await statusOf()).to.equal(Status.Draw);
  });

  it("settles no proposal of one's own by a turn that is taken, and plays on in its place", async () => {
    await begun(WON.slice(0, 2));
    await at(ALICE).run("agree", "2", "draw");
    await at(BOB).end("agree", "2", "draw", "--yes");
    expect(await at(ALICE).fail(1, "act", "2")).to.equal(
      "The other player agrees to what you have proposed: settle 2 ends the match by it, act 2 with a move or --yes plays on.",
    );
    await act(ALICE, "--yes");
    expect(await statusOf()).to.equal(Status.AllJoined);
    expect((await at(OLGA).json<{ away: { nonce: number } }>("show", "2")).away.nonce).to.equal(3);
  });

  it("asks before it signs a loss that only the other player has named", async () => {
    await begun(WON.slice(0, 2));
    await at(BOB).end("agree", "2", "lose", "--yes");
    const { stderr } = await at(ALICE).end("settle", "2");
    expect(stderr).not.to.include("Warning");
    expect(await statusOf()).to.equal(Status.P1Win);
  });

  it("signs nothing that no relay would take to the other player", async () => {
    await begun();
    cutOff();
    const [[, move]] = WON;
    const none = "No relay takes messages of match 2: name one by --relay, or post 2 brings it onto the chain.";
    expect(await at(ALICE).fail(1, "act", "2", move)).to.equal(none);
    for (const result of ["draw", "win"]) expect(await at(ALICE).fail(1, "agree", "2", result)).to.equal(none);
    await at(ALICE).run("post", "2");
    expect(await turn()).to.equal(Seat.Two);
  });

  it("accepts nothing old where neither files nor a relay tell what was signed before", async () => {
    await begun(WON.slice(0, 4));
    const stale = await at(BOB).elsewhere({ DUELLO_RELAY: "" });
    await stale.run("post", "2");
    const fresh = await at(ALICE).elsewhere({ DUELLO_RELAY: NOWHERE });
    const { code, stderr } = await fresh.end("act", "2", "b1-c1");
    expect(code).to.equal(1);
    expect(stderr.split("\n").at(-2)).to.match(
      /^No relay tells if there is anything newer in match 2 than what 0x\w{40} has posted: nothing is accepted until 20.* UTC, unless --relay "" names none\.$/,
    );
    expect(await turn()).to.equal(Seat.One);
    await at(ALICE).run("act", "2");
    expect(await turn()).to.equal(Seat.Two);
  });

  it("makes no move after an agreement before it has ended", async () => {
    await begun(WON.slice(0, 3));
    await at(ALICE).run("agree", "2", "draw");
    await at(BOB).end("agree", "2", "draw", "--yes");
    expect(await at(BOB).fail(1, "act", "2", "c1-c2")).to.match(/^You have agreed to the result of match 2: /);
    await world.pass(601);
    await act(BOB, "c1-c2");
    expect(await at(ALICE).fail(1, "settle", "2")).to.equal("The other player has not agreed to a result of match 2.");
  });

  it("resigns at the table if the other player takes it in time, else on chain", async () => {
    await begun(WON.slice(0, 2));
    cutOff();
    const { code, stdout } = await at(ALICE).end("resign", "2", "--yes");
    expect([code, stdout]).to.match(/^0,2 .* player 2 won/);
    expect(await statusOf()).to.equal(Status.P2Win);
  });

  it("ends with the result where the other player has ended the match as it is to be settled", async () => {
    await begun(WON);
    await at(BOB).run("agree", "2");
    let resigned: Promise<unknown> | undefined;
    const line = await proxyTo(world.port, async (method) => {
      if (method !== "eth_estimateGas") return;
      const bob = world.arena.connect(await world.provider.getSigner(BOB));
      await (resigned ??= bob.resign(2).then((sent) => sent.wait()));
    });
    const { code, stdout } = await at(ALICE).with({ DUELLO_RPC_URL: line.url }).end("challenge", "2");
    await line.close();
    expect(resigned).not.to.equal(undefined);
    expect([code, stdout]).to.match(/^0,[^]*\nYou have won\.\n/);
  });

  it("goes on where the other player posts before its own post is mined", async () => {
    await begun(WON.slice(0, 2));
    cutOff();
    const bob = world.arena.connect(await world.provider.getSigner(BOB));
    const acts = [() => at(BOB).outside().run("post", "2"), () => bob.resign(2).then((sent) => sent.wait())];
    const done: Promise<unknown>[] = [];
    const line = await proxyTo(world.port, async (method) => {
      if (method !== "eth_estimateGas") return;
      if (done.length < acts.length) done.push(acts[done.length]());
      await done.at(-1);
    });
    const alice = at(ALICE).with({ DUELLO_RPC_URL: line.url, DUELLO_RELAY: NOWHERE });
    const { code, stdout, stderr } = await alice.end("challenge", "2", "--patience", "0s");
    await line.close();
    expect(done).to.have.length(acts.length);
    expect([code, stdout], stderr).to.match(/^0,[^]*\nYou have won\.\n/);
  });

  it("waits as long as its patience lasts where no relay has told anything, and then posts", async () => {
    await begun(WON.slice(0, 2));
    const alice = await at(ALICE).elsewhere({ DUELLO_RELAY: NOWHERE });
    const ended = alice.end("challenge", "2", "--patience", "1s");
    while ((await turn()) === Seat.Either) await pause(50);
    const bob = world.arena.connect(await world.provider.getSigner(BOB));
    await (await bob.resign(2)).wait();
    const { code, stdout, stderr } = await ended;
    expect([code, stdout], stderr).to.match(/^0,[^]*\nYou have won\.\n/);
  });

  it("goes on where the other player's clock has run out for the node alone", async () => {
    await begun(WON.slice(0, 2));
    await at(ALICE).run("post", "2");
    const { deadline } = await world.arena.matchOf(2);
    let isTried = false;
    let resigned: Promise<unknown> | undefined;
    const line = await proxyTo(world.port, async (method, [tag]) => {
      if (method === "eth_estimateGas") isTried = true;
      else if (method === "eth_getBlockByNumber" && tag === "pending") {
        if (!isTried) return { timestamp: `0x${(deadline + 1n).toString(16)}` };
        const bob = world.arena.connect(await world.provider.getSigner(BOB));
        await (resigned ??= bob.resign(2).then((sent) => sent.wait()));
      }
      return undefined;
    });
    const { code, stdout } = await at(ALICE).with({ DUELLO_RPC_URL: line.url }).end("challenge", "2");
    await line.close();
    expect(isTried).to.equal(true);
    expect([code, stdout]).to.match(/^0,[^]*\nYou have won\.\n/);
  });

  it("tells that a match which nobody has brought onto the chain ends in a draw", async () => {
    await begun(WON.slice(0, 2));
    await world.pass(31 * DAY);
    expect(await at(BOB).run("show", "2")).to.match(/the deadline has passed, and the match ends in a draw: /);
    expect(await at(OLGA).run("timeout", "2")).to.match(
      /\nNobody brought it onto the chain in its thirty days: it is a draw, and both stakes are back\.$/,
    );
    expect(await statusOf()).to.equal(Status.Draw);
  });
});
