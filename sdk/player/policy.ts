import { traitsOf } from "../chain/traits.js";
import { gameNamed } from "../games/list.js";
import { modeNamed } from "../games/modes.js";
import type { GameModule } from "../games/module.js";
import {
  boolean,
  bytes32,
  fields,
  InputError,
  integer,
  listUpTo,
  object,
  oneOf,
  optional,
  text,
  type Reader,
} from "../protocol/input.js";
import { MAX_CLOCK } from "../protocol/terms.js";
import { readAmount, readDuration } from "../protocol/arguments.js";
import type { Token, Tokens } from "./tokens.js";

/** Inputs for reading a policy. */
export interface PolicyReader {
  chainId: bigint | number;
  /** Games that the agent knows. */
  games: readonly GameModule[];
  tokens: Tokens;
}

/** Limits for the stakes of one token; amounts in its smallest unit. */
export interface StakeLimits {
  token: Token;
  /** Maximum stake in one match. */
  stake: bigint;
  /** Maximum sum of stakes in all open matches. */
  total: bigint;
  /** Maximum at risk at once, as a percentage of the purse and the open stakes together. */
  share: number;
  /** Amount to keep in the purse: the rest goes to the wallet. Undefined if nothing is paid out. */
  keep?: bigint;
}

/** Risks that a policy can accept. */
const RISKS = ["weak-mode", "worse-odds", "short-clock"] as const;

const KINDS_OF_TIES = ["draw", "challenger"] as const;

/** Policy of an agent: the challenges that it accepts. */
export interface Policy {
  /** Games that the agent knows. */
  known: readonly GameModule[];
  /** Modes that it plays, by name of the game: names of published ones and hashes of others, or any. */
  games: ReadonlyMap<string, readonly string[] | "any">;
  /** Limits by token address; other tokens are not staked. */
  tokens: ReadonlyMap<string, StakeLimits>;
  /** Accepted rules for ties: draws, or wins of player 1. */
  ties: readonly (typeof KINDS_OF_TIES)[number][];
  /** Bounds of the accepted clock, in seconds. */
  clock: { min: number; max: number };
  /** Maximum accepted house fee, in per cent. */
  house: number;
  /** Risks that it accepts with a stake. */
  acceptedRisks: readonly (typeof RISKS)[number][];
  /** Smallest chance of winning at which it stakes in an even game, in per cent; a draw counts half. */
  chance: number;
  /** True if it takes offers to anyone, and not only to itself. */
  open: boolean;
  /** True if it declines offers that name it and that it will never take, so that their stakes are free at once. */
  decline: boolean;
  /** Maximum number of open matches. */
  matches: number;
  /**
   * Health of the node, in seconds: largest age of the latest block (undefined for any age), and longest wait for a
   * transaction.
   */
  node: { lag?: number; stuck: number };
  /** Percentage of the clock below which it acts for a watched player. */
  watchtower: number;
  /** True if it plays off-chain matches, in modes that allow it. */
  away: boolean;
  /** Seconds for which it waits off-chain before it posts. */
  patience: number;
  /** Off-chain actions after which it agrees to a draw; undefined for never. */
  agree?: number;
  /** Address of an index from which it reads opponents' actions in earlier matches. */
  index?: string;
}

/** Maximum number of modes that a policy lists of a game. */
const MAX_LISTED = 1000;
const STUCK = 120;
const LAG = 120;
const PATIENCE = 120;
/** Maximum actions in a match. */
const MAX_ACTIONS = 2 ** 32 - 1;

const duration: Reader<number> = (value, path) => readDuration(text(value, path), path);

/** Reads the number of actions after which to agree to a draw; undefined for never. */
const agreement: Reader<number | undefined> = (value, path) => {
  if (value === "never") return undefined;
  if (typeof value === "string")
    throw new InputError(path, `${JSON.stringify(value)} is not never, or a number of actions`);
  return integer(1, MAX_ACTIONS)(value, path);
};

function modesOf(value: unknown, path: string, game: GameModule): readonly string[] | "any" {
  if (value === "all") return Object.keys(game.modes);
  return value === "any" ? value : listUpTo(modeOf(game), MAX_LISTED)(value, path);
}

