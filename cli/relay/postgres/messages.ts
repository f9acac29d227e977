import type { Channel } from "../../../sdk/protocol/channels/messages.js";
import { plainText, readChannel, type ChannelMessage } from "../../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Busy } from "../../shared/server/busy.js";
import { firstPlace, lineOf, signedSender, slotOf, slotRefusal, slotSize, unknownChannel } from "../slots.js";
import {
  MAX_LISTED_CHANNELS,
  MAX_LISTED_UNCHECKED,
  type Admission,
  type Messages,
  type MessageStore,
  type StoreOptions,
  type StoreState,
} from "../store.js";
import type { Receiver } from "./notices.js";
import { RecentLines } from "./recent-lines.js";
import type { Query } from "./query.js";

/** Maximum number of messages that are written together, and that wait to be written. */
const MAX_BATCH = 256;
const MAX_WAITING = 10_000;
/** Maximum number of channels whose fields are cached. */
const MAX_CACHED = 20_000;
/** Milliseconds between two removals of channels beyond the limits, and number of channels that a call removes. */
const PRUNE_PAUSE = 60_000;
const PRUNED = 50;

/** Message as the function `append` reads it. */
interface Entry {
  id: Hex;
  fields?: string;
  key1: string;
  key2: string;
  player: number;
  is_checked: boolean;
  is_consent: boolean;
  slot: string;
  slot_size: number;
  line: string;
}

type Outcome = "added" | "known" | "full" | "unknown";

/** Entry that waits to be written. */
interface Waiting {
  entry: Entry;
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
}

/** Maximum number of channels that are read after an interruption, so that only their readers read them again. */
const MAX_MISSED = 10_000;

/** Notification of a message, or of a dropped channel. */
type Notice = { place: number; id: Hex; at: number; keys: string[]; line: string | null } | { dropped: Hex };

/**
 * Messages of channels in Postgres. All messages that arrive while the previous ones are written share a transaction. A
 * notification tells every relay of each message.
 */
export class PostgresMessages implements MessageStore, Receiver {
  /** Fields of channels that are in the database, the least recently used first. */
  private readonly channels = new Map<Hex, Channel>();
  private readonly recent = new RecentLines();
  private readonly waiting: Waiting[] = [];
  private writing?: Promise<void>;
  private isClosed = false;
  /** Number of the current beginning; only the newest one adds news. */
  private beginning = 0;
  /** History of the database since the last beginning. */
  private history?: string;
  private pruned = -Infinity;
  /** Running admissions of new channels. */
  private readonly admissions = new Map<Hex, Promise<void>>();

  constructor(
    private readonly query: Query,
    private readonly options: StoreOptions,
  ) {}

  async state(): Promise<StoreState> {
    const [{ channels, bytes }] = await this.query(
      (sql) => sql<[{ channels: string; bytes: string }]>`
        SELECT count(*) AS channels, coalesce(sum(bytes), 0) AS bytes FROM channels`,
    );
    return { channels: Number(channels), bytes: Number(bytes) };
  }

  async after(id: Hex, seen: number, client: string, known = Infinity): Promise<Messages> {
    // A message that another relay has announced may not be known here yet.
    const recent = this.recent.after(id, seen) ?? [];
    if (seen + recent.length > known) return { lines: recent, from: seen };
    const rows = await this.query(
      (sql) => sql<{ from: string; line: string | null }[]>`
        SELECT "from", line
        FROM (
          SELECT CASE WHEN ${seen}::bigint BETWEEN first AND next THEN ${seen}::bigint ELSE first END AS "from"
          FROM channels WHERE id = ${id}
        ) AS channel
        LEFT JOIN messages ON channel = ${id} AND place >= "from" ORDER BY place`,
    );
    const lines = rows.flatMap(({ line }) => (line === null ? [] : [line]));
    this.options.onLoad(
      client,
      lines.reduce((bytes, line) => bytes + line.length, 0),
    );
    return { lines, from: Number(rows.at(0)?.from ?? 0) };
  }

  async add(id: Hex, client: string, message: ChannelMessage, admission: Admission): Promise<boolean> {
    const line = lineOf(message);
    const known = this.channels.get(id) ?? (await this.read(id));
    const channel = known ?? admission.channel();
    if (!channel) throw unknownChannel(id);
    const sender = signedSender(this.options.at, id, channel, message);
    if (!known) await this.admit(id, () => admission.admit(channel));
    const { key1, key2 } = channel;
    const { player, isChecked } = sender;
    const outcome = await this.append({
      ...{ id, key1, key2, player, line },
      ...(!known && { fields: plainText(channel) }),
      is_checked: isChecked,
      is_consent: message.type === "open",
      slot: slotOf(sender, message),
      slot_size: slotSize(sender),
    });
    if (outcome === "unknown") {
      // The channel was dropped since it was read.
      this.channels.delete(id);
      return this.add(id, client, message, admission);
    }
    this.cache(id, channel);
    if (outcome === "full") throw slotRefusal(sender, message);
    return outcome === "added";
  }

