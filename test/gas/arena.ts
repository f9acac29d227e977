import { keccak256 } from "ethers";
import { defaultMode, encodeMode } from "../../sdk/games/auto-battler/mode.js";
import { COIN } from "../../sdk/protocol/terms.js";
import { DAY, UNIT } from "./chain.js";
import { create, createSoft, fund, join, planMatch, STAKE, type Plan } from "./match.js";
import { friendly, register, type Entries, type World } from "./world.js";

const MODE = encodeMode({ ...defaultMode, cooldownSecs: 0 });
const NOTE = `0x${"5a".repeat(96)}`;
const COIN_TERMS = { token: COIN };
/** A stake that is higher than any purse. */
const HIGH = { stake1: 2000n * UNIT };

/** Offers and seats. By default terms are already stored, and purses hold more than the stakes. */
export const offers: Entries = {
  "create a match: firm offer to a named opponent": async (world) =>
    create(await planMatch(world, world.alice, world.bob)),
  "create a match: firm offer, a note of 96 bytes behind the commitment": async (world) =>
    create(await planMatch(world, world.alice, world.bob, { note: NOTE })),
  "create a match: firm offer, unknown terms": async (world) =>
    create(await planMatch(world, world.alice, world.bob, { terms: { clock: 3600n } })),
  "create a match: firm offer, a mode other than the default": async (world) => {
    await world.autoBattler.registerMode(MODE);
    const match = await planMatch(world, world.alice, world.bob, { terms: { mode: keccak256(MODE) } });
    await register(world, match.terms);
    return create(match);
  },
  "create a match: firm offer, no stakes": async (world) =>
    create(await planMatch(world, world.alice, world.bob, { terms: friendly })),
  "create a match: soft offer to anyone": async (world) => createSoft(await planMatch(world, world.alice, world.bob)),
  "create a match: soft offer to anyone, without the money for it": async (world) =>
    createSoft(await planMatch(world, world.eve, world.bob)),
  "create a match: firm offer, coin sent along": async (world) => create(await coinMatch(world, "alice", "bob"), STAKE),

  "fund seat 1 from the purse": async (world) => {
    const { alice, bob, fight } = world;
    const match = await planMatch(world, alice, bob, { terms: HIGH });
    await create(match);
    await alice.arena.deposit(fight, 1500n * UNIT, alice.address);
    return fund(match, alice);
  },
  "fund seat 1 with coin sent along: first-time player": async (world) => {
    const match = await coinMatch(world, "eve", "bob");
    await create(match);
    return fund(match, world.eve, STAKE);
  },
  "fund seat 2 from the purse": async (world) => {
    const match = await planMatch(world, world.alice, world.bob);
    await createSoft(match);
    return fund(match, world.bob);
  },
  "fund seat 2 with coin sent along: first-time player": async (world) => {
    const match = await coinMatch(world, "alice", "eve");
    await createSoft(match);
    return fund(match, world.eve, STAKE);
  },
  "fund seat 2 with coin sent along: returning player": async (world) => {
    const match = await coinMatch(world, "alice", "bob");
    await createSoft(match);
    return fund(match, world.bob, STAKE);
  },

  "join a firm offer in one step: first-time fighters": async (world) => {
    const match = await planMatch(world, world.alice, world.dave);
    await create(match);
    return join(match);
  },
  "join a firm offer in one step: returning fighters": async (world) => {
    const match = await planMatch(world, world.alice, world.bob);
    await create(match);
    return join(match);
  },
  "join a firm offer in one step: returning fighters, coin sent along": async (world) => {
    const match = await coinMatch(world, "alice", "bob");
    await create(match, STAKE);
    return join(match, STAKE);
  },
  "join after funding: first-time fighters": async (world) => {
    const match = await planMatch(world, world.alice, world.dave);
    await createSoft(match);
    await fund(match, world.dave);
    return join(match);
  },
  "join after funding: returning fighters": async (world) => {
    const match = await planMatch(world, world.alice, world.bob);
    await createSoft(match);
    await fund(match, world.bob);
    return join(match);
  },
};

/** Approvals of operators, the owner's settings, and modes. */
export const settings: Entries = {
  "allow an operator: the first time": async ({ alice, stranger, now }) =>
    alice.arena.allow(stranger.address, (await now()) + DAY),
  "allow an operator: again": async ({ alice, stranger, now }) => {
    await alice.arena.allow(stranger.address, (await now()) + DAY);
    return alice.arena.allow(stranger.address, (await now()) + DAY);
  },
  "set the house fee": ({ owner }) => owner.arena.setFeeBps(1000),
  "set the treasury": ({ owner, stranger }) => owner.arena.setTreasury(stranger.address),
  "hand over the arena: offered": ({ owner, stranger }) => owner.arena.transferOwnership(stranger.address),
  "hand over the arena: accepted": async ({ owner, stranger }) => {
    await owner.arena.transferOwnership(stranger.address);
    return stranger.arena.acceptOwnership();
  },
  "give up the arena's ownership": ({ owner }) => owner.arena.renounceOwnership(),
  "register a mode of the auto-battler: a new one": ({ autoBattler }) => autoBattler.registerMode(MODE),
  "register a mode of the auto-battler: a known one": async ({ autoBattler }) => {
    await autoBattler.registerMode(MODE);
    return autoBattler.registerMode(MODE);
  },
};

type Name = "alice" | "bob" | "carol" | "dave" | "eve";

/** A match for coin, with stored terms. */
async function coinMatch(world: World, player1: Name, player2: Name): Promise<Plan> {
  await register(world, (await planMatch(world, world[player1], world[player2], { terms: COIN_TERMS })).terms);
  return planMatch(world, world[player1], world[player2], { terms: COIN_TERMS });
}
