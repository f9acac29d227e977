import type { ChannelOnChain } from "./chain.js";

/** Match of a channel by its messages, for the player that asks what is due. */
export interface MatchFacts {
  nonce: number;
  /** Number of messages after the offer. */
  messages: number;
  isFinal: boolean;
  /** True if the other player must send the next message, so the player's last one can come to the chain. */
  isOwnLast: boolean;
  /** True if the chain refuses the other player's last action, which loses the match. */
  isRefused: boolean;
  rated: boolean;
  /** Last second, since 1970, in which it can be brought to the chain. */
  until: number;
  /** Time since which nothing has changed in it, in seconds since 1970. */
  since: number;
}

/** Knowledge of a player of its channel, from which follows what is due on chain. */
export interface Situation {
  chain: ChannelOnChain;
  /** Consents of both to the next opening; `isOwn` if the player has proposed it. */
  opening?: { isOwn: boolean; isStaked: boolean };
  /** Number of the newest balance that both have signed. */
  agreed?: number;
  /** Balance that closes the channel, signed by both; `isOwn` if the player has begun it. */
  closing?: { isOwn: boolean; since: number };
  /** Matches from the first that is not settled on, in order and without a gap. */
  matches: readonly MatchFacts[];
  /** Returns whether the player is in turn in a match in the arena. */
  isOwnTurn(match: ChannelOnChain["matches"][number]): boolean;
  /** Amount of the player, by the chain or by the newest balance that both have signed. */
  own: bigint;
  /** True if the player wants to close the channel, before which rated matches must be on chain. */
  isGettingUp: boolean;
  limits: DutyLimits;
}

/** Limits of a player. */
export interface DutyLimits {
  /** Seconds for which the other player is waited for before a match is brought to the chain. */
  patience: number;
  /** Seconds before the end of a match or of the channel at which all is brought to the chain. */
  margin: number;
  /** Number of rated matches after which they are brought to the chain. */
  batch: number;
}

/** What a player has to do on chain. */
export type ChainDuty =
  | { type: "open" }
  /**
   * Bring the newest balance and all matches that are final; then the match of a number that is not, or the balance that
   * closes the channel.
   */
  | { type: "bring"; challenge?: number; close?: boolean }
  | { type: "act" | "timeout"; nonce: number }
  | { type: "expire" };

/**
 * Returns what is due on chain, most urgent first. A duty that cannot be done yet, such as an action whose move is not chosen,
 * does not block the duties after it.
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
    // Nothing else is taken while a match waits there for its first action.
    standing.some(({ posted }) => posted) ? undefined : dutyInChannel(situation),
  ].filter((duty) => duty !== undefined);
}

/** Returns what is due in the channel itself, in which no match waits in the arena. */
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

/** Returns the answer to a match that waits in the arena for its first action; undefined if there is none yet. */
function answerTo(
  { nonce, count, isOver, isOwn }: ChannelOnChain["matches"][number] & { isOwn: boolean },
  { agreed = 0, matches }: Situation,
): ChainDuty | undefined {
  if (agreed > nonce) return { type: "bring" };
  const known = matches.find((match) => match.nonce === nonce);
  const isNewer = known !== undefined && known.messages > count;
  if (isNewer && known.isFinal) return { type: "bring" };
  if (isNewer && known.isOwnLast) return { type: "bring", challenge: nonce };
  // Also if the player's last message cannot be brought, because it loses.
  return isOwn && !isOver ? { type: "act", nonce } : undefined;
}

/**
 * Returns the time until which the other player's answer in a match is awaited, in seconds since 1970; undefined if none is
 * due. Then the match is brought to the chain.
 */
export function answerBy(
  match: MatchFacts | undefined,
  { patience }: Pick<DutyLimits, "patience">,
): number | undefined {
  if (!match || match.messages === 0 || match.isFinal || !match.isOwnLast) return undefined;
  return match.since + patience;
}

/** Returns what is brought to the chain now. */
function broughtIn(situation: Situation): ChainDuty | undefined {
  const { chain, opening, agreed = 0, closing, matches, isGettingUp } = situation;
  const { open, time } = chain;
  const { patience, margin } = situation.limits;
  // Until the channel is open, the other player can undo its consent: its account may become a contract that denies it.
  const batch = isGettingUp || !open ? 1 : situation.limits.batch;
  // The player who proposed the channel sends matches first. If both sent the same matches, both would pay.
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
  // The other player does not sign the balance that would settle it.
  if (final.length > 0 && rated.length === 0 && waitedInTurn(final[0].since)) return { type: "bring" };
  return undefined;
}
