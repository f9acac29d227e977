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
import { COIN, MAX_CLOCK } from "../protocol/terms.js";
import { readAmount, readDuration } from "../protocol/arguments.js";
import type { Token } from "./amounts.js";
import type { Tokens } from "./tokens.js";

/** Inputs for reading a policy. */
export interface PolicyReader {
  chainId: bigint | number;
  /** Games that the agent supports. */
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
  /** Maximum amount at risk at one time, as a percentage of the purse and the open stakes together. */
  share: number;
  /** Amount to keep in the purse; the agent withdraws the rest to its wallet. Undefined if it withdraws nothing. */
  keep?: bigint;
  /** Maximum amount that the agent locks in one channel; 0 to lock nothing. */
  channel: bigint;
  /** Maximum sum that the agent has locked in all channels or consented to lock. */
  channels: bigint;
}

/** Limits for the channels of an agent, in addition to the limits for tokens. */
export interface ChannelPolicy {
  /** Maximum number of channels at one time; 0 to have no channels. */
  most: number;
  /** Maximum number of channels with one player. */
  each: number;
  /** Maximum time, in seconds, for which a channel locks money. */
  life: number;
  /** Seconds to wait for the opponent before submitting a match on chain. */
  patience: number;
  /** True if the agent offers the terms of the previous match again when it is its turn to offer. */
  rematch: boolean;
  /** Match that the agent seeks in the lobby; undefined if it only answers the searches of others. */
  seek?: SoughtMatch;
  /** Budget for the gas of rated matches of players without money; undefined if the agent pays none. */
  sponsor?: SponsorPolicy;
}

/** Match that an agent seeks in the lobby, with equal stakes. */
export interface SoughtMatch {
  game: GameModule;
  /** Name of the mode. */
  mode: string;
  /** Address of the channel's token: the first token with an amount to lock, or otherwise the chain's coin. */
  token: string;
  stake: bigint;
  clock: bigint;
  rated: boolean;
}

/** Budget of an agent that pays the gas of others' matches. */
export interface SponsorPolicy {
  /** Limit for all players in one day. */
  day: SponsorLimit;
  /** Limit for one player in one day. */
  opponent: SponsorLimit;
  /** Limit for one player's address, in total. */
  address: SponsorLimit;
}

export interface SponsorLimit {
  matches: number;
  /** In the smallest unit of the chain's coin. */
  gas: bigint;
}

/** Risks that a policy can accept. */
const RISKS = ["weak-mode", "worse-odds", "short-clock"] as const;

const KINDS_OF_TIES = ["draw", "challenger"] as const;

/** Policy of an agent: the challenges that it accepts. */
export interface Policy {
  /** Games that the agent supports. */
  known: readonly GameModule[];
  /** Modes that the agent plays, by name of the game: names of published modes and hashes of other modes, or any. */
  games: ReadonlyMap<string, readonly string[] | "any">;
  /** Limits by token address; the agent stakes no other tokens. */
  tokens: ReadonlyMap<string, StakeLimits>;
  /** Accepted rules for ties: draws, or wins of player 1. */
  ties: readonly (typeof KINDS_OF_TIES)[number][];
  /** Bounds of the accepted clock, in seconds. */
  clock: { min: number; max: number };
  /** Maximum accepted house fee, in per cent. */
  house: number;
  /** Risks that the agent accepts with a stake. */
  acceptedRisks: readonly (typeof RISKS)[number][];
  /** Minimum chance of winning for a stake in an even game, in per cent; a draw counts as half a win. */
  chance: number;
  /** True if the agent also accepts offers to anyone, and not only offers to itself. */
  open: boolean;
  /** True if the agent declines offers to itself that it will never accept, which frees their stakes at once. */
  decline: boolean;
  /** Maximum number of open matches. */
  matches: number;
  /**
   * Health of the node, in seconds: maximum age of the latest block (undefined for any age), and maximum wait for a
   * transaction.
   */
  node: { lag?: number; stuck: number };
  /** Percentage of the clock below which the agent acts for a player that it watches. */
  watchtower: number;
  channels: ChannelPolicy;
  /** URL of an index that provides opponents' actions in earlier matches. */
  index?: string;
}

/** Maximum number of modes that a policy lists for one game. */
const MAX_LISTED = 1000;
const STUCK = 120;
const LAG = 120;
/** Maximum seconds of a channel, and seconds on the clock of a sought match. */
const CHANNEL_LIFE = 31 * 86_400;
const SEEK_CLOCK = 900;
/** Seconds to wait for the opponent in a channel. */
const CHANNEL_PATIENCE = 300;
const COIN_DECIMALS = 18;

const duration: Reader<number> = (value, path) => readDuration(text(value, path), path);

function modesOf(value: unknown, path: string, game: GameModule): readonly string[] | "any" {
  if (value === "all") return Object.keys(game.modes);
  return value === "any" ? value : listUpTo(modeOf(game), MAX_LISTED)(value, path);
}

/** Reads a mode, given by name or hash. Returns its name or, if the mode has no name, its hash. */
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
  channel: optional(text, "0"),
  channels: optional(text, undefined),
});

