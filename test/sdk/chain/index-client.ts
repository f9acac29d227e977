import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import type { Archive } from "../../../sdk/chain/archive.js";
import { IndexClient, IndexTrouble, type IndexedDeployment } from "../../../sdk/chain/index-client.js";
import { InputError } from "../../../sdk/protocol/input.js";
import type { ExpectedRows } from "../../../sdk/verify/expected-rows.js";
import type { Answer, FakeIndex } from "../../support/fake-index.js";
import { indexOf } from "../../support/indexed.js";
import { PATIENCE } from "../../support/patience.js";
import { recorded } from "../../support/recorded.js";

/** Options of a client that waits for its answers. */
const PATIENT = { timeLimit: PATIENCE };

const OTHER = "0x1212121212121212121212121212121212121212";

describe("The client of an index", () => {
  let archive: Archive;
  let index: FakeIndex;
  let rows: ExpectedRows;
  let deployment: IndexedDeployment;
  let client: IndexClient;

  before(async () => {
    ({ archive } = await recorded());
    ({ index, rows } = await indexOf(archive));
    const genesis = index.deployment.genesis as string;
    deployment = { chainId: Number(archive.chainId), addresses: archive.addresses, genesis };
    client = await IndexClient.open(index.url, deployment, PATIENT);
  });
  after(() => index.stop());
  afterEach(() => {
    index.change = (answer) => answer;
    index.instead = undefined;
    index.rows = { ...index.rows, purse: rows.purse };
  });

  /** Returns the message of the error with which a query must fail, without the name of the index. */
  async function troubleIn(question: () => Promise<unknown>): Promise<string> {
    const error = await question().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(IndexTrouble);
    const { message } = error as IndexTrouble;
    expect(message).to.match(/^[^\p{C}]+\.$/u);
    return message.replace(`The index at ${index.url} `, "");
  }

  /** Makes the index return its matches with one row changed. */
  const withRow = (change: object) =>
    (index.change = (answer: Answer) => {
      Object.assign(answer.data.page.items[0] ?? {}, change);
      return answer;
    });
  const instead = (answer: (response: ServerResponse) => void) => (index.instead = answer);

  it("lists matches newest first, by player, game and state, page by page", async () => {
    const [{ player1, game }] = rows.match;
    const first = await client.matches({ limit: 3 });
    expect(first.rows.map(({ matchId }) => matchId)).to.deep.equal([21n, 20n, 19n]);
    expect(first.block).to.equal(archive.last.number);
    const second = await client.matches({ limit: 30, after: first.next });
    expect(second.rows.map(({ matchId }) => Number(matchId))).to.deep.equal(
      Array.from({ length: 18 }, (_, i) => 18 - i),
    );
    expect(second.next).to.equal(undefined);
    const own = await client.matches({ player: player1 });
    const wanted = rows.match.filter((each) => each.player1 === player1 || each.player2 === player1);
    expect(own.rows).to.deep.equal(wanted.reverse());
    expect((await client.matches({ game })).rows.every((each) => each.game === game)).to.equal(true);
    expect((await client.matches({ isOpen: true })).rows).to.deep.equal([]);
  });

  it("returns the events of a match as a node does", async () => {
    for (const { matchId } of rows.match) {
      const { events } = (await client.match(matchId))!;
      const own = archive.all.filter(({ args }) => "matchId" in args && args.matchId === matchId);
      expect(events).to.deep.equal(own);
    }
    expect(await client.match(99n)).to.equal(undefined);
  });

  it("ranks players and returns one player's rank", async () => {
    const [{ player, game }] = rows.record;
    const [{ token }] = rows.stake;
    const ratings = (await client.byRating(game)).rows.map(({ rating }) => rating);
    expect(ratings).to.deep.equal([...ratings].sort((a, b) => b - a));
    expect((await client.byNet(game)).rows.every(({ opponents }) => opponents >= 3)).to.equal(true);
    const nets = (await client.byWinnings(token)).rows.map(({ net }) => net);
    expect(nets).to.deep.equal([...nets].sort((a, b) => Number(b - a)));
    expect((await client.recordsOf(player, [game])).rows).to.deep.equal([rows.record[0]]);
    expect((await client.ratings(player, game)).rows[0].after).to.equal(rows.record[0].rating);
    const [pair] = rows.pair;
    expect(await client.headToHead(pair.game, pair.high, pair.low)).to.deep.equal(pair);
    expect(await client.headToHead(pair.game, pair.high, OTHER)).to.equal(undefined);
    expect((await client.days(game)).rows[0].game).to.equal(game);
    expect((await client.modes(game)).rows.length).to.be.above(0);
    expect((await client.pursesOf(player)).rows[0].player).to.equal(player);
    expect((await client.stakesOf(player)).rows.every((stake) => stake.player === player)).to.equal(true);
    expect((await client.operatorsOf(player)).rows).to.deep.equal([]);
    const [{ owner }] = rows.character;
    expect((await client.charactersOf(owner)).rows[0].owner).to.equal(owner);
  });

  it("refuses an index of another chain, arena or first block, even if the index changes only later", async () => {
    const { addresses, genesis } = deployment;
    const of = (other: Partial<IndexedDeployment>) =>
      troubleIn(() => IndexClient.open(index.url, { ...deployment, ...other }, PATIENT));
    expect(await of({ chainId: 1 })).to.equal("is of another deployment: its chain is 31337, not 1.");
    const arena = await of({ addresses: { ...addresses, Arena: OTHER } });
    expect(arena).to.equal(`is of another deployment: its arena is ${addresses.Arena}, not ${OTHER}.`);
    const first = `0x${"22".repeat(32)}`;
    const why = `is of another deployment: its chain's first block is ${genesis}, not ${first}.`;
    expect(await of({ genesis: first })).to.equal(why);
    expect(await IndexClient.open(index.url, { ...deployment, genesis: undefined }, PATIENT)).to.be.instanceOf(
      IndexClient,
    );
    index.change = ({ data }) => ({ data: { ...data, deployment: { ...data.deployment, arena: OTHER } } });
    expect(await troubleIn(() => client.block())).to.match(/^is of another deployment: its arena is /);
    index.change = ({ data }) => ({ data: { ...data, deployment: null } });
    expect(await troubleIn(() => client.block())).to.equal("has read nothing of the chain yet.");
    index.change = ({ data }) => ({ data: { ...data, _meta: { status: {} } } });
    expect(await troubleIn(() => client.block())).to.equal("has read nothing of the chain yet.");
  });

  it("reports an invalid answer in one line", async () => {
    const ask = () => troubleIn(() => client.block());
    instead((response) => response.writeHead(503).end("no"));
    expect(await ask()).to.equal("answers with the status 503 of HTTP.");
    instead((response) => response.end("<html>"));
    expect(await ask()).to.equal("answers nonsense: no JSON.");
    instead((response) => response.end("null"));
    expect(await ask()).to.equal("answers nonsense: input: left out.");
    instead((response) => response.end('{"errors":[{"message":"no\\u001b[31m\\u202e\\nsuch field"}]}'));
    expect(await ask()).to.equal("refuses: no [31m such field.");
    instead((response) => response.end('{"errors":{}}'));
    expect(await ask()).to.equal("answers nonsense: errors: an object is not a list.");
    instead((response) => response.destroy());
    expect(await ask()).to.match(/^does not answer: .+\.$/);
  });

  it("gives up on an index that does not answer in time", async () => {
    const options = { ...PATIENT };
    const impatient = await IndexClient.open(index.url, deployment, options);
    instead(() => undefined);
    // oxlint-disable-next-line eslint-js/no-restricted-syntax -- of a question that nobody answers, on however slow a machine
    options.timeLimit = 100;
    expect(await troubleIn(() => impatient.block())).to.equal("has not answered within 0.1 s.");
  });

  it("gives up on an index that always announces further pages", async () => {
    index.change = (answer) => {
      answer.data.page.pageInfo = { hasNextPage: true, endCursor: "again" };
      return answer;
    };
    expect(await troubleIn(() => client.actions([1n]))).to.equal(
      "answers nonsense: more behind a page that is not full.",
    );
    // An index may also return full pages for ever.
    index.change = async (answer, { variables: { limit } }) => {
      await pause(10);
      const { page } = answer.data;
      answer.data.page = { ...page, items: Array<object>(limit).fill(page.items[0]) as typeof page.items };
      answer.data.page.pageInfo = { hasNextPage: true, endCursor: "again" };
      return answer;
    };
    // Only the total time has a short limit; each page has a long one.
    const limits = [PATIENCE, 1];
    const impatient = await IndexClient.open(index.url, deployment, {
      get timeLimit() {
        return limits.shift() ?? PATIENCE;
      },
    });
    expect(await troubleIn(() => impatient.actions([1n]))).to.equal("has not given all events within 0.006 s.");
  });

  it("gives up on an answer that never ends", async () => {
    const piece = "x".repeat(1_000_000);
    instead((response) => {
      const more = () => {
        while (!response.destroyed && response.write(piece));
        response.once("drain", more);
      };
      response.on("error", () => undefined);
      more();
    });
    const endless = await IndexClient.open(index.url, deployment, PATIENT).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    expect(endless).to.equal(`The index at ${index.url} answers with more than 32000000 bytes.`);
  });

  it("requests half as many rows if an index rejects the requested number", async () => {
    const limits: number[] = [];
    index.change = (answer, { variables }) => {
      limits.push(variables.limit);
      return answer;
    };
    instead((response) => {
      index.instead = undefined;
      response.writeHead(413).end();
    });
    const found: bigint[] = [];
    for await (const page of client.pages("match")) found.push(...page.rows.map(({ matchId }) => matchId));
    expect(limits).to.deep.equal([500]);
    expect(found).to.have.length(rows.match.length);
  });

  it("reads sums larger than an on-chain integer", async () => {
    const deposited = BigInt("9".repeat(100));
    index.rows = { ...index.rows, purse: [{ ...rows.purse[0], deposited }] };
    const [purse] = (await client.page("purse")).rows;
    expect(purse.deposited).to.equal(deposited);
    index.rows = { ...index.rows, purse: [{ ...rows.purse[0], deposited: 10n * deposited }] };
    expect(await troubleIn(() => client.page("purse"))).to.match(/deposited: .+ is no integer\.$/);
  });

  it("rejects malformed rows, rows that it did not request, and more rows than it requested", async () => {
    const ask = () => troubleIn(() => client.matches({ limit: 2, game: rows.match.at(-1)!.game }));
    for (const [change, why] of [
      [{ player1: "\u001b[2J" }, /items\[0\]\.player1: .+ is no address with its checksum/],
      [{ player1: rows.match[0].player1.toLowerCase() }, /player1: .+ is no address with its checksum/],
      [{ stake1: 5 }, /stake1: 5 is not a text/],
      [{ stake1: "1e5" }, /stake1: "1e5" is no integer/],
      [{ stake1: "9".repeat(79) }, /stake1: .+ is no integer/],
      [{ winner: 3 }, /winner: 3 is above 2/],
      [{ events: undefined }, /events: left out/],
      [{ more: 1 }, /more: unknown field/],
      [{ game: OTHER }, /game: 0x12.+ was not asked for/],
    ] as const) {
      withRow(change);
      expect(await ask()).to.match(new RegExp(`^answers nonsense: matchs\\..*${why.source}\\.$`));
    }
    index.change = ({ data }) => {
      const { items } = data.page;
      return { data: { ...data, page: { ...data.page, items: [...items, ...items, ...items] } } };
    };
    expect(await ask()).to.equal("answers nonsense: matchs.items: more than 2 items.");
    withRow({ player1: OTHER, player2: OTHER });
    const [{ player1 }] = rows.match;
    expect(await troubleIn(() => client.matches({ player: player1 }))).to.match(
      /items\[0\]: not a row that was asked for/,
    );
  });

  it("rejects impossible events", async () => {
    const change = (place: number, row: object) => {
      index.change = (answer, { table }) => {
        if (table === "matchEvent") Object.assign(answer.data.page.items[place], row);
        return answer;
      };
      return troubleIn(() => client.match(1n));
    };
    expect(await change(0, { name: "Joined" })).to.match(/name: Joined in place 0/);
    expect(await change(1, { name: "Created" })).to.match(/name: Created in place 1/);
    expect(await change(1, { place: 3 })).to.match(/place: 3 is not 1/);
    expect(await change(1, { address: OTHER })).to.match(/address: 0x12.+ is not 0x/);
    expect(await change(1, { block: 1 })).to.match(/log \d+ of block 1 is not behind the event before/);
    expect(await change(1, { args: { matchId: "2" } })).to.match(/args\.player2: left out/);
    expect(await change(1, { args: { player2: OTHER, data: "0xZZ" } })).to.match(/args\.data: not 0x/);
    expect(await change(1, { name: "Deposited" })).to.match(/args\.token: left out/);
    expect(await change(1, { name: "Nothing" })).to.match(/name: "Nothing" is not one of/);
  });

  it("rejects a match whose number of events differs from its row", async () => {
    index.change = (answer, { table }) => {
      if (table === "match") answer.data.page.items[0].events = 9;
      return answer;
    };
    const why = "answers nonsense: the events of match 1 are not those that its row counts.";
    expect(await troubleIn(() => client.match(1n))).to.equal(why);
  });

  it("requests fewer rows at once if an answer would be too long", async () => {
    const limits: number[] = [];
    index.change = (answer, { variables: { limit } }) => {
      limits.push(limit);
      return limit > 100 ? { data: "x".repeat(33_000_000) } : answer;
    };
    const found = [];
    for await (const page of client.pages("character")) found.push(...page.rows);
    expect(found).to.have.length(rows.character.length);
    expect(limits.slice(0, 5)).to.deep.equal([1000, 500, 250, 125, 63]);
  });

  it("aborts on the caller's signal, with its reason", async () => {
    const stop = new AbortController();
    const asking = await IndexClient.open(index.url, deployment, { ...PATIENT, signal: stop.signal });
    instead(() => stop.abort(new Error("enough")));
    const error = await asking.block().catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.equal("enough");
  });

  it("rejects a URL that is not HTTP", async () => {
    for (const url of ["", "localhost", "ftp://localhost", "file:///etc/passwd"]) {
      const error = await IndexClient.open(url, deployment).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InputError);
      expect((error as Error).message).to.equal(
        `index: ${JSON.stringify(url)} is no URL that begins with http:// or https://`,
      );
    }
  });
});
