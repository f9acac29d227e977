import { expect } from "chai";
import { parseEther, SigningKey, ZeroAddress } from "ethers";
import type { ApiEvent, Challenge, Challenges, Game, GameFull, Playing } from "../../cli/api/wire.js";
import { setTimeout as pause } from "node:timers/promises";
import { channelsOf } from "../../sdk/chain/channels.js";
import { nextTime } from "../../sdk/chain/time.js";
import { CHANNEL_LIMITS } from "../../sdk/player/channels/player.js";
import { Status } from "../../sdk/protocol/status.js";
import type { ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { signedSeek, type Seek } from "../../sdk/protocol/channels/seek.js";
import { Channels__factory, type Channels } from "../../typechain-types/index.js";
import { openApi, type ApiClient, type OpenApi } from "../support/api-support.js";
import { keyOf } from "../support/channels.js";
import { MemoryPlace } from "../support/memory-place.js";
import { readDocument } from "../../scripts/document.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";

const [ALICE, BOB] = [4, 5];
const OK = { status: 200, body: { ok: true } };
const UNIT = parseEther("1");

const keysOf = (value: unknown) => Object.keys(value as object).sort();

/** Returns the example of a type in the documentation. */
function documented(type: string): Record<string, unknown> {
  const examples = readDocument("docs/api.md").blocks.filter(({ language }) => language === "json");
  const values = examples.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  return values.find((each) => each.type === type)!;
}

describe("npm run api: games", () => {
  let world: PlayWorld;
  let place: MemoryPlace;
  let snapshot: unknown;
  let alice: OpenApi;
  let bob: OpenApi;
  let channels: Channels;
  let at: ChannelsAt;

  before(async () => {
    world = await startWorld();
    at = { chainId: 31_337n, channels: channelsOf(world.addresses.Arena) };
    channels = Channels__factory.connect(at.channels, world.provider);
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    place = new MemoryPlace();
    [alice, bob] = [await openApi(world, ALICE, { place, look: 50 }), await openApi(world, BOB, { place, look: 50 })];
  });
  afterEach(async () => {
    await Promise.all([alice.close(), bob.close()]);
    await world.provider.send("evm_revert", [snapshot]);
  });

  /** Waits for an event, also one that a new stream begins with. */
  async function event<T extends ApiEvent["type"]>(
    { client }: OpenApi,
    type: T,
    isMeant: (found: Extract<ApiEvent, { type: T }>) => boolean = () => true,
  ) {
    const isFound = (each: ApiEvent) => each.type === type && isMeant(each as Extract<ApiEvent, { type: T }>);
    return (await client.first<ApiEvent>("/api/stream/event", isFound)) as Extract<ApiEvent, { type: T }>;
  }

  const started = async (api: OpenApi) => (await event(api, "gameStart")).game;
  const incoming = async (api: OpenApi) =>
    (await event(api, "challenge", ({ challenge }) => challenge.direction === "in")).challenge;
  const post = (client: ApiClient, path: string) => client.ask("POST", `/api/${path}`);
  const challengesOf = async (api: OpenApi) => (await api.client.ask<Challenges>("GET", "/api/challenge")).body;

  /** Sends a challenge, and expects that it is accepted by the server. */
  async function challenge(from: OpenApi, to: OpenApi, request: object): Promise<Challenge> {
    const { status, body } = await from.client.ask<Challenge>("POST", `/api/challenge/${to.address}`, request);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }

  /** Makes a move once it is the player's turn. */
  async function move(api: OpenApi, game: Game, text: string): Promise<void> {
    await api.client.state(game, ({ isMyTurn }) => isMyTurn);
    expect(await api.client.move(game, text)).to.deep.equal(OK);
  }

  /** Lets Bob accept a challenge of Alice, who makes the first move. @returns the game as both see it */
  async function begin(request: object, first: string): Promise<[Game, Game]> {
    await challenge(alice, bob, request);
    expect(await post(bob.client, `challenge/${(await incoming(bob)).id}/accept`)).to.deep.equal(OK);
    const hers = await started(alice);
    await move(alice, hers, first);
    return [hers, await started(bob)];
  }

  const linesSent = () => [...place.transports.values()].flatMap(({ transport }) => transport.lines).length;

  it("plays a match of open moves between two bots, who have no channel yet, without a transaction", async () => {
    const blocks = await world.provider.getBlockNumber();
    await challenge(alice, bob, { game: "tic-tac-toe" });
    const found = await incoming(bob);
    expect(found).to.deep.include({ opponent: alice.address, free: true });
    expect(found.match).to.deep.include({
      game: "tic-tac-toe",
      mode: "default",
      stake: "0",
      clock: 86_400,
      rated: false,
    });
    expect(keysOf(found)).to.deep.equal(keysOf(documented("challenge").challenge));
    expect(found.opens).to.deep.include({ amount: "0", opponentAmount: "0", symbol: "FIGHT" });
    expect(await post(bob.client, `challenge/${found.id}/accept`)).to.deep.equal(OK);
    const hers = await started(alice);
    expect(hers).to.include({ seat: 1, status: "created", opponent: bob.address });
    await move(alice, hers, "4");
    const his = await started(bob);
    expect(his).to.include({ id: hers.id, matchId: hers.matchId, seat: 2, challenge: found.id });
    const full = await bob.client.first<GameFull>(`/api/board/game/stream/${his.id}`, () => true);
    expect([keysOf(full), keysOf(full.state)]).to.deep.equal([
      keysOf(documented("gameFull")),
      keysOf(documented("gameFull").state),
    ]);
    const state = await bob.client.state(his, ({ isMyTurn }) => isMyTurn);
    expect(state).to.deep.include({
      turn: 2,
      moves: [{ seat: 1, text: "marks cell 4", data: "0x04" }],
      usage: "CELL",
      legalMoves: ["0", "1", "2", "3", "5", "6", "7", "8"],
      held: { own: "0", other: "0" },
    });
    expect(state.legalMoves).to.include(state.anyMove);
    for (const [api, cell] of [
      [bob, "0"],
      [alice, "3"],
      [bob, "1"],
      [alice, "5"],
    ] as const)
      await move(api, hers, cell);
    const end = await bob.client.state(his, ({ status }) => status === "over");
    expect(end).to.deep.include({ turn: null, isMyTurn: false, legalMoves: null });
    expect(end.result).to.deep.equal({ winner: 1, result: "lost", pot: "other", text: "You lose." });
    expect(end.moves.map(({ text }) => text)).to.deep.equal(
      ["4", "0", "3", "1", "5"].map((cell) => `marks cell ${cell}`),
    );
    expect(end.board.slice(1)).to.deep.equal(["  O O 2", "  X X X", "  6 7 8"]);
    expect((await bob.client.ask<Playing>("GET", "/api/account/playing")).body.nowPlaying).to.be.empty;
    const late = await bob.client.move(his, "8");
    expect([late.status, late.body.error]).to.deep.equal([409, `The game ${his.id} is over.`]);
    expect(await world.provider.getBlockNumber()).to.equal(blocks);
  });

  it("refuses an illegal move with the rule, and signs nothing", async () => {
    const [hers, his] = await begin({ game: "tic-tac-toe" }, "4");
    await bob.client.state(his, ({ isMyTurn }) => isMyTurn);
    const lines = linesSent();
    for (const [text, error] of [
      ["4", "move: cell 4 is marked already."],
      ["9", "cell: a move is one number from 0 to 8."],
      ["b2", "cell: a move is one number from 0 to 8."],
      ["", "move: left out: give CELL, e.g. "],
    ]) {
      const { status, body } = await bob.client.ask("POST", `/api/board/game/${his.id}/move`, { move: text });
      expect([status, String(body.error).slice(0, error.length)], text).to.deep.equal([400, error]);
    }
    const early = await alice.client.move(hers, "0");
    expect([early.status, early.body.error]).to.deep.equal([409, `It is not your turn in the game ${hers.id}.`]);
    expect((await bob.client.state(his, () => true)).isMyTurn).to.equal(true);
    expect(linesSent()).to.equal(lines);
  });

  it("refuses an illegal first move, which would be part of the offer", async () => {
    await challenge(alice, bob, { game: "tic-tac-toe" });
    expect(await post(bob.client, `challenge/${(await incoming(bob)).id}/accept`)).to.deep.equal(OK);
    const hers = await started(alice);
    await alice.client.state(hers, ({ isMyTurn }) => isMyTurn);
    const { status, body } = await alice.client.move(hers, "9");
    expect([status, body.error]).to.deep.equal([400, "cell: a move is one number from 0 to 8."]);
  });

  it("commits and reveals without the bot, and lets either player challenge in an open channel", async () => {
    const [first] = await begin({ game: "rock-paper-scissors" }, "rock");
    await move(bob, first, "paper");
    expect((await alice.client.state(first, ({ status }) => status === "over")).result!.text).to.equal("You lose.");
    await event(bob, "gameFinish", ({ game }) => game.id === first.id).catch(() => undefined);
    // Bob offers the second match: Alice asks him for it.
    await challenge(alice, bob, { game: "rock-paper-scissors" });
    const wish = await incoming(bob);
    expect(wish).to.deep.include({ opens: null, opponent: alice.address, free: true });
    expect(await post(bob.client, `challenge/${wish.id}/accept`)).to.deep.equal(OK);
    const second = await started(bob);
    expect(second).to.include({ seat: 1, nonce: first.nonce + 1, challenge: wish.id });
    await move(bob, second, "rock");
    expect(await started(alice)).to.include({ id: second.id, seat: 2 });
    await move(alice, second, "paper");
    expect((await alice.client.state(second, ({ status }) => status === "over")).result!.text).to.equal("You win.");
    expect(await challengesOf(alice)).to.deep.equal({ in: [], out: [] });
  });

  it("locks money that the purse lacks, plays for stakes, and refuses stakes above what the players hold", async () => {
    const [stake, lock] = [String(5n * UNIT), String(20n * UNIT)];
    const [hers, his] = await begin({ game: "rock-paper-scissors", stake, lock }, "rock");
    const [found] = await channels.queryFilter(channels.filters.Opened());
    expect([found.args.amount1, found.args.amount2]).to.deep.equal([20n * UNIT, 20n * UNIT]);
    expect(his.match).to.deep.include({ stake, opponentStake: stake });
    await move(bob, his, "paper");
    const { held, result } = await alice.client.state(hers, ({ status }) => status === "over");
    expect([held, result!.pot]).to.deep.equal([{ own: String(15n * UNIT), other: String(23n * UNIT) }, "other"]);
    const request = { game: "rock-paper-scissors", stake: String(16n * UNIT) };
    const { status, body } = await alice.client.ask("POST", `/api/challenge/${bob.address}`, request);
    expect([status, String(body.error)]).to.satisfy(([code, text]: [number, string]) => {
      return (
        code === 409 && /^Match 16385 must not be played: player 1 holds 15\d+, and its stake is 16\d+\.$/.test(text)
      );
    });
  });

  it("ends a challenge that the opponent declines, or that its player cancels", async () => {
    const [first] = await begin({ game: "rock-paper-scissors" }, "rock");
    await move(bob, first, "rock");
    await alice.client.state(first, ({ status }) => status === "over");
    // Bob must offer the next match. Alice asks him for one that he declines, then for one that she cancels.
    const asked = await challenge(alice, bob, { game: "tic-tac-toe" });
    const declined = event(alice, "challengeDeclined");
    expect(await post(bob.client, `challenge/${(await incoming(bob)).id}/decline`)).to.deep.equal(OK);
    expect((await declined).challenge.id).to.equal(asked.id);
    const other = await challenge(alice, bob, { game: "dice" });
    const found = await incoming(bob);
    const canceled = event(bob, "challengeCanceled");
    expect(await post(alice.client, `challenge/${other.id}/cancel`)).to.deep.equal(OK);
    expect((await canceled).challenge.id).to.equal(found.id);
    expect([await challengesOf(alice), await challengesOf(bob)]).to.deep.equal([
      { in: [], out: [] },
      { in: [], out: [] },
    ]);
    // Bob's own offer starts his game at once, and Alice declines it.
    const offered = await challenge(bob, alice, { game: "dice" });
    const game = await started(bob);
    expect(game).to.include({ challenge: offered.id, seat: 1, status: "created" });
    await move(bob, game, "6");
    const late = await post(bob.client, `challenge/${offered.id}/cancel`);
    expect(late.status).to.equal(409);
    expect(late.body.error).to.match(/^Your offer is signed, and stands until .* UTC\.$/);
    const aborted = event(bob, "gameFinish");
    expect(await post(alice.client, `challenge/${(await incoming(alice)).id}/decline`)).to.deep.equal(OK);
    expect((await aborted).game).to.include({ id: game.id, status: "aborted", result: null });
    expect((await challengesOf(bob)).out).to.be.empty;
  });

  it("continues its games after a restart", async () => {
    const [hers] = await begin({ game: "tic-tac-toe" }, "4");
    await move(bob, hers, "0");
    await alice.client.state(hers, ({ isMyTurn }) => isMyTurn);
    const lines = alice.client.lines(`/api/board/game/stream/${hers.id}`);
    expect((await lines.next()).done).to.equal(false);
    await alice.close();
    expect((await lines.next()).done).to.equal(true);
    alice = await openApi(world, ALICE, { place, look: 50 }, alice.home);
    expect(await started(alice)).to.deep.include({ id: hers.id, seat: 1, challenge: null, matchId: hers.matchId });
    await move(alice, hers, "3");
    const { moves } = await bob.client.state(hers, ({ isMyTurn }) => isMyTurn);
    expect(moves.map(({ text }) => text)).to.deep.equal(["4", "0", "3"].map((cell) => `marks cell ${cell}`));
  });

  it("resigns on chain once the match is there, and signs no move before", async () => {
    const [hers, his] = await begin({ game: "tic-tac-toe" }, "4");
    const early = await post(alice.client, `board/game/${hers.id}/resign`);
    expect(early.body.error).to.match(/^Your offer stands until .* UTC: nothing is played yet\.$/);
    await move(bob, his, "0");
    await move(alice, hers, "3");
    await bob.client.state(his, ({ isMyTurn }) => isMyTurn);
    expect(await post(bob.client, `board/game/${his.id}/resign`)).to.deep.equal(OK);
    const after = await bob.client.move(his, "5");
    expect([after.status, after.body.error]).to.deep.equal([409, `You have resigned the game ${his.id}.`]);
    const finished = event(alice, "gameFinish");
    await world.pass(CHANNEL_LIMITS.patience + 1);
    expect((await finished).game.result).to.deep.include({ winner: 1, result: "won" });
    expect((await bob.client.state(his, ({ status }) => status === "over")).result!.result).to.equal("lost");
    expect((await world.arena.matchOf(BigInt(his.matchId))).status).to.equal(Status.P1Win);
  });

  it("withdraws from a game that it has not signed yet", async () => {
    await challenge(alice, bob, { game: "tic-tac-toe" });
    expect(await post(bob.client, `challenge/${(await incoming(bob)).id}/accept`)).to.deep.equal(OK);
    const hers = await started(alice);
    const lines = linesSent();
    expect(await post(alice.client, `board/game/${hers.id}/resign`)).to.deep.equal(OK);
    expect((await alice.client.state(hers, () => true)).status).to.equal("aborted");
    expect(linesSent()).to.equal(lines);
    expect(await challengesOf(alice)).to.deep.equal({ in: [], out: [] });
  });

  it("has no draw by agreement", async () => {
    const [hers] = await begin({ game: "tic-tac-toe" }, "4");
    for (const answer of ["yes", "no"]) {
      const { status, body } = await post(alice.client, `board/game/${hers.id}/draw/${answer}`);
      expect([status, body.error]).to.deep.equal([409, "Channels have no draw by agreement: play on, or resign."]);
    }
  });

  describe("given searches of strangers", () => {
    let now: number;
    let feeBps: bigint;

    beforeEach(async () => {
      [now, feeBps] = [await nextTime(world.provider), await world.arena.feeBps()];
    });

    const playerOf = (number: number) => keyOf(`player ${number}`).address;

    /** Puts a stranger's search for Bob, without money, into the lobby. */
    async function search(number: number, change: Partial<Seek> = {}): Promise<void> {
      const key = keyOf(`stranger ${number}`);
      const amounts = { token: world.addresses.FightToken, feeBps, amount: 0n, otherAmount: 0n };
      const named = { player: playerOf(number), key: key.address, opponent: bob.address };
      const seek = { ...named, ...amounts, until: now + 86_400, expires: now + 100, ...change };
      await place.lobby.put(signedSeek(new SigningKey(key.privateKey), at, seek));
    }

    /** Waits until Bob has a number of challenges. */
    async function listed(count: number): Promise<Challenge[]> {
      let found = (await challengesOf(bob)).in;
      while (found.length !== count) [{ in: found }] = [await challengesOf(bob), await pause(20)];
      return found;
    }

    it("lists only those that it can answer, at most 64, and withdraws those that lapse", async () => {
      await search(0, { token: keyOf("token").address });
      await search(1, { until: now + 40 * 86_400 });
      await search(2, { feeBps: feeBps + 1n });
      await search(3, { opponent: ZeroAddress });
      await search(4);
      expect((await listed(1)).map(({ opponent }) => opponent)).to.deep.equal([playerOf(4)]);
      for (let number = 5; number < 70; number++) await search(number);
      const found = await listed(64);
      expect(found.every(({ match, opens, free }) => match === null && opens?.amount === "0" && free)).to.equal(true);
      place.seeks.clear();
      await listed(0);
    });

    it("lists a search that it has accepted no more, even if the other player never comes", async () => {
      await search(0);
      const [{ id }] = await listed(1);
      expect(await post(bob.client, `challenge/${id}/accept`)).to.deep.equal(OK);
      await search(1);
      const [{ opponent }] = await listed(1);
      expect(opponent).to.equal(playerOf(1));
    });
  });

  it("aborts a game whose offer is not answered in time", async () => {
    const [hers] = await begin({ game: "tic-tac-toe" }, "4");
    const canceled = event(alice, "challengeCanceled");
    const aborted = event(alice, "gameFinish");
    await world.pass(7 * 3600);
    expect((await canceled).reason).to.equal("the offer was not answered in time");
    expect((await aborted).game).to.include({ id: hers.id, status: "aborted", result: null });
  });

  it("ends everything in a channel whose time is over", async () => {
    const [hers] = await begin({ game: "tic-tac-toe" }, "4");
    const aborted = event(alice, "gameFinish");
    await world.pass(31 * 86_400);
    expect((await aborted).game).to.include({ id: hers.id, status: "aborted" });
    expect((await alice.client.ask<Playing>("GET", "/api/account/playing")).body.nowPlaying).to.be.empty;
  });
});
