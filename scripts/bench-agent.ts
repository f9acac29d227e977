import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { parseEther, type JsonRpcProvider } from "ethers";
import { HOST, urlOfServer } from "../cli/shared/server/port.js";
import type { Addresses } from "../sdk/chain/addresses.js";
import { History } from "../sdk/chain/history.js";
import { games, stockGame } from "../sdk/games/index.js";
import { demoOf, modeHash } from "../sdk/games/modes.js";
import { Client } from "../sdk/player/client.js";
import { walletSecretStore } from "../sdk/player/secrets.js";
import { takeTurn } from "../sdk/player/turn.js";
import { isOpen, Seat, Status } from "../sdk/protocol/status.js";
import { COIN } from "../sdk/protocol/terms.js";
import { FightToken__factory } from "../typechain-types/index.js";
import { AGENT, startAgent } from "./bench-channels.js";
import { usageOf } from "./process-usage.js";
import { onTemporaryChain } from "./temporary-chain.js";

/** Games of the matches at once: one with one round, and one in which the agent reveals in every round. */
const PLAYED = ["mini-games", "pistols"];
/** Mode of the mini-games that the agent plays, and another mode. */
const MODE = "rock-paper-scissors";
const OTHER_MODE = "coin";
/** Test accounts of the players. */
const PLAYERS = [2, 3, 4, 5, 6, 7, 8, 9];
const BLOCK_SECONDS = 2;
const CLOCK = 300n;

/** Number of offers with which the large number is compared, and number of measured decisions. */
const FEW = 10;
const DECISIONS = 11;
/** Number of different terms of the offers. */
const TERMS = 100;
/** Number of offers per request, and gas of each. */
const AT_ONCE = 100;
const GAS = "0x7a120";
const PATIENCE = 600_000;
/** Milliseconds for which an agent without matches is measured. */
const IDLE = 30_000;
const MINUTE = 60_000;

/** Chain and players of a measurement. */
interface World {
  provider: JsonRpcProvider;
  addresses: Addresses;
  /** Folder for the agent's files. */
  folder: string;
  /** URLs of the chain for the agent, one of them announces events; and number of the calls that the other has received. */
  line: { urls: string; calls: number };
}

/**
 * Measures an agent on chain: matches at once, and decisions among open offers of others.
 * @returns a line for each measurement
 */
export async function* benchAgent({ duels, offers }: Record<"duels" | "offers", number>): AsyncGenerator<string> {
  if (duels > 0) yield await inWorld((world) => benchDuels(world, duels));
  if (offers === 0) return;
  yield await inWorld((world) => benchDecisions(world, Math.min(FEW, offers)));
  yield await inWorld((world) => benchDecisions(world, offers));
}

/** Plays matches at once, each to its end, on a chain that mines at intervals. */
async function benchDuels(world: World, count: number): Promise<string> {
  const { provider, addresses, folder, line } = world;
  const agent = await startAgent(folder, line.urls, { matches: count, clock: { min: "1m", max: "30d" } });
  try {
    const { address } = await provider.getSigner(AGENT);
    const players = await Promise.all(PLAYERS.map((account) => clientOf(world, account)));
    await provider.send("evm_setAutomine", [false]);
    await provider.send("evm_setIntervalMining", [BLOCK_SECONDS * 1000]);
    const [before, calls, from] = [await usageOf(agent.pid!), line.calls, await provider.getBlockNumber()];
    const start = performance.now();
    const history = new History(provider, addresses);
    const all = Array.from({ length: count }, (_, n) =>
      duel(players[n % players.length], history, address, PLAYED[n % PLAYED.length]),
    );
    const ends = await Promise.all(all);
    const seconds = (performance.now() - start) / 1000;
    const [after, sent] = [await usageOf(agent.pid!), await provider.getTransactionCount(address)];
    const gas = await gasOf(provider, address, from);
    const used = line.calls - calls;
    const idle = await idleCalls(line);
    return [
      `Matches at once against an agent on chain: ${count}, over in ${seconds.toFixed(0)} s with a block each ${BLOCK_SECONDS} s`,
      `${ends.filter(Boolean).length} lost by the clock`,
      `${(sent / count).toFixed(1)} transactions of the agent each, in ${gas.blocks} blocks, of ${gas.each.toFixed(0)} gas`,
      `${(used / count).toFixed(0)} calls of the node each`,
      `${idle.toFixed(0)} calls a minute once nothing happens`,
      `${((after.time - before.time) / count).toFixed(0)} ms of processor each`,
      `memory ${after.memory.toFixed(0)} MB`,
    ].join(", ");
  } finally {
    agent.kill();
    await once(agent, "close");
  }
}

