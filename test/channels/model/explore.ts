/** Searches all states of a channel between an honest player and everybody else. */
import { Graph } from "./cycles.js";
import { Honest } from "./honest.js";
import {
  ADVERSARY,
  broken,
  HONEST,
  Rules,
  SEEN,
  START,
  type Call,
  type Sender,
  type Setup,
  type State,
} from "./rules.js";
import { VisitedStates } from "./visited.js";

export interface Found {
  states: number;
  transitions: number;
  /** Number of steps after which no state is new. */
  depth: number;
  /** Violated property; undefined if all hold. */
  bad?: string;
  /** Steps that lead to the violation. */
  trace: string[];
}

/** Something that can happen in a state. */
export interface Transition {
  by: "honest" | "adversary" | "stranger" | "both" | "time";
  /** What happens besides calls. */
  what?: string;
  to: State;
  /** Calls of one transaction. If one of them is refused, none is executed. */
  sent?: { sender: Sender; calls: readonly Call[]; isTaken: boolean };
  event?: "tick" | "open";
}

/** Call that somebody tries, and that the contracts may refuse. */
export interface Attempt {
  call: Call;
  sender: Sender;
}

/** Everything that can happen in one channel. */
export class Search {
  readonly rules: Rules;
  readonly honest: Honest;

  constructor(private readonly setup: Setup) {
    this.rules = new Rules(setup);
    this.honest = new Honest(this.rules);
  }

  /** Visits all states, those after fewer steps first, until one violates a property. */
  run(): Found {
    const visited = new VisitedStates();
    const parents: number[] = [];
    const graph = new Graph();
    let depth = 0;
    const result = (at?: number, bad?: string): Found => ({
      ...{ states: visited.size, transitions: graph.edges, depth, bad },
      trace: at === undefined ? [] : this.traceTo(at, visited, parents),
    });
    parents.push(visited.add(this.rules.first()));
    for (let at = 0, end = 1; at < visited.size; at++) {
      if (at === end) [depth, end] = [depth + 1, visited.size];
      const targets: number[] = [];
      for (const { to } of this.next(visited.get(at))) {
        const { size } = visited;
        const id = visited.add(to);
        if (id === size) {
          parents.push(at);
          const bad = this.problem(to);
          if (bad) return result(id, bad);
        }
        if (id !== at) targets.push(id);
      }
      if (targets.length === 0) return result(at, "nothing can happen any more");
      graph.add(targets);
    }
    for (const part of graph.cycles()) {
      // A cycle is allowed only once the honest player has its money: then only time passes.
      const open = part.find((id) => !this.isOver(visited.get(id)));
      if (open !== undefined) return result(open, "it can go on for ever without progress");
    }
    return result();
  }

  private traceTo(at: number, visited: VisitedStates, parents: readonly number[]): string[] {
    const names: string[] = [];
    for (let id = at; id > 0; id = parents[id]) {
      names.unshift(nameOf(this.next(visited.get(parents[id])).find(({ to }) => visited.add(to) === id)!));
    }
    return names;
  }

  /** Returns everything that can happen next. */
  next(s: State): Transition[] {
    const results: Transition[] = [];
    for (const { call, sender } of this.calls(s)) {
      const next = this.rules.call(s, call, sender);
      if (!next || next === s) continue;
      const to = s.pending ? { ...next, pending: { ...s.pending, raced: true } } : next;
      const by = sender === "stranger" ? sender : "adversary";
      results.push({ by, to, sent: { sender, calls: [call], isTaken: true } });
    }
    if (s.pending) {
      const { calls } = s.pending;
      const isTaken = this.rules.all(s, calls, HONEST) !== undefined;
      results.push({ by: "honest", to: this.mined(s), sent: { sender: HONEST, calls, isTaken } });
    } else results.push(...this.steps(s));
    const restarted = this.honest.restarted(s);
    if (restarted !== s) results.push({ by: "honest", what: "restarts", to: restarted });
    const hasLooked = s.looked || this.rules.is("client: looks at the chain less than once per clock");
    if (hasLooked && !s.pending) results.push({ by: "time", event: "tick", to: this.tick(s) });
    const reopened = this.reopened(s);
    if (reopened) results.push({ by: "both", event: "open", to: reopened });
    return results;
  }

