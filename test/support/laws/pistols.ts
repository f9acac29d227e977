import { concat, toBeHex, type Contract } from "ethers";
import { Dice, seedOf } from "../../../sdk/protocol/dice.js";
import { fight, shoot } from "../../../sdk/games/pistols/engine.js";
import type { Duelist } from "../../../sdk/games/pistols/honour.js";
import { ALL_BLADES, type Blades } from "../../../sdk/games/pistols/legal-moves.js";
import { encodeState } from "../../../sdk/games/pistols/state.js";
import { pistolsGame } from "../../../sdk/games/pistols/index.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { commitmentOf, type Commitment } from "../../../sdk/protocol/commit-reveal.js";
import { deployMock, ethers } from "../index.js";
import { LIGHTS, NOBODY } from "../pistols.js";
import type { LawGame, Script, Seats, Table } from "../../../sdk/laws/game.js";
import type { Random } from "../../../sdk/laws/random.js";
import { answerPiece, firstCommitment, fraudsOf, padded, revealPiece } from "../../../sdk/laws/committed.js";

type Salted = Commitment & { salt: Hex };

/** The moves of both players. */
interface Choice {
  paces: [number, number];
  blades: [Blades, Blades];
}

/** Number of log entries of two slots in which both strike. */
const MAX_ENTRIES = 4;

/** Pistols: paces, then blades if both survive. */
export const pistolsLaws: LawGame = {
  name: "pistols",
  module: pistolsGame,
  async deploy({ arena }): Promise<Table> {
    const game = await deployMock("Pistols", arena);
    const choices = (random: Random): Choice => ({
      paces: [1 + random.below(10), 1 + random.below(10)],
      blades: [random.pick(ALL_BLADES), random.pick(ALL_BLADES)],
    });
    return {
      game,
      modes: ["0x"],
      badModes: { empty: "0x", "the default's byte": "0x00", "two bytes": "0x0000" },
      script: async (seats, random) => (await written(game, seats, random, choices(random))).script,
      worst: (seats, random) => worst(game, seats, random),
    };
  },
};

/** Returns a match with four strokes in round 2, padded. */
async function worst(game: Contract, seats: Seats, random: Random): Promise<Script> {
  for (;;) {
    const { script, strokes } = await written(game, seats, random, { paces: [10, 10], blades: [LIGHTS, LIGHTS] });
    if (strokes >= MAX_ENTRIES) return padded(script, random);
  }
}

/** Writes a match from its creation to its end. @returns the match, and the number of strokes of its second round. */
async function written(
  game: Contract,
  seats: Seats,
  random: Random,
  choice: Choice,
): Promise<{ script: Script; strokes: number }> {
  const duelists = [await duelistOf(game, seats.player1), await duelistOf(game, seats.player2)] as const;
  const [paces1, paces2] = choice.paces.map((paces) => toBeHex(paces, 1));
  const [blades1, blades2] = choice.blades.map((slots) => concat(slots.map((slot) => toBeHex(slot, 1))));
  const committed = await committing(game, seats);
  const [commitment1, commitment2] = [paces1, blades1].map((move) => committed(random.word(), move));
  const [salt1, salt2] = [random.word(), random.word()];

  const state1 = encodeState({ duelists: [duelists[0], NOBODY], health: [0, 0], paces: [0, 0] });
  const joinedState = encodeState({ duelists, health: [0, 0], paces: [0, 0] });
  const seeds = [seedOf(seats.matchId, 1, commitment1.salt, salt1), seedOf(seats.matchId, 2, commitment2.salt, salt2)];
  const first = shoot(duelists, choice.paces, new Dice(seeds[0]).roll(0));
  const round1 = { round: 1, state: joinedState, answerMove: paces2, answerSalt: salt1, next: "0x" };
  const paced = (own: Hex, next?: Commitment) => {
    const commitment = committed(commitment1.salt, own);
    return [
      firstCommitment(commitment),
      answerPiece(
        { round: 1, state: state1, commitment: commitment.commitment, move: paces2, salt: salt1 },
        { "no paces": "0x00", "eleven paces": "0x0b" },
      ),
      revealPiece({ ...round1, move: own, salt: commitment.salt }, next),
    ];
  };
  const pieces = paced(paces1, first.over ? undefined : commitment2);
  const frauds = {
    ...fraudsOf("PacesOutOfBounds", wrongPaces, (own) => paced(own, commitment2)),
    ...fraudsOf("WrongLength", { "paces and a byte": concat([paces1, "0x00"]) }, (own) => paced(own)),
  };
  if (first.over) return { script: { pieces, frauds, player1Acts: [], player2Acts: [] }, strokes: 0 };

  const state = { duelists, health: first.health, paces: choice.paces };
  const round2 = { round: 2, state: encodeState(state) };
  const crossed = (own: Hex) => {
    const { commitment, salt } = committed(commitment2.salt, own);
    return [
      answerPiece({ ...round2, commitment, move: blades2, salt: salt2 }, wrongBlades),
      revealPiece({ ...round2, move: own, salt, answerMove: blades2, answerSalt: salt2, next: "0x" }),
    ];
  };
  pieces.push(...crossed(blades1));
  const duelled = (own: Hex) => [...paced(paces1, committed(commitment2.salt, own)), ...crossed(own)];
  Object.assign(frauds, fraudsOf("NoSuchBlades", wrongBlades, duelled));
  Object.assign(frauds, fraudsOf("WrongLength", { "blades and a byte": concat([blades1, "0x00"]) }, duelled));
  const dice = new Dice(seeds[1]);
  const strokes = fight(state, choice.blades, (n) => dice.roll(n)).entries.length;
  return { script: { pieces, frauds, player1Acts: [], player2Acts: [] }, strokes };
}

const wrongPaces = { "no paces": "0x00", "eleven paces": "0x0b", "255 paces": "0xff" };

const wrongBlades = {
  "a Heavy first": "0x0200",
  "a Heavy behind a Light": "0x0102",
  "a Light behind a Flee": "0x0401",
  "a Steal in slot 2": "0x0005",
  "an action of 7": "0x0700",
  "an action of 255 in slot 2": "0x01ff",
};

async function duelistOf(game: Contract, player: Seats["player1"]): Promise<Duelist> {
  const { standing } = (await game.getFunction("duelistOf")(player)) as {
    standing: { archetype: bigint; strength: bigint };
  };
  return { archetype: Number(standing.archetype), strength: Number(standing.strength) };
}

/** Returns a function that commits player 1 to a move with a salt. */
async function committing(game: Contract, { player1 }: Seats) {
  const { chainId } = await ethers.provider.getNetwork();
  const address = await game.getAddress();
  return (salt: Hex, move: Hex): Salted => {
    return { salt, commitment: commitmentOf(chainId, address, player1.address, move, salt), note: "0x" };
  };
}
