import type { AwayMessage } from "../../protocol/away/messages.js";

/** Options of a read. */
export interface AfterOptions {
  /** Milliseconds to wait for the first message; defaults to 0. */
  waitMs?: number;
  /** Ends the read, which throws the signal's reason then. */
  signal?: AbortSignal;
}

/** Messages that were read. */
export interface AfterAnswer {
  messages: AwayMessage[];
  /** Place from which the next read begins. */
  seen: number;
}

/**
 * Way on which the messages of one match go between the players. Nothing that it does is trusted: it may lose, repeat,
 * reorder, invent and hold back messages.
 */
export interface Transport {
  /** Name in sentences, e.g. the address of a relay. */
  readonly name: string;
  /** Hands over a message, which may have been handed over before. @throws Error if it is not taken. */
  put(message: AwayMessage): Promise<void>;
  /**
   * Reads messages, some at a time: no messages are left once an answer has none.
   * @param seen Place that the read before has returned; 0 to begin.
   */
  after(seen: number, options?: AfterOptions): Promise<AfterAnswer>;
}
