import { concat, id, toBeHex } from "ethers";
import { Dice, seedOf } from "../../sdk/protocol/dice.js";
import { fight, shoot, type Fought } from "../../sdk/games/pistols/engine.js";
import type { Duelist } from "../../sdk/games/pistols/honour.js";
import { LIGHT, type Pair } from "../../sdk/games/pistols/legal-moves.js";
import { encodeState } from "../../sdk/games/pistols/state.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { encodeAnswer, encodeReveal, commitmentOf } from "../../sdk/protocol/commit-reveal.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { Pistols__factory, type Pistols } from "../../typechain-types/index.js";
import { billed } from "./bill.js";
import { DAY, type Player } from "./chain.js";
import { hashFor, termsFor } from "./match.js";
import { friendly, register, type Costs, type World } from "./world.js";

const PACES = 10;
const NOBODY = { archetype: 0, strength: 0 };
const MOVES = [concat(["0x01", "0x01"]), toBeHex(PACES, 1)];

/** The ends of duels that are compared: one death in round 1, or four strokes with blades. */
const KINDS: [string, (first: Fought, second: Fought) => boolean][] = [
  ["with pistols alone (three transactions)", (first) => first.over && first.winner > 0],
  ["with pistols and blades (five transactions)", (first, { entries }) => !first.over && entries.length === 4],
];

/** All transactions of a duel together. */
export async function wholeDuels(world: World): Promise<Costs> {
  const { alice, bob, carol, dave } = world;
  const players: [string, Pair<Player>, Partial<Terms>][] = [
    ["first-time players, rated, with stakes", [carol, dave], {}],
    ["first-time players, unrated, without stakes", [carol, dave], friendly],
    ["returning players, rated, with stakes", [alice, bob], {}],
    ["returning players, unrated, without stakes", [alice, bob], friendly],
  ];
  const costs: Costs = {};
  for (const [kind, wanted] of KINDS) {
    for (const [who, pair, changes] of players) {
      await world.snapshot.restore();
      const game = await new Pistols__factory(world.deployer).deploy(world.arena);
      const terms = await termsFor({ ...world, game: await game.getAddress() }, changes);
      await play(world, game, [alice, bob], { ...terms, rated: true }, KINDS[0][1]);
      await register(world, terms);
      const from = world.sent.length;
      const gas = await play(world, game, pair, terms, wanted);
      if (wanted === KINDS[0][1] && pair[0] === alice && terms.rated)
        Object.assign(costs, await billed(world, "a duel with pistols alone", from));
      costs[`whole duel ${kind}: ${who}`] = gas.reduce((sum, each) => sum + each, 0);
    }
  }
  return costs;
}

/** Plays the next match of the arena, and returns the gas of each transaction. */
async function play(
  world: World,
  game: Pistols,
  [one, two]: Pair<Player>,
  terms: Terms,
  wanted: (first: Fought, second: Fought) => boolean,
): Promise<number[]> {
  const matchId = (await world.arena.matchCount()) + 1n;
  const duelists = [await duelistOf(game, one), await duelistOf(game, two)] as const;
  const [salt1, salt2, { first, answerSalt }] = [id("1"), id("2"), lead(matchId, duelists, wanted)];
  const commit = (move: Hex, salt: Hex) => commitmentOf(world.chainId, terms.game, one.address, move, salt);
  const [blade, paces] = MOVES;
  const stateOf = (two: Duelist) => encodeState({ duelists: [duelists[0], two], health: [0, 0], paces: [0, 0] });
  const round1 = { round: 1, state: stateOf(NOBODY) };
  const state2 = encodeState({ duelists, health: first.health, paces: [PACES, PACES] });
  const round2 = { round: 2, state: state2, answerSalt };
  const commitments = [commit(paces, salt1), commit(blade, salt2)];
  const next = first.over ? "0x" : commitments[1];
  const firm = (await world.now()) + DAY;
  const answer = encodeAnswer({ ...round1, commitment: commitments[0], move: paces, salt: answerSalt });
  const revealed1 = { round: 1, state: stateOf(duelists[1]), salt: salt1, move: paces, answerMove: paces, answerSalt };
  const gas = [
    await world.gasOf(one.arena.create(terms, two.address, firm, commitments[0])),
    await world.gasOf(two.arena.join(matchId, hashFor(terms, one, commitments[0]), answer)),
    await world.gasOf(one.arena.act(matchId, encodeReveal({ ...revealed1, next }))),
  ];
  if (first.over) return gas;
  const again = encodeAnswer({ ...round2, commitment: commitments[1], move: blade, salt: answerSalt });
  const reveal = encodeReveal({ ...round2, salt: salt2, move: blade, answerMove: blade, next: "0x" });
  return [...gas, await world.gasOf(two.arena.act(matchId, again)), await world.gasOf(one.arena.act(matchId, reveal))];
}

/** Finds the first of a series of salts of player 2 that gives the wanted result if it is used in both rounds. */
function lead(
  matchId: bigint,
  duelists: Pair<Duelist>,
  wanted: (first: Fought, second: Fought) => boolean,
): { first: Fought; answerSalt: Hex } {
  const slots = [LIGHT, LIGHT] as const;
  for (let i = 0; ; i++) {
    const answerSalt = id(`salt ${i} of player 2`);
    const dice = ["1", "2"].map((own, round) => new Dice(seedOf(matchId, round + 1, id(own), answerSalt)));
    const first = shoot(duelists, [PACES, PACES], dice[0].roll(0));
    const state = { duelists, health: first.health, paces: [PACES, PACES] as const };
    if (
      wanted(
        first,
        fight(state, [slots, slots], (n) => dice[1].roll(n)),
      )
    )
      return { first, answerSalt };
  }
}

async function duelistOf(game: Pistols, { address }: Player): Promise<Duelist> {
  const { standing } = await game.duelistOf(address);
  return { archetype: Number(standing.archetype), strength: Number(standing.strength) };
}
