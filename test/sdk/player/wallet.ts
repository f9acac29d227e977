import { expect } from "chai";
import { Interface, parseEther, toQuantity, ZeroHash } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import type { Replaced } from "../../../sdk/chain/receipt.js";
import { batchRequest, type Call } from "../../../sdk/player/calls.js";
import type { ClientOptions, Stage } from "../../../sdk/player/client.js";
import { explain } from "../../../sdk/player/errors.js";
import { isUnsent, WrongNetwork } from "../../../sdk/player/wallet-errors.js";
import { COIN } from "../../../sdk/protocol/terms.js";
import { Arena__factory, FightToken__factory } from "../../../typechain-types/index.js";
import { MockWallet } from "../../support/mock-wallet.js";
import { Status, UNIT } from "../../support/index.js";

const connection = await network.create();
const { ethers, networkHelpers } = connection;
const ANSWER_1 = "0x600160005260206000f3";

async function deployed() {
  const [owner, alice, bob] = await ethers.getSigners();
  const addresses = await addressesOf(await connection.ignition.deploy(Duello));
  const fight = FightToken__factory.connect(addresses.FightToken, owner);
  for (const player of [alice, bob]) await fight.mint(player, 100n * UNIT);
  return { addresses, fight, arena: Arena__factory.connect(addresses.Arena, owner), alice, bob };
}

