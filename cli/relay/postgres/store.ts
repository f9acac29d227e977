import { id as hashOf } from "ethers";
import postgres, { type Sql } from "postgres";
import { unlessAborted } from "../../../sdk/chain/waiting.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Refusal } from "../refusal.js";
import { STORE_FAILS, type OpenStore, type StoreOptions } from "../store.js";
import { PostgresMessages } from "./messages.js";
import { Notices } from "./notices.js";
import { schemaOf } from "./schema.js";
import type { Query } from "./query.js";
import { PostgresSeeks } from "./seeks.js";

/** Limits of a store that several relays share, in place of those for one folder. */
export const SHARED_LIMITS = { channels: 1_000_000, bytes: 64 * 2 ** 30 };

/** Maximum number of connections of one relay, in addition to the one that receives notifications. */
const MAX_CONNECTIONS = 8;
/** Milliseconds that a statement may take, and seconds within which a connection must be open. */
const STATEMENT_TIME = 10_000;
const CONNECT_SECONDS = 5;
/** Seconds between two tries to connect again. */
const RECONNECT_SECONDS = 0.5;
/** Key of the lock under which the schema is created. */
const SCHEMA_LOCK = 0x6475656c6c6f;
/** Milliseconds after which a query counts as failed, even if the connection seems to work. */
const QUERY_TIME = 12_000;
/** Milliseconds between two reports of a database that does not answer. */
const REPORT_PAUSE = 5_000;
/** Seconds within which connections must be closed. */
const END_SECONDS = 5;

/**
 * Returns a store in Postgres, which any number of relays can share.
 * @param url Address of the database.
 * @param deployment Name of the deployment; each has its own schema.
 * @throws InputError for another kind of address
 */
export function postgresStore(url: string, deployment: string): OpenStore {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== "postgres:" && protocol !== "postgresql:") {
    throw new InputError("RELAY_STORE", "it is not an address such as postgresql://duello@127.0.0.1/duello");
  }
  const schema = `duello_relay_${hashOf(deployment).slice(2, 18)}`;
  return async (options) => {
    const settings = {
      max: MAX_CONNECTIONS,
      connect_timeout: CONNECT_SECONDS,
      // The default grows to 20 seconds.
      backoff: () => RECONNECT_SECONDS,
      connection: {
        application_name: "duello relay",
        search_path: schema,
        statement_timeout: STATEMENT_TIME,
        // A relay that hangs in a transaction must not keep its locks.
        idle_in_transaction_session_timeout: STATEMENT_TIME,
      },
      onnotice: () => undefined,
    };
    const sql = postgres(url, settings);
    try {
      await sql.begin(async (transaction) => {
        await transaction`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`;
        await transaction.unsafe(schemaOf(schema));
      });
      const query = reporting(sql, options);
      const messages = new PostgresMessages(query, options);
      const notices = await Notices.open(() => postgres(url, settings), schema, query, messages);
      const seeks = new PostgresSeeks(query, options);
      const close = async () => {
        await messages.close();
        await notices.close();
        await sql.end({ timeout: END_SECONDS });
      };
      return { messages, seeks, close };
    } catch (error) {
      await sql.end({ timeout: 1 });
      throw new Error(`The database of RELAY_STORE cannot be used: ${(error as Error).message}`, { cause: error });
    }
  };
}

/** Returns queries whose failures are reported from time to time, and become refusals. */
function reporting(sql: Sql, { onTrouble, now }: StoreOptions): Query {
  let reported = -Infinity;
  return async (query) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("the database does not answer")), QUERY_TIME);
    try {
      return await unlessAborted(query(sql), late.signal);
    } catch (error) {
      if (error instanceof Refusal || error instanceof InputError) throw error;
      if (now() >= reported + REPORT_PAUSE) {
        reported = now();
        onTrouble(error);
      }
      throw new Refusal("store", STORE_FAILS);
    } finally {
      clearTimeout(timer);
    }
  };
}
