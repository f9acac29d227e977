/** Chooses paths of the model that contain every kind of transition and of refused call. */
import type { Attempt, Search, Transition } from "./explore.js";
import { HONEST, type Amounts, type Call, type Rules, type Sender, type State } from "./rules.js";
import { VisitedStates } from "./visited.js";

/** State on a chosen path, and what to do there. */
export interface Branch {
  state: State;
  /** Calls that change nothing: the contracts refuse them or skip what was settled before. */
  tried: Attempt[];
  next: { transition: Transition; branch: Branch }[];
}

/** Number of states of each channel that are visited. */
const STATES = 4000;

/**
 * Visits the first states of a channel in the order of the search, and takes the first transition and the first attempt
 * of each kind.
 * @param known Kinds that need not be taken again; new ones are added
 */
export function sampleOf(search: Search, known: Set<string>): Branch {
  const { rules } = search;
  const visited = new VisitedStates();
  const first = rules.first();
  const branches = new Map<number, Branch>();
  const from: { parent: number; transition: Transition }[] = [];
  const isNew = (kind: string) => !known.has(kind) && Boolean(known.add(kind));
  const branchTo = (id: number): Branch => {
    let branch = branches.get(id);
    if (branch) return branch;
    branch = { state: visited.get(id), tried: [], next: [] };
    branches.set(id, branch);
    const { parent, transition } = from[id];
    branchTo(parent).next.push({ transition, branch });
    return branch;
  };
  const root: Branch = { state: first, tried: [], next: [] };
  branches.set(visited.add(first), root);
  for (let at = 0; at < Math.min(STATES, visited.size); at++) {
    const s = visited.get(at);
    for (const attempt of search.calls(s)) {
      const to = rules.call(s, attempt.call, attempt.sender);
      if ((!to || to === s) && isNew(kindOfAttempt(rules, s, attempt, to))) branchTo(at).tried.push(attempt);
    }
    for (const transition of search.next(s)) {
      // The model does not count ticks after the end of the channel, but a closing balance ends on chain.
      if (transition.event === "tick" && s.time > search.rules.setup.until) continue;
      const { size } = visited;
      const id = visited.add(transition.to);
      if (id === size) from[id] = { parent: at, transition };
      if (!isNew(kindOf(rules, s, transition))) continue;
      const branch = id === size ? branchTo(id) : { state: transition.to, tried: [], next: [] };
      if (id !== size) branchTo(at).next.push({ transition, branch });
    }
  }
  return root;
}

/** Returns what a transition does, without numbers of matches and amounts. */
function kindOf(rules: Rules, s: State, { by, what, to, sent, event }: Transition): string {
  if (!sent) return event ?? `${by} ${what?.replace(/\d+/g, "")}`;
  const { sender, calls, isTaken } = sent;
  const shapes = [s, to].map(({ open, challenged, arena }) => [open, challenged, arena.map(({ posted }) => posted)]);
  const changes = [
    to.nonce - s.nonce,
    signs(s.held, to.held),
    signs(s.purses, to.purses),
    Math.sign(to.house - s.house),
  ];
  return JSON.stringify([
    rankOf(sender),
    calls.map((call) => traitsOf(rules, s, call, sender)),
    isTaken,
    shapes,
    changes,
  ]);
}

function kindOfAttempt(rules: Rules, s: State, { call, sender }: Attempt, to: State | undefined): string {
  const isLate = s.time > rules.offersUntil;
  const posted = rules.posted(s);
  const clock = posted && posted.left >= 0;
  return JSON.stringify([rankOf(sender), traitsOf(rules, s, call, sender), s.open, isLate, clock, to === s]);
}

function traitsOf(rules: Rules, s: State, call: Call, sender: Sender): unknown[] {
  const { type } = call;
  const there = "nonce" in call ? s.arena.find(({ nonce }) => nonce === call.nonce) : undefined;
  if (type === "play" || type === "challenge") {
    const [[nonce, text]] = type === "play" ? call.matches : [[call.nonce, call.text] as const];
    const { turn, mover, seen, forfeit } = rules.standing(nonce, text);
    const ages = [Math.sign(nonce - s.nonce), s.arena.some((match) => match.nonce === nonce)];
    return [type, turn === undefined, seen, forfeit, mover === sender, ...ages];
  }
  if (type === "checkpoint") return [type, Math.sign(call.balance.nonce - s.nonce), call.balance.close !== undefined];
  return [type, there?.posted, there?.turn === sender, there && there.left >= 0];
}

function rankOf(sender: Sender): string {
  if (sender === "stranger") return sender;
  return sender === HONEST ? "honest" : "adversary";
}

function signs(before: Amounts, after: Amounts): number[] {
  return after.map((amount, i) => Math.sign(amount - before[i]));
}
