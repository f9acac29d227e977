import type { AwayMove } from "../../protocol/away/messages.js";
import { supportedStates, type SupportedState } from "../../protocol/away/transcript.js";
import type { Hex } from "../../protocol/hex.js";
import type { Agreements } from "./agreements.js";
import type { AwayEntry, AwayLog } from "./log.js";

/** Entry of a log that somebody has signed. */
export type SignedEntry = Extract<AwayEntry, { type: "message" | "signature" }>;

/** Knowledge of a seat by its log: moves at the table, and what the seat has signed, composed and posted. */
export class SeatLog {
  /** Actions at the table that both players have been shown, oldest first. */
  readonly moves: AwayMove[] = [];
  /** What the log had when it was opened and signatures vouch for, by place, until it is checked. */
  private readonly unchecked = new Map<number, SignedEntry>();
  private isEmpty = true;
  /** Number of entries. */
  private count = 0;
  /** Own signatures of states that were given for posts, by nonce. */
  private readonly signatures = new Map<number, Hex>();
  /** Own actions that were composed for the chain, by the record of their position. */
  private readonly composed = new Map<Hex, Hex>();
  /** Nonces of the states that were composed for posts, oldest first, but of those that were certainly not sent. */
  private readonly posts: number[] = [];
  /** Number of posts that were composed since the log was opened, and not taken back. */
  private recentPosts = 0;

  /** @param agreements Takes the agreements that the log has. */
  constructor(
    private readonly log: AwayLog,
    private readonly seat: bigint,
    private readonly agreements: Agreements,
  ) {}

  /** Reads what was kept before. What was signed counts once it is checked. @throws Error for a log that cannot be read. */
  async open(): Promise<void> {
    const entries = await this.log.read();
    for (const [place, entry] of entries.entries()) {
      if (entry.type === "message" || entry.type === "signature") this.unchecked.set(place, entry);
      else this.take(entry);
    }
    this.count = entries.length;
    // Posts may have been composed after a loss.
    this.isEmpty = entries.every(({ type }) => type === "post");
  }

  /**
   * Takes what was signed before, in its order.
   * @param problemOf Finds what is wrong with an entry behind those before it; undefined if nothing is.
   * @throws the log's error for the first entry with which something is.
   */
  async check(problemOf: (entry: SignedEntry) => Promise<string | undefined>): Promise<void> {
    for (const [place, entry] of this.unchecked) {
      const problem = await problemOf(entry);
      if (problem !== undefined) throw this.log.damage(place, problem);
      this.take(entry);
      this.unchecked.delete(place);
    }
  }

  /** Returns whether the log had nothing of the game when it was opened: it is new, or it was lost. */
  get wasEmpty(): boolean {
    return this.isEmpty;
  }

  /** Returns whether a post was composed that may be mined at any time. */
  get isPosting(): boolean {
    return this.posts.length > 0;
  }

  /** Adds an entry to the log, and then to what is known. */
  async add(entry: AwayEntry): Promise<void> {
    await this.log.append(entry, this.count);
    this.count++;
    this.take(entry);
  }

  /** Adds a post that is to be sent. */
  async addPost(nonce: number): Promise<void> {
    await this.add({ type: "post", nonce });
    this.recentPosts++;
  }

  /** Takes the last post back, which was certainly never sent. @returns false if there is none of this program */
  async dropPost(): Promise<boolean> {
    if (this.recentPosts === 0) return false;
    await this.add({ type: "post", nonce: null });
    this.recentPosts--;
    return true;
  }

  /** Returns the own signature of the state of a nonce that was given for a post. */
  signatureOf(nonce: number): Hex | undefined {
    return this.signatures.get(nonce);
  }

  /** Returns the own action that was composed in a position before. @param record Record of the position. */
  actionIn(record: Hex): Hex | undefined {
    const composed = this.composed.get(record);
    if (composed !== undefined) return composed;
    const recordBefore = (i: number) => (i === 0 ? this.moves[0].base : this.moves[i - 1].record);
    return this.moves.find(({ seat }, i) => seat === this.seat && recordBefore(i) === record)?.action;
  }

  /** Returns the states that the other player has signed, the newest first. */
  get supported(): readonly SupportedState[] {
    return supportedStates(this.moves, this.seat);
  }

  /** Returns the newest state that the seat can post. @param maySign True if it may sign what it has not signed yet. */
  postable(maySign: boolean): SupportedState | undefined {
    return this.supported.find(({ move, own }) => maySign || own !== undefined || this.signatures.has(move.nonce));
  }

  private take(entry: AwayEntry): void {
    if (entry.type === "post" && entry.nonce === null) this.posts.pop();
    else if (entry.type === "post") this.posts.push(entry.nonce!);
    else if (entry.type === "signature") this.signatures.set(entry.nonce, entry.signature);
    else if (entry.type === "action") this.composed.set(entry.record, entry.action);
    else if (entry.message.type === "move") this.moves.push(entry.message);
    else if (entry.message.type === "agreement") this.agreements.take(entry.message);
  }
}
