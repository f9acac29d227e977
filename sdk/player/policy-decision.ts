import type { Provider } from "ethers";
import { type Arena } from "../../typechain-types/index.js";
import { gameNamed } from "../games/list.js";
import { EVEN, modeAgainstProgram, type ModeFacts } from "../games/module.js";
import { hasSeat } from "../protocol/sides.js";
import { percentText } from "../protocol/text.js";
import { risksOf, type Known, type Warning } from "./risks.js";
import { Seat, Status } from "../protocol/status.js";
import type { MatchView } from "./match-view.js";
import { amountText, type Token } from "./amounts.js";
import type { StakeLimits, Policy } from "./policy.js";

/** Minimum remaining time of an offer, in seconds, for the agent to accept it. */
const MIN_REST_TO_CONSIDER = 30n;

/** State of an agent at the time of a challenge. */
export interface AgentState {
  /** Address of the agent. */
  me: string;
  /** Time in seconds since 1970. */
  now: bigint;
  /** Reason why the agent currently accepts nothing. */
  problem?: string;
  /** Number of the agent's open matches. */
  open: number;
  /** Amount of the match's token in the agent's purse. */
  purse: bigint;
  /** Amount of the match's token staked in open matches. */
  atRisk: bigint;
  /** Amount of the match's token in channels that is not staked; defaults to 0. */
  locked?: bigint;
  /** Risks of the seat, as the SDK reports them. */
  risks: readonly Warning[];
}

/** Decision whether to accept a challenge, with the reason. `later` marks a refusal that may change later. */
export interface Decision {
  take: boolean;
  why: string;
  later?: boolean;
}

/** Parts of a challenge that a decision needs. */
export interface ChallengeView extends Pick<
  MatchView,
  "status" | "player2" | "deadline" | "terms" | "token" | "game" | "mode"
> {
  /** Seat of the agent, as in `Seat`; defaults to Two. */
  seat?: bigint;
}

/** An agent's amounts in channels. Each channel has at most one match in play. */
export interface InChannels {
  /** Amount of a token that is staked in channels. */
  staked: bigint;
  /** Amount of a token that is locked, staked or not. */
  locked: bigint;
}

/** Opening of a channel, from the agent's point of view. */
export interface OpeningView {
  opponent: string;
  /** True if the opening is for anybody and does not name the agent. */
  forAnybody: boolean;
  /** True if the agent consents first. In this case, anybody could have named the opponent. */
  isFirst: boolean;
  token: Token;
  feeBps: bigint;
  /** Amounts that the agent and the opponent would lock. */
  own: bigint;
  other: bigint;
  /** Time until which the channel lasts, in seconds since 1970. */
  until: number;
}

/** State of an agent that decides whether to open a channel. */
export interface OpeningState {
  /** Time in seconds since 1970. */
  now: number;
  problem?: string;
  /** House fee of the arena, in basis points. */
  feeBps: bigint;
  /** Number of the agent's channels, and number of its channels with the same opponent. */
  channels: number;
  withOpponent: number;
  /** Amount in the agent's purse that is not promised to any channel, and amount in the opponent's purse. */
  purse: bigint;
  otherPurse: bigint;
  /** Amount of the token that the agent has locked in channels or promised to lock. */
  locked: bigint;
  /** Number of the agent's channels that the opponent has not answered, and the amount promised to them. */
  unanswered: number;
  promised: bigint;
}

/** Minimum lifetime of a channel, in seconds, for which opening it is worthwhile. */
const MIN_CHANNEL_LIFE = 3 * 3600;

/** Divisor of the largest amount per channel: a channel with less than this part is not worth its gas. */
const MIN_CHANNEL_SHARE = 100n;

const decline = (why: string): Decision => ({ take: false, why });
const declineForNow = (why: string): Decision => ({ take: false, why, later: true });

/**
 * Decides on a challenge. Depends only on its arguments.
 * @example
 * ```ts
 * import { decide } from "duello";
 *
 * const { take, why } = decide(challenge, policy, state);
 * if (!take) console.log(`I decline: ${why}.`);
 * ```
 */