const sponsorLimit: Reader<SponsorLimit> = (value, path) => {
  const { matches, gas } = readSponsorLimit(value, path);
  return { matches, gas: readAmount(gas, COIN_DECIMALS, `${path}.gas`) };
};

const readSponsorLimit = object({ matches: integer(1, 1_000_000), gas: text });

const readSponsor = object({
  day: sponsorLimit,
  opponent: optional(sponsorLimit, undefined),
  address: optional(sponsorLimit, undefined),
});

/** Reads a budget. Limits for one player default to the limits for all players. */
const sponsor: Reader<SponsorPolicy> = (value, path) => {
  const { day, opponent = day, address = day } = readSponsor(value, path);
  return { day, opponent, address };
};

const readSeek = object({
  game: text,
  mode: optional(text, undefined),
  stake: optional(text, "0"),
  clock: optional(duration, SEEK_CLOCK),
  rated: optional(boolean, false),
});

/** Reads the match that the agent seeks; "none" if it seeks none. */
const seek: Reader<(ReturnType<typeof readSeek> & { path: string }) | "none"> = (value, path) =>
  value === "none" ? value : { path, ...readSeek(value, path) };

/** Reads an optional object whose fields are all optional. */
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
  channels: withDefaults(
    object({
      most: optional(integer(0, 1000), 100),
      each: optional(integer(1, 100), 1),
      life: optional(duration, CHANNEL_LIFE),
      patience: optional(duration, CHANNEL_PATIENCE),
      rematch: optional(boolean, true),
      seek: optional(seek, undefined),
      sponsor: optional(sponsor, undefined),
    }),
  ),
  index: optional(text, undefined),
});

/**
 * Reads a policy. The defaults are cautious: all games, without stakes.
 * @throws InputError that names the invalid field.
 * @example
 * ```ts
 * import { games, readPolicy } from "duello";
 *
 * const content = { games: ["pistols"], tokens: { FIGHT: { stake: "10", total: "100" } } };
 * const policy = await readPolicy(content, { chainId, games, tokens });
 * ```
 */
export async function readPolicy(content: unknown, reader: PolicyReader): Promise<Policy> {
  const { tokens: listed, node, games: played, channels, ...rest } = readFields(content, "");
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
    const amount = (field: keyof typeof amounts) => readAmount(amounts[field]!, token.decimals, `${path}.${field}`);
    const keep = amounts.keep === undefined ? undefined : amount("keep");
    const [stake, total, channel] = [amount("stake"), amount("total"), amount("channel")];
    const locked = amounts.channels === undefined ? total : amount("channels");
    tokens.set(token.address, { token, stake, total, share, keep, channel, channels: locked });
  }
  const lag = node.lag ?? (traitsOf(reader.chainId).minesOnDemand ? undefined : LAG);
  const known = { ...policy, known: reader.games, node: { ...node, lag }, tokens };
  return {
    ...known,
    channels: { ...channels, seek: soughtMatch(channels.seek, known, channels.sponsor !== undefined) },
  };
}

/** Reads the match that an agent seeks; defaults to its first game without characters, without stakes. */
function soughtMatch(
  read: ReturnType<typeof seek> | undefined,
  { games, tokens, known }: Pick<Policy, "games" | "tokens" | "known">,
  hasSponsor: boolean,
): SoughtMatch | undefined {
  if (read === "none") return undefined;
  const locks = [...tokens.values()].find(({ channel }) => channel > 0n);
  const token = locks?.token.address ?? COIN;
  const modesIn = ({ name, modes }: GameModule) => Object.keys(modes).filter((mode) => games.get(name)?.includes(mode));
  if (read === undefined) {
    const game = known.find((each) => each.channels && !each.characters && modesIn(each).length > 0);
    return game && { game, mode: modesIn(game)[0], token, stake: 0n, clock: BigInt(SEEK_CLOCK), rated: false };
  }
  const { path, game: name, mode, stake, clock, rated } = read;
  const game = gameAtPath(name, `${path}.game`, known);
  const [usual] = modesIn(game);
  if (usual === undefined) throw new InputError(`${path}.game`, `games lists no published mode of ${name}`);
  const amount = readAmount(stake, locks?.token.decimals ?? COIN_DECIMALS, `${path}.stake`);
  const most = locks ? (locks.stake < locks.channel ? locks.stake : locks.channel) : 0n;
  if (amount > most) throw new InputError(`${path}.stake`, "more than tokens allow in a match or a channel");
  if (rated && !locks && !hasSponsor) {
    throw new InputError(`${path}.rated`, "nobody pays for a rated match without money: name a sponsor");
  }
  const played = mode === undefined ? usual : oneOf(...modesIn(game))(mode, `${path}.mode`);
  return { game, mode: played, token, stake: amount, clock: BigInt(clock), rated };
}

/** Reads the modes of games; defaults to all published modes of all games. */
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

/** Adds the field to an InputError. */
function atPath(error: unknown, path: string): unknown {
  return error instanceof InputError ? new InputError(path, error.message) : error;
}
