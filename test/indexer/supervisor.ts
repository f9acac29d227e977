import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import type { Provider } from "ethers";
import type { Indexer, IndexerOptions } from "../../indexer/indexer.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { endAll, index } from "../support/indexing.js";
import { eventually } from "../support/patience.js";

const PAUSE = 50;
/** Latest block of the program that replaces Ponder. */
const HEAD = 7;

/**
 * Program that replaces Ponder. It reports its arguments and whether there is a database of that name, and answers that
 * it has reached a block. On a signal it reports that more blocks are gone than can be undone.
 */
const PROGRAM = `
import { existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:http";
const [, , command, , schema, , host, , port] = process.argv;
const { folder } = JSON.parse(process.env.DUELLO_INDEX_SETTING);
const say = (level, msg, more) => console.log(JSON.stringify({ level, msg, ...more }));
say(40, [command, schema, folder && (existsSync(folder) ? "kept" : "new")].filter(Boolean).join(" "));
if (folder) mkdirSync(folder, { recursive: true });
process.on("SIGUSR2", () => say(50, "Encountered unrecoverable reorg"));
process.stdin.on("close", () => process.exit()).resume();
createServer((_, response) => response.end('{"duello":{"block":{"number":${HEAD}}}}'))
  .listen(Number(port), host, () => say(30, "Created HTTP server", { port: Number(port) }));
`;

const ADDRESSES = { Arena: `0x${"aa".repeat(20)}` } as unknown as Addresses;

describe("Supervisor of an index", () => {
  let scratch: string;
  let folder: string;
  /** The chain's latest block, the hash of its first block, and the number of requests for the latest block. */
  let [head, genesis, looks] = [HEAD, "", 0];
  let time: number;
  let said: string[];
  let indexer: Indexer;

  const provider = {
    getBlock: async () => ({ hash: genesis }),
    getBlockNumber: async () => {
      looks++;
      return head;
    },
    getCode: async () => "0x01",
  } as unknown as Provider;

  beforeEach(() => {
    scratch = mkdtempSync(join(tmpdir(), "duello-"));
    folder = join(scratch, "databases");
    writeFileSync(join(scratch, "ponder.mjs"), PROGRAM);
    [head, genesis, looks, time, said] = [HEAD, `0x${"11".repeat(32)}`, 0, 0, []];
  });

  afterEach(async () => {
    await endAll();
    rmSync(scratch, { recursive: true });
  });

  /** Starts an index of the program, and waits until it is ready. */
  const start = async (options: Partial<IndexerOptions> = {}) => {
    indexer = await index("http://127.0.0.1:2", ADDRESSES, {
      provider,
      folder,
      program: join(scratch, "ponder.mjs"),
      signs: { limit: 1_000, pause: PAUSE },
      onLog: (line) => said.push(line),
      now: () => time,
      ...options,
    });
    await until(200);
  };
  const answer = async () => {
    const response = await fetch(`${indexer.url}/ready`).catch(() => undefined);
    return [response?.status, await response?.text()];
  };
  const until = async (status: number) => {
    while ((await answer())[0] !== status) await pause(PAUSE);
  };
  const says = async (line: string) => {
    while (!said.includes(line)) await pause(PAUSE);
  };
  /** Returns the arguments with which the program was started. */
  const starts = () => said.filter((line) => /^(start|serve) /.test(line));

  it("is not ready if the chain advances but the index has not advanced for a minute", async () => {
    await start();
    const answersLater = async (...expected: [number, string]) =>
      eventually(async () => {
        time += 61_000;
        // The supervisor compares the index with the chain at this time before its third read begins.
        const before = looks;
        while (looks < before + 3) await pause(PAUSE);
        expect(await answer()).to.deep.equal(expected);
      });
    await answersLater(200, "");
    head += 1_000;
    await answersLater(503, "The index does not follow the chain.");
    head = HEAD;
    await answersLater(200, "");
  });

  it("is not ready while the index process does not respond, and restarts it", async () => {
    await start();
    const frozen = indexer.pid!;
    process.kill(frozen, "SIGSTOP");
    await until(503);
    await says("The index has given no sign of life 6 times in a row, and is killed.");
    await until(200);
    expect(indexer.pid).not.to.equal(frozen);
  });

  it("restarts a killed index process with its stored data", async () => {
    await start();
    const [first] = starts();
    expect(first).to.match(/^start duello_31337_11111111_aaaaaaaa_[0-9a-f]{8} new$/);
    process.kill(indexer.pid!, "SIGKILL");
    await says("The index is started again in 1 s.");
    await until(200);
    expect(starts()).to.deep.equal([first, first.replace("new", "kept")]);
  });

  it("re-reads everything into the embedded database after too many blocks were undone", async () => {
    await start();
    const { pid } = indexer;
    process.kill(pid!, "SIGUSR2");
    await says("The chain was taken back by more blocks than can be undone. All of it is read again.");
    while (indexer.pid === pid || starts().length < 2) await pause(PAUSE);
    const [first] = starts();
    expect(starts()).to.deep.equal([first, first]);
    await until(200);
  });

  it("leaves Postgres unchanged after too many blocks were undone, and prints instructions", async () => {
    await start({ database: "postgresql://127.0.0.1:2/none" });
    const { pid } = indexer;
    process.kill(pid!, "SIGUSR2");
    await says(
      "The chain was taken back by more blocks than can be undone. Stop the index, empty its database, and start it again.",
    );
    expect(indexer.pid).to.equal(pid);
    expect(starts()).to.have.length(1);
  });

  it("starts over and deletes old data if the chain was restarted", async () => {
    await start();
    const [first] = starts();
    genesis = `0x${"22".repeat(32)}`;
    const second = first.replace("11111111", "22222222");
    await says(second);
    await until(200);
    expect(starts()).to.deep.equal([first, second]);
    const [, name] = second.split(" ");
    expect(readdirSync(folder)).to.deep.equal([name]);
  });

  it("only serves queries, without indexing, if it is a replica", async () => {
    await start({ database: "postgresql://127.0.0.1:2/none", isReplica: true });
    expect(starts().join()).to.match(/^serve duello_\w+$/);
  });
});
