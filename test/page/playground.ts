import { expect } from "chai";
import { getAddress, keccak256, parseEther, toQuantity, Wallet, ZeroHash } from "ethers";
import { PlaygroundChain } from "../../page/src/playground/chain.js";
import { deploy } from "../../page/src/playground/deploy.js";
import { PlaygroundProvider, PlaygroundSigner } from "../../page/src/playground/provider.js";
import { decodeEvent, topicsOf } from "../../sdk/chain/events.js";
import { History } from "../../sdk/chain/history.js";
import { TEST_CHAIN } from "../../sdk/chain/traits.js";
import { stockGame } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import { Client, type Offered } from "../../sdk/player/client.js";
import { explain } from "../../sdk/player/errors.js";
import { MemorySecretStore } from "../../sdk/player/memory-secret-store.js";
import { isPlayerSeat, sideOf } from "../../sdk/protocol/sides.js";
import { Seat, winnerBy } from "../../sdk/protocol/status.js";
import { BPS, COIN } from "../../sdk/protocol/terms.js";
import { replay } from "../../sdk/verify/replay.js";
import {
  Arena__factory,
  FightToken__factory,
  MiniGames__factory,
  TicTacToe__factory,
} from "../../typechain-types/index.js";
import { DAY, ethers, inPassing, networkHelpers, now } from "../support/index.js";

const STAKE = parseEther("1");
/** Accounts that the chain of the other tests does not have. */
const ACCOUNTS = [1, 2, 3].map((n) => getAddress(`0x${String(n).repeat(40)}`));

const bytecodes = {
  Arena: Arena__factory.bytecode,
  FightToken: FightToken__factory.bytecode,
  MiniGames: MiniGames__factory.bytecode,
  TicTacToe: TicTacToe__factory.bytecode,
};

/** Parts of a receipt that contracts and their callers see. */
interface Receipt {
  gasUsed: string;
  status: string;
  contractAddress: string | null;
  logs: { address: string; topics: string[]; data: string }[];
}

/** Deploys a game to a new chain, and connects two players. */
async function opened(name: string, time?: () => number) {
  const game = stockGame(name);
  const chain = await PlaygroundChain.start({ chainId: TEST_CHAIN, accounts: ACCOUNTS, now: time });
  const provider = new PlaygroundProvider(chain, TEST_CHAIN);
  const [owner, ...players] = ACCOUNTS;
  const addresses = await deploy(provider, [game], bytecodes, owner);
  const clients = await Promise.all(
    players.map((player) => Client.connect(addresses, [game], new PlaygroundSigner(player, provider))),
  );
  const history = new History(provider, addresses);
  const stores = clients.map((client) => new MemorySecretStore(client.committer(addresses[game.contract])));
  return { chain, provider, game, addresses, clients, history, stores };
}

type World = Awaited<ReturnType<typeof opened>>;

/** Offers a match to player 2. */
async function offer(world: World, mode: string, first: string[]): Promise<Offered> {
  const { game, addresses, clients, history, stores } = world;
  const content = game.modes[mode].content;
  const address = addresses[game.contract];
  await clients[0].registerMode(address, content);
  const [stake1, stake2] = game.modes[mode].odds.map((odds) => odds * STAKE);
  const terms = { game: address, token: COIN, mode: modeHash(content), stake1, stake2, clock: DAY, rated: true };
  const turn = firstTurn(terms, clients[0].address, history);
  const data = await game.moves.create(await game.moves.parse(first, turn), turn, stores[0]);
  return clients[0].create({ terms, opponent: clients[1].address, data }, { value: stake1 });
}

/** Plays a match with the given moves to its end. @returns the match */
async function play(world: World, mode: string, [first, answer, ...later]: readonly string[][]): Promise<bigint> {
  const { game, clients, history, stores } = world;
  const offered = await offer(world, mode, first);
  const { matchId } = offered;
  const joining = turnOf(await history.match(matchId), Seat.Two, clients[1].address, history);
  const data = await game.moves.join(await game.moves.parse(answer, joining), joining, stores[1]);
  await clients[1].join(offered, data, { value: offered.terms.stake2 });
  for (;;) {
    const { turn: seat } = await clients[0].arena.matchOf(matchId);
    if (!isPlayerSeat(seat)) return matchId;
    const side = sideOf(Number(seat));
    const turn = turnOf(await history.match(matchId), seat, clients[side].address, history);
    const move = later.length === 0 ? undefined : await game.moves.parse(later.shift()!, turn, stores[side]);
    await clients[side].act(matchId, await game.moves.act(move, turn, stores[side]));
  }
}

