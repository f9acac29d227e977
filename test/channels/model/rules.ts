/**
 * The rules of `Channels` and of its hooks in the arena, for one channel of an honest player and an adversary. The
 * model has no signatures: the honest player's messages show what it has signed, and the adversary signs anything.
 */
import { offererOf } from "../../../sdk/player/channels/player.js";

/** Role of a player: the honest one, or the adversary. */
export type Side = 0 | 1;
export const HONEST = 0;
export const ADVERSARY = 1;
/** Sender of a transaction: a player, or a stranger who has all signed messages. */
export type Sender = Side | "stranger";

/** Match that the players can play. */
export interface Plan {
  /** Number of actions. With two, the offer commits to the first choice, so the only reveal is forced. */
  actions: 2 | 3 | 4;
  rated: boolean;
  /** Stakes of seats One and Two. */
  stakes: readonly [number, number];
}

/** Mistakes of the contracts or of the client that the properties must find. */
export type Mistake = (typeof MISTAKES)[number];
export const MISTAKES = [
  "contract: a match that is taken back returns no stakes",
  "contract: any end is final",
  "contract: a refused second action is final",
  "contract: an end that a stranger submits is final",
  "contract: an end that makes the mover lose is final",
  "contract: an acknowledged end is not final",
  "contract: a reveal without a choice is not final",
  "contract: a channel expires while a match is pending",
  "contract: a channel expires before its end",
  "contract: a second match starts while a match is pending",
  "contract: an older balance is accepted",
  "contract: a balance needs only one signature",
  "contract: a transcript needs only one signature",
  "contract: a message does not name the message before it",
  "contract: a transcript of the same length supersedes a challenge",
  "contract: a longer transcript does not supersede a challenge",
  "contract: a match with an action on chain can be taken back",
  "contract: a match starts after the end of its offer",
  "contract: the player who challenged is in turn",
  "contract: the player who challenged with a match may resign it",
  "contract: a stranger may resign",
  "contract: a stranger may act",
  "contract: a stranger may challenge",
  "contract: a challenge starts a clock without time",
  "contract: a match can be timed out before its deadline",
  "contract: messages of an earlier opening are accepted",
  "contract: a settled match is settled again",
  "contract: matches are settled in any order",
  "contract: a batch fails if all its matches are already settled",
  "contract: a checkpoint fails if the channel already has its balance",
  "contract: a balance does not take back a pending match",
  "contract: the two seats' stakes are swapped",
  "contract: a refused action makes a transcript invalid",
  "contract: too little gas counts as a refusal",
  "game: the only reveal of a match has a choice",
  "client: submits only the last match before the channel ends",
  "client: submits nothing before the channel ends",
  "client: challenges without submitting a checkpoint first",
  "client: signs two messages with the same number",
  "client: makes a second offer before the first ends",
  "client: sends a message before logging it",
  "client: reads a repeated message again",
  "client: replaces a message that it has by another one with the same number",
  "client: reads a message before the previous one",
  "client: does not look for old matches in the arena",
  "client: looks at the chain less than once per clock",
  "client: does not look again after its transaction is refused",
  "client: continues by messages after its challenge",
  "client: continues to play after the end of the offer",
  "client: answers for stakes that the channel does not hold",
  "client: answers for stakes that a match in the arena can take out of the channel",
  "client: deducts no house share from a balance",
  "client: signs a closing balance while a match is pending in the arena",
  "client: continues to sign after a closing balance",
] as const;

/** Setup of one search. */
export interface Setup {
  /** Matches of each opening of the channel. */
  openings: readonly (readonly Plan[])[];
  /** Number of the honest player in the channel. It decides which matches, even or odd, this player offers. */
  number: 1 | 2;
  /** Last tick of each opening. */
  until: number;
  /** Length of each clock in ticks. */
  clock: number;
  /** Number of rated matches that the honest player sends to the chain in one batch. */
  batch: number;
  /** True if the adversary can front-run a transaction of the honest player. */
  races: boolean;
  /** True if the players can close the channel with a balance. */
  closes: boolean;
  mistake?: Mistake;
}

