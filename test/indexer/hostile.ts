import { execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "chai";
import {
  hexlify,
  type Interface,
  MaxUint256,
  randomBytes,
  toBeHex,
  ZeroAddress,
  ZeroHash,
  type JsonRpcProvider,
  type JsonRpcSigner,
} from "ethers";
import { getIntrospectionQuery } from "graphql";
import type { Indexer } from "../../indexer/indexer.js";
import type { ChainServer } from "../../scripts/chain-server.js";
import { playMatch } from "../../scripts/demo-match.js";
import { giveAll } from "../../scripts/local-chain.js";
import { SETTINGS } from "../../scripts/soak/chain.js";
import { deployAll } from "../../scripts/soak/world.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { History } from "../../sdk/chain/history.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { Client } from "../../sdk/player/client.js";
import { COIN, termsHash, type Terms } from "../../sdk/protocol/terms.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import {
  Arena__factory,
  Fighters__factory,
  GuardianCards__factory,
  IGame__factory,
} from "../../typechain-types/index.js";
import { Emitter } from "../support/emitter.js";
import { agrees, askGraphql, endAll, index, PAUSE, providerOf, sqlQuestion, startNode } from "../support/indexing.js";
import type { PostgresServer } from "../../scripts/postgres-server.js";
import { startPostgresIfInstalled } from "../support/postgres.js";

const [ARENA, GAME, FIGHTERS, CARDS] = [Arena__factory, IGame__factory, Fighters__factory, GuardianCards__factory].map(
  (factory) => factory.createInterface() as Interface,
);
const address = (fill: number) => `0x${toBeHex(fill, 1).slice(2).repeat(20)}`;
/** Addresses of strangers: the lowest and the highest, and an unknown token and game. */
const [LEAST, GREATEST, TOKEN, FOREIGN] = [toBeHex(1, 20), address(0xff), address(0x77), address(0x66)];
const MAX = (bits: bigint) => 2n ** bits - 1n;
const HIGHEST = `0x${"ff".repeat(32)}`;

/** Lists that take two reads each. */
const LISTS = ["match", "player", "mode", "purse"]
  .map((table) => `${table}s { items { __typename } totalCount }`)
  .join(" ");

/** A match of tic-tac-toe. */
const MATCH = 1_000_000n;

/** Number of blocks after which Ponder considers a block final, on a chain that Ponder does not know. */
const FINAL_AFTER = 100;

const { THOROUGH } = process.env;