  /** Returns all steps of the honest player, which may first read a message that the relay delivers. */
  steps(s: State): Transition[] {
    const results: Transition[] = [];
    for (const [read, heard] of [["", s] as const, ...this.honest.deliveries(s)]) {
      for (const [signed, state] of this.honest.signings(this.honest.readChain(heard))) {
        const said = [read && `reads (${read})`, signed].filter(Boolean).join(", ");
        for (const isPatient of [true, false]) {
          const due = this.honest.duty(state, isPatient);
          const transactions = this.honest.transactions(state, due);
          if (transactions.length === 0) {
            results.push({ by: "honest", what: said || "looks", to: { ...state, looked: true } });
          }
          for (const calls of transactions) {
            const challenges =
              due?.type === "bring" && due.challenge !== undefined && !state.challenges.includes(due.challenge)
                ? [...state.challenges, due.challenge]
                : state.challenges;
            const next = { ...this.checkedActs(state, calls), challenges, pending: { calls, raced: false } };
            const what = `${said}, sends`;
            if (this.setup.races) results.push({ by: "honest", what, to: next });
            else {
              const sent = { sender: HONEST, calls, isTaken: true } as const;
              results.push({ by: "honest", what, to: this.mined(next), sent });
            }
          }
        }
      }
    }
    return results;
  }

  /** Checks that an action on chain does not differ from one that the player has signed. */
  private checkedActs(s: State, calls: readonly Call[]): State {
    const call = calls.find(({ type }) => type === "act");
    if (call?.type !== "act") return s;
    const text = call.text + call.action;
    const isTwice = s.signed.some(([nonce, each]) => {
      return nonce === call.nonce && each.length === text.length && each !== text && each.startsWith(call.text);
    });
    return isTwice ? broken(s, `another action than the one signed is sent in match ${call.nonce}`) : s;
  }

  /** Executes all calls of the honest player's transaction, or none. */
  mined(s: State): State {
    const { calls, raced } = s.pending!;
    const next = this.rules.all({ ...s, pending: null }, calls, HONEST);
    if (next) return next;
    // The adversary has changed the chain since the honest player looked, so it looks again.
    const isBlind = this.rules.is("client: does not look again after its transaction is refused");
    const same = { ...s, pending: null, looked: s.looked || isBlind };
    const what = `the honest player's ${calls.map(({ type }) => type).join(", ")} is refused`;
    if (!raced) return broken(same, what);
    const last = calls.at(-1)!;
    const isStillDue = this.honest
      .transactions(same, this.honest.duty(same, false))
      .some((again) => said(again.at(-1)!) === said(last));
    return isStillDue ? broken(same, `${what}, as the adversary is faster`) : same;
  }

  tick(s: State): State {
    const time = Math.min(s.time + 1, this.setup.until + 1);
    const arena = s.arena.map((match) => ({ ...match, left: Math.max(match.left - 1, -1) }));
    // An expired balance is invalid.
    const balances = s.balances.filter(({ close }) => !close || close.until >= time);
    return { ...s, time, looked: false, arena, balances };
  }

  private reopened(s: State): State | undefined {
    if (s.open || s.pending || s.opening + 1 >= this.setup.openings.length) return undefined;
    const opening = s.opening + 1;
    const nonce = this.rules.firstNonce(opening);
    return { ...s, opening, open: true, time: 0, looked: false, nonce, held: START };
  }

