import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import type { Indexer } from "../../indexer/indexer.js";
import { Chain, phraseOf, SETTINGS } from "../../scripts/soak/chain.js";
import { Random } from "../../scripts/soak/random.js";
import { soak } from "../../scripts/soak/run.js";
import { Archive } from "../../sdk/chain/archive.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows, type ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { compareIndex } from "../../sdk/verify/index-comparison.js";
import { FakeIndex } from "../support/fake-index.js";
import { agrees, askAll, endAll, index, startNode } from "../support/indexing.js";
import { PATIENCE } from "../support/patience.js";
import type { PostgresServer } from "../../scripts/postgres-server.js";
import { startPostgresIfInstalled } from "../support/postgres.js";
import { rowsBy } from "../support/row-map.js";

const SEED = "an index";
const { MATCHES, THOROUGH } = process.env;
const matches = Number(MATCHES ?? 40);
/** Matches between two kills of the indexing process, and the longest random delay before a kill, in milliseconds. */
const [KILLED, WITHIN] = [20, 4_000];

/** Kills the indexing process a number of times, at random moments: first while it starts, then while it works. */
async function killAgainAndAgain(indexer: Indexer, times: number, signal: AbortSignal): Promise<void> {
  for (const kill of Array(times).keys()) {
    while (!signal.aborted && kill > 0 && (await indexer.block()) === undefined) await pause(WITHIN * Math.random());
    await pause(WITHIN * Math.random());
    while (!signal.aborted && indexer.pid === undefined) await pause(WITHIN * Math.random());
    if (signal.aborted) return;
    process.kill(indexer.pid!, "SIGKILL");
  }
}

describe("The handlers of an index", () => {
  /** Checks that the handlers derive the same rows from an archive's events as the verifier. @returns the rows. */
  async function checkRows(archive: Archive): Promise<ExpectedRows> {
    const expected = await expectedRows(archive, games);
    const served = await FakeIndex.start(SETTINGS.chainId, archive.addresses.Arena);
    served.rows = await rowsBy(archive, served.deployment.genesis as string);
    served.block = archive.last.number;
    const deployment = { chainId: SETTINGS.chainId, addresses: archive.addresses };
    try {
      const client = await IndexClient.open(served.url, deployment, { timeLimit: PATIENCE });
      const { mismatch } = await compareIndex(client, expected);
      expect(mismatch && locatedMismatchText(mismatch)).to.equal(undefined);
    } finally {
      await served.stop();
    }
    return expected;
  }

  it("produce the verifier's rows after matches with every kind of failure", async () => {
    const random = new Random(SEED);
    const chain = await Chain.inProcess(phraseOf(SEED), random);
    const { world } = await soak(chain, random, { matches: 60 });
    const { operator, record, keeping } = await checkRows(await Archive.read(chain.provider, world.addresses));
    await chain.close();
    expect(record.some(({ net, opponents }) => net !== 0n && opponents > 3)).to.equal(true);
    for (const rows of [operator, keeping]) expect(rows).not.to.be.empty;
  });
});

// The handlers' results are tested above, and Ponder's storage of them in test/indexer/hostile.ts.
(THOROUGH || MATCHES ? describe : describe.skip)("Rows of an index", () => {
  let postgres: PostgresServer | undefined;
  let chain: Chain | undefined;
  const over = new AbortController();

  before(async () => {
    postgres = await startPostgresIfInstalled();
  });

  // Anything that is still running would keep the process alive, even if a test fails.
  after(async () => {
    over.abort();
    await chain?.close();
    await endAll();
    await postgres?.stop();
  });

  it(`produce the verifier's rows after ${matches} matches with every kind of failure, in both databases, and serve the page's queries`, async () => {
    const { hardfork, accounts: count, start } = SETTINGS;
    const { url } = await startNode(0, {
      accounts: { mnemonic: phraseOf(SEED), count },
      hardfork,
      initialDate: new Date(start * 1000),
      mining: { auto: false },
    });
    const random = new Random(SEED);
    chain = await Chain.at(url, random);
    let live: Indexer | undefined;
    let killing: Promise<void> | undefined;
    const { world } = await soak(chain, random, {
      matches,
      async prepare({ addresses }) {
        live = await index(url, addresses, { hasSql: true });
        killing = killAgainAndAgain(live, Math.ceil(matches / KILLED), over.signal);
      },
    });
    await killing;
    const { addresses } = world;
    const whole = await agrees(live!, url, addresses);
    expect(whole.rows).to.be.above(10 * matches);
    await askAll(live!, addresses);
    if (postgres) {
      const later = await index(url, addresses, { database: postgres.url, hasSql: true });
      const same = await agrees(later, url, addresses);
      expect(same.rows).to.equal(whole.rows);
      await askAll(later, addresses);
      const replica = await index(url, addresses, { database: postgres.url, isReplica: true });
      expect((await agrees(replica, url, addresses)).rows).to.equal(whole.rows);
    }
  });
});
