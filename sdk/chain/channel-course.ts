import { decodeActions } from "../protocol/channels/actions.js";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status } from "../protocol/status.js";
import { termsHash, type Terms } from "../protocol/terms.js";
import { inSeats, termsUnder } from "./channel-record.js";
import { endingFor } from "./settlement.js";
import { refusedIn, unpackCode } from "./channels.js";
import { isOfChannelMatch, type AnyEvent, type ChainEvent, type EventName, type Events } from "./events.js";

/** Event of an ordinary match; `isRefused` is true for an action that the game refused. */
type CourseEvent = AnyEvent & { isRefused?: true };

/**
 * Converts the events of channel matches into events of ordinary matches: the offer, the answer, the actions, the logs
 * and the end. The offer has no data, the seats of actions are unknown, and a match that starts from a later position
 * has no answer.
 */
export class ChannelCourse {
  private readonly opened = new Map<Hex, Events["Opened"]>();
  private readonly numbered = new Map<bigint, Terms>();
  private under?: Events["PlayedUnder"];
  private challenged?: ChainEvent<"Challenged">;
  /** Logs that precede the events of their match. */
  private logs: AnyEvent[] = [];
  /** Matches in the arena. */
  private readonly inArena = new Set<bigint>();

  /**
   * Takes the next event of a deployment.
   * @returns the event itself, or the events of ordinary matches that replace it, in their order.
   */
  take(event: AnyEvent): CourseEvent[] {
    const { name, args } = event;
    if (name === "Opened") this.opened.set(args.channelId, args);
    if (name === "Balanced" && args.closed) this.opened.delete(args.channelId);
    if (name === "PlayedUnder") this.under = args;
    if (name === "TermsAdded") this.numbered.set(args.termsId, args.terms);
    if (!isOfChannelMatch(event)) return [event];
    if (name === "Log" && !this.inArena.has(args.matchId)) this.logs.push(event);
    else if (name === "Challenged") this.challenged = event;
    else if (name === "Started") return this.started(event.args.matchId, args.termsId);
    else if (name === "Played") return this.played(event);
    else if (name === "Voided") return this.voided(event);
    else {
      if (name === "Settled") this.inArena.delete(args.matchId);
      return [event];
    }
    return [];
  }

  private played(event: ChainEvent<"Played">): CourseEvent[] {
    const opened = this.opened.get(event.args.channelId);
    if (!opened || !this.under) return [];
    const terms = termsUnder(this.under, opened);
    const code = unpackCode(event.args.code);
    const [rating1, rating2] = code.ratings;
    const ending = { matchId: event.args.matchId, ...endingFor(code, terms), rating1, rating2 };
    return [...this.begun(event, opened, terms), placed(event, "Settled", ending)];
  }

  private started(matchId: bigint, termsId: bigint): CourseEvent[] {
    const { challenged } = this;
    const opened = challenged && this.opened.get(challenged.args.channelId);
    const terms = this.numbered.get(termsId);
    this.inArena.add(matchId);
    return opened && terms ? this.begun(challenged, opened, terms) : [];
  }

  private voided(event: ChainEvent<"Voided">): CourseEvent[] {
    const { matchId } = event.args;
    this.inArena.delete(matchId);
    const nothing = { paid1: 0n, paid2: 0n, house: 0n, rating1: 0n, rating2: 0n };
    return [placed(event, "Settled", { matchId, status: Status.P1Canceled, ...nothing })];
  }

  /** Returns the events of a match up to its last action. */
  private begun(
    event: ChainEvent<"Played"> | ChainEvent<"Challenged">,
    { player1, player2 }: Events["Opened"],
    terms: Terms,
  ): CourseEvent[] {
    const { matchId, code, actions } = event.args;
    const { swapped, turn, forfeit } = unpackCode(code);
    const [one, two] = inSeats([player1, player2], swapped);
    const offer = { player1: one, opponent: two, termsHash: termsHash(terms), firmUntil: 0n, funded: true };
    const sent = decodeActions(actions).map((data, i): CourseEvent =>
      i === 0 && turn === Seat.None
        ? placed(event, "Joined", { matchId, player2: two, data })
        : placed(event, "Acted", { matchId, seat: Seat.None, data }),
    );
    if (forfeit) {
      // A message after the refused action is not an action of the game.
      const refused = sent.splice(refusedIn(unpackCode(code), sent.length))[0];
      sent.push({ ...refused, isRefused: true });
    }
    return [
      placed(event, "TermsAdded", { termsId: 0n, terms }),
      placed(event, "Created", { matchId, ...offer, data: "0x" }),
      ...sent,
      ...this.logs.splice(0).filter(({ args }) => "matchId" in args && args.matchId === matchId),
    ];
  }
}

function placed<N extends EventName>(event: ChainEvent<never> | AnyEvent, name: N, args: Events[N]): AnyEvent {
  return { ...event, name, args } as unknown as AnyEvent;
}
