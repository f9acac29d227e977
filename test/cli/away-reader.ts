import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { AwayReader } from "../../cli/shared/away-reader.js";
import { urlOf } from "../../scripts/local-chain.js";
import { History } from "../../sdk/chain/history.js";
import { games } from "../../sdk/games/index.js";
import { findGame } from "../../sdk/games/list.js";
import { QUICK } from "../../sdk/games/warmancer/mode.js";
import { Random } from "../../sdk/laws/random.js";
import { messageText, type AwayMove } from "../../sdk/protocol/away.js";
import { AwayWorld, type AwayTable } from "../support/away-tables.js";
import { runInside } from "../support/inside.js";

/** Milliseconds that the relay takes for an answer, and for which it is read. */
const [SLOW, LIMIT] = [20, 200];

/** Answers that are read at once, at most. */
const MAX_ANSWERS = 64;

describe("What is read of a relay", () => {
  let world: AwayWorld;
  let table: AwayTable;
  let server: Server;
  /** Messages of an answer, by its number. */
  let answer: (asked: number) => readonly AwayMove[];
  let asked: number;

  before(async () => {
    world = await AwayWorld.open();
    table = await (await world.join({ ...QUICK, away: true }, new Random("reader"))).play(2);
  });

  beforeEach(async () => {
    asked = 0;
    server = createServer((_, response) => {
      const messages = answer(++asked).map(messageText).join(",");
      setTimeout(() => response.end(`{"messages":[${messages}],"seen":${asked}}`), SLOW);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Reads the moves of the match. @returns them, and what was said of the relay. */
  async function read(limit?: number) {
    const { provider, addresses, players } = world;
    const session = {
      options: { relay: urlOf((server.address() as AddressInfo).port) },
      deployment: {},
      chainId: 31_337,
      arena: players[0].arena,
      history: new History(provider, addresses),
      findGame: (address: string) => findGame(address, games, addresses),
    };
    const reader = new AwayReader(session, async () => [], limit);
    const record = await session.history.match(table.matchId);
    let moves: readonly AwayMove[] | undefined;
    const { stderr } = await runInside(async () => {
      moves = await reader.movesOf(record);
      return 0;
    });
    return { moves, stderr };
  }

  it("are the moves, until an answer brings nothing", async () => {
    answer = (number) => table.moves.slice(number - 1, number);
    expect(await read()).to.deep.equal({ moves: table.moves, stderr: "" });
    expect(asked).to.equal(3);
  });

  it("ends with an answer that only repeats what is known", async () => {
    answer = () => table.moves;
    expect(await read()).to.deep.equal({ moves: table.moves, stderr: "" });
    expect(asked).to.equal(2);
  });

  it("ends in time, however many slow answers there would be", async () => {
    answer = (number) => [...table.moves, { ...table.moves[0], nonce: 100 + number }];
    const { stderr } = await read(LIMIT);
    expect(stderr).to.match(
      /^http:\S+ has not sent all messages within 0\.2 s\. What was played away from the chain may be missing\.\n$/,
    );
    expect(asked).to.be.lessThan(MAX_ANSWERS);
  });
});
