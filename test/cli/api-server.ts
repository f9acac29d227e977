import { text } from "node:stream/consumers";
import { expect } from "chai";
import { Wallet } from "ethers";
import { API_LIMITS, tokenScopeOf } from "../../cli/api/api-server.js";
import { Feed } from "../../cli/api/feed.js";
import { signedToken, tokenProblem, type TokenScope } from "../../cli/api/token.js";
import type { Account, ApiEvent, Challenges, Playing } from "../../cli/api/wire.js";
import { games } from "../../sdk/games/index.js";
import { ApiClient, openApi, type OpenApi } from "../support/api-support.js";
import { keyOf } from "../support/channels.js";
import { MemoryPlace } from "../support/memory-place.js";
import { readDocument } from "../../scripts/document.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";

const NOW = 1_900_000_000;

describe("A token of the API", () => {
  const wallet = new Wallet(keyOf("player").privateKey);
  const scope: TokenScope = { player: wallet.address, chainId: 31_337, arena: keyOf("arena").address };
  const other = keyOf("other").address;
  let token: string;

  before(async () => {
    token = await signedToken(wallet, scope, NOW);
  });

  it("gives access until its last second", () => {
    expect(token).to.match(/^[0-9a-f]{138}$/);
    expect(tokenProblem(scope, token, NOW)).to.equal(undefined);
    expect(tokenProblem(scope, token, NOW + 1)).to.equal(`the token has expired at ${NOW}, and it is ${NOW + 1}`);
  });

  it("gives no access beyond its time, to another player, or on another chain or arena", () => {
    const later = (NOW + 1).toString(16) + token.slice(8);
    expect(tokenProblem(scope, later, NOW)).to.match(
      /^0x\w{40} has not signed the token for the arena 0x\w{40} of chain 31337$/,
    );
    for (const change of [{ player: other }, { arena: other }, { chainId: 1 }]) {
      expect(tokenProblem({ ...scope, ...change }, token, NOW), JSON.stringify(change)).to.include("has not signed");
    }
  });

  it("gives no access if it is malformed", () => {
    for (const wrong of ["", "0", token.toUpperCase(), `${token}0`, token.slice(1), `0x${token.slice(2)}`]) {
      expect(tokenProblem(scope, wrong, NOW), wrong).to.equal("the token is not 138 lowercase hex digits");
    }
    expect(tokenProblem(scope, token.slice(0, 8) + "f".repeat(130), NOW)).to.include("has not signed");
  });
});

describe("A feed of the API", () => {
  it("ends for a reader that is 256 items behind, and continues for the others", async () => {
    const feed = new Feed<number>();
    const [slow, fast] = [feed.open([]), feed.open([-1])];
    expect(await fast.next(0)).to.deep.equal({ item: -1 });
    for (let item = 0; item <= 256; item++) {
      feed.publish(item);
      expect(await fast.next(0)).to.deep.equal({ item });
    }
    expect([await slow.next(0), await fast.next(0)]).to.deep.equal(["over", "late"]);
  });

  it("gives its readers the last items before it ends", async () => {
    const feed = new Feed<number>();
    const reader = feed.open([]);
    const next = reader.next(60_000);
    feed.publish(1);
    feed.publish(2);
    feed.end();
    expect([await next, await reader.next(0), await reader.next(0)]).to.deep.equal([{ item: 1 }, { item: 2 }, "over"]);
  });
});

