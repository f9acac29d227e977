import { ZeroAddress } from "ethers";
import type { AnyEvent, Events } from "../events.js";
import type { Hex } from "../seal.js";
import { Seat } from "../status.js";
import { MOST_CLOCK, termsHash, type Terms } from "../terms.js";
import { Books } from "./books.js";
import type { Difference } from "./difference.js";
import { checkEnding, checkPayment, isRated } from "./ending.js";
import { Scene } from "./scene.js";
import { Standing, type Course } from "./standing.js";
import type { Expectation } from "./state.js";

const LEAST_CLOCK = 60n;
const MOST_SHARE = 2000n;

/** What must come next, in the same transaction. */
interface Due {
  name: "Funded" | "Settled";
  matchId: bigint;
}

/** An arena that is followed event by event: the twin of the contract. */
export class Referee {
  private readonly matches = new Map<bigint, Standing>();
  private readonly books = new Books();
  private readonly terms = new Map<Hex, { id: bigint; terms: Terms }>();
  /** Until when, by player and operator. */
  private readonly operators = new Map<string, bigint>();
  private share = 0n;
  private treasury = ZeroAddress;
  private last?: AnyEvent;
  private due?: Due;

  /**
   * @param arena Its address.
   * @param courseOf What is known of a match beside the arena's events.
   */
  constructor(
    private readonly arena: string,
    private readonly courseOf: (matchId: bigint) => Course,
  ) {}

  /**
   * Takes the arena's next event for what it says; a time of zero stands for one that nobody needs.
   * @returns the first thing that cannot have been.
   */
  take(event: AnyEvent, time = 0n): Difference | undefined {
    const scene = new Scene(event, time, this.last);
    const late = this.overdue(scene);
    this.due = undefined;
    this.carryOut(scene, event);
    this.last = event;
    return late ?? scene.difference;
  }

  /** What is missing behind the last event. */
  end(): Difference | undefined {
    return (
      this.due && { matchId: this.due.matchId, at: this.due.name, what: "the event", expected: "one", found: "none" }
    );
  }

  /** What the arena's views must answer. */
  kept(): Expectation[] {
    const kept = [
      { view: "matchCount", args: [], answer: [BigInt(this.matches.size)] },
      { view: "share", args: [], answer: [this.share] },
      { view: "treasury", args: [], answer: [this.treasury] },
      ...[...this.terms].map(([hash, { id }]) => ({ view: "termsIdOf", args: [hash], answer: [id] })),
      ...[...this.operators].map(([key, until]) => ({ view: "operatorUntil", args: key.split(" "), answer: [until] })),
      ...this.books.kept(),
      ...[...this.matches.values()].map((m) => m.kept()),
    ];
    return kept.map((each) => ({ address: this.arena, ...each }));
  }

  private carryOut(scene: Scene, { name, args }: AnyEvent): void {
    switch (name) {
      case "TermsAdded":
        return this.addTerms(scene, args);
      case "Created":
        return this.create(scene, args);
      case "Funded":
        return this.fund(scene, args);
      case "Joined":
      case "Acted":
        return this.step(scene, name, args as Events["Joined"] & Events["Acted"]);
      case "Settled":
        return this.settle(scene, args);
      case "Deposited":
        this.checkAddress(scene, "the player", args.player);
        return this.books.exchange(args.player, args.token, args.amount);
      case "Withdrawn":
        this.checkAddress(scene, "the receiver", args.to);
        this.checkPurse(scene, args.player, args.token, args.amount);
        return this.books.exchange(args.player, args.token, -args.amount);
      case "OperatorAllowed":
        this.operators.set(`${args.player} ${args.operator}`, args.until);
        return;
      case "ShareChanged":
        scene.check("the share", args.share <= MOST_SHARE, `at most ${MOST_SHARE}`, args.share);
        this.share = args.share;
        return;
      case "TreasuryChanged":
        this.checkAddress(scene, "the treasury", args.treasury);
        this.treasury = args.treasury;
    }
  }

