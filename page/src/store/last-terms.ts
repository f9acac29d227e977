import { keepLocal, localValue } from "./local.ts";

const KEY = "duello.terms";

/** Choices of the last challenge, in the form in which people enter them. */
export interface LastTerms {
  readonly game?: string;
  readonly mode?: string;
  readonly token?: string;
  readonly stake?: string;
  readonly clock?: number;
  readonly rated?: boolean;
}

/** Reads the choices of the last challenge from this browser; empty if there was no challenge. */
export function lastTerms(): LastTerms {
  const text = (each: unknown) => (typeof each === "string" ? each.slice(0, 40) : undefined);
  const { game, mode, token, stake, clock, rated } = (localValue(KEY) ?? {}) as Record<keyof LastTerms, unknown>;
  return {
    game: text(game),
    mode: text(mode),
    token: text(token),
    stake: text(stake),
    ...(typeof clock === "number" && { clock }),
    ...(typeof rated === "boolean" && { rated }),
  };
}

/** Keeps the choices of a challenge that was sent. Without storage, the next form begins with the usual terms. */
export function keepTerms(terms: LastTerms): void {
  keepLocal(KEY, terms);
}
