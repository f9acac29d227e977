import type { Events } from "../chain/events.js";
import { unpackCode, type TranscriptCode } from "../chain/channels.js";
import { channelIn, inSeats, termsUnder } from "../chain/channel-record.js";
import { endingFor } from "../chain/settlement.js";
import type { Channel } from "../protocol/channels/messages.js";
import type { Hex } from "../protocol/hex.js";
import { Seat } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";
import type { CheckedEvent } from "./checked-event.js";
import type { Ledger } from "./ledger.js";
import type { BalanceFacts } from "./shown-messages.js";
import type { Expectation } from "./state.js";

/** Bits of the code of a match. */
const CODE_BITS = 96n;

/** State of an open channel. */
interface OpenChannel {
  channel: Channel;
  players: readonly [string, string];
  token: string;
  feeBps: bigint;
  amounts: [bigint, bigint];
  nonce: number;
  challenged: boolean;
  until: bigint;
}

/** Match that a channel submitted to the arena. */
interface StartedMatch {
  channel: OpenChannel;
  terms: Terms;
  /** True if the channel's player 2 has seat One. */
  swapped: boolean;
}

/** Expected money and ratings of channels, updated with each event. */
export class ChannelBook {
  private readonly channels = new Map<Hex, OpenChannel>();
  private readonly started = new Map<bigint, StartedMatch>();
  private readonly shares = new Map<string, bigint>();
  /** Terms of the last `PlayedUnder`. */
  private terms?: Terms;
  /** The last `Challenged`. */
  challenged?: Events["Challenged"];

  /** @param address Address of the channels contract. */
  constructor(
    private readonly address: string,
    private readonly ledger: Ledger,
  ) {}

  open(checked: CheckedEvent, args: Events["Opened"]): void {
    const { channelId, player1, player2, token, feeBps, amount1, amount2, nonce, until } = args;
    checked.check("the channel", !this.channels.has(channelId), "one that is not open", channelId);
    checked.check("its end", until > checked.time, `after ${checked.time}`, until);
    for (const [player, amount] of [
      [player1, amount1],
      [player2, amount2],
    ] as const)
      this.move(checked, player, this.address, token, amount);
    this.channels.set(channelId, {
      channel: channelIn(args),
      players: [player1, player2],
      token,
      feeBps,
      amounts: [amount1, amount2],
      nonce: Number(nonce),
      challenged: false,
      until,
    });
  }

  playUnder(checked: CheckedEvent, args: Events["PlayedUnder"]): void {
    const channel = this.channelOf(checked, args.channelId);
    if (channel) this.terms = termsUnder(args, channel);
  }

  play(checked: CheckedEvent, { channelId, code }: Events["Played"]): void {
    const channel = this.channelOf(checked, channelId);
    const { terms } = this;
    checked.check("the terms", terms !== undefined, "those of PlayedUnder", undefined);
    if (!channel || !terms) return;
    const transcript = checkedCode(checked, code);
    const { swapped, nonce, ratings } = transcript;
    checked.checkEqual("the number of the match", channel.nonce, nonce);
    this.takeStakes(checked, channel, terms, swapped);
    const ending = endingFor(transcript, terms);
    this.give(channel, [ending.paid1, ending.paid2], swapped);
    this.addShare(channel.token, ending.house);
    Object.assign(channel, { nonce: nonce + 1, challenged: false });
    const players = inSeats(channel.players, swapped);
    const [rating1, rating2] = terms.rated ? this.ledger.rate(terms, players, ending, checked.time) : [0n, 0n];
    checked.checkEqual("the rating of seat One", rating1, ratings[0]);
    checked.checkEqual("the rating of seat Two", rating2, ratings[1]);
  }

  challenge(checked: CheckedEvent, args: Events["Challenged"]): void {
    this.channelOf(checked, args.channelId);
    this.challenged = args;
  }

  /** @param terms Terms with the event's number; undefined if no terms have it. */
  start(checked: CheckedEvent, { matchId, player1, player2 }: Events["Started"], terms: Terms | undefined): void {
    const { challenged } = this;
    checked.checkEqual("the match", challenged?.matchId, matchId);
    const channel = challenged && this.channelOf(checked, challenged.channelId);
    checked.check("the terms", terms !== undefined, "ones that were added", undefined);
    if (!channel || !terms) return;
    const { swapped, nonce } = checkedCode(checked, challenged.code);
    const players = inSeats(channel.players, swapped);
    checked.checkEqual("player 1", players[0], player1);
    checked.checkEqual("player 2", players[1], player2);
    checked.checkEqual("the number of the match", channel.nonce, nonce);
    this.takeStakes(checked, channel, terms, swapped);
    this.ledger.debit(this.address, terms.token, terms.stake1 + terms.stake2);
    Object.assign(channel, { nonce: nonce + 1, challenged: true });
    this.started.set(matchId, { channel, terms, swapped });
  }

