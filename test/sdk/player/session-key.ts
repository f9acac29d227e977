import { expect } from "chai";
import { JsonRpcProvider, parseEther, Wallet, ZeroHash } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import { History } from "../../../sdk/chain/history.js";
import { Client, type Stage } from "../../../sdk/player/client.js";
import { explain } from "../../../sdk/player/errors.js";
import { firstTurn, turnOf } from "../../../sdk/games/moves.js";
import { games, stockGame } from "../../../sdk/games/index.js";
import { randomKey, secretStoreWith, sessionKey } from "../../../sdk/player/secrets.js";
import {
  closeSession,
  openSession,
  SESSION_GAS,
  SESSION_SECONDS,
  sessionCalls,
  sessionClient,
} from "../../../sdk/player/session-key.js";
import { takeTurn } from "../../../sdk/player/turn.js";
import { COIN } from "../../../sdk/protocol/terms.js";
import { MockWallet } from "../../support/mock-wallet.js";
import { Seat } from "../../support/index.js";

const connection = await network.create();
const { ethers, networkHelpers } = connection;
const { time } = networkHelpers;
const { moves } = stockGame("pistols");
const LITTLE = parseEther("0.05");

async function deployed() {
  const [, a, b] = await ethers.getSigners();
  const addresses = await addressesOf(await connection.ignition.deploy(Duello));
  return { addresses, a, bob: await Client.connect(addresses, games, b) };
}

