import { expect } from "chai";
import { concat, id, type ContractTransactionResponse } from "ethers";
import { Random } from "../../scripts/soak/random.js";
import { NO_END } from "../../sdk/protocol/channels/messages.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { channelled, FIRST, type ChannelWorld, type Pair } from "../support/channels.js";
import { loadFixture, networkHelpers, now, Seat, Status, step, termsFor, time, UNIT } from "../support/index.js";
import { nameOf, Search, type Attempt, type Transition } from "./model/explore.js";
import { HONEST, REFUSED, SEEN, SPAN, START, spanOf, type Call, type Sender, type State } from "./model/rules.js";
import { sampleOf, type Branch } from "./model/sample.js";

const TRACES = 100;
/** Maximum number of steps of a trace. */
const STEPS = 30;
/** Length of a tick of the model in seconds. All transactions of a tick take less than half of it. */
const TICK = 1000;
/** Clock that runs out between one and two ticks later. */
const CLOCK = 1500n;
/** Openings of the channels whose transitions are sampled. */
const ROUND = { actions: 2, rated: false, stakes: [10, 5] } as const;
const MARKS = { actions: 3, rated: true, stakes: [5, 10] } as const;
const ONE = { until: 3, clock: 1, batch: 2, races: true, closes: true };
const SAMPLED = [
  { ...ONE, openings: [[ROUND]] },
  { ...ONE, openings: [[MARKS]], races: false },
  { ...ONE, openings: [[ROUND], [ROUND]], until: 2, races: false, closes: false },
];
const [WIN, LOSS, DRAW] = [Seat.One, Seat.Two, Seat.None].map((taker) => step(Seat.None, taker));

/** Ticks of the model so far, and at each opening of the channel. */
interface Moment {
  ticks: number;
  openedAt: readonly number[];
}

/** Types of calls that the contracts have accepted and refused. */
interface Seen {
  taken: Set<string>;
  refused: Set<string>;
}

/** Traces of one channel, executed by the model and by the contracts. */
class Traces {
  /** Steps so far, for messages. */
  private readonly steps: string[] = [];
  /** True while a call has another signature in place of the honest player's. */
  private isForged = false;
  private moment: Moment = { ticks: 0, openedAt: [0] };

  constructor(
    private readonly w: ChannelWorld,
    private readonly pair: Pair,
    private readonly search: Search,
    private readonly base: number,
    private readonly purses: readonly bigint[],
    private readonly seen: Seen,
  ) {}

  /** Opens a channel with the first state of the model. */
  static async open(w: ChannelWorld, search: Search, base: number, seen: Seen): Promise<Traces> {
    const pair = await w.pairOf(w.alice, w.bob, ["key of alice 2", "key of bob 2"]);
    const { token } = pair.channel;
    await time.increaseTo(base);
    const purses = [await w.arena.purseOf(w.alice, token), await w.arena.purseOf(w.bob, token)];
    const traces = new Traces(w, pair, search, base, purses, seen);
    await traces.open();
    return traces;
  }

  /** Takes all paths from a state. */
  async walk({ state, tried, next }: Branch): Promise<void> {
    for (const attempt of tried) await this.try(state, attempt);
    const { moment } = this;
    for (const { transition, branch } of next) {
      const snapshot = next.length > 1 ? await networkHelpers.takeSnapshot() : undefined;
      await this.take(transition);
      await this.walk(branch);
      await snapshot?.restore();
      this.moment = moment;
      this.steps.pop();
    }
  }

  /** Takes a random path. */
  async wander(random: Random, length: number): Promise<void> {
    const { search } = this;
    let state = search.rules.first();
    for (let i = 0; i < length && (state.open || state.arena.length > 0); i++) {
      const transitions = search.next(state);
      const [ticks, own] = [transitions.filter(({ event }) => event), transitions.filter(({ by }) => by === "honest")];
      let transition: Transition | undefined;
      if (random.likely(40)) transition = ticks.at(0);
      else if (random.likely(60) && own.length > 0) transition = random.pick(own);
      else {
        const attempt = random.pick(search.calls(state));
        const to = search.rules.call(state, attempt.call, attempt.sender);
        if (!to || to === state) await this.try(state, attempt);
        else transition = transitions.find(({ sent }) => sent && isSame(sent, attempt));
      }
      if (!transition) continue;
      await this.take(transition);
      state = transition.to;
    }
  }

  /** Takes a step in the contracts, and expects the state of the model. */
  private async take(transition: Transition): Promise<void> {
    const { to, sent, event } = transition;
    this.steps.push(nameOf(transition));
    if (event === "tick") {
      this.moment = { ...this.moment, ticks: this.moment.ticks + 1 };
      await time.increaseTo(this.base + this.moment.ticks * TICK);
    }
    if (event === "open") {
      this.moment = { ...this.moment, openedAt: [...this.moment.openedAt, this.moment.ticks] };
      await this.open();
    }
    if (sent) await this.expectSame(sent.calls, sent.sender, sent.isTaken);
    // Steps by messages alone do not change the chain.
    if (sent ?? event) await this.expectState(to);
  }