describe("A client with the wallet of a browser", () => {
  let world: Awaited<ReturnType<typeof deployed>>;
  let wallet: MockWallet;
  let stages: Stage[];

  beforeEach(async () => {
    world = await networkHelpers.loadFixture(deployed);
    wallet = new MockWallet(connection.provider, world.alice.address);
    stages = [];
  });
  after(() => connection.close());

  const connect = (options: ClientOptions = {}, any?: "any") =>
    wallet.connect(world.addresses, { onStage: (stage) => void stages.push(stage), ...options }, any);
  const names = () => stages.map(({ stage }) => stage);
  const purse = (token: string) => world.arena.purseOf(wallet.address, token);
  const nonce = () => ethers.provider.getTransactionCount(wallet.address, "pending");

  /** Returns a free match of tic-tac-toe, for bob. */
  const challenge = () => {
    const free = { token: COIN, stake1: 0n, stake2: 0n };
    const terms = { game: world.addresses.TicTacToe, mode: ZeroHash, clock: 3600n, rated: true, ...free };
    return { terms, data: "0x04", opponent: world.bob.address };
  };

  it("recognises errors that prove that a transaction was not sent", async () => {
    const alice = await connect();
    const { signer } = alice;
    const refused = await signer.sendTransaction({ to: world.arena, data: "0x" }).catch((error: unknown) => error);
    const { message } = refused as Error;
    expect([isUnsent(refused), isUnsent(new Error(message, { cause: refused }))], message).to.deep.equal([true, true]);
    expect(isUnsent(new WrongNetwork(1n, 2n))).to.equal(true);
    expect([isUnsent(new Error(message)), isUnsent({ action: "sendTransaction" }), isUnsent(undefined)]).to.deep.equal([
      false,
      false,
      false,
    ]);
  });

  describe("when it sends", () => {
    it("reports each stage: signing, sent with its hash, mined", async () => {
      const alice = await connect();
      const { hash } = await alice.deposit(COIN, UNIT);
      expect(names()).to.deep.equal(["signing", "sent", "mined"]);
      expect(stages[1]).to.include({ hash });
      expect(stages.map(({ call }) => call.method)).to.deep.equal(["deposit", "deposit", "deposit"]);
      expect(stages[2]).to.have.nested.property("receipt.hash", hash);
    });

    it("waits until the stage is stored, and does not prompt the wallet if the stage cannot be stored", async () => {
      const alice = await connect({
        onStage: async ({ stage }) => {
          await Promise.resolve();
          if (stage === "signing") throw new Error("no room to keep it");
        },
      });
      expect(await alice.deposit(COIN, UNIT).then(String, explain)).to.equal("no room to keep it");
      expect(wallet.prompts).to.deep.equal([]);
    });

    it("estimates the gas on request, so that a revert shows before the wallet opens", async () => {
      const alice = await connect({ estimateGas: true });
      await alice.deposit(COIN, UNIT);
      const [signing] = stages as (Stage & { stage: "signing" })[];
      const [asked] = wallet.prompts.at(-1)!.params as [{ gas: string }];
      expect(signing.gas! > 21_000n).to.equal(true);
      expect(asked.gas).to.equal(toQuantity(signing.gas!));
      expect(wallet.methods.filter((method) => method === "eth_estimateGas").length).to.equal(1);
      stages = [];
      const before = wallet.prompts.length;
      expect(await alice.withdraw(COIN, 2n * UNIT).then(String, explain)).to.match(/^The purse of 0x\w+ holds/);
      expect([stages, wallet.prompts.length]).to.deep.equal([[], before]);
    });

    it("estimates the gas of any call that it has encoded", async () => {
      const alice = await connect();
      const [call] = await alice.calls.deposit(COIN, UNIT);
      const gas = await alice.gasOf(call);
      const { gasUsed } = await alice.send(call);
      expect(gas >= gasUsed && gas < 2n * gasUsed).to.equal(true);
    });

    for (const [what, value] of [
      ["the same for another fee", UNIT],
      ["something else", 3n * UNIT],
    ] as const) {
      it(`reports that the transaction was replaced by ${what}`, async () => {
        const send = (method: string, params: unknown[]) => connection.provider.request({ method, params });
        const taken = toQuantity(await nonce());
        let by = "";
        const alice = await connect({
          onStage: async (stage) => {
            stages.push(stage);
            if (stage.stage !== "sent") return;
            const { to, data } = stage.call;
            const fees = { maxFeePerGas: toQuantity(10n ** 11n), maxPriorityFeePerGas: toQuantity(10n ** 10n) };
            const receiver = value === UNIT ? to : world.bob.address;
            const tx = { from: wallet.address, to: receiver, ...fees, gas: toQuantity(500_000), nonce: taken };
            const rest = value === UNIT ? { data, value: toQuantity(value) } : { value: toQuantity(value) };
            by = (await send("eth_sendTransaction", [{ ...tx, ...rest }])) as string;
            await send("evm_mine", []);
          },
        });
        await send("evm_setAutomine", [false]);
        const outcome: unknown = await alice.deposit(COIN, UNIT).catch((error: unknown) => error);
        await send("evm_setAutomine", [true]);
        expect(stages[2]).to.include({ stage: "replaced", by });
        if (value === UNIT) expect([names()[3], (outcome as { hash: string }).hash]).to.deep.equal(["mined", by]);
        else expect([names().length, (outcome as Replaced).by]).to.deep.equal([3, by]);
        expect(await purse(COIN)).to.equal(value === UNIT ? UNIT : 0n);
      });
    }
  });

  describe("when the wallet refuses", () => {
    it("explains the refusal in a sentence, and sends nothing", async () => {
      const alice = await connect();
      const before = await nonce();
      for (const [refusal, sentence] of [
        [{ code: 4001, message: "User rejected the request." }, /^It was rejected in the wallet: nothing was sent\.$/],
        [{ code: 4001, message: "MetaMask Tx Signature: User denied transaction signature." }, /^It was rejected/],
        [{ code: 4100, message: "\u001b[2JUnauthorized" }, /^The wallet has not authorised this page/],
        [{ code: -32002, message: "Request of type 'x' already pending" }, /^The wallet has another request open/],
        [{ code: -32000, message: "insufficient funds for gas * price + value" }, /too little of the chain's coin/],
      ] as const) {
        wallet.refusal = refusal;
        expect(await alice.deposit(COIN, UNIT).then(String, explain)).to.match(sentence);
      }
      expect(await nonce()).to.equal(before);
      expect(new Set(names())).to.deep.equal(new Set(["signing"]));
    });

    it("explains that the sender cannot pay when a real node reports too little balance", async () => {
      const alice = await connect();
      const rich = (await ethers.provider.getBalance(wallet.address)) * 2n;
      expect(await alice.deposit(COIN, rich).then(String, explain)).to.equal(
        "The sender has too little of the chain's coin for this transaction and its gas.",
      );
    });

    it("sends nothing to another chain, where anybody may own the arena's address", async () => {
      const following = await connect({}, "any");
      const pinned = await connect();
      wallet.chainId = 1;
      const before = wallet.prompts.length;
      for (const alice of [following, pinned]) {
        expect(await alice.deposit(COIN, UNIT).then(String, explain)).to.equal(
          "The wallet is on chain 1, not on chain 31337: switch its network.",
        );
      }
      expect([wallet.prompts.length, stages.length]).to.deep.equal([before, 0]);
    });
  });

  describe("when it deposits", () => {
    it("sends a token with transferAndCall in one transaction, even if there is an allowance", async () => {
      const alice = await connect();
      await world.fight.connect(world.alice).approve(world.arena, UNIT);
      await alice.deposit(world.addresses.FightToken, UNIT);
      expect(names()).to.deep.equal(["signing", "sent", "mined"]);
      expect(stages[0].call.method).to.equal("transferAndCall");
      expect(await purse(world.addresses.FightToken)).to.equal(UNIT);
      expect(await world.fight.allowance(world.alice, world.arena)).to.equal(UNIT);
    });

    it("uses approve and deposit for the purse of another player, because a transfer would not credit that player", async () => {
      const alice = await connect();
      await alice.deposit(world.addresses.FightToken, UNIT, world.bob.address);
      expect(stages.filter(({ stage }) => stage === "mined").map(({ call }) => call.method)).to.deep.equal([
        "approve",
        "deposit",
      ]);
      expect(await world.arena.purseOf(world.bob, world.fight)).to.equal(UNIT);
    });

    it("uses approve and deposit for a token that lacks ERC-165 or claims every interface", async () => {
      const alice = await connect();
      const odd = await ethers.deployContract("OddToken");
      await odd.mint(wallet.address, UNIT);
      const token = await odd.getAddress();
      expect(await alice.calls.depositMethod(token)).to.equal("deposit");
      await alice.deposit(token, UNIT);
      expect(await purse(token)).to.equal(UNIT);
      const yes = "0x000000000000000000000000000000000000dEaD";
      await networkHelpers.setCode(yes, ANSWER_1);
      expect(await alice.calls.depositMethod(yes)).to.equal("deposit");
    });
  });

  describe("given a batch of calls", () => {
    it("makes a deposit and an offer with one confirmation", async () => {
      const alice = await connect();
      const { FightToken } = world.addresses;
      const made = challenge();
      const terms = { ...made.terms, token: FightToken, stake1: UNIT, stake2: UNIT };
      const calls = [...(await alice.calls.deposit(FightToken, UNIT)), await alice.calls.create({ ...made, terms })];
      const request = batchRequest(alice, calls);
      expect(request).to.deep.equal({
        version: "2.0.0",
        from: wallet.address,
        chainId: "0x7a69",
        atomicRequired: true,
        calls: calls.map(({ to, data }) => ({ to, data, value: "0x0" })),
      });
      wallet.prompts.length = 0;
      await wallet.request({ method: "wallet_sendCalls", params: [request] });
      expect(wallet.prompts.map(({ method }) => method)).to.deep.equal(["wallet_sendCalls"]);
      expect(await world.arena.statusOf(1n)).to.equal(Status.P1Deposited);
    });

    it("names the function and the match of each call, and sends each call as it was encoded", async () => {
      const alice = await connect();
      const bobs = new MockWallet(connection.provider, world.bob.address);
      const bob = await bobs.connect(world.addresses);
      const { FightToken, Guardians } = world.addresses;
      const known = [Arena__factory.createInterface(), FightToken__factory.createInterface()];
      const modes = new Interface(["function registerMode(bytes content)"]);
      const check = async (by: typeof alice, wanted: string, call: Call) => {
        const called = [...known, modes].map((abi) => abi.getFunction(call.data.slice(0, 10))).find((each) => each);
        expect([call.method, called?.name]).to.deep.equal([wanted, wanted]);
        const { hash } = await by.send(call);
        const sent = (await ethers.provider.getTransaction(hash))!;
        expect([sent.to, sent.data, sent.value]).to.deep.equal([call.to, call.data, call.value]);
        return call.matchId;
      };
      await check(alice, "deposit", (await alice.calls.deposit(COIN, UNIT))[0]);
      await check(alice, "depositWithPermit", await alice.calls.depositWithPermit(FightToken, UNIT));
      await check(alice, "transferAndCall", await alice.calls.transferDeposit(FightToken, UNIT));
      await check(alice, "withdraw", await alice.calls.withdraw(COIN, UNIT));
      await check(alice, "allow", await alice.calls.allow(world.bob.address, 0));
      const content = alice.encodeMode(Guardians, { teamSize: 2 });
      await check(alice, "registerMode", await alice.calls.registerMode(Guardians, content));
      await check(alice, "create", await alice.calls.create(challenge()));
      const offer = await alice.create({ ...challenge(), opponent: undefined });
      expect(await check(bob, "fund", await bob.calls.fund(offer))).to.equal(2n);
      await networkHelpers.time.increase(1);
      expect(await check(bob, "join", await bob.calls.join(offer, "0x0400"))).to.equal(2n);
      const stake = { stake2: UNIT, token: FightToken };
      const staked = await alice.create({ ...challenge(), terms: { ...challenge().terms, ...stake } });
      expect(await check(bob, "transferAndCall", await bob.calls.transferFund(staked, UNIT, RISKS))).to.equal(3n);
      expect(await check(alice, "resign", await alice.calls.resign(2n))).to.equal(2n);
      expect(await check(bob, "decline", await bob.calls.decline(1n))).to.equal(1n);
      const soft = await alice.create({ ...challenge(), firmUntil: 0 });
      expect(await check(alice, "cancel", await alice.calls.cancel(soft.matchId))).to.equal(soft.matchId);
    });

    it("never encodes an answer for two matches", async () => {
      const alice = await connect();
      const bob = await new MockWallet(connection.provider, world.bob.address).connect(world.addresses);
      const terms = { ...challenge().terms, game: world.addresses.AutoBattler };
      const offers = [];
      for (let n = 0; n < 2; n++)
        offers.push(await alice.create({ ...challenge(), terms, data: `0x${"11".repeat(32)}` }));
      await bob.calls.join(offers[0], "0x1234");
      expect(await bob.join(offers[1], "0x1234").then(String, explain)).to.equal(
        "This answer was sent for match 1 already: make a fresh one for match 2.",
      );
    });
  });

  it("keeps each call's amount of coin in the batch", async () => {
    const alice = await connect();
    const [call] = await alice.calls.deposit(COIN, parseEther("1"));
    expect(batchRequest(alice, [call]).calls[0].value).to.equal(toQuantity(parseEther("1")));
  });
});

const RISKS = { acceptedRisks: ["worse-odds"] } as const;