describe("A session", () => {
  let world: Awaited<ReturnType<typeof deployed>>;
  let wallet: MockWallet;
  let alice: Client;
  let stages: Stage[];
  const secret = randomKey();
  const key = sessionKey(secret);
  const { address } = new Wallet(key);

  beforeEach(async () => {
    world = await networkHelpers.loadFixture(deployed);
    wallet = new MockWallet(connection.provider, world.a.address);
    stages = [];
    alice = await wallet.connect(world.addresses, { onStage: (stage) => void stages.push(stage) });
    wallet.prompts.length = 0;
  });
  after(() => connection.close());

  const until = () => alice.arena.operatorUntil(alice.address, address);
  const balance = (of = address) => ethers.provider.getBalance(of);
  const prompts = () => wallet.prompts.map(({ method }) => method);
  const asked = () => stages.filter(({ stage }) => stage === "signing").map(({ call }) => call.method ?? "payment");

  /** Plays a duel of pistols until bob has answered, so that alice must reveal. */
  async function answered() {
    const game = world.addresses.Pistols;
    const history = new History(ethers.provider, world.addresses);
    const secretStore = secretStoreWith(secret, alice.committer(game));
    const first = firstTurn({ game, mode: ZeroHash }, alice.address, history);
    const data = await moves.create(10, first, secretStore);
    const terms = { game, mode: ZeroHash, clock: 86_400n, rated: true, token: COIN, stake1: 0n, stake2: 0n };
    const offer = await alice.create({ terms, data, opponent: world.bob.address });
    const turn = turnOf(await history.match(offer.matchId), Seat.Two, world.bob.address, history);
    const bobs = secretStoreWith(randomKey(), world.bob.committer(game));
    await world.bob.join(offer, await moves.join(10, turn, bobs));
    const play = (by: Client, thinking: () => Promise<unknown> = async () => undefined) =>
      takeTurn(by, history, offer.matchId, {
        secretStore,
        move: async (due, store) => {
          await thinking();
          return moves.suggest(due, store);
        },
      });
    wallet.prompts.length = 0;
    return { matchId: offer.matchId, play };
  }

  describe("when it is opened", () => {
    it("allows the key for 24 hours, and gives it coin for the gas of many turns", async () => {
      const now = await alice.now();
      const operator = await openSession(alice, key);
      expect(operator.address).to.equal(address);
      expect(Number(await until())).to.be.within(now + SESSION_SECONDS, now + SESSION_SECONDS + 10);
      const { gasPrice } = await ethers.provider.getFeeData();
      expect((await balance()) >= SESSION_GAS * gasPrice!).to.equal(true);
      expect((await balance()) < 4n * SESSION_GAS * gasPrice!).to.equal(true);
      expect(asked()).to.deep.equal(["allow", "payment"]);
      expect(prompts()).to.deep.equal(["eth_sendTransaction", "eth_sendTransaction"]);
    });

    it("when it is renewed, requests only what is missing", async () => {
      const end = (await alice.now()) + 3600;
      await openSession(alice, key, { until: end, coin: LITTLE });
      stages = [];
      await openSession(alice, key, { until: end, coin: LITTLE });
      expect(asked()).to.deep.equal([]);
      await openSession(alice, key, { until: end + 60, coin: LITTLE });
      expect([asked(), await until()]).to.deep.equal([["allow"], BigInt(end + 60)]);
      await openSession(alice, key, { until: end + 60, coin: LITTLE + 7n });
      expect([asked(), await balance()]).to.deep.equal([["allow", "payment"], LITTLE + 7n]);
    });

    it("refuses an end that has passed or is in milliseconds, before it prompts the wallet", async () => {
      const now = await alice.now();
      for (const [end, message] of [
        [now, `until: ${now} is below ${now + 1}`],
        [now * 1000, `until: ${now * 1000} is above 1099511627775`],
        [now + 0.5, `until: ${now + 0.5} is not an integer`],
      ] as const) {
        expect(await openSession(alice, key, { until: end }).then(String, explain)).to.equal(message);
      }
      expect(prompts()).to.deep.equal([]);
    });

    it("consists of two calls that can be sent in a batch", async () => {
      const end = (await alice.now()) + 3600;
      const calls = await sessionCalls(alice, key, { until: end, coin: LITTLE });
      expect(prompts()).to.deep.equal([]);
      expect(calls.map(({ method, value }) => [method, value])).to.deep.equal([
        ["allow", 0n],
        [undefined, LITTLE],
      ]);
      for (const call of calls) await alice.send(call);
      expect([await until(), await balance()]).to.deep.equal([BigInt(end), LITTLE]);
    });
  });

  describe("while it is open", () => {
    it("takes turns for its owner without the wallet, even after a reload", async () => {
      const { matchId, play } = await answered();
      await openSession(alice, key, { coin: LITTLE });
      wallet.prompts.length = 0;
      await play(await sessionClient(alice, key));
      expect(prompts()).to.deep.equal([]);
      const [acted] = await alice.arena.queryFilter(alice.arena.filters.Acted(matchId));
      expect([acted.args.seat, (await acted.getTransaction()).from]).to.deep.equal([Seat.One, address]);
    });

    it("can send through another node than the wallet's, and reports its own stages", async () => {
      const node = new JsonRpcProvider("http://127.0.0.1:1", 31_337, { staticNetwork: true });
      const operator = await sessionClient(alice, key, { provider: node });
      expect(operator.signer.provider).to.equal(node);
      node.destroy();
      const seen: string[] = [];
      const own = await openSession(alice, key, { coin: LITTLE, onStage: ({ stage }) => void seen.push(stage) });
      await own.send({ to: alice.address, data: "0x", value: 1n });
      expect(seen).to.deep.equal(["signing", "sent", "mined"]);
    });

    it("once it has ended, rejects a turn before sending it, even if it ended while the move was being chosen", async () => {
      const { play } = await answered();
      const operator = await openSession(alice, key, { until: (await alice.now()) + 3600, coin: LITTLE });
      const before = await ethers.provider.getTransactionCount(address);
      const ended = /may no longer act for it: its permission expired/;
      expect(await play(operator, () => time.increase(3601)).then(String, explain)).to.match(ended);
      const unasked = () => Promise.reject(new Error("nobody should think"));
      expect(await play(operator, unasked).then(String, explain)).to.match(ended);
      expect(await ethers.provider.getTransactionCount(address)).to.equal(before);
      await play(alice);
    });
  });

  describe("when it is closed", () => {
    it("revokes the key and returns the coin with one wallet prompt", async () => {
      await openSession(alice, key, { coin: LITTLE });
      wallet.prompts.length = 0;
      const before = await balance(alice.address);
      const { revoked, swept } = await closeSession(alice, key);
      expect(prompts()).to.deep.equal(["eth_sendTransaction"]);
      expect(await until()).to.equal(0n);
      expect((await balance()) < LITTLE / 100n).to.equal(true);
      const paid = revoked!.fee;
      expect((await balance(alice.address)) + paid - before + (await balance()) + swept!.fee).to.equal(LITTLE);
      const { play } = await answered();
      expect(await play(await sessionClient(alice, key)).then(String, explain)).to.match(/may not act for it\.$/);
    });

    it("if it has expired, returns the coin without a wallet prompt", async () => {
      await openSession(alice, key, { until: (await alice.now()) + 60, coin: LITTLE });
      await time.increase(61);
      wallet.prompts.length = 0;
      const { revoked, swept } = await closeSession(alice, key);
      expect([revoked, prompts(), swept!.status]).to.deep.equal([undefined, [], 1]);
    });

    it("leaves coin in the key if the coin does not pay for its own transfer", async () => {
      for (const coin of [0n, 1000n]) {
        await openSession(alice, key, { coin });
        const { revoked, swept } = await closeSession(alice, key);
        expect([revoked!.status, swept, await balance()]).to.deep.equal([1, undefined, coin]);
      }
    });

    it("leaves more coin in the key if the chain charges a fee on top of the gas", async () => {
      await openSession(alice, key, { coin: LITTLE });
      const { provider } = connection;
      const request = provider.request.bind(provider);
      let refused = 0;
      // On a rollup, the fee of the base chain is added.
      provider.request = async (each) => {
        if (each.method === "eth_sendRawTransaction" && refused++ < 2) throw new Error("insufficient funds for gas");
        return request(each);
      };
      try {
        const { swept } = await closeSession(alice, key);
        expect(swept!.status).to.equal(1);
        expect(refused).to.equal(3);
        expect((await balance()) < LITTLE / 2n).to.equal(true);
      } finally {
        provider.request = request;
      }
    });
  });
});
