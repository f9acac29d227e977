import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { id, JsonRpcProvider, type JsonRpcSigner } from "ethers";
import hre from "hardhat";
import type { JsonRpcServer } from "hardhat/types/network";
import { Indexer, type IndexerOptions } from "../../indexer/indexer.js";
import { playMatch } from "../../scripts/demo-match.js";
import { giveAll, urlOf } from "../../scripts/local-chain.js";
import { Chain, phraseOf, SETTINGS } from "../../scripts/soak/chain.js";
import { Random } from "../../scripts/soak/random.js";
import { soak } from "../../scripts/soak/run.js";
import { deployAll } from "../../scripts/soak/world.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { Archive } from "../../sdk/chain/archive.js";
import { History } from "../../sdk/chain/history.js";
import { countedMatches, standingsOf } from "../../sdk/chain/ranking.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import { Client } from "../../sdk/player/client.js";
import { walletSecretStore } from "../../sdk/player/secrets.js";
import { agreementRequest, NEVER } from "../../sdk/protocol/away/signatures.js";
import { Seat } from "../../sdk/protocol/status.js";
import { COIN, termsHash } from "../../sdk/protocol/terms.js";
import { expectedRows } from "../../sdk/verify/expected-rows.js";
import { compareIndex, type IndexComparison } from "../../sdk/verify/index-comparison.js";
import { endServer } from "../support/chain-server.js";
import { Postgres, postgresFolder } from "../support/postgres.js";
import { freePort } from "../support/running.js";
import { readDocument } from "../scripts/documents/document.js";

const SEED = "an index";
const MATCHES = Number(process.env.MATCHES ?? 100);
/** Milliseconds between two comparisons of an index that has not come to the state of its chain yet. */
const PAUSE = 500;
/** Milliseconds that it has for that. */
const PATIENCE = 180_000;
/** Milliseconds until a process that indexes is killed, at random up to this, and those that it has then to come back. */
const KILLS = { within: 4_000, apart: 20_000 };
/** Blocks after which Ponder takes all before them for final, on a chain that it does not know. */
const FINAL_AFTER = 100;

const folder = mkdtempSync(join(tmpdir(), "duello-"));
const servers: { server: JsonRpcServer; port: number }[] = [];
const indexers: Indexer[] = [];

/** Starts a node. */
async function startNode(port: number, override: object): Promise<string> {
  const server = await hre.network.createServer({ network: "node", override }, "127.0.0.1", port);
  await server.listen();
  servers.push({ server, port });
  return urlOf(port);
}

function providerOf(url: string): JsonRpcProvider {
  const provider = new JsonRpcProvider(url, SETTINGS.chainId, { staticNetwork: true, cacheTimeout: -1 });
  provider.pollingInterval = 50;
  return provider;
}

/** Starts an index of what is deployed on a node. */
async function index(url: string, addresses: Addresses, more: Partial<IndexerOptions> = {}): Promise<Indexer> {
  const deployment = { chainId: SETTINGS.chainId, block: 0, addresses };
  const indexer = Indexer.start({
    deployment: async () => deployment,
    provider: providerOf(url),
    rpc: [url],
    port: await freePort(),
    folder: mkdtempSync(join(folder, "index-")),
    ...more,
  });
  indexers.push(indexer);
  return indexer;
}

/** Checks that an index says what follows from all events of its chain, once it has come to their end. */
async function agrees(indexer: Indexer, url: string, addresses: Addresses): Promise<IndexComparison> {
  const provider = providerOf(url);
  const archive = await Archive.read(provider, addresses);
  const expected = await expectedRows(archive, games);
  await indexer.ready(archive.last.number);
  const deployment = { chainId: SETTINGS.chainId, addresses };
  // Blocks that were undone may stand until those in their place are read.
  for (const start = performance.now(); ; await pause(PAUSE)) {
    const client = await IndexClient.open(indexer.url, deployment);
    const result = await compareIndex(client, expected);
    if (result.mismatch && performance.now() - start < PATIENCE) continue;
    provider.destroy();
    expect(result.mismatch && locatedMismatchText(result.mismatch)).to.equal(undefined);
    return result;
  }
}

