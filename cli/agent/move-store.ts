import { concat, keccak256 } from "ethers";
import { isOpenTurn, type OpenTurn, type SecretStore, type Turn } from "../../sdk/games/moves.js";
import { strategyOf } from "../../sdk/games/assessment.js";
import { answeredRound, roundOf, type Round } from "../../sdk/player/shown-answers.js";
import type { CommandContext } from "../shared/command/context.js";

/** Maximum number of positions whose move is cached. */
const REMEMBERED = 1000;

/**
 * Moves of an agent. A move is chosen once for each position, and stored on disk before anyone sees it, so that a
 * position never shows two different moves.
 */
export class MoveStore {
  private readonly chosen = new Map<string, unknown>();

  constructor(private readonly context: CommandContext) {}

  /** Returns the move for a turn: the move that was sent before, or the choice of the game's strategy. */
  async moveFor(turn: Turn, secretStore: SecretStore): Promise<unknown> {
    // Before a match is created, nobody has seen a move of the match.
    if (!isOpenTurn(turn)) return strategyOf(this.context.gameAt(turn.game))(turn, secretStore);
    const round = await this.round(turn);
    const game = this.context.gameAt(turn.game);
    const shown = await this.context.vault.shown(round);
    if (shown) return game.moves.parse(shown.moveArgs.split(" ").filter(Boolean), turn, secretStore);
    const name = `${round.matchId}-${round.after}-${round.commitment}`;
    if (this.chosen.has(name)) return this.chosen.get(name);
    const move = await strategyOf(game)(turn, secretStore);
    if (this.chosen.size >= REMEMBERED) this.chosen.clear();
    this.chosen.set(name, move);
    return move;
  }

  /** Forgets the choices that were not sent. */
  forget(): void {
    this.chosen.clear();
  }

  /**
   * Returns the round of a turn. As in other programs, the commitment that the turn answers identifies it; without a
   * commitment, all earlier messages do.
   */
  async round(turn: OpenTurn): Promise<Round> {
    const { createData, joinData = "0x", actions } = turn.record;
    const sent = keccak256(concat([createData, joinData, ...actions.map(({ data }) => data)]));
    return (await answeredRound(this.context, turn)) ?? roundOf(this.context, turn, sent);
  }
}
