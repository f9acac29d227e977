import { ZeroAddress } from "ethers";
import type { AnyEvent, Events } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status } from "../protocol/status.js";
import { MAX_CLOCK, MAX_FEE_BPS, MIN_CLOCK, termsHash, type Terms } from "../protocol/terms.js";
import { Ledger } from "./ledger.js";
import { PairMap } from "./pair-map.js";
import { MismatchError, type LocatedMismatch } from "../chain/mismatch.js";
import { checkEnding, checkPayment } from "./ending.js";
import { channelsOf } from "../chain/channels.js";
import { ChannelBook } from "./channel-book.js";
import { CheckedEvent } from "./checked-event.js";
import { ExpectedMatch, type TurnOrder } from "./expected-match.js";
import type { Expectation } from "./state.js";

/** TypeScript engine of the arena. Applies the arena's events one by one, and checks each event. */
export class Referee {
  /** Matches that are not over. */
  private readonly matches = new Map<bigint, ExpectedMatch>();
  private readonly ledger = new Ledger();
  readonly channels: ChannelBook;
  private readonly terms = new Map<Hex, { id: bigint; terms: Terms }>();
  /** Ends of approvals in seconds since 1970, by player and operator. */
  private readonly operators = new PairMap<bigint>();
  private feeBps = 0n;
  private treasury = ZeroAddress;
  private last?: AnyEvent;
  private count = 0n;

  /** @param arena Address of the arena. */
  constructor(
    private readonly arena: string,
    private readonly chainId: bigint,
  ) {
    this.channels = new ChannelBook(channelsOf(arena), this.ledger);
  }

  /**
   * Applies the next event of the arena or its channels.
   * @param time Time of the event's block, in seconds since 1970; 0 if no check needs the time.
   * @param turnOrder Order of turns of the match that the event ends; undefined if the match was not replayed.
   * @throws MismatchError for the first impossible value; the event is applied nevertheless.
   */
  apply(event: AnyEvent, time: bigint, turnOrder?: TurnOrder): void {
    const checked = new CheckedEvent(event, time, this.last);
    const early = event.name === "Settled" ? this.mismatchInActions(event.args.matchId, turnOrder) : undefined;
    this.checkAfterEnding(checked);
    this.applyChecked(checked, event, turnOrder);
    this.last = event;
    const mismatch = early ?? checked.mismatch;
    if (mismatch) throw new MismatchError(mismatch);
  }

  /**
   * Applies the actions of a match that is not over.
   * @param turnOrder Undefined if the match was not replayed.
   * @throws MismatchError for the first impossible action.
   */
  applyActions(matchId: bigint, turnOrder?: TurnOrder): void {
    const mismatch = this.mismatchInActions(matchId, turnOrder);
    if (mismatch) throw new MismatchError(mismatch);
  }

  /** Returns whether a match belongs to a game and is not over. */
  isOpen(matchId: bigint, game: string): boolean {
    return this.matches.get(matchId)?.terms.game === game;
  }

  /** Returns the numbers of the matches that are not over. */
  openMatches(): bigint[] {
    return [...this.matches.keys()];
  }

  /** Forgets a match. @returns The arena's expected answers about it. */
  close(matchId: bigint): Expectation[] {
    const match = this.matches.get(matchId);
    this.matches.delete(matchId);
    if (!match) return [];
    return [{ address: this.arena, ...match.expectedAnswer() }];
  }

  /** Returns the expected answers of the arena's views, except those about matches. */
  expectedAnswers(): Expectation[] {
    const kept = [
      { view: "matchCount", args: [], answer: [this.count] },
      { view: "feeBps", args: [], answer: [this.feeBps] },
      { view: "treasury", args: [], answer: [this.treasury] },
      ...Array.from(this.terms, ([hash, { id }]) => ({ view: "termsIdOf", args: [hash], answer: [id] })),
      ...this.operators.map((args, until) => ({ view: "operatorUntil", args, answer: [until] })),
      ...this.ledger.expectedAnswers(),
    ];
    return [...kept.map((each) => ({ address: this.arena, ...each })), ...this.channels.expectedAnswers()];
  }