export function decide(challenge: ChallengeView, policy: Policy, state: AgentState): Decision {
  return (
    checkOffer(challenge, policy, state) ??
    checkGame(challenge, policy) ??
    checkCode(state) ??
    checkTerms(challenge, policy) ??
    checkNow(challenge, policy, state) ??
    (ownStake(challenge) === 0n ? { take: true, why: "it costs nothing" } : checkStake(challenge, policy, state))
  );
}

/** Decides whether to open a channel. Depends only on its arguments. */
export function decideOpening(opening: OpeningView, policy: Policy, state: OpeningState): Decision {
  const { token, feeBps, own, other, until, forAnybody, isFirst } = opening;
  const { most, each, life } = policy.channels;
  const { now, problem, purse, otherPurse, locked, promised } = state;
  const limits = policy.tokens.get(token.address);
  const text = (amount: bigint) => amountText(amount, token);
  if (most === 0) return decline("I open no channels");
  if (forAnybody && !policy.open) return decline("it is for anyone, and I take only what is for me");
  if (feeBps !== state.feeBps)
    return decline(`its fee is ${percentText(feeBps)}, and the arena's ${percentText(state.feeBps)}`);
  if (feeBps > BigInt(policy.house * 100))
    return decline(`the house takes ${percentText(feeBps)}, more than my ${policy.house} %`);
  if (until < now + MIN_CHANNEL_LIFE) return decline(`it would end in less than ${MIN_CHANNEL_LIFE} s`);
  if (until > now + life) return decline(`it would lock money for more than my ${life} s`);
  const largest = limits?.channel ?? 0n;
  if (own > largest) return decline(`${text(own)} are above my ${text(largest)} a channel`);
  // If the agent locked less, strangers could open more channels with the same money, and make the agent pay more gas.
  const least = largest / MIN_CHANNEL_SHARE || 1n;
  if (own + other > 0n && own < least) return decline(`${text(own)} are below my ${text(least)} a channel`);
  // Otherwise a stranger could lock more of the agent's money than of its own.
  if (other < own) return decline(`I would lock ${text(own)}, and the other player ${text(other)} only`);
  if (problem !== undefined) return declineForNow(problem);
  if (state.withOpponent >= each)
    return declineForNow(`I have ${state.withOpponent} channels with this player already`);
  if (state.channels >= most) return declineForNow(`I have ${state.channels} channels already`);
  // Searches in other players' names must leave room and money for players who answer.
  if (isFirst && state.unanswered > 0 && state.unanswered + 1 > most / 2)
    return declineForNow(`nobody has answered yet in ${state.unanswered} of my ${most} channels`);
  if (own === 0n) return { take: true, why: "it locks nothing of mine" };
  // A consent binds the agent until the channel ends, and a stranger could name any player as the opponent.
  if (other > otherPurse) return declineForNow(`the purse of the other player holds ${text(otherPurse)} only`);
  if (own > purse) return declineForNow(`my purse holds ${text(purse)} only`);
  if (locked + own > limits!.channels) {
    return declineForNow(
      `${text(locked + own)} would be locked, more than my ${text(limits!.channels)} in all channels`,
    );
  }
  if (isFirst && promised > 0n && promised + own > limits!.channels / 2n)
    return declineForNow(`${text(promised)} are promised to players who have not answered yet`);
  return { take: true, why: `${text(locked + own)} are locked then` };
}

/** Returns the agent's stake in a challenge. */
export function ownStake({ seat = Seat.Two, terms }: Pick<ChallengeView, "seat" | "terms">): bigint {
  return seat === Seat.One ? terms.stake1 : terms.stake2;
}

/**
 * Reads the state of an agent that decides on a challenge.
 * @param own Open matches of the agent.
 * @param channels The agent's amounts in channels; default to nothing.
 * @throws like the provider.
 * @example
 * ```ts
 * import { agentState, games, nextTime } from "duello";
 *
 * const now = BigInt(await nextTime(provider));
 * const state = await agentState({ arena, provider, games, addresses }, challenge, [], { me: bob, now });
 * ```
 */
