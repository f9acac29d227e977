/**
 * The honest player of the model. It follows `ChannelPlayer`: the real `chainDuties` chooses its next action on chain.
 * It signs according to these rules:
 *
 * - In each tick, so at least once per clock, it reads messages and the chain and reacts to both, until it has nothing
 *   more to do. If a transaction is refused because the adversary was faster, it looks again.
 * - It offers, answers and continues a match only while the match can still be sent to the chain.
 * - It signs nothing in a match with which it has challenged, or in which the arena waits for the opponent.
 * - It acknowledges an end by the opponent, even if the opponent submitted that end only on chain.
 * - It signs one balance after final unrated matches.
 * - It signs a closing balance between matches, if the chain cannot change the amounts. While that balance is valid,
 *   it signs nothing else.
 *
 * At any moment, it can lose its patience or want to close the channel.
 */
import { chainDuties, type ChainDuty, type MatchFacts } from "../../../sdk/player/channels/duty.js";
import { Seat } from "../../../sdk/protocol/status.js";
import {
  added,
  ADVERSARY,
  broken,
  HONEST,
  SEEN,
  type Amounts,
  type Balance,
  type Brought,
  type Call,
  type Rules,
  type State,
} from "./rules.js";

/** Number of ticks before an end at which the player submits everything to the chain. */
const MARGIN = 1;
const CLOSE_TICKS = 1;

interface Held {
  nonce: number;
  amounts: Amounts;
  /** Number of the first match whose outcome the player has not read from the chain. */
  from: number;
}

export class Honest {
  constructor(private readonly rules: Rules) {}

  /** Returns the amounts before and after the final matches, according to chain and messages. */
  settled(s: State): { from: Held; held: Held } | undefined {
    if (!s.open) return undefined;
    const base = this.base(s);
    const agreed = this.agreed(s);
    const from = agreed && agreed.nonce > base.nonce ? agreed : base;
    let held = from;
    for (let { nonce } = from; this.isEnded(s, nonce); nonce++) held = this.after(s, held);
    return { from, held };
  }

  agreed(s: State): Balance | undefined {
    return s.balances.filter(({ both, close }) => both && !close).toSorted((a, b) => b.nonce - a.nonce)[0];
  }

  base(s: State): Held {
    const posted = this.posted(s);
    const { nonce, amounts } = posted
      ? { nonce: posted.nonce, amounts: added(s.held, this.rules.stakesOf(posted.nonce)) }
      : { nonce: s.nonce, amounts: s.held };
    return { nonce, amounts, from: nonce };
  }

  /** Treats an end that the adversary has put on chain like a message. */
  readChain(s: State): State {
    const posted = this.posted(s);
    if (!posted || posted.turn !== HONEST || posted.left < 0) return s;
    const { nonce, text } = posted;
    const known = this.rules.textOf(s, nonce);
    // Only the last message can be read from the chain.
    const isNext = text.startsWith(known) && text.length === known.length + 1;
    const isNew = isNext && this.settled(s)?.held.nonce === nonce;
    return isNew && this.rules.standing(nonce, text).turn === undefined ? this.withText(s, nonce, text) : s;
  }

  /**
   * Returns the states after each message that the relay can deliver now. The adversary signs anything. The relay
   * withholds, repeats and reorders messages, and anybody can send a message to it.
   */
  deliveries(s: State): [string, State][] {
    const { rules } = this;
    const { held } = this.settled(s) ?? {};
    if (!held) return [];
    const { nonce } = held;
    const results: [string, State][] = [];
    const match = rules.indexOf(nonce) >= 0 && this.isAlive(s, nonce) ? rules.textOf(s, nonce) : undefined;
    for (const text of match === undefined ? [] : this.deliverable(nonce, match)) {
      const state = this.read(s, held, text);
      if (state !== s) results.push([`message ${text} of match ${nonce}`, state]);
    }
    for (const balance of s.balances) {
      if (balance.both || (balance.close && balance.close.until < s.time)) continue;
      const balances = s.balances.map((each) => (each === balance ? { ...each, both: true } : each));
      results.push([`balance ${balance.nonce}`, { ...s, balances }]);
    }
    if (rules.setup.closes && this.isIdle(s) && !this.closing(s)) {
      const close = { until: s.time + CLOSE_TICKS, isOwn: false };
      const balance = { ...this.balanceOf(held), both: true, close };
      // The honest player may agree to a request; if it does not agree, nothing changes.
      if (!this.isStopped(s)) results.push(["request to close", { ...s, balances: [...s.balances, balance] }]);
    }
    return results;
  }