for (const kind of THOROUGH ? (["the embedded database", "Postgres"] as const) : (["the embedded database"] as const)) {
  describe(`Index in ${kind} with hostile strangers`, () => {
    let postgres: PostgresServer | undefined;
    let node: ChainServer;
    let url: string;
    let provider: JsonRpcProvider;
    let signers: JsonRpcSigner[];
    let addresses: Addresses;
    let play: (name: string, opponent?: number) => Promise<void>;
    let emitter: Emitter;
    let indexer: Indexer;
    const said: string[] = [];
    /** Snapshot of the chain before all transactions of strangers, and its block. */
    let [snapshot, height]: [unknown, number] = [undefined, 0];

    before(async function () {
      if (kind === "Postgres") {
        postgres = await startPostgresIfInstalled();
        if (!postgres) return this.skip();
      }
      node = await startNode(0);
      ({ url } = node);
      await begin();
      const options = { database: postgres?.url, hasSql: true, onLog: (line: string) => said.push(line) };
      indexer = await index(url, addresses, options);
    });

    after(async () => {
      provider?.destroy();
      await endAll();
      await postgres?.stop();
    });

    /** Deploys everything on the node, and gives four players all that they need. */
    const begin = async () => {
      provider = providerOf(url);
      signers = await Promise.all(Array.from({ length: 6 }, (_, number) => provider.getSigner(number)));
      addresses = await deployAll({ signers });
      const [owner, , ...others] = signers;
      await giveAll(
        owner,
        addresses,
        others.map((each) => each.address),
      );
      const clients = await Promise.all(others.map((signer) => Client.connect(addresses, games, signer)));
      play = async (name, opponent = 1) => {
        await playMatch(stockGame(name), clients[0], clients[opponent], new History(provider, addresses));
      };
      emitter = new Emitter(provider, owner);
    };
    const arena = (name: string, ...values: unknown[]) => emitter.emit(addresses.Arena, ARENA, name, values);

    it("matches the current chain after blocks were undone", async () => {
      await play("mini-games");
      // The index considers all blocks final that exist at its start, so the blocks to undo come later.
      await agrees(indexer, url, addresses);
      const before: unknown = await provider.send("evm_snapshot", []);
      await play("auto-battler");
      await play("tic-tac-toe");
      await agrees(indexer, url, addresses);
      await provider.send("evm_revert", [before]);
      await play("mini-games", 2);
      await agrees(indexer, url, addresses);
    });

    // For the embedded database, test/indexer/rows.ts kills the process at random moments.
    if (kind === "Postgres")
      it("resumes after a kill", async () => {
        process.kill(indexer.pid!, "SIGKILL");
        await play("guardians");
        await play("mini-games", 3);
        await agrees(indexer, url, addresses);
      });

    describe("when they emit events", () => {
      before(async () => {
        snapshot = await provider.send("evm_snapshot", []);
        height = await provider.getBlockNumber();
        const terms = { stake1: 0n, token: COIN, stake2: 0n, mode: ZeroHash, clock: 60n, feeBps: 0n, rated: false };
        const own = { ...terms, game: addresses.TicTacToe };
        await arena("TermsAdded", 1_000n, own);
        await arena("Created", MATCH, LEAST, ZeroAddress, termsHash(own), 0n, true, "0x");
      });

      it("accepts repeated events with minimal and maximal values, and sums of any size", async () => {
        const { TicTacToe: game } = addresses;
        const termsOf = (greatest: boolean, own: Partial<Terms>): Terms => ({
          game: FOREIGN,
          stake1: greatest ? MAX(96n) : 0n,
          token: greatest ? GREATEST : COIN,
          stake2: greatest ? MAX(96n) : 0n,
          mode: greatest ? HIGHEST : ZeroHash,
          clock: greatest ? MAX(32n) : 0n,
          feeBps: greatest ? MAX(16n) : 0n,
          rated: false,
          ...own,
        });
        const extremes = [false, true];
        const all = extremes.flatMap((greatest) =>
          [FOREIGN, game].map((each) => termsOf(greatest, { game: each, rated: greatest && each === game })),
        );
        for (const [i, terms] of all.entries()) await arena("TermsAdded", i % 2 ? MAX(40n) - BigInt(i) : i, terms);
        for (const fee of [0n, MAX(16n)]) await arena("FeeChanged", fee);
        for (const each of [LEAST, GREATEST]) {
          await arena("TreasuryChanged", each);
          for (const until of [0n, MAX(40n)]) await arena("OperatorAllowed", each, LEAST, until);
        }
        for (let round = 0; round < 10; round++) {
          await arena("Deposited", TOKEN, GREATEST, MaxUint256);
          await arena("Withdrawn", TOKEN, GREATEST, LEAST, MaxUint256);
        }
        for (const each of [COIN, TOKEN, GREATEST]) {
          for (const amount of [0n, MaxUint256]) await arena("Deposited", each, LEAST, amount);
        }
        const long = hexlify(randomBytes(40_000));
        // Real matches have the lowest numbers.
        let [matchId, count] = [0n, 1_000n];
        for (const [i, terms] of all.entries()) {
          const hash = termsHash(terms);
          const end = async (id: bigint, status: bigint, ...paid: bigint[]) => arena("Settled", id, status, ...paid);
          const created = (funded: boolean) => {
            matchId = count++ % 2n === 0n ? count : MaxUint256 - count;
            const values = [LEAST, i % 2 ? GREATEST : ZeroAddress, hash, i % 2 ? MAX(40n) : 0n, funded, long];
            return arena("Created", matchId, ...values);
          };
          await created(false);
          await arena("Declined", matchId, GREATEST);
          await end(matchId, Status.P1Canceled, 0n, 0n, 0n, 0n, 0n);
          await created(false);
          await arena("Funded", matchId, Seat.One, LEAST);
          await arena("Funded", matchId, Seat.Two, GREATEST);
          await arena("Joined", matchId, GREATEST, "0x");
          await arena("Acted", matchId, Seat.Two, long);
          if (terms.game === game) {
            await emitter.emit(game, GAME, "Log", [matchId, MaxUint256, [0n, MaxUint256]]);
            await emitter.emit(game, GAME, "Log", [matchId, 0n, Array.from({ length: 3_000 }, () => MaxUint256)]);
            await emitter.emit(game, GAME, "Log", [matchId, 0n, []]);
          } else {
            await end(matchId, Status.P2Win, 0n, 2n * terms.stake1, 0n, 0n, 0n);
          }
          await created(true);
        }
        for (const [mode, content] of [
          [ZeroHash, "0x"],
          [HIGHEST, long],
        ]) {
          for (let time = 0; time < 2; time++) await emitter.emit(game, GAME, "ModeRegistered", [mode, content]);
        }
        for (const id of [0n, MaxUint256]) {
          for (const [contract, abi] of [
            [addresses.Fighters, FIGHTERS],
            [addresses.GuardianCards, CARDS],
          ] as const) {
            for (const [from, to] of [
              [ZeroAddress, LEAST],
              [LEAST, GREATEST],
              [GREATEST, ZeroAddress],
            ]) {
              await emitter.emit(contract, abi, "Transfer", [from, to, id]);
            }
          }
          const most = id > 0n;
          const tiers = Array.from({ length: 6 }, () => (most ? MAX(8n) : 0n));
          await emitter.emit(addresses.Fighters, FIGHTERS, "FighterMinted", [
            id,
            LEAST,
            most ? MAX(32n) : 0n,
            tiers,
            most,
          ]);
          const stats = CARDS.getEvent("CardMinted")!.inputs[2].components!.map(({ type }) =>
            most ? MAX(BigInt(type.slice("uint".length))) : 0n,
          );
          await emitter.emit(addresses.GuardianCards, CARDS, "CardMinted", [id, LEAST, stats]);
        }
        await agrees(indexer, url, addresses);
        const client = await clientOf(indexer, addresses);
        const amounts: bigint[] = [];
        for await (const { rows } of client.pages("purse", { orderBy: "deposited", descending: true, limit: 1 })) {
          amounts.push(...rows.map(({ deposited }) => deposited));
        }
        expect(amounts[0]).to.equal(10n * MaxUint256);
        expect(amounts).to.deep.equal(amounts.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      });

      it("skips matches from channels, because these have no creator", async () => {
        const { TicTacToe: game } = addresses;
        const fromChannel = 2n ** 255n + 1n;
        await arena("Started", fromChannel, LEAST, GREATEST, 1n, Seat.One, ZeroHash);
        await arena("Acted", fromChannel, Seat.One, "0x");
        await emitter.emit(game, GAME, "Log", [fromChannel, 0n, [1n]]);
        await arena("Settled", fromChannel, Status.P1Win, 1n, 0n, 0n, 0n, 0n);
        await arena("Voided", fromChannel + 1n);
        await agrees(indexer, url, addresses);
      });

      it("continues after a match that its game cannot decode, and reports it", async () => {
        const { TicTacToe: game } = addresses;
        await arena("Joined", MATCH, GREATEST, "0x");
        await emitter.emit(game, GAME, "Log", [MATCH, 0n, [MaxUint256]]);
        await arena("Settled", MATCH, Status.P1Win, 0n, 0n, 0n, 0n, 0n);
        await indexer.ready();
        const client = await clientOf(indexer, addresses);
        const found = await client.match(MATCH);
        expect(found?.match.winner).to.equal(1);
        const { rows } = await client.page("matchEvent", { where: { matchId: MATCH, name: "Log" } });
        expect(rows.map(({ decoded }) => decoded)).to.deep.equal([null]);
        expect(said.join("\n")).to.include(`Match ${MATCH} cannot be decoded: `);
      });

      it("does not serve metrics or live queries to strangers", async () => {
        for (const path of ["/metrics", "/sql/live", `/sql/live?${sqlQuestion("select 1")}`, "/anything"]) {
          expect((await fetch(indexer.url + path)).status, path).to.equal(404);
        }
      });

      it("exposes Ponder's own port only to its supervisor", async () => {
        const line = execFileSync("ps", ["-o", "args=", "-p", String(indexer.pid)], { encoding: "utf8" });
        const port = /--port (\d+)/.exec(line)![1];
        for (const path of ["/metrics", "/graphql", "/ready", "/sql/live"]) {
          expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).to.equal(403);
        }
      });

      it("refuses bodies of more than 100 kB, whether their length is declared or not", async () => {
        const long = "x".repeat(100_001);
        const stream = new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode(long));
            controller.close();
          },
        });
        for (const body of [long, stream]) {
          const request = { method: "POST", body, duplex: "half" } as RequestInit;
          const response = await fetch(`${indexer.url}/graphql`, request);
          expect(response.status).to.equal(413);
          expect(await response.text()).to.equal("The body has more than 100000 bytes.");
        }
      });

      for (const [title, query, reason] of [
        ["for four lists", `{ ${LISTS} }`, / 4 fields at its top, and 3 is the most/],
        ["for lists in a fragment", `fragment A on Query { ${LISTS} } { ...A }`, /no fragments/],
        ["too long", `{ matchs { items { ${"matchId ".repeat(400)} } } }`, /Token limit/],
        ["for too many rows", "{ matchs(limit: 1001) { items { matchId } } }", /limit/],
      ] as const) {
        it(`rejects a GraphQL query that is ${title}`, async () => {
          const { errors } = await askGraphql(indexer.url, query);
          expect(errors?.map(({ message }) => message).join()).to.match(reason);
        });
      }

      it("answers a GraphQL query for its schema", async () => {
        const { errors, data } = await askGraphql(indexer.url, getIntrospectionQuery());
        expect(errors).to.equal(undefined);
        expect(data).to.have.property("__schema");
      });

      describe("with SQL", () => {
        before(async () => {
          // Number of events with which a join of three tables exceeds a limit.
          for (let acted = 0; acted < 100; acted++) await arena("Acted", MATCH, Seat.One, "0x");
          await indexer.ready();
        });

        const ask = async (sql: string, ...params: string[]) => {
          const response = await fetch(`${indexer.url}/sql/db?${sqlQuestion(sql, params)}`);
          return { status: response.status, text: await response.text() };
        };
        const tables = (count: number) => Array.from({ length: count }, (_, i) => `match_event e${i}`).join(", ");

        for (const [title, sql, reason] of [
          [
            "a cross join of eight tables",
            `select count(*) from ${tables(8)}`,
            "8 tables are joined, and 3 is the most",
          ],
          [
            "a cross join that is too much work",
            `select count(*) from ${tables(3)} where ${"e0.place * e1.place + ".repeat(200)}e2.place > 0`,
            /^the database expects a cost of \d+, and 200000 is the most$/,
          ],
          ["Ponder's own table", "select * from _ponder_meta", '"_ponder_meta" is not a table of the index'],
          ["the table of undone rows", "select * from _reorg__match", '"_reorg__match" is not a table of the index'],
          ["a table of the database", "select * from pg_stat_activity", "System tables not supported"],
          ["a table of another schema", "select * from ponder_sync.logs", "Schema name not supported"],
          ["a function with a side effect", "select pg_sleep(100)", "Function call not supported"],
          ["a change of rows", "delete from match", "DeleteStmt not supported"],
          ["two statements", "select 1; select 2", "Multiple statements not supported"],
          [
            "a recursion",
            "with recursive match as (select 1 as a union all select a + 1 from match) select * from match",
            "WITH and subqueries are not supported",
          ],
          ["a subquery", "select * from (select * from match) as a", "WITH and subqueries are not supported"],
        ] as const) {
          it(`refuses ${title}`, async () => {
            const { status, text } = await ask(sql);
            expect(status).to.equal(400);
            const [, why] = /^The question is not run: (.*)\.$/.exec(text) ?? [undefined, text];
            if (typeof reason === "string") expect(why).to.equal(reason);
            else expect(why).to.match(reason);
          });
        }

        it("answers at most 1000 rows", async () => {
          const { status, text } = await ask("select a.name from match_event a, match_event b");
          expect([status, text]).to.deep.equal([
            400,
            "The question is not run: there are more than 1000 rows: ask with a limit.",
          ]);
        });

        it("never returns a row of more than 32 kB, even if functions expand a short parameter", async () => {
          const sql = "select replace(replace($1::text, 'y', $1::text), 'y', $1::text) as long from deployment";
          expect(await ask(sql, "yy")).to.deep.include({ status: 200 });
          expect(await ask(sql, "y".repeat(40))).to.deep.equal({ status: 400, text: "division by zero" });
          expect((await ask(sql, "y".repeat(500))).text).to.equal(
            "The question is not run: its parameters have 504 characters, and 500 is the most.",
          );
        });
      });
    });

    // Mocha runs these tests after those above.
    describe("after a deep reorganisation", () => {
      it("re-reads everything into a new database if more blocks are undone than Ponder can revert", async () => {
        // The blocks are mined one by one, because hashes of blocks that are mined in bulk do not depend on each other.
        while ((await provider.getBlockNumber()) < height + FINAL_AFTER) await provider.send("evm_mine", []);
        await indexer.ready(await provider.getBlockNumber());
        await provider.send("evm_revert", [snapshot]);
        await play("tic-tac-toe");
        const first = "The chain was taken back by more blocks than can be undone.";
        if (kind === "Postgres") {
          const line = `${first} Stop the index, empty its database, and start it again.`;
          while (!said.includes(line)) await pause(PAUSE);
          return;
        }
        await agrees(indexer, url, addresses);
        expect(said).to.include(`${first} All of it is read again.`);
      });

      // The embedded database then has another folder, as test/indexer/supervisor.ts shows.
      if (kind === "Postgres")
        it("matches the current chain after the chain was restarted", async () => {
          const before = addresses;
          provider.destroy();
          await node.close();
          await startNode(Number(new URL(url).port), { initialDate: new Date("2100-01-01T00:00:00Z") });
          await begin();
          expect(addresses).to.deep.equal(before);
          await play("tic-tac-toe");
          await agrees(indexer, url, addresses);
        });
    });
  });
}

function clientOf({ url }: Indexer, addresses: Addresses): Promise<IndexClient> {
  return IndexClient.open(url, { chainId: SETTINGS.chainId, addresses });
}
