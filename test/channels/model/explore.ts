/** Searches all states of a channel between an honest player and an adversary. */
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

export interface Found {
  states: number;
  /** Violated property; undefined if all hold. */
  bad?: string;
  /** Steps that lead to the violation. */
  trace: string[];
}

/** Everything that can happen in one channel. */
export class Search {
  readonly rules: Rules;
  readonly honest: Honest;

  constructor(private readonly setup: Setup) {
    this.rules = new Rules(setup);
    this.honest = new Honest(this.rules);
  }

  /** Visits all states until one violates a property. */
  run(): Found {
    const first = this.rules.first();
    const states = [first];
    const ids = new Map([[keyOf(first), 0]]);
    const parents: (readonly [number, string])[] = [[-1, ""]];
    const edges: number[][] = [];
    const traceTo = (at: number): string[] => (at <= 0 ? [] : [...traceTo(parents[at][0]), parents[at][1]]);
    const stop = (at: number, bad: string): Found => ({ states: ids.size, bad, trace: traceTo(at) });
    for (let at = 0; at < states.length; at++) {
      const to: number[] = [];
      for (const [name, next] of this.next(states[at])) {
        const key = keyOf(next);
        let id = ids.get(key);
        if (id === undefined) {
          id = states.push(next) - 1;
          ids.set(key, id);
          parents.push([at, name]);
          const bad = this.problem(next);
          if (bad) return stop(id, bad);
        }
        if (id !== at) to.push(id);
      }
      if (to.length === 0) return stop(at, "nothing can happen any more");
      edges.push(to);
    }
    for (const part of cyclesOf(edges)) {
      // A cycle is allowed only once the honest player has its money: then only time passes.
      const open = part.find((id) => !this.isOver(states[id]));
      if (open !== undefined) return stop(open, "it can go on for ever without progress");
    }
    return { states: ids.size, trace: [] };
  }

  /** Returns everything that can happen next. */
  next(s: State): [string, State][] {
    const results: [string, State][] = [];
    const add = (name: string, state: State | undefined) => {
      if (state && state !== s) results.push([name, state]);
    };
    for (const [call, sender] of this.calls(s)) {
      const next = this.rules.call(s, call, sender);
      const raced = s.pending && next && next !== s ? { ...next, pending: { ...s.pending, raced: true } } : next;
      add(`${sender === "stranger" ? sender : "adversary"}: ${said(call)}`, raced);
    }
    if (s.pending) add("honest: mined", this.mined(s));
    else for (const [name, next] of this.steps(s)) add(`honest: ${name}`, next);
    if (s.looked && !s.pending) add("tick", this.tick(s));
    add("both: open again", this.reopened(s));
    return results;
  }

  /** Returns all steps of the honest player, which may read a message first. */
  steps(s: State): [string, State][] {
    const results: [string, State][] = [];
    for (const [read, heard] of [["", s] as const, ...this.honest.deliveries(s)]) {
      for (const [signed, state] of this.honest.signings(this.honest.readChain(heard))) {
        for (const isPatient of [true, false]) {
          const due = this.honest.duty(state, isPatient);
          const transactions = this.honest.transactions(state, due);
          const said = [read && `reads (adversary ${read})`, signed].filter(Boolean).join(", ");
          if (transactions.length === 0) results.push([said || "looks", { ...state, looked: true }]);
          for (const calls of transactions) {
            const challenges =
              due?.type === "bring" && due.challenge !== undefined && !state.challenges.includes(due.challenge)
                ? [...state.challenges, due.challenge]
                : state.challenges;
            const next = { ...this.checkedActs(state, calls), challenges, pending: { calls, raced: false } };
            results.push([`${said} ${JSON.stringify(calls)}`, this.setup.races ? next : this.mined(next)]);
          }
        }
      }
    }
    return results;
  }

  /** Checks that an action on chain does not differ from one that the player has signed. */
  private checkedActs(s: State, [call]: Call[]): State {
    if (call.type !== "act") return s;
    const text = call.text + call.action;
    const isTwice = s.signed.some(([nonce, each]) => {
      return nonce === call.nonce && each.length === text.length && each !== text && each.startsWith(call.text);
    });
    return isTwice ? broken(s, `another action than the one signed is sent in match ${call.nonce}`) : s;
  }