  /** Returns the messages that the relay can deliver in a match, each with its predecessors. */
  private deliverable(nonce: number, match: string): string[] {
    const { rules } = this;
    const texts: string[] = [];
    // The message before each of the honest player's, again or with another choice, then the next message.
    for (let i = 0; i <= match.length; i++) {
      const before = match.slice(0, i);
      if (rules.signerOf(nonce, match, i) !== ADVERSARY) continue;
      for (const choice of this.nextIn(nonce, before)) texts.push(before + choice);
    }
    // The next message but one, without the honest player's message between both.
    if (match && rules.standing(nonce, match).turn === HONEST) {
      for (const own of this.nextIn(nonce, match)) {
        for (const choice of this.nextIn(nonce, match + own)) texts.push(match + own + choice);
      }
    }
    return texts;
  }

  /** Returns the messages that can follow in a match. */
  private nextIn(nonce: number, text: string): string[] {
    const { rules } = this;
    if (text === "") return rules.planOf(nonce).actions === 2 ? ["0", "1", "2"] : ["0"];
    const { turn, count, seen } = rules.standing(nonce, text);
    if (turn !== undefined) return rules.choices(nonce, count, turn);
    return seen ? [] : [SEEN];
  }

  /** Reads a message of the adversary, if it is new and follows the known messages; otherwise nothing changes. */
  private read(s: State, held: Held, text: string): State {
    const { rules } = this;
    const { nonce } = held;
    const known = rules.textOf(s, nonce);
    if (rules.signerOf(nonce, text, text.length - 1) !== ADVERSARY) return s;
    if (text.length === 1 && !this.mayPlay(s, held)) return s;
    if (text.length <= known.length) {
      const isAgain = known.startsWith(text);
      const isRead = isAgain
        ? rules.is("client: reads a repeated message again")
        : rules.is("client: replaces a message that it has by another one with the same number");
      return isRead && text !== known ? this.withText(s, nonce, isAgain ? text : text + known.slice(text.length)) : s;
    }
    const isNext = text.length === known.length + 1 && text.startsWith(known);
    if (!isNext && !rules.is("client: reads a message before the previous one")) return s;
    if (isNext && rules.isFinal(nonce, known)) return s;
    return this.withText(s, nonce, text);
  }

  /** Returns the state after a restart of the player's program. The log has everything that the player has signed. */
  restarted(s: State): State {
    const { rules } = this;
    const held = this.settled(s)?.held;
    if (!rules.is("client: sends a message before logging it") || !held) return s;
    const text = rules.textOf(s, held.nonce);
    const isOwn = text !== "" && rules.signerOf(held.nonce, text, text.length - 1) === HONEST;
    return isOwn ? this.withText(s, held.nonce, text.slice(0, -1)) : s;
  }

  /** Returns the states after each message that the honest player may sign now. */
  signings(s: State): [string, State][] {
    const { rules } = this;
    const { from, held } = this.settled(s) ?? {};
    if (!from || !held) return [["", s]];
    if (this.isStopped(s) && !rules.is("client: continues to sign after a closing balance")) return [["", s]];
    const { nonce } = held;
    const match = rules.textOf(s, nonce);
    const results: [string, State][] = [];
    for (const text of this.answers(s, held, match)) {
      const next = text === match ? s : this.signed(s, nonce, text);
      results.push([text === match ? "" : `signs ${text} in match ${nonce}`, this.balanced(next)]);
    }
    const isAgain = rules.is("client: makes a second offer before the first ends") && match.length === 1;
    if ((!match || isAgain) && rules.sideOfSeat(nonce, 1) === HONEST && this.mayPlay(s, held)) {
      for (const choice of rules.planOf(nonce).actions === 2 ? ["0", "1", "2"] : ["0"]) {
        results.push([`offers match ${nonce} with ${choice}`, this.signed(s, nonce, choice)]);
      }
    }
    if (rules.setup.closes && this.isIdle(s) && !this.closing(s)) {
      const close = { until: s.time + CLOSE_TICKS, isOwn: true };
      results.push(["signs to close", { ...s, balances: [...s.balances, { ...this.balanceOf(held), close }] }]);
    }
    return results;
  }

