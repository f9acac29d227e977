import type { Provider } from "ethers";
import { Game__factory, type Arena } from "../../typechain-types/index.js";
import type { Addresses } from "../chain/addresses.js";
import { findGame, gameNamed } from "../games/list.js";
import { modeNamed } from "../games/modes.js";
import { EVEN, modeAgainstProgram, type GameModule, type ModeFacts } from "../games/module.js";
import type { Terms } from "../protocol/terms.js";
import { hasSeat } from "../protocol/sides.js";
import { percentText } from "../protocol/text.js";
import { risksOf, type Known, type Warning } from "./risks.js";
import { Seat, Status } from "../protocol/status.js";
import type { MatchView } from "./match-view.js";
import { amountText } from "./tokens.js";
import type { StakeLimits, Policy } from "./policy.js";

/** Minimum time left of an offer, in seconds, to take it. */
const MIN_REST_TO_CONSIDER = 30n;

/** State of an agent at the time of a challenge. */
export interface AgentState {
  /** Address of the agent. */
  me: string;
  /** Time in seconds since 1970. */
  now: bigint;
  /** Reason why the agent accepts nothing at present. */
  problem?: string;
  /** Number of its open matches. */
  open: number;
  /** Amount of the match's token in its purse. */
  purse: bigint;
  /** Amount of the match's token staked in open matches. */
  atRisk: bigint;
  /** Risks of the seat, as the SDK finds them. */
  risks: readonly Warning[];
  /** True if the match begins off-chain; defaults to false. */
  isAway?: boolean;
  /** True if the agent knows relays, or folders in their place; defaults to true. */
  hasRelays?: boolean;
}

/** Decision whether to take a challenge, and why. `later` marks one that may change by itself. */
export interface Decision {
  take: boolean;
  why: string;
  later?: boolean;
}

/** Challenge, as needed for a decision. */
export type ChallengeView = Pick<MatchView, "status" | "player2" | "deadline" | "terms" | "token" | "game" | "mode">;

const decline = (why: string): Decision => ({ take: false, why });
const declineForNow = (why: string): Decision => ({ take: false, why, later: true });

/** Decides on a challenge. Reads nothing but its arguments. */
export function decide(challenge: ChallengeView, policy: Policy, state: AgentState): Decision {
  return (
    checkOffer(challenge, policy, state) ??
    checkGame(challenge, policy) ??
    checkAway(policy, state) ??
    checkCode(state) ??
    checkTerms(challenge, policy) ??
    checkNow(challenge, policy, state) ??
    (challenge.terms.stake2 === 0n ? { take: true, why: "it costs nothing" } : checkStake(challenge, policy, state))
  );
}

/**
 * Reads the state of an agent that decides on a challenge.
 * @param own Open matches of the agent.
 */
export async function agentState(
  { arena, addresses, games, provider }: Known & { arena: Arena; provider: Provider },
  { terms, token }: ChallengeView,
  own: readonly MatchView[],
  known: Pick<AgentState, "me" | "now" | "problem" | "hasRelays">,
): Promise<AgentState> {
  const [purse, isAway, risks] = await Promise.all([
    arena.purseOf(known.me, terms.token),
    beginsAway(terms, games, addresses, provider),
    risksOf({ terms, seat: Seat.Two }, { games, addresses }, provider, (amount) => amountText(amount, token)),
  ]);
  const atRisk = own.reduce((sum, match) => sum + stakeIn(match, known.me, terms.token), 0n);
  return { ...known, open: own.length, purse, atRisk, risks, isAway };
}

/** Returns whether matches under some terms begin off-chain; those of foreign games do not. */
async function beginsAway(
  { game: address, mode }: Pick<Terms, "game" | "mode">,
  games: readonly GameModule[],
  addresses: Addresses,
  provider: Provider,
): Promise<boolean> {
  const game = findGame(address, games, addresses);
  if (!game?.away) return false;
  const name = modeNamed(game, mode);
  const content =
    name === undefined ? await Game__factory.connect(address, provider).modeOf(mode) : game.modes[name].content;
  return game.away.isAway(content);
}