/** Sends the transactions of a playground's chain to Hardhat's chain, at the same times. @returns the receipts of both */
async function resent({ chain }: World): Promise<[Receipt, Receipt][]> {
  const hardhat = (method: string, ...params: unknown[]) => ethers.provider.send(method, params) as Promise<unknown>;
  const last = Number(await chain.request("eth_blockNumber"));
  const receipts: [Receipt, Receipt][] = [];
  for (let number = 1; number <= last; number++) {
    const block = await chain.request("eth_getBlockByNumber", [toQuantity(number), true]);
    const { timestamp, transactions } = block as { timestamp: string; transactions: Record<string, string>[] };
    for (const { hash, from, to, input, value, gas } of transactions) {
      await networkHelpers.time.setNextBlockTimestamp(BigInt(timestamp));
      await networkHelpers.impersonateAccount(from);
      const request = { from, to: to ?? undefined, data: input, value, gas, gasPrice: "0x0" };
      const there = await hardhat("eth_sendTransaction", request);
      receipts.push([
        (await chain.request("eth_getTransactionReceipt", [hash])) as Receipt,
        (await hardhat("eth_getTransactionReceipt", there)) as Receipt,
      ]);
    }
  }
  return receipts;
}

/** Returns the parts of a receipt that are the same on every chain. */
function partsOf({ gasUsed, status, contractAddress, logs }: Receipt) {
  return {
    gas: Number(gasUsed),
    status: Number(status),
    contract: contractAddress && getAddress(contractAddress),
    logs: logs.map(({ address, topics, data }) => ({ address: getAddress(address), topics, data })),
  };
}

/** Modes and moves of a match of each game: player 1's, then player 2's, and so on. */
const MATCHES: Readonly<Record<string, readonly [mode: string, moves: string[][]]>> = {
  "mini-games": ["rock-paper-scissors", [["rock"], ["paper"]]],
  "tic-tac-toe": ["default", [["0"], ["3"], ["1"], ["4"], ["2"]]],
};

