import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { JsonRpcProvider } from "ethers";
import { Indexer } from "../../indexer/indexer.js";
import { freePort } from "../../cli/shared/server/port.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { logsOf } from "../../sdk/chain/source.js";
import { games } from "../../sdk/games/index.js";
import { benchCommands } from "./bench-commands.js";
import { benchRequests } from "./bench-requests.js";
import { MatchSynthesizer } from "./match-synthesizer.js";
import { RecordedNode } from "./recorded-node.js";

/** Players of the recorded matches. */
const PLAYERS = 200;
/** Recorded matches for one that is still offered at the end. */
const MATCHES_PER_OFFER = 100;
const PAUSE = 20;

/**
 * Synthesizes matches, and measures commands that read them from the chain. Then measures how long an index takes to
 * read the events, and to answer the requests of commands and of the page. For comparison, a plain loop writes logs to
 * SQLite.
 * @param database URL of Postgres; if undefined, only the embedded database is measured.
 * @returns a line for each measurement.
 */
export async function benchIndex(count: number, database: string | undefined): Promise<string[]> {
  const { archive, players } = await record(count);
  const events = archive.all.length;
  const node = await RecordedNode.start(archive);
  const lines = [`Recorded ${count} matches: ${events} events`];
  try {
    await node.recordViews();
    lines.push(...(await benchCommands(node, archive, players[0])));
    const plain = await plainLoop(node, archive);
    lines.push(`Plain loop into SQLite: ${rateOf(events, plain)} events a second`);
    const databases = [
      ["the embedded database", undefined],
      ...(database ? [["Postgres", database] as const] : []),
    ] as const;
    for (const [name, url] of databases) lines.push(...(await indexed(node, archive, players, { name, url }, plain)));
  } finally {
    node.stop();
  }
  return lines;
}

/** Plays short matches, and offers some more. */
async function record(count: number): Promise<{ archive: Archive; players: readonly string[] }> {
  const matches = new MatchSynthesizer(PLAYERS);
  const short = games.filter(({ demo }) => demo === undefined);
  await matches.playEach(short, count);
  for (let n = 0; n < count / MATCHES_PER_OFFER; n++) await matches.offer(short[n % short.length]);
  return { archive: matches.done(), players: matches.players };
}

/** Reads all logs, and writes them to SQLite unchanged. @returns seconds. */
async function plainLoop(node: RecordedNode, { addresses, chainId }: Archive): Promise<number> {
  const provider = new JsonRpcProvider(node.url, chainId, { staticNetwork: true });
  const database = new DatabaseSync(":memory:");
  database.exec(
    "create table log (block int, place int, address text, topics text, data text, primary key (block, place))",
  );
  const insert = database.prepare("insert into log values (?, ?, ?, ?, ?)");
  const start = performance.now();
  for await (const { logs } of logsOf(provider, addresses, 0, await provider.getBlockNumber(), {})) {
    database.exec("begin");
    for (const { blockNumber, index, address, topics, data } of logs) {
      insert.run(blockNumber, index, address, topics.join(" "), data);
    }
    database.exec("commit");
  }
  const seconds = (performance.now() - start) / 1000;
  database.close();
  provider.destroy();
  return seconds;
}

async function indexed(
  node: RecordedNode,
  archive: Archive,
  players: readonly string[],
  { name, url }: { name: string; url: string | undefined },
  plain: number,
): Promise<string[]> {
  const { addresses, chainId, all } = archive;
  const provider = new JsonRpcProvider(node.url, chainId, { staticNetwork: true });
  const deployment = { chainId: Number(chainId), block: 0, addresses };
  const folder = await mkdtemp(join(tmpdir(), "duello-"));
  const indexer = await Indexer.start({
    deployment: async () => deployment,
    provider,
    rpc: [node.url],
    port: await freePort(),
    folder,
    database: url,
    onLog: (line) => console.error(line),
  });
  try {
    await untilUp(indexer.url);
    const start = performance.now();
    await indexer.ready();
    const seconds = (performance.now() - start) / 1000;
    const client = await IndexClient.open(indexer.url, deployment);
    return [
      `Index in ${name}: ${seconds.toFixed(1)} s, ${rateOf(all.length, seconds)} events a second`,
      `index : plain loop = 1 : ${(seconds / plain).toFixed(1)}`,
      ...(await benchRequests(client, players)).map((line) => `${name}, ${line}`),
      ...(await benchCommands(node, archive, players[0], indexer.url)),
    ];
  } finally {
    await indexer.stop();
    provider.destroy();
    await rm(folder, { recursive: true });
  }
}

async function untilUp(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response?.ok) return;
    await wait(PAUSE);
  }
}

function rateOf(events: number, seconds: number): string {
  return (events / seconds).toFixed(0);
}