/**
 * Returns whether an agent has taken a seat in a match. A seat that is only offered to it does not count, nor one taken
 * by a token transfer: any contract can claim one. FIGHT does not.
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

/** Declines a staked challenge if the chance of winning, from 0 to 1, is below the policy's; else undefined. */
export function declineLowChance(
  challenge: ChallengeView,
  policy: Policy,
  winProbability: number,
): Decision | undefined {
  const [fair1, fair2] = modeOf(challenge, policy).odds;
  // At uneven odds, a fair game is won only as often as the odds imply.
  const min = (policy.chance * 2 * Number(fair2)) / Number(fair1 + fair2);
  if (challenge.terms.stake2 === 0n || winProbability * 100 >= min) return undefined;
  return decline(`my chance is ${Math.floor(winProbability * 100)} %, below the ${min} % that I want`);
}

/**
 * Returns whether to decline an offer that was not accepted: one that names the agent, holds a stake, and could be
 * accepted only under a new policy.
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

/** Declines offers that are not for the agent, or about to lapse. */
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

/** True if a match without stakes is in the mode that `challenge` uses without stakes in place of a listed one. */
function standsIn({ game, mode, terms }: ChallengeView, { known }: Policy, listed: readonly string[]): boolean {
  const isForNothing = terms.stake1 === 0n && terms.stake2 === 0n;
  const module = gameNamed(game!, known);
  // A policy may also list modes by hash.
  const published = listed.filter((name) => Object.hasOwn(module.modes, name));
  return isForNothing && published.some((name) => modeAgainstProgram(module, name) === mode);
}

/** Declines a match that begins off-chain if the policy forbids it or there is no relay. */
function checkAway({ away }: Policy, { isAway = false, hasRelays = true }: AgentState): Decision | undefined {
  if (!isAway) return undefined;
  if (!away) return decline("I do not play away from the chain");
  return hasRelays ? undefined : decline("it is played away from the chain, and I am told of no relay");
}

/** Declines a listed game if the code at its address differs from its module's. */
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

/** Declines temporarily, for reasons that may change later. */
function checkNow(
  { terms: { stake2 } }: ChallengeView,
  policy: Policy,
  { problem, open, risks }: AgentState,
): Decision | undefined {
  if (problem !== undefined) return declineForNow(problem);
  if (open >= policy.matches) return declineForNow(`I have ${open} open matches already`);
  const short = risks.find(({ risk }) => risk === "short-clock");
  return stake2 > 0n && short && !policy.acceptedRisks.includes("short-clock") ? declineForNow(short.text) : undefined;
}

function checkStake(challenge: ChallengeView, policy: Policy, { risks, purse, atRisk }: AgentState): Decision {
  const { terms, token } = challenge;
  const { tokens, acceptedRisks } = policy;
  const limits = tokens.get(terms.token);
  if (!limits) return decline("I do not stake its token");
  const weakness = modeOf(challenge, policy).weakness;
  if (weakness !== undefined && !acceptedRisks.includes("weak-mode"))
    return decline(`I play it for nothing only. ${weakness}`);
  const odds = risks.find(({ risk }) => risk === "worse-odds");
  if (odds && !acceptedRisks.includes("worse-odds")) return decline(odds.text);
  if (terms.stake2 > limits.stake) {
    return decline(
      `its stake of ${amountText(terms.stake2, token)} is above my ${amountText(limits.stake, token)} a match`,
    );
  }
  return checkFunds(terms.stake2, limits, purse, atRisk);
}

function checkFunds(stake: bigint, { token, total, share }: StakeLimits, purse: bigint, atRisk: bigint): Decision {
  const risked = atRisk + stake;
  const text = amountText(risked, token);
  if (stake > purse) return declineForNow(`my purse holds ${amountText(purse, token)} only`);
  if (risked > total) return declineForNow(`${text} would be staked, more than my ${amountText(total, token)} in all`);
  if (risked * 100n > (purse + atRisk) * BigInt(share)) {
    return declineForNow(
      `${text} would be staked, more than ${share} % of the ${amountText(purse + atRisk, token)} I have`,
    );
  }
  return { take: true, why: `${text} of my ${amountText(purse + atRisk, token)} are staked then` };
}

/** Returns the known facts about the mode of a challenge: an unpublished one counts as even. */
function modeOf({ game, mode }: ChallengeView, { known }: Policy): Pick<ModeFacts, "odds" | "ties" | "weakness"> {
  return mode === undefined ? { odds: EVEN } : gameNamed(game!, known).modes[mode];
}