describe("The playground's chain", () => {
  it("plays rock-paper-scissors, whose log decodes and whose replay is identical", async () => {
    const world = await opened("mini-games");
    const matchId = await play(world, ...MATCHES["mini-games"]);
    const record = await world.history.match(matchId);
    expect(await world.game.decodeLog(record, world.history)).to.deep.equal([
      { values: [0, 1], flip: null, kind: 0, result: 2, winner: 2 },
    ]);
    expect((await replay(world.history, [world.game], matchId)).mismatch).to.equal(undefined);
    const { arena, address } = world.clients[1];
    const fee = (2n * STAKE * (await arena.feeBps())) / BPS;
    expect(await arena.purseOf(address, COIN)).to.equal(2n * STAKE - fee);
  });

  it("plays tic-tac-toe, whose log decodes and whose replay is identical", async () => {
    const world = await opened("tic-tac-toe");
    const matchId = await play(world, ...MATCHES["tic-tac-toe"]);
    const record = await world.history.match(matchId);
    const marks = (await world.game.decodeLog(record, world.history)) as { cell: number; winner: number }[];
    expect(marks.map(({ cell, winner }) => [cell, winner])).to.deep.equal([
      [0, 0],
      [3, 0],
      [1, 0],
      [4, 0],
      [2, 1],
    ]);
    expect((await replay(world.history, [world.game], matchId)).mismatch).to.equal(undefined);
  });

  for (const [name, match] of Object.entries(MATCHES)) {
    it(`uses the same gas and writes the same logs as Hardhat's chain for a match of ${name}`, async () => {
      await inPassing(async () => {
        for (const account of ACCOUNTS) await networkHelpers.setBalance(account, parseEther("10000"));
        const start = Number(await now()) + 1000;
        const world = await opened(name, () => start);
        await play(world, ...match);
        // Data costs a minimum, which only a transaction without code reaches.
        const plain = { from: ACCOUNTS[0], to: ACCOUNTS[1], data: `0x${"ff00".repeat(100)}`, value: "0x1" };
        await world.chain.request("eth_sendTransaction", [plain]);
        const receipts = await resent(world);
        expect(receipts.length).to.be.at.least(7);
        for (const [here, there] of receipts) expect(partsOf(here)).to.deep.equal(partsOf(there));
        expect(receipts.flatMap(([{ logs }]) => logs).length).to.be.at.least(6);
      });
    });
  }

  it("refuses what the contracts refuse, with the error that the SDK explains", async () => {
    const world = await opened("tic-tac-toe");
    const { matchId, terms } = await offer(world, "default", ["4"]);
    const [alice, bob] = world.clients;
    const sentence = async (sent: Promise<unknown>) =>
      sent.then(
        () => "",
        (error: unknown) => explain(error),
      );
    const before = await world.chain.request("eth_blockNumber");
    expect(await sentence(alice.cancel(matchId))).to.match(/^Match 1 is a firm offer: it cannot be cancelled/);
    expect(await sentence(bob.timeout(matchId))).to.match(/^Match 1 runs until /);
    expect(await sentence(bob.gasOf(await bob.calls.act(matchId, "0x00")))).to.match(/cannot be done with match 1/);
    expect(await world.chain.request("eth_blockNumber")).to.equal(before);
    expect(await world.provider.getTransactionCount(alice.address)).to.equal(1);
    expect(terms.stake1).to.equal(STAKE);
  });

  it("lets time pass, after which the other player times out", async () => {
    const world = await opened("tic-tac-toe");
    const { clients, game, history, stores } = world;
    const offered = await offer(world, "default", ["4"]);
    const turn = turnOf(await history.match(offered.matchId), Seat.Two, clients[1].address, history);
    await clients[1].join(offered, await game.moves.join(0, turn, stores[1]), { value: STAKE });
    await world.provider.send("evm_increaseTime", [toQuantity(3n * DAY)]);
    await world.provider.send("evm_mine", []);
    await clients[1].timeout(offered.matchId);
    const { settlement } = await history.match(offered.matchId);
    expect(winnerBy(settlement!.status)).to.equal(Seat.Two);
  });

  it("returns the logs of the requested contracts, topics and blocks only", async () => {
    const world = await opened("mini-games");
    await play(world, ...MATCHES["mini-games"]);
    const { provider, addresses } = world;
    const names = async (filter: object) => (await provider.getLogs(filter)).map((log) => decodeEvent(log).name);
    const range = { fromBlock: 0, toBlock: "latest" };
    expect(await names({ ...range, address: addresses.MiniGames })).to.deep.equal(["ModeRegistered", "Log"]);
    expect(await names({ ...range, topics: [topicsOf("Created", "Joined")] })).to.deep.equal(["Created", "Joined"]);
    expect(await names({ ...range, topics: [topicsOf("Created"), ZeroHash] })).to.deep.equal([]);
    const [{ blockNumber, blockHash }] = await provider.getLogs({ ...range, topics: topicsOf("Joined") });
    expect(await names({ fromBlock: blockNumber + 1, address: addresses.Arena })).to.deep.equal(["Acted", "Settled"]);
    expect(await names({ blockHash, address: addresses.Arena })).to.include("Joined");
  });

  it("accepts a transaction that an account outside has signed, once, and keeps past states", async () => {
    const { provider, addresses } = await opened("mini-games");
    const wallet = new Wallet(ZeroHash.replace(/0$/, "7"), provider);
    const raw = await wallet.signTransaction({ to: ACCOUNTS[0], gasLimit: 21_000, gasPrice: 0, chainId: TEST_CHAIN });
    const before = await provider.getBlockNumber();
    const { hash } = await provider.broadcastTransaction(raw);
    expect(hash).to.equal(keccak256(raw));
    expect(await wallet.getNonce()).to.equal(1);
    expect(await provider.getTransactionCount(wallet, before)).to.equal(0);
    expect(await provider.call({ to: addresses.FightToken, data: "0x18160ddd", blockTag: 0 })).to.equal("0x");
    expect(await provider.call({ to: addresses.FightToken, data: "0x18160ddd" })).to.equal(ZeroHash);
    const again = await provider.broadcastTransaction(raw).catch((error: unknown) => explain(error));
    expect(again).to.match(/is for chain 31337 and nonce 0, not for chain 31337 and nonce 1/);
  });

  it("estimates enough gas for each transaction", async () => {
    const world = await opened("mini-games");
    await play(world, ...MATCHES["mini-games"]);
    const { matchId, terms } = await offer(world, ...(MATCHES["mini-games"].slice(0, 1) as [string]), ["rock"]);
    const [, bob] = world.clients;
    const call = await bob.calls.decline(matchId);
    const gas = await bob.gasOf(call);
    const receipt = await (await bob.signer.sendTransaction({ ...call, gasLimit: gas })).wait();
    expect(receipt!.gasUsed <= gas && gas < 2n * receipt!.gasUsed).to.equal(true);
    expect(terms.token).to.equal(COIN);
  });

  for (const [title, method, params, reason] of [
    ["an unknown method", "eth_mining", [], "does not answer eth_mining"],
    ["an account that it does not have", "eth_sendTransaction", [{ from: COIN, to: COIN }], "has no account"],
    ["a block that it does not have", "eth_getBalance", [COIN, "0x2"], "There is no block 0x2"],
    ["time that runs backwards", "evm_increaseTime", ["-1"], "Time cannot be moved by -1 s"],
    ["too little gas", "eth_sendTransaction", [{ from: ACCOUNTS[0], to: COIN, gas: "0x5207" }], "more than 20999 gas"],
    [
      "too little coin",
      "eth_sendTransaction",
      [{ from: ACCOUNTS[0], to: COIN, value: toQuantity(10n ** 23n) }],
      "insufficient funds",
    ],
  ] as const) {
    it(`rejects ${title}`, async () => {
      const chain = await PlaygroundChain.start({ chainId: TEST_CHAIN, accounts: ACCOUNTS });
      await chain.request("evm_mine");
      const refused = await chain.request(method, params).then(
        () => "",
        (error: unknown) => (error as Error).message,
      );
      expect(refused).to.include(reason);
      expect(await chain.request("eth_blockNumber")).to.equal("0x1");
    });
  }
});
