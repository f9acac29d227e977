import type { Target } from "./checker.js";

/** A law that the checker proves. */
export interface Law {
  /** What holds: completes "it". */
  title: string;
  /** Members of a contract: code from `contracts/`, and a function that states the assumptions and the law. */
  code: string;
  /** Number of checks in that function; defaults to its number of assertions. */
  checks?: number;
  /** A text of the code and its replacement, which breaks the law. */
  mistake: readonly [text: string, by: string];
}

/** Laws that need the same declarations. */
export interface Laws {
  subject: string;
  header: string;
  targets: readonly Target[];
  laws: readonly Law[];
}

/** Replacements of library functions that the checker cannot represent. */
export const REPLACEMENTS = 'import {Cards, Math, SafeCast, IUnknown} from "test/proofs/Replacements.sol";';
