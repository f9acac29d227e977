import { Interface } from "ethers";
import { Arena__factory } from "../../typechain-types/index.js";
import type { Source } from "../chain/archive.js";
import type { AnyEvent } from "../chain/events.js";
import { explain } from "../player/errors.js";
import { games } from "../games/index.js";
import type { Audit } from "../games/module.js";
import type { OnProgress } from "../chain/history.js";
import { InputError } from "../protocol/input.js";
import { MismatchError, placeOf, type LocatedMismatch } from "../chain/mismatch.js";
import { Origins } from "./origins.js";
import { playAgain, type Played } from "./played.js";
import { Referee } from "./referee.js";
import type { TurnOrder } from "./expected-match.js";
import { compareState, type Ask, type Expectation } from "./state.js";
import { Window } from "./window.js";

/** What is to be verified, and how. */
export interface Verifying {
  /**
   * The matches; left out: all of them, and what the arena and the games keep beside: purses, ladder, fighters, honour.
   */
  matches?: readonly bigint[];
  /** Answers for the chain's state; left out: all is verified but that. */
  ask?: Ask;
  /** Told how many of the answers have been compared that are asked for in the end. */
  onProgress?: OnProgress;
}

/** What came of it. */
export interface Verdict {
  /** The first difference; left out: there is none. */
  mismatch?: LocatedMismatch;
  /** Matches that were verified. */
  matches: number;
  /** Those of them whose game is not of the deployment: their moves could not be played again. */
  foreign: number;
  events: number;
  /** The last block that was read. */
  block: number;
  /** Answers of contracts that were compared. */
  answers: number;
}

/**
 * Derives every result of an arena anew from its events, in one go: all of them in their order through engines of the
 * arena and of what games keep, and each match, once it is over, by itself through its game's engine; and compares what
 * comes out with the chain's state. What is over is forgotten. Of single matches, those alone are played again and
 * compared: what came before them is taken from the events.
 * @throws InputError for a match that there is not, and whatever keeps a node from answering.
 */
export async function verify(source: Source, verifying: Verifying = {}): Promise<Verdict> {
  return new Verification(source, verifying).run();
}

class Verification {
  private readonly window: Window;
  private readonly referee: Referee;
  private readonly origins: Origins;
  private readonly audits: { address: string; audit: Audit }[];
  private readonly interfaces: ReadonlyMap<string, Interface>;
  private readonly named: ReadonlySet<bigint>;
  /** Those of them that were not met yet. */
  private readonly missing: Set<bigint>;
  private readonly counts = { matches: 0, foreign: 0, events: 0, answers: 0 };
  /** What the chain must answer of matches that are over. */
  private readonly over: Expectation[] = [];

  constructor(
    private readonly source: Source,
    private readonly verifying: Verifying,
  ) {
    const { addresses } = source;
    this.window = new Window(source);
    this.referee = new Referee(addresses.Arena);
    this.origins = new Origins(addresses, this.referee);
    const own = games.map((game) => ({ ...game, address: addresses[game.contract] }));
    this.audits = own.flatMap(({ audit, address }) => (audit ? [{ address, audit: audit(this.window) }] : []));
    const interfaces = own.map(({ abi, address }) => [address, new Interface(abi)] as const);
    this.interfaces = new Map([[addresses.Arena, Arena__factory.createInterface()], ...interfaces]);
    this.named = new Set(verifying.matches);
    this.missing = new Set(verifying.matches);
  }

  async run(): Promise<Verdict> {
    const mismatch = await this.find().catch((error: unknown) => {
      if (error instanceof MismatchError) return error.mismatch;
      throw error;
    });
    const { matches, foreign, events, answers } = this.counts;
    const block = this.source.last.number;
    return { ...(mismatch && { mismatch }), matches, foreign, events, block, answers };
  }

  private async find(): Promise<LocatedMismatch | undefined> {
    for await (const events of this.source.parts()) {
      const mismatch = (await this.follow(events)) ?? (await this.compare(this.over.splice(0)));
      if (mismatch) return mismatch;
    }
    const [missing] = this.missing;
    if (missing !== undefined) throw new InputError("match", `there is no match ${missing}`);
    return this.end();
  }

