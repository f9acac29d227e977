import { expect } from "chai";
import { ZeroAddress, ZeroHash, type Interface } from "ethers";
import { runVerify } from "../../cli/verify/command.js";
import type { Verdict } from "../../sdk/verify/verify.js";
import { Arena__factory, AutoBattler__factory, IGame__factory } from "../../typechain-types/index.js";
import { runInside } from "../support/inside.js";
import { proxyTo, type Intercept } from "../support/play-proxy.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";
import { rpc, runScript, type Ended } from "../support/running.js";

const DAY = 86_400;
const GUESTS_STAKE = 5n;
/** Number of calls that some public nodes accept at once. */
const FEW = 10;

/** A log as nodes return it. */
interface Log {
  address: string;
  topics: string[];
  data: string;
}

/** Changes a log in transit, or withholds the log by returning undefined. */
type Tamper = (log: Log) => Log | undefined;

const declared: readonly Interface[] = [Arena__factory.createInterface(), IGame__factory.createInterface()];

/** Changes the arguments of the first event with a name, or withholds the event. */
function tampered(name: string, change: (args: unknown[]) => unknown[] | undefined): Tamper {
  let done = false;
  return (log) => {
    const abi = declared.find((each) => each.getEvent(name))!;
    const event = done ? null : abi.parseLog(log);
    if (event?.name !== name) return log;
    done = true;
    const args = change([...event.args]);
    return args && { ...log, ...abi.encodeEventLog(event.fragment, args) };
  };
}

