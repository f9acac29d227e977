import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { encryptKeystoreJson, keccak256, Wallet, ZeroAddress, ZeroHash } from "ethers";
import { AutoBattler__factory, Characters__factory } from "../../typechain-types/index.js";
import { defaultMode, encodeMode } from "../../sdk/games/auto-battler/mode.js";
import { weaknessOf } from "../../sdk/games/win-rate.js";
import { stockGame } from "../../sdk/games/index.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const TEAM = ["15", "16", "17", "18", "19"];
/** Golden fighters of account 4, which were minted after all others. */
const GOLDEN = Array.from({ length: 10 }, (_, i) => String(77 + i));
const NOBODY = "0x000000000000000000000000000000000000dEaD";
const REFUSED = "Nothing was sent. Add --yes to accept the warnings.";

describe("npm run play: wrong input and warnings", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let addresses: string[];
  let snapshot: unknown;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    alice = await world.terminal(["--account", "4"]);
  });
  after(() => world.close());
  beforeEach(async () => (snapshot = await world.provider.send("evm_snapshot", [])));
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  const create = (...flags: string[]) => ["create", "auto-battler", ...TEAM, ...flags];

  /** Wrong arguments, and the resulting line. Without a key in the environment, the caller is account 4. */
  const WRONG: [args: string[], line: string | RegExp][] = [
    [["creat"], "error: unknown command 'creat' (Did you mean create?)"],
    [["bogus"], "error: unknown command 'bogus'"],
    [["accounts", "--bogus"], "error: unknown option '--bogus'"],
    [["show"], "error: missing required argument 'match'"],
    [["show", "1", "2"], /^error: too many arguments for 'show'/],
    [["show", "0"], /^match: 0 is not between 1 and /],
    [["show", "-1"], "match: -1 is not a whole number"],
    [["show", "NaN"], "match: NaN is not a whole number"],
    [["show", "0x1"], "match: 0x1 is not a whole number"],
    [["show", "9".repeat(79)], `match: ${"9".repeat(79)} is not a whole number`],
    [["list", "--limit", "1e3"], "--limit: 1e3 is not a whole number"],
    [["list", "--mine", "--of", NOBODY], "--mine: --of is given too"],
    [["purse", "--of", "0xzz"], "--of: 0xzz is not an address"],
    [["purse", "--of", NOBODY.replace("E", "e")], /^--of: 0x0+deaD has a wrong checksum/],
    [["purse", "deposit", "FIGHT", "NaN"], "amount: NaN is not an amount like 12.5"],
    [["purse", "deposit", "FIGHT", "1e9"], "amount: 1e9 is not an amount like 12.5"],
    [["purse", "deposit", "FIGHT", `0.${"1".repeat(19)}`], `amount: 0.${"1".repeat(19)} has more than 18 decimals`],
    [["purse", "deposit", "FIGHT", "9".repeat(60)], `amount: ${"9".repeat(60)} is too much`],
    [["purse", "deposit", "GOLD", "1"], "token: GOLD is not an address"],
    [["purse", "withdraw", "FIGHT", "1", "--to", "0x1"], "--to: 0x1 is not an address"],
    [["create", "chess"], /^chess: no such game or mode; there are auto-battler, .*classic-sequential, .*$/],
    [["create", "cion", "heads"], /^cion: no such game or mode \(Did you mean coin\?\); there are /],
    [["create", "coin", "haeds"], /^move: a move of coin flip is one number .* \(Did you mean heads\?\)$/],
    [
      ["create", "coin", "heads", "--mode", "dise"],
      /^--mode: Mini-games has no mode dise \(Did you mean dice\?\); there are /,
    ],
    [["create", "coin", "heads", "--stak", "1"], "error: unknown option '--stak' (Did you mean --stake?)"],
    [["create", "tic-tac-toe"], /^move: left out: give CELL, e\.g\. [0-8]$/],
    [["create", "pistols"], /^move: left out: give PACES, e\.g\. \d+$/],
    [["create", "auto-battler"], "move: left out: give FIGHTER FIGHTER FIGHTER FIGHTER FIGHTER, e.g. 15 16 17 18 19"],
    [["create", "auto-battler", "1", "2"], "team: 2 fighters instead of 5"],
    [["create", "auto-battler", "1", "2", "3", "4", "x"], "team: x is not a fighter's number"],
    [["create", "auto-battler", "1", "2", "3", "4", "4"], "team: fighter 4 is in it twice"],
    [create("--stake", "99999999999"), "--stake: 99999999999 is too much"],
    [create("--clock", "1 day"), "--clock: 1 day is not a time like 90s, 15m, 24h or 7d"],
    [create("--clock", "99999d"), "--clock: 99999d is more than a hundred years"],
    [create("--firm", "1d", "--soft"), "--soft: --firm is given too"],
    [create("--mode", "wild"), "--mode: Auto-battler has no mode wild; there are default, and modes in a .json file"],
    [create("--mode", "0x12"), "--mode: 0x12 is not 0x and 64 hex digits"],
    [["help", "lst"], "error: unknown command 'lst' (Did you mean list?)"],
    [["allow", "bob"], "operator: bob is not an address"],
    [["allow", NOBODY, "--for", "soon"], "--for: soon is not a time like 90s, 15m, 24h or 7d"],
    [["fighters", "transfer", "x", NOBODY], "fighter: x is not a whole number"],
    [["cards", "approve", "0", NOBODY], /^card: 0 is not between 1 and /],
    [["cards", "transfer", "1", "bob"], "to: bob is not an address"],
    [["create", "guardians", "1", "2"], "team: 2 cards instead of 3"],
    [["secrets", "import", "nowhere.json"], "nowhere.json: there is no such file"],
    [["--account", "20", "purse"], "--account: 20 is not between 0 and 19"],
    [["--account", "one", "purse"], /^--account: no account one; .*profile\.json names none$/],
    [["--account", "1e1", "purse"], "--account: 1e1 is not a whole number"],
    [["--keystore", "nowhere.json", "purse"], "--keystore: --account is given too"],
    [["--rpc", "ftp://127.0.0.1", "purse"], "--rpc: not an http or https address"],
    [["--rpc", "nonsense", "purse"], "--rpc: not an http or https address"],
    [["--rpc", "ws://127.0.0.1:9", "purse"], "--rpc: a WebSocket only announces events: name an http address, too"],
    [["--rpc", "http://127.0.0.1:9,ws://", "purse"], "--rpc: not the address of a WebSocket"],
    [["--rpc", "http://127.0.0.1:9/key", "purse"], /^--rpc: no chain answers at 127\.0\.0\.1:9;/],
  ];

  /** Actions that the contracts or the game reject, and the error message, with WINNER for the winner of match 1. */
  const REFUSALS: [args: string[], line: string | RegExp][] = [
    [["show", "99"], "There is no match 99."],
    [["replay", "99"], "There is no match 99."],
    [["cancel", "1"], /^Only the challenger 0x\w+ of match 1 can do this, not 0x\w+\.$/],
    ...["decline", "ready", "fund", "join", "timeout"].map((action): [string[], string] => [
      [action, "1", ...(action === "join" ? TEAM : [])],
      "This cannot be done with match 1: WINNER won.",
    ]),
    [["reveal", "1"], "There is no turn to take in match 1: WINNER won."],
    [["purse", "withdraw", "FIGHT", "1"], /^The purse of 0x\w+ holds 0 FIGHT; 1 FIGHT are needed\.$/],
    [["purse", "deposit", "FIGHT", "5000"], /^0x\w+ owns 1000 FIGHT; 5000 FIGHT are needed\.$/],
    [
      ["purse", "deposit", "COIN", "99999999"],
      /^The sender has too little of the chain's coin for this transaction and its gas\./,
    ],
    [["create", "auto-battler", "15", "16", "17", "18", "9999"], "There is no such fighter or card, or no more."],
    [create("--clock", "59s"), "A clock of 59 s is not between 60 s and 2592000 s."],
    [create("--firm", "31d"), /^A firm offer ends after .* and by /],
    [["secrets", "export", "1"], "Nothing of yours is committed in match 1."],
  ];

  /** Every tenth row runs in a separate process. */
  const expectLines = async (code: number, rows: typeof WRONG) => {
    const { status } = await alice.json<{ status: string }>("show", "1");
    const winner = { P1Win: "player 1", P2Win: "player 2" }[status]!;
    for (const [i, [args, expected]] of rows.entries()) {
      const line = await (i % 10 === 0 ? alice.outside() : alice).fail(code, ...args);
      if (typeof expected === "string") expect(line).to.equal(expected.replace("WINNER", winner));
      else expect(line).to.match(expected);
    }
  };

  it("reports a wrong command line in one line, exits with 2 and sends nothing", async () => {
    const before = await world.provider.getBlockNumber();
    await expectLines(2, WRONG);
    expect(await world.provider.getBlockNumber()).to.equal(before);
  });

  it("reports a wrong command line as JSON on request", async () => {
    for (const [args, code, error] of [
      [["show", "99"], 1, "There is no match 99."],
      [["allow", "bob"], 2, "operator: bob is not an address"],
      [["shw"], 2, "error: unknown command 'shw' (Did you mean show?)"],
    ] as const) {
      expect(JSON.parse(await alice.fail(code, ...args, "--json"))).to.deep.equal({ error, code });
    }
  });

  it("reports a refusal in one line, exits with 1 and sends nothing", async () => {
    const before = await world.provider.getBlockNumber();
    await expectLines(1, REFUSALS);
    expect(await world.provider.getBlockNumber()).to.equal(before);
  });

  describe("given an account", () => {
    it("requires an account if the command needs one", async () => {
      const nobody = await world.terminal([]);
      expect(await nobody.fail(2, "purse")).to.match(/^you: say who you are: /);
      expect(await nobody.run("show", "1")).not.to.include("(you)");
      expect(await nobody.run("accounts")).to.match(/^# +address .*\n0 +0xf39F/);
    });

    it("takes the account from a key in the environment, and never prints the key", async () => {
      const wallet = Wallet.createRandom();
      const owner = await world.terminal([], { DUELLO_PRIVATE_KEY: wallet.privateKey });
      expect((await owner.json<{ player: string }[]>("purse"))[0].player).to.equal(wallet.address);
      const wrong = await world.terminal([], { DUELLO_PRIVATE_KEY: wallet.privateKey.slice(0, -1) });
      expect(await wrong.fail(2, "purse")).to.equal("DUELLO_PRIVATE_KEY: not 64 hex digits");
    });

    it("takes the account from an encrypted keystore, whose password is not an argument", async () => {
      const { address, privateKey } = Wallet.createRandom();
      const keystore = join(world.folder, "keystore.json");
      // Unlike a real keystore, this one is quick to decrypt.
      await writeFile(
        keystore,
        await encryptKeystoreJson({ address, privateKey }, "secret", { scrypt: { N: 2 ** 12 } }),
      );
      const owner = (DUELLO_PASSWORD?: string) => world.terminal(["--keystore", keystore], { DUELLO_PASSWORD });
      expect((await (await owner("secret")).json<{ player: string }[]>("purse"))[0].player).to.equal(address);
      expect(await (await owner("wrong")).fail(2, "purse")).to.equal("--keystore: the password is wrong");
      expect(await (await owner()).fail(2, "purse")).to.match(/^DUELLO_PASSWORD: not set, and nobody is at a terminal/);
      await writeFile(keystore, "{}");
      expect(await (await owner("secret")).fail(2, "purse")).to.match(/keystore\.json is not an encrypted keystore$/);
    });
  });

  describe("warnings", () => {
    /** Runs a command that warns: without a terminal it sends nothing, with --yes it succeeds. */
    async function warns(args: readonly string[], ...warnings: RegExp[]): Promise<void> {
      const before = await world.provider.getBlockNumber();
      const refused = await alice.end(...args);
      expect([refused.code, refused.stdout], refused.stderr).to.deep.equal([1, ""]);
      const lines = refused.stderr.split("\n");
      expect(lines.slice(-2)).to.deep.equal([REFUSED, ""]);
      // The rules of a mode are printed before the warning about it.
      const rules = lines.slice(0, -2).filter((line) => !line.startsWith("Warning: "));
      expect(lines).to.have.length(rules.length + warnings.length + 2);
      expect(rules).to.have.length(/does not publish/.test(refused.stderr) ? 4 : 0);
      warnings.forEach((warning, i) =>
        expect(lines[rules.length + i])
          .to.match(/^Warning: /)
          .and.to.match(warning),
      );
      expect(await world.provider.getBlockNumber(), "blocks").to.equal(before);
      const accepted = await alice.end(...args, "--yes");
      expect(accepted.code, accepted.stderr).to.equal(0);
      expect(await world.provider.getBlockNumber(), "blocks").to.be.greaterThan(before);
    }

    const opponent = () => ["--opponent", addresses[5]];

    it("warns before a match at worse odds", () =>
      warns(
        create("--stake", "2", "--against", "1"),
        /worse odds than 1 : 1: player 1 puts in 2 FIGHT, player 2 1 FIGHT\.$/,
      ));

    it("warns before an offer that anybody can take", () =>
      warns(create("--stake", "2", "--against", "0"), /worse odds/, /costs nothing and is open to anyone: squatters/));

    it("warns before a custom mode, which is marked as custom", async () => {
      const owner = await world.provider.getSigner(0);
      const content = encodeMode({ ...defaultMode, comboFactor: 20_000 });
      await (await AutoBattler__factory.connect(world.addresses.AutoBattler, owner).registerMode(content)).wait();
      const mode = keccak256(content);
      await warns(create("--mode", mode), new RegExp(`does not publish the mode ${mode}: look at it before you stake`));
      expect(await alice.run("show", "2")).to.include(`game      auto-battler, mode ${mode}, which is not stock`);
      expect(await alice.run("list")).to.match(/\n2 +auto-battler \(mode not stock\) {2}an offer/);
    });

    it("warns before a seat in a custom game, which is marked as custom", async () => {
      const [owner, bob] = await Promise.all([0, 5].map((number) => world.provider.getSigner(number)));
      const factory = new AutoBattler__factory(owner);
      const game = await (await factory.deploy(world.addresses.Arena, world.addresses.Fighters)).getAddress();
      const terms = { game, mode: ZeroHash, token: ZeroAddress, stake1: 0n, stake2: 0n, clock: 3600n, rated: false };
      const feeBps = 2000n;
      await (
        await world.arena.connect(bob).create({ ...terms, feeBps }, addresses[4], 0, ZeroHash.replace(/0$/, "1"))
      ).wait();
      expect(await alice.run("list")).to.match(new RegExp(`\n2 +${game} \\(not stock\\)`));
      expect(await alice.fail(2, "join", "2", ...TEAM)).to.equal(`match 2: its game at ${game} is not a stock one`);
      await warns(["fund", "2"], /is not one of this deployment: it can decide its matches as it likes/);
    });

    it("warns before committing fighters that belong to another player, are approved to anybody, or still cool down", async () => {
      const [alicesSigner, bobs] = await Promise.all([4, 2].map((number) => world.provider.getSigner(number)));
      await (await world.fighters.connect(alicesSigner).approve(NOBODY, 15)).wait();
      await (await world.fighters.connect(alicesSigner).setApprovalForAll(NOBODY, true)).wait();
      await (await world.fighters.connect(bobs).transferFrom(addresses[2], addresses[4], 1)).wait();
      const team = ["1", "15", "16", "17", "22"];
      await warns(
        ["create", "auto-battler", ...team, ...opponent()],
        /Fighter 1 \(cools down until .*\) cannot fight yet\.$/,
        new RegExp(`Fighter 15 is approved to ${NOBODY}, who can take it before the fight`),
        new RegExp(`Fighter 22 belongs to ${addresses[5]}: the team fights only while it is yours`),
        new RegExp(`All your fighters are approved to ${NOBODY}, who can take them before the fight\\.$`),
      );
    });

    for (const { noun, contract, team } of [
      { noun: "fighter", contract: "Fighters", team: ["auto-battler", ...TEAM] },
      { noun: "card", contract: "GuardianCards", team: ["guardians", "15", "16", "17"] },
    ] as const) {
      it(`warns before giving away or approving a ${noun} only if the ${noun} is committed`, async () => {
        const one = noun === "card" ? "Card" : "Fighter";
        const token = Characters__factory.connect(world.addresses[contract], world.provider);
        await alice.run("create", ...team, ...opponent());
        const committed = (id: string) =>
          new RegExp(`^Warning: ${one} ${id} is in the team you have committed to in match 2: `);
        await warns([`${noun}s`, "approve", "15", NOBODY], committed("15"));
        await warns([`${noun}s`, "transfer", "16", NOBODY], committed("16"));
        await alice.run(`${noun}s`, "approve", "15", "none");
        expect(await alice.run(`${noun}s`, "approve", "20", NOBODY)).to.equal(`${NOBODY} may move ${noun} 20.`);
        expect(await alice.run(`${noun}s`, "transfer", "21", NOBODY)).to.equal(`${one} 21 belongs to ${NOBODY}.`);
        expect([await token.getApproved(20), await token.ownerOf(21)]).to.deep.equal([NOBODY, NOBODY]);
        const left = await alice.json<{ id: string; committed: string[]; approved: string }[]>(`${noun}s`);
        const golden = noun === "fighter" ? GOLDEN : [];
        expect(left.map(({ id }) => id)).to.deep.equal(["15", "17", "18", "19", "20", ...golden]);
        expect(left.map((each) => each.committed.join())).to.deep.equal(
          left.map(({ id }) => (team.some((word) => word === id) ? "2" : "")),
        );
        expect(left.map(({ approved }) => approved)).to.deep.equal(
          left.map(({ id }) => (id === "20" ? NOBODY : ZeroAddress)),
        );
        // Other viewers do not see what is committed.
        const bob = await world.terminal(["--account", "5"]);
        const seen = await bob.json<{ committed: string[] }[]>(`${noun}s`, "--of", addresses[4]);
        expect(seen.map((each) => each.committed)).to.deep.equal(left.map(() => []));
      });
    }

    it("lists warnings beside a player's fighters and cards, even if something else keeps them from fighting", async () => {
      await alice.run("create", "guardians", "15", "16", "17", ...opponent());
      await alice.start("cards", "approve", "15", NOBODY, "--yes").ended;
      const signer = await world.provider.getSigner(4);
      const cards = Characters__factory.connect(world.addresses.GuardianCards, signer);
      const [first, second, , fourth] = (await alice.run("cards")).split("\n");
      await (await cards.setApprovalForAll(addresses[6], true)).wait();
      const all = (await alice.run("cards")).split("\n");
      expect(all[0]).to.equal(`${first}, all approved to ${addresses[6]}`);
      expect(all[3]).to.equal(fourth.replace(/ready$/, `all approved to ${addresses[6]}`));
      const stats = "power \\d+ {2}defense \\d+ {2}hp \\d+ {2}speed \\d+ {2}critical [\\d.]+ % {2}luck [\\d.]+ %";
      const line = (id: number, rest: string) => new RegExp(`^${id} {2}[A-Z][a-z]+ {2}${stats} {2}${rest}$`);
      expect(first).to.match(line(15, `committed in match 2, approved to ${NOBODY}`));
      expect(second).to.match(line(16, "committed in match 2"));
      expect(fourth).to.match(line(18, "ready"));
      const resting = (await alice.run("fighters", "--of", addresses[2])).split("\n");
      expect(resting.filter((each) => / {2}cools down until .* UTC$/.test(each))).to.have.length.greaterThan(2);
      expect(await alice.run("cards", "--of", NOBODY)).to.equal(`${NOBODY} has no cards.`);
    });

    it("mentions a known weakness of the mode, for either seat", async () => {
      const bob = await world.terminal(["--account", "5"]);
      for (const [game, mode, move, answer] of [
        ["mini-games", "dice", "6", "6"],
        ["mini-games", "dice-challenger", "6", "6"],
        ["mini-games", "coin-challenger", "heads", "tails"],
        ["pistols", "default", "1", "1"],
        ["tic-tac-toe", "x-wins-ties", "4", "0"],
      ]) {
        const note = `${weaknessOf(stockGame(game), mode)}\n`;
        expect(note).to.match(/ at random player 1 won \d+, player 2 \d+\./);
        const created = await alice.start("create", game, move, "--mode", mode, ...opponent(), "--json").ended;
        expect([created.code, created.stderr]).to.deep.equal([0, note]);
        const { matchId } = JSON.parse(created.stdout) as { matchId: string };
        const joined = await bob.start("join", matchId, answer).ended;
        expect([joined.code, joined.stderr]).to.deep.equal([0, note]);
      }
      expect((await alice.start(...create(...opponent())).ended).stderr).to.equal("");
    });

    it("asks at a terminal about each warning, where y continues and n stops", async () => {
      const args = create("--stake", "2", "--against", "1", ...opponent());
      const before = await world.provider.getBlockNumber();
      expect((await alice.attended("n", ...args)).replace(/\s+/g, " ")).to.include("Nothing was sent.");
      expect(await world.provider.getBlockNumber()).to.equal(before);
      expect(await alice.attended("y", ...args)).to.include("2  auto-battler");
    });
  });

  it("prints JSON on request for every read command", async () => {
    const [accounts, purse, fighters, cards, list, show, replay, secrets] = await Promise.all(
      [
        ["accounts"],
        ["purse"],
        ["fighters"],
        ["cards"],
        ["list", "--all"],
        ["show", "1"],
        ["replay", "1"],
        ["secrets"],
      ].map((args) => alice.json<Record<string, unknown>[] & Record<string, unknown>>(...args)),
    );
    expect(accounts.map(({ address }) => address)).to.deep.equal([addresses[4]]);
    expect(purse.map(({ amount }) => amount)).to.deep.equal(["0", "0"]);
    const seven = ["15", "16", "17", "18", "19", "20", "21"];
    const idsOf = (owned: Record<string, unknown>[]) => owned.map(({ id }) => id);
    expect([idsOf(fighters), idsOf(cards)]).to.deep.equal([[...seven, ...GOLDEN], seven]);
    expect(cards[0]).to.have.keys([
      "id",
      "power",
      "defense",
      "hp",
      "speed",
      "critical",
      "luck",
      "type",
      "committed",
      "approved",
      "operators",
    ]);
    expect(list.map(({ matchId, game }) => [matchId, game])).to.deep.equal([["1", "auto-battler"]]);
    expect([show.matchId, show.game, show.mode]).to.deep.equal(["1", "auto-battler", "default"]);
    expect([replay.matchId, replay.identical]).to.deep.equal(["1", true]);
    expect(secrets.player).to.equal(addresses[4]);
    const events = (await alice.run("watch", "1", "--json"))
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string });
    expect(events.map(({ event }) => event)).to.deep.equal([
      "created",
      "funded",
      "funded",
      "joined",
      "acted",
      "settled",
    ]);
  });

  it("colours its output at a terminal, but not if NO_COLOR is set or output is piped", async () => {
    const escape = "\u001b[";
    const [coloured, plain] = [alice.with({ NO_COLOR: undefined }), alice.with({ NO_COLOR: "1" })];
    expect(await coloured.attended("", "replay", "1")).to.include(escape);
    expect(await plain.attended("", "replay", "1")).not.to.include(escape);
    expect(await coloured.outside().run("replay", "1"))
      .to.include("Round 1")
      .and.not.to.include(escape);
  });

  it("reports the progress of a long read on standard error", async () => {
    await world.provider.send("hardhat_mine", ["0x13880"]);
    const { code, stderr } = await alice.start("replay", "1").ended;
    expect([code, stderr.split("\n")[0]]).to.match(/^0,Reading blocks: \d+ of \d+$/);
  });

  it("names the problem of a deployment file", async () => {
    const folder = await mkdtemp(join(world.folder, "deployments-"));
    const at = await world.terminal(["--account", "4"], { DUELLO_DEPLOYMENTS: folder });
    const file = join(folder, "31337.json");
    const fails = async (content: unknown) => {
      await writeFile(file, JSON.stringify(content));
      return at.fail(2, "list");
    };
    const written = { chainId: 31_337, block: 0, addresses: world.addresses };
    expect(await at.fail(2, "list")).to.equal(`${file}: nothing is known to be deployed on chain 31337`);
    expect(await fails({ ...written, chainId: 1 })).to.equal(`${file}: it is of chain 1, not 31337`);
    expect(await fails({ ...written, block: -1 })).to.equal(`${file}.block: -1 is below 0`);
    expect(await fails({ ...written, addresses: { ...world.addresses, Arena: "0x12" } })).to.equal(
      `${file}.addresses.Arena: "0x12" is not an address`,
    );
    expect(await fails({ ...written, addresses: { ...world.addresses, Arena: NOBODY } })).to.equal(
      `${file}: there is no contract at ${NOBODY}: was the chain restarted?`,
    );
    const { hash } = (await world.provider.getBlock(0))!;
    const other = `0x${"07".repeat(32)}`;
    expect(await fails({ ...written, genesis: other })).to.equal(
      `${file}.genesis: the chain's first block is ${hash}: it was restarted`,
    );
    // The file belongs to a local chain other than the requested one, with the same contracts.
    await writeFile(file, JSON.stringify({ ...written, genesis: other, rpc: "http://127.0.0.1:1" }));
    await at.run("list");
    await writeFile(file, JSON.stringify({ ...written, genesis: hash }));
    expect(await at.run("list")).to.equal(await (await world.terminal(["--account", "4"])).run("list"));
  });
});
