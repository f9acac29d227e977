import { expect } from "chai";
import { concat, id, type ContractTransactionResponse } from "ethers";
import { Random } from "../../scripts/soak/random.js";
import { NO_END } from "../../sdk/protocol/channels/messages.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { channelled, FIRST, type ChannelWorld, type Pair } from "../support/channels.js";
import { loadFixture, networkHelpers, now, Seat, Status, step, termsFor, time, UNIT } from "../support/index.js";
import { Search } from "./model/explore.js";
import { HONEST, REFUSED, SEEN, SPAN, START, type Call, type Sender, type Setup, type State } from "./model/rules.js";

const TRACES = 200;
/** Maximum number of steps of a trace. */
const STEPS = 30;
/** Length of a tick of the model in seconds. All transactions of a tick take less than half of it. */
const TICK = 1000;
/** Clock that runs out between one and two ticks later. */
const CLOCK = 1500n;
const [WIN, LOSS, DRAW] = [Seat.One, Seat.Two, Seat.None].map((taker) => step(Seat.None, taker));

/** One trace, executed by the model and by the contracts. */
class Trace {
  private ticks = 0;

  constructor(
    private readonly w: ChannelWorld,
    private readonly pair: Pair,
    private readonly search: Search,
    private readonly base: number,
    private readonly purses: readonly bigint[],
    /** Types of the calls that were accepted, and of those that were refused. */
    private readonly seen: { taken: Set<string>; refused: Set<string> },
  ) {}

  /** Executes a step in the model and on chain. */
  async step(s: State, random: Random): Promise<{ state: State; what: string }> {
    const { search } = this;
    if (s.pending && random.likely(60)) {
      const { calls } = s.pending;
      const taken = calls.reduce<State | undefined>((at, call) => at && search.rules.call(at, call, HONEST), s);
      await this.expectSame(calls, HONEST, taken !== undefined);
      const state = search.mined(s);
      return { state, what: `honest: ${JSON.stringify(s.pending.calls)}` };
    }
    if (!s.pending && s.looked && random.likely(40)) {
      await time.increaseTo(this.base + ++this.ticks * TICK);
      return { state: search.tick(s), what: "tick" };
    }
    if (!s.pending && random.likely(60)) {
      const [what, state] = random.pick(search.steps(s));
      return { state, what: `honest: ${what}` };
    }
    const [call, sender] = random.pick(search.calls(s));
    const next = search.rules.call(s, call, sender);
    await this.expectSame([call], sender, next !== undefined);
    const state = next && s.pending ? { ...next, pending: { ...s.pending, raced: true } } : next;
    return { state: state ?? s, what: `${sender}: ${JSON.stringify(call)}` };
  }

  /** Expects the contracts to have the state of the model. */
  async expectState(s: State, trace: readonly string[]): Promise<void> {
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
    expect(actual, trace.join("\n")).to.deep.equal({
      amounts: ordered(s.held),
      nonce: this.nonceOf(s.nonce),
      open: s.open,
      purses: ordered(s.purses),
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
    expect(refusal === undefined, `${String(sender)} ${JSON.stringify(calls)}: ${String(refusal)}`).to.equal(isTaken);
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
      const until = close ? this.secondOf(close.until) : NO_END;
      const args = await pair.balance(this.nonceOf(nonce), one, two, { close: close !== undefined, until });
      return abi.encodeFunctionData("checkpoint", [...args]);
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
    return this.pair.transcript(
      this.nonceOf(nonce),
      await this.terms(nonce),
      { position: id(`offer ${text[0]}`), actions },
      {
        swapped: nonce % 2 === 1,
        until: this.secondOf(rules.offersUntil),
        seen: text.endsWith(SEEN),
        ...(isConsent && { sender: rules.sideOfSeat(nonce, 1) === sender ? Seat.One : Seat.Two }),
      },
    );
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
    return FIRST + nonce - SPAN;
  }

  /** Returns a time between a tick of the model and the next. */
  private secondOf(tick: number): number {
    return this.base + tick * TICK + TICK / 2;
  }

  /** Reorders values of the honest player and the adversary to those of players 1 and 2, or the reverse. */
  private inOrder<T>(values: readonly T[]): T[] {
    return this.search.rules.setup.number === 1 ? [...values] : [...values].reverse();
  }
}

describe("Channels: traces of the model", () => {
  const round = { actions: 2, rated: false, stakes: [10, 5] } as const;
  const marks = { actions: 3, rated: true, stakes: [5, 10] } as const;
  it("lead to the same amounts, numbers, ends and refusals in the contracts", async () => {
    const w = await loadFixture(channelled);
    const base = Number(await now()) + TICK;
    const random = new Random("traces of channels");
    const snapshot = await networkHelpers.takeSnapshot();
    const seen = { taken: new Set<string>(), refused: new Set<string>() };
    for (let n = 0; n < TRACES; n++) {
      const number = n % 2 === 0 ? 1 : 2;
      const openings = [[round, n % 4 < 2 ? round : marks]];
      const setup: Setup = { openings, number, until: 3, batch: 2, races: true, closes: true };
      const search = new Search(setup);
      const pair = await w.pairOf(w.alice, w.bob, ["key of alice 2", "key of bob 2"]);
      const amount = BigInt(START[HONEST]) * UNIT;
      await time.increaseTo(base);
      await pair.open(amount, amount, base + setup.until * TICK + TICK / 2);
      const { token } = pair.channel;
      const purses = [await w.arena.purseOf(w.alice, token), await w.arena.purseOf(w.bob, token)];
      const trace = new Trace(w, pair, search, base, purses, seen);
      const steps: string[] = [];
      let state = search.rules.first();
      for (let i = 0; i < STEPS && (state.open || state.arena.length > 0); i++) {
        const result = await trace.step(state, random);
        steps.push(result.what);
        await trace.expectState(result.state, steps);
        state = result.state;
      }
      await snapshot.restore();
    }
    const types = ["act", "challenge", "checkpoint", "expire", "play", "resign", "timeout"];
    for (const each of [seen.taken, seen.refused]) expect([...each].toSorted()).to.deep.equal(types);
  });
});
