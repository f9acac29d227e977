import { offeredPosition, isRefusal } from "../../sdk/games/channel-match.js";
import { ChannelBook, type BookOptions, type Reading } from "../../sdk/player/channels/book.js";
import type { Held } from "../../sdk/player/channels/chain.js";
import { offererOf } from "../../sdk/player/channels/player.js";
import { moveHashOf, offerHashOf } from "../../sdk/protocol/channels/messages.js";
import {
  offerIn,
  parseChannelMessage,
  senderOf,
  type BalanceMessage,
  type ChannelMessage,
  type ChannelPlayerNumber,
  type MoveMessage,
  type OfferMessage,
} from "../../sdk/protocol/channels/wire.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError } from "../../sdk/protocol/input.js";
import type { RuleName } from "./rules.js";

/** Options of a witness. */
export interface WitnessOptions extends BookOptions {
  /** The bot's number in the channel. */
  bot: ChannelPlayerNumber;
  /** Called for each message with which the bot breaks a rule. */
  onBreach(rule: RuleName, reason: string): void;
}

/** Rules that a message breaks if the book rejects one of its fields; `turns` for all other fields. */
const RULES_OF_FIELDS: Readonly<Record<string, RuleName>> = { count: "numbers", "terms.game": "legal" };

/** Message, with whether the bot has signed it. */
interface Heard {
  message: ChannelMessage;
  isBots: boolean;
}

/** Reads all messages of a channel in any order, and checks each message of the bot against the rules. */
export class Witness {
  /** State of the channel according to all messages. */
  readonly book: ChannelBook;
  /** Number of different messages of the bot. */
  heard = 0;
  /** Amounts before the first match that a balance can settle. */
  from?: Held;
  /** Time of the newest final block, in seconds since 1970. */
  time = 0;
  private waiting: Heard[] = [];
  private readonly lines = new Set<string>();
  /** First message with each number. */
  private readonly numbered = new Map<string, { content: string; until?: number }>();

  constructor(private readonly options: WitnessOptions) {
    this.book = new ChannelBook(options);
  }

  /** Takes a message; repeated ones count once. */
  async hear(line: string): Promise<void> {
    if (this.lines.has(line)) return;
    this.lines.add(line);
    const { at, channel, bot } = this.options;
    const message = parseChannelMessage(line, "message");
    const isBots = senderOf(at, channel, message)?.player === bot;
    if (isBots) {
      this.heard++;
      this.checkNumber(message);
    }
    this.waiting.push({ message, isBots });
    await this.judgeWaiting();
  }

  /** Returns whether the bot has signed the balance before a match. */
  hasBalance(nonce: number): boolean {
    return this.book.halvesOf(this.options.bot).some((half) => !half.close && half.nonce === nonce);
  }

  /** Checks that the bot has signed nothing that follows no message. Call it once all messages have arrived. */
  end(): void {
    for (const { message, isBots } of this.waiting) {
      if (!isBots || message.nonce < (this.from?.nonce ?? 0)) continue;
      this.options.onBreach("turns", `${nameOf(message)} does not follow the messages before it`);
    }
  }

  private checkNumber(message: ChannelMessage): void {
    if (message.type === "balance" && message.close) return;
    const name = nameOf(message);
    const content = contentOf(message);
    const known = this.numbered.get(name);
    // An offer that has ended may be replaced.
    if (!known || (known.until ?? Infinity) < this.time) {
      this.numbered.set(name, { content, ...(message.type === "offer" && { until: message.until }) });
    } else if (known.content !== content) {
      this.options.onBreach("numbers", `it has signed two different messages: ${name}`);
    }
  }

  private async judgeWaiting(): Promise<void> {
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const heard of this.waiting.splice(0)) {
        const reading = await this.judge(heard);
        if (reading === "later") this.waiting.push(heard);
        isNew ||= reading === "kept";
      }
    }
  }

  private async judge({ message, isBots }: Heard): Promise<"later" | "kept" | undefined> {
    const reading = await this.readingOf({ message, isBots });
    if (reading === "later") return "later";
    if (reading === undefined || reading === "known") return undefined;
    if (message.type === "balance" && !this.isExpected(message, isBots)) return "later";
    reading.keep();
    if (isBots && message.type === "offer") await this.checkOffer(message);
    if (isBots && message.type === "move") this.checkMove(message);
    return "kept";
  }

  /** Reads a message. @returns undefined for one that breaks a rule */
  private async readingOf({ message, isBots }: Heard): Promise<Reading | undefined> {
    try {
      return await this.book.read(message);
    } catch (error) {
      if (!isKind(error, InputError)) throw error;
      const rule = RULES_OF_FIELDS[error.path] ?? "turns";
      if (isBots) this.options.onBreach(rule, `${nameOf(message)}: ${error.message}`);
      return undefined;
    }
  }

  /** Returns whether the matches before a balance are over, and checks its amounts if they are. */
  private isExpected({ nonce, amount1, amount2 }: BalanceMessage, isBots: boolean): boolean {
    const expected = this.from && this.book.heldFrom(this.from, nonce);
    if (!expected) return false;
    if (isBots && (amount1 !== expected.amount1 || amount2 !== expected.amount2)) {
      const amounts = `${amount1} and ${amount2} instead of ${expected.amount1} and ${expected.amount2}`;
      this.options.onBreach("balances", `the balance before match ${nonce} has the amounts ${amounts}`);
    }
    return true;
  }

  private async checkOffer({ nonce }: OfferMessage): Promise<void> {
    const { bot, history, onBreach } = this.options;
    if (offererOf(nonce) !== bot) onBreach("turns", `it has offered match ${nonce}, which the opponent offers`);
    const match = this.book.matches.get(nonce)!;
    try {
      await offeredPosition(match.record(), match.module, history);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      onBreach("legal", `its offer of match ${nonce}: ${error.message}`);
    }
  }

  private checkMove({ nonce, count, action }: MoveMessage): void {
    const { state, module } = this.book.matches.get(nonce)!;
    if (action === "0x" || state.refusal === undefined) return;
    const isReveal = count > 1 && module.moves.pendingCommitments !== undefined;
    this.options.onBreach(isReveal ? "reveals" : "legal", `move ${count} of match ${nonce}: ${state.refusal}`);
  }
}

/** Names the place of a message, which one player can fill only once. */
function nameOf(message: ChannelMessage): string {
  const { type, nonce } = message;
  switch (type) {
    case "open":
      return `the consent to opening ${nonce}`;
    case "offer":
      return `the offer of match ${nonce}`;
    case "move":
      return `move ${message.count} of match ${nonce}`;
    case "balance":
      return `the balance before match ${nonce}`;
  }
}

/** Returns what a message binds its player to. */
function contentOf(message: ChannelMessage): string {
  switch (message.type) {
    case "offer":
      return offerHashOf(offerIn(message));
    case "move":
      return moveHashOf(message);
    case "open":
      return `${message.amount1} ${message.amount2} ${message.until}`;
    case "balance":
      return `${message.amount1} ${message.amount2}`;
  }
}
