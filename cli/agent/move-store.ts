import { concat, keccak256 } from "ethers";
import { gameAt } from "../../sdk/games/index.js";
import type { SecretStore, OpenTurn } from "../../sdk/games/moves.js";
import { strategyOf } from "../../sdk/games/assessment.js";
import { answeredRound, roundOf } from "../shared/shown-answers.js";
import type { Session } from "../shared/session.js";
import type { Round } from "../shared/vault.js";

/** So many positions are remembered while the agent runs. */
const REMEMBERED = 1000;

/**
 * An agent's moves. What it chooses for a position is thought of once, and what it sends is on disk before anyone sees
 * it: whatever happens, a position is never shown two different moves.
 */
export class MoveStore {
  private readonly chosen = new Map<string, readonly string[]>();

  constructor(private readonly session: Session) {}

  /** The words of the move for a turn: those that were sent before, or what the game's strategy chooses. */
  async moveFor(turn: OpenTurn, secretStore: SecretStore): Promise<readonly string[]> {
    const round = await this.round(turn);
    const shown = await this.session.vault.shown(round);
    if (shown) return shown.moveArgs === "" ? [] : shown.moveArgs.split(" ");
    const name = `${round.matchId}-${round.after}-${round.commitment}`;
    const known = this.chosen.get(name);
    if (known) return known;
    const moveArgs = await strategyOf(gameAt(turn.record.terms.game, this.session.deployment.addresses))(
      turn,
      secretStore,
    );
    if (this.chosen.size >= REMEMBERED) this.chosen.clear();
    this.chosen.set(name, moveArgs);
    return moveArgs;
  }

  /** Another choice is free as long as none was sent. */
  forget(): void {
    this.chosen.clear();
  }

  /** The round of a turn: by the commitment that it answers, as other programs do, else by all that was sent before. */
  async round(turn: OpenTurn): Promise<Round> {
    const { createData, joinData = "0x", actions } = turn.record;
    const sent = keccak256(concat([createData, joinData, ...actions.map(({ data }) => data)]));
    return (await answeredRound(this.session, turn)) ?? roundOf(this.session, turn, sent);
  }
}