  takeBack(checked: CheckedEvent, { matchId }: Events["Voided"]): void {
    const match = this.startedMatch(checked, matchId);
    if (!match) return;
    const { channel, terms, swapped } = match;
    this.ledger.credit(this.address, terms.token, terms.stake1 + terms.stake2);
    this.give(channel, [terms.stake1, terms.stake2], swapped);
    channel.nonce--;
    this.started.delete(matchId);
  }

  /** Forgets a match that has ended in the arena. */
  settle(matchId: bigint): void {
    this.started.delete(matchId);
  }

  /** Returns a balance with the channel's state before it; undefined if the event only closes the channel. */
  balanceFacts({ channelId, nonce, amount1, amount2 }: Events["Balanced"]): BalanceFacts | undefined {
    const known = this.channels.get(channelId);
    if (!known) return undefined;
    const { channel, amounts } = known;
    const [before, after] = [
      { nonce: known.nonce, amounts: [...amounts] as const },
      { nonce: Number(nonce), amounts: [amount1, amount2] as const },
    ];
    const isSame = before.nonce === after.nonce && amounts[0] === amount1 && amounts[1] === amount2;
    return isSame ? undefined : { channel, before, after };
  }

  /** Applies a balance to a channel, or closes the channel. */
  balance(checked: CheckedEvent, args: Events["Balanced"], treasury: string): void {
    const { channelId, nonce, amount1, amount2, house, closed } = args;
    const channel = this.channelOf(checked, channelId);
    if (!channel) return;
    const { players, token, amounts } = channel;
    checked.checkEqual("the sum of the amounts", amounts[0] + amounts[1], amount1 + amount2 + house);
    Object.assign(channel, { amounts: [amount1, amount2], nonce: Number(nonce), challenged: false });
    if (!closed) return this.addShare(token, house);
    for (const [player, amount] of [
      [players[0], amount1],
      [players[1], amount2],
      [treasury, house],
    ] as const)
      this.move(checked, this.address, player, token, amount);
    this.channels.delete(channelId);
  }

  collect(checked: CheckedEvent, { token, amount }: Events["Collected"], treasury: string): void {
    checked.checkEqual("the shares", this.shares.get(token) ?? 0n, amount);
    this.shares.delete(token);
    this.move(checked, this.address, treasury, token, amount);
  }

  /** Returns the channels contract's expected answers. */
  expectedAnswers(): Expectation[] {
    const states = Array.from(this.channels, ([id, { amounts, nonce, challenged, until }]) => {
      const [amount1, amount2] = amounts;
      return { view: "stateOf", args: [id], answer: [{ amount1, amount2, nonce: BigInt(nonce), challenged, until }] };
    });
    const shares = Array.from(this.shares, ([token, amount]) => ({
      view: "sharesOf",
      args: [token],
      answer: [amount],
    }));
    return [...states, ...shares].map((each) => ({ address: this.address, ...each }));
  }

  private channelOf(checked: CheckedEvent, channelId: Hex): OpenChannel | undefined {
    const channel = this.channels.get(channelId);
    checked.check("the channel", channel !== undefined, "one that is open", channelId);
    return channel;
  }

  private startedMatch(checked: CheckedEvent, matchId: bigint): StartedMatch | undefined {
    const match = this.started.get(matchId);
    checked.check("the match", match !== undefined, "one in play", matchId);
    return match;
  }

  private takeStakes(checked: CheckedEvent, channel: OpenChannel, { stake1, stake2 }: Terms, swapped: boolean): void {
    const stakes = inSeats([stake1, stake2], swapped);
    for (const side of [0, 1]) {
      const held = channel.amounts[side];
      checked.check("the amount", held >= stakes[side], `${stakes[side]} at least`, held);
      channel.amounts[side] -= stakes[side];
    }
  }

  private give(channel: OpenChannel, paid: readonly [bigint, bigint], swapped: boolean): void {
    for (const [side, amount] of inSeats(paid, swapped).entries()) channel.amounts[side] += amount;
  }

  private addShare(token: string, amount: bigint): void {
    this.shares.set(token, (this.shares.get(token) ?? 0n) + amount);
  }

  private move(checked: CheckedEvent, from: string, to: string, token: string, amount: bigint): void {
    const held = this.ledger.purse(from, token);
    checked.check(`the purse of ${from}`, held >= amount, `${amount} of ${token} at least`, held);
    this.ledger.debit(from, token, amount);
    this.ledger.credit(to, token, amount);
  }
}

/** Unpacks the code of a match, and checks that it is valid. */
function checkedCode(checked: CheckedEvent, code: bigint): TranscriptCode {
  const transcript = unpackCode(code);
  const { winner, taker, turn, forfeit } = transcript;
  const areSeats = [winner, taker, turn].every((seat) => seat <= Seat.Two);
  const isOne = areSeats && code < 1n << CODE_BITS && (!forfeit || (winner === taker && winner !== Seat.None));
  checked.check("the code", isOne, "one of a result", code);
  return transcript;
}
