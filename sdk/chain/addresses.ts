/** Names of the contracts that every deployment has. */
export const CORE = ["Arena", "FightToken"] as const;

/** Addresses of the contracts of a deployment, by contract name: the core, and any games, their tokens and decoders. */
export type Addresses = Readonly<Record<(typeof CORE)[number], string>> & Readonly<Record<string, string>>;
