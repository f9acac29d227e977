import { gameAt } from "../../sdk/games/index.js";
import { InputError } from "../../sdk/protocol/input.js";
import { decodeCommitment } from "../../sdk/protocol/commit-reveal.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { Client } from "../../sdk/player/client.js";
import type { MatchView } from "../shared/match.js";
import { readStored } from "../shared/secrets.js";
import type { Session } from "../shared/session.js";
import type { StoredSecret } from "../shared/vault.js";

/**
 * Watches matches for players who may go offline, as their operator: those whose commits to their exported secrets
 * open.
 */
export class Watchtower {
  /** Matches in which the commitments were looked for, and the players whose commitments are there. */
  private readonly known = new Map<bigint, readonly string[]>();

  private constructor(
    private readonly session: Session,
    private readonly client: Client,
    private readonly secrets: readonly StoredSecret[],
    private readonly share: number,
  ) {}

  /**
   * @param files What `secrets export MATCH` has printed; all of it is kept on this machine.
   * @param share Of the clock, in per cent: with less than that left it acts.
   * @throws InputError for a file that holds no secret of a match.
   */
  static async open(session: Session, client: Client, files: readonly string[], share: number): Promise<Watchtower> {
    const secrets: StoredSecret[] = [];
    for (const file of files) {
      for (const stored of await readStored(session, file)) {
        if ("key" in stored) throw new InputError(file, "it is a player's key: export the secrets of one match");
        await session.vault.keepSecret(stored);
        secrets.push(stored);
      }
    }
    return new Watchtower(session, client, secrets, share);
  }

  /** Whether a match may be one of those that are watched, by its players. */
  mayWatch({ player1, player2 }: Partial<Pick<MatchView, "player1" | "player2">>): boolean {
    return this.secrets.some(({ player }) => player === player1 || player === player2);
  }

  /**
   * The players for whom a match is watched: those who have made a commitment in it, in their seat, that a secret
   * opens.
   */
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

  /** Something has happened to a match: other commitments may be in it. */
  forget(matchId: bigint): void {
    this.known.delete(matchId);
  }

  /** Whether to act in a match now: its player's turn is watched, its clock runs short, and it still allows that. */
  async mustAct(view: MatchView, now: bigint): Promise<boolean> {
    const { status, turn, player1, player2, deadline, terms } = view;
    const left = deadline - now;
    if (status !== Status.AllJoined || left < 0n || left * 100n >= terms.clock * BigInt(this.share)) return false;
    const player = turn === Seat.One ? player1 : player2!;
    if (!(await this.playersIn(view)).includes(player)) return false;
    return (await this.client.arena.operatorUntil(player, this.client.address)) >= now;
  }

  private async commitmentsIn(matchId: bigint, seat: bigint, game: string): Promise<string[]> {
    const { history, deployment } = this.session;
    const { moves } = gameAt(game, deployment.addresses);
    if (!moves.commitments) return [];
    const committed = await moves.commitments(await history.match(matchId), seat, history);
    return committed.map((each) => decodeCommitment(each).commitment);
  }
}