/** Counts the calls per minute of an agent on a chain without transactions, which mines at intervals. */
async function idleCalls(line: World["line"]): Promise<number> {
  // The agent reports the ends of its matches first.
  await pause(2 * BLOCK_SECONDS * 1000);
  const before = line.calls;
  await pause(IDLE);
  return (line.calls - before) * (MINUTE / IDLE);
}

/** Plays one match to its end. @returns whether the agent lost it by the clock */
async function duel(player: Client, history: History, opponent: string, name: string): Promise<boolean> {
  const game = stockGame(name);
  const { terms, data, secretStore } = await firstMove(player, history, name);
  const { matchId } = await player.create({ terms, opponent, data });
  for (;;) {
    const { status, turn } = await player.arena.matchOf(matchId);
    if (!isOpen({ status })) return status === Status.P1WinInactive;
    if (turn === Seat.One) {
      const move = (open: Parameters<typeof game.moves.suggest>[0]) => game.moves.suggest(open, secretStore);
      await takeTurn(player, history, matchId, { secretStore, move });
    } else await pause((BLOCK_SECONDS * 1000) / 4);
  }
}

/** Measures how long an agent takes to accept an offer among open offers that it refuses, for now or for good. */
async function benchDecisions(world: World, count: number): Promise<string> {
  const { folder, line } = world;
  // The agent reads the earlier matches of the challenger, who therefore has made none of the other offers.
  const [challenger, other] = await Promise.all(PLAYERS.map((account) => clientOf(world, account)));
  await offerAll(world, other, count);
  const policy = {
    games: { "mini-games": [MODE] },
    tokens: { FIGHT: { stake: "1", total: "1" } },
    matches: DECISIONS + 1,
  };
  const began = performance.now();
  const agent = await startAgent(folder, line.urls, policy);
  try {
    const first = await decision(world, challenger, began);
    const [before, calls] = [await usageOf(agent.pid!), line.calls];
    const times: number[] = [];
    for (let n = 0; n < DECISIONS; n++) times.push(await decision(world, challenger));
    const after = await usageOf(agent.pid!);
    times.sort((a, b) => a - b);
    return [
      `Decision of an agent among ${count} open offers of others: ${times[times.length >> 1].toFixed(0)} ms, at most ${times.at(-1)!.toFixed(0)} ms`,
      `${((after.time - before.time) / DECISIONS).toFixed(0)} ms of processor each`,
      `${((line.calls - calls) / DECISIONS).toFixed(0)} calls of the node each`,
      `first decision ${(first / 1000).toFixed(1)} s after its start`,
      `memory ${after.memory.toFixed(0)} MB`,
    ].join(", ");
  } finally {
    agent.kill();
    await once(agent, "close");
  }
}

/** Makes an offer that the agent accepts. @returns milliseconds from a time, by default now, until it has accepted */
async function decision(world: World, challenger: Client, from?: number): Promise<number> {
  const history = new History(world.provider, world.addresses);
  const { terms, data } = await firstMove(challenger, history, "mini-games");
  const { matchId } = await challenger.create({ terms, data });
  const start = from ?? performance.now();
  while ((await challenger.arena.statusOf(matchId)) < Status.AllDeposited) {
    if (performance.now() - start > PATIENCE) throw new Error(`The agent has not accepted match ${matchId}.`);
    await pause(5);
  }
  return performance.now() - start;
}

