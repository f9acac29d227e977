import { computeAddress, ZeroAddress, type SigningKey } from "ethers";
import { nextTime } from "../../sdk/chain/time.js";
import { modeHash } from "../../sdk/games/modes.js";
import { RenewedSearch } from "../../sdk/player/channels/lobby.js";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import type { Decision } from "../../sdk/player/policy-decision.js";
import { channelIdOf, type Channel } from "../../sdk/protocol/channels/messages.js";
import { channelOf, SEEK_SECONDS, type Seek } from "../../sdk/protocol/channels/seek.js";
import { plainText } from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { withFullStop } from "../../sdk/protocol/text.js";
import type { AgentSeat, AllChannels } from "./channel-seat.js";
import type { Surroundings } from "./surroundings.js";

/** The part of the agent's channels that its lobby uses. */
export interface SeatedChannels extends AllChannels {
  readonly all: AgentSeat[];
  /** True unless the agent has the channel, or left it a short while ago. */
  isNews(id: Hex): boolean;
  /** Takes the agent's seat in a channel; returns undefined if that is not possible now. */
  sit(channel: Channel): Promise<AgentSeat | undefined>;
  leave(seat: AgentSeat): Promise<void>;
  start(seat: AgentSeat): void;
}

/** Maximum number of searches by others that are answered, or reported as refused, per visit. */
const MAX_ANSWERS = 8;

/** Maximum number of searches that are remembered. */
const MAX_REMEMBERED = 10_000;

/** Milliseconds for which the other player can answer first if both players look for any opponent. */
const COURTESY = 30_000;

/** Maximum lifetime, in seconds, of the channel that the agent searches for. */
const SEEK_LIFE = 7 * 86_400;

/** Data that the agent has recorded about a search. */
interface Known {
  /** Time at which the search was first seen, in milliseconds. */
  since: number;
  decision?: Decision;
}

/** The agent in the lobby: answers searches, searches for opponents, and reads which matches they ask for. */
export class ChannelLobby {
  private readonly known = new Map<string, Known>();
  private readonly address: string;
  /** Terms that the agent seeks; undefined before its first search. */
  private sought?: Terms;
  /** The agent's search; undefined without a lobby. */
  private readonly own?: RenewedSearch;

  constructor(
    private readonly around: Surroundings,
    private readonly channels: SeatedChannels,
    key: SigningKey,
  ) {
    this.address = computeAddress(key);
    const { at, player } = channels.files;
    if (around.place) this.own = new RenewedSearch(around.place.lobby, { at, player, key });
  }

  /** Takes the agent's seats in channels made from its search, answers other searches, and renews its own. */
  async meet(): Promise<void> {
    await this.inLobby(async ({ lobby }) => {
      for (const channel of await lobby.channels(this.address)) await this.consider(channel);
      const seeks = await this.readWishes(lobby);
      // Players who look for the agent by name come first.
      const sorted = seeks.toSorted((a, b) => Number(isForAnybody(a)) - Number(isForAnybody(b)));
      let left = MAX_ANSWERS;
      for (const seek of sorted) if (left > 0 && (await this.tryAnswer(seek))) left--;
      await this.seek();
    });
  }

  /** Reads the wishes of players who wait for an offer. */
  async lookForWishes(): Promise<void> {
    if (!this.channels.all.some(({ isToOffer }) => isToOffer)) return;
    await this.inLobby(async ({ lobby }) => void (await this.readWishes(lobby)));
  }

  /** Runs an action in the lobby; reports its errors instead of throwing them. */
  private async inLobby(act: (place: MeetingPlace) => Promise<void>): Promise<void> {
    const { place, policy, context, eventLog } = this.around;
    if (!place || policy.channels.most === 0) return;
    const trouble = await act(place).then(
      () => undefined,
      (error: unknown) => context.tokens.explain(error),
    );
    eventLog.reportTrouble("lobby", trouble);
  }

  private async readWishes(lobby: MeetingPlace["lobby"]): Promise<Seek[]> {
    const { channels } = this;
    const seeks = await lobby.seeks(channels.files.player);
    for (const seat of channels.all) if (seat.isToOffer && seat.seekWish(seeks)) channels.start(seat);
    return seeks;
  }

  /** Takes the agent's seat in a channel that another player has made, if there is room for it. */
  private async consider(channel: Channel): Promise<void> {
    const { channels, around, address } = this;
    const { player1, player2, key1, token } = channel;
    if (!channels.isNews(channelIdOf(channel)) || player1 !== channels.files.player || key1 !== address) return;
    const { most, each } = around.policy.channels;
    const { all } = channels;
    if (all.length >= most || all.filter(({ kept }) => kept.opponent === player2).length >= each) return;
    const seat = this.isKnownToken(token) ? await channels.sit(channel) : undefined;
    if (!seat) return;
    seat.asked = this.sought;
    channels.start(seat);
  }