/** Reads a mode, given by its name or its hash, as its name or else its hash. */
function modeOf(game: GameModule): Reader<string> {
  return (value, path) => {
    if (typeof value !== "string" || !value.startsWith("0x")) return oneOf(...Object.keys(game.modes))(value, path);
    const hash = bytes32(value, path);
    return modeNamed(game, hash) ?? hash;
  };
}

const limits = object({
  stake: text,
  total: text,
  share: optional(integer(1, 100), 100),
  keep: optional(text, undefined),
});

/** Reads an object that is optional, as are all its fields. */
function withDefaults<T>(read: Reader<T>): Reader<T> {
  return optional(read, read({}, ""));
}

const readFields = object({
  games: optional(
    fields((value, path) => ({ path, value })),
    undefined,
  ),
  tokens: optional(
    fields((value, path) => ({ path, ...limits(value, path) })),
    new Map<string, ReturnType<typeof limits> & { path: string }>(),
  ),
  ties: optional(listUpTo(oneOf(...KINDS_OF_TIES), 2), [...KINDS_OF_TIES]),
  clock: withDefaults(object({ min: optional(duration, 300), max: optional(duration, Number(MAX_CLOCK)) })),
  house: optional(integer(0, 20), 20),
  acceptedRisks: optional(listUpTo(oneOf(...RISKS), RISKS.length), []),
  chance: optional(integer(0, 100), 45),
  open: optional(boolean, true),
  decline: optional(boolean, false),
  matches: optional(integer(1, 1000), 20),
  node: withDefaults(object({ lag: optional(duration, undefined), stuck: optional(duration, STUCK) })),
  watchtower: optional(integer(1, 100), 25),
  away: optional(boolean, true),
  patience: optional(duration, PATIENCE),
  agree: optional(agreement, undefined),
  index: optional(text, undefined),
});

/**
 * Reads a policy. The defaults are cautious: all games, without stakes.
 * @throws InputError naming the field that breaks a rule.
 */
export async function readPolicy(content: unknown, reader: PolicyReader): Promise<Policy> {
  const { tokens: listed, node, games: played, ...rest } = readFields(content, "");
  const policy = { ...rest, games: readGames(played, reader.games) };
  if (policy.clock.min > policy.clock.max) throw new InputError("clock.min", "it is above clock.max");
  const lax = [...policy.games].find(([, modes]) => modes === "any");
  if (lax && listed.size > 0) {
    const why =
      "any challenger can make a mode that suits it, so nothing may be staked: list modes, or leave tokens out";
    throw new InputError(`games.${lax[0]}`, `"any" goes without stakes only; ${why}`);
  }
  const tokens = new Map<string, StakeLimits>();
  for (const [name, { path, share, ...amounts }] of listed) {
    const token = await reader.tokens.read(name).catch((error: unknown) => {
      throw atPath(error, path);
    });
    if (tokens.has(token.address)) throw new InputError(path, "the same token is there twice");
    const amount = (field: "stake" | "total" | "keep") =>
      readAmount(amounts[field]!, token.decimals, `${path}.${field}`);
    const keep = amounts.keep === undefined ? undefined : amount("keep");
    tokens.set(token.address, { token, stake: amount("stake"), total: amount("total"), share, keep });
  }
  const lag = node.lag ?? (traitsOf(reader.chainId).minesOnDemand ? undefined : LAG);
  return { ...policy, known: reader.games, node: { ...node, lag }, tokens };
}

/** Reads the modes of games; defaults to all published ones of all games. */
function readGames(
  played: ReadonlyMap<string, { path: string; value: unknown }> | undefined,
  known: readonly GameModule[],
): Policy["games"] {
  if (!played) return new Map(known.map(({ name, modes }) => [name, Object.keys(modes)]));
  const entries = [...played].map(([name, { path, value }]) => {
    return [name, modesOf(value, path, gameAtPath(name, path, known))] as const;
  });
  return new Map(entries);
}

function gameAtPath(name: string, path: string, known: readonly GameModule[]): GameModule {
  try {
    return gameNamed(name, known);
  } catch (error) {
    throw atPath(error, path);
  }
}

/** Names the field in an InputError. */
function atPath(error: unknown, path: string): unknown {
  return error instanceof InputError ? new InputError(path, error.message) : error;
}
