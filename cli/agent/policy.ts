import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import { gameNamed, games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import {
  boolean,
  fields,
  InputError,
  integer,
  listUpTo,
  object,
  oneOf,
  optional,
  text,
} from "../../sdk/protocol/input.js";
import type { Reader } from "../../sdk/protocol/input.js";
import { MAX_CLOCK } from "../../sdk/protocol/terms.js";
import { readAmount, readDuration } from "../shared/arguments.js";
import type { Session } from "../shared/session.js";
import { readToken, type Token } from "../shared/tokens.js";

/** What an agent stakes of one token; amounts in its smallest unit. */
export interface Limits {
  token: Token;
  /** Most in one match. */
  stake: bigint;
  /** Most in all open matches. */
  total: bigint;
  /** Of its purse and what is staked already, in per cent: most at risk at once. */
  share: number;
  /** What the purse holds above it goes to the wallet; left out: nothing does. */
  keep?: bigint;
}

/** What an agent may be told to take although it hurts. */
export const RISKS = ["weak-mode", "worse-odds", "short-clock"] as const;

/** What an agent takes, and what it does not. */
export interface Policy {
  /** Names of games, and of the modes of each. */
  games: ReadonlyMap<string, readonly string[]>;
  /** By address; a token that is not here is not staked. */
  tokens: ReadonlyMap<string, Limits>;
  /** Who may have the ties. */
  ties: readonly ("draw" | "challenger")[];
  /** Thinking time of a match, in seconds. */
  clock: { min: number; max: number };
  /** Largest house fee, in per cent. */
  house: number;
  /** Risks it takes with a stake. */
  acceptedRisks: readonly (typeof RISKS)[number][];
  /** Least chance of winning, in per cent, a draw by half, at which it stakes on an even game. */
  chance: number;
  /** Whether it takes offers to anyone, or only those to itself. */
  open: boolean;
  /** Most open matches at once. */
  matches: number;
  /**
   * In seconds: how old the latest block may be, of any age if left out; how long a transaction may wait for a block.
   */
  node: { lag?: number; stuck: number };
  /** Of the clock of a match that is watched for somebody, in per cent: with less than that left the agent acts. */
  watchtower: number;
}

const KINDS_OF_TIES = ["draw", "challenger"] as const;
const STUCK = 120;
const LAG = 120;

const duration: Reader<number> = (value, path) => readDuration(text(value, path), path);

const modesOf: (value: unknown, path: string, name: string) => readonly string[] = (value, path, name) => {
  const game = gameAtPath(name, path);
  const all = Object.keys(game.modes);
  return value === "all" ? all : listUpTo(oneOf(...all), all.length)(value, path);
};

const limits = object({
  stake: text,
  total: text,
  share: optional(integer(1, 100), 100),
  keep: optional(text, undefined),
});

const readFields = object({
  games: optional(fields(modesOf), new Map(games.map(({ name, modes }) => [name, Object.keys(modes)]))),
  tokens: optional(
    fields((value, path) => ({ path, ...limits(value, path) })),
    new Map<string, ReturnType<typeof limits> & { path: string }>(),
  ),
  ties: optional(listUpTo(oneOf(...KINDS_OF_TIES), 2), [...KINDS_OF_TIES]),
  clock: optional(object({ min: optional(duration, 300), max: optional(duration, Number(MAX_CLOCK)) }), {
    min: 300,
    max: Number(MAX_CLOCK),
  }),
  house: optional(integer(0, 20), 20),
  acceptedRisks: optional(listUpTo(oneOf(...RISKS), RISKS.length), []),
  chance: optional(integer(0, 100), 45),
  open: optional(boolean, true),
  matches: optional(integer(1, 1000), 20),
  node: optional(object({ lag: optional(duration, undefined), stuck: optional(duration, STUCK) }), {
    lag: undefined,
    stuck: STUCK,
  }),
  watchtower: optional(integer(1, 100), 25),
});

/**
 * A policy as its file has it; what is left out is as cautious as it can be: all games, for nothing.
 * @throws InputError naming the field that breaks a rule.
 */
export async function readPolicy(content: unknown, session: Session): Promise<Policy> {
  const { tokens: listed, node, ...policy } = readFields(content, "");
  if (policy.clock.min > policy.clock.max) throw new InputError("clock.min", "it is above clock.max");
  const tokens = new Map<string, Limits>();
  for (const [word, { path, share, ...amounts }] of listed) {
    const token = await readToken(session, word).catch((error: unknown) => {
      throw atPath(error, path);
    });
    if (tokens.has(token.address)) throw new InputError(path, "the same token is there twice");
    const amount = (field: "stake" | "total" | "keep") =>
      readAmount(amounts[field]!, token.decimals, `${path}.${field}`);
    const keep = amounts.keep === undefined ? undefined : amount("keep");
    tokens.set(token.address, { token, stake: amount("stake"), total: amount("total"), share, keep });
  }
  // A local test chain makes a block only when somebody asks for one.
  const lag = node.lag ?? (BigInt(session.chainId) === TEST_CHAIN ? undefined : LAG);
  return { ...policy, node: { ...node, lag }, tokens };
}

function gameAtPath(name: string, path: string): GameModule {
  try {
    return gameNamed(name);
  } catch (error) {
    throw atPath(error, path);
  }
}

/** What is wrong with a name, with the field that has it. */
function atPath(error: unknown, path: string): unknown {
  return error instanceof InputError ? new InputError(path, error.message) : error;
}