  /** Answers a search if the policy allows it. @returns true if the agent answered, or reported the refusal */
  private async tryAnswer(seek: Seek): Promise<boolean> {
    const { expires: _, signature: _signature, ...lasting } = seek;
    const { key, token, player } = seek;
    const isSeated = this.channels.all.some(({ kept: { channel } }) => channel.key1 === key || channel.key2 === key);
    if (seek.match !== undefined || isSeated || !this.isKnownToken(token)) return false;
    const name = plainText(lasting);
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    const known = this.known.get(name) ?? { since: Date.now() };
    this.known.set(name, known);
    const { since, decision: before } = known;
    if (before && !before.take && !before.later) return false;
    // If both players look for any opponent, the one with the lower address answers first.
    const isTheirs = isForAnybody(seek) && this.sought && this.channels.files.player > player;
    if (isTheirs && Date.now() < since + COURTESY) return false;
    // A search that cannot be judged must not block the searches after it.
    const decision = await this.answer(seek).catch((error: unknown) => {
      return { take: false, later: true, why: this.around.context.tokens.explain(error) };
    });
    known.decision = decision;
    if (before?.why === decision.why) return decision.take;
    const text = withFullStop(
      `I ${decision.take ? "sit down with" : "leave the search of"} ${player}: ${decision.why}`,
    );
    this.around.eventLog.report({ event: decision.take ? "taken" : "left", text, data: { player, why: decision.why } });
    return true;
  }

  private async answer(seek: Seek): Promise<Decision> {
    const { player, token, feeBps, amount, otherAmount, until, terms } = seek;
    const { channels, around } = this;
    const refusal = terms && (await this.judgeTerms(seek, terms));
    if (refusal) return refusal;
    const described = await around.context.tokens.at(token);
    const amounts = { own: otherAmount, other: amount };
    const whom = { opponent: player, forAnybody: isForAnybody(seek), isFirst: true };
    const opening = { ...amounts, ...whom, token: described, feeBps, until };
    let seat: AgentSeat | undefined;
    const decision = await around.reviewer.alone(async () => {
      const decided = await channels.decideOpening(opening);
      if (!decided.take) return decided;
      seat = await channels.sit(channelOf(seek, channels.files.player, this.address));
      // Counts the amounts before the consent is signed.
      seat?.reserve({ ...amounts, until });
      return decided;
    });
    if (!seat) return decision;
    try {
      await seat.propose(amount, otherAmount, until);
    } catch (error) {
      seat.reportTrouble(error);
      if (!seat.hasSigned) await channels.leave(seat);
    }
    if (seat.hasSigned) channels.start(seat);
    return decision;
  }

  /** Judges a player's terms, with the agent in the second seat. @returns the refusal; undefined if the agent agrees */
  private async judgeTerms(seek: Seek, terms: Terms): Promise<Decision | undefined> {
    const { amount, otherAmount, token, player } = seek;
    const { channels, around } = this;
    if (terms.token !== token) return { take: false, why: "its stakes are of another token than the channel" };
    if (terms.stake1 > amount || terms.stake2 > otherAmount) {
      return { take: false, why: "its stakes are above what the channel would hold" };
    }
    const state = await channels.state(amount + otherAmount === 0n && terms.rated ? player : undefined);
    const view = await channels.viewOf(terms, Number(state.now) + SEEK_SECONDS);
    const offer = { ...view, player2: isForAnybody(seek) ? undefined : view.player2 };
    const decision = await around.reviewer.judgeTerms(offer, state);
    return decision.take ? undefined : decision;
  }

  /** Publishes or renews the agent's search. */
  private async seek(): Promise<void> {
    const { channels, own } = this;
    const { policy, context } = this.around;
    const { seek, life } = policy.channels;
    if (!seek || !policy.open || !own?.isDue) return;
    const { game, mode, token, stake, clock, rated } = seek;
    const amount = policy.tokens.get(token)?.channel ?? 0n;
    const { arena, provider, addresses, tokens } = context;
    const [feeBps, now] = await Promise.all([arena.feeBps(), nextTime(provider)]);
    const until = now + Math.min(life, SEEK_LIFE);
    const whom = { opponent: ZeroAddress, forAnybody: true, isFirst: false };
    const opening = { ...whom, feeBps, own: amount, other: amount, until };
    if (!(await channels.decideOpening({ ...opening, token: await tokens.at(token) })).take) return;
    const [played, hash] = [addresses[game.contract], modeHash(game.modes[mode].content)];
    const terms = { game: played, stake1: stake, token, stake2: stake, mode: hash, clock, feeBps, rated };
    await own.put({ opponent: ZeroAddress, token, feeBps, amount, otherAmount: amount, until, terms });
    this.sought = terms;
  }

  /** Returns whether the agent reads amounts of a token: a stranger could name any contract. */
  private isKnownToken(token: string): boolean {
    const { policy, context } = this.around;
    return token === ZeroAddress || token === context.addresses.FightToken || policy.tokens.has(token);
  }
}

function isForAnybody({ opponent }: Seek): boolean {
  return opponent === ZeroAddress;
}