  private addTerms(scene: Scene, { termsId, terms }: Events["TermsAdded"]): void {
    const hash = termsHash(terms);
    scene.same("the number of the terms", BigInt(this.terms.size + 1), termsId);
    scene.check("the terms", !this.terms.has(hash), "new ones", `those of number ${this.terms.get(hash)?.id}`);
    const isClock = terms.clock >= LEAST_CLOCK && terms.clock <= MOST_CLOCK;
    scene.check("the clock", isClock, `${LEAST_CLOCK} to ${MOST_CLOCK}`, terms.clock);
    this.terms.set(hash, { id: termsId, terms });
  }

  private create(scene: Scene, args: Events["Created"]): void {
    const { matchId, player1 } = args;
    scene.same("the number of the match", BigInt(this.matches.size + 1), matchId);
    const known = this.terms.get(args.termsHash);
    if (!known) return; // That it cannot be replayed tells.
    const { id, terms } = known;
    scene.same("the share of the terms", this.share, terms.share);
    this.matches.set(matchId, new Standing(scene, terms, id, args));
    this.books.meet(terms.game, player1);
    if (this.books.purse(player1, terms.token) >= terms.stake1) this.due = { name: "Funded", matchId };
  }

  private fund(scene: Scene, args: Events["Funded"]): void {
    const m = this.find(scene, args.matchId);
    if (!m) return;
    const { terms } = m;
    const stake = args.seat === Seat.One ? terms.stake1 : terms.stake2;
    m.fund(scene, args);
    this.checkPurse(scene, args.player, terms.token, stake);
    this.books.credit(args.player, terms.token, -stake);
    this.books.meet(terms.game, args.player);
  }

  private step(scene: Scene, name: "Joined" | "Acted", args: Events["Joined"] & Events["Acted"]): void {
    const { matchId } = args;
    const m = this.find(scene, matchId);
    if (!m) return;
    const course = this.courseOf(matchId);
    if (name === "Joined") m.join(scene, args, course);
    else m.act(scene, args, course);
    if (m.turn === Seat.None) this.due = { name: "Settled", matchId };
  }

  private settle(scene: Scene, args: Events["Settled"]): void {
    const { matchId, status, paid1, paid2, house } = args;
    const m = this.find(scene, matchId);
    if (!m) return;
    checkEnding(scene, m, args);
    if (!this.courseOf(matchId).isKnown) checkPayment(scene, m, args);
    const { token } = m.terms;
    if (paid1 > 0n) this.books.credit(m.player1, token, paid1);
    if (paid2 > 0n) this.books.credit(m.player2, token, paid2);
    if (house > 0n) this.books.credit(this.treasury, token, house);
    const ratings = isRated(m, args) ? this.books.rate(m.terms, [m.player1, m.player2], args, scene.time) : [0n, 0n];
    scene.same("rating1", ratings[0], args.rating1);
    scene.same("rating2", ratings[1], args.rating2);
    m.status = status;
    m.turn = Seat.None;
  }

  /** That something else came than was due. */
  private overdue({ event, last }: Scene): Difference | undefined {
    const { due } = this;
    if (!due) return undefined;
    const { name, args, block, transaction } = event;
    const matchId = "matchId" in args ? args.matchId : undefined;
    if (name === due.name && matchId === due.matchId && transaction === last?.transaction) return undefined;
    const expected = `${due.name} in the transaction of ${last?.name}`;
    const found = `${name}${matchId === undefined ? "" : ` of match ${matchId}`}`;
    return { matchId: due.matchId, at: due.name, block, what: "the event", expected, found };
  }

  private checkAddress(scene: Scene, what: string, address: string): void {
    scene.check(what, ![ZeroAddress, this.arena].includes(address), "another address", address);
  }

  private checkPurse(scene: Scene, player: string, token: string, needed: bigint): void {
    const balance = this.books.purse(player, token);
    scene.check(`the purse of ${player}`, balance >= needed, `${needed} of ${token} at least`, balance);
  }

  private find(scene: Scene, matchId: bigint): Standing | undefined {
    const found = this.matches.get(matchId);
    scene.check("the match", found !== undefined, "one that was created", matchId);
    return found;
  }
}
