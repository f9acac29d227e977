import type { Provider } from "ethers";
import type { AgentState } from "../../sdk/player/policy-decision.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import type { Arena } from "../../typechain-types/index.js";

/** Facts that the decisions of one round share, so that a round reads each of them once, however many offers there are. */
export class SharedFacts {
  /** States of the agent, by terms. */
  private readonly states = new Map<string, Promise<AgentState>>();
  private readonly answers = new Map<string, unknown>();
  /** The arena and the provider; equal reads of purses and blocks have one answer. */
  readonly arena: Arena;
  readonly provider: Provider;

  constructor({ arena, provider }: { arena: Arena; provider: Provider }) {
    this.arena = this.remembering(arena, "purseOf");
    this.provider = this.remembering(provider, "getBlock");
  }

  /** Returns the agent's state for an offer with these terms, as it was read first. */
  async stateFor(terms: Terms, read: () => Promise<AgentState>): Promise<AgentState> {
    const key = Object.values(terms).join(" ");
    const known = this.states.get(key) ?? read();
    this.states.set(key, known);
    return known;
  }

  /** Forgets everything, after the agent has taken a match. */
  forget(): void {
    this.states.clear();
    this.answers.clear();
  }

  /** Returns an object of which one method runs once for equal arguments. */
  private remembering<T extends object>(source: T, name: keyof T & string): T {
    const get = (target: T, member: string | symbol): unknown => {
      const value = Reflect.get(target, member) as unknown;
      if (typeof value !== "function") return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (member !== name) return method;
      return (...args: unknown[]) => {
        const key = [name, ...args].join(" ");
        const answer = this.answers.has(key) ? this.answers.get(key) : method(...args);
        this.answers.set(key, answer);
        return answer;
      };
    };
    return new Proxy(source, { get });
  }
}