export type Amounts = readonly [number, number];

/** Match in the arena. */
export interface Brought {
  readonly nonce: number;
  readonly text: string;
  readonly posted: boolean;
  readonly turn: Side;
  /** Number of ticks until its deadline; negative afterwards. */
  readonly left: number;
}

/** Balance that the honest player has signed; `both` is true once the adversary has signed it too. */
export interface Balance {
  /** Number of the first match that the balance settles; `nonce` is the number of the first match after the balance. */
  readonly from: number;
  readonly nonce: number;
  readonly amounts: Amounts;
  readonly both: boolean;
  /** True if the honest player has not signed it. */
  readonly isForged?: true;
  /** For a closing balance: its last tick, and whether the honest player signed first. */
  readonly close?: { readonly until: number; readonly isOwn: boolean };
}

export type Call =
  | { type: "checkpoint"; balance: Balance }
  | { type: "play"; matches: (readonly [nonce: number, text: string])[] }
  | { type: "challenge"; nonce: number; text: string }
  | { type: "act"; nonce: number; text: string; action: string }
  | { type: "resign" | "timeout"; nonce: number }
  | { type: "expire" };

/** Complete state. Its parts are replaced, never changed. */
export interface State {
  time: number;
  /** True if the honest player has looked at the chain since the last tick, and had nothing more to do. */
  looked: boolean;
  opening: number;
  open: boolean;
  nonce: number;
  held: Amounts;
  challenged: boolean;
  arena: readonly Brought[];
  purses: Amounts;
  house: number;
  /** Messages that the honest player has, by match: the offer, the actions, and "s" for an acknowledged end. */
  texts: readonly string[];
  /** All messages that the honest player has signed in matches, each with its predecessors. The adversary has them. */
  signed: readonly (readonly [nonce: number, text: string])[];
  balances: readonly Balance[];
  /** Matches with which the honest player has challenged, or has tried to challenge. */
  challenges: readonly number[];
  /** Gain of the honest player from each match, on chain. */
  gains: readonly (number | null)[];
  /** Transaction of the honest player that is not mined yet. */
  pending: { calls: readonly Call[]; raced: boolean } | null;
  /** Violated property. */
  bad: string;
}

/** State of a match after its messages. */
export interface Standing {
  /** Number of actions. */
  count: number;
  /** Number of messages after the offer. */
  messages: number;
  turn?: Side;
  mover?: Side;
  taker?: Side;
  forfeit: boolean;
  seen: boolean;
}

/** Number of matches of one opening, and number of the very first match. */
export const SPAN = 8;
export const START: Amounts = [15, 15];
const TOTAL = 30;
/** Divisor of a pot that gives the house's share. */
const HOUSE_PART = 5;
export const SEEN = "s";
/** Action that the game refuses. */
export const REFUSED = "x";

/** One channel, according to the rules of the contracts. */
export class Rules {
  /** Matches by number. */
  private readonly plans: ReadonlyMap<number, { plan: Plan; index: number; standings: Map<string, Standing> }>;

  constructor(readonly setup: Setup) {
    const numbered = setup.openings.flatMap((plans, i) =>
      plans.map((plan, k) => ({ plan, nonce: (i + 1) * SPAN + k })),
    );
    this.plans = new Map(
      numbered.map(({ plan, nonce }, index) => [nonce, { plan, index, standings: new Map<string, Standing>() }]),
    );
  }

  first(): State {
    const count = this.setup.openings.flat().length;
    return {
      ...{ time: 0, looked: false, opening: 0, open: true, nonce: SPAN, held: START, challenged: false, arena: [] },
      ...{
        purses: [0, 0],
        house: 0,
        texts: Array<string>(count).fill(""),
        signed: [],
        balances: [],
        challenges: [],
        pending: null,
        bad: "",
      },
      gains: Array<null>(count).fill(null),
    };
  }

  is(mistake: Mistake): boolean {
    return this.setup.mistake === mistake;
  }

