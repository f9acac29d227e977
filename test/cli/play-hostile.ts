import { join } from "node:path";
import { expect } from "chai";
import { AbiCoder, concat, dataLength, id, MaxUint256, toBeHex, ZeroAddress, ZeroHash } from "ethers";
import { EventLog } from "../../cli/agent/event-log.js";
import { runVerify } from "../../cli/verify/command.js";
import { Arena__factory, IGame__factory } from "../../typechain-types/index.js";
import { runInside } from "../support/inside.js";
import { proxyTo } from "../support/play-proxy.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const MALLORY = 5;
/** Characters that must not reach a screen: invisible ones and those that move the cursor, except line feeds. */
const UNPRINTABLE = /[^\P{C}\n]|[\u2028\u2029]/u;
const HOSTILE = "\u001b[2J\u009b31m\u202e\u200b\u007fmoney\r\nMatch 1: you have won";
const STAKE = 10n ** 18n;

/** Assembles a contract that answers `decimals` with a number, and every other call with some bytes. */
function tokenCode(decimals: bigint, rest: string): string {
  const size = toBeHex(dataLength(rest), 3).slice(2);
  const choice = `0x5f3560e01c63${id("decimals()").slice(2, 10)}1461001e57`;
  const others = `0x62${size}6100465f3962${size}5ff3`;
  return concat([choice, others, "0x5b7f", toBeHex(decimals, 32), "0x5f5260205ff3", rest]);
}

/** Assembles a game that accepts every offer, and emits `Log` with these bytes in place of a round and entries. */
function gameCode(logged: string): string {
  const { topicHash } = IGame__factory.createInterface().getEvent("Log");
  const copied = `0x60${toBeHex(dataLength(logged), 1).slice(2)}`;
  return concat([copied, "0x603a5f39", "0x6004357f", topicHash, copied, "0x5fa26002610200526080610200f3", logged]);
}

/**
 * Assembles a token in which only the arena has a balance, and which logs a garbled imitation of Withdrawn with each
 * transfer. It answers allowances with the largest number, and other calls with zero.
 */
function forgerCode(): string {
  const { topicHash } = Arena__factory.createInterface().getEvent("Withdrawn");
  const choice = "0x36602414602757366064146039575f3560e01c63a9059cbb14604b573660441460305760205ff3";
  const balance = "0x5b5f545f5260205ff3";
  const allowance = "0x5b5f195f5260205ff3";
  const taken = "0x5b6044355f54015f555b60015f5260205ff3";
  const given = concat(["0x5b6024355f54035f557f", topicHash, "0x5f5fa1604256"]);
  return concat([choice, balance, allowance, taken, given]);
}

const asString = (text: string) => AbiCoder.defaultAbiCoder().encode(["string"], [text]);

const TOKENS: Readonly<Record<string, string>> = {
  "reports 255 decimals": tokenCode(255n, asString("ODD")),
  "reports more decimals than can exist": tokenCode(MaxUint256, asString("ODD")),
  "has a symbol of control characters": tokenCode(18n, asString(HOSTILE)),
  "has a symbol of 10,000 letters": tokenCode(18n, asString("😀".repeat(2500))),
  "has a symbol of 32 bytes, as old tokens do": tokenCode(18n, concat([id("MKR")])),
  "has a symbol that is not text": tokenCode(
    18n,
    concat([toBeHex(32, 32), toBeHex(4, 32), toBeHex(0, 28), "0xfffefdfc"]),
  ),
  "has a symbol whose length exceeds the memory": tokenCode(18n, concat([toBeHex(32, 32), toBeHex(MaxUint256, 32)])),
  "reverts every call": "0x5f5ffd",
  "burns all gas": "0xfe",
  "loops forever": "0x5b5f56",
  "answers with a megabyte": "0x621000005ff3",
  "answers with nothing": "0x00",
  "is no longer a contract": "0x",
};

const GAMES: Readonly<Record<string, string>> = {
  "logs nothing": gameCode("0x"),
  "logs a single byte": gameCode("0x01"),
  "logs the largest numbers": gameCode(`0x${"ff".repeat(96)}`),
  "logs a list of endless length": gameCode(concat([toBeHex(1, 32), toBeHex(64, 32), toBeHex(2n ** 63n, 32)])),
};

