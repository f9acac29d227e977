import type { History } from "../../chain/history.js";
import { endingFor } from "../../chain/settlement.js";
import {
  channelRecord,
  isFinal,
  progressOf,
  type OfferedMatch,
  type Progress,
  type SeatAction,
} from "../../games/channel-match.js";
import type { GameModule } from "../../games/module.js";
import type { MatchRecord } from "../../chain/record.js";
import {
  channelIdOf,
  moveHashOf,
  NO_PLACE,
  offerHashOf,
  placeOf,
  type Channel,
  type ChannelsAt,
} from "../../protocol/channels/messages.js";
import { seatOfChannelPlayer, type MatchMessages, type Place } from "../../protocol/channels/transcript.js";
import {
  offerIn,
  senderOf,
  type BalanceMessage,
  type ChannelMessage,
  type ChannelPlayerNumber,
  type MoveMessage,
  type OfferMessage,
  type OpenMessage,
} from "../../protocol/channels/wire.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError } from "../../protocol/input.js";
import { otherSeat } from "../../protocol/sides.js";
import { Seat } from "../../protocol/status.js";
import type { Held } from "./chain.js";

/** Options of a channel book. */
export interface BookOptions {
  at: ChannelsAt;
  channel: Channel;
  /** Returns the game at an address; undefined if the game is unknown. */
  moduleAt(game: string): GameModule | undefined;
  history: History;
}

/** Messages from this number on contain the place (turn and position) after them, so that a dispute can start there. */
export const PLACES_FROM = 17;

/** Result of checking a message: it can be kept, is known already, or must wait because earlier ones are missing. */
export type Reading = "known" | "later" | { keep(): void };

/** Match of a channel, according to the messages received so far. */
export class BookMatch {
  readonly offerHash: Hex;
  readonly moves: (MoveMessage & { seat: bigint })[] = [];
  /** True if the contract currently refuses the opponent's last action, although the game's engine accepts it. */
  isRefusedOnChain = false;
  /** States after the offer and after each action. */
  readonly states: Progress[];

  constructor(
    readonly offer: OfferMessage,
    readonly module: GameModule,
    private readonly channel: Channel,
    private readonly chainId: bigint,
  ) {
    this.offerHash = offerHashOf(offerIn(offer));
    const none = { winner: Seat.None, taker: Seat.None, mover: Seat.None };
    this.states = [{ ...none, count: 0, turn: Seat.Two, position: offer.position }];
  }

  get nonce(): number {
    return this.offer.nonce;
  }

  /** Newest state. */
  get state(): Progress {
    const last = this.states.at(-1)!;
    if (!this.isRefusedOnChain) return last;
    const winner = otherSeat(last.mover);
    return { ...last, turn: Seat.None, winner, taker: winner, refusal: "the contract refuses it" };
  }

  /** True if the last message confirms that its signer has seen the end. */
  get isSeen(): boolean {
    return this.moves.at(-1)?.action === "0x";
  }

  get isFinal(): boolean {
    return this.isRefusedOnChain || isFinal(this.state, this.isSeen);
  }

  /** Actions, without the message that confirms the end. */
  get actions(): SeatAction[] {
    return this.moves.filter(({ action }) => action !== "0x").map(({ seat, action }) => ({ seat, data: action }));
  }

  /** Struct hash of the last message. */
  get last(): Hex {
    const move = this.moves.at(-1);
    return move === undefined ? this.offerHash : moveHashOf(move);
  }

  get offered(): OfferedMatch {
    const { channel: channelId, nonce, terms, swapped, data, position } = this.offer;
    return { chainId: this.chainId, channelId, channel: this.channel, nonce, terms, swapped, data, position };
  }

  /** Returns the record of the match. @param actions Defaults to the actions of the messages. */
  record(actions: readonly SeatAction[] = this.actions): MatchRecord {
    return channelRecord(this.offered, actions);
  }

  /** Returns the seat of a player. */
  seatOf(player: ChannelPlayerNumber): bigint {
    return seatOfChannelPlayer(player, this.offer.swapped);
  }

  /** Messages in the form that a transcript needs. */
  get messages(): MatchMessages {
    return { offer: offerIn(this.offer), signature: this.offer.signature, moves: this.moves };
  }