  /** Returns the index of a match in `texts`; -1 if it is not planned. */
  indexOf(nonce: number): number {
    return this.plans.get(nonce)?.index ?? -1;
  }

  firstNonce(opening: number): number {
    return (opening + 1) * SPAN;
  }

  nonces(): number[] {
    return [...this.plans.keys()];
  }

  planOf(nonce: number): Plan {
    return this.plans.get(nonce)!.plan;
  }

  /** Returns the messages of a match; empty if nobody has offered it. */
  textOf(s: State, nonce: number): string {
    return s.texts[this.indexOf(nonce)] ?? "";
  }

  sideOfSeat(nonce: number, seat: 1 | 2): Side {
    return (offererOf(nonce) === this.setup.number) === (seat === 1) ? HONEST : ADVERSARY;
  }

  /** Returns who sent a message of a match, or sends the next one; message 0 is the offer. */
  signerOf(nonce: number, text: string, i: number): Side {
    if (text[i] === SEEN) return other(this.signerOf(nonce, text, i - 1));
    return this.sideOfSeat(nonce, i % 2 === 0 ? 1 : 2);
  }

  standing(nonce: number, text: string): Standing {
    const { standings } = this.plans.get(nonce)!;
    let found = standings.get(text);
    if (!found) standings.set(text, (found = this.read(nonce, text)));
    return found;
  }

  private read(nonce: number, text: string): Standing {
    const seen = text.endsWith(SEEN);
    const count = text.length - 1 - Number(seen);
    const base = { count, messages: text.length - 1, forfeit: false, seen };
    if (count <= 0) return { ...base, turn: this.sideOfSeat(nonce, 2) };
    const mover = this.signerOf(nonce, text, count);
    const { actions } = this.planOf(nonce);
    if (text[count] === REFUSED) return { ...base, mover, taker: other(mover), forfeit: true };
    if (count < actions) return { ...base, mover, turn: other(mover) };
    const isFree = this.is("game: the only reveal of a match has a choice");
    const sum = Number(text[0]) + Number(text[1]) + (isFree ? Number(text[2]) : 0);
    const result = actions === 2 ? sum % 3 : Number(text[count]);
    return { ...base, mover, ...(result < 2 && { taker: this.sideOfSeat(nonce, result === 0 ? 1 : 2) }) };
  }

  /** Returns the choices of a player in turn; the honest player never chooses an action that the game refuses. */
  choices(nonce: number, count: number, side: Side): string[] {
    const { actions } = this.planOf(nonce);
    const isForced = actions === 2 && count === 1;
    const isLast = count === actions - 1;
    if (isForced && this.is("game: the only reveal of a match has a choice")) return ["0", "1"];
    if (isForced) return side === HONEST ? ["0"] : ["0", REFUSED];
    if (side === HONEST) return isLast ? ["0", "1", "2"] : ["0"];
    return isLast ? ["0", "1", "2", REFUSED] : ["0", "1", REFUSED];
  }

  /** Returns the gains of both players from a match, and the house share. */
  outcome(nonce: number, taker: Side | undefined, forfeit: boolean): { gains: Amounts; house: number } {
    if (taker === undefined) return { gains: [0, 0], house: 0 };
    const stakes = this.stakesOf(nonce);
    const pot = stakes[0] + stakes[1];
    const house = forfeit ? 0 : Math.floor(pot / HOUSE_PART);
    const gains: [number, number] = [-stakes[0], -stakes[1]];
    gains[taker] += pot - house;
    return { gains, house };
  }

  /** Returns the gain of the honest player from a finished match. */
  gainOf(nonce: number, text: string): number {
    const { taker, forfeit } = this.standing(nonce, text);
    return this.outcome(nonce, taker, forfeit).gains[HONEST];
  }

  /** Returns the stakes of both players. */
  stakesOf(nonce: number): Amounts {
    const [one, two] = this.planOf(nonce).stakes;
    return this.sideOfSeat(nonce, 1) === HONEST ? [one, two] : [two, one];
  }

  /** Last tick in which a match can be sent to the chain. */
  get offersUntil(): number {
    return this.setup.until - 1;
  }

