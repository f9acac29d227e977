/** Names of the tokens, which belong to no arena. */
export const TOKENS = ["FightToken", "Fighters", "GuardianCards"] as const;

/** Names of the contracts that every deployment has. */
export const CORE = ["Arena", ...TOKENS] as const;

/** Addresses of the contracts of a deployment, by contract name: the core, and any games and decoders. */
export type Addresses = Readonly<Record<(typeof CORE)[number], string>> & Readonly<Record<string, string>>;
