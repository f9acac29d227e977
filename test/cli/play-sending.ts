import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { HDNodeWallet, parseEther, type BaseWallet } from "ethers";
import { Down, proxyTo, type Intercept } from "../support/play-proxy.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";
import type { Running } from "../support/running.js";

const PHRASE = "test test test test test test test test test test test junk";
const ALICE = 4;
const CREATE = ["create", "mini-games", "rock", "--mode", "rock-paper-scissors"];
const STAKED = [...CREATE, "--stake", "10"];
const isSend = (method: string) => method === "eth_sendTransaction" || method === "eth_sendRawTransaction";

describe("npm run play: nodes that fail", function () {
  let world: PlayWorld;
  let snapshot: unknown;
  const keys = HDNodeWallet.fromPhrase(PHRASE, undefined, "m/44'/60'/0'/0");
  const wallet = (account: number): BaseWallet => keys.deriveChild(account);
  const lines: { close: () => Promise<void> }[] = [];

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());
  beforeEach(async () => (snapshot = await world.provider.send("evm_snapshot", [])));
  afterEach(async () => {
    for (const line of lines.splice(0)) await line.close();
    await automine(true);
    await world.provider.send("evm_revert", [snapshot]);
  });

  const automine = (on: boolean) => world.provider.send("evm_setAutomine", [on]);
  const matchCount = async () => Number(await world.arena.matchCount());
  const purse = () => world.arena.purseOf(wallet(ALICE).address, world.addresses.FightToken);

  /** Returns the person's terminal on the same machine, with another node. */
  async function through(who: Terminal, intercept: Intercept): Promise<Terminal> {
    const line = await proxyTo(world.port, intercept);
    lines.push(line);
    return who.with({ DUELLO_RPC_URL: line.url });
  }

  async function kept(who: Terminal): Promise<string[]> {
    const names = await readdir(join(who.home, "sent"), { recursive: true }).catch(() => []);
    return names.filter((name) => name.endsWith(".json"));
  }

  async function says(running: Running, pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(running.errors());
      if (found) return found;
      if (running.child.exitCode !== null) throw new Error(`it ended: ${running.errors()}`);
      await pause(20);
    }
  }

  async function killed(running: Running): Promise<void> {
    running.child.kill("SIGKILL");
    await running.ended;
  }

  const BEFORE =
    /^This was sent before, but its outcome was not reported: .*, transaction 0x\w{64}, match 2\. Give the command again/;

  for (const [name, who] of [
    ["the player's own key", () => world.terminal([], { DUELLO_PRIVATE_KEY: wallet(ALICE).privateKey })],
    ["an account of the node", () => world.terminal(["--account", String(ALICE)])],
  ] as const) {
    describe(`with ${name}`, () => {
      let alice: Terminal;

      beforeEach(async () => {
        alice = await who();
        await alice.run("purse", "deposit", "FIGHT", "30");
        expect(await kept(alice), "told, and forgotten").to.deep.equal([]);
      });

      it("a command that gets a 503 for the receipt still prints the hash, and stakes once when repeated", async () => {
        const blind = await through(alice, (method) => {
          if (method === "eth_getTransactionReceipt") throw new Down(503);
        });
        const running = blind.start(...STAKED);
        const [, hash] = await says(running, /Waiting for .*503.*\. Sent before that: .*, transaction (0x\w{64})\./);
        await killed(running);
        expect((await world.provider.getTransactionReceipt(hash))!.status).to.equal(1);
        const { code, stdout, stderr } = await alice.end(...STAKED);
        expect([code, stderr]).to.match(/^0,This was sent before/);
        expect(stderr).to.match(BEFORE).and.include(hash);
        expect(stdout).to.match(/^2 {2}mini-games \S+ {2}an offer/);
        expect([await matchCount(), await purse()]).to.deep.equal([2, parseEther("20")]);
        await alice.run(...STAKED);
        expect([await matchCount(), await purse()]).to.deep.equal([3, parseEther("10")]);
      });

      it("a command survives a few 503s, and prints that it waits", async () => {
        let failures = 5;
        const weak = await through(alice, (method) => {
          if (method === "eth_getTransactionReceipt" && failures-- > 0) throw new Down(503);
        });
        const { code, stdout, stderr } = await weak.end(...STAKED, "--json");
        expect([code, stderr]).to.match(
          /^0,Waiting for \S+: server response 503.*\. Sent before that: create mini-games, transaction 0x/,
        );
        expect(JSON.parse(stdout)).to.include({ matchId: "2" });
        expect([await matchCount(), await kept(alice)]).to.deep.equal([2, []]);
      });

      it("a command waits for a node that died right after it took a transaction, and finds the transaction", async () => {
        let [isDead, taken] = [false, 0];
        const mortal = await through(alice, async (method, params) => {
          if (isDead) throw new Down();
          if (!isSend(method) || taken++ > 0) return;
          isDead = true;
          await world.provider.send(method, params);
          throw new Down();
        });
        const running = mortal.start(...STAKED);
        await says(running, /Waiting for .*\. It may have been sent all the same: create mini-games/);
        isDead = false;
        const { code, stdout } = await running.ended;
        expect([code, stdout]).to.match(/^0,2 {2}mini-games \S+ {2}an offer/);
        expect([await matchCount(), await kept(alice)]).to.deep.equal([2, []]);
      });

      it("a command finds its transaction even if the node answered with an error", async () => {
        const liar = await through(alice, async (method, params) => {
          if (!isSend(method)) return;
          await world.provider.send(method, params);
          throw new Error("internal error");
        });
        expect(await liar.run(...STAKED)).to.match(/^2 {2}mini-games \S+ {2}an offer/);
        expect(await matchCount()).to.equal(2);
      });

      it("a command killed between storing and sending sends the stored transaction once when repeated", async () => {
        let held: string[] = [];
        const deaf = await through(alice, (method, params) => {
          if (!isSend(method)) return undefined;
          held.push(JSON.stringify(params));
          return new Promise(() => undefined);
        });
        const running = deaf.start(...STAKED);
        while (held.length === 0) await pause(20);
        await killed(running);
        expect([await matchCount(), (await kept(alice)).length]).to.deep.equal([1, 1]);
        held = [];
        expect(await alice.run(...STAKED)).to.match(/^2 {2}mini-games \S+ {2}an offer/);
        expect([await matchCount(), await purse(), await kept(alice)]).to.deep.equal([2, parseEther("20"), []]);
      });

      it("a command killed before sending loses its nonce to another command, which reports the loss", async () => {
        let isHeld = false;
        const deaf = await through(alice, (method) => {
          if (!isSend(method)) return undefined;
          isHeld = true;
          return new Promise(() => undefined);
        });
        const running = deaf.start(...STAKED);
        while (!isHeld) await pause(20);
        await killed(running);
        const { code, stderr } = await alice.end("purse", "deposit", "FIGHT", "5");
        expect([code, stderr]).to.match(/^0,Never sent: create mini-games, .*\. Give that command again if you still/);
        expect([await matchCount(), await purse(), await kept(alice)]).to.deep.equal([1, parseEther("35"), []]);
      });

      it("after a command was killed on sending, the next command of another kind reports the outcome", async () => {
        let isOut = false;
        const mute = await through(alice, async (method, params) => {
          if (!isSend(method)) return undefined;
          await world.provider.send(method, params);
          isOut = true;
          return new Promise(() => undefined);
        });
        const running = mute.start(...STAKED);
        while (!isOut) await pause(20);
        await killed(running);
        const { code, stderr } = await alice.end("purse", "deposit", "FIGHT", "5");
        expect([code, stderr]).to.match(
          /^0,Sent before: create mini-games, transaction 0x\w{64}, match 2\. It is done\.\n$/,
        );
        expect([await matchCount(), await purse(), await kept(alice)]).to.deep.equal([2, parseEther("25"), []]);
      });

      it("if the node fails after the receipt, the error names hash and match, and a repetition reports everything", async () => {
        let isMined = false;
        const weak = await through(alice, (method) => {
          if (method === "eth_getTransactionReceipt") isMined = true;
          else if (isMined) throw new Error("internal error");
        });
        expect(await weak.fail(1, ...STAKED)).to.match(
          /internal error.*\. Sent before that: create mini-games, transaction 0x\w{64}, match 2\. Give the same command again to learn/,
        );
        expect((await alice.end(...STAKED)).stderr).to.match(BEFORE);
        expect(await matchCount()).to.equal(2);
      });

      it("a deposit killed after the transfer or the allowance pays in only once when repeated", async () => {
        let sends = 0;
        const weak = (last: number) => {
          sends = 0;
          return through(alice, async (method, params) => {
            if (!isSend(method) || ++sends < last) return undefined;
            await world.provider.send(method, params);
            return new Promise(() => undefined);
          });
        };
        const bob = wallet(5).address;
        for (const [owner, last] of [
          [wallet(ALICE).address, 1],
          // A deposit to another player's purse needs an allowance first, because a transfer would credit the sender.
          [bob, 1],
          [bob, 2],
        ] as const) {
          const purseOf = () => world.arena.purseOf(owner, world.addresses.FightToken);
          const deposit = ["purse", "deposit", "FIGHT", "7", "--player", owner];
          const before = await purseOf();
          const running = (await weak(last)).start(...deposit);
          while (sends < last) await pause(20);
          await killed(running);
          const { code, stdout } = await alice.end(...deposit);
          expect([code, stdout]).to.match(/^0,7 FIGHT are in the purse of /);
          expect((await purseOf()) - before).to.equal(parseEther("7"));
          expect(await kept(alice)).to.deep.equal([]);
        }
      });

      it("the same command run twice at once stakes once, and both processes report it", async () => {
        await automine(false);
        const both = [alice.start(...STAKED), alice.start(...STAKED)];
        for (const each of both) await says(each, /Sent: |sent before/);
        await world.provider.send("evm_mine", []);
        for (const { ended } of both) expect((await ended).stdout).to.match(/^2 {2}mini-games \S+ {2}an offer/);
        expect([await matchCount(), await purse(), await kept(alice)]).to.deep.equal([2, parseEther("20"), []]);
      });

      it("three different commands run at once all succeed", async () => {
        const amounts = ["1", "2", "3"];
        const ended = await Promise.all(amounts.map((each) => alice.start("purse", "deposit", "COIN", each).ended));
        expect(ended.map(({ code, stderr }) => [code, stderr])).to.deep.equal(amounts.map(() => [0, ""]));
        expect(await alice.run("purse", "--token", "COIN")).to.equal("6 COIN");
        expect(await kept(alice)).to.deep.equal([]);
      });
    });
  }

  describe("in the queue of transactions", () => {
    let alice: Terminal;
    const SENT = /Sent: create mini-games, transaction (0x\w{64})\. Waiting until it is in a block\./;

    beforeEach(async () => {
      alice = await world.terminal([], { DUELLO_PRIVATE_KEY: wallet(ALICE).privateKey });
      await automine(false);
    });

    it("a command prints its hash at once, and a repeated command takes over its pending transaction", async () => {
      const one = alice.start(...CREATE);
      const [, hash] = await says(one, SENT);
      expect(await world.provider.getTransactionReceipt(hash)).to.equal(null);
      await killed(one);
      const two = alice.start(...CREATE);
      await says(two, new RegExp(`^This was sent before, .*${hash}\\. .*\n${SENT.source}`));
      await world.provider.send("evm_mine", []);
      expect((await two.ended).stdout).to.match(/^2 {2}mini-games \S+ {2}an offer/);
      expect([await matchCount(), await kept(alice)]).to.deep.equal([2, []]);
    });

    it("a replaced transaction is reported, and the command can be given again", async () => {
      const running = alice.start(...CREATE);
      const [, hash] = await says(running, SENT);
      const { nonce, maxFeePerGas } = (await world.provider.getTransaction(hash))!;
      const fees = { maxFeePerGas: maxFeePerGas! * 3n, maxPriorityFeePerGas: maxFeePerGas! * 2n };
      const { address } = wallet(ALICE);
      await wallet(ALICE)
        .connect(world.provider)
        .sendTransaction({ to: address, nonce, ...fees });
      await world.provider.send("evm_mine", []);
      const { code, stderr } = await running.ended;
      expect([code, stderr]).to.match(/^1,/);
      expect(stderr).to.match(/Transaction 0x\w{64} will never count: 0x\w{64} was sent in its place\./);
      await automine(true);
      expect((await alice.end(...CREATE)).code).to.equal(0);
      expect([await matchCount(), await kept(alice)]).to.deep.equal([2, []]);
    });

    it("a transaction that the node has lost is sent again", async () => {
      const running = alice.start(...CREATE);
      const [, hash] = await says(running, SENT);
      await world.provider.send("hardhat_dropTransaction", [hash]);
      await says(running, /The node has lost it, so it is sent again: create mini-games/);
      while (!(await world.provider.getTransaction(hash))) await pause(20);
      await world.provider.send("evm_mine", []);
      expect((await running.ended).stdout).to.match(/^2 {2}mini-games \S+ {2}an offer/);
      expect(await matchCount()).to.equal(2);
    });

    it("a reverted transaction is reported with the reason, and the command fails", async () => {
      await world.provider.send("evm_mine", []);
      const running = alice.start(...CREATE, "--firm", "60s");
      await says(running, SENT);
      await world.pass(120);
      const { code, stderr } = await running.ended;
      expect([code, stderr]).to.match(/^1,Sent: .*\nA firm offer ends after .*\n$/);
      expect([await matchCount(), await kept(alice)]).to.deep.equal([1, []]);
    });
  });
});