export async function agentState(
  { arena, addresses, games, provider }: Known & { arena: Arena; provider: Provider },
  { terms, token, seat = Seat.Two }: ChallengeView,
  own: readonly MatchView[],
  known: Pick<AgentState, "me" | "now" | "problem">,
  channels: InChannels = { staked: 0n, locked: 0n },
): Promise<AgentState> {
  const [purse, risks] = await Promise.all([
    arena.purseOf(known.me, terms.token),
    risksOf({ terms, seat }, { games, addresses }, provider, (amount) => amountText(amount, token)),
  ]);
  const atRisk = own.reduce((sum, match) => sum + stakeIn(match, known.me, terms.token), 0n);
  const { staked, locked } = channels;
  return {
    ...known,
    open: own.length,
    purse,
    atRisk: atRisk + staked,
    locked: locked - staked,
    risks,
  };
}

/**
 * Returns whether an agent has taken a seat in a match. A seat that is only offered does not count. A seat taken by a
 * token transfer counts only for FIGHT, since any other token contract can fake the transfer.
 * @example
 * ```ts
 * import { isSeated } from "duello";
 *
 * isSeated({ addresses }, view, bob); // => true
 * ```
 */
export function isSeated({ addresses }: Pick<Known, "addresses">, match: MatchView, me: string): boolean {
  const isOwn = match.player1 === me || !match.byTransfer || match.terms.token === addresses.FightToken;
  return hasSeat(me, match) && isOwn;
}

/** Amount that an agent has staked in a match. */
function stakeIn({ player1, status, terms }: MatchView, me: string, token: string): bigint {
  if (terms.token !== token || status === Status.Created) return 0n;
  return player1 === me ? terms.stake1 : terms.stake2;
}

/**
 * Declines a staked challenge whose chance of winning, from 0 to 1, is too low for the policy; undefined otherwise.
 * @example
 * ```ts
 * import { declineLowChance } from "duello";
 *
 * const declined = declineLowChance(challenge, policy, 0.4);
 * if (declined) console.log(declined.why); // "my chance is 40 %, below the 50 % that I want"
 * ```
 */
export function declineLowChance(
  challenge: ChallengeView,
  policy: Policy,
  winProbability: number,
): Decision | undefined {
  const [fair1, fair2] = modeOf(challenge, policy).odds;
  const fair = challenge.seat === Seat.One ? fair1 : fair2;
  // At uneven odds, a fair game is won only as often as the odds imply.
  const min = (policy.chance * 2 * Number(fair)) / Number(fair1 + fair2);
  if (ownStake(challenge) === 0n || winProbability * 100 >= min) return undefined;
  return decline(`my chance is ${Math.floor(winProbability * 100)} %, below the ${min} % that I want`);
}

/**
 * Returns whether to decline an offer that the agent did not accept. This is so if it names the agent, contains a
 * stake, and could be accepted only under a new policy.
 * @example
 * ```ts
 * import { decide, isToDecline } from "duello";
 *
 * const decision = decide(challenge, policy, state);
 * if (isToDecline(challenge, policy, state, decision)) await client.decline(7n);
 * ```
 */
export function isToDecline(
  { status, player2, deadline }: ChallengeView,
  { decline }: Policy,
  { me, now }: Pick<AgentState, "me" | "now">,
  { take, later = false }: Decision,
): boolean {
  if (!decline || take || later) return false;
  return status === Status.P1Deposited && player2 === me && deadline >= now + MIN_REST_TO_CONSIDER;
}

/** Declines offers that are for another player or about to lapse. */
function checkOffer(
  { status, player2, deadline }: ChallengeView,
  { open }: Policy,
  { me, now }: AgentState,
): Decision | undefined {
  if (status === Status.Created) return decline("its challenger has not put in its stake yet");
  if (player2 !== undefined && player2 !== me) return decline("it is for somebody else");
  if (player2 === undefined && !open) return decline("it is for anyone, and I take only what is for me");
  if (deadline < now + MIN_REST_TO_CONSIDER) return decline("it is about to lapse");
  return undefined;
}

