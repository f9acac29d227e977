import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { hexlify, keccak256, parseEther, randomBytes, ZeroHash } from "ethers";
import { urlOf } from "../../scripts/local-chain.js";
import type { StoredKey } from "../../sdk/player/key-store.js";
import { games } from "../../sdk/games/index.js";
import { Client } from "../../sdk/player/client.js";
import { encodeTeam as encodeFighters } from "../../sdk/games/auto-battler/moves.js";
import { encodeTeam } from "../../sdk/games/guardians/moves.js";
import { randomKey, recoverSecret, commitWithKey } from "../../sdk/player/secrets.js";
import { Status } from "../../sdk/protocol/status.js";
import { proxyTo } from "../support/play-proxy.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const ALICE = 4;
const BOB = 5;
const OLGA = 6;
const TEAM1 = ["15", "16", "17", "18", "19"];
const TEAM2 = ["22", "23", "24", "25", "26"];
const NOT_YOURS =
  "its key is not yours: its owner could read your moves, and you could not reveal the ones you have committed to";

describe("npm run play", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let snapshot: unknown;
  let handedOver = 0;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    alice = await world.terminal(["--account", String(ALICE)]);
    bob = await world.terminal(["--account", String(BOB)]);
  });
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  const purseOf = (account: number) => world.arena.purseOf(addresses[account], world.addresses.FightToken);
  const statusOf = (matchId: number) => world.arena.statusOf(matchId);

  /** Deposits a stake of 50 for both players, and offers match 2 to Bob. */
  async function offered(...flags: string[]): Promise<void> {
    await Promise.all([alice.run("purse", "deposit", "FIGHT", "50"), bob.run("purse", "deposit", "FIGHT", "50")]);
    await alice.run("create", "auto-battler", ...TEAM1, "--stake", "50", ...flags);
  }

  /** Writes a file as another person would hand it over. */
  async function fileWith(content: object): Promise<string> {
    const file = join(world.folder, `handed-over-${++handedOver}.json`);
    await writeFile(file, JSON.stringify(content));
    return file;
  }

  const toBob = () => ["--opponent", addresses[BOB]];

  describe("from two terminals", () => {
    it("plays a whole match, reports it live, pays, rates and replays it", async () => {
      [alice, bob] = [alice.outside(), bob.outside()];
      const [fighters1, fighters2] = await Promise.all([
        alice.json<{ id: string }[]>("fighters"),
        bob.json<{ id: string }[]>("fighters"),
      ]);
      const teams = [fighters1, fighters2].map((owned) => owned.slice(0, 5).map(({ id }) => id));
      expect(teams).to.deep.equal([TEAM1, TEAM2]);
      expect(await alice.run("purse", "deposit", "FIGHT", "50")).to.equal(
        `50 FIGHT are in the purse of ${addresses[ALICE]}.`,
      );
      await bob.run("purse", "deposit", "FIGHT", "50.5");
      const { matchId } = await alice.json("create", "auto-battler", ...TEAM1, "--stake", "50", ...toBob());
      expect(matchId).to.equal("2");
      const watching = alice.start("watch", matchId);
      expect(await bob.run("list")).to.match(
        /\n2 +auto-battler {2}an offer +you +20.* 50 FIGHT : 50 FIGHT {2}0x\w+ : you$/,
      );
      const turn = alice.start("watch", matchId, "--turn");
      expect(await bob.run("join", matchId, ...TEAM2)).to.match(/^2 {2}auto-battler {2}in play/);
      expect((await turn.ended).stdout).to.match(
        /has joined and answers with fighters [\d, ]+ and \d+\.\nNext: your turn, until .* reveal 2 --account 4\n$/,
      );
      expect(await alice.run("reveal", matchId)).to.match(/^It is over: player [12] won\. Paid: /);
      const watched = await watching.ended;
      expect([watched.code, watched.stderr]).to.deep.equal([0, ""]);
      const events = watched.stdout.match(/^(Match|Player|It is over)\b.*$/gm);
      expect(events).to.have.length(6);
      expect(watched.stdout).to.match(
        /Player 1 reveals fighters [\d, ]+ and \d+\.\nTeam 1\n[^]*\nRound 1\n[^]*\nIt is over: /,
      );

      const status = await statusOf(2);
      const won = status === Status.P1Win;
      expect(status).to.be.oneOf([Status.P1Win, Status.P2Win]);
      expect([await purseOf(ALICE), await purseOf(BOB)]).to.deep.equal([
        parseEther(won ? "80" : "0"),
        parseEther(won ? "0.5" : "80.5"),
      ]);
      const replayed = await bob.json<Record<string, unknown> & { turns: unknown[] }>("replay", matchId);
      expect([replayed.identical, replayed.turns.length]).to.deep.equal([true, replayed.entries]);
      expect(await bob.run("replay", matchId)).to.match(/all \d+ log entries and every payment are identical\.$/);
      expect(await bob.run("purse", "withdraw", "FIGHT", "all")).to.equal(
        `${won ? "0.5" : "80.5"} FIGHT went to ${addresses[BOB]}.`,
      );
      expect(await purseOf(BOB)).to.equal(0n);
    });

    it("plays for coin after a soft offer to anyone, for which join first funds the stake", async () => {
      await alice.run("create", "auto-battler", ...TEAM1, "--token", "COIN", "--stake", "1.5");
      const { stderr, code } = await bob.end("join", "2", ...TEAM2);
      expect([code, stderr]).to.deep.equal([
        0,
        "Your stake is in, and player 1 is bound. Waiting until that is final before your move is shown.\n",
      ]);
      expect(await statusOf(2)).to.equal(Status.AllJoined);
      await alice.run("reveal", "2");
      const purses = await Promise.all([alice, bob].map((each) => each.run("purse", "--token", "COIN")));
      expect(purses.toSorted()).to.deep.equal(["0 COIN", "2.4 COIN"]);
    });

    it("creates an offer whose stake the purse does not cover, and funds the offer later", async () => {
      const created = await alice.run("create", "auto-battler", ...TEAM1, "--stake", "50", "--soft", ...toBob());
      expect(created).to.match(
        /\nNext: your stake is missing, until .* UTC: npm run -s play -- purse deposit FIGHT 50 --account 4 && npm .* fund 2 --account 4$/,
      );
      expect(await alice.fail(1, "fund", "2")).to.match(/^The purse of 0x\w+ holds 0 FIGHT; 50 FIGHT are needed\.$/);
      await alice.run("purse", "deposit", "FIGHT", "50");
      expect(await alice.run("fund", "2")).to.match(/^2 {2}auto-battler {2}an offer/);
      expect(await alice.run("cancel", "2")).to.match(/^2 {2}auto-battler {2}offer withdrawn or lapsed /);
      expect(await purseOf(ALICE)).to.equal(parseEther("50"));
    });

    it("lets the named opponent decline even a firm offer, which returns the stake at once", async () => {
      await offered(...toBob());
      const shown = await bob.run("show", "2");
      expect(shown).to.match(
        /\n {2}Player 1 cannot cancel this firm offer before it lapses at 20.* UTC\. Player 2 may join in one step, or decline, which refunds player 1 at once\.\n/,
      );
      const olga = await world.terminal(["--account", String(OLGA)]);
      for (const stranger of [alice, olga]) {
        expect(await stranger.fail(1, "decline", "2")).to.match(/^The second seat of match 2 is for 0x\w+, not for 0x/);
      }
      const declined = await bob.run("decline", "2");
      expect(declined).to.match(/^2 {2}auto-battler {2}offer declined {2}50 FIGHT : 50 FIGHT /);
      expect([await statusOf(2), await purseOf(ALICE), await purseOf(BOB)]).to.deep.equal([
        Status.P1Canceled,
        parseEther("50"),
        parseEther("50"),
      ]);
      expect(await bob.fail(1, "decline", "2")).to.match(
        /^This cannot be done with match 2: offer withdrawn, declined /,
      );
      const after = await alice.run("show", "2");
      expect(after).to.match(/^Match 2: offer declined\n/);
      expect(after).to.include(
        `  The opponent, ${addresses[BOB]}, has declined the offer.\n  It is over: offer declined.`,
      );
      const { declinedBy } = await alice.json<{ declinedBy: string }>("show", "2");
      expect(declinedBy).to.equal(addresses[BOB]);
      const watched = (await alice.run("watch", "2", "--json")).split("\n").map((line) => JSON.parse(line) as object);
      expect(watched.at(-2)).to.include({ event: "declined", player: addresses[BOB] });
      expect(await alice.run("list", "--all")).to.match(/\n2 +auto-battler {2}offer withdrawn, declined or lapsed {2}/);
      expect(await alice.run("replay", "2")).to.match(/every payment are identical\.$/);
    });

    it("lets the named opponent decline an offer before it is funded, but lets nobody decline an open offer", async () => {
      const created = await alice.run("create", "auto-battler", ...TEAM1, "--stake", "50", ...toBob());
      expect(created).to.match(
        /\nPlayer 1 cannot cancel this firm offer before .* Player 2 may join once player 1 has funded, or decline, which refunds player 1 at once\.\nNext: your stake is missing, /,
      );
      const { status, transaction } = await bob.json("decline", "2");
      expect([status, transaction.length]).to.deep.equal(["P1Canceled", 66]);
      await alice.run("purse", "deposit", "FIGHT", "50");
      expect(await alice.fail(1, "fund", "2")).to.match(
        /^This cannot be done with match 2: offer withdrawn, declined /,
      );
      const open = await alice.run("create", "auto-battler", ...TEAM1, "--stake", "50", "--firm", "1d");
      expect(open).to.match(
        /\nPlayer 1 cannot cancel this firm offer before .*\. Anyone may fund the other seat, then join\.\nNext: .*$/,
      );
      expect(await bob.fail(1, "decline", "3")).to.equal(
        "Match 3 is offered to anyone: only an offer that names its opponent can be declined.",
      );
    });

    it("lets an opponent accept an offer by funding first and joining later", async () => {
      await offered(...toBob());
      expect(await alice.fail(2, "ready", "2")).to.equal("match 2: you are its challenger: `fund` pays your stake");
      const ready = await bob.run("ready", "2");
      expect(ready).to.match(
        /^2 {2}auto-battler {2}both ready: player 2 has funded and joins next, until 20.*\nYou are ready: join match 2 by 20.* UTC, or you lose your stake\.\nNext: your turn, until .*: npm run -s play -- join 2 .*$/,
      );
      expect(await alice.run("list")).to.match(/both ready: player 2 has funded and joins next {2}0x\w+ {2}20/);
      expect(await alice.run("show", "2")).to.match(/^Match 2: both ready: player 2 has funded and joins next\n/);
      const { deadline } = await world.arena.matchOf(2);
      expect(await bob.fail(1, "decline", "2")).to.match(/^This cannot be done with match 2: both ready: /);
      await bob.run("join", "2", ...TEAM2);
      expect(await statusOf(2)).to.equal(Status.AllJoined);
      await alice.run("purse", "deposit", "FIGHT", "1");
      await alice.end("create", "auto-battler", ...TEAM1, "--stake", "1", "--soft", "--yes");
      await bob.run("purse", "deposit", "FIGHT", "1");
      const data = await bob.json("ready", "3");
      expect([data.matchId, data.status, Number(data.joinUntil) >= Number(deadline)]).to.deep.equal([
        "3",
        "AllDeposited",
        true,
      ]);
    });

    it("lets a player resign, or time out the opponent after the deadline", async () => {
      await offered(...toBob());
      await bob.run("join", "2", ...TEAM2);
      expect(await bob.fail(1, "timeout", "2")).to.match(/^Match 2 runs until /);
      await world.pass(86_401);
      expect(await bob.run("timeout", "2")).to.include("player 2 won: player 1 let the clock run out");
      expect(await purseOf(BOB)).to.equal(parseEther("100"));
      await bob.run("create", "auto-battler", ...TEAM2, "--stake", "50", "--opponent", addresses[ALICE]);
      await alice.run("purse", "deposit", "FIGHT", "50");
      await alice.run("join", "3", ...TEAM1);
      expect((await alice.end("resign", "3", "--yes")).stdout).to.include("player 1 won");
      expect(await purseOf(BOB)).to.equal(parseEther("130"));
      expect(await alice.fail(1, "reveal", "3")).to.equal("There is no turn to take in match 3: player 1 won.");
    });
  });

  describe("secrets", () => {
    it("reveals a move with the wallet alone, on a machine without files", async () => {
      await offered(...toBob());
      await bob.run("join", "2", ...TEAM2);
      const other = await alice.elsewhere();
      expect(await other.run("secrets")).to.match(/is in your wallet: its signature gives the key\.$/);
      await other.run("reveal", "2");
    });

    it("tells an operator without the secrets what to import", async () => {
      await offered(...toBob());
      await bob.run("join", "2", ...TEAM2);
      expect(await bob.fail(1, "reveal", "2")).to.equal(
        `It is the turn of ${addresses[ALICE]} in match 2; ${addresses[BOB]} may not act for it.`,
      );
      await alice.run("allow", addresses[BOB]);
      const theirs = `The secret belongs to ${addresses[ALICE]}: import what it exports.`;
      expect(await bob.fail(1, "reveal", "2")).to.equal(theirs);
      expect(await bob.fail(1, "secrets", "export", "2")).to.equal("Nothing of yours is committed in match 2.");
    });

    it("reveals a move with the backup file if the wallet signs differently each time", async () => {
      const unsteady = await proxyTo(world.port, (method) =>
        method === "eth_signTypedData_v4" ? `${hexlify(randomBytes(64))}1b` : undefined,
      );
      const owner = await alice.elsewhere({ DUELLO_RPC_URL: unsteady.url });
      await bob.run("purse", "deposit", "FIGHT", "50");
      const created = await owner.end("create", "auto-battler", ...TEAM1, ...toBob());
      expect([created.code, created.stderr]).to.match(
        /^0,Your wallet signs differently each time, so only (\S+) can reveal your committed moves: back it up\.\n$/,
      );
      const [file] = created.stderr.match(/\S+\.json/)!;
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      expect(await owner.run("secrets")).to.include(`is in ${file}: keep a backup.`);
      await bob.run("join", "2", ...TEAM2);

      const lost = await owner.elsewhere();
      expect(await lost.fail(1, "reveal", "2")).to.equal(
        "Your wallet signs differently each time: import the backup of your key.",
      );
      // Without its owner the key cannot be assigned.
      const warning = `Warning: Whoever has made ${file} can read every move you commit to from now on: import only your own backup.`;
      const asked = await lost.end("secrets", "import", file);
      expect([asked.code, asked.stdout, asked.stderr]).to.deep.equal([
        1,
        "",
        `${warning}\nNothing was sent. Add --yes to accept the warnings.\n`,
      ]);
      const taken = await lost.end("secrets", "import", file, "--yes");
      expect([taken.code, taken.stderr]).to.deep.equal([0, `${warning}\n`]);
      expect(taken.stdout).to.match(/^The key of 0x\w+ is in \S+\.\n$/);
      // A key that is already stored stays, and importing it again needs no confirmation.
      expect(await lost.run("secrets", "import", file)).to.equal(taken.stdout.trimEnd());
      const foreign = await fileWith({ ...(await lost.json("secrets", "export")), key: randomKey() });
      expect(await lost.fail(2, "secrets", "import", foreign)).to.equal(`${foreign}: ${NOT_YOURS}`);
      await lost.run("reveal", "2");
      await unsteady.close();
    });

    it("protects secrets from the import of a stranger's key", async () => {
      await offered(...toBob());
      await bob.run("join", "2", ...TEAM2);
      const own = await alice.json<StoredKey>("secrets", "export");
      const theirs = randomKey();
      const foreign = await fileWith({ ...own, key: theirs });
      expect(await alice.fail(2, "secrets", "import", foreign)).to.equal(`${foreign}: ${NOT_YOURS}`);
      expect(await alice.run("secrets")).to.match(/is in your wallet: its signature gives the key\.$/);
      // Earlier commitments can be revealed, and nobody else can read new ones.
      await alice.run("reveal", "2");
      await alice.run("create", "guardians", "15", "16", "17");
      const [{ args }] = await world.arena.queryFilter(world.arena.filters.Created(3));
      const by = { chainId: 31_337, game: world.addresses.Guardians, player: addresses[ALICE] };
      expect((await recoverSecret(by, args.data, own.key)).move).to.equal(encodeTeam([15n, 16n, 17n]));
      expect(await recoverSecret(by, args.data, theirs).catch(String)).to.match(/made with another key/);
    });

    it("rejects a key of another player or arena", async () => {
      const own = await alice.json<StoredKey>("secrets", "export");
      const { Arena, Fighters } = world.addresses;
      const ofBob = await fileWith({ ...own, player: addresses[BOB] });
      expect(await alice.fail(2, "secrets", "import", ofBob)).to.equal(
        `${ofBob}: it is a key for ${addresses[BOB]}, and you are ${addresses[ALICE]}`,
      );
      expect(await bob.fail(2, "secrets", "import", ofBob)).to.equal(`${ofBob}: ${NOT_YOURS}`);
      const elsewhere = await fileWith({ ...own, arena: Fighters });
      expect(await alice.fail(2, "secrets", "import", elsewhere)).to.equal(
        `${elsewhere}: it is for the arena ${Fighters}, not ${Arena}`,
      );
      const mine = await fileWith(own);
      expect(await alice.run("secrets", "import", mine)).to.equal(
        `The key of ${addresses[ALICE]} is in your wallet already.`,
      );
      expect(await alice.run("secrets")).to.include("is in your wallet");
    });

    it("reveals a move that was committed with a key of an earlier version", async () => {
      const signer = await world.provider.getSigner(ALICE);
      const by = { chainId: 31_337, game: world.addresses.AutoBattler, player: addresses[ALICE] };
      const domain = { name: "Duello", version: "1", chainId: 31_337, verifyingContract: world.addresses.Arena };
      const types = { SecretKey: [{ name: "purpose", type: "string" }] };
      const purpose = "Derive the key that keeps my committed moves. Sign this for Duello only.";
      const earlier = keccak256(await signer.signTypedData(domain, types, { purpose }));
      const { committed } = await commitWithKey(by, encodeFighters(TEAM1.map(BigInt)), earlier);
      const client = await Client.connect(world.addresses, games, signer);
      const free = { token: world.addresses.FightToken, stake1: 0n, stake2: 0n };
      const terms = { game: by.game, mode: ZeroHash, clock: 86_400n, rated: true, ...free };
      await client.create({ terms, opponent: addresses[BOB], data: committed });
      await bob.run("join", "2", ...TEAM2);
      await (await alice.elsewhere()).run("reveal", "2");
    });

    it("imports secrets only if they match their commitments", async () => {
      await offered(...toBob());
      const [secret] = (await alice.json("secrets", "export", "2")) as unknown as Record<string, string>[];
      const file = join(alice.home, "secret.json");
      const importing = async (content: object | string) => {
        await writeFile(file, typeof content === "string" ? content : JSON.stringify([content]));
        return bob.fail(2, "secrets", "import", file);
      };
      expect(await importing({ ...secret, chainId: 1 })).to.equal(`${file}: it is for chain 1, not 31337`);
      expect(await importing({ ...secret, salt: `0x${"11".repeat(32)}` })).to.equal(
        `${file}: the move and salt do not make the commitment`,
      );
      expect(await importing({ ...secret, salt: "0x11" })).to.equal(`${file}[0].salt: not 0x and 64 hex digits`);
      expect(await importing("{")).to.include(`${file}: not JSON`);
      expect(await importing([])).to.include(`${file}[0]: a list is not an object`);
    });
  });

  describe("answers", () => {
    it("resends a broadcast answer unchanged, never with another move", async () => {
      await offered(...toBob());
      let lost = "";
      const deaf = await proxyTo(world.port, (method, params) => {
        if (method !== "eth_sendTransaction") return undefined;
        lost = (params[0] as { data: string }).data;
        throw new Error("the line is dead");
      });
      const cut = await bob.elsewhere({ DUELLO_RPC_URL: deaf.url });
      expect(await cut.fail(1, "join", "2", ...TEAM2)).to.match(
        /^the line is dead\. It may have been sent all the same: join 2, .*\. Give the same command again to learn /,
      );
      await deaf.close();
      const back = cut.with({ DUELLO_RPC_URL: urlOf(world.port) });
      expect(await back.fail(1, "join", "2", "22", "23", "24", "25", "27")).to.match(
        /^This commitment was answered with 22 23 24 25 26 before: send that again\. \S+\.json keeps it\.$/,
      );
      await back.run("join", "2", ...TEAM2);
      const [joined] = await world.arena.queryFilter(world.arena.filters.Joined(2));
      const { args } = world.arena.interface.parseTransaction({ data: lost })!;
      expect(joined.args.data).to.equal(args.data);
    });

    it("uses different salts for answers in two matches, even with the same team", async () => {
      await offered(...toBob());
      const { stderr } = await alice.end("create", "auto-battler", ...TEAM1, ...toBob(), "--yes");
      expect(stderr).to.match(/^(Warning: Fighter \d+ is committed in match 2 too: after one fight it may .*\n){5}$/);
      await bob.run("join", "2", ...TEAM2);
      await bob.end("resign", "2", "--yes");
      await bob.run("join", "3", ...TEAM2);
      const joined = await world.arena.queryFilter(world.arena.filters.Joined());
      const salts = joined.slice(-2).map(({ args }) => args.data.slice(-64));
      expect(salts[0]).not.to.equal(salts[1]);
    });

    it("does not broadcast an answer that a dry run refuses, and lets the player replace it", async () => {
      await offered(...toBob());
      expect(await bob.fail(1, "join", "2", "15", "23", "24", "25", "26")).to.match(/^Fighter 15 belongs to /);
      await bob.run("join", "2", ...TEAM2);
    });
  });

  describe("operators", () => {
    it("lets an operator play a whole match with a player's exported secrets, and nothing else", async () => {
      await offered(...toBob());
      await bob.run("join", "2", ...TEAM2);
      const olga = await world.terminal(["--account", String(OLGA)]);
      const file = join(olga.home, "secret.json");
      await writeFile(file, await alice.run("secrets", "export", "2"));
      await olga.run("secrets", "import", file);
      expect(await olga.fail(1, "reveal", "2")).to.equal(
        `It is the turn of ${addresses[ALICE]} in match 2; ${addresses[OLGA]} may not act for it.`,
      );
      expect(await alice.run("allow", addresses[OLGA], "--for", "2h")).to.match(/may act for you until 20/);
      const purses = [await purseOf(ALICE), await purseOf(BOB)];
      expect(await olga.fail(1, "resign", "2")).to.equal(`${addresses[OLGA]} is not a player of match 2.`);
      expect(await olga.fail(1, "cancel", "2")).to.match(/^Only the challenger /);
      expect(await olga.fail(1, "fund", "2")).to.match(/^This cannot be done with match 2: in play\.$/);
      expect(await olga.fail(1, "join", "2", ...TEAM2)).to.match(/^This cannot be done with match 2: in play\.$/);
      expect(await olga.fail(1, "purse", "withdraw", "FIGHT", "50")).to.match(/^The purse of 0x\w+ holds 0 /);
      expect([await purseOf(ALICE), await purseOf(BOB)]).to.deep.equal(purses);
      await olga.run("reveal", "2");
      expect(await statusOf(2)).to.be.oneOf([Status.P1Win, Status.P2Win]);
      expect(await purseOf(OLGA)).to.equal(0n);
    });

    it("rejects an operator that was revoked or has expired", async () => {
      await offered(...toBob());
      await bob.run("join", "2", ...TEAM2);
      const olga = await world.terminal(["--account", String(OLGA)]);
      const file = join(olga.home, "secret.json");
      await writeFile(file, await alice.run("secrets", "export", "2"));
      await olga.run("secrets", "import", file);
      await alice.run("allow", addresses[OLGA], "--for", "60s");
      await world.pass(62);
      const ended =
        /^It is the turn of 0x\w+ in match 2; 0x\w+ may no longer act for it: its permission expired 20\S+ \S+ UTC\.$/;
      expect(await olga.fail(1, "reveal", "2")).to.match(ended);
      await alice.run("allow", addresses[OLGA]);
      await alice.run("allow", addresses[OLGA], "--revoke");
      expect(await olga.fail(1, "reveal", "2")).to.match(
        /^It is the turn of 0x\w+ in match 2; 0x\w+ may not act for it\.$/,
      );
    });
  });
});