  /** Sends a call that changes nothing. */
  private async try(state: State, { call, sender }: Attempt): Promise<void> {
    const { rules } = this.search;
    this.isForged = false;
    if (call.type === "checkpoint") this.isForged = call.balance.isForged ?? false;
    if (call.type === "challenge") this.isForged = !rules.isSigned(state, call.nonce, call.text);
    if (call.type === "play") this.isForged = call.matches.some(([nonce, text]) => !rules.isSigned(state, nonce, text));
    await this.expectSame([call], sender, rules.call(state, call, sender) !== undefined);
    await this.expectState(state);
    this.isForged = false;
  }

  private async open(): Promise<void> {
    const amount = BigInt(START[HONEST]) * UNIT;
    const opening = this.moment.openedAt.length - 1;
    await this.pair.open(amount, amount, this.secondOf(opening, this.search.rules.setup.until));
  }

  /** Expects the contracts to have the state of the model. */
  private async expectState(s: State): Promise<void> {
    const { pair, w } = this;
    const { amount1, amount2, nonce, until } = await pair.state();
    const token = pair.channel.token;
    const [one, two] = await Promise.all(
      [w.alice, w.bob].map((player, i) => w.arena.purseOf(player, token).then((purse) => purse - this.purses[i])),
    );
    const posted = [];
    for (const each of this.search.rules.nonces()) {
      const match = await w.arena.matchOf(pair.matchIdOf(this.nonceOf(each))).catch(() => undefined);
      if (match?.status === Status.AllJoined) posted.push([each, match.posted]);
    }
    const actual = { amounts: [amount1, amount2], nonce, open: until !== 0, purses: [one, two], arena: posted };
    const ordered = (amounts: readonly number[]) => this.inOrder(amounts).map((amount) => BigInt(amount) * UNIT);
    // Each opening takes the amounts from the purses.
    const paid = s.purses.map((purse, side) => purse - START[side] * (1 + s.opening));
    expect(actual, this.steps.join("\n")).to.deep.equal({
      amounts: ordered(s.held),
      nonce: this.nonceOf(s.nonce),
      open: s.open,
      purses: ordered(paid),
      arena: s.arena.map((match) => [match.nonce, match.posted]).toSorted(([a], [b]) => Number(a) - Number(b)),
    });
  }

  /** Sends calls, and expects the contracts to accept or refuse them like the model. */
  private async expectSame(calls: readonly Call[], sender: Sender, isTaken: boolean): Promise<void> {
    if (calls.length === 0) return;
    for (const { type } of calls) this.seen[isTaken ? "taken" : "refused"].add(type);
    let refusal: unknown;
    try {
      await this.send(calls, sender);
    } catch (error) {
      refusal = error;
    }
    const what = `${this.steps.join("\n")}\n${String(sender)} ${JSON.stringify(calls)}: ${String(refusal)}`;
    expect(refusal === undefined, what).to.equal(isTaken);
  }

  private async send(calls: readonly Call[], sender: Sender): Promise<ContractTransactionResponse> {
    const { w, pair } = this;
    const signer = sender === "stranger" ? w.stranger : this.inOrder([w.alice, w.bob])[sender];
    const [call] = calls;
    const arena = w.arena.connect(signer);
    if (call.type === "timeout") return arena.timeout(pair.matchIdOf(this.nonceOf(call.nonce)));
    if (call.type === "resign") return arena.resign(pair.matchIdOf(this.nonceOf(call.nonce)));
    if (call.type === "act") {
      const action = this.actionOf(call.nonce, call.text + call.action, call.text.length);
      return arena.act(pair.matchIdOf(this.nonceOf(call.nonce)), action);
    }
    const data: string[] = [];
    for (const each of calls) data.push(await this.encode(each, sender));
    return w.channels.connect(signer).multicall(data);
  }

  private async encode(call: Call, sender: Sender): Promise<string> {
    const { w, pair } = this;
    const { channel } = pair;
    const { interface: abi } = w.channels;
    if (call.type === "expire") return abi.encodeFunctionData("expire", [channel]);
    if (call.type === "checkpoint") {
      const { nonce, amounts, close } = call.balance;
      const [one, two] = this.inOrder(amounts).map((amount) => BigInt(amount) * UNIT);
      const until = close ? this.secondOf(spanOf(nonce) - 1, close.until) : NO_END;
      const [of, number, amount1, amount2, isClose, end, ...signatures] = await pair.balance(
        this.nonceOf(nonce),
        one,
        two,
        { close: close !== undefined, until },
      );
      const signed = this.withForgery(signatures);
      return abi.encodeFunctionData("checkpoint", [of, number, amount1, amount2, isClose, end, ...signed]);
    }
    if (call.type === "challenge") {
      const transcript = await this.transcript(call.nonce, call.text);
      return abi.encodeFunctionData("challenge", [
        channel,
        this.nonceOf(call.nonce),
        await this.terms(call.nonce),
        transcript,
      ]);
    }
    if (call.type !== "play") throw new Error(`${call.type} is not a call of the channels`);
    const [[nonce]] = call.matches;
    const transcripts = [];
    for (const [each, text] of call.matches) transcripts.push(await this.transcript(each, text, sender));
    return abi.encodeFunctionData("play", [channel, this.nonceOf(nonce), await this.terms(nonce), transcripts]);
  }