  duty(s: State, isPatient: boolean): ChainDuty | undefined {
    const { rules } = this;
    const { setup } = rules;
    const base = this.base(s);
    const { from, held } = this.settled(s) ?? {};
    const facts: MatchFacts[] = [];
    for (let nonce = from?.nonce ?? 0; from && rules.textOf(s, nonce) !== ""; nonce++) {
      const text = rules.textOf(s, nonce);
      const standing = rules.standing(nonce, text);
      const { mover, turn, seen, messages, forfeit } = standing;
      facts.push({
        nonce,
        messages,
        isFinal: rules.isFinal(nonce, text),
        isOwnLast:
          !seen && mover === HONEST && turn !== HONEST && !rules.hasMoverLost(standing) && this.isAlive(s, nonce),
        isRefused: forfeit && mover === ADVERSARY,
        rated: rules.planOf(nonce).rated,
        until: rules.offersUntil,
        since: s.time,
      });
    }
    const isBlind = rules.is("client: does not look for old matches in the arena");
    const seen = s.arena.filter(({ nonce }) => !isBlind || nonce >= (held?.nonce ?? 0));
    const matches = seen.map(({ nonce, text, posted, turn, left }) => ({
      ...{ nonce, posted, player1: "", position: "0x" as const, count: rules.standing(nonce, text).messages },
      isOver: rules.standing(nonce, text).turn === undefined,
      turn: turn === HONEST ? Seat.One : Seat.Two,
      deadline: s.time + left,
    }));
    const isLate = rules.is("client: submits nothing before the channel ends");
    const open = { nonce: base.nonce, amount1: 0n, amount2: 0n, until: setup.until, isFinal: true };
    const chain = { time: s.time, finalTime: s.time, firstNonce: 0, isFinal: true, matches, ...(s.open && { open }) };
    const closing = s.open ? this.closing(s) : undefined;
    const [first] = chainDuties({
      chain,
      opening: { isOwn: true, isStaked: true },
      agreed: this.agreed(s)?.nonce,
      ...(closing && { closing: { isOwn: closing.close!.isOwn, since: s.time } }),
      matches: facts,
      isOwnTurn: ({ turn }) => turn === Seat.One,
      own: BigInt(s.held[HONEST]),
      isGettingUp: false,
      limits: { patience: isPatient ? Infinity : 0, margin: isLate ? -2 : MARGIN, batch: setup.batch },
    });
    return first;
  }

