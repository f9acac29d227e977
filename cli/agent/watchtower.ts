import { InputError } from "../../sdk/protocol/input.js";
import { decodeCommitment } from "../../sdk/protocol/commit-reveal.js";
import { isPlayerSeat, playerInTurn } from "../../sdk/protocol/sides.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { StoredSecret } from "../../sdk/player/key-store.js";
import type { Client } from "../../sdk/player/client.js";
import { mayActFor } from "../../sdk/player/turn.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { readStored } from "../shared/wallet/secrets.js";
import type { CommandContext } from "../shared/command/context.js";

/** Watches matches as the operator of players who are offline, with their exported secrets. */
export class Watchtower {
  /** Players to act for, by match: those whose commitment matches a known secret. */
  private readonly known = new Map<bigint, readonly string[]>();

  private constructor(
    private readonly context: CommandContext,
    private readonly client: Client,
    private readonly secrets: readonly StoredSecret[],
    private readonly share: number,
  ) {}

  /**
   * Creates a watchtower, and stores the secrets on this machine.
   * @param files Paths of files with the output of `secrets export MATCH`.
   * @param share Percentage of the clock: the watchtower acts when less is left.
   * @throws InputError for a file without secrets of a match.
   */
  static async open(
    context: CommandContext,
    client: Client,
    files: readonly string[],
    share: number,
  ): Promise<Watchtower> {
    const secrets: StoredSecret[] = [];
    for (const file of files) {
      for (const stored of await readStored(context, file)) {
        if ("key" in stored) throw new InputError(file, "it is a player's key: export the secrets of one match");
        await context.vault.keepSecret(stored);
        secrets.push(stored);
      }
    }
    return new Watchtower(context, client, secrets, share);
  }

  /** Returns whether a match with these players may be watched. */
  mayWatch({ player1, player2 }: Partial<Pick<MatchView, "player1" | "player2">>): boolean {
    return this.secrets.some(({ player }) => player === player1 || player === player2);
  }

  /** Returns the players to act for in a match: those with a commitment in their seat that a secret matches. */
  async playersIn({ matchId, player1, player2, terms }: MatchView): Promise<readonly string[]> {
    const known = this.known.get(matchId);
    if (known !== undefined) return known;
    const found: string[] = [];
    for (const { seat, player } of [
      { seat: Seat.One, player: player1 },
      { seat: Seat.Two, player: player2 },
    ]) {
      const own = this.secrets.filter((secret) => secret.game === terms.game && secret.player === player);
      const commitments = own.length === 0 ? [] : await this.commitmentsIn(matchId, seat, terms.game);
      if (own.some(({ commitment }) => commitments.includes(commitment))) found.push(player!);
    }
    this.known.set(matchId, found);
    return found;
  }

  /** Forgets the players of a match: it may have new commitments. */
  forget(matchId: bigint): void {
    this.known.delete(matchId);
  }

  /**
   * Returns whether to act in a match now: on a watched player's turn, if its clock is short and the watchtower is
   * still the player's operator.
   */
  async mustAct(view: MatchView, now: bigint): Promise<boolean> {
    const { turn, deadline, terms } = view;
    const left = deadline - now;
    // Off-chain no clock runs, and nobody can act for a player.
    if (!isPlayerSeat(turn) || left < 0n || left * 100n >= terms.clock * BigInt(this.share)) return false;
    const player = playerInTurn(view);
    return (await this.playersIn(view)).includes(player) && mayActFor(this.client, player);
  }

  private async commitmentsIn(matchId: bigint, seat: bigint, game: string): Promise<string[]> {
    const { history } = this.context;
    const { moves } = this.context.gameAt(game);
    if (!moves.commitments) return [];
    const committed = await moves.commitments(await history.match(matchId), seat, history);
    return committed.map((each) => decodeCommitment(each).commitment);
  }
}
