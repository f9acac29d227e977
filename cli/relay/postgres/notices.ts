import { setTimeout as pause } from "node:timers/promises";
import type { Sql } from "postgres";
import type { Query } from "./query.js";

/** Milliseconds between two notifications of a relay to itself, and without any after which it connects again. */
const BEAT = 10_000;
const SILENCE = 25_000;
/** Milliseconds between two tries to begin. */
const RETRY = 1_000;
const END_SECONDS = 1;
/** Text of the notification that only shows that the connection works. */
const BEAT_TEXT = "beat";

/** Receives notifications. */
export interface Receiver {
  /** Called when notifications may have been lost. Notifications wait until it returns. */
  begin(): Promise<void>;
  /** Called with the text of a notification. @returns false if earlier ones are missing, so that it must begin again */
  receive(text: string): boolean;
}

/** Notifications of a database. They are received again after each break in the connection, even a silent one. */
export class Notices {
  private sql?: Sql;
  /** Notifications that wait for the receiver to begin. */
  private waiting?: string[];
  private heard = 0;
  private readonly beat: NodeJS.Timeout;
  private isClosed = false;

  private constructor(
    private readonly connect: () => Sql,
    private readonly channel: string,
    private readonly query: Query,
    private readonly receiver: Receiver,
  ) {
    this.beat = setInterval(() => void this.check().catch(() => undefined), BEAT);
    this.beat.unref();
  }

  /** Connects, and returns once the receiver has begun. @throws Error if the database does not answer */
  static async open(connect: () => Sql, channel: string, query: Query, receiver: Receiver): Promise<Notices> {
    const notices = new Notices(connect, channel, query, receiver);
    try {
      await notices.listen();
    } catch (error) {
      await notices.close();
      throw error;
    }
    return notices;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.beat);
    await this.sql?.end({ timeout: END_SECONDS });
  }

  private async listen(): Promise<void> {
    const sql = (this.sql = this.connect());
    let begun = Promise.resolve();
    const onNotice = (text: string) => this.take(text);
    // Called again after each break in the connection.
    const onListen = () => {
      if (this.sql === sql) begun = this.begin();
    };
    await sql.listen(this.channel, onNotice, onListen);
    await begun;
  }

  private take(text: string): void {
    this.heard = performance.now();
    if (text === BEAT_TEXT) return;
    if (this.waiting) this.waiting.push(text);
    else if (!this.receiver.receive(text)) void this.begin(text);
  }

  /** @param texts Notifications that wait already. */
  private async begin(...texts: string[]): Promise<void> {
    const waiting = (this.waiting = texts);
    this.heard = performance.now();
    // A break during this would begin again.
    while (this.waiting === waiting && !this.isClosed) {
      try {
        await this.receiver.begin();
        break;
      } catch {
        await pause(RETRY);
      }
    }
    if (this.waiting !== waiting) return;
    this.waiting = undefined;
    // What is still missing then was notified by a database that has been replaced.
    for (const text of waiting) this.receiver.receive(text);
  }

  /** Connects again if the connection has been silent for too long. */
  private async check(): Promise<void> {
    await this.query((sql) => sql`SELECT pg_notify(${this.channel}, ${BEAT_TEXT})`);
    if (performance.now() < this.heard + SILENCE || this.isClosed) return;
    const { sql } = this;
    this.heard = performance.now();
    await Promise.all([sql?.end({ timeout: END_SECONDS }), this.listen()]);
  }
}
