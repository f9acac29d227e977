import type { ChannelOnChain } from "./chain.js";

/** State of a channel's match according to its messages. It determines the next action on chain. */
export interface MatchFacts {
  nonce: number;
  /** Number of messages after the offer. */
  messages: number;
  isFinal: boolean;
  /** True if the opponent must send the next message, so that the player can submit its own last message on chain. */
  isOwnLast: boolean;
  /** True if the chain refuses the opponent's last action, which loses the match. */
  isRefused: boolean;
  rated: boolean;
  /** Time until which the match can be submitted on chain, in seconds since 1970. */
  until: number;
  /** Time of the match's last change, in seconds since 1970. */
  since: number;
}

/** Facts about a player's channel. They determine the next action on chain. */
export interface Situation {
  chain: ChannelOnChain;
  /** Consents of both players to the next opening; `isOwn` is true if the player proposed it. */
  opening?: { isOwn: boolean; isStaked: boolean };
  /** Number of the newest balance that both players have signed. */
  agreed?: number;
  /** Balance that closes the channel, signed by both players; `isOwn` is true if the player signed it first. */
  closing?: { isOwn: boolean; since: number };
  /** Consecutive matches, starting with the first match that is not settled. */
  matches: readonly MatchFacts[];
  /** Returns whether it is the player's turn in a match in the arena. */
  isOwnTurn(match: ChannelOnChain["matches"][number]): boolean;
  /** Amount of the player on chain, or in the newest balance that both players have signed. */
  own: bigint;
  /** True if the player wants to close the channel; rated matches must be on chain before that. */
  isGettingUp: boolean;
  limits: DutyLimits;
}

/** Limits that a player sets. */
export interface DutyLimits {
  /** Seconds to wait for the opponent before submitting a match on chain. */
  patience: number;
  /** Seconds before the end of a match or of the channel at which everything is submitted on chain. */
  margin: number;
  /** Number of final rated matches from which on they are submitted on chain. */
  batch: number;
}

/** Action that a player must take on chain. */
export type ChainDuty =
  | { type: "open" }
  /**
   * Submit the newest balance and all final matches. Then challenge with match `challenge`, or submit the balance that
   * closes the channel if `close` is true.
   */
  | { type: "bring"; challenge?: number; close?: boolean }
  | { type: "act" | "timeout"; nonce: number }
  | { type: "expire" };

/**
 * Returns the actions due on chain, most urgent first. An action that is not possible yet, for example because no move
 * is chosen, does not block the actions after it.
 */
export function chainDuties(situation: Situation): ChainDuty[] {
  const { time, matches } = situation.chain;
  const standing = matches.map((match) => ({ ...match, isOwn: situation.isOwnTurn(match) }));
  const timeouts = standing.filter(({ deadline, isOwn }) => time > deadline && !isOwn);
  const inTime = standing.filter(({ deadline }) => time <= deadline);
  const acts = inTime.filter(({ posted, isOwn }) => !posted && isOwn);
  return [
    ...timeouts.map(({ nonce }) => ({ type: "timeout", nonce }) as const),
    ...inTime.filter(({ posted }) => posted).map((match) => answerTo(match, situation)),
    ...acts.map(({ nonce }) => ({ type: "act", nonce }) as const),
    // While a match waits in the arena for its first action, the contract accepts nothing else.
    standing.some(({ posted }) => posted) ? undefined : dutyInChannel(situation),
  ].filter((duty) => duty !== undefined);
}

/** Returns the action due in the channel itself, while no match waits in the arena. */
function dutyInChannel(situation: Situation): ChainDuty | undefined {
  const { chain, opening, own } = situation;
  const { open, time } = chain;
  if (!open) {
    if (opening?.isStaked) return opening.isOwn ? { type: "open" } : undefined;
    return opening && broughtIn(situation);
  }
  if (time > open.until) return own > 0n ? { type: "expire" } : undefined;
  return broughtIn(situation);
}

/** Returns the response to a match that waits in the arena for its first action; undefined if none is possible yet. */
function answerTo(
  { nonce, count, isOver, isOwn }: ChannelOnChain["matches"][number] & { isOwn: boolean },
  { agreed = 0, matches }: Situation,
): ChainDuty | undefined {
  if (agreed > nonce) return { type: "bring" };
  const known = matches.find((match) => match.nonce === nonce);
  const isNewer = known !== undefined && known.messages > count;
  if (isNewer && known.isFinal) return { type: "bring" };
  if (isNewer && known.isOwnLast) return { type: "bring", challenge: nonce };
  // The player must act, too, if its last message cannot be submitted because that message loses.
  return isOwn && !isOver ? { type: "act", nonce } : undefined;
}

/**
 * Returns the time by which the opponent should answer in a match, in seconds since 1970; undefined if no answer is
 * due. After that time, the match is submitted on chain.
 */
export function answerBy(
  match: MatchFacts | undefined,
  { patience }: Pick<DutyLimits, "patience">,
): number | undefined {
  if (!match || match.messages === 0 || match.isFinal || !match.isOwnLast) return undefined;
  return match.since + patience;
}

/** Returns what to submit on chain now. */
function broughtIn(situation: Situation): ChainDuty | undefined {
  const { chain, opening, agreed = 0, closing, matches, isGettingUp } = situation;
  const { open, time } = chain;
  const { patience, margin } = situation.limits;
  // Until the channel opens, the opponent can revoke its consent by making its account a contract that denies it.
  const batch = isGettingUp || !open ? 1 : situation.limits.batch;
  // The player who proposed the channel submits first. If both submitted the same matches, both would pay gas.
  const isLead = opening?.isOwn ?? true;
  const waited = (since: number) => time - since >= patience;
  const waitedInTurn = (since: number) => waited(isLead ? since : since + patience);
  const last = matches.at(-1);
  const awaitedUntil = answerBy(last, situation.limits);
  const isStopped = awaitedUntil !== undefined;
  const challenge = isStopped ? { challenge: last!.nonce } : {};
  if (closing && (closing.isOwn || waited(closing.since))) return { type: "bring", close: true };
  const final = matches.filter(({ isFinal }) => isFinal);
  if (final.some(({ isRefused }) => isRefused)) return { type: "bring" };
  if (isStopped && time >= awaitedUntil) return { type: "bring", ...challenge };
  const isEnding = [
    open?.until ?? Infinity,
    ...matches.filter(({ messages }) => messages > 0).map(({ until }) => until),
  ].some((until) => time >= until - margin);
  const isBehind = open !== undefined && agreed > open.nonce;
  if (isEnding && (isStopped || final.length > 0 || isBehind)) return { type: "bring", ...challenge };
  const rated = final.filter((match) => match.rated);
  if (rated.length >= batch && (isLead || isGettingUp || waitedInTurn(rated[batch - 1].since)))
    return { type: "bring" };
  // The opponent has not signed the balance that would settle the match.
  if (final.length > 0 && rated.length === 0 && waitedInTurn(final[0].since)) return { type: "bring" };
  return undefined;
}