describe("npm run api: requests", () => {
  let world: PlayWorld;
  const opened: OpenApi[] = [];

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });

  async function open(limits = {}): Promise<OpenApi> {
    const api = await openApi(world, 4, { place: new MemoryPlace(), limits });
    opened.push(api);
    return api;
  }

  it("describes the player, its purse, and the games that can be played in channels", async () => {
    const { client, address } = await open();
    const { status, body } = await client.ask<Account>("GET", "/api/account");
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      id: address,
      chain: { id: 31_337, arena: world.addresses.Arena, channels: await world.arena.channels() },
    });
    expect(body.purse.map(({ symbol, amount }) => [symbol, amount])).to.deep.equal([
      ["COIN", "0"],
      ["FIGHT", "0"],
    ]);
    expect(body.games.map(({ name }) => name)).to.deep.equal(
      games.filter(({ channels }) => channels).map(({ name }) => name),
    );
    const { modes, usage } = body.games.find(({ name }) => name === "mini-games")!;
    expect(usage).to.deep.equal(["MOVE", "MOVE"]);
    expect(modes.find(({ name }) => name === "rock-paper-scissors")).to.deep.include({ odds: ["1", "1"], rated: true });
    expect((await client.ask<Playing>("GET", "/api/account/playing")).body).to.deep.equal({ nowPlaying: [] });
    expect((await client.ask<Challenges>("GET", "/api/challenge")).body).to.deep.equal({ in: [], out: [] });
  });

  it("answers 401 without a valid token, before anything else", async () => {
    const { client, context, server } = await open();
    const bob = await signedToken(await world.provider.getSigner(5), await tokenScopeOf(context), 2 ** 32 - 1);
    const texts = [];
    for (const token of [undefined, "x", bob]) {
      const { status, body } = await new ApiClient(server.url, token).ask("GET", "/nowhere");
      expect(status).to.equal(401);
      texts.push(body.error);
    }
    expect(texts.slice(0, 2)).to.deep.equal([
      "The header Authorization: Bearer TOKEN is missing.",
      "the token is not 138 lowercase hex digits.",
    ]);
    expect(texts[2]).to.match(/^0x\w{40} has not signed the token for the arena/);
    expect((await client.ask("GET", "/nowhere")).status).to.equal(404);
  });

  it("answers 403 to web pages elsewhere, and for names of other hosts", async () => {
    const { client } = await open();
    const cases: Record<string, string>[] = [{ Host: "duello.example" }, { Origin: "https://duello.example" }];
    for (const headers of cases) {
      const { status, body } = await client.ask("GET", "/api/account", undefined, headers);
      expect(status).to.equal(403);
      expect(body.error).to.match(/is not this machine: /);
    }
  });

  it("refuses requests that break a rule, with the rule", async () => {
    const { client, address } = await open();
    const bob = world.accounts[5];
    const cases: [path: string, body: unknown, status: number, error: RegExp][] = [
      [`challenge/${bob}`, "tic-tac-toe", 400, /^: "tic-tac-toe" is not an object|not an object/],
      [`challenge/${bob}`, {}, 400, /^game: /],
      [`challenge/${bob}`, { game: "chess" }, 400, /^chess: no such game or mode/],
      [`challenge/${bob}`, { game: "dice", mode: "chess" }, 400, /^mode: Mini-games has no mode chess/],
      [`challenge/${bob}`, { game: "dice", stake: 5 }, 400, /^stake: /],
      [`challenge/${bob}`, { game: "dice", stake: "-5" }, 400, /^stake: "-5" is no number of 96 bits/],
      [`challenge/${bob}`, { game: "dice", clock: 599 }, 400, /^clock: 599 is below 600/],
      [`challenge/${bob}`, { game: "dice", days: 31 }, 400, /^days: 31 is above 30/],
      [`challenge/${bob}`, { game: "dice", token: "GOLD" }, 400, /^token: GOLD is not an address/],
      [`challenge/${bob}`, { game: "dice", color: "white" }, 400, /^color: unknown field/],
      [`challenge/${address}`, { game: "dice" }, 400, /^address: it is yours: name the other player/],
      ["challenge/bob", { game: "dice" }, 400, /^address: bob is not an address/],
      ["challenge/0123456789abcdef/accept", undefined, 404, /^There is no open challenge "0123456789abcdef"\.$/],
      ["challenge/0123456789abcdef/decline", undefined, 404, /^There is no open challenge/],
      ["challenge/0123456789abcdef/cancel", undefined, 404, /^There is no open challenge/],
      ["board/game/0123456789abcdef/move/4", undefined, 404, /^There is no game "0123456789abcdef"\.$/],
      ["board/game/0123456789abcdef/move", { move: 4 }, 400, /^move: 4 is not a text/],
      ["board/game/0123456789abcdef/move", { move: ["4", 5] }, 400, /^move\[1\]: 5 is not a text/],
      ["board/game/0123456789abcdef/resign", undefined, 404, /^There is no game/],
      ["board/game/0123456789abcdef/draw/yes", undefined, 404, /^There is no game/],
      ["board/game/0123456789abcdef/draw/maybe", undefined, 404, /^There is no such request\.$/],
    ];
    for (const [path, given, status, error] of cases) {
      const answer = await client.ask("POST", `/api/${path}`, given);
      expect([answer.status, String(answer.body.error)], path).to.satisfy(([code, text]: [number, string]) => {
        return code === status && error.test(text);
      });
    }
    const stream = await client.ask("GET", "/api/board/game/stream/0123456789abcdef");
    expect([stream.status, stream.body.error]).to.deep.equal([404, 'There is no game "0123456789abcdef".']);
  });

  it("has all requests that its page lists", async () => {
    const { client } = await open();
    const rows = [...readDocument("docs/api.md").prose.matchAll(/^\| `(GET|POST) (\/\S+)` +\|/gm)];
    expect(rows).to.have.length(14);
    const samples: Record<string, string> = { address: "bob", id: "0123456789abcdef", move: "4", "yes,no": "yes" };
    for (const [, method, path] of rows) {
      const asked = path.replace(/\{([^}]+)\}/g, (_, name: string) => samples[name]);
      const answer = await client.open(method, asked);
      const isStream = answer.headers["content-type"] === "application/x-ndjson";
      if (!isStream) expect(await text(answer), path).not.to.include("There is no such request");
      answer.destroy();
    }
  });

  it("refuses bodies that are no JSON or too long", async () => {
    const { client } = await open();
    const path = "/api/board/seek";
    const status = async (body: string) => (await client.open("POST", path, body)).statusCode;
    expect(await status("{")).to.equal(400);
    expect(await status(`{"game":"${"x".repeat(64 * 1024)}"}`)).to.equal(413);
  });

  it("answers 429 beyond the limit of requests, and still answers a program with a token while strangers ask", async () => {
    const allowance = { burst: 3, perSecond: 0.000_1 };
    const { client, server } = await open({ strangers: allowance, patience: 0 });
    expect((await client.ask("GET", "/api/challenge")).status).to.equal(200);
    const stranger = new ApiClient(server.url, "f".repeat(138));
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await stranger.ask("GET", "/api/challenge")).status);
    expect(statuses).to.deep.equal([401, 401, 429]);
    expect((await client.ask("GET", "/api/challenge")).status).to.equal(200);
  });

  it("limits the requests of a program with a token", async () => {
    const { client } = await open({ requests: { burst: 2, perSecond: 0.000_1 }, patience: 0 });
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await client.ask("GET", "/api/challenge")).status);
    // The first request with a token counts as a stranger's.
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
  });

  it("limits streams, and counts a stream until its reader is gone", async () => {
    const { client } = await open({ streams: 1 });
    const path = "/api/stream/event";
    const first = await client.open("GET", path);
    const second = await client.ask("GET", path);
    expect([second.status, second.body.error]).to.deep.equal([429, "You have 1 streams, the most: close one first."]);
    first.destroy();
    let third = await client.open("GET", path);
    for (; third.statusCode !== 200; third = await client.open("GET", path)) third.resume();
    third.destroy();
  });

  it("sends an empty line when there is no news", async () => {
    const { client } = await open({ beat: 5 });
    const answer = await client.open("GET", "/api/stream/event");
    expect(answer.headers["content-type"]).to.equal("application/x-ndjson");
    for await (const chunk of answer) {
      expect(String(chunk)).to.match(/^\n+$/);
      break;
    }
  });

  it("ends all streams when it stops", async () => {
    const { client } = await open();
    const events = client.lines<ApiEvent>("/api/stream/event");
    const next = events.next();
    // The stream is open once another request is answered.
    await client.ask("GET", "/api/challenge");
    await opened.pop()!.close();
    expect((await next).done).to.equal(true);
  });

  it("has limits that fit each other", () => {
    expect(API_LIMITS.beat).to.be.below(API_LIMITS.answerTime);
    expect(API_LIMITS.streams).to.be.below(API_LIMITS.connections);
  });
});
