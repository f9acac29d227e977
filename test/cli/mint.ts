import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { HDNodeWallet, parseEther } from "ethers";
import { mint } from "../../cli/mint/program.js";
import { FightToken__factory, GuardianCards__factory } from "../../typechain-types/index.js";
import { runInside } from "../support/inside.js";
import { proxyTo, type Intercept } from "../support/play-proxy.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";
import { runScript, type Ended, type Running } from "../support/running.js";

const PHRASE = "test test test test test test test test test test test junk";
const OWNER = 0;
const MINTER = 6;
const STATS = "attack=high,defense=low,health=medium,speed=high,range=low,combo=medium";
const CARD = "type=Chaos,power=500,defense=0,hp=1200,speed=100,critical=1000,luck=0";
const keys = HDNodeWallet.fromPhrase(PHRASE, undefined, "m/44'/60'/0'/0");
const wallet = (account: number) => keys.deriveChild(account);
const { address: TO } = HDNodeWallet.createRandom();
const isSend = (method: string) => method === "eth_sendTransaction" || method === "eth_sendRawTransaction";

describe("npm run mint", () => {
  let world: PlayWorld;
  let snapshot: unknown;
  let environment: NodeJS.ProcessEnv;
  const lines: { close: () => Promise<void> }[] = [];

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());
  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    const home = await mkdtemp(join(world.folder, "home-"));
    environment = {
      DUELLO_RPC_URL: `http://127.0.0.1:${world.port}`,
      DUELLO_DEPLOYMENTS: world.folder,
      DUELLO_HOME: home,
      DUELLO_PRIVATE_KEY: wallet(OWNER).privateKey,
    };
  });
  afterEach(async () => {
    for (const line of lines.splice(0)) await line.close();
    await world.provider.send("evm_setAutomine", [true]);
    await world.provider.send("evm_revert", [snapshot]);
  });

  const run = (args: readonly string[], changes: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    runInside(() => mint(args), { ...environment, ...changes });

  async function done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(args);
    expect(code, stderr).to.equal(0);
    return stdout.trimEnd();
  }

  async function json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await done(...args, "--json")) as T;
  }

  /** Runs a command that must fail with one line on standard error, not counting a price. @returns the line. */
  async function refused(code: number, args: readonly string[], changes: NodeJS.ProcessEnv = {}): Promise<string> {
    const ended = await run(args, changes);
    expect([ended.code, ended.stdout], ended.stderr).to.deep.equal([code, ""]);
    const errors = ended.stderr.split("\n").filter((line) => line !== "" && !/^\d+ transactions?, about /.test(line));
    expect(errors, ended.stderr).to.have.length(1);
    return errors[0];
  }

  const owned = async () => [
    Number(await FightToken__factory.connect(world.addresses.FightToken, world.provider).balanceOf(TO)) / 1e18,
    Number(await world.fighters.balanceOf(TO)),
    Number(await GuardianCards__factory.connect(world.addresses.GuardianCards, world.provider).balanceOf(TO)),
  ];
  const sent = (account = OWNER) => world.provider.getTransactionCount(wallet(account).address, "pending");

  function fileOf(content: unknown, name = "mint.json"): string {
    const file = join(world.folder, name);
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  }

  const fight = { kind: "fight", to: TO, amount: "2.5" };
  const fighter = Object.fromEntries([
    ["kind", "fighter"],
    ["to", TO],
    ...STATS.split(",").map((each) => each.split("=")),
  ]);
  const card = {
    kind: "card",
    to: TO,
    type: "Dragon",
    power: 500,
    defense: 250,
    hp: 1200,
    speed: 1,
    critical: 0,
    luck: 9,
  };
  const MANY = { batch: "many", mints: [{ ...fight, count: 2 }, { ...fighter, count: 3 }, fight, card, card] };

  describe("with one token", () => {
    it("mints FIGHT", async () => {
      expect(await done("fight", "--to", TO, "--amount", "12.5")).to.equal(`12.5 FIGHT went to ${TO}.`);
      expect(await json("fight", "--to", TO.toLowerCase(), "--amount", "1")).to.include({
        kind: "fight",
        to: TO,
        amount: String(parseEther("1")),
      });
      expect(await owned()).to.deep.equal([13.5, 0, 0]);
    });

    it("mints a fighter from the names of its tiers", async () => {
      const { id, to } = await json<{ id: string; to: string }>(
        "fighter",
        "--to",
        TO,
        "--stats",
        `${STATS},golden=true`,
      );
      expect(to).to.equal(TO);
      const packed = await world.fighters.traitsOf(id);
      expect(packed).to.equal(0b1_10_01_11_10_01_11n + (1n << 16n));
      expect(await done("fighter", "--to", TO, "--stats", `${STATS},character=7`)).to.equal(
        `Fighter ${Number(id) + 1} belongs to ${TO}.`,
      );
      expect((await world.fighters.traitsOf(BigInt(id) + 1n)) >> 12n).to.equal(7n << 4n);
    });

    it("mints a card from the name of its type", async () => {
      const { id } = await json<{ id: string }>("card", "--to", TO, "--stats", CARD);
      const cards = GuardianCards__factory.connect(world.addresses.GuardianCards, world.provider);
      const word = (7n << 93n) + (1000n << 64n) + (100n << 48n) + (1200n << 32n) + 500n;
      expect(await cards.cardOf(id)).to.equal(word);
    });

    it("can mint with an account of the node", async () => {
      const { code, stdout } = await run(["fight", "--to", TO, "--amount", "3", "--account", "0"], {
        DUELLO_PRIVATE_KEY: undefined,
      });
      expect([code, stdout]).to.deep.equal([0, `3 FIGHT went to ${TO}.\n`]);
    });

    it("prints an estimate close to the actual price beforehand", async () => {
      for (const args of [
        ["fight", "--amount", "1"],
        ["fighter", "--stats", STATS],
        ["card", "--stats", CARD],
      ]) {
        const { stderr } = await run([...args, "--to", TO]);
        const [, gas] =
          /^1 transaction, about ([\d,]+) gas: 0\.\d+ coin at [\d.]+ gwei\. Your account has \S+ coin\.\n$/.exec(
            stderr,
          )!;
        const used = (await world.provider.getBlock("latest"))!.gasUsed;
        expect(Number(gas.replaceAll(",", "")) / Number(used)).to.be.within(0.97, 1.03);
      }
    });
  });

  describe("with --dry-run", () => {
    it("prints only the price", async () => {
      const before = await sent();
      const { code, stdout, stderr } = await run(["--file", fileOf(MANY), "--dry-run"]);
      expect([code, stderr]).to.deep.equal([0, ""]);
      expect(stdout).to.match(/^8 transactions, about [\d,]+ gas: 0\.\d+ coin at /);
      const { balance, ...price } = await json<Record<string, string>>("--file", fileOf(MANY), "--dry-run");
      expect(price).to.include({ batch: "many", before: 0, transactions: 8 });
      expect(BigInt(balance)).to.equal(await world.provider.getBalance(wallet(OWNER).address));
      expect(BigInt(price.reserve) > BigInt(price.cost) && BigInt(price.cost) > 0n).to.equal(true);
      expect(await json("fight", "--to", TO, "--amount", "1", "--dry-run")).to.include({ transactions: 1 });
      expect(await json("--allow-minter", TO, "--dry-run")).to.include({ transactions: 2 });
      expect(await sent()).to.equal(before);
    });
  });

  describe("with a file", () => {
    it("mints more entries than it sends at once", async () => {
      const before = await sent();
      await done("--file", fileOf({ batch: "rain", mints: [{ ...fight, count: 40 }] }));
      expect([await owned(), await sent()]).to.deep.equal([[100, 0, 0], before + 40]);
    });

    it("mints every listed entry, several at once, and mints nothing when the command is repeated", async () => {
      const file = fileOf(MANY);
      const before = await sent();
      type Minted = { batch: string; before: number; minted: { kind: string; transaction: string }[] };
      const first = await json<Minted>("--file", file);
      expect([first.batch, first.before]).to.deep.equal(["many", 0]);
      expect(first.minted.map(({ kind }) => kind).join(" ")).to.equal(
        "fight fight fighter fighter fighter fight card card",
      );
      expect(await owned()).to.deep.equal([7.5, 3, 2]);
      expect(await sent()).to.equal(before + 8);
      expect(await json("--file", file)).to.deep.equal({ batch: "many", before: 8, minted: [] });
      expect(await done("--file", file)).to.match(/^There is nothing left to mint of many: name another batch to/);
      expect(await sent()).to.equal(before + 8);
    });

    it("mints only the new entries of a changed file, and mints all entries again under another batch name", async () => {
      await done("--file", fileOf(MANY));
      const { stderr } = await run([
        "--file",
        fileOf({ ...MANY, mints: [...MANY.mints, fight, { ...fight, amount: "1" }] }),
      ]);
      expect(stderr).to.match(/^8 of 10 are minted already\.\n2 transactions, about /);
      expect(await owned()).to.deep.equal([11, 3, 2]);
      await done("--file", fileOf({ ...MANY, batch: "more" }));
      expect(await owned()).to.deep.equal([18.5, 6, 4]);
    });

    it("counts tokens of the same batch from any machine or minter, but no tokens minted outside the batch", async () => {
      await done("--allow-minter", wallet(MINTER).address);
      const only = { batch: "cards", mints: [{ ...card, count: 3 }] };
      await done("card", "--to", TO, "--stats", "type=Dragon,power=500,defense=250,hp=1200,speed=1,critical=0,luck=9");
      await done("--file", fileOf({ ...only, mints: [card] }));
      const other = {
        DUELLO_PRIVATE_KEY: wallet(MINTER).privateKey,
        DUELLO_HOME: await mkdtemp(join(world.folder, "home-")),
      };
      const { stderr } = await run(["--file", fileOf(only)], other);
      expect(stderr).to.match(/^1 of 3 are minted already\.\n2 transactions, /);
      expect(await owned()).to.deep.equal([0, 0, 4]);
    });

    /** Counts sent transactions, and blocks one of them before or after it reaches the node. */
    function holding(at: number, isTaken: boolean): { intercept: Intercept; held: () => boolean } {
      let [sends, isHeld] = [0, false];
      const intercept: Intercept = async (method, params) => {
        if (!isSend(method) || ++sends < at) return undefined;
        if (isTaken) await world.provider.send(method, params);
        isHeld = true;
        return new Promise(() => undefined);
      };
      return { intercept, held: () => isHeld };
    }

    for (const [name, changes] of [
      ["the minter's own key", {}],
      ["an account of the node", { DUELLO_PRIVATE_KEY: undefined, who: "0" }],
    ] as const) {
      for (const isTaken of [false, true]) {
        it(`mints each entry once with ${name}, even if it is killed ${isTaken ? "after" : "before"} each send`, async () => {
          const { who, ...changed } = { who: undefined, ...changes };
          const args = ["--file", fileOf(MANY), ...(who === undefined ? [] : ["--account", who])];
          for (let kills = 0; ; kills++) {
            const { intercept, held } = holding(3, isTaken);
            const line = await proxyTo(world.port, intercept);
            lines.push(line);
            const running = runScript("cli/mint/main.ts", args, {
              ...environment,
              ...changed,
              DUELLO_RPC_URL: line.url,
            });
            while (!held() && running.child.exitCode === null) await pause(10);
            if (running.child.exitCode === null) await killed(running);
            else {
              expect(await running.ended).to.include({ code: 0 });
              expect(kills).to.be.greaterThan(1);
              break;
            }
          }
          expect(await owned()).to.deep.equal([7.5, 3, 2]);
          expect(await kept()).to.deep.equal([]);
        });
      }
    }

    it("waits, when the command is repeated, for transactions that are in no block yet", async () => {
      const file = fileOf(MANY);
      await world.provider.send("evm_setAutomine", [false]);
      const before = await sent();
      const running = runScript("cli/mint/main.ts", ["--file", file], environment);
      while ((await sent()) < before + 8) await pause(10);
      await killed(running);
      const again = runScript("cli/mint/main.ts", ["--file", file], environment);
      while (!again.errors().includes("Waiting until it is in a block")) await pause(10);
      await world.provider.send("evm_mine", []);
      const { code, stdout } = await again.ended;
      expect([code, stdout]).to.match(/^0,There is nothing left to mint of many/);
      expect([await owned(), await sent()]).to.deep.equal([[7.5, 3, 2], before + 8]);
    });

    it("lets one process mint at a time", async () => {
      const file = fileOf(MANY);
      await world.provider.send("evm_setAutomine", [false]);
      const before = await sent();
      const running = runScript("cli/mint/main.ts", ["--file", file], environment);
      while ((await sent()) < before + 8) await pause(10);
      expect(await refused(1, ["--file", file])).to.match(
        /^0x\w{40} is minting a file already, process \d+ on \S+: stop it first\./,
      );
      await world.provider.send("evm_mine", []);
      expect(await running.ended).to.include({ code: 0 });
      expect(await owned()).to.deep.equal([7.5, 3, 2]);
    });

    it("mints from the template if the template names a receiver", async () => {
      const shown = await done("template", "--to", TO);
      expect(await json("template", "--to", TO)).to.deep.equal(JSON.parse(shown));
      await done("--file", fileOf(shown));
      expect(await owned()).to.deep.equal([1000, 1, 1]);
      expect(await refused(2, ["--file", fileOf(await done("template"))])).to.match(
        /mints\[0\]\.to: "ADDRESS" is not an address$/,
      );
    });
  });

  describe("given minters", () => {
    it("refuses anybody who is not a minter, and names the minters", async () => {
      const [owner, other] = [wallet(OWNER).address, wallet(MINTER).address];
      const stranger = { DUELLO_PRIVATE_KEY: wallet(MINTER).privateKey };
      for (const [kind, flag, value] of [
        ["fighter", "--stats", STATS],
        ["card", "--stats", CARD],
      ]) {
        expect(await refused(1, [kind, "--to", TO, flag, value], stranger)).to.equal(
          `${other} may not mint ${kind}s: only ${owner} may; the owner, ${owner}, allows minters by --allow-minter.`,
        );
      }
      expect(await refused(1, ["fight", "--to", TO, "--amount", "1"], stranger)).to.equal(
        `${other} may not mint FIGHT: only the owner, ${owner}, may.`,
      );
      expect(await refused(1, ["--file", fileOf(MANY)], stranger)).to.match(/ may not mint FIGHT: only the owner, /);
      expect(await sent(MINTER)).to.equal(0);
    });

    it("lets the owner allow and stop minters", async () => {
      const [owner, other] = [wallet(OWNER).address, wallet(MINTER).address];
      const minter = { DUELLO_PRIVATE_KEY: wallet(MINTER).privateKey };
      expect(await done("--allow-minter", other)).to.equal(`${other} may mint fighters and cards.`);
      const before = await sent();
      expect((await run(["--allow-minter", other])).stderr).to.match(
        /^0x\w+ may mint fighters already\.\n0x\w+ may mint cards/,
      );
      expect(await sent()).to.equal(before);
      expect((await run(["card", "--to", TO, "--stats", CARD], minter)).code).to.equal(0);
      expect(await done("minters")).to.equal(
        [
          `fight: the owner, ${owner}, may mint`,
          ...["fighter", "card"].map(
            (kind) => `${kind}: ${owner}, ${other} may mint; the owner, ${owner}, allows minters`,
          ),
        ].join("\n"),
      );
      type Changed = { minter: string; allowed: boolean; transactions: string[] };
      const { transactions, ...changed } = await json<Changed>("--disallow-minter", other);
      expect(changed).to.deep.equal({ minter: other, allowed: false });
      expect(transactions).to.have.length(2);
      expect(await refused(1, ["card", "--to", TO, "--stats", CARD], minter)).to.match(/ may not mint cards: only /);
      await done("--disallow-minter", owner);
      expect(await json("minters")).to.deep.equal([
        { kind: "fight", owner },
        { kind: "fighter", owner, minters: [] },
        { kind: "card", owner, minters: [] },
      ]);
      expect(await refused(1, ["card", "--to", TO, "--stats", CARD])).to.match(
        /: nobody may yet; allow yourself by --allow-/,
      );
      expect(await refused(1, ["--allow-minter", other], minter)).to.equal(
        `Only the owner, ${owner}, says who may mint fighters; ${other} may not.`,
      );
    });

    it("refuses a minter that cannot pay for the gas", async () => {
      await world.provider.send("hardhat_setBalance", [wallet(OWNER).address, "0x1"]);
      expect(await refused(1, ["fight", "--to", TO, "--amount", "1"])).to.match(
        /^Your account has 0\.0+1 coin, less than the 0\.\d+ that /,
      );
    });
  });

  describe("given a wrong command line or file, rejects", () => {
    const to = ["--to", TO];
    const stats = (changed: string) => [...to, "--stats", `${STATS.replace(/^\w+=high,/, "")},${changed}`];
    for (const [args, message] of [
      [[], /^mint: no command is given; --help lists them$/],
      [["figth"], /too many arguments/],
      [
        ["--file", "a.json", "--allow-minter", TO],
        /^mint: --file, --allow-minter and --disallow-minter go one at a time$/,
      ],
      [["--file", "nowhere.json"], /^nowhere\.json: there is no such file$/m],
      [["--allow-minter", "0x12"], /^--allow-minter: 0x12 is not an address$/],
      [["fight", "--amount", "1"], /^--to: left out$/],
      [["fight", ...to], /^--amount: left out$/],
      [["fight", ...to, "--amount", "0"], /^amount: 0 would mint nothing$/],
      [["fight", ...to, "--amount", "-1"], /amount: -1 is not an amount like 12\.5$/],
      [["fight", "--to", `0x${"0".repeat(40)}`, "--amount", "1"], /^--to: nobody has the address zero$/],
      [["fighter", ...to], /^--stats: left out$/],
      [["fighter", ...stats("attack=huge")], /^--stats\.attack: "huge" is not one of low, medium, high$/],
      [["fighter", ...stats("golden=true")], /^--stats\.attack: left out$/],
      [["fighter", ...stats("attack=high,attack=low")], /^--stats: attack is given twice$/],
      [["fighter", ...stats("attack=high,golden=maybe")], /^--stats\.golden: "maybe" is not true or false$/],
      [
        ["fighter", ...stats("attack=high,character=4294967296")],
        /^--stats\.character: 4294967296 is above 4294967295$/,
      ],
      [["fighter", ...stats("attack=high,luck=1")], /^--stats\.luck: unknown field$/],
      [["fighter", ...stats("attack")], /^--stats: attack is not like NAME=VALUE$/],
      [["card", ...to, "--stats", CARD.replace("Chaos", "Cow")], /^--stats\.type: "Cow" is not one of Galactic, /],
      [["card", ...to, "--stats", CARD.replace("1000", "1001")], /^--stats\.critical: 1001 is above 1000$/],
      [["card", ...to, "--stats", CARD.replace("power=500", "power=0")], /^--stats\.power: 0 is below 1$/],
    ] as const) {
      it(["mint", ...args].join(" "), async () => {
        expect(await refused(2, args)).to.match(message);
      });
    }

    for (const [content, message] of [
      ["{", /mint\.json: not JSON/],
      [[], /mint\.json: a list is not an object$/],
      [{ mints: [fight] }, /\.batch: left out$/],
      [{ batch: " ", mints: [fight] }, /\.batch: not 1 to 100 characters$/],
      [{ batch: "a", mints: [] }, /\.mints: empty$/],
      [{ batch: "a", mints: [{ ...fight, count: 0 }] }, /mints\[0\]\.count: 0 is below 1$/],
      [
        { batch: "a", mints: [{ ...fight, count: 9999 }, fight, fight] },
        /\.mints: 10001 are more than 10000; use several files$/,
      ],
      [
        { batch: "a", mints: [fight, { ...fight, kind: "purse" }] },
        /mints\[1\]\.kind: "purse" is not one of fight, fighter, card$/,
      ],
      [{ batch: "a", mints: [{ ...fight, amount: 2 }] }, /mints\[0\]\.amount: 2 is not a text$/],
      [{ batch: "a", mints: [{ ...fight, to: TO.slice(0, -1) }] }, /mints\[0\]\.to: "0x\w+" is not an address$/],
      [{ batch: "a", mints: [fighter, { ...card, hp: 0 }] }, /mints\[1\]\.hp: 0 is below 1$/],
      [{ batch: "a", mints: [{ ...fighter, "\u001b[2J": 1 }] }, /mints\[0\]\["\\u001b\[2J"\]: unknown field$/],
    ] as const) {
      it(JSON.stringify(content).slice(0, 80), async () => {
        const before = await sent();
        expect(await refused(2, ["--file", fileOf(content)])).to.match(message);
        expect(await sent()).to.equal(before);
      });
    }
  });

  async function killed(running: Running): Promise<void> {
    running.child.kill("SIGKILL");
    await running.ended;
  }

  async function kept(): Promise<string[]> {
    const folder = join(environment.DUELLO_HOME!, "sent");
    if (!existsSync(folder)) return [];
    return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".json"));
  }
});