  /** Returns the transactions for the next action, each as calls that all succeed or all fail. */
  transactions(s: State, due: ChainDuty | undefined): Call[][] {
    const { rules } = this;
    if (!due || due.type === "open") return [];
    if (due.type === "timeout") return [[{ type: "timeout", nonce: due.nonce }]];
    if (due.type === "act") {
      const { nonce, text } = s.arena.find((match) => match.nonce === due.nonce)!;
      const known = rules.textOf(s, nonce);
      const isKnown = known.startsWith(text) && known.length > text.length;
      return (isKnown ? [known[text.length]] : rules.choices(nonce, text.length - 1, HONEST)).map(
        (action) => [{ type: "act", nonce, text, action }] satisfies Call[],
      );
    }
    const calls: Call[] = [];
    const base = this.base(s);
    const agreed = this.agreed(s);
    const { challenge, close } = due.type === "bring" ? due : {};
    const isHasty = rules.is("client: challenges without submitting a checkpoint first") && challenge !== undefined;
    if (agreed && agreed.nonce > base.nonce && !isHasty) calls.push({ type: "checkpoint", balance: agreed });
    if (due.type === "expire") return [[...calls, { type: "expire" }]];
    const posted = this.posted(s);
    let matches: (readonly [number, string])[] = [];
    const { from, held } = this.settled(s)!;
    for (let { nonce } = from; nonce < held.nonce; nonce++) {
      const text = rules.textOf(s, nonce);
      if (!this.isAlive(s, nonce) || (posted?.nonce === nonce && text.length <= posted.text.length)) break;
      // All matches of a batch have the same terms.
      if (matches.length > 0 && rules.planOf(nonce) !== rules.planOf(nonce - 1)) {
        calls.push({ type: "play", matches });
        matches = [];
      }
      matches.push([nonce, text]);
    }
    if (rules.is("client: submits only the last match before the channel ends") && challenge !== undefined)
      matches = [];
    if (matches.length > 0) calls.push({ type: "play", matches });
    if (challenge !== undefined) calls.push({ type: "challenge", nonce: challenge, text: rules.textOf(s, challenge) });
    if (close) calls.push({ type: "checkpoint", balance: this.closing(s)! });
    return calls.length > 0 ? [calls] : [];
  }

  /** Returns the messages of a match after the honest player's next one; unchanged if it signs nothing. */
  private answers(s: State, held: Held, match: string): string[] {
    const { rules } = this;
    const { nonce } = held;
    if (!match || !this.isAlive(s, nonce)) return [match];
    const there = s.arena.find((each) => each.nonce === nonce);
    if (!there && s.time > rules.offersUntil - MARGIN / 2 && !this.isCareless) return [match];
    const { turn, mover, count, seen, messages } = rules.standing(nonce, match);
    const isElsewhere = there ? !there.posted || there.turn === ADVERSARY : s.challenges.includes(nonce);
    if (isElsewhere && !rules.is("client: continues by messages after its challenge")) return [match];
    const own = rules.choices(nonce, count - 1, HONEST);
    if (rules.is("client: signs two messages with the same number") && mover === HONEST && own.length > 1) {
      return [match, ...own.map((choice) => match.slice(0, -1) + choice)];
    }
    if (turn === undefined) {
      const isDue = mover === ADVERSARY && !seen && !rules.isFinal(nonce, match);
      return [isDue ? match + SEEN : match];
    }
    if (turn === ADVERSARY || (there && rules.standing(nonce, there.text).messages >= messages)) return [match];
    if (count === 0 && !this.mayPlay(s, held)) return [match];
    return rules.choices(nonce, count, HONEST).map((choice) => match + choice);
  }

  /** Signs the balance after final unrated matches. */
  private balanced(s: State): State {
    const { rules } = this;
    const { from, held } = this.settled(s)!;
    const { nonce } = held;
    for (let each = from.nonce; each < nonce; each++) {
      const { forfeit } = rules.standing(each, rules.textOf(s, each));
      if (rules.planOf(each).rated || forfeit) return s;
    }
    const isDone = nonce === from.nonce || s.balances.some((each) => !each.close && each.nonce === nonce);
    return isDone ? s : { ...s, balances: [...s.balances, this.balanceOf(held)] };
  }

  private signed(s: State, nonce: number, text: string): State {
    const earlier = s.signed.filter(([match]) => match === nonce).map(([, each]) => each);
    // The signature of the same message is the same.
    if (earlier.includes(text)) return this.withText(s, nonce, text);
    const next = { ...this.withText(s, nonce, text), signed: [...s.signed, [nonce, text] as const] };
    const isTwice = earlier.some((each) => each.length === text.length && each !== text);
    if (isTwice) return broken(next, `two messages of one number are signed in match ${nonce}`);
    // Only the newest message is compared, because each message contains all earlier ones.
    const newest = earlier.at(-1) ?? "";
    return text.startsWith(newest) ? next : broken(next, `${text} of match ${nonce} does not follow ${newest}`);
  }

