import { modeContent } from "../../../sdk/games/modes.js";
import type { GameModule } from "../../../sdk/games/module.js";
import { chainView } from "../../../sdk/player/away/chain-view.js";
import type { AwayStatus, Due } from "../../../sdk/player/away/due.js";
import { AwaySeat, type SeatOptions } from "../../../sdk/player/away/seat.js";
import { appoint, awayKey, sessionSigner } from "../../../sdk/player/away/signers.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import { isUnsent } from "../../../sdk/player/wallet-errors.js";
import { seatOfPlayer } from "../../../sdk/protocol/sides.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { alone, awayLogFile, FileAwayLog } from "./away-files.js";
import { transportsOf } from "./relays.js";
import type { CommandContext } from "../command/context.js";

/** Match in play that has begun away from the chain, as a player of it sees it. */
export interface AwayView {
  /** Context of the command that plays the seat. */
  context: CommandContext;
  view: MatchView;
  game: GameModule;
  player: string;
  /** Seat of the player, as in `Seat`. */
  seat: bigint;
}

/**
 * Returns whether a match in play has begun away from the chain and a player has a seat in it.
 * @param named The player; defaults to the caller.
 * @returns undefined for any other match.
 */
export async function awayViewOf(
  context: CommandContext,
  view: MatchView,
  named?: string,
): Promise<AwayView | undefined> {
  const { terms, status } = view;
  const game = context.findGame(terms.game);
  if (status !== Status.AllJoined || !game?.away) return undefined;
  if (!game.away.isAway(await modeContent(game, terms, context.chainHistory))) return undefined;
  const player = named ?? (await context.address());
  const seat = seatOfPlayer(player, view);
  return seat === Seat.None ? undefined : { context, view, game, player, seat };
}

/** Looks at the chain for which the other player, who has signed last, is left to settle. */
const GRACE = 15;

/** Returns whether what is due is a post, which binds the seat to the chain once it may have been sent. */
export function isPost(due: Due["type"]): boolean {
  return due === "post" || due === "supersede";
}

/** A seat in a match that has begun away from the chain. */
export class PlayedSeat {
  /** Time in milliseconds since 1970 at which both players were first seen to have agreed. */
  private agreedSince?: number;

  private constructor(
    readonly match: AwayView,
    /** True if there is a way on which messages go. */
    readonly hasRelays: boolean,
    private current: AwaySeat,
    private readonly log: FileAwayLog,
    /** Opens the seat with what is in its log. */
    private readonly open: () => Promise<AwaySeat>,
    /** Milliseconds for which the other player, who has signed last, is left to settle. */
    private readonly grace: number,
  ) {}

  private static async opened(
    match: AwayView,
    file: string,
    own: Pick<SeatOptions, "signer" | "patience">,
  ): Promise<PlayedSeat> {
    const log = new FileAwayLog(file);
    const open = () => AwaySeat.open({ ...optionsOf(match), ...own, log });
    const { length } = transportsOf(match.context, placeOf(match));
    const grace = GRACE * match.context.provider.pollingInterval;
    return new PlayedSeat(match, length > 0, await open(), log, open, grace);
  }

  /**
   * Opens the caller's seat with what this machine has kept of it. The wallet signs once, for a key of this match.
   * @param patience Seconds for which the other player is waited for before a post is due; for ever by default.
   */
  static async open(match: AwayView, patience?: number): Promise<PlayedSeat> {
    const { context } = match;
    const place = placeOf(match);
    const file = await awayLogFile(context, place.matchId, match.player);
    const key = awayKey(await context.keys.requireKey(), place);
    const signer = sessionSigner(key, await appoint(await context.signer(), place, key));
    return PlayedSeat.opened(match, file, { signer, ...(patience !== undefined && { patience }) });
  }

  /**
   * Opens the seat of a player whose operator the caller is: it signs nothing, and posts what both players have signed.
   * What it has shown on the chain is in a log of its own, so that it shows nothing else after a restart.
   */
  static async watch(match: AwayView): Promise<PlayedSeat> {
    const file = await awayLogFile(match.context, match.view.matchId, match.player);
    return PlayedSeat.opened(match, file.replace(/\.jsonl$/, ".watch.jsonl"), {});
  }

  /** The seat as it stood at the last step. */
  get seat(): AwaySeat {
    return this.current;
  }

  /**
   * Does a step with the seat, while nothing else of this machine plays it.
   * @throws Locked if another process plays it for long.
   */
  async step<T>(run: (seat: AwaySeat) => Promise<T>): Promise<T> {
    return alone(this.log.path, async () => {
      // What another process has signed meanwhile binds this one before it decides anything.
      if (await this.log.isOvertaken()) this.current = await this.open();
      return run(this.current);
    });
  }

  /**
   * Returns whether it is left to the other player for a while to settle, who has signed last: two who do at once pay twice. The
   * own player settles where that fails.
   */
  leavesSettling({ due, ownAgreed }: AwayStatus): boolean {
    this.agreedSince = due.type === "settle" ? (this.agreedSince ?? Date.now()) : undefined;
    return this.agreedSince !== undefined && ownAgreed !== undefined && Date.now() < this.agreedSince + this.grace;
  }

  /** Sends an action that was composed. A post is taken back if it is certain that it was not sent. */
  async send<T>(due: Due["type"], send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      // What cannot be taken back now counts as sent.
      if (isPost(due) && isUnsent(error)) await this.step((seat) => seat.dropPost()).catch(() => undefined);
      throw error;
    }
  }
}

function placeOf({ context, view }: AwayView) {
  return { chainId: BigInt(context.chainId), arena: context.addresses.Arena, matchId: view.matchId };
}

/** Returns what every seat in a match needs. */
function optionsOf(match: AwayView): Omit<SeatOptions, "log"> {
  const { context, view, game, player, seat } = match;
  const { arena, chainHistory: history } = context;
  return {
    module: game,
    history,
    chain: chainView(arena, history, view.matchId),
    seat,
    secretStore: context.keys.secretStoreOf(view.terms.game, player),
    transports: transportsOf(context, placeOf(match)),
  };
}
