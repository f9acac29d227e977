import { concat, dataSlice } from "ethers";
import { History } from "../chain/history.js";
import type { GameModule } from "../games/module.js";
import { modeHash } from "../games/modes.js";
import type { Hex } from "../protocol/hex.js";
import { changesOf, DerivedScript, type WrongMove } from "./derived-script.js";
import type { Deployed, LawGame, Script, Seats, Table } from "./game.js";
import type { Random } from "./random.js";
import { addressesIn, termsOf, type World } from "./world.js";
import { writeMatch } from "./written-match.js";

/** Parts of a game's laws that its module does not contain. A given part of a `Table` replaces the derived part. */
export interface Derivation extends Partial<Omit<Table, "game" | "replay">> {
  /** Deploys the game for the world's arena, on the world's chain. */
  deploy(world: World): Promise<Deployed>;
  /**
   * Returns moves of a seat that are always illegal in a mode, by what is wrong with them. Without this function, the
   * laws try only moves found by changing bytes, and expect any error. In a game of phases, such as those of
   * `committedThenOpen`, a move must be wrong in each phase, and the error is that of the reveal of a committed move.
   */
  wrongMoves?(mode: Hex, seat: bigint): Record<string, WrongMove>;
}

/**
 * Derives the laws of a game from its module: matches of random legal moves, with replacements that its engine rejects.
 * This works for games of open turns, and for games that use the layouts of the contract `CommitReveal`. They must
 * store nothing beyond a match.
 * @example
 * ```ts
 * import { lawsOf } from "duello/laws";
 * import { stockGame } from "duello";
 *
 * const deploy = async () => connection.ethers.deployContract("TicTacToe", [await world.arena.getAddress()]);
 * const wrongMoves = () => ({ "a cell off the board": { move: "0x09", error: "UnknownCell" } });
 * const laws = lawsOf(stockGame("tic-tac-toe"), { deploy, wrongMoves });
 * ```
 */
export function lawsOf(module: GameModule, { deploy, wrongMoves, ...given }: Derivation): LawGame {
  return {
    name: module.name,
    module,
    async deploy(world) {
      const game = await deploy(world);
      const modes = given.modes ?? Object.values(module.modes).map(({ content }) => content);
      return {
        game,
        script: (seats, random) => write(seats, random),
        ...given,
        modes,
        badModes: { ...badModesOf(module, modes), ...given.badModes },
      };

      async function write({ matchId, mode, player1, player2 }: Seats, random: Random): Promise<Script> {
        const { provider } = world.connection.ethers;
        const address = await game.getAddress();
        const history = new History(provider, { ...(await addressesIn(world)), [module.contract]: address });
        const start = {
          chainId: (await provider.getNetwork()).chainId,
          matchId,
          terms: await termsOf(world, { game: address, mode: modeHash(mode) }),
          player1: player1.address,
          player2: player2.address,
          funded: [],
          createData: "0x",
          actions: [],
          keys: [],
          logs: [],
        };
        const steps = await writeMatch(module, start, history, random);
        const wrong = (seat: bigint) => wrongMoves?.(mode, seat) ?? {};
        return new DerivedScript(module, start, history, steps, wrong).make();
      }
    },
  };
}

/** Returns contents that cannot be registered: those that the format of modes rejects or, without a format, any. */
function badModesOf({ modeFormat }: GameModule, modes: readonly Hex[]): Record<string, Hex> {
  const tried = modes.flatMap((mode) => [concat([mode, "0x00"]), dataSlice(mode, 0, -1), ...changesOf(mode)]);
  const bad = [...tried, "0x00", "0x0000"].filter((content) => content !== "0x" && !isMode(content));
  return { empty: "0x", ...Object.fromEntries(bad.map((content) => [`the bytes ${content}`, content])) };

  function isMode(content: Hex): boolean {
    try {
      modeFormat?.decode(content);
      return modeFormat !== undefined;
    } catch {
      return false;
    }
  }
}
