import { env } from "node:process";
import type { Addresses } from "../sdk/chain/addresses.js";
import type { Hex } from "../sdk/protocol/hex.js";

/** Setting of the Ponder process, as JSON in an environment variable: Ponder's configuration takes no arguments. */
export interface Setting {
  chainId: number;
  /** Hash of the chain's first block. */
  genesis: Hex;
  /** Block from which events are read. */
  block: number;
  addresses: Addresses;
  /** URLs of the chain's nodes. */
  rpc: readonly string[];
  /** Milliseconds between two polls of the chain. */
  pause: number;
  /** Schema of the tables. */
  schema: string;
  /** Folder of the embedded database; without it Postgres at DATABASE_URL is used. */
  folder?: string;
  /** True to answer SQL queries. */
  hasSql: boolean;
  /** Key that each request to the process must contain. */
  key: string;
}

/** Name of the environment variable that contains the setting. */
export const SETTING = "DUELLO_INDEX_SETTING";

/** Returns the setting that the process was started with. */
export function ownSetting(): Setting {
  const written = env[SETTING];
  if (written === undefined) throw new Error(`${SETTING} is not set: start the index by \`npm run index\`.`);
  return JSON.parse(written) as Setting;
}
