import { concat, toBeHex, type Contract } from "ethers";
import { guardians } from "../../../sdk/games/guardians/index.js";
import { modeHash } from "../../../sdk/games/modes.js";
import { encodeTeam } from "../../../sdk/games/guardians/moves.js";
import { decodeMode, encodeMode } from "../../../sdk/games/guardians/mode.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { NO_STATE, commitmentOf } from "../../../sdk/protocol/commit-reveal.js";
import { deployMock, ethers } from "../index.js";
import type { LawGame, Script, Seats, Table } from "../../../sdk/laws/game.js";
import type { World } from "../../../sdk/laws/world.js";
import type { Random } from "../../../sdk/laws/random.js";
import { answerPiece, firstCommitment, fraudsOf, ofTokens, padded, revealPiece } from "../../../sdk/laws/committed.js";
import { actions, bring, type Hands } from "./tokens.js";

type Signer = Seats["player1"];
type Stats = Parameters<World["cards"]["mint"]>[1];
type Dealer = (random: Random, side: number, slot: number) => Stats;

const DUEL = encodeMode({ teamSize: 1, maxTurns: 7, dodgeCap: 1000 });
const CROWD = encodeMode({ teamSize: 5, maxTurns: 120, dodgeCap: 100 });
/** A mode in which none of ten cards dies in 500 turns. */
const ENDLESS = encodeMode({ teamSize: 5, maxTurns: 500, dodgeCap: 0 });
const MAX_CARDS = 5;
const NO_CARD = 2n ** 128n - 1n;

/** A world with the game. */
interface Place extends World {
  game: Contract;
}

/** Guardians: teams of one to five cards, minted for each match. */
export const guardiansLaws: LawGame = {
  name: "guardians",
  module: guardians,
  async deploy(world) {
    return tableOf({ ...world, game: await deployMock("Guardians", world.arena, world.cards) });
  },
};

function tableOf(world: Place): Table {
  return {
    game: world.game,
    modes: ["0x", DUEL, CROWD],
    badModes: {
      empty: "0x",
      "a byte short": "0x030032",
      "a byte long": concat([DUEL, "0x00"]),
      "no cards": modeBytes(0, 50, 750),
      "six cards": modeBytes(6, 50, 750),
      "no turns": modeBytes(3, 0, 750),
      "501 turns": modeBytes(3, 501, 750),
      "a cap above all rolls": modeBytes(3, 50, 1001),
    },
    async script(seats, random, earlier) {
      return written(world, seats, random, (earlier as Script & Hands) ?? (await dealt(world, seats, random, usual)));
    },
    async worst(seats, random) {
      const hands = await dealt(world, seats, random, lasting);
      return padded(await written(world, seats, random, hands), random);
    },
    worstMode: ENDLESS,
    equip: (player, random) => minted(world, player, MAX_CARDS, (slot) => usual(random, 0, slot)),
  };
}

function modeBytes(teamSize: number, maxTurns: number, dodgeCap: number): Hex {
  return concat([toBeHex(teamSize, 1), toBeHex(maxTurns, 2), toBeHex(dodgeCap, 2)]);
}

const usual: Dealer = (random) => ({
  power: 300 + random.below(300),
  defense: random.below(400),
  hp: 500 + random.below(1000),
  speed: 100 + random.below(4),
  critical: random.below(1001),
  luck: random.below(400),
  cardType: random.below(8),
});

/**
 * Deals the most expensive battle. Player 1 keeps the card in slot 0, player 2 the card in slot 1, and attackers take
 * long to find these. Every hit is critical and has a type factor. Player 1's faster cards kill the opposite cards,
 * then player 2's card kills the rest one by one.
 */
const lasting: Dealer = (_, side, slot) => ({
  power: 1,
  defense: 65_535,
  hp: slot === side ? 65_535 : 1,
  speed: 65_535 - side,
  critical: 1000,
  luck: 0,
  cardType: 7 * side,
});

async function dealt(world: Place, seats: Seats, random: Random, dealer: Dealer): Promise<Hands> {
  const { teamSize } = seats.mode === "0x" ? { teamSize: 3 } : decodeMode(seats.mode);
  const of = (player: Signer, side: number) => minted(world, player, teamSize, (slot) => dealer(random, side, slot));
  const [team1, team2] = [await of(seats.player1, 0), await of(seats.player2, 1)];
  return { team1, team2, others: await of(world.treasury, 1) };
}

async function minted({ cards }: World, player: Signer, size: number, statsOf: (slot: number) => Stats) {
  const ids: bigint[] = [];
  for (let slot = 0; slot < size; slot++) {
    const stats = statsOf(slot);
    ids.push(await cards.mint.staticCall(player, stats));
    await cards.mint(player, stats);
  }
  return ids;
}

async function written(world: Place, seats: Seats, random: Random, hands: Hands): Promise<Script & Hands> {
  const { team1, team2, others } = hands;
  const { mode, player1, player2 } = seats;
  const { chainId } = await ethers.provider.getNetwork();
  const [move1, move2, salt1, salt2] = [encodeTeam(team1), encodeTeam(team2), random.word(), random.word()];
  const head = { round: 1, state: NO_STATE };
  const address = await world.game.getAddress();
  const but = (team: bigint[], last: bigint) => encodeTeam(team.with(-1, last));
  const twice = (team: bigint[]): Record<string, Hex> =>
    team.length > 1 ? { "a card twice": but(team, team[0]) } : {};
  const unsized = (team: bigint[]): Record<string, Hex> => ({
    ...(team.length > 1 && { "a card less": encodeTeam(team.slice(1)) }),
    ...(team.length < 5 && { "a card more": encodeTeam([...team, others[0]]) }),
  });
  const unmade = (team: bigint[]) => ({ "a card that was never made": but(team, NO_CARD), "card 0": but(team, 0n) });
  const committed = (own: Hex) => {
    const commitment = commitmentOf(chainId, address, player1.address, own, salt1);
    return [
      firstCommitment({ commitment, note: "0x" }),
      answerPiece(
        { ...head, commitment, move: move2, salt: salt2 },
        {
          ...twice(team2),
          ...unsized(team2),
          "a card of somebody else": but(team2, others[0]),
          ...unmade(team2),
        },
      ),
      revealPiece({ ...head, salt: salt1, move: own, answerMove: move2, answerSalt: salt2, next: "0x" }),
    ];
  };
  const frauds = {
    ...ofTokens(fraudsOf("SameCardTwice", twice(team1), committed)),
    ...ofTokens(fraudsOf("CardNotOwned", { "a card of somebody else": but(team1, others[0]) }, committed)),
    ...fraudsOf("CardNotOwned", unmade(team1), committed),
    ...fraudsOf("WrongLength", unsized(team1), committed),
  };
  const player1Acts = actions(world, world.cards, player1, team1, player2);
  player1Acts.push({
    what: "brings its cards to another match",
    run: () => bring(world, { game: address, mode: modeHash(mode) }, player1, move1, random),
  });
  return {
    ...hands,
    pieces: committed(move1),
    frauds,
    player1Acts,
    player2Acts: actions(world, world.cards, player2, team2, player1),
  };
}
