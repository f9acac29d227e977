import type { Feed } from "./feed.js";
import { Refusal } from "./refusal.js";
import type { ApiEvent, Challenge, Challenges } from "./wire.js";

/** Maximum number of open challenges to the player, and from the player. */
const MAX_IN = 64;
const MAX_OUT = 16;

/** Maximum number of answered challenges that are remembered. */
const MAX_ANSWERED = 1000;

/** Challenge to the player. */
export interface IncomingChallenge {
  shown: Challenge;
  /** Accepts it. @throws Error if it cannot be played */
  accept(): Promise<void>;
  /** Informs the challenger, if there is a way. */
  decline(): Promise<void>;
}

/** Challenge from the player. */
export interface OutgoingChallenge {
  shown: Challenge;
  /** Withdraws it. @throws Refusal if that is not possible any more */
  cancel(): Promise<void>;
}

/** Open challenges of the player. Publishes an event about each change. */
export class ChallengeList {
  private readonly incoming = new Map<string, IncomingChallenge>();
  private readonly outgoing = new Map<string, OutgoingChallenge>();
  /** Challenges that the player has accepted or declined. The lobby lists some of them for another while. */
  private readonly answered = new Set<string>();

  constructor(private readonly events: Feed<ApiEvent>) {}

  /** Lists all open challenges. */
  list(): Challenges {
    const shown = (all: Map<string, { shown: Challenge }>) => [...all.values()].map((each) => each.shown);
    return { in: shown(this.incoming), out: shown(this.outgoing) };
  }

  /** Returns whether a challenge to the player is new: neither listed nor answered. */
  isNews(id: string): boolean {
    return !this.incoming.has(id) && !this.answered.has(id);
  }

  /** Returns whether another challenge to the player would exceed the limit. */
  get isFull(): boolean {
    return this.incoming.size >= MAX_IN;
  }

  /** Lists a challenge to the player. In a full list it replaces a stranger's, if there is one. */
  addIncoming(challenge: IncomingChallenge): void {
    const { shown } = challenge;
    if (this.isFull) {
      const stranger = [...this.incoming.values()].find((each) => each.shown.opens);
      if (!stranger) return;
      this.remove(stranger.shown.id, "too many challenges are open");
    }
    this.incoming.set(shown.id, challenge);
    this.events.publish({ type: "challenge", challenge: shown });
  }

  /** Lists a challenge from the player. @throws Refusal if there are too many */
  addOutgoing(challenge: OutgoingChallenge): void {
    if (this.outgoing.size >= MAX_OUT) throw new Refusal(409, `You have ${MAX_OUT} open challenges: cancel one first.`);
    this.outgoing.set(challenge.shown.id, challenge);
    this.events.publish({ type: "challenge", challenge: challenge.shown });
  }

  /** Updates the time at which a challenge to the player lapses. */
  renew(id: string, expires: number): void {
    const known = this.incoming.get(id);
    if (known) known.shown = { ...known.shown, expires };
  }

  /** Removes a challenge that is played now. */
  take(id: string): void {
    this.incoming.delete(id);
    this.outgoing.delete(id);
  }

  /** Removes a challenge that will not be played. @param reason Null if the challenger has withdrawn it. */
  remove(id: string, reason: string | null): void {
    const known = this.incoming.get(id) ?? this.outgoing.get(id);
    if (!known) return;
    this.take(id);
    this.events.publish({ type: "challengeCanceled", challenge: known.shown, reason });
  }

  /** Removes a challenge that was declined. */
  removeDeclined(id: string): void {
    const known = this.incoming.get(id) ?? this.outgoing.get(id);
    if (!known) return;
    this.take(id);
    this.events.publish({ type: "challengeDeclined", challenge: known.shown });
  }

  /** Lists the challenges to the player that a function selects. */
  incomingIf(isMeant: (challenge: Challenge) => boolean): Challenge[] {
    return this.list().in.filter(isMeant);
  }

  /** Accepts a challenge to the player. @throws Refusal if there is no such challenge, or it cannot be played */
  async accept(id: string): Promise<void> {
    await this.found(this.incoming, id).accept();
    this.remember(id);
    this.take(id);
  }

  /** Declines a challenge to the player. @throws Refusal if there is no such challenge */
  async decline(id: string): Promise<void> {
    const challenge = this.found(this.incoming, id);
    this.remember(id);
    this.removeDeclined(id);
    await challenge.decline();
  }

  /** Withdraws a challenge from the player. @throws Refusal if there is no such challenge, or it is too late */
  async cancel(id: string): Promise<void> {
    await this.found(this.outgoing, id).cancel();
    this.remove(id, null);
  }

  private remember(id: string): void {
    if (this.answered.size >= MAX_ANSWERED) this.answered.clear();
    this.answered.add(id);
  }

  private found<C>(all: Map<string, C>, id: string): C {
    const challenge = all.get(id);
    if (!challenge) throw new Refusal(404, `There is no open challenge ${JSON.stringify(id.slice(0, 100))}.`);
    return challenge;
  }
}
