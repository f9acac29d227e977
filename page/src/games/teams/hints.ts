/** Hint after a fight between teams. */
export const FOUGHT = "Move the slider below to see each blow again: who struck whom, and what it cost.";
