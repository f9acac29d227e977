const KEY = "duello.terms";

/** Choices of the last challenge, as its form has them. */
export interface LastTerms {
  readonly game?: string;
  readonly mode?: string;
  readonly token?: string;
  readonly stake?: string;
  readonly clock?: number;
  readonly rated?: boolean;
}

/** Reads the choices of the last challenge from this browser; none if there was none. */
export function lastTerms(): LastTerms {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<keyof LastTerms, unknown>;
    const text = (each: unknown) => (typeof each === "string" ? each.slice(0, 40) : undefined);
    const { game, mode, token, stake, clock, rated } = value;
    return {
      game: text(game),
      mode: text(mode),
      token: text(token),
      stake: text(stake),
      ...(typeof clock === "number" && { clock }),
      ...(typeof rated === "boolean" && { rated }),
    };
  } catch {
    return {};
  }
}

/** Keeps the choices of a challenge that was sent. */
export function keepTerms(terms: LastTerms): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(terms));
  } catch {
    // Without storage, the form begins with the usual terms.
  }
}
