import { expect } from "chai";
import { MemoryPlace } from "../support/memory-place.js";
import { openApi, type OpenApi } from "../support/api-support.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";
import type { ApiEvent, Challenge, Game, GameFull, GameState } from "../../cli/api/wire.js";

const [ALICE, BOB] = [4, 5];

describe("npm run api: games", () => {
  let world: PlayWorld;
  let place: MemoryPlace;
  let snapshot: unknown;
  let alice: OpenApi;
  let bob: OpenApi;

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  beforeEach(async () => {
    snapshot = await world.provider.send("evm_snapshot", []);
    place = new MemoryPlace();
    [alice, bob] = [await openApi(world, ALICE, { place }), await openApi(world, BOB, { place })];
  });
  afterEach(async () => {
    await Promise.all([alice.close(), bob.close()]);
    await world.provider.send("evm_revert", [snapshot]);
  });

  const started = (api: OpenApi) =>
    api.client
      .first<ApiEvent>("/api/stream/event", ({ type }) => type === "gameStart")
      .then((event) => {
        return (event as { game: Game }).game;
      });

  /** Challenges Bob as Alice, accepts as Bob, and makes the first move of Alice. @returns the game as both see it */
  async function begin(request: object, move: string): Promise<[Game, Game]> {
    const { status, body } = await alice.client.ask<Challenge>("POST", `/api/challenge/${bob.address}`, request);
    expect(status, JSON.stringify(body)).to.equal(200);
    const found = await bob.client.first<ApiEvent>("/api/stream/event", ({ type }) => type === "challenge");
    const { challenge } = found as { challenge: Challenge };
    expect(await bob.client.ask("POST", `/api/challenge/${challenge.id}/accept`)).to.deep.equal({
      status: 200,
      body: { ok: true },
    });
    const hers = await started(alice);
    await alice.client.state(hers, ({ isMyTurn }) => isMyTurn);
    expect(await alice.client.move(hers, move)).to.deep.equal({ status: 200, body: { ok: true } });
    return [hers, await started(bob)];
  }

  it("plays a whole match", async () => {
    const [hers, his] = await begin({ game: "tic-tac-toe" }, "4");
    expect(hers.id).to.equal(his.id);
    const state = await bob.client.state(his, ({ isMyTurn }) => isMyTurn);
    console.log(JSON.stringify(state, undefined, 1));
    console.log(JSON.stringify(his));
    for (const [api, move] of [
      [bob, "0"],
      [alice, "3"],
      [bob, "1"],
      [alice, "5"],
    ] as const) {
      await api.client.state(hers, ({ isMyTurn }) => isMyTurn);
      expect(await api.client.move(hers, move)).to.deep.equal({ status: 200, body: { ok: true } });
    }
    const end = await bob.client.state(his, ({ status }) => status === "over");
    console.log(JSON.stringify(end, undefined, 1));
  });
});