/** Makes offers to anyone: half of them with a stake that the agent's purse does not hold, half in another mode. */
async function offerAll({ provider, addresses }: World, challenger: Client, count: number): Promise<void> {
  const owner = await provider.getSigner(0);
  const amount = parseEther("1");
  await FightToken__factory.connect(addresses.FightToken, owner).mint(challenger.address, amount);
  await challenger.deposit(addresses.FightToken, amount);
  const history = new History(provider, addresses);
  const { terms, data } = await firstMove(challenger, history, "mini-games");
  const other = stockGame("mini-games").modes[OTHER_MODE];
  const kinds = [
    { ...terms, token: addresses.FightToken, stake1: 1n, stake2: 1n },
    { ...terms, mode: modeHash(other.content) },
  ];
  const calls: { to: string; data: string }[] = [];
  for (let n = 0; n < Math.min(count, TERMS); n++) {
    const offered = { ...kinds[n % kinds.length], clock: terms.clock + BigInt(n) };
    calls.push(await challenger.calls.create({ terms: offered, data }));
  }
  for (let made = 0; made < count; made += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, n) => calls[(made + n) % calls.length]);
    const sent = some.map(({ to, data: call }) =>
      provider.send("eth_sendTransaction", [{ from: challenger.address, to, data: call, gas: GAS }]),
    );
    await Promise.all(sent);
  }
  const offered = await challenger.arena.matchCount();
  if (offered < count) throw new Error(`Only ${offered} of ${count} offers were made.`);
}

/** Returns terms without stakes, and a first move, of a game. */
async function firstMove(client: Client, history: History, name: string) {
  const game = stockGame(name);
  const at = client.addresses[game.contract];
  const { content } = game.modes[MODE] ?? demoOf(game);
  const mode = modeHash(content);
  const secretStore = await walletSecretStore(client, at);
  const turn = { seat: Seat.One, player: client.address, game: at, mode, history };
  const data = await game.moves.create(await game.moves.suggest(turn, secretStore), turn, secretStore);
  const terms = { game: at, mode, token: COIN, stake1: 0n, stake2: 0n, clock: CLOCK, rated: true };
  return { terms, data, secretStore };
}

/** Averages the gas of the agent's transactions since a block, and counts the blocks with any. */
async function gasOf(provider: JsonRpcProvider, from: string, since: number) {
  let [blocks, gas, count] = [0, 0n, 0];
  for (let number = since + 1; number <= (await provider.getBlockNumber()); number++) {
    const block = await provider.getBlock(number, true);
    const own = block!.prefetchedTransactions.filter((each) => each.from === from);
    if (own.length > 0) blocks++;
    for (const { hash } of own) {
      gas += (await provider.getTransactionReceipt(hash))!.gasUsed;
      count++;
    }
  }
  return { blocks, each: Number(gas) / count };
}

async function clientOf({ provider, addresses }: World, account: number): Promise<Client> {
  return Client.connect(addresses, games, await provider.getSigner(account));
}

/** Runs a measurement on a new chain. */
async function inWorld(measure: (world: World) => Promise<string>): Promise<string> {
  return onTemporaryChain(async ({ folder, url, provider, addresses }) => {
    const { line, close } = await countedLine(url);
    return measure({ provider, addresses, folder, line }).finally(close);
  });
}

/** Starts a server that passes requests on to a node, and counts their calls. The node itself announces events. */
async function countedLine(url: string): Promise<{ line: World["line"]; close: () => void }> {
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      line.calls += [JSON.parse(body)].flat().length;
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", body, headers });
      response.setHeader("content-type", "application/json");
      response.end(await answer.text());
    });
  });
  server.listen(0, HOST);
  await once(server, "listening");
  const line = { urls: `${urlOfServer(server)},${url.replace("http", "ws")}`, calls: 0 };
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { line, close };
}
