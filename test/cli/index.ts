import { expect } from "chai";
import { ZeroAddress } from "ethers";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runAgent } from "../../cli/agent/program.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { urlOf } from "../../scripts/local-chain.js";
import { runVerify } from "../../cli/verify/command.js";
import { CommandContext } from "../../cli/shared/command/context.js";
import { Archive } from "../../sdk/chain/archive.js";
import { IndexClient, type IndexTrouble } from "../../sdk/chain/index-client.js";
import type { TableName } from "../../sdk/chain/index-tables.js";
import { IndexedHistory, IndexedPast } from "../../sdk/chain/indexed-history.js";
import { History } from "../../sdk/chain/history.js";
import type { ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { FakeIndex, type FakeRows } from "../support/fake-index.js";
import { fill } from "../support/indexed.js";
import { runInside } from "../support/inside.js";
import { PATIENCE } from "../support/patience.js";
import { startWorld, type PlayWorld, type Terminal } from "../support/play-support.js";

const [CHALLENGER, ALICE, BOB] = [2, 4, 5];
const OTHER = "0x1212121212121212121212121212121212121212";
const NOWHERE = "http://127.0.0.1:2";
const AWAY = `The index at ${NOWHERE} does not answer: connect ECONNREFUSED 127.0.0.1:2.`;

describe("Commands with an index", () => {
  let world: PlayWorld;
  let alice: Terminal;
  let bob: Terminal;
  let addresses: string[];
  let index: FakeIndex;

  before(async () => {
    world = await startWorld();
    addresses = world.accounts;
    [alice, bob] = await Promise.all([ALICE, BOB].map((account) => world.terminal(["--account", String(account)])));
    const genesis = (await world.provider.getBlock(0))!.hash!;
    index = await FakeIndex.start(31_337, world.addresses.Arena, genesis);
    await won();
    await catchUp();
  });
  after(async () => {
    await index.stop();
    await world.close();
  });
  afterEach(async () => {
    index.change = (answer) => answer;
    index.asked.length = 0;
    await catchUp();
  });

  /** State of an index that has read all blocks of the chain. It is computed again if there are new blocks. */
  let whole: { block: number; served: FakeRows; rows: ExpectedRows } | undefined;

  /** Makes the index read all blocks of the chain. */
  async function catchUp() {
    if (whole?.block !== (await world.provider.getBlockNumber())) {
      const rows = await fill(index, await Archive.read(world.provider, world.addresses));
      whole = { block: index.block, served: index.rows, rows };
    }
    [index.block, index.rows] = [whole.block, whole.served];
    return whole.rows;
  }

  /** Plays match 2, tic-tac-toe for 10 FIGHT, which alice wins with a row. */
  async function won(): Promise<void> {
    for (const each of [alice, bob]) await each.run("purse", "deposit", "FIGHT", "20");
    await alice.end("create", "tic-tac-toe", "4", "--stake", "10", "--opponent", addresses[BOB]);
    await bob.end("join", "2", "0");
    for (const [player, move] of [
      [alice, "2"],
      [bob, "1"],
      [alice, "6"],
    ] as const)
      await player.run("act", "2", move);
  }

  const told = () => `From the index at ${index.url}, up to block ${index.block}.`;
  const client = () =>
    IndexClient.open(index.url, { chainId: 31_337, addresses: world.addresses }, { timeLimit: PATIENCE });

  /** Changes a row of a table in the index. */
  function lie(table: TableName, of: object, change: object): void {
    const rows = index.rows[table] as Record<string, unknown>[];
    const isOf = (row: Record<string, unknown>) => Object.entries(of).every(([column, value]) => row[column] === value);
    index.rows = { ...index.rows, [table]: rows.map((row) => (isOf(row) ? { ...row, ...change } : row)) };
  }

  describe("list", () => {
    it("finds matches through the index, and shows their state from the chain", async () => {
      const lines = await bob.run("list", "--all", "--index", index.url);
      expect(lines).to.equal(`${await bob.run("list", "--all")}\n${told()}`);
      expect(new Set(index.asked)).to.deep.equal(new Set(["deployment", "match"]));
      lie("match", { matchId: 2n }, { stake1: 99n, status: 7 });
      expect(await bob.run("list", "--all", "--index", index.url)).to.equal(lines);
      const own = await bob.with({ DUELLO_INDEX: index.url }).run("list", "--all", "--of", addresses[CHALLENGER]);
      expect(own.split("\n").map((line) => line[0])).to.deep.equal(["m", "1", "F"]);
      expect(await bob.run("list", "--index", index.url)).to.equal(`There are none.\n${told()}`);
    });

    it("shows the player's matches that the index lacks, and no matches of other players", async () => {
      const before = index.block;
      await alice.end("create", "tic-tac-toe", "4");
      expect((await alice.json<unknown[]>("list")).length).to.equal(1);
      const { stdout } = await alice.end("list", "--index", index.url);
      expect(stdout)
        .to.match(/\n3 +tic-tac-toe /)
        .and.to.include(`up to block ${before}.`);
      lie("match", { matchId: 1n }, { player1: addresses[ALICE] });
      const mine = await alice.run("list", "--mine", "--all", "--index", index.url);
      expect(mine.match(/^\d+/gm)).to.deep.equal(["3", "2"]);
      await alice.run("cancel", "3");
    });

    it("names the source of a JSON list on standard error", async () => {
      const { stdout, stderr } = await bob.end("list", "--all", "--json", "--index", index.url);
      expect(stderr).to.equal(`${told()}\n`);
      expect((JSON.parse(stdout) as unknown[]).length).to.be.at.least(2);
    });

    it("reads the chain if the index does not answer, belongs to another deployment, or returns unordered matches", async () => {
      const plain = await bob.run("list", "--all");
      expect(await bob.run("list", "--all", "--index", NOWHERE)).to.equal(`${plain}\nFrom the events: ${AWAY}`);
      index.change = ({ data }) => ({ data: { ...data, deployment: { ...data.deployment, arena: OTHER } } });
      const foreign = `The index at ${index.url} is of another deployment: its arena is ${OTHER}, not ${world.addresses.Arena}.`;
      expect(await bob.run("list", "--all", "--index", index.url)).to.equal(`${plain}\nFrom the events: ${foreign}`);
      index.change = (answer) => {
        answer.data.page.items.reverse();
        return answer;
      };
      const disorder = `The index at ${index.url} lists matches in no order.`;
      expect(await bob.run("list", "--all", "--index", index.url)).to.equal(`${plain}\nFrom the events: ${disorder}`);
    });

    it("queries no index if its name is empty, and rejects an invalid URL", async () => {
      const there = bob.with({ DUELLO_INDEX: index.url });
      expect(await there.run("list", "--all", "--index", "")).to.equal(await bob.run("list", "--all"));
      expect(await bob.fail(2, "list", "--index", "here")).to.equal(
        'index: "here" is no URL that begins with http:// or https://',
      );
    });
  });

  describe("stats", () => {
    it("shows the history of ratings, and head-to-head results", async () => {
      const plain = await alice.run("stats", "--game", "tic-tac-toe");
      const args = ["stats", "--game", "tic-tac-toe", "--index", index.url, "--against", addresses[BOB]];
      const lines = (await alice.run(...args)).split("\n");
      expect(lines.slice(0, plain.split("\n").length).join("\n")).to.equal(plain);
      const [ratings, day, against, source] = lines.slice(plain.split("\n").length);
      expect(ratings).to.equal("tic-tac-toe: ratings 1000, 1020 (match 2)");
      expect(day).to.match(/^tic-tac-toe on \d{4}-\d\d-\d\d: \d+ offered, 1 joined, 3 actions, \d+ ended, 2 players$/);
      expect(against).to.equal(`tic-tac-toe: 1 won, 0 lost, 0 drawn against ${addresses[BOB]}`);
      expect(source).to.equal(told());
      const { history, against: met } = JSON.parse(await alice.run(...args, "--json"));
      expect(history.source).to.deep.equal({ index: index.url, block: index.block });
      expect(history.games[0].ratings[0]).to.include({ matchId: "2", before: 1000, after: 1020, result: "win" });
      expect(met.games).to.deep.equal([{ game: "tic-tac-toe", wins: 1, losses: 0, draws: 0 }]);
    });

    it("counts the matches against a player from the events if there is no index", async () => {
      const lines = await bob.run("stats", "--game", "tic-tac-toe", "--against", addresses[ALICE]);
      expect(lines.split("\n").at(-1)).to.equal(`tic-tac-toe: 0 won, 1 lost, 0 drawn against ${addresses[ALICE]}`);
      const nobody = await bob.run("stats", "--game", "tic-tac-toe", "--against", OTHER);
      expect(nobody.split("\n").at(-1)).to.equal(`No rated match against ${OTHER}.`);
      expect(await bob.fail(2, "stats", "--against", addresses[BOB])).to.match(/nobody plays against itself/);
    });

    it("reports each value in which the index differs from the chain at the index's block", async () => {
      lie("record", { player: addresses[ALICE] }, { rating: 1500 });
      const lines = (await alice.run("stats", "--index", index.url)).split("\n");
      expect(lines.at(-2)).to.equal(
        `The index disagrees with the chain: tic-tac-toe, rating: 1020 on the chain, 1500 in the index, as of block ${index.block}.`,
      );
      index.rows = { ...index.rows, record: [] };
      expect(await alice.run("stats", "--index", index.url)).to.include("1020 on the chain, no record in the index");
    });

    it("reads a character's statistics only from the chain", async () => {
      const problem = await alice.fail(2, "stats", "--fighter", "1", "--index", index.url);
      expect(problem).to.equal("--index: --fighter is given too");
      const there = alice.with({ DUELLO_INDEX: index.url });
      expect(await there.run("stats", "--fighter", "1")).to.equal(await alice.run("stats", "--fighter", "1"));
    });

    it("shows the same statistics if the index does not answer", async () => {
      const plain = await alice.run("stats");
      expect(await alice.run("stats", "--index", NOWHERE)).to.equal(`${plain}\nFrom the events: ${AWAY}`);
    });
  });

  describe("ranking", () => {
    it("ranks players by rating, with the same result from events and from the index", async () => {
      const table = [
        "#  player                                      rating  wins  losses  draws  opponents",
        `1  ${addresses[ALICE]}    1020     1       0      0          1`,
        `2  ${addresses[BOB]}     980     0       1      0          1`,
      ].join("\n");
      expect(await bob.run("ranking", "tic-tac-toe")).to.equal(`${table}\nFrom the events.`);
      expect(await bob.run("ranking", "tic-tac-toe", "--index", index.url)).to.equal(`${table}\n${told()}`);
      const away = await bob.run("ranking", "tic-tac-toe", "--index", NOWHERE);
      expect(away).to.equal(`${table}\nFrom the events: ${AWAY}`);
      const { standings } = JSON.parse(await bob.run("ranking", "tic-tac-toe", "--limit", "1", "--json"));
      const [rating, player] = [1020, addresses[ALICE]];
      const first = { place: 1, player, rating, wins: 1, losses: 0, draws: 0, opponents: 1, net: "0" };
      expect(standings).to.deep.equal([first]);
    });

    it("ranks players by their winnings in all games", async () => {
      const lines = (await bob.run("ranking", "--by", "winnings")).split("\n");
      expect(lines.find((line) => line.includes(addresses[ALICE]))).to.match(/ 6 FIGHT +10 FIGHT +16 FIGHT$/);
      const indexed = (await bob.run("ranking", "--by", "winnings", "--index", index.url)).split("\n");
      expect(indexed).to.deep.equal([...lines.slice(0, -1), told()]);
      expect(await bob.run("ranking", "--by", "winnings", "--token", "COIN")).to.match(
        /^Nobody has played a rated match in/,
      );
    });

    it("explains the zero-sum ranking, and ranks a player only after enough different opponents", async () => {
      const { record } = await catchUp();
      expect(await bob.run("ranking", "tic-tac-toe", "--by", "net")).to.equal(
        [
          "Nobody has met 3 different opponents in rated matches of tic-tac-toe.",
          "Each pair of players counts once, however often they play: the one with more wins has the share of its wins less that of its losses in points, at most one, and the other has as many below zero.",
          "Only players who have met 3 different opponents count, each pair of them; all points add up to zero.",
          "From the events.",
        ].join("\n"),
      );
      const rows = record.map((row, i) => ({ ...row, opponents: 3, net: [1_500_000n, -1_500_000n][i % 2] }));
      index.rows = { ...index.rows, record: rows };
      const shown = await bob.run("ranking", "tic-tac-toe", "--by", "net", "--index", index.url);
      expect(shown)
        .to.match(/\+1\.500 /)
        .and.to.match(/-1\.500 /);
    });

    it("gives players with the same rating the same place", async () => {
      const { record } = await catchUp();
      index.rows = { ...index.rows, record: record.map((row) => ({ ...row, rating: 1234 })) };
      const { standings } = JSON.parse(await bob.run("ranking", "tic-tac-toe", "--index", index.url, "--json"));
      expect(standings.map(({ place }: { place: number }) => place)).to.deep.equal([1, 1]);
    });

    it("rejects an unknown ranking", async () => {
      expect(await bob.fail(2, "ranking")).to.equal("game: left out: a ranking by rating is of one game");
      expect(await bob.fail(2, "ranking", "chess")).to.match(/^chess: no such game/);
      expect(await bob.fail(2, "ranking", "pistols", "--by", "luck")).to.match(
        /^--by: "luck" is not one of rating, net/,
      );
      expect(await bob.fail(2, "ranking", "pistols", "--by", "winnings")).to.match(/of all games: leave it out$/);
      expect(await bob.fail(2, "ranking", "pistols", "--token", "COIN")).to.match(
        /^--token: only a ranking by winnings/,
      );
      expect(await bob.fail(2, "ranking", "pistols", "--limit", "0")).to.match(/^--limit: /);
    });
  });

  describe("watch", () => {
    it("reads past events from the index, and names it as the source", async () => {
      const plain = await bob.run("watch", "2");
      const { stdout, stderr } = await bob.end("watch", "2", "--index", index.url);
      expect([stdout.trimEnd(), stderr]).to.deep.equal([plain, `${told()}\n`]);
      expect(index.asked).to.include("matchEvent");
      const away = await bob.end("watch", "2", "--index", NOWHERE);
      expect([away.stdout.trimEnd(), away.stderr]).to.deep.equal([plain, `From the events: ${AWAY}\n`]);
    });
  });

  describe("the history of a match", () => {
    /** Creates a history that queries the index, and collects its problems. */
    async function indexed(Kind: typeof IndexedHistory | typeof IndexedPast, ours = [world.addresses.TicTacToe]) {
      const troubles: IndexTrouble[] = [];
      const onTrouble = (trouble?: IndexTrouble) => {
        if (trouble) troubles.push(trouble);
      };
      const use = { open: client, games: ours, onTrouble };
      return { history: new Kind(world.provider, world.addresses, 0, use), troubles };
    }

    it("combines matches from the index with later events from the chain", async () => {
      const plain = new History(world.provider, world.addresses);
      const { history, troubles } = await indexed(IndexedHistory);
      expect(await history.match(2n)).to.deep.equal(await plain.match(2n));
      await alice.end("create", "tic-tac-toe", "4", "--opponent", addresses[BOB]);
      await catchUp();
      const [{ matchId }] = (await (await client()).matches({ limit: 1 })).rows;
      await bob.end("join", String(matchId), "0");
      expect((await history.match(matchId)).joinData).not.to.equal(undefined);
      expect(await history.match(matchId)).to.deep.equal(
        await new History(world.provider, world.addresses).match(matchId),
      );
      expect(troubles).to.deep.equal([]);
      expect(index.asked).to.include("matchEvent");
    });

    it("reads a match from the chain if the index does not store its game's logs", async () => {
      type Row = { matchId: bigint; name: string };
      const rows = (index.rows.matchEvent as Row[]).filter(({ matchId, name }) => matchId === 2n && name !== "Log");
      index.rows = { ...index.rows, matchEvent: rows.map((row, place) => ({ ...row, place })) };
      lie("match", { matchId: 2n }, { events: rows.length });
      const plain = await new History(world.provider, world.addresses).match(2n);
      expect((await (await indexed(IndexedHistory)).history.match(2n)).logs).to.deep.equal([]);
      const { history, troubles } = await indexed(IndexedHistory, []);
      expect(await history.match(2n)).to.deep.equal(plain);
      expect(troubles).to.deep.equal([]);
    });

    it("reads a match from the chain if the index has an event that the chain lacks, or names a wrong game", async () => {
      const plain = await new History(world.provider, world.addresses).match(2n);
      const rows = index.rows.matchEvent as { matchId: bigint; name: string; args: object }[];
      const { args } = rows.find(({ matchId, name }) => matchId === 2n && name === "Settled")!;
      // The index serves an event as if the event's block had been undone meanwhile.
      const undone = { transaction: `0x${"33".repeat(32)}`, args: { ...args, paid1: "1" } };
      lie("matchEvent", { matchId: 2n, name: "Settled" }, undone);
      const { history, troubles } = await indexed(IndexedHistory);
      expect(await history.match(2n)).to.deep.equal(plain);
      expect(troubles).to.deep.equal([]);
      await catchUp();
      lie("match", { matchId: 2n }, { game: world.addresses.MiniGames });
      lie("matchEvent", { matchId: 2n, name: "Log" }, { address: world.addresses.MiniGames });
      const other = await indexed(IndexedHistory);
      expect(await other.history.match(2n)).to.deep.equal(plain);
      expect(other.troubles.map(({ message }) => message)).to.deep.equal([
        `The index at ${index.url} has match 2 of a game that it is not of.`,
      ]);
    });

    it("queries the index only for earlier matches if the caller needs only those", async () => {
      const { history, troubles } = await indexed(IndexedPast);
      const { terms } = await history.match(2n);
      expect(index.asked).to.deep.equal([]);
      const query = { player: addresses[ALICE], game: terms.game, modes: [terms.mode], max: 5 };
      const plain = await new History(world.provider, world.addresses).pastActions(query);
      const past = await history.pastActions(query);
      expect(past.actions).to.deep.equal(plain.actions);
      expect(past.actions.length).to.be.at.least(3);
      const other = await history.pastActions({ ...query, player: addresses[BOB] });
      expect(other.joined.has(2n)).to.equal(true);
      expect(index.asked).to.include("matchEvent");
      index.change = () => ({ data: {} });
      const fresh = await indexed(IndexedPast);
      expect((await fresh.history.pastActions(query)).actions).to.deep.equal(plain.actions);
      expect(fresh.troubles).to.have.length(1);
      // After a failure, the index is not queried again for a while.
      await fresh.history.pastActions(query);
      expect(fresh.troubles).to.have.length(1);
      expect(troubles).to.deep.equal([]);
    });
  });

  describe("the agent", () => {
    /** Starts an agent and stops it immediately. @returns its context and the texts of its log. */
    async function started(options: object, policy: object = {}) {
      const home = await mkdtemp(join(world.folder, "agent-"));
      const [log, config] = [join(home, "log.jsonl"), join(home, "policy.json")];
      await writeFile(config, JSON.stringify(policy));
      process.env.DUELLO_DEPLOYMENTS = world.folder;
      const asked = { rpc: urlOf(world.port), account: String(BOB) };
      const context = await CommandContext.open(asked, new Vault(home)).finally(
        () => delete process.env.DUELLO_DEPLOYMENTS,
      );
      const agentOptions = { ...asked, ...options, log, config };
      const { code, stderr } = await runInside(async () => {
        await runAgent(context, agentOptions, AbortSignal.abort());
        return 0;
      }).finally(() => context.close());
      expect([code, stderr]).to.deep.equal([0, ""]);
      const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
      return { history: context.history, texts: lines.map((line) => (JSON.parse(line) as { text: string }).text) };
    }

    it("reads opponents' history from the index on its command line, or by default from the index in its policy", async () => {
      const named = await started({ index: index.url }, { index: NOWHERE });
      expect(named.history).to.be.instanceOf(IndexedPast).and.not.instanceOf(IndexedHistory);
      expect(named.texts).to.have.length(2);
      expect((await started({}, { index: index.url })).texts).to.have.length(2);
      expect((await started({})).history).not.to.be.instanceOf(IndexedPast);
    });

    it("reports once that an index does not answer, and continues to play", async () => {
      const { history, texts } = await started({}, { index: NOWHERE });
      expect(texts[0]).to.equal(`${AWAY} I read of the chain what opponents did.`);
      expect(texts.filter((text) => text.includes(AWAY))).to.have.length(1);
      expect(history).to.be.instanceOf(IndexedPast);
    });

    it("refuses to start with an invalid index URL", async () => {
      const error = await started({ index: "here" }).catch((thrown: unknown) => thrown);
      expect((error as Error).message).to.match(/^index: "here" is no URL/);
    });
  });

  describe("verify", () => {
    const environment = () => ({ DUELLO_DEPLOYMENTS: world.folder, DUELLO_RPC_URL: urlOf(world.port) });
    const verify = (...args: string[]) => runInside(() => runVerify(args), environment());

    it("confirms an index that agrees with the events and the chain", async () => {
      const { code, stdout, stderr } = await verify("--all", "--index", index.url);
      expect([code, stderr]).to.deep.equal([0, ""]);
      const count = Object.values(await catchUp()).reduce((sum, { length }) => sum + length, 0);
      expect(stdout.split("\n")[1]).to.equal(`The index at ${index.url} says the same: ${count} rows were compared.`);
      const one = JSON.parse((await verify("2", "--index", index.url, "--json")).stdout);
      const { rows, ...about } = one.index;
      expect([one.identical, about]).to.deep.equal([true, { url: index.url, block: index.block }]);
      expect(rows).to.be.at.least(8);
    });

    it("names the first row and column that differ", async () => {
      lie("purse", { player: addresses[ALICE], token: world.addresses.FightToken }, { amount: 1n });
      const { code, stdout } = await verify("--all", "--index", index.url);
      const key = `${addresses[ALICE]}, ${world.addresses.FightToken}`;
      expect(code).to.equal(1);
      expect(stdout).to.equal(`Mismatch: the index's purse(${key}): amount: expected 26000000000000000000, found 1\n`);
      const { mismatch } = JSON.parse((await verify("--all", "--json", "--index", index.url)).stdout);
      expect(mismatch).to.include({ table: "purse", key, column: "amount", found: "1" });
      expect((await verify("2", "--index", index.url)).code).to.equal(0);
      lie("match", { matchId: 2n }, { winner: 2 });
      expect((await verify("2", "--index", index.url)).stdout).to.equal(
        "Mismatch: the index's match(2): winner: expected 1, found 2\n",
      );
    });

    it("waits for an index that lags behind the chain", async () => {
      const { block } = index;
      index.block = block - 1;
      let asked = 0;
      index.change = (answer) => {
        if (++asked === 3) index.block = block;
        return answer;
      };
      const { code, stderr } = await verify("--all", "--index", index.url);
      expect([code, stderr]).to.deep.equal([0, `Waiting for the index, block: ${block - 1} of ${block}\n`]);
    });

    it("reads newer events before it compares an index that is ahead", async () => {
      const arena = world.arena.connect(await world.provider.getSigner(ALICE));
      let isDone = false;
      index.change = async (answer, { table }) => {
        if (table !== "purse" || isDone) return answer;
        isDone = true;
        await (await arena.allow(addresses[BOB], 2_000_000_000n)).wait();
        await (await arena.deposit(ZeroAddress, 5n, addresses[ALICE], { value: 5n })).wait();
        await catchUp();
        return answer;
      };
      const { code, stdout } = await verify("--all", "--index", index.url, "--json");
      const verdict = JSON.parse(stdout) as { block: number; index: { block: number } };
      expect([code, verdict.index.block]).to.deep.equal([0, verdict.block + 2]);
    });

    it("returns no verdict on an index that does not answer or belongs to another deployment", async () => {
      const away = await verify("--all", "--index", NOWHERE);
      expect([away.code, away.stderr]).to.deep.equal([2, `${AWAY}\n`]);
      index.change = ({ data }) => ({ data: { ...data, deployment: { ...data.deployment, chainId: 5 } } });
      const { code, stderr } = await verify("--all", "--index", index.url);
      expect([code, stderr]).to.deep.equal([
        2,
        `The index at ${index.url} is of another deployment: its chain is 5, not 31337.\n`,
      ]);
    });
  });
});