  /** Returns the calls that the adversary and a stranger try with all messages that they have or can sign. */
  calls(s: State): Attempt[] {
    const { rules } = this;
    const calls: Attempt[] = [];
    const byAnybody: Call[] = [];
    for (const [nonce, text] of this.transcripts(s)) {
      byAnybody.push({ type: "play", matches: [[nonce, text]] }, { type: "challenge", nonce, text });
    }
    for (const { nonce, text, turn } of s.arena) {
      byAnybody.push({ type: "resign", nonce });
      for (const action of rules.choices(nonce, text.length - 1, turn)) {
        byAnybody.push({ type: "act", nonce, text, action });
      }
    }
    for (const call of byAnybody) calls.push({ call, sender: ADVERSARY }, { call, sender: "stranger" });
    // The effect of these calls does not depend on who sends them.
    for (const balance of s.balances) calls.push({ call: { type: "checkpoint", balance }, sender: ADVERSARY });
    for (const balance of rules.forgedBalances(s)) {
      calls.push({ call: { type: "checkpoint", balance }, sender: ADVERSARY });
    }
    for (const { nonce } of s.arena) calls.push({ call: { type: "timeout", nonce }, sender: ADVERSARY });
    calls.push({ call: { type: "expire" }, sender: ADVERSARY });
    return calls;
  }

  /**
   * Returns transcripts of matches. The adversary signs anything, so it adds its own next message to those of the
   * honest player. It also tries transcripts which the honest player has not signed.
   */
  private transcripts(s: State): [number, string][] {
    const { rules } = this;
    const found: [number, string][] = [];
    for (const [nonce, text] of s.signed) {
      const { turn, mover, count, seen } = rules.standing(nonce, text);
      if (count > 0) found.push([nonce, text]);
      if (turn === ADVERSARY) {
        for (const action of rules.choices(nonce, count, ADVERSARY)) found.push([nonce, text + action]);
      } else if (turn === undefined && mover === HONEST && !seen) found.push([nonce, text + SEEN]);
      for (const forged of rules.forgeries(nonce, text)) found.push([nonce, forged]);
    }
    return found;
  }

  /** Returns the property that a state violates; undefined if there is none. */
  private problem(s: State): string | undefined {
    const { rules, honest } = this;
    if (s.bad) return s.bad;
    const lost = rules.lostMoney(s);
    if (lost) return lost;
    const posted = rules.posted(s);
    if (posted && !rules.isSigned(s, posted.nonce, posted.text))
      return `an action in match ${posted.nonce} can be undone`;
    const agreed = honest.agreed(s);
    // No balance can take back a match whose clock has run out, so this match ends by the clock first.
    const isTimedOut = posted !== undefined && posted.left < 0;
    const ready = isTimedOut ? rules.call(s, { type: "timeout", nonce: posted.nonce }, "stranger")! : s;
    if (s.open && agreed && agreed.nonce > honest.base(ready).nonce) {
      const isTaken = rules.call(ready, { type: "checkpoint", balance: agreed }, "stranger");
      if (!isTaken) return `the newest balance, ${agreed.nonce}, is refused`;
    }
    if (s.open || s.arena.length > 0) return undefined;
    const due = rules.nonces().reduce(
      (sum, nonce, i) => {
        const [text, gain] = [s.texts[i], s.gains[i]];
        if (gain !== null) return sum + gain;
        return text !== "" && rules.isFinal(nonce, text) ? sum + rules.gainOf(nonce, text) : sum;
      },
      START[HONEST] * (1 + s.opening),
    );
    return s.purses[HONEST] < due ? `the honest player ends with ${s.purses[HONEST]} instead of ${due}` : undefined;
  }

  /** Returns whether the honest player has all its money. */
  private isOver(s: State): boolean {
    return s.arena.length === 0 && (!s.open || s.held[HONEST] === 0);
  }
}

/** Describes the size of a search. */
export function figuresOf({ states, transitions, depth }: Found): string {
  return `${states} states, ${transitions} transitions, depth ${depth}`;
}

/** Returns who does what. */
export function nameOf({ by, what, sent, event }: Transition): string {
  const calls = sent && JSON.stringify(sent.calls) + (sent.isTaken ? "" : ", which are refused");
  return `${by}: ${[what, event, calls].filter(Boolean).join(" ")}`;
}

function said(call: Call): string {
  return JSON.stringify(call);
}