/** Kills the process that indexes again and again, at moments that nobody chose. @returns function that ends it, and counts. */
function killAgainAndAgain(indexer: Indexer): () => number {
  let kills = 0;
  const kill = () => {
    const { pid } = indexer;
    if (pid !== undefined) process.kill(pid, "SIGKILL");
    kills++;
    timer = setTimeout(kill, KILLS.apart + KILLS.within * Math.random());
  };
  let timer = setTimeout(kill, KILLS.within * Math.random());
  return () => {
    clearTimeout(timer);
    return kills;
  };
}

describe("Rows of an index", () => {
  const programs = postgresFolder();
  let postgres: Postgres | undefined;
  let chain: Chain | undefined;
  let stopKilling: (() => number) | undefined;

  // Ponder keeps what it reads of a chain by the chain's id, which all local chains share: each has a server of its own.
  beforeEach(async () => {
    if (programs !== undefined) postgres = await Postgres.start(programs);
    else if (process.env.CI) throw new Error("Postgres is not installed.");
  });

  // What goes on would keep the program from its end, also where a test fails.
  afterEach(async () => {
    stopKilling?.();
    await chain?.close();
    stopKilling = chain = undefined;
    await Promise.all(indexers.splice(0).map((indexer) => indexer.stop()));
    await Promise.all(servers.splice(0).map(({ server, port }) => endServer(server, port)));
    await postgres?.stop();
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  it(`are what the verifier derives after ${MATCHES} matches with all faults, in both databases, and answer what the page asks`, async () => {
    const { hardfork, accounts: count, start } = SETTINGS;
    const url = await startNode(await freePort(), {
      accounts: { mnemonic: phraseOf(SEED), count },
      hardfork,
      initialDate: new Date(start * 1000),
      mining: { auto: false },
    });
    const random = new Random(SEED);
    chain = await Chain.at(url, random);
    let live: Indexer | undefined;
    const { world } = await soak(chain, random, {
      matches: MATCHES,
      async prepare({ addresses }) {
        live = await index(url, addresses);
        stopKilling = killAgainAndAgain(live);
      },
    });
    expect(stopKilling!()).to.be.above(0);
    const { addresses } = world;
    const whole = await agrees(live!, url, addresses);
    expect(whole.rows).to.be.above(10 * MATCHES);
    await askAll(live!, addresses);
    if (postgres) {
      const later = await index(url, addresses, { database: postgres.url });
      const same = await agrees(later, url, addresses);
      expect(same.rows).to.equal(whole.rows);
      await askAll(later, addresses);
      const replica = await index(url, addresses, { database: postgres.url, isReplica: true });
      expect((await agrees(replica, url, addresses)).rows).to.equal(whole.rows);
    }
  });

  it("are read again after more blocks were undone than Ponder can undo, which is told for Postgres, as it keeps them", async () => {
    const url = await startNode(await freePort(), {});
    const provider = providerOf(url);
    const signers = await Promise.all(Array.from({ length: 4 }, (_, number) => provider.getSigner(number)));
    const addresses = await prepare(signers);
    const play = playOn(provider, addresses, signers);
    const told: string[][] = [[], []];
    const databases = [undefined, ...(postgres ? [postgres.url] : [])];
    const indexers = await Promise.all(
      databases.map((database, i) => index(url, addresses, { database, onLog: (line) => told[i].push(line) })),
    );
    await play("mini-games");
    const snapshot: unknown = await provider.send("evm_snapshot", []);
    await play("tic-tac-toe");
    // Blocks that are mined at once have hashes which do not follow from each other.
    for (let mined = 0; mined < FINAL_AFTER; mined++) await provider.send("evm_mine", []);
    for (const indexer of indexers) await agrees(indexer, url, addresses);
    await provider.send("evm_revert", [snapshot]);
    await play("pistols");
    await agrees(indexers[0], url, addresses);
    expect(told[0]).to.include("The chain was taken back by more blocks than can be undone. All of it is read again.");
    if (postgres) {
      const line =
        "The chain was taken back by more blocks than can be undone. Stop the index, empty its database, and start it again.";
      while (!told[1].includes(line)) await pause(PAUSE);
    }
    provider.destroy();
  });

  it("count draws of players whose ratings are zero, but those by the clock", async () => {
    const url = await startNode(await freePort(), {});
    const provider = providerOf(url);
    const signers = await Promise.all(Array.from({ length: 5 }, (_, number) => provider.getSigner(number)));
    const addresses = await prepare(signers);
    const clients = await Promise.all(signers.slice(2).map((signer) => Client.connect(addresses, games, signer)));
    const [alice, bob, carol] = clients;
    const history = () => new History(provider, addresses);
    const { moves, modes } = stockGame("warmancer");
    const { content } = modes["quick-away"];
    await alice.registerMode(addresses.Warmancer, content);
    /** Begins a rated match. */
    const begun = async (one: Client, two: Client): Promise<bigint> => {
      const [ones, twos] = await Promise.all([one, two].map((each) => walletSecretStore(each, addresses.Warmancer)));
      const stakes = { token: COIN, stake1: 0n, stake2: 0n };
      const terms = { game: addresses.Warmancer, mode: modeHash(content), clock: 3600n, rated: true, ...stakes };
      const first = firstTurn(terms, one.address, history());
      const army = await moves.read(await moves.suggest(first, ones), first, ones);
      const offer = await one.create({ terms, data: await moves.create(army, first, ones), opponent: two.address });
      const turn = turnOf(await history().match(offer.matchId), Seat.Two, two.address, history());
      const answer = await moves.read(await moves.suggest(turn, twos), turn, twos);
      await two.join(offer, await moves.join(answer, turn, twos));
      return offer.matchId;
    };
    const game = addresses.Warmancer;
    for (const loser of [bob, carol]) {
      while ((await alice.arena.recordOf(game, loser.address)).rating > 0n) {
        await loser.resign(await begun(loser, alice));
      }
    }
    const agreed = await begun(bob, carol);
    const { terms } = await history().match(agreed);
    const draw = { matchId: agreed, termsHash: termsHash(terms), winner: Seat.None, until: NEVER, record: id("any") };
    const { domain, types, value } = agreementRequest(31_337n, addresses.Arena, draw);
    const [signature1, signature2] = await Promise.all(
      [bob, carol].map(({ signer }) => signer.signTypedData(domain, types, value)),
    );
    await alice.settle(draw, { signature1: signature1, signature2: signature2 });
    const lapsed = await begun(bob, carol);
    await provider.send("evm_increaseTime", [31 * 86_400]);
    await alice.timeout(lapsed);
    const { rating, draws } = await alice.arena.recordOf(game, bob.address);
    expect([rating, draws]).to.deep.equal([0n, 1n]);
    const archive = await Archive.read(provider, addresses);
    const { match, record } = await expectedRows(archive, games);
    const counted = match.filter(({ matchId }) => matchId === agreed || matchId === lapsed);
    expect(counted.map(({ isCounted }) => isCounted)).to.deep.equal([true, false]);
    expect(record.filter((each) => each.draws === 1n)).to.have.length(2);
    const standings = standingsOf(countedMatches(archive.all), game);
    expect(standings.filter((each) => each.draws === 1)).to.have.length(2);
    const indexer = await index(url, addresses);
    await agrees(indexer, url, addresses);
    provider.destroy();
  });

  for (const kind of ["the embedded database", "Postgres"] as const) {
    it(`are those of the chain that there is after blocks were undone, after a kill, and after it was started anew, in ${kind}`, async function () {
      if (kind === "Postgres" && !postgres) return this.skip();
      const database = kind === "Postgres" ? postgres!.url : undefined;
      const port = await freePort();
      const url = await startNode(port, {});
      const provider = providerOf(url);
      const signers = await Promise.all(Array.from({ length: 4 }, (_, number) => provider.getSigner(number)));
      const addresses = await prepare(signers);
      const indexer = await index(url, addresses, { database });
      const play = playOn(provider, addresses, signers);
      await play("mini-games");
      await agrees(indexer, url, addresses);
      const snapshot: unknown = await provider.send("evm_snapshot", []);
      await play("auto-battler");
      await play("tic-tac-toe");
      await agrees(indexer, url, addresses);
      await provider.send("evm_revert", [snapshot]);
      await play("pistols");
      await agrees(indexer, url, addresses);
      process.kill(indexer.pid!, "SIGKILL");
      await play("guardians");
      await agrees(indexer, url, addresses);
      provider.destroy();
      await endServer(servers.pop()!.server, port);
      const again = providerOf(await startNode(port, { initialDate: new Date("2100-01-01T00:00:00Z") }));
      const others = await Promise.all(Array.from({ length: 4 }, (_, number) => again.getSigner(number)));
      expect(await prepare(others)).to.deep.equal(addresses);
      await playOn(again, addresses, others)("tic-tac-toe");
      await agrees(indexer, url, addresses);
      again.destroy();
    });
  }
});

/** Asks all questions of the page about indexing, each of which has an answer of rows; none where everything adds up. */
async function askAll(indexer: Indexer, addresses: Addresses): Promise<void> {
  const client = await IndexClient.open(indexer.url, { chainId: SETTINGS.chainId, addresses });
  const { rows } = await client.page("pair", { orderBy: "winsLow", descending: true, limit: 1 });
  const [{ game, low, high }] = rows;
  const words = { PLAYER: low, OPPONENT: high, GAME: game, TOKEN: addresses.FightToken };
  const questions = readDocument("docs/indexing.md").blocks.filter(({ language }) => /^(graphql|sql)$/.test(language));
  expect(questions.length).to.be.at.least(10);
  for (const { at, language, text } of questions) {
    const question = text.replace(/\b(PLAYER|OPPONENT|GAME|TOKEN)\b/g, (word) => words[word as keyof typeof words]);
    const found = language === "sql" ? await askSql(indexer.url, question) : await askGraphql(indexer.url, question);
    if (question.includes("having total <>")) expect(found, at).to.deep.equal([]);
    // A soak ends all its offers, and revokes the operators that it allows.
    else if (/isOver: false|operators/.test(question)) expect(found, at).to.be.an("array");
    else expect(found, at).to.not.be.empty;
  }
}

async function askGraphql(url: string, query: string): Promise<unknown[]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await response.json()) as { data?: Record<string, { items: unknown[] }>; errors?: unknown };
  expect(errors).to.equal(undefined);
  const lists = Object.values(data!).map(({ items }) => items);
  return lists.some((items) => items.length === 0) ? [] : lists.flat();
}

async function askSql(url: string, sql: string): Promise<unknown[]> {
  const query = JSON.stringify({ json: { sql, params: [] } });
  const response = await fetch(`${url}/sql/db?${new URLSearchParams({ sql: query }).toString()}`);
  const answer = await response.text();
  expect(response.ok, answer).to.equal(true);
  return (JSON.parse(answer) as { rows: unknown[] }).rows;
}

/** Deploys everything, and gives two players all that they need. */
async function prepare(signers: readonly JsonRpcSigner[]): Promise<Addresses> {
  const addresses = await deployAll({ signers });
  const [owner, , alice, bob] = signers;
  await giveAll(owner, addresses, [alice.address, bob.address]);
  return addresses;
}

/** Returns a function that lets the players play a match of a game. */
function playOn(provider: JsonRpcProvider, addresses: Addresses, [, , ...players]: readonly JsonRpcSigner[]) {
  return async (name: string) => {
    const [alice, bob] = await Promise.all(players.map((player) => Client.connect(addresses, games, player)));
    await playMatch(stockGame(name), alice, bob, new History(provider, addresses));
  };
}
