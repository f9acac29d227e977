import { concat, dataSlice, type Contract } from "ethers";
import { autoBattler } from "../../../sdk/games/auto-battler/index.js";
import { modeHash } from "../../../sdk/games/modes.js";
import { encodeTeam } from "../../../sdk/games/auto-battler/moves.js";
import { defaultMode, encodeMode, type Mode } from "../../../sdk/games/auto-battler/mode.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { NO_STATE, commitmentOf } from "../../../sdk/protocol/commit-reveal.js";
import { deployMock, ethers } from "../index.js";
import type { LawGame, Script, Seats, Table } from "../../../sdk/laws/game.js";
import type { World } from "../../../sdk/laws/world.js";
import type { Random } from "../../../sdk/laws/random.js";
import { answerPiece, firstCommitment, fraudsOf, ofTokens, padded, revealPiece } from "../../../sdk/laws/committed.js";
import { actions, bring, type Hands } from "./tokens.js";

type Signer = Seats["player1"];
type Tiers = [number, number, number, number, number, number];

const QUICK = encodeMode({ ...defaultMode, cooldownSecs: 0, healthValues: [8, 16, 32], dodgeMaxRandom: 4 });
/** A mode in which nobody dies in 100 rounds, and nearly every attack is a combo from out of range. */
const ENDLESS: Mode = {
  ...defaultMode,
  dodgeMaxRandom: 1000,
  comboFactor: 60_000,
  attackValues: [2, 2, 2],
  defenseValues: [1, 1, 1],
  healthValues: [65_535, 65_535, 65_535],
  speedValues: [1, 1, 1],
  rangeValues: [0, 0, 0],
  comboValues: [65_535, 65_535, 65_535],
};
const ID_BYTES = 16;
const NO_FIGHTER = 2n ** 128n - 1n;

/** A world with the game. */
interface Place extends World {
  game: Contract;
}

/** The auto-battler: teams of five fighters, minted for each match. */
export const autoBattlerLaws: LawGame = {
  name: "the auto-battler",
  module: autoBattler,
  async deploy(world) {
    return tableOf({ ...world, game: await deployMock("AutoBattler", world.arena, world.fighters) });
  },
};

function tableOf(world: Place): Table {
  return {
    game: world.game,
    modes: ["0x", QUICK],
    badModes: badModes(),
    async script(seats, random, earlier) {
      const golden = () => random.below(4) === 0;
      return written(world, seats, random, (earlier as Script & Hands) ?? (await dealt(world, seats, random, golden)));
    },
    async worst(seats, random) {
      const hands = await dealt(world, seats, random, () => false);
      return padded(await written(world, seats, random, hands), random);
    },
    worstMode: encodeMode(ENDLESS),
    equip: (player, random) => minted(world, player, random, () => false),
  };
}

function badModes(): Table["badModes"] {
  const other = (changes: Partial<Mode>) => encodeMode({ ...defaultMode, ...changes });
  return {
    empty: "0x",
    "a byte short": dataSlice(QUICK, 0, 51),
    "a byte long": concat([QUICK, "0x00"]),
    "no dodge rolls": other({ dodgeMaxRandom: 1 }),
    "rising range factors": other({ rangeFactors: [5000, 7500, 2500] }),
    "a combo that weakens": other({ comboFactor: 9999 }),
    "no attack": other({ attackValues: [0, 1, 2] }),
    "falling speeds": other({ speedValues: [3, 2, 1] }),
    "31 days of rest": other({ cooldownSecs: 31 * 86_400 }),
  };
}

async function dealt(world: Place, seats: Seats, random: Random, golden: () => boolean): Promise<Hands> {
  const team1 = await minted(world, seats.player1, random, golden);
  const team2 = await minted(world, seats.player2, random, golden);
  return { team1, team2, others: await minted(world, world.treasury, random, golden) };
}

async function minted({ fighters }: World, player: Signer, random: Random, golden: () => boolean): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let slot = 0; slot < 5; slot++) {
    const tiers = Array.from({ length: 6 }, () => 1 + random.below(3)) as Tiers;
    const fighter = [player.address, random.below(100), tiers, golden()] as const;
    ids.push(await fighters.mint.staticCall(...fighter));
    await fighters.mint(...fighter);
  }
  return ids;
}

async function written(world: Place, seats: Seats, random: Random, hands: Hands): Promise<Script & Hands> {
  const { team1, team2, others } = hands;
  const { player1, player2 } = seats;
  const { chainId } = await ethers.provider.getNetwork();
  const [move1, move2, salt1, salt2] = [encodeTeam(team1), encodeTeam(team2), random.word(), random.word()];
  const head = { round: 1, state: NO_STATE };
  const address = await world.game.getAddress();
  const but = (team: bigint[], first: bigint) => encodeTeam([first, ...team.slice(1)]);
  const unmade = (team: bigint[]) => ({
    "a fighter that was never made": but(team, NO_FIGHTER),
    "fighter 0": but(team, 0n),
  });
  const committed = (own: Hex) => {
    const commitment = commitmentOf(chainId, address, player1.address, own, salt1);
    return [
      firstCommitment({ commitment, note: "0x" }),
      answerPiece(
        { ...head, commitment, move: move2, salt: salt2 },
        {
          "a fighter twice": but(team2, team2[1]),
          "a fighter of somebody else": but(team2, others[0]),
          ...unmade(team2),
        },
      ),
      revealPiece({ ...head, salt: salt1, move: own, answerMove: move2, answerSalt: salt2, next: "0x" }),
    ];
  };
  const frauds = {
    ...ofTokens(fraudsOf("SameFighterTwice", { "a fighter twice": but(team1, team1[1]) }, committed)),
    ...ofTokens(fraudsOf("NotOwned", { "a fighter of somebody else": but(team1, others[0]) }, committed)),
    ...fraudsOf("NotOwned", unmade(team1), committed),
    ...fraudsOf("WrongLength", { "a fighter less": dataSlice(move1, ID_BYTES) }, committed),
  };
  const player1Acts = actions(world, world.fighters, player1, team1, player2);
  player1Acts.push({
    what: "brings its fighters to another match",
    run: () => bring(world, { game: address, mode: modeHash(seats.mode) }, player1, move1, random),
  });
  const player2Acts = actions(world, world.fighters, player2, team2, player1);
  player2Acts.push({
    what: "sells its fighters to somebody who tries to bring them to another match",
    async run() {
      for (const id of team2) await world.fighters.connect(player2).transferFrom(player2, world.carol, id);
      await bring(world, { game: address, mode: modeHash(seats.mode) }, world.carol, move2, random).catch(
        () => undefined,
      );
    },
  });
  return { ...hands, pieces: committed(move1), frauds, player1Acts, player2Acts };
}