  private applyChecked(checked: CheckedEvent, event: AnyEvent, turnOrder?: TurnOrder): void {
    const { name, args } = event;
    switch (name) {
      case "TermsAdded":
        return this.addTerms(checked, args);
      case "Created":
        return this.create(checked, args);
      case "Funded":
        return this.fund(checked, args);
      case "Joined":
        return this.join(checked, args);
      case "Acted":
        return this.openMatch(checked, args.matchId)?.act(checked);
      case "Declined":
        return this.openMatch(checked, args.matchId)?.decline(checked, args);
      case "Settled":
        return this.settle(checked, args, turnOrder);
      case "Deposited":
        this.checkAddress(checked, "the player", args.player);
        return this.ledger.deposit(args.player, args.token, args.amount);
      case "Withdrawn":
        this.checkAddress(checked, "the receiver", args.to);
        this.checkPurse(checked, args.player, args.token, args.amount);
        return this.ledger.withdraw(args.player, args.token, args.amount);
      case "OperatorAllowed":
        this.operators.set(args.player, args.operator, args.until);
        return;
      case "FeeChanged":
        checked.check("the fee", args.feeBps <= MAX_FEE_BPS, `at most ${MAX_FEE_BPS}`, args.feeBps);
        this.feeBps = args.feeBps;
        return;
      case "TreasuryChanged":
        this.checkAddress(checked, "the treasury", args.treasury);
        this.treasury = args.treasury;
        return;
      case "Started":
        return this.start(checked, args);
      case "Voided":
        this.openMatch(checked, args.matchId)?.takeBack(checked);
        this.matches.delete(args.matchId);
        return this.channels.takeBack(checked, args);
      case "Opened":
        checked.checkEqual("the fee of the channel", this.feeBps, args.feeBps);
        return this.channels.open(checked, args);
      case "PlayedUnder":
        return this.channels.playUnder(checked, args);
      case "Played":
        return this.channels.play(checked, args);
      case "Challenged":
        return this.channels.challenge(checked, args);
      case "Balanced":
        return this.channels.balance(checked, args, this.treasury);
      case "Collected":
        return this.channels.collect(checked, args, this.treasury);
    }
  }

  private start(checked: CheckedEvent, args: Events["Started"]): void {
    const terms = this.termsNumbered(args.termsId);
    const { challenged } = this.channels;
    this.channels.start(checked, args, terms);
    if (terms && challenged) this.matches.set(args.matchId, ExpectedMatch.started(checked, terms, args, challenged));
  }

  private termsNumbered(termsId: bigint): Terms | undefined {
    return [...this.terms.values()].find(({ id }) => id === termsId)?.terms;
  }

  /** Checks that a declined offer is settled immediately. */
  private checkAfterEnding(checked: CheckedEvent): void {
    const { last, event } = checked;
    if (last?.name !== "Declined") return;
    const { matchId } = last.args;
    const isSettled = event.name === "Settled" && event.args.matchId === matchId;
    const isAtOnce = last.transaction === event.transaction;
    const expected = `Settled of match ${matchId}, in the same transaction`;
    const found = `${isAtOnce ? "" : "in another: "}${event.name}`;
    checked.check(`the event after ${last.name}`, isSettled && isAtOnce, expected, found);
  }

  private addTerms(checked: CheckedEvent, { termsId, terms }: Events["TermsAdded"]): void {
    const hash = termsHash(terms);
    checked.checkEqual("the number of the terms", BigInt(this.terms.size + 1), termsId);
    checked.check("the terms", !this.terms.has(hash), "new ones", `those of number ${this.terms.get(hash)?.id}`);
    const isClock = terms.clock >= MIN_CLOCK && terms.clock <= MAX_CLOCK;
    checked.check("the clock", isClock, `${MIN_CLOCK} to ${MAX_CLOCK}`, terms.clock);
    this.terms.set(hash, { id: termsId, terms });
  }