  private withText(s: State, nonce: number, text: string): State {
    return { ...s, texts: s.texts.with(this.rules.indexOf(nonce), text) };
  }

  private after(s: State, { nonce, amounts, from }: Held): Held {
    const { taker, forfeit } = this.rules.standing(nonce, this.rules.textOf(s, nonce));
    const { gains, house } = this.rules.outcome(nonce, taker, forfeit);
    const isFree = this.rules.is("client: deducts no house share from a balance") && taker !== undefined;
    const paid: Amounts = isFree ? added(gains, taker === HONEST ? [house, 0] : [0, house]) : gains;
    return { nonce: nonce + 1, amounts: added(amounts, paid), from };
  }

  private balanceOf({ nonce, amounts, from }: Held): Balance {
    return { from, nonce, amounts, both: false };
  }

  private isEnded(s: State, nonce: number): boolean {
    const text = this.rules.textOf(s, nonce);
    return text !== "" && this.rules.isFinal(nonce, text);
  }

  private posted(s: State): Brought | undefined {
    return s.arena.find(({ posted }) => posted);
  }

  /** Returns whether a match is on chain, or can still be sent there. */
  private isAlive(s: State, nonce: number): boolean {
    return s.time <= this.rules.offersUntil || this.isCareless || s.arena.some((match) => match.nonce === nonce);
  }

  private get isCareless(): boolean {
    return this.rules.is("client: continues to play after the end of the offer");
  }

  private mayPlay(s: State, held: Held): boolean {
    const { rules } = this;
    if (rules.indexOf(held.nonce) < 0) return false;
    const stakes = rules.stakesOf(held.nonce);
    const isInTime = s.time + MARGIN <= rules.offersUntil;
    if (rules.is("client: answers for stakes that the channel does not hold")) return isInTime;
    const amounts = this.leastAfter(s, held);
    return isInTime && amounts[0] >= stakes[0] && amounts[1] >= stakes[1];
  }

  /** Returns the least amounts in the channel: an earlier match that may be in the arena can end there instead. */
  private leastAfter(s: State, { nonce, amounts }: Held): Amounts {
    const { rules } = this;
    const earlier = rules.nonces().filter((each) => each >= this.base(s).nonce && each < nonce);
    const elsewhere = earlier.filter((each) => s.challenges.includes(each) || this.posted(s)?.nonce === each);
    if (rules.is("client: answers for stakes that a match in the arena can take out of the channel")) return amounts;
    return elsewhere.reduce((least, each) => {
      const { taker, forfeit } = rules.standing(each, rules.textOf(s, each));
      const { gains } = rules.outcome(each, taker, forfeit);
      const [honest, adversary] = rules.stakesOf(each);
      return added(least, [-gains[HONEST] - honest, -gains[ADVERSARY] - adversary]);
    }, amounts);
  }

  /** Returns whether no match is in play and the amounts cannot change. */
  private isIdle(s: State): boolean {
    const { rules } = this;
    const { from, held } = this.settled(s)!;
    if (this.posted(s) && !rules.is("client: signs a closing balance while a match is pending in the arena"))
      return false;
    for (let { nonce } = from; nonce < held.nonce; nonce++) {
      if (rules.standing(nonce, rules.textOf(s, nonce)).forfeit) return false;
    }
    const isOther = ({ nonce, amounts }: Balance) => nonce === held.nonce && String(amounts) !== String(held.amounts);
    if (s.balances.some(isOther)) return false;
    return rules.textOf(s, held.nonce).length <= 1 || !this.isAlive(s, held.nonce);
  }

  private isStopped(s: State): boolean {
    const from = this.settled(s)?.from;
    return s.balances.some(({ nonce, close }) => close && close.until >= s.time && nonce >= from!.nonce);
  }

  /** Returns a valid balance that closes the channel after all matches. */
  private closing(s: State): Balance | undefined {
    const held = this.settled(s)?.held;
    return s.balances.find(({ nonce, both, close }) => {
      return close && close.until >= s.time && nonce === held!.nonce && both;
    });
  }
}
