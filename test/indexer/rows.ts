import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import { id } from "ethers";
import { network } from "hardhat";
import type { Indexer } from "../../indexer/indexer.js";
import { Chain, phraseOf, SETTINGS } from "../../scripts/soak/chain.js";
import { Random } from "../../scripts/soak/random.js";
import { soak } from "../../scripts/soak/run.js";
import { deployAll } from "../../scripts/soak/world.js";
import { Archive } from "../../sdk/chain/archive.js";
import { History } from "../../sdk/chain/history.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { countedMatches, standingsOf } from "../../sdk/chain/ranking.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import { Client } from "../../sdk/player/client.js";
import { walletSecretStore } from "../../sdk/player/secrets.js";
import { agreementRequest, NEVER } from "../../sdk/protocol/away/signatures.js";
import { Seat } from "../../sdk/protocol/status.js";
import { COIN, termsHash } from "../../sdk/protocol/terms.js";
import { expectedRows, type ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { compareIndex } from "../../sdk/verify/index-comparison.js";
import { FakeIndex } from "../support/fake-index.js";
import { agrees, askAll, endAll, index, startNode } from "../support/indexing.js";
import { PATIENCE } from "../support/patience.js";
import { Postgres, postgresFolder } from "../support/postgres.js";
import { rowsBy } from "../support/row-map.js";

const SEED = "an index";
const { CI, MATCHES, THOROUGH } = process.env;
const matches = Number(MATCHES ?? 40);
/** Matches between two kills of the indexing process, and the longest random delay before a kill, in milliseconds. */
const [KILLED, WITHIN] = [20, 4_000];

/** Kills the indexing process a number of times, at random moments: at first while it starts, then at work. */
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
  /** Checks that the handlers derive the same rows from an archive's events as the verifier. @returns those. */
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

  it("produces the verifier's rows after matches with every kind of failure", async () => {
    const random = new Random(SEED);
    const chain = await Chain.inProcess(phraseOf(SEED), random);
    const { world } = await soak(chain, random, { matches: 60 });
    const { match, operator, record, keeping } = await checkRows(await Archive.read(chain.provider, world.addresses));
    await chain.close();
    expect(match.some(({ isAgreed }) => isAgreed)).to.equal(true);
    expect(record.some(({ net, opponents }) => net !== 0n && opponents > 3)).to.equal(true);
    for (const rows of [operator, keeping]) expect(rows).not.to.be.empty;
  });

  it("counts draws of players with zero ratings, except draws by timeout", async () => {
    const { ethers, close } = await network.create();
    const { provider } = ethers;
    const signers = await ethers.getSigners();
    const addresses = await deployAll({ signers });
    const clients = await Promise.all(signers.slice(2, 5).map((signer) => Client.connect(addresses, games, signer)));
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
      const army = await moves.suggest(first, ones);
      const offer = await one.create({ terms, data: await moves.create(army, first, ones), opponent: two.address });
      const turn = turnOf(await history().match(offer.matchId), Seat.Two, two.address, history());
      const answer = await moves.suggest(turn, twos);
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
    const { match, record } = await checkRows(archive);
    const counted = match.filter(({ matchId }) => matchId === agreed || matchId === lapsed);
    expect(counted.map(({ isCounted }) => isCounted)).to.deep.equal([true, false]);
    expect(record.filter((each) => each.draws === 1n)).to.have.length(2);
    const standings = standingsOf(countedMatches(archive.all), game);
    expect(standings.filter((each) => each.draws === 1)).to.have.length(2);
    await close();
  });
});

// The handlers' results are tested above, and Ponder's storage of them in test/indexer/hostile.ts.
(THOROUGH || MATCHES ? describe : describe.skip)("Rows of an index", () => {
  const programs = postgresFolder();
  let postgres: Postgres | undefined;
  let chain: Chain | undefined;
  const over = new AbortController();

  before(async () => {
    if (programs !== undefined) postgres = await Postgres.start(programs);
    else if (CI) throw new Error("Postgres is not installed.");
  });

  // Anything that still runs would keep the program alive, even if a test fails.
  after(async () => {
    over.abort();
    await chain?.close();
    await endAll();
    await postgres?.stop();
  });

  it(`produces the verifier's rows after ${matches} matches with every kind of failure, in both databases, and answers the page's queries`, async () => {
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