/** Declines foreign games, and modes that the policy does not list. */
function checkGame(challenge: ChallengeView, policy: Policy): Decision | undefined {
  const { game, mode, terms } = challenge;
  const { games, ties } = policy;
  if (game === undefined) return decline("its game is not one of this deployment");
  const modes = games.get(game) ?? [];
  if (modes !== "any" && !modes.includes(mode ?? terms.mode) && !standsIn(challenge, policy, modes)) {
    if (mode === undefined)
      return decline(`its mode is not a published one of ${game}, nor one that I am told to play`);
    return decline(`I do not play ${game} in the mode ${mode}`);
  }
  const rule = modeOf(challenge, policy).ties ?? "draw";
  return ties.includes(rule) ? undefined : decline(`I do not accept its rule for ties: ${rule}`);
}

/** True if a match without stakes is in the mode that `challenge` uses without stakes instead of a listed mode. */
function standsIn({ game, mode, terms }: ChallengeView, { known }: Policy, listed: readonly string[]): boolean {
  const isForNothing = terms.stake1 === 0n && terms.stake2 === 0n;
  const module = gameNamed(game!, known);
  // A policy may also list modes by hash.
  const published = listed.filter((name) => Object.hasOwn(module.modes, name));
  return isForNothing && published.some((name) => modeAgainstProgram(module, name) === mode);
}

/** Declines a listed game if the code at its address differs from its module's code. */
function checkCode({ risks }: AgentState): Decision | undefined {
  const code = risks.find(({ risk }) => risk === "other-code");
  return code && decline(code.text);
}

function checkTerms({ terms: { clock, feeBps } }: ChallengeView, policy: Policy): Decision | undefined {
  const { min, max } = policy.clock;
  if (clock < BigInt(min)) return decline(`its clock of ${clock} s is below my ${min} s`);
  if (clock > BigInt(max)) return decline(`its clock of ${clock} s is above my ${max} s`);
  if (feeBps > BigInt(policy.house * 100))
    return decline(`the house takes ${percentText(feeBps)}, more than my ${policy.house} %`);
  return undefined;
}

/** Declines for now, for reasons that may change later. */
function checkNow(
  challenge: ChallengeView,
  policy: Policy,
  { problem, open, risks }: AgentState,
): Decision | undefined {
  if (problem !== undefined) return declineForNow(problem);
  if (open >= policy.matches) return declineForNow(`I have ${open} open matches already`);
  const short = risks.find(({ risk }) => risk === "short-clock");
  return ownStake(challenge) > 0n && short && !policy.acceptedRisks.includes("short-clock")
    ? declineForNow(short.text)
    : undefined;
}

function checkStake(challenge: ChallengeView, policy: Policy, state: AgentState): Decision {
  const { terms, token } = challenge;
  const { risks } = state;
  const stake = ownStake(challenge);
  const { tokens, acceptedRisks } = policy;
  const limits = tokens.get(terms.token);
  if (!limits) return decline("I do not stake its token");
  const weakness = modeOf(challenge, policy).weakness;
  if (weakness !== undefined && !acceptedRisks.includes("weak-mode"))
    return decline(`I play it for nothing only. ${weakness}`);
  const odds = risks.find(({ risk }) => risk === "worse-odds");
  if (odds && !acceptedRisks.includes("worse-odds")) return decline(odds.text);
  if (stake > limits.stake) {
    return decline(`its stake of ${amountText(stake, token)} is above my ${amountText(limits.stake, token)} a match`);
  }
  return checkFunds(stake, limits, state);
}

function checkFunds(
  stake: bigint,
  { token, total, share }: StakeLimits,
  { purse, atRisk, locked = 0n }: AgentState,
): Decision {
  const risked = atRisk + stake;
  const money = purse + atRisk + locked;
  const text = amountText(risked, token);
  if (stake > purse) return declineForNow(`my purse holds ${amountText(purse, token)} only`);
  if (risked > total) return declineForNow(`${text} would be staked, more than my ${amountText(total, token)} in all`);
  if (risked * 100n > money * BigInt(share)) {
    return declineForNow(`${text} would be staked, more than ${share} % of the ${amountText(money, token)} I have`);
  }
  return { take: true, why: `${text} of my ${amountText(money, token)} are staked then` };
}

/** Returns the known facts about the mode of a challenge. An unpublished mode has even odds. */
function modeOf({ game, mode }: ChallengeView, { known }: Policy): Pick<ModeFacts, "odds" | "ties" | "weakness"> {
  return mode === undefined ? { odds: EVEN } : gameNamed(game!, known).modes[mode];
}
