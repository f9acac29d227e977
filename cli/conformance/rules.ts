/**
 * Part of a bot that a rule is about: `wire` for the messages that it signs, which a bot leaves to a server of the API;
 * `behaviour` for what the bot itself decides.
 */
export type Level = "wire" | "behaviour";

/** Rule that the kit checks. */
export interface Rule {
  name: string;
  level: Level;
  /** What a bot does that keeps the rule: the rest of a sentence. */
  text: string;
}

/** Rules in the order of the report; one for each game follows. */
export const RULES = [
  { name: "opens", level: "wire", text: "agrees to a channel without money" },
  { name: "answers", level: "behaviour", text: "answers a challenge without a stake" },
  { name: "declines", level: "behaviour", text: "plays on after a match that it cannot play, and does not answer it" },
  { name: "legal", level: "wire", text: "makes only moves that the game accepts" },
  { name: "reveals", level: "wire", text: "reveals what it has committed to" },
  { name: "turns", level: "wire", text: "signs only when it is its turn, after the newest message" },
  { name: "numbers", level: "wire", text: "never signs two different messages with one number" },
  { name: "balances", level: "wire", text: "signs the balance after each match" },
  { name: "clock", level: "behaviour", text: "moves in time" },
  { name: "late", level: "wire", text: "plays on if a message comes late, after the next one" },
  { name: "repeated", level: "wire", text: "plays on if the relay loses all messages, and they come again" },
  { name: "restart", level: "wire", text: "plays on after the relay has restarted" },
  { name: "silence", level: "behaviour", text: "plays on after the opponent was silent" },
  { name: "resigns", level: "behaviour", text: "plays on after the opponent has resigned on chain" },
] as const satisfies readonly Rule[];

export type RuleName = (typeof RULES)[number]["name"];

/** Returns the rule that a bot plays a game. */
export function gameRule(game: string): Rule {
  return { name: `game ${game}`, level: "behaviour", text: `plays ${game} in both seats` };
}

/** Verdict about a rule. */
export interface Verdict extends Rule {
  /** `skip` if the rule could not be checked. */
  result: "pass" | "fail" | "skip";
  /** What the bot did wrong, or why the rule was not checked. */
  reason?: string;
}

/** Reason for rules about which nothing is known when the examination ends. */
const NOT_REACHED = "not reached";

/** Verdicts of an examination. The first failure of a rule stands. */
export class Report {
  private readonly known = new Map<string, Pick<Verdict, "result" | "reason">>();

  constructor(readonly rules: readonly Rule[]) {}

  pass(name: string): void {
    if (this.known.get(name)?.result !== "fail") this.known.set(name, { result: "pass" });
  }

  fail(name: string, reason: string): void {
    if (!this.hasFailed(name)) this.known.set(name, { result: "fail", reason });
  }

  /** Says why a rule is not checked, unless there is a verdict. */
  skip(name: string, reason: string): void {
    if (!this.known.has(name)) this.known.set(name, { result: "skip", reason });
  }

  hasFailed(name: string): boolean {
    return this.known.get(name)?.result === "fail";
  }

  get verdicts(): Verdict[] {
    return this.rules.map((rule) => ({
      ...rule,
      ...(this.known.get(rule.name) ?? { result: "skip", reason: NOT_REACHED }),
    }));
  }
}