  isFinal(nonce: number, text: string, sender?: Sender): boolean {
    const { turn, count, mover, seen, forfeit } = this.standing(nonce, text);
    const isForced = count === 2 && !forfeit;
    return turn === undefined && count > 0 && (seen || sender === other(mover!) || isForced);
  }

  private isFinalOnChain(nonce: number, text: string, sender?: Sender): boolean {
    const standing = this.standing(nonce, text);
    if (standing.turn !== undefined) return false;
    if (this.is("contract: an acknowledged end is not final") && standing.seen) return false;
    if (this.is("contract: a reveal without a choice is not final") && standing.count === 2) return false;
    if (this.is("contract: any end is final")) return true;
    if (this.is("contract: a refused second action is final") && standing.count === 2) return true;
    if (this.is("contract: an end that makes the mover lose is final") && this.hasMoverLost(standing)) return true;
    if (this.is("contract: an end that a stranger submits is final") && sender === "stranger") return true;
    return this.isFinal(nonce, text, sender);
  }

  hasMoverLost({ turn, mover, taker }: Standing): boolean {
    return turn === undefined && taker !== undefined && taker !== mover;
  }

  posted(s: State): Brought | undefined {
    return s.arena.find(({ posted }) => posted);
  }

  /** Executes all calls of a transaction, or none; returns undefined if one is refused. */
  all(s: State, calls: readonly Call[], sender: Sender): State | undefined {
    return calls.reduce<State | undefined>((at, call) => at && this.call(at, call, sender), s);
  }

  /** Executes a call; returns undefined if it is refused. */
  call(s: State, given: Call, sender: Sender): State | undefined {
    const call = this.is("contract: messages of an earlier opening are accepted") ? renewed(given, s.nonce) : given;
    switch (call.type) {
      case "checkpoint":
        return this.checkpoint(s, call.balance);
      case "play":
        return this.play(s, call.matches, sender);
      case "challenge":
        return this.challenge(s, call.nonce, call.text, sender);
      case "expire":
        return this.expire(s);
    }
    const brought = s.arena.find(({ nonce }) => nonce === call.nonce);
    if (!brought) return undefined;
    if (call.type === "act") {
      const isInTurn = brought.turn === sender || (sender === "stranger" && this.is("contract: a stranger may act"));
      return brought.text === call.text && isInTurn ? this.act(s, brought, call.action) : undefined;
    }
    if (call.type === "timeout") {
      const isOver = brought.left < 0 || this.is("contract: a match can be timed out before its deadline");
      return isOver ? this.ended(s, brought, other(brought.turn), "clock") : undefined;
    }
    const isAllowed = !brought.posted || sender === brought.turn;
    if (brought.left < 0) return undefined;
    if (sender === "stranger") {
      // In place of the honest player, since the adversary needs nobody to resign for it.
      return this.is("contract: a stranger may resign") ? this.ended(s, brought, ADVERSARY, "resigned") : undefined;
    }
    if (!isAllowed && !this.is("contract: the player who challenged with a match may resign it")) return undefined;
    return this.ended(s, brought, other(sender), "resigned");
  }

  private checkpoint(s: State, { from, nonce, amounts, close, isForged }: Balance): State | undefined {
    if (!s.open || (close && s.time > close.until)) return undefined;
    if (isForged && !this.is("contract: a balance needs only one signature")) return undefined;
    if (spanOf(nonce) !== spanOf(s.nonce)) return undefined;
    let next = s;
    if (s.challenged && nonce >= s.nonce && !this.is("contract: a balance does not take back a pending match")) {
      const voided = this.taken(s);
      if (!voided) return undefined;
      next = voided.state;
    }
    const isOld = nonce <= next.nonce && !this.is("contract: an older balance is accepted");
    if (isOld && !(close && nonce === next.nonce)) {
      return close || this.is("contract: a checkpoint fails if the channel already has its balance") ? undefined : next;
    }
    const house = sumOf(next.held) - sumOf(amounts);
    if (house < 0) return undefined;
    const gains = next.gains.map((gain, i) => {
      const match = this.nonces()[i];
      return match >= from && match < nonce ? this.gainOf(match, s.texts[i]) : gain;
    });
    next = { ...next, nonce, challenged: false, held: amounts, house: next.house + house, gains };
    return close ? this.paid(next) : next;
  }