  /**
   * Newest place that both players have signed, where a transcript may start. It is part of a move of the seat that did
   * not act last, or of an earlier move. Undefined for a short match, or if no such move contains a place.
   */
  get base(): Place | undefined {
    const { mover, count: messages } = this.state;
    // If the last mover had no choice, the end is final only in a transcript that starts at the offer.
    if (messages < PLACES_FROM) return undefined;
    const last = this.states.findLastIndex((state) => state.count > 0 && state.mover !== mover);
    const hasPlace = ({ turn }: Progress, count: number) =>
      count > 0 && count <= last && turn !== Seat.None && this.moves[count - 1].place !== NO_PLACE;
    const count = this.states.findLastIndex(hasPlace);
    if (count < 0) return undefined;
    const { turn, position } = this.states[count];
    return { count, turn, position };
  }

  /** Amount that each player of the channel wins, negative for a loss; undefined while the match is not final. */
  get payments(): readonly [bigint, bigint] | undefined {
    if (!this.isFinal) return undefined;
    const { terms, swapped } = this.offer;
    const { winner, taker, refusal } = this.state;
    const { paid1, paid2 } = endingFor({ winner, taker, forfeit: refusal !== undefined }, terms);
    const [one, two] = [paid1 - terms.stake1, paid2 - terms.stake2];
    return swapped ? [two, one] : [one, two];
  }
}

/**
 * State of a channel, derived from its messages. Each message was checked: a session key signed it (consents excepted,
 * which wallets sign), and it follows the previous message. The game's engine computes the state of the match after
 * each message.
 */
export class ChannelBook {
  readonly id: Hex;
  /** Consents to the next or current opening, by player; the first is the proposer's. */
  readonly consents = new Map<ChannelPlayerNumber, OpenMessage>();
  /** Newest offer of each match number, with its moves. */
  readonly matches = new Map<number, BookMatch>();
  /** Signed balances of either player. */
  private readonly halves: BalanceMessage[] = [];

  constructor(private readonly options: BookOptions) {
    this.id = channelIdOf(options.channel);
  }

  /** Checks a message, and computes the state after it. @throws InputError if the message breaks a rule */
  async read(message: ChannelMessage): Promise<Reading> {
    const { at, channel } = this.options;
    if (message.channel !== this.id) throw new InputError("channel", `${message.channel} is not ${this.id}`);
    const sender = senderOf(at, channel, message)?.player;
    if (sender === undefined) throw new InputError("signature", `none of a player of the channel ${this.id}`);
    switch (message.type) {
      case "open":
        return this.readOpen(message);
      case "offer":
        return this.readOffer(message, sender);
      case "move":
        return this.readMove(message, sender);
      case "balance":
        return this.readBalance(message);
    }
  }

  /** Returns both consents, player 1's first, if both are for the same opening. */
  get opening(): readonly [OpenMessage, OpenMessage] | undefined {
    const [one, two] = [this.consents.get(1), this.consents.get(2)];
    return one && two && isSameOpening(one, two) ? [one, two] : undefined;
  }

  /** Returns whether a match or a balance of an opening is known. @param first Number of the opening's first match. */
  isUsed(first: number): boolean {
    return [...this.matches.values(), ...this.halves].some(({ nonce }) => nonce >= first);
  }

  /** Returns both players' messages with the newest balance that both have signed and that is valid at a given time. */
  balance(close: boolean, time: number): readonly [BalanceMessage, BalanceMessage] | undefined {
    const newestFirst = this.halves
      .filter((half) => half.close === close && half.until >= time)
      .toSorted((a, b) => b.nonce - a.nonce);
    const others = newestFirst.filter(({ player }) => player === 2);
    // A long channel has two balances per match: compares only as many as needed.
    for (const one of newestFirst) {
      const two = one.player === 1 ? others.find((each) => isSameBalance(one, each)) : undefined;
      if (two) return [one, two];
    }
    return undefined;
  }

  /** Returns the player who was first to sign a balance that closes the channel. */
  firstHalf(nonce: number, until: number): ChannelPlayerNumber | undefined {
    return this.halves.find((half) => half.close && half.nonce === nonce && half.until === until)?.player;
  }

  /** Returns the balances that a player has signed. */
  halvesOf(player: ChannelPlayerNumber): readonly BalanceMessage[] {
    return this.halves.filter((half) => half.player === player);
  }

