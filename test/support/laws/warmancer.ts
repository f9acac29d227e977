import { concat, type Contract } from "ethers";
import { encodeMode, QUICK, type Mode } from "../../../sdk/games/warmancer/mode.js";
import type { Match } from "../../../sdk/games/warmancer/state.js";
import { warmancer } from "../../../sdk/games/warmancer/index.js";
import { deployMock } from "../index.js";
import { EngineDriver, fierce } from "../warmancer.js";
import { SWITCHES } from "../warmancer/boards.js";
import { BIGGEST, dearestMatch } from "../warmancer/dearest.js";
import type { LawGame, Script, Seats, Table } from "../../../sdk/laws/game.js";
import type { Random } from "../../../sdk/laws/random.js";
import { fraudsIn } from "./warmancer-frauds.js";
import { withByte } from "../../../sdk/laws/bytes.js";
import { action, creation, joining } from "./warmancer-pieces.js";

const MAX_NOTE = 96;
/** Modes of every kind with short matches, because each law plays each of them many times. */
const MODES: Mode[] = [...SWITCHES, { ...SWITCHES[0], budget: 25 }].map((switches) => {
  return { ...QUICK, ...switches, maxTurns: switches.casual || switches.sequential ? 3 : 2 };
});

/** Warmancer: many turns, committed or open. */
export const warmancerLaws: LawGame = {
  name: warmancer.name,
  module: warmancer,
  async deploy({ arena }): Promise<Table> {
    const game = await deployMock("Warmancer", arena);
    const contents = MODES.map(encodeMode);
    return {
      game,
      contracts: { WarmancerPreview: await deployMock("WarmancerPreview") },
      modes: contents,
      unrated: contents.filter((_, i) => MODES[i].casual),
      longDefault: true,
      badModes: {
        empty: "0x",
        "a byte too many": concat([contents[0], "0x00"]),
        "casual and always hidden": encodeMode({ ...QUICK, casual: true, alwaysHidden: true }),
        "no board": encodeMode({ ...QUICK, passable: 0n }),
        "a flag of 16": withByte(contents[0], 110, 16),
        "more than 2000 turns": withByte(contents[0], 111, 16),
      },
      script: async (seats, random) => {
        const match = await matchOf(game, seats, MODES[contents.indexOf(seats.mode)]);
        return script(EngineDriver.of(match.mode, random, fierce(random), match), random);
      },
      worst: async (seats, random) => {
        const { sent } = dearestMatch(await matchOf(game, seats, BIGGEST), random);
        return { pieces: sent.map(({ seat, data }) => ({ seat, data, wrong: {} })), player1Acts: [], player2Acts: [] };
      },
      worstMode: encodeMode(BIGGEST),
    };
  },
};

async function matchOf(game: Contract, { matchId, player1, player2 }: Seats, mode: Mode): Promise<Match> {
  const players = [player1.address, player2.address] as const;
  return { chainId: 31337, matchId, game: await game.getAddress(), players, rated: !mode.casual, mode };
}

/** Plays a match to its end, and adds the data that must be rejected in place of its pieces. */
function script(driver: EngineDriver, random: Random): Script {
  driver.rides = random.below(2) === 0;
  Object.assign(driver.notes, { root: random.below(MAX_NOTE + 1), commitment: random.below(MAX_NOTE + 1) });
  const pieces = [creation(driver.start()), joining(driver)];
  while (!driver.over) pieces.push(action(driver));
  const frauds = fraudsIn(driver);
  return { pieces, frauds, player1Acts: [], player2Acts: [] };
}