  private play(s: State, matches: (readonly [number, string])[], sender: Sender): State | undefined {
    if (!s.open) return undefined;
    let next = s;
    let isSettled = false;
    for (const [nonce, text] of matches) {
      if (this.wasSettled(next, nonce)) continue;
      const carried = this.carriedOut(next, nonce, text, sender);
      if (!carried || !this.isFinalOnChain(nonce, text, sender)) return undefined;
      const { taker, forfeit } = this.standing(nonce, text);
      const stakes = this.stakesOf(nonce);
      if (carried.held[0] < stakes[0] || carried.held[1] < stakes[1]) return undefined;
      const { gains, house } = this.outcome(nonce, taker, forfeit);
      next = { ...carried, held: added(carried.held, gains), house: carried.house + house };
      next = { ...this.noted(next, nonce, text, gains[HONEST]), nonce: nonce + 1, challenged: false };
      isSettled = true;
    }
    return isSettled || !this.is("contract: a batch fails if all its matches are already settled") ? next : undefined;
  }

  private challenge(s: State, nonce: number, text: string, sender: Sender): State | undefined {
    const carried = s.open && this.carriedOut(s, nonce, text, sender);
    if (!carried) return undefined;
    const standing = this.standing(nonce, text);
    if (standing.seen || this.isFinalOnChain(nonce, text) || this.hasMoverLost(standing)) return undefined;
    if (sender !== standing.mover && !(sender === "stranger" && this.is("contract: a stranger may challenge"))) {
      return undefined;
    }
    const stakes = this.stakesOf(nonce);
    if (carried.held[0] < stakes[0] || carried.held[1] < stakes[1]) return undefined;
    const mover = standing.mover!;
    const turn = this.is("contract: the player who challenged is in turn") ? mover : other(mover);
    const left = this.is("contract: a challenge starts a clock without time") ? 0 : this.setup.clock;
    const brought = { nonce, text, posted: true, turn, left };
    const held = added(carried.held, [-stakes[0], -stakes[1]]);
    return { ...carried, held, nonce: nonce + 1, challenged: true, arena: [...carried.arena, brought] };
  }

  private act(s: State, brought: Brought, action: string): State | undefined {
    const { nonce, text, turn, left } = brought;
    if (left < 0 || this.standing(nonce, text).turn === undefined || action === REFUSED) return undefined;
    const posted = brought.posted && this.is("contract: a match with an action on chain can be taken back");
    const acted = { nonce, text: text + action, posted, turn: other(turn), left: this.setup.clock };
    const { turn: next, taker } = this.standing(nonce, acted.text);
    if (next === undefined) return this.ended(s, acted, taker, "end");
    return { ...s, arena: s.arena.map((each) => (each === brought ? acted : each)) };
  }

  private expire(s: State): State | undefined {
    if (!s.open) return undefined;
    if (s.time <= this.setup.until && !this.is("contract: a channel expires before its end")) return undefined;
    const waits = s.challenged && this.posted(s) && !this.is("contract: a channel expires while a match is pending");
    return waits ? undefined : this.paid(s);
  }

  private paid(s: State): State {
    return { ...s, open: false, challenged: false, held: [0, 0], purses: added(s.purses, s.held) };
  }

  private wasSettled(s: State, nonce: number): boolean {
    if (nonce >= s.nonce || this.is("contract: a settled match is settled again")) return false;
    if (nonce + 1 !== s.nonce || !s.challenged) return true;
    return !this.posted(s);
  }