  async channelsOf(key: string): Promise<Channel[]> {
    const rows = await this.query(
      (sql) => sql<{ fields: string }[]>`
        WITH asked AS (
          SELECT fields, asked1 AS asked, checked1 AS checked FROM channels WHERE key1 = ${key} AND asked1 IS NOT NULL
          UNION ALL
          SELECT fields, asked2, checked2 FROM channels WHERE key2 = ${key} AND asked2 IS NOT NULL
        )
        (SELECT fields FROM asked WHERE checked ORDER BY asked DESC LIMIT ${MAX_LISTED_CHANNELS})
        UNION ALL
        (SELECT fields FROM asked WHERE NOT checked ORDER BY asked DESC LIMIT ${MAX_LISTED_UNCHECKED})`,
    );
    return rows.map(({ fields }) => channelFrom(fields));
  }

  async probe(): Promise<void> {
    await this.query((sql) => sql`UPDATE counter SET news = news`);
  }

  /** Accepts no more messages, and returns once the accepted ones are in the database. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.writing;
  }

  /** Adds the news that were missed. If they are unknown or too many, lets all readers read again. */
  async begin(): Promise<void> {
    const beginning = ++this.beginning;
    this.recent.clear();
    const { news } = this.options;
    const [{ end, history }] = await this.query(
      (sql) => sql<[{ end: string; history: string | null }]>`SELECT news AS end, history() FROM counter`,
    );
    // A replica that takes over may lack messages which others have replaced since.
    const isSame = history !== null && history === this.history && Number(end) >= news.end;
    const missed = isSame ? await this.newsAfter(news.end) : undefined;
    if (beginning !== this.beginning) return;
    this.history = history ?? undefined;
    if (!missed || missed.length > MAX_MISSED) return news.reset(Number(end));
    for (const { id, at, keys, place } of missed) news.add(id, Number(at), keys, Number(place));
  }

  receive(text: string): boolean {
    const notice = JSON.parse(text) as Notice;
    if ("dropped" in notice) {
      this.channels.delete(notice.dropped);
      this.recent.remove(notice.dropped);
      return true;
    }
    const { news } = this.options;
    const { place, id, at, keys, line } = notice;
    // Places are consecutive.
    if (place > news.end + 1) return false;
    if (line !== null) this.recent.add(id, at, line);
    // At a beginning, the database may contain more than has been notified.
    if (place > news.end) news.add(id, at, keys, place);
    return true;
  }

  /** Reads the last news about each channel after a place. A player's own messages count as news for it, too. */
  private newsAfter(place: number) {
    return this.query(
      (sql) => sql<{ id: Hex; at: string; keys: string[]; place: string }[]>`
        SELECT id, next - 1 AS at, written AS place, array_remove(ARRAY[
          CASE WHEN signed1 THEN key1 END, CASE WHEN signed2 THEN key2 END
        ], NULL) AS keys
        FROM channels WHERE written > ${place} ORDER BY written LIMIT ${MAX_MISSED + 1}`,
    );
  }

  /** Runs one admission of a channel, even if several messages of it arrive at the same time. */
  private async admit(id: Hex, admit: () => Promise<void>): Promise<void> {
    const running = this.admissions.get(id) ?? admit().finally(() => this.admissions.delete(id));
    this.admissions.set(id, running);
    return running;
  }

  private async read(id: Hex): Promise<Channel | undefined> {
    const rows = await this.query((sql) => sql<{ fields: string }[]>`SELECT fields FROM channels WHERE id = ${id}`);
    return rows.map(({ fields }) => channelFrom(fields)).at(0);
  }

  private cache(id: Hex, channel: Channel): void {
    this.channels.delete(id);
    this.channels.set(id, channel);
    if (this.channels.size > MAX_CACHED) this.channels.delete(this.channels.keys().next().value!);
  }

  private append(entry: Entry): Promise<Outcome> {
    if (this.isClosed) throw new Busy("stopping", "the relay stops");
    if (this.waiting.length >= MAX_WAITING) throw new Busy("queue", "too many messages wait to be stored");
    return new Promise((resolve, reject) => {
      this.waiting.push({ entry, resolve, reject });
      this.writing ??= this.write().finally(() => (this.writing = undefined));
    });
  }

  /** Writes the waiting messages, until there are none. */
  private async write(): Promise<void> {
    const { limits, now } = this.options;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      try {
        const entries = JSON.stringify(batch.map(({ entry }) => entry));
        const [{ outcomes }] = await this.query(
          (sql) => sql<[{ outcomes: Outcome[] }]>`
            SELECT append((${entries}::text)::jsonb, ${firstPlace(now())}, ${limits.channelBytes}) AS outcomes`,
        );
        for (const [i, { resolve }] of batch.entries()) resolve(outcomes[i]);
        await this.prune();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  /** Drops channels beyond the limits, from time to time. */
  private async prune(): Promise<void> {
    const { limits, now } = this.options;
    if (now() < this.pruned + PRUNE_PAUSE) return;
    this.pruned = now();
    for (let dropped = PRUNED; dropped === PRUNED;) {
      [{ dropped }] = await this.query(
        (sql) => sql<[{ dropped: number }]>`SELECT prune(${limits.channels}, ${limits.bytes}) AS dropped`,
      );
    }
  }
}

function channelFrom(fields: string): Channel {
  return readChannel(JSON.parse(fields), "channel");
}