  /**
   * Adds the results of the final matches after a state to the amounts of that state.
   * @param end Number of the first match that is not included; defaults to the first match that is not final.
   * @returns undefined if a match before the end is not final.
   */
  heldFrom(from: Held, end?: number): Held | undefined {
    let { nonce, amount1, amount2 } = from;
    for (; end === undefined || nonce < end; nonce++) {
      const paid = this.matches.get(nonce)?.payments;
      if (paid === undefined) break;
      amount1 += paid[0];
      amount2 += paid[1];
    }
    return end !== undefined && nonce !== end ? undefined : { nonce, amount1, amount2 };
  }

  private readOpen(message: OpenMessage): Reading {
    const known = this.consents.get(message.player);
    if (known && (known.nonce > message.nonce || isSameOpening(known, message))) return "known";
    return {
      keep: () => {
        for (const [player, each] of this.consents) if (each.nonce < message.nonce) this.consents.delete(player);
        // Moves the consent to the end of the map, whose order shows who proposed.
        this.consents.delete(message.player);
        this.consents.set(message.player, message);
      },
    };
  }

  private async readOffer(message: OfferMessage, sender: ChannelPlayerNumber): Promise<Reading> {
    const { options, matches } = this;
    const { nonce, swapped, terms } = message;
    if ((sender === 2) !== swapped) throw new InputError("swapped", `${swapped}, but player ${sender} has seat One`);
    const module = options.moduleAt(terms.game);
    if (!module) throw new InputError("terms.game", `${terms.game} is not known`);
    const match = new BookMatch(message, module, options.channel, options.at.chainId);
    const known = matches.get(nonce);
    if (known?.offerHash === match.offerHash) return "known";
    if (known && known.moves.length > 0) throw new InputError("nonce", `another offer of ${nonce} is answered`);
    return { keep: () => matches.set(nonce, match) };
  }

  private async readMove(message: MoveMessage, sender: ChannelPlayerNumber): Promise<Reading> {
    const { nonce, offer, count, prev, action, place } = message;
    const match = this.matches.get(nonce);
    if (!match || offer !== match.offerHash || count > match.moves.length + 1) return "later";
    const seat = match.seatOf(sender);
    if (count <= match.moves.length) {
      const known = match.moves[count - 1];
      if (known.seat !== seat || moveHashOf(known) === moveHashOf(message)) return "known";
      throw new InputError("count", `player ${sender} has signed another move ${count} of match ${nonce}`);
    }
    if (prev !== match.last) throw new InputError("prev", `${prev} is not the message before, ${match.last}`);
    const { turn, mover } = match.state;
    const due = turn === Seat.None && !match.isSeen && seat !== mover ? "0x" : undefined;
    if (action === "0x" ? due === undefined : seat !== turn) {
      throw new InputError("action", `${action} of seat ${seat}, while it is the turn of ${turn}`);
    }
    if (action === "0x") return { keep: () => match.moves.push({ ...message, seat }) };
    const record = match.record([...match.actions, { seat, data: action }]);
    const state = await progressOf(record, match.module, this.options.history);
    const reached = placeOf(state.turn, state.position);
    // The place of a last move is not checked, because no transcript starts there.
    if (place !== NO_PLACE && place !== reached && state.turn !== Seat.None)
      throw new InputError("place", `${place} instead of ${reached}`);
    return {
      keep: () => {
        match.moves.push({ ...message, seat });
        match.states.push(state);
        match.isRefusedOnChain = false;
      },
    };
  }

  private readBalance(message: BalanceMessage): Reading {
    if (this.halves.some((half) => half.player === message.player && isSameBalance(half, message))) return "known";
    return { keep: () => this.halves.push(message) };
  }
}

/** Returns whether two consents are for the same opening. */
export function isSameOpening(one: OpenMessage, two: OpenMessage): boolean {
  return (["nonce", "amount1", "amount2", "until"] as const).every((name) => one[name] === two[name]);
}

/** Returns whether two signed balances are the same. */
export function isSameBalance(one: BalanceMessage, two: BalanceMessage): boolean {
  return (["nonce", "amount1", "amount2", "close", "until"] as const).every((name) => one[name] === two[name]);
}