  /** Checks that a transcript is signed and valid now, and takes back a pending match. */
  private carriedOut(s: State, nonce: number, text: string, sender: Sender): State | undefined {
    const needsBoth = sender !== HONEST && !this.is("contract: a transcript needs only one signature");
    if (needsBoth && !this.isSigned(s, nonce, text)) return undefined;
    const { messages, forfeit } = this.standing(nonce, text);
    if (forfeit && this.is("contract: a refused action makes a transcript invalid")) return undefined;
    if (s.challenged && nonce + 1 === s.nonce) {
      const voided = this.posted(s) && this.taken(s);
      if (this.is("contract: a longer transcript does not supersede a challenge")) return undefined;
      const isSameLength = this.is("contract: a transcript of the same length supersedes a challenge");
      const least = isSameLength ? messages + 1 : messages;
      return voided && voided.count < least ? voided.state : undefined;
    }
    const isNext =
      nonce === s.nonce ||
      (nonce < s.nonce && this.is("contract: a settled match is settled again")) ||
      (nonce > s.nonce && this.is("contract: matches are settled in any order"));
    if (!isNext || spanOf(nonce) !== spanOf(s.nonce)) return undefined;
    if (s.time > this.offersUntil && !this.is("contract: a match starts after the end of its offer")) return undefined;
    const isFree = !this.posted(s) || this.is("contract: a second match starts while a match is pending");
    if (!isFree) return undefined;
    return s.time > this.offersUntil ? broken(s, `match ${nonce} starts after the end of its offer`) : s;
  }

  /** Returns the number of a player's last message in a transcript, where 0 is the offer; -1 if there is none. */
  private lastOf(nonce: number, text: string, side: Side): number {
    let last = text.length - 1;
    while (last >= 0 && this.signerOf(nonce, text, last) !== side) last--;
    return last;
  }

  /** Returns whether the honest player has signed its last message in a transcript. */
  isSigned(s: State, nonce: number, text: string): boolean {
    const last = this.lastOf(nonce, text, HONEST) + 1;
    const isNamed = !this.is("contract: a message does not name the message before it");
    return s.signed.some(([match, each]) => {
      if (match !== nonce || each.length !== last) return false;
      if (each === text.slice(0, last)) return true;
      if (text[last - 1] === REFUSED) return this.is("contract: too little gas counts as a refusal");
      return !isNamed && each[last - 1] === text[last - 1];
    });
  }

  /** Returns transcripts like this one that the honest player has not signed. */
  forgeries(nonce: number, text: string): string[] {
    const { turn, count, seen, forfeit } = this.standing(nonce, text);
    const found: string[] = [];
    // The honest player's last action with too little gas, so that the game seems to refuse it.
    if (!seen && !forfeit && count > 0) found.push(text.slice(0, -1) + REFUSED);
    // Another message of the adversary, before the honest player's.
    const before = text.length - 2;
    if (!seen && before >= 0) {
      for (const choice of this.choices(nonce, before - 1, ADVERSARY)) {
        if (choice !== text[before] && choice !== REFUSED) {
          found.push(text.slice(0, before) + choice + text.slice(before + 1));
        }
      }
    }
    // A message in the name of the honest player.
    if (turn === HONEST) for (const choice of this.choices(nonce, count, HONEST)) found.push(text + choice);
    return found;
  }

  /** Returns a balance with all the money for the adversary, signed by the adversary only. */
  forgedBalances(s: State): Balance[] {
    return s.open
      ? [{ from: s.nonce, nonce: s.nonce + 1, amounts: [0, sumOf(s.held)], both: false, isForged: true }]
      : [];
  }

  /** Takes back the pending match, if there is one; returns undefined if its clock has run out. */
  private taken(s: State): { state: State; count: number } | undefined {
    const posted = this.posted(s);
    if (!posted) return { state: s, count: 0 };
    if (posted.left < 0) return undefined;
    const [honest, adversary] = this.stakesOf(posted.nonce);
    let stakes: Amounts = [honest, adversary];
    if (this.is("contract: a match that is taken back returns no stakes")) stakes = [0, 0];
    if (this.is("contract: the two seats' stakes are swapped")) stakes = [adversary, honest];
    const arena = s.arena.filter((each) => each !== posted);
    const state = { ...s, arena, held: added(s.held, stakes), nonce: s.nonce - 1 };
    return { state, count: this.standing(posted.nonce, posted.text).messages };
  }