  private create(checked: CheckedEvent, args: Events["Created"]): void {
    const { matchId, player1, funded } = args;
    checked.checkEqual("the number of the match", ++this.count, matchId);
    const known = this.terms.get(args.termsHash);
    if (!known) return checked.check("the terms", false, "ones that were added", args.termsHash);
    const { id, terms } = known;
    checked.checkEqual("the fee of the terms", this.feeBps, terms.feeBps);
    this.matches.set(matchId, new ExpectedMatch(checked, terms, id, args));
    this.ledger.addPlayer(terms.game, player1);
    checked.checkEqual("funded", this.ledger.purse(player1, terms.token) >= terms.stake1, funded);
    if (funded) this.ledger.debit(player1, terms.token, terms.stake1);
  }

  private fund(checked: CheckedEvent, args: Events["Funded"]): void {
    const match = this.openMatch(checked, args.matchId);
    if (!match) return;
    match.fund(checked, args);
    this.takeStake(checked, match.terms, args);
  }

  private join(checked: CheckedEvent, args: Events["Joined"]): void {
    const match = this.openMatch(checked, args.matchId);
    if (!match) return;
    const isOneStep = match.status === Status.P1Deposited;
    match.join(checked, args);
    if (isOneStep) this.takeStake(checked, match.terms, { seat: Seat.Two, player: args.player2 });
  }

  private takeStake(
    checked: CheckedEvent,
    terms: Terms,
    { seat, player }: Pick<Events["Funded"], "seat" | "player">,
  ): void {
    const stake = seat === Seat.One ? terms.stake1 : terms.stake2;
    this.checkPurse(checked, player, terms.token, stake);
    this.ledger.debit(player, terms.token, stake);
    this.ledger.addPlayer(terms.game, player);
  }

  private settle(checked: CheckedEvent, args: Events["Settled"], turnOrder?: TurnOrder): void {
    const { matchId, paid1, paid2, house } = args;
    const match = this.openMatch(checked, matchId);
    if (!match) return;
    this.channels.settle(matchId);
    checkEnding(checked, match, args);
    if (!turnOrder) checkPayment(checked, match, args);
    const { token } = match.terms;
    if (paid1 > 0n) this.ledger.credit(match.player1, token, paid1);
    if (paid2 > 0n) this.ledger.credit(match.player2, token, paid2);
    if (house > 0n) this.ledger.credit(this.treasury, token, house);
    const ratings = match.applySettled(args)
      ? this.ledger.rate(match.terms, [match.player1, match.player2], args, checked.time)
      : [0n, 0n];
    checked.checkEqual("rating1", ratings[0], args.rating1);
    checked.checkEqual("rating2", ratings[1], args.rating2);
  }

  /** Applies the actions of a match. @returns The mismatch of the first impossible action. */
  private mismatchInActions(matchId: bigint, turnOrder: TurnOrder = { turns: [] }): LocatedMismatch | undefined {
    return this.matches.get(matchId)?.applyActions(turnOrder);
  }

  private checkAddress(checked: CheckedEvent, what: string, address: string): void {
    checked.check(what, ![ZeroAddress, this.arena].includes(address), "another address", address);
  }

  private checkPurse(checked: CheckedEvent, player: string, token: string, needed: bigint): void {
    const balance = this.ledger.purse(player, token);
    checked.check(`the purse of ${player}`, balance >= needed, `${needed} of ${token} at least`, balance);
  }

  private openMatch(checked: CheckedEvent, matchId: bigint): ExpectedMatch | undefined {
    const found = this.matches.get(matchId);
    const expected = matchId > this.count ? "one that was created" : "one that is not over";
    checked.check("the match", found !== undefined, expected, matchId);
    return found;
  }
}
