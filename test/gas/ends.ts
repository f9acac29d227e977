import { DAY } from "./chain.js";
import { ATTACKS, create, createSoft, fund, join, reveal, planMatch, usual, type Plan } from "./match.js";
import type { Entries, World } from "./world.js";

/** Ends of rated matches for 10 against 10 FIGHT. First-time players have no record; their purses are not empty. */
export const ends: Entries = {
  [`reveal and fight ${ATTACKS} attacks: first-time players and fighters`]: async (world) =>
    reveal(await joined(world, first)),
  [`reveal and fight ${ATTACKS} attacks: returning players and fighters`]: async (world) =>
    reveal(await joined(world, returning)),
  [`reveal and fight ${ATTACKS} attacks: returning players and fighters, by an operator`]: async (world) => {
    const { alice, stranger } = world;
    const match = await joined(world, returning);
    await alice.arena.allow(stranger.address, (await world.now()) + DAY);
    return reveal(match, stranger);
  },

  "cancel an offer that is not funded": async (world) => {
    const match = await planMatch(world, world.eve, world.bob);
    await createSoft(match);
    return match.player1.arena.cancel(match.matchId);
  },
  "cancel an offer": async (world) => {
    const match = await planMatch(world, world.alice, world.bob);
    await createSoft(match);
    return match.player1.arena.cancel(match.matchId);
  },

  "decline an offer that is not funded": async (world) => {
    const match = await planMatch(world, world.eve, world.bob);
    await create(match);
    return match.player2.arena.decline(match.matchId);
  },
  "decline an offer": async (world) => {
    const match = await planMatch(world, world.alice, world.bob);
    await create(match);
    return match.player2.arena.decline(match.matchId);
  },

  "resign: player 1, first-time players": async (world) => {
    const { matchId, player1 } = await joined(world, first);
    return player1.arena.resign(matchId);
  },
  "resign: player 1, returning players": async (world) => {
    const { matchId, player1 } = await joined(world, returning);
    return player1.arena.resign(matchId);
  },
  "resign: player 2, returning players": async (world) => {
    const { matchId, player2 } = await joined(world, returning);
    return player2.arena.resign(matchId);
  },

  "time out an offer that is not funded": async (world) => {
    const match = await planMatch(world, world.eve, world.bob);
    await create(match);
    return timeout(world, match);
  },
  "time out an offer": async (world) => {
    const match = await planMatch(world, world.alice, world.bob);
    await create(match);
    return timeout(world, match);
  },
  "time out player 2 before it joins: first-time players": async (world) => timeout(world, await funded(world, first)),
  "time out player 2 before it joins: returning players": async (world) =>
    timeout(world, await funded(world, returning)),
  "time out player 1 before it reveals: first-time players": async (world) =>
    timeout(world, await joined(world, first)),
  "time out player 1 before it reveals: returning players": async (world) =>
    timeout(world, await joined(world, returning)),
};

type Pair = (world: World) => Promise<Plan>;
const first: Pair = (world) => planMatch(world, world.carol, world.dave, { wanted: usual });
const returning: Pair = (world) => planMatch(world, world.alice, world.bob, { wanted: usual });

async function joined(world: World, pair: Pair): Promise<Plan> {
  const match = await pair(world);
  await create(match);
  await join(match);
  return match;
}

async function funded(world: World, pair: Pair): Promise<Plan> {
  const match = await pair(world);
  await createSoft(match);
  await fund(match, match.player2);
  return match;
}

async function timeout({ wait, stranger }: World, { matchId }: Plan) {
  await wait(2 * DAY);
  return stranger.arena.timeout(matchId);
}