  /** Returns the transcript of a match. By sending it, the sender consents to an end that it did not acknowledge. */
  private async transcript(nonce: number, text: string, sender?: Sender) {
    const { rules } = this.search;
    const { mover, count, seen } = rules.standing(nonce, text);
    const isConsent = sender !== undefined && sender !== "stranger" && sender !== mover && !seen;
    const actions = Array.from({ length: count }, (_, i) => this.actionOf(nonce, text, i + 1));
    const transcript = await this.pair.transcript(
      this.nonceOf(nonce),
      await this.terms(nonce),
      { position: id(`offer ${text[0]}`), actions },
      {
        swapped: nonce % 2 === 1,
        until: this.secondOf(spanOf(nonce) - 1, rules.offersUntil),
        seen: text.endsWith(SEEN),
        ...(isConsent && { sender: rules.sideOfSeat(nonce, 1) === sender ? Seat.One : Seat.Two }),
      },
    );
    const [signature1, signature2] = this.withForgery([transcript.signature1, transcript.signature2]);
    return { ...transcript, signature1, signature2 };
  }

  /** Replaces the honest player's signature by the adversary's, if the call is forged. */
  private withForgery(signatures: readonly [Hex, Hex]): readonly [Hex, Hex] {
    if (!this.isForged) return signatures;
    const adversarys = this.search.rules.setup.number === 1 ? signatures[1] : signatures[0];
    return [adversarys, adversarys];
  }

  /** Returns the data of an action, which the scripted game executes. */
  private actionOf(nonce: number, text: string, i: number): Hex {
    if (text[i] === REFUSED) return "0x12";
    const { actions } = this.search.rules.planOf(nonce);
    if (i < actions) return concat([step(i % 2 === 1 ? Seat.One : Seat.Two), id(`action ${text[i]}`)]);
    return [WIN, LOSS, DRAW][actions === 2 ? (Number(text[0]) + Number(text[1])) % 3 : Number(text[i])];
  }

  private async terms(nonce: number) {
    const { stakes, rated } = this.search.rules.planOf(nonce);
    const [stake1, stake2] = stakes.map((stake) => BigInt(stake) * UNIT);
    return termsFor(this.w, { stake1, stake2, rated, clock: CLOCK });
  }

  private nonceOf(nonce: number): number {
    return FIRST * spanOf(nonce) + (nonce % SPAN);
  }

  /** Returns a time between a tick of an opening and the next. */
  private secondOf(opening: number, tick: number): number {
    return this.base + (this.moment.openedAt[opening] + tick) * TICK + TICK / 2;
  }

  /** Reorders values of the honest player and the adversary to those of players 1 and 2, or the reverse. */
  private inOrder<T>(values: readonly T[]): T[] {
    return this.search.rules.setup.number === 1 ? [...values] : [...values].reverse();
  }
}

function isSame({ sender, calls }: Transition["sent"] & {}, attempt: Attempt): boolean {
  return sender === attempt.sender && JSON.stringify(calls) === JSON.stringify([attempt.call]);
}

describe("Channels: traces of the model", () => {
  const types = ["act", "challenge", "checkpoint", "expire", "play", "resign", "timeout"];
  let w: ChannelWorld;
  let seen: Seen;
  let base: number;
  beforeEach(async () => {
    w = await loadFixture(channelled);
    seen = { taken: new Set(), refused: new Set() };
    base = Number(await now()) + TICK;
  });
  afterEach(() => {
    for (const each of [seen.taken, seen.refused]) expect([...each].toSorted()).to.deep.equal(types);
  });

  it("lead to the same amounts, numbers, ends and refusals in the contracts, if they are random", async () => {
    const random = new Random("random traces");
    const snapshot = await networkHelpers.takeSnapshot();
    for (let n = 0; n < TRACES; n++) {
      const openings = [[ROUND, n % 4 < 2 ? ROUND : MARKS]];
      const search = new Search({ ...ONE, openings, number: n % 2 === 0 ? 1 : 2 });
      const traces = await Traces.open(w, search, base, seen);
      await traces.wander(random, STEPS);
      await snapshot.restore();
    }
  });

  it("lead to the same states in the contracts, in each kind of transition and of refused call", async () => {
    const snapshot = await networkHelpers.takeSnapshot();
    const known = new Set<string>();
    for (const setup of SAMPLED) {
      for (const number of [1, 2] as const) {
        const search = new Search({ ...setup, number });
        const root = sampleOf(search, known);
        const traces = await Traces.open(w, search, base, seen);
        await traces.walk(root);
        await snapshot.restore();
      }
    }
    expect(known.size).to.equal(591);
  });
});
