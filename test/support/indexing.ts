import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { JsonRpcProvider } from "ethers";
import { Indexer, type IndexerOptions } from "../../indexer/indexer.js";
import { ChainServer } from "../../scripts/chain-server.js";
import { SETTINGS } from "../../scripts/soak/chain.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { Archive } from "../../sdk/chain/archive.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows } from "../../sdk/verify/expected-rows.js";
import { compareIndex, type IndexComparison } from "../../sdk/verify/index-comparison.js";
import { readDocument } from "../../scripts/document.js";
import { eventually, PATIENCE } from "./patience.js";
import { freePort } from "./running.js";

/** Milliseconds between two reads of an index. */
export const PAUSE = 500;

const folders: string[] = [];
const nodes: ChainServer[] = [];
const indexers: Indexer[] = [];

/** Ends all indexes and nodes that were started, and removes their data. */
export async function endAll(): Promise<void> {
  await Promise.all(indexers.splice(0).map((indexer) => indexer.stop()));
  await Promise.all(nodes.splice(0).map((node) => node.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

/** Starts a node that `endAll` ends. */
export async function startNode(...options: Parameters<typeof ChainServer.start>): Promise<ChainServer> {
  const node = await ChainServer.start(...options);
  nodes.push(node);
  return node;
}

/** Connects to a node. */
export function providerOf(url: string): JsonRpcProvider {
  const provider = new JsonRpcProvider(url, SETTINGS.chainId, { staticNetwork: true, cacheTimeout: -1 });
  provider.pollingInterval = 50;
  return provider;
}

/** Starts an index of the deployment on a node. */
export async function index(url: string, addresses: Addresses, more: Partial<IndexerOptions> = {}): Promise<Indexer> {
  const deployment = { chainId: SETTINGS.chainId, block: 0, addresses };
  const folder = mkdtempSync(join(tmpdir(), "duello-"));
  folders.push(folder);
  const indexer = await Indexer.start({
    deployment: async () => deployment,
    provider: providerOf(url),
    rpc: [url],
    port: await freePort(),
    folder,
    ...more,
  });
  indexers.push(indexer);
  return indexer;
}

/** Checks that an index contains the rows of all events of its chain, once it has caught up. */
export async function agrees(indexer: Indexer, url: string, addresses: Addresses): Promise<IndexComparison> {
  const provider = providerOf(url);
  const archive = await Archive.read(provider, addresses);
  const expected = await expectedRows(archive, games);
  await indexer.ready(archive.last.number);
  const deployment = { chainId: SETTINGS.chainId, addresses };
  // Rows of undone blocks may remain until the new blocks are read.
  const compared = await eventually(async () => {
    const client = await IndexClient.open(indexer.url, deployment, { timeLimit: PATIENCE });
    const result = await compareIndex(client, expected);
    expect(result.mismatch && locatedMismatchText(result.mismatch)).to.equal(undefined);
    return result;
  });
  provider.destroy();
  return compared;
}

/**
 * Runs all queries of the page about indexing. Each must return rows, except checks that return none if all is right.
 */
export async function askAll(indexer: Indexer, addresses: Addresses): Promise<void> {
  const client = await IndexClient.open(indexer.url, { chainId: SETTINGS.chainId, addresses }, { timeLimit: PATIENCE });
  const { rows } = await client.page("record", { orderBy: "opponents", descending: true, limit: 1 });
  const [{ game, player }] = rows;
  const pairs = (await client.page("pair", { where: { game } })).rows;
  const { low, high } = pairs.find((pair) => pair.low === player || pair.high === player)!;
  const words = { PLAYER: low, OPPONENT: high, GAME: game, TOKEN: addresses.FightToken };
  const questions = readDocument("docs/indexing.md").blocks.filter(({ language }) => /^(graphql|sql)$/.test(language));
  expect(questions.length).to.be.at.least(10);
  for (const { at, language, text } of questions) {
    const question = text.replace(/\b(PLAYER|OPPONENT|GAME|TOKEN)\b/g, (word) => words[word as keyof typeof words]);
    const found =
      language === "sql" ? await rowsOfSql(indexer.url, question) : await rowsOfLists(indexer.url, question);
    if (question.includes("having total <>")) expect(found, at).to.deep.equal([]);
    // A soak may play no match in a channel. It ends all its offers and revokes its operators.
    else if (/isOver: false|operators|channelMatchs/.test(question)) expect(found, at).to.be.an("array");
    else expect(found, at).to.not.be.empty;
  }
}

/** Answer to a GraphQL query. */
interface Answer {
  data?: Record<string, unknown>;
  errors?: { message: string }[];
}

/** Sends a GraphQL query to an index. */
export async function askGraphql(url: string, query: string): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  return (await response.json()) as Answer;
}

/** Returns the part of a URL for an SQL query. */
export function sqlQuestion(sql: string, params: readonly string[] = []): string {
  return new URLSearchParams({ sql: JSON.stringify({ json: { sql, params } }) }).toString();
}

async function rowsOfLists(url: string, query: string): Promise<unknown[]> {
  const { data, errors } = await askGraphql(url, query);
  expect(errors).to.equal(undefined);
  const lists = Object.values(data as Record<string, { items: unknown[] }>).map(({ items }) => items);
  return lists.some((items) => items.length === 0) ? [] : lists.flat();
}

async function rowsOfSql(url: string, sql: string): Promise<unknown[]> {
  const response = await fetch(`${url}/sql/db?${sqlQuestion(sql)}`);
  const answer = await response.text();
  expect(response.ok, answer).to.equal(true);
  return (JSON.parse(answer) as { rows: unknown[] }).rows;
}
