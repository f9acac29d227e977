import { concat, keccak256 } from "ethers";
import type { SecretStore, OpenTurn } from "../../sdk/games/moves.js";
import { strategyOf } from "../../sdk/games/assessment.js";
import { answeredRound, roundOf, type Round } from "../../sdk/player/shown-answers.js";
import type { CommandContext } from "../shared/command/context.js";

/** Most positions whose move is kept in memory. */
const REMEMBERED = 1000;

/**
 * Moves of an agent. A move is chosen once for each position, and stored on disk before anyone sees it, so that a
 * position never shows two different moves.
 */
export class MoveStore {
  private readonly chosen = new Map<string, readonly string[]>();

  constructor(private readonly context: CommandContext) {}

  /** Returns the move for a turn: the one that was sent before, or the choice of the game's strategy. */
  async moveFor(turn: OpenTurn, secretStore: SecretStore): Promise<readonly string[]> {
    const round = await this.round(turn);
    const shown = await this.context.vault.shown(round);
    if (shown) return shown.moveArgs === "" ? [] : shown.moveArgs.split(" ");
    const name = `${round.matchId}-${round.after}-${round.commitment}`;
    const known = this.chosen.get(name);
    if (known) return known;
    const moveArgs = await strategyOf(this.context.gameAt(turn.record.terms.game))(turn, secretStore);
    if (this.chosen.size >= REMEMBERED) this.chosen.clear();
    this.chosen.set(name, moveArgs);
    return moveArgs;
  }

  /** Forgets the choices that were not sent. */
  forget(): void {
    this.chosen.clear();
  }

  /**
   * Returns the round of a turn. As in other programs, the commitment that the turn answers identifies it; else all
   * messages before it do.
   */
  async round(turn: OpenTurn): Promise<Round> {
    const { createData, joinData = "0x", actions } = turn.record;
    const sent = keccak256(concat([createData, joinData, ...actions.map(({ data }) => data)]));
    return (await answeredRound(this.context, turn)) ?? roundOf(this.context, turn, sent);
  }
}