  private async follow(events: readonly AnyEvent[]): Promise<LocatedMismatch | undefined> {
    const { source } = this;
    const timed = events.filter((event) => "matchId" in event.args && this.isMeant(event.args.matchId));
    await source.readTimes(timed.map(({ block }) => block));
    for (const event of events) {
      const mismatch = await this.take(event, source.timeOf(event.block) ?? 0n);
      if (mismatch && this.isMeant(mismatch.matchId)) return mismatch;
    }
    return undefined;
  }

  private async take(event: AnyEvent, time: bigint): Promise<LocatedMismatch | undefined> {
    this.counts.events++;
    const { name, args } = event;
    const stray = this.origins.mismatchIn(event);
    if (stray) return stray;
    if (name === "Created" && this.isMeant(args.matchId)) {
      this.counts.matches++;
      this.missing.delete(args.matchId);
      this.window.open(args.matchId);
    }
    this.window.take(event);
    if (name !== "Settled") return this.judge(event, time);
    const played = this.window.has(args.matchId) ? await playAgain(this.window, args.matchId) : undefined;
    const mismatch = played?.mismatch ?? (await this.judge(event, time, played?.turnOrder));
    this.over.push(...this.close(args.matchId, played));
    return mismatch;
  }

  /** What the engines of the arena and of what games keep have against an event, which all of them take. */
  private async judge(event: AnyEvent, time: bigint, turnOrder?: TurnOrder): Promise<LocatedMismatch | undefined> {
    const isArena = event.address === this.source.addresses.Arena;
    const takers = [...(isArena ? [this.referee] : []), ...this.audits.map(({ audit }) => audit)];
    let found: LocatedMismatch | undefined;
    for (const taker of takers) {
      try {
        taker.take(event, time, turnOrder);
      } catch (error) {
        found ??= error instanceof MismatchError ? error.mismatch : await this.misfit(event, error);
      }
    }
    return found;
  }

  /** Why a engine cannot make anything of an event, which its match tells best. */
  private async misfit(event: AnyEvent, error: unknown): Promise<LocatedMismatch> {
    const { args } = event;
    const played =
      "matchId" in args && this.window.has(args.matchId) ? await playAgain(this.window, args.matchId) : undefined;
    return played?.mismatch ?? { ...placeOf(event), what: explain(error) };
  }

  /** Forgets a match. @returns what the chain must answer of it. */
  private close(matchId: bigint, played?: Played): Expectation[] {
    const closed = this.referee.close(matchId);
    this.window.close(matchId);
    if (!played) return []; // It is not verified.
    if (!played.turnOrder) this.counts.foreign++;
    return [...closed, ...played.expectations];
  }

  /** What stands in the end. */
  private async end(): Promise<LocatedMismatch | undefined> {
    const { referee, audits } = this;
    const expectations = this.isWhole ? referee.expectedAnswers() : [];
    for (const matchId of referee.open().filter((each) => this.isMeant(each))) {
      const played = await playAgain(this.window, matchId);
      if (played.mismatch) return played.mismatch;
      referee.follow(matchId, played.turnOrder);
      expectations.push(...this.close(matchId, played));
    }
    for (const { address, audit } of this.isWhole ? audits : []) {
      expectations.push(...audit.expectedAnswers().map((each) => ({ address, ...each })));
    }
    return this.compare(expectations, this.verifying.onProgress);
  }

  private async compare(expectations: readonly Expectation[], onProgress?: OnProgress) {
    const { ask } = this.verifying;
    if (!ask) return undefined;
    this.counts.answers += expectations.length;
    return compareState(expectations, this.interfaces, ask, onProgress);
  }

  private get isWhole(): boolean {
    return this.verifying.matches === undefined;
  }

  /** Whether what is found in a match, or in none, is asked for. */
  private isMeant(matchId?: bigint): boolean {
    return this.isWhole || (matchId !== undefined && this.named.has(matchId));
  }
}