describe("npm run verify", () => {
  let world: PlayWorld;

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  const environment = () => ({ DUELLO_DEPLOYMENTS: world.folder, DUELLO_RPC_URL: `http://127.0.0.1:${world.port}` });
  const verify = (args: string[], changes: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    runInside(() => runVerify(args), { ...environment(), ...changes });

  /** Verifies with a proxy of the node that answers some calls itself. */
  async function at(intercept: Intercept, ...args: string[]): Promise<Ended> {
    const { url, close } = await proxyTo(world.port, intercept, FEW);
    try {
      return await verify([...args, "--rpc", url]);
    } finally {
      await close();
    }
  }

  /** Intercepts the calls of a node that tampers with logs. */
  const lying = (tamper: Tamper): Intercept => {
    return async (method, params) => {
      if (method !== "eth_getLogs") return undefined;
      const logs = (await rpc(world.port, method, params)) as Log[];
      return logs.map(tamper).filter((log) => log !== undefined);
    };
  };

  /** Verifies with a node that tampers with logs. */
  const atLiar = (tamper: Tamper, ...args: string[]) => at(lying(tamper), ...args);

  describe("given an honest node", () => {
    it("reports that everything is identical, and exits with 0", async () => {
      const { code, stdout, stderr } = await verify(["--all"]);
      expect([code, stderr]).to.deep.equal([0, ""]);
      expect(stdout).to.match(
        /^Identical: 1 match\. \d+ events up to block \d+ were read, \d+ answers of the chain compared\.\n$/,
      );
    });

    it("reports the same verdict in JSON, with counts of what it checked", async () => {
      const { code, stdout } = await verify(["--all", "--json"]);
      const { answers, events, ...rest } = JSON.parse(stdout) as Verdict;
      const block = await world.provider.getBlockNumber();
      expect([code, rest]).to.deep.equal([0, { identical: true, matches: 1, foreign: 0, block }]);
      expect(events).to.be.greaterThan(100);
      expect(answers).to.be.greaterThan(20);
    });

    it("verifies single matches, and reads only their state from the chain", async () => {
      const { code, stdout } = await verify(["1", "--json"]);
      expect(code).to.equal(0);
      expect(JSON.parse(stdout)).to.include({ identical: true, matches: 1, answers: 2 });
    });

    it("sends no more requests at once than a public node accepts", async () => {
      const { code, stderr } = await at(() => undefined, "--all");
      expect([code, stderr]).to.deep.equal([0, ""]);
    });

    describe("given more blocks and matches on the chain", () => {
      let snapshot: unknown;

      beforeEach(async () => (snapshot = await world.provider.send("evm_snapshot", [])));
      afterEach(() => world.provider.send("evm_revert", [snapshot]));

      it("reports progress of long reads on standard error", async () => {
        await world.provider.send("hardhat_mine", ["0xc350"]);
        const { code, stdout, stderr } = await verify(["--all", "--json"]);
        expect(code, stderr).to.equal(0);
        expect(JSON.parse(stdout)).to.include({ identical: true });
        expect(stderr).to.match(/^Reading blocks: 1000 of 50\d{3}\n(Reading blocks: \d+ of 50\d{3}\n)*$/);
      });

      it("reports what it cannot verify in a foreign game", async () => {
        const guest = await world.provider.getSigner(3);
        const { Arena, Fighters } = world.addresses;
        const game = await (await new AutoBattler__factory(guest).deploy(Arena, Fighters)).getAddress();
        const terms = { game, mode: ZeroHash, token: ZeroAddress, stake1: GUESTS_STAKE, stake2: 0n };
        const rest = { clock: DAY, feeBps: await world.arena.feeBps(), rated: true };
        await (
          await world.arena
            .connect(guest)
            .create({ ...terms, ...rest }, ZeroAddress, 0, ZeroHash.replace(/0$/, "1"), { value: GUESTS_STAKE })
        ).wait();
        const { code, stdout } = await verify(["--all"]);
        expect(code).to.equal(0);
        expect(stdout).to.match(/^Identical: 2 matches\. .* Of 1 with foreign games, only money and clocks/);
      });
    });
  });

  describe("given a node that tampers", () => {
    const PLACE = "Mismatch: match 1, ";

    it("reports a changed entry in a log", async () => {
      const lie = tampered("Log", ([id, round, entries]) => [id, round, (entries as bigint[]).with(0, 1n)]);
      const { code, stdout } = await atLiar(lie, "1");
      expect(code).to.equal(1);
      expect(stdout).to.match(
        new RegExp(`^${PLACE}Log, block \\d+: round 1, log entry 1: expected \\d+, found \\d+\n$`),
      );
    });

    it("reports a changed payment, in text and in JSON", async () => {
      const lie = () =>
        tampered("Settled", ([id, status, paid1, paid2, ...rest]) => [id, status, paid2, paid1, ...rest]);
      const { code, stdout } = await atLiar(lie(), "1");
      expect(code).to.equal(1);
      expect(stdout).to.match(new RegExp(`^${PLACE}Settled, block \\d+: paid1: expected \\d+, found \\d+\n$`));
      const inJson = await atLiar(lie(), "--all", "--json");
      const { mismatch, identical } = JSON.parse(inJson.stdout) as Verdict & { identical: boolean };
      expect([inJson.code, identical]).to.deep.equal([1, false]);
      expect(mismatch).to.include({ matchId: "1", at: "Settled" });
      expect(mismatch).to.include.keys("block", "what", "expected", "found");
    });

    it("reports a changed reveal", async () => {
      const other = (data: string) => data.slice(0, -1) + (data.endsWith("f") ? "0" : "f");
      const lie = tampered("Acted", ([id, seat, action]) => [id, seat, other(action as string)]);
      const { code, stdout } = await atLiar(lie, "--all");
      expect(code).to.equal(1);
      expect(stdout).to.match(new RegExp(`^${PLACE}what was sent: `));
    });

    /** Flips a bit in the first value of the first event with a name. */
    function flipped(name: string): Tamper {
      let done = false;
      return (log) => {
        if (done || declared.every((abi) => abi.parseLog(log)?.name !== name)) return log;
        done = true;
        return { ...log, data: `${log.data.slice(0, 2)}8${log.data.slice(3)}` };
      };
    }

    // test/sdk/verify/malformed.ts flips every bit of every event.
    it("reports a flipped byte, names it, and exits with 1", async () => {
      const { code, stdout, stderr } = await atLiar(flipped("TermsAdded"), "--all");
      expect([code, stderr]).to.deep.equal([1, ""]);
      expect(stdout).to.match(
        /^Mismatch: TermsAdded, block \d+: terms\.game: expected address, found none: value exceeds width \(20 bytes\)\n$/,
      );
      const inJson = await atLiar(flipped("TermsAdded"), "--all", "--json");
      const { mismatch } = JSON.parse(inJson.stdout) as Verdict;
      expect([inJson.code, mismatch!.at]).to.deep.equal([1, "TermsAdded"]);
      expect(mismatch).to.include.keys("block", "what");
    });

    it("reports events without their data, even for a single match", async () => {
      for (const arg of ["--all", "1"]) {
        const { code, stdout } = await atLiar((log) => ({ ...log, data: "0x" }), arg);
        expect(code).to.equal(1);
        expect(stdout).to.match(/^Mismatch: \w+, block \d+: \w+: expected \w+, found none: 0 bytes are too few\n$/);
      }
    });

    it("reports an answer of the chain that cannot be read", async () => {
      for (const none of ["0x", "0x00", `0x${"ff".repeat(700)}`]) {
        const { code, stdout, stderr } = await at((method) => (method === "eth_call" ? none : undefined), "--all");
        expect([code, stderr]).to.deep.equal([1, ""]);
        expect(stdout).to.match(/^Mismatch: (match 1, )?\w+\([^)]*\): [\w ]+: expected \w+, found \w+\n$/);
      }
    });

    // test/sdk/verify/every.ts omits every kind of event.
    it("reports a missing event", async () => {
      const { code, stdout } = await atLiar(
        tampered("Deposited", () => undefined),
        "--all",
      );
      expect([code, stdout.slice(0, 10)], stdout).to.deep.equal([1, "Mismatch: "]);
    });

    it("reports a state that differs from the events", async () => {
      const call = world.arena.interface.encodeFunctionData("feeBps");
      const { code, stdout } = await at(
        (method, [asked]) =>
          method === "eth_call" && (asked as { data: string }).data === call ? `0x${"00".repeat(31)}07` : undefined,
        "--all",
      );
      expect([code, stdout]).to.deep.equal([
        1,
        `Mismatch: feeBps(): the answer: expected ${await world.arena.feeBps()}, found 7\n`,
      ]);
    });
  });

  describe("exits with code 2 and a one-line error that", () => {
    async function refused(ended: Ended, line: string | RegExp): Promise<void> {
      expect([ended.code, ended.stdout]).to.deep.equal([2, ""]);
      expect(ended.stderr).to.match(/^[^\n]+\n$/);
      if (typeof line === "string") expect(ended.stderr).to.equal(`${line}\n`);
      else expect(ended.stderr).to.match(line);
    }

    const WRONG: [args: string[], line: string | RegExp][] = [
      [[], "matches: name some, or --all"],
      [["1", "--all"], "matches: name some, or --all"],
      [["2"], "match: there is no match 2"],
      [["1", "99"], "match: there is no match 99"],
      [["1", "99", "--json"], '{"error":"match: there is no match 99","code":2}'],
      [["0"], /^match: 0 is not between 1 and /],
      [["x"], "match: x is not a whole number"],
      [["--bogus"], "error: unknown option '--bogus'"],
      [["1", "--rpc", "nonsense"], "--rpc: not an http or https address"],
      [["1", "--rpc", "http://127.0.0.1:9/key"], /^--rpc: no chain answers at 127\.0\.0\.1:9;/],
    ];
    for (const [args, line] of WRONG) {
      it(`reports what is wrong with ${["verify", ...args].join(" ")}`, async () => refused(await verify(args), line));
    }

    it("reports that no deployment on the chain is known", async () => {
      const DUELLO_DEPLOYMENTS = `${world.folder}/nowhere`;
      await refused(await verify(["1"], { DUELLO_DEPLOYMENTS }), /31337\.json: nothing is known to be deployed on/);
    });

    it("reports that the node returns no logs", async () => {
      const deaf: Intercept = (method) => {
        if (method === "eth_getLogs") throw new Error("no logs here");
        return undefined;
      };
      await refused(await at(deaf, "--all"), /no logs here/);
    });

    it("reports that the chain was reorganised in between", async () => {
      const last = await world.provider.getBlockNumber();
      const moved: Intercept = async (method, params) => {
        if (method !== "eth_getBlockByNumber" || params[0] === "latest") return undefined;
        const block = (await rpc(world.port, method, params)) as object;
        return Number(params[0]) === last ? { ...block, hash: ZeroHash } : block;
      };
      await refused(await at(moved, "--all"), `The chain has another block ${last} by now: verify again.`);
    });
  });

  it("runs as a separate command, which exits with the same code and prints its usage", async () => {
    const lie = tampered("Settled", ([id, status, paid1, paid2, ...rest]) => [id, status, paid2, paid1, ...rest]);
    const { url, close } = await proxyTo(world.port, lying(lie), FEW);
    const args = ["1", "--rpc", url];
    const found = await runScript("cli/verify/main.ts", args, environment()).ended;
    await close();
    expect([found.code, found.stdout.slice(0, 10)], found.stderr).to.deep.equal([1, "Mismatch: "]);
    const help = await verify(["--help"]);
    expect([help.code, help.stderr]).to.deep.equal([0, ""]);
    expect(help.stdout).to.include("--all").and.to.include("--json").and.to.include("It exits with 0");
  });
});
