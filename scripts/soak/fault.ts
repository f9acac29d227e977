import type { SeatedMatch } from "./seated-match.js";

/** A planted fault that does not end the match. */
export interface Fault {
  fits(match: SeatedMatch): boolean;
  strike(match: SeatedMatch): Promise<void>;
}
