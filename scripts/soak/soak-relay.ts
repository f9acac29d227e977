import { Wallet, hexlify } from "ethers";
import { messageText, parseMessage, type AwayMessage, type AwayMove } from "../../sdk/protocol/away/messages.js";
import { digestOf, stateRequest } from "../../sdk/protocol/away/signatures.js";
import { stateBehind } from "../../sdk/protocol/away/transcript.js";
import type { AfterAnswer, Transport } from "../../sdk/player/away/transport.js";
import type { Random } from "./random.js";

/** Percent of puts that are not taken, and of reads that fail or begin again. */
const REFUSED = 8;
/** Percent of the messages that a read does not give, and of reads that repeat, reorder and invent some. */
const [DROPPED, ODD] = [20, 20];

/** Data with which the relay forges moves. */
interface Place {
  matchId: bigint;
  chainId: bigint;
  /** Address of the game. */
  game: string;
}

/** A relay in memory that refuses, drops, repeats, reorders and invents messages, and keeps those that it was given. */
export class SoakRelay implements Transport {
  readonly name = "the relay of the soak";
  /** True once it accepts and returns no messages any more. */
  isDead = false;
  /** True while it returns all messages that it received. */
  isHonest = false;
  /** Names the first seat that has signed two states of one nonce, in a sentence. */
  breach?: string;
  private readonly given: AwayMessage[] = [];
  private readonly forger: Wallet;

  constructor(
    private readonly random: Random,
    private readonly place: Place,
  ) {
    this.forger = new Wallet(hexlify(random.bytes(32)));
  }

  /** Moves that it was given, as players show them to a verifier. */
  get transcript(): AwayMove[] {
    return this.given.filter((message) => message.type === "move").sort((a, b) => a.nonce - b.nonce);
  }

  /** Number of messages that it was given. */
  get count(): number {
    return this.given.length;
  }

  async put(message: AwayMessage): Promise<void> {
    if (this.isDead || this.random.likely(REFUSED)) throw new Error("not taken");
    const text = messageText(message);
    if (this.given.some((each) => messageText(each) === text)) return;
    const copy = parseMessage(text, "message");
    if (copy.type === "move" && this.transcript.some(({ nonce }) => nonce === copy.nonce)) {
      this.breach ??= `seat ${copy.seat} signs two states of nonce ${copy.nonce}`;
    }
    this.given.push(copy);
  }

  async after(seen: number): Promise<AfterAnswer> {
    const { given, random } = this;
    const all = { messages: given.slice(seen), seen: given.length };
    if (this.isHonest || (all.messages.length === 0 && !random.likely(ODD))) return all;
    if (this.isDead || random.likely(REFUSED)) throw new Error("not answered");
    if (random.likely(REFUSED)) return { messages: [], seen: 0 };
    const messages = all.messages.filter(() => !random.likely(DROPPED));
    if (given.length > 0 && random.likely(ODD)) messages.push(random.pick(given));
    if (random.likely(ODD)) messages.reverse();
    const last = this.transcript.at(-1);
    if (last && random.likely(ODD)) messages.unshift(this.forged(last));
    return { ...all, messages };
  }

  /** Makes a move that its seat has not signed, of the same nonce or the next. */
  private forged(last: AwayMove): AwayMove {
    const { matchId, chainId, game } = this.place;
    const { random, forger } = this;
    const nonce = last.nonce + random.below(2);
    const move = { ...last, nonce, word: hexlify(random.bytes(32)) };
    if (random.likely(50)) return { ...move, nonce, signature: hexlify(random.bytes(65)) };
    const digest = digestOf(stateRequest(chainId, game, stateBehind(matchId, move)));
    return { ...move, signature: forger.signingKey.sign(digest).serialized };
  }
}
