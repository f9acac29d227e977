import { ZeroAddress } from "ethers";
import type { AnyEvent, Events } from "../chain/events.js";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status } from "../protocol/status.js";
import { MOST_CLOCK, termsHash, type Terms } from "../protocol/terms.js";
import { Books } from "./books.js";
import { Different, type Difference } from "../chain/difference.js";
import { checkEnding, checkPayment, isRated } from "./ending.js";
import { Scene } from "./scene.js";
import { Standing, type Course } from "./standing.js";
import type { Expectation } from "./state.js";

const LEAST_CLOCK = 60n;
const MOST_SHARE = 2000n;

/** An arena that is followed event by event: the twin of the contract. */
export class Referee {
  /** Those that are not over. */
  private readonly matches = new Map<bigint, Standing>();
  private readonly books = new Books();
  private readonly terms = new Map<Hex, { id: bigint; terms: Terms }>();
  /** Until when, by player and operator. */
  private readonly operators = new Map<string, bigint>();
  private share = 0n;
  private treasury = ZeroAddress;
  private last?: AnyEvent;
  private count = 0n;

  /** @param arena Its address. */
  constructor(private readonly arena: string) {}

  /**
   * Takes the arena's next event for what it says.
   * @param time When it was; zero stands for one that nobody needs.
   * @param course What a game has made of the match that the event ends; left out: what its actions show.
   * @throws Different for the first thing that cannot have been; the event is taken all the same.
   */
  take(event: AnyEvent, time: bigint, course?: Course): void {
    const scene = new Scene(event, time, this.last);
    const early = event.name === "Settled" ? this.differenceIn(event.args.matchId, course, event.args) : undefined;
    this.carryOut(scene, event, course);
    this.last = event;
    const difference = early ?? scene.difference;
    if (difference) throw new Different(difference);
  }

  /** Looks at all that was done in a match that is not over, by whose turn it was. @throws Different for what cannot have been. */
  follow(matchId: bigint, course?: Course): void {
    const difference = this.differenceIn(matchId, course);
    if (difference) throw new Different(difference);
  }

  /** Whether a match is not over and of a game. */
  isPlayed(matchId: bigint, game: string): boolean {
    return this.matches.get(matchId)?.terms.game === game;
  }

  /** The matches that are not over. */
  open(): bigint[] {
    return [...this.matches.keys()];
  }

  /** What the arena must answer of a match, which is looked at no more. */
  close(matchId: bigint): Expectation[] {
    const m = this.matches.get(matchId);
    this.matches.delete(matchId);
    return m ? [{ address: this.arena, ...m.kept() }] : [];
  }

  /** What the arena's views must answer of what is not a match. */
  kept(): Expectation[] {
    const kept = [
      { view: "matchCount", args: [], answer: [this.count] },
      { view: "share", args: [], answer: [this.share] },
      { view: "treasury", args: [], answer: [this.treasury] },
      ...[...this.terms].map(([hash, { id }]) => ({ view: "termsIdOf", args: [hash], answer: [id] })),
      ...[...this.operators].map(([key, until]) => ({ view: "operatorUntil", args: key.split(" "), answer: [until] })),
      ...this.books.kept(),
    ];
    return kept.map((each) => ({ address: this.arena, ...each }));
  }

  private carryOut(scene: Scene, { name, args }: AnyEvent, course?: Course): void {
    switch (name) {
      case "TermsAdded":
        return this.addTerms(scene, args);
      case "Created":
        return this.create(scene, args);
      case "Funded":
        return this.fund(scene, args);
      case "Joined":
        return this.join(scene, args);
      case "Acted":
        return this.find(scene, args.matchId)?.act(scene);
      case "Settled":
        return this.settle(scene, args, course);
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
    const { matchId, player1, funded } = args;
    scene.same("the number of the match", ++this.count, matchId);
    const known = this.terms.get(args.termsHash);
    if (!known) return scene.check("the terms", false, "ones that were added", args.termsHash);
    const { id, terms } = known;
    scene.same("the share of the terms", this.share, terms.share);
    this.matches.set(matchId, new Standing(scene, terms, id, args));
    this.books.meet(terms.game, player1);
    scene.same("funded", this.books.purse(player1, terms.token) >= terms.stake1, funded);
    if (funded) this.books.credit(player1, terms.token, -terms.stake1);
  }

  private fund(scene: Scene, args: Events["Funded"]): void {
    const m = this.find(scene, args.matchId);
    if (!m) return;
    m.fund(scene, args);
    this.takeStake(scene, m.terms, args);
  }

  private join(scene: Scene, args: Events["Joined"]): void {
    const m = this.find(scene, args.matchId);
    if (!m) return;
    const isOneStep = m.status === Status.P1Deposited;
    m.join(scene, args);
    if (isOneStep) this.takeStake(scene, m.terms, { seat: Seat.Two, player: args.player2 });
  }

  private takeStake(scene: Scene, terms: Terms, { seat, player }: Pick<Events["Funded"], "seat" | "player">): void {
    const stake = seat === Seat.One ? terms.stake1 : terms.stake2;
    this.checkPurse(scene, player, terms.token, stake);
    this.books.credit(player, terms.token, -stake);
    this.books.meet(terms.game, player);
  }

  private settle(scene: Scene, args: Events["Settled"], course?: Course): void {
    const { matchId, status, paid1, paid2, house } = args;
    const m = this.find(scene, matchId);
    if (!m) return;
    checkEnding(scene, m, args);
    if (!course) checkPayment(scene, m, args);
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

  private differenceIn(matchId: bigint, course?: Course, settled?: Events["Settled"]): Difference | undefined {
    const m = this.matches.get(matchId);
    return m?.follow(course ?? m.seenCourse(settled));
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
    const expected = matchId > this.count ? "one that was created" : "one that is not over";
    scene.check("the match", found !== undefined, expected, matchId);
    return found;
  }
}