  /** Ends a match in the arena, and pays the purses. */
  private ended(s: State, brought: Brought, taker: Side | undefined, how: "end" | "clock" | "resigned"): State {
    const { nonce, text, turn } = brought;
    const { gains, house } = this.outcome(nonce, taker, how === "clock");
    const arena = s.arena.filter((each) => each.nonce !== nonce);
    const purses = added(s.purses, added(this.stakesOf(nonce), gains));
    const next = { ...s, arena, purses, house: s.house + house };
    const noted = this.noted(next, nonce, how === "end" ? text : undefined, gains[HONEST]);
    return how === "clock" && turn === HONEST ? broken(noted, `match ${nonce} is lost by the clock`) : noted;
  }

  /** Records the gain of the honest player from a match, and checks that it does not contradict its messages. */
  private noted(s: State, nonce: number, text: string | undefined, gain: number): State {
    const i = this.indexOf(nonce);
    const gains = s.gains.with(i, gain);
    const next = { ...s, gains };
    if (s.gains[i] !== null) return broken(next, `match ${nonce} is settled twice`);
    if (!s.signed.some(([match]) => match === nonce)) return broken(next, `nothing is signed in match ${nonce}`);
    // A player who resigns or times out gives up its stake.
    if (text === undefined) return next;
    const known = s.texts[i];
    const { forfeit, seen } = this.standing(nonce, known);
    // A refused action is not binding, because the adversary may also have signed another action.
    const bound = forfeit ? known.slice(0, seen ? -2 : -1) : known;
    const signed = bound.slice(0, this.lastOf(nonce, bound, HONEST) + 1);
    const isContradiction = signed.endsWith(SEEN) ? plain(text) !== plain(signed) : !text.startsWith(signed);
    // Only the adversary would send an end that the honest player lost by its own last action.
    const isLost = this.hasMoverLost(this.standing(nonce, bound)) && gain >= this.gainOf(nonce, bound);
    if (isContradiction && !isLost) return broken(next, `${text} of match ${nonce} is not ${signed}`);
    if (!this.isFinal(nonce, bound)) return next;
    const due = this.gainOf(nonce, bound);
    return gain < due ? broken(next, `match ${nonce} gains ${gain} instead of ${due}`) : next;
  }

  /** Returns an error if money was created or lost; otherwise undefined. */
  lostMoney(s: State): string | undefined {
    const staked = s.arena.reduce((sum, { nonce }) => sum + sumOf(this.stakesOf(nonce)), 0);
    const sum = sumOf(s.held) + sumOf(s.purses) + s.house + staked;
    const isShort = [...s.held, ...s.purses, s.house].some((amount) => amount < 0);
    const total = TOTAL * (1 + s.opening);
    return sum !== total || isShort ? `all money is ${sum} instead of ${total}` : undefined;
  }
}

export function other(side: Side): Side {
  return side === HONEST ? ADVERSARY : HONEST;
}

export function broken(s: State, bad: string): State {
  return s.bad === "" ? { ...s, bad } : s;
}

export function added(one: Amounts, two: Amounts): Amounts {
  return [one[0] + two[0], one[1] + two[1]];
}

function sumOf([one, two]: Amounts): number {
  return one + two;
}

/** Returns the number of the opening to which a match belongs, from 1. */
export function spanOf(nonce: number): number {
  return Math.floor(nonce / SPAN);
}

/** Returns a call with its numbers moved to the current opening. */
function renewed(call: Call, present: number): Call {
  const here = (nonce: number) => (nonce % SPAN) + spanOf(present) * SPAN;
  if (call.type === "challenge") return { ...call, nonce: here(call.nonce) };
  if (call.type === "play") return { ...call, matches: call.matches.map(([nonce, text]) => [here(nonce), text]) };
  return call.type === "checkpoint" ? { ...call, balance: { ...call.balance, nonce: here(call.balance.nonce) } } : call;
}

function plain(text: string): string {
  return text.endsWith(SEEN) ? text.slice(0, -1) : text;
}
