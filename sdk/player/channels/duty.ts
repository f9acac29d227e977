import type { ChannelOnChain } from "./chain.js";

/** Match of a channel by its messages, for the player that asks what is due. */
export interface MatchFacts {
  nonce: number;
  /** Number of messages after the offer. */
  messages: number;
  isFinal: boolean;
  /** True if the other player is to send the next message: the own last one can be brought to the chain. */
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
  /** Amount of the player on chain. */
  own: bigint;
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
  | { type: "wait" }
  | { type: "open" }
  /**
   * Bring the newest balance and all matches that are final; then the match of a number that is not, or the balance that
   * closes the channel.
   */
  | { type: "bring"; challenge?: number; close?: boolean }
  | { type: "act" | "timeout"; nonce: number }
  | { type: "expire" };

const WAIT: ChainDuty = { type: "wait" };

/** Returns what is due on chain. */
export function chainDuty(situation: Situation): ChainDuty {
  const { chain, opening, own } = situation;
  const { open, time } = chain;
  for (const match of chain.matches) {
    const isOwn = situation.isOwnTurn(match);
    if (time > match.deadline) {
      if (!isOwn) return { type: "timeout", nonce: match.nonce };
    } else if (match.posted) {
      const answer = answerTo(match, isOwn, situation);
      if (answer) return answer;
    } else if (isOwn) return { type: "act", nonce: match.nonce };
  }
  // Nothing else is taken while a match waits there for its first action.
  if (chain.matches.some(({ posted }) => posted)) return WAIT;
  if (!open) {
    if (opening?.isStaked) return opening.isOwn ? { type: "open" } : WAIT;
    return opening ? broughtIn(situation) : WAIT;
  }
  if (time > open.until) return own > 0n ? { type: "expire" } : WAIT;
  return broughtIn(situation);
}

/** Returns the answer to a match that waits in the arena for its first action; undefined if there is none yet. */
function answerTo(
  { nonce, count, isOver }: ChannelOnChain["matches"][number],
  isOwnTurn: boolean,
  { agreed = 0, matches }: Situation,
): ChainDuty | undefined {
  if (agreed > nonce) return { type: "bring" };
  const known = matches.find((match) => match.nonce === nonce);
  if (known && known.messages > count) {
    if (known.isFinal) return { type: "bring" };
    if (known.isOwnLast) return { type: "bring", challenge: nonce };
    // The own last message cannot be brought, as it loses.
    return isOwnTurn && !isOver ? { type: "act", nonce } : undefined;
  }
  return isOwnTurn && !isOver ? { type: "act", nonce } : undefined;
}

/** Returns what is brought to the chain, in a channel in which no match waits in the arena. */
function broughtIn({ chain, opening, agreed = 0, closing, matches, limits }: Situation): ChainDuty {
  const { open, time } = chain;
  const { patience, margin, batch } = limits;
  // Who has proposed the channel is first to bring matches: two calls that bring the same would cost twice.
  const isLead = opening?.isOwn ?? true;
  const waited = (since: number) => time - since >= patience;
  const waitedInTurn = (since: number) => waited(isLead ? since : since + patience);
  const last = matches.at(-1);
  const isStopped = last !== undefined && last.messages > 0 && !last.isFinal && last.isOwnLast;
  const challenge = isStopped ? { challenge: last.nonce } : {};
  if (closing && (closing.isOwn || waited(closing.since))) return { type: "bring", close: true };
  const final = matches.filter(({ isFinal }) => isFinal);
  if (final.some(({ isRefused }) => isRefused)) return { type: "bring" };
  if (isStopped && waited(last.since)) return { type: "bring", ...challenge };
  const isEnding = [
    open?.until ?? Infinity,
    ...matches.filter(({ messages }) => messages > 0).map(({ until }) => until),
  ].some((until) => time >= until - margin);
  const isBehind = open !== undefined && agreed > open.nonce;
  if (isEnding && (isStopped || final.length > 0 || isBehind)) return { type: "bring", ...challenge };
  const rated = final.filter((match) => match.rated);
  if (rated.length >= batch && (isLead || waitedInTurn(rated[batch - 1].since))) return { type: "bring" };
  // The other player does not sign the balance that would settle it.
  if (final.length > 0 && rated.length === 0 && waitedInTurn(final[0].since)) return { type: "bring" };
  return WAIT;
}