  /** Executes all calls of the honest player's transaction, or none. */
  mined(s: State): State {
    const { calls, raced } = s.pending!;
    let next: State | undefined = { ...s, pending: null };
    for (const call of calls) next = next && this.rules.call(next, call, HONEST);
    if (next && calls.length > 0) return next;
    // Even if its transaction was too slow, the honest player has looked at the chain.
    const same = { ...s, pending: null, looked: true };
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

  /** Returns all calls that the adversary or a stranger can make with the signed messages. */
  calls(s: State): [Call, Sender][] {
    const { rules } = this;
    const calls: [Call, Sender][] = [];
    for (const [nonce, text] of this.transcripts(s)) {
      const { turn, mover, seen } = rules.standing(nonce, text);
      calls.push([{ type: "play", matches: [[nonce, text]] }, ADVERSARY]);
      if (turn === undefined && !seen && mover === ADVERSARY) {
        calls.push([{ type: "play", matches: [[nonce, text]] }, "stranger"]);
      }
      if (mover === ADVERSARY) calls.push([{ type: "challenge", nonce, text }, ADVERSARY]);
    }
    for (const balance of s.balances) calls.push([{ type: "checkpoint", balance }, ADVERSARY]);
    for (const { nonce, text, turn } of s.arena) {
      calls.push([{ type: "resign", nonce }, ADVERSARY], [{ type: "timeout", nonce }, ADVERSARY]);
      if (turn !== ADVERSARY) continue;
      for (const action of rules.choices(nonce, text.length - 1, ADVERSARY)) {
        calls.push([{ type: "act", nonce, text, action }, ADVERSARY]);
      }
    }
    calls.push([{ type: "expire" }, ADVERSARY]);
    return calls;
  }

  /** Returns all transcripts with both signatures, since the adversary signs anything. */
  private transcripts(s: State): [number, string][] {
    const { rules } = this;
    const found: [number, string][] = [];
    for (const [nonce, text] of s.signed) {
      const { turn, mover, count, seen } = rules.standing(nonce, text);
      if (count > 0) found.push([nonce, text]);
      if (turn === ADVERSARY) {
        for (const action of rules.choices(nonce, count, ADVERSARY)) found.push([nonce, text + action]);
      } else if (turn === undefined && mover === HONEST && !seen) found.push([nonce, text + SEEN]);
    }
    return found;
  }

  /** Returns the property that a state violates; undefined if there is none. */
  private problem(s: State): string | undefined {
    const { rules, honest } = this;
    if (s.bad) return s.bad;
    const lost = rules.lostMoney(s);
    if (lost) return lost;
    const agreed = honest.agreed(s);
    if (s.open && agreed && agreed.nonce > honest.base(s).nonce) {
      const isTaken = rules.call(s, { type: "checkpoint", balance: agreed }, "stranger");
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

function keyOf(s: State): string {
  return JSON.stringify(Object.values(s));
}

function said(call: Call): string {
  return JSON.stringify(call);
}

/** Returns the strongly connected parts of a graph that have a cycle, by Tarjan's algorithm without recursion. */
function cyclesOf(edges: readonly (readonly number[])[]): number[][] {
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const isOpen = new Uint8Array(edges.length);
  const parts: number[][] = [];
  const open: number[] = [];
  let count = 0;
  for (let root = 0; root < edges.length; root++) {
    if (order[root] >= 0) continue;
    const path: [number, number][] = [[root, 0]];
    while (path.length > 0) {
      const top = path.at(-1)!;
      const [at, i] = top;
      if (i === 0) {
        order[at] = low[at] = count++;
        open.push(at);
        isOpen[at] = 1;
      }
      if (i < edges[at].length) {
        top[1]++;
        const to = edges[at][i];
        if (order[to] < 0) path.push([to, 0]);
        else if (isOpen[to]) low[at] = Math.min(low[at], order[to]);
        continue;
      }
      path.pop();
      const above = path.at(-1)?.[0];
      if (above !== undefined) low[above] = Math.min(low[above], low[at]);
      if (low[at] !== order[at]) continue;
      const part = open.splice(open.lastIndexOf(at));
      for (const each of part) isOpen[each] = 0;
      if (part.length > 1) parts.push(part);
    }
  }
  return parts;
}
