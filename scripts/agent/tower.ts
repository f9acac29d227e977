import { InputError } from "../../sdk/input.js";
import { Seat, Status } from "../../sdk/status.js";
import type { Client } from "../../sdk/client.js";
import type { MatchView } from "../play/match.js";
import { readStored } from "../play/secrets.js";
import type { Session } from "../play/session.js";
import type { StoredSecret } from "../play/vault.js";

/** Watches matches for players who may go offline, as their operator: those whose seals their exported secrets open. */
export class Tower {
  /** Matches in which the seals were looked for, and whether one is there. */
  private readonly known = new Map<bigint, boolean>();

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
  static async over(session: Session, client: Client, files: readonly string[], share: number): Promise<Tower> {
    const secrets: StoredSecret[] = [];
    for (const file of files) {
      for (const stored of await readStored(session, file)) {
        if ("key" in stored) throw new InputError(file, "it is a player's key: export the secrets of one match");
        await session.vault.keepSecret(stored);
        secrets.push(stored);
      }
    }
    return new Tower(session, client, secrets, share);
  }

  /** The player of a match whose secrets are here, if there is one. */
  playerIn({ player1, player2 }: Pick<MatchView, "player1" | "player2">): string | undefined {
    return this.secrets.find(({ player }) => player === player1 || player === player2)?.player;
  }

  /** Whether a match is one of those that are watched. */
  async watches({ matchId, player1, player2, terms }: MatchView): Promise<boolean> {
    const own = this.secrets.filter(({ game, player }) => game === terms.game && [player1, player2].includes(player));
    if (own.length === 0) return false;
    const known = this.known.get(matchId);
    if (known !== undefined) return known;
    const { opening, answer = "0x", actions } = await this.session.history.match(matchId);
    const sent = [opening, answer, ...actions.map(({ action }) => action)];
    const found = own.some(({ seal }) => sent.some((data) => data.includes(seal.slice(2))));
    this.known.set(matchId, found);
    return found;
  }

  /** Whether to act in a watched match now: it is its player's turn, its clock runs short, and it still allows that. */
  async mustAct({ status, turn, player1, player2, deadline, terms }: MatchView, now: bigint): Promise<boolean> {
    const player = turn === Seat.One ? player1 : player2;
    if (status !== Status.AllJoined || !this.secrets.some((secret) => secret.player === player)) return false;
    const left = deadline - now;
    if (left < 0n || left * 100n >= terms.clock * BigInt(this.share)) return false;
    return (await this.client.arena.operatorUntil(player!, this.client.address)) >= now;
  }
}