describe("npm run play: hostile input", function () {
  let world: PlayWorld;
  let alice: Terminal;
  let mallory: Terminal;
  let next = 0x1000;
  let snapshot: unknown;

  before(async function () {
    world = await startWorld();
    alice = await world.terminal(["--account", "4"]);
    mallory = await world.terminal(["--account", String(MALLORY)]);
  });
  after(() => world.close());
  beforeEach(async () => (snapshot = await world.provider.send("evm_snapshot", [])));
  afterEach(() => world.provider.send("evm_revert", [snapshot]));

  /** Deploys a contract with this code. */
  async function placed(code: string): Promise<string> {
    const address = toBeHex(++next, 20);
    await world.provider.send("hardhat_setCode", [address, code]);
    return address;
  }

  /** Lets Mallory offer an unfunded match to anyone. @returns its number. */
  async function offered({ token = ZeroAddress, game = world.addresses.AutoBattler }): Promise<string> {
    const arena = world.arena.connect(await world.provider.getSigner(MALLORY));
    const stakes = { token, stake1: STAKE, stake2: STAKE };
    const terms = { game, mode: ZeroHash, ...stakes, clock: 3600, feeBps: await arena.feeBps(), rated: false };
    await (await arena.create(terms, ZeroAddress, 0, id("a commitment"))).wait();
    return String(await arena.matchCount());
  }

  /** Runs a read command, which must succeed and print short lines without control characters. */
  async function reads(who: Terminal, ...args: string[]): Promise<string> {
    const text = await who.run(...args);
    expect(text, args.join(" ")).not.to.match(UNPRINTABLE);
    for (const line of text.split("\n")) expect(line, args.join(" ")).to.have.length.at.most(400);
    const json = await who.run(...args, "--json");
    expect(json, args.join(" ")).not.to.match(UNPRINTABLE);
    for (const line of json.split("\n")) JSON.parse(line);
    return text;
  }

  /** Runs all commands that read a match. */
  async function readsAll(matchId: string): Promise<void> {
    const lines = (await reads(alice, "list", "--limit", "10000")).split("\n");
    expect(lines.filter((line) => line.startsWith(`${matchId}  `))).to.have.length(1);
    // The list has a header, and all matches except the initial one.
    expect(lines).to.have.length(Number(matchId));
    await reads(alice, "show", matchId);
    await reads(mallory, "show", matchId);
    expect(await reads(mallory, "watch", matchId, "--turn")).to.match(
      /^Match \d+ was offered by player 1, 0x\w+(, who commits to a \w+)?\.(\nNext: your stake is missing, until .*)?$/,
    );
  }

  describe("given a token that", () => {
    for (const [habit, code] of Object.entries(TOKENS)) {
      it(`${habit}, read commands succeed`, async () => {
        const token = await placed(code);
        const matchId = await offered({ token });
        await readsAll(matchId);
        await reads(alice, "replay", matchId);
        if (code === "0x") {
          const refusal = await alice.fail(2, "purse", "--token", token);
          expect(refusal).to.match(/^token: there is no contract at 0x\w{40}$/);
        } else {
          await reads(alice, "purse", "--token", token);
          const stats = await reads(alice, "stats", "--token", token, "--game", "tic-tac-toe");
          expect(stats.split("\n")).to.have.length(4);
        }
        expect(await reads(alice, "show", matchId)).to.match(new RegExp(`stake [\\d.]+ \\S.* \\(${token}\\)`, "i"));
      });
    }

    it("logs fake payments of the arena, the purse command prints the real payment", async () => {
      const token = await placed(forgerCode());
      await alice.run("purse", "deposit", token, "5");
      expect(await alice.run("purse", "withdraw", token, "3")).to.match(/^3 \S.* went to 0x\w+\.$/);
    });

    it("has unreadable decimals, amounts are shown in its smallest unit", async () => {
      for (const decimals of [37n, 255n, MaxUint256]) {
        const matchId = await offered({ token: await placed(tokenCode(decimals, asString("ODD"))) });
        expect(await alice.run("show", matchId)).to.include(`stake ${STAKE} ODD (`);
      }
      const matchId = await offered({ token: await placed(tokenCode(36n, asString("ODD"))) });
      expect(await alice.run("show", matchId)).to.include("stake 0.000000000000000001 ODD (");
    });
  });

  describe("given a foreign game that", () => {
    for (const [habit, code] of Object.entries(GAMES)) {
      it(`${habit}, read commands succeed and report it`, async () => {
        const game = await placed(code);
        const matchId = await offered({ game });
        await readsAll(matchId);
        expect(await alice.run("list")).to.match(new RegExp(`\n${matchId} +${game} \\(not stock\\)  `, "i"));
        expect(await alice.fail(2, "replay", matchId)).to.match(/^0x\w+: not a game of this deployment$/);
        // The same must hold after the game's code is gone.
        await world.provider.send("hardhat_setCode", [game, "0x"]);
        await readsAll(matchId);
      });
    }
  });

  describe("a node that answers with control characters", () => {
    const failing = (method: string) =>
      proxyTo(world.port, (asked) => {
        if (asked === method) throw new Error(HOSTILE);
        return undefined;
      });
    const line = /^ \[2J 31m money ?$/;

    it("cannot move the cursor in the output of a command", async () => {
      const node = await failing("eth_call");
      const there = alice.with({ DUELLO_RPC_URL: node.url });
      expect(await there.fail(1, "list")).to.match(line);
      expect(await there.outside().fail(1, "show", "1")).to.match(line);
      await node.close();
    });

    it("cannot move the cursor in the output of npm run verify", async () => {
      const node = await failing("eth_getLogs");
      const environment = { DUELLO_RPC_URL: node.url, DUELLO_DEPLOYMENTS: world.folder };
      const { code, stdout, stderr } = await runInside(() => runVerify(["--all"]), environment);
      expect([code, stdout]).to.deep.equal([2, ""]);
      expect(stderr).to.equal(
        "The node refuses the logs of one single block, 0:  [2J 31m money Match 1: you have won\n",
      );
      await node.close();
    });

    it("cannot move the cursor in an agent's output, or forge a line of the agent's log", async () => {
      const printed: string[] = [];
      for (const json of [false, true]) {
        const eventLog = new EventLog(join(world.folder, `hostile-${json}.jsonl`), json, (text) => printed.push(text));
        eventLog.report({
          event: "trouble",
          matchId: 7n,
          text: [HOSTILE, HOSTILE],
          data: { why: HOSTILE, [HOSTILE]: 1 },
        });
      }
      const plain = printed.map((text) => text.replaceAll("\u001b[2m", "").replaceAll("\u001b[22m", ""));
      const [first, second, object] = plain;
      expect(printed).to.have.length(3);
      expect(first).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}warn {2}#7 {5} \[2J 31m money Match 1: you have won$/);
      expect(second).to.match(/^ {35}\[2J 31m money Match 1: you have won$/);
      expect(object).to.match(/^[\x20-\x7e]+$/);
      const { text, why } = JSON.parse(object) as Record<string, string>;
      expect(text.split("\n")).to.have.length(2);
      expect(text).not.to.match(UNPRINTABLE);
      expect(why).to.equal(HOSTILE);
    });
  });
});
