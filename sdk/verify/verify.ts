import { Interface } from "ethers";
import { arenaAbi } from "../chain/arena.js";
import { ChannelCourse } from "../chain/channel-course.js";
import { channelsOf, channelViews, isFromChannel } from "../chain/channels.js";
import type { AnyEvent, Events } from "../chain/events.js";
import { explain } from "../player/errors.js";
import { deployedGames, findGame } from "../games/list.js";
import type { Audit, GameModule } from "../games/module.js";
import type { OnProgress } from "../chain/history.js";
import { isKind } from "../protocol/error-kind.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import { MismatchError, mismatchAt, placeOf, type LocatedMismatch } from "../chain/mismatch.js";
import type { EventSource } from "../chain/source.js";
import { checkMatch, type CheckedMatch } from "./checked-match.js";
import { Emitters } from "./emitters.js";
import { Referee } from "./referee.js";
import { checkBalance, type ShownCheck, type ShownMessages } from "./shown-messages.js";
import { checkShownState, type ShownState } from "./shown-state.js";
import { compareState, type Ask, type Expectation } from "./state.js";
import { Window } from "./window.js";

/** Options of `verify`. */
export interface VerifyOptions {
  /**
   * Numbers of the matches to verify. By default, all matches and the rest of the state are verified: purses, ladder,
   * fighters, honour.
   */
  matches?: readonly bigint[];
  /** States that players show after their matches; they are compared with the events of these matches. */
  shown?: readonly ShownState[];
  /** Lists the channel messages that players show; defaults to none. */
  messages?: ShownMessages;
  /** Calls contracts; by default, events are verified without the chain's state. */
  ask?: Ask;
  /** Called at the end with the number of compared answers, and the number of all answers to compare. */
  onProgress?: OnProgress;
}

/** Result that both players of a channel have signed: a match that starts from a base, or a balance. */
export type SignedResult = ShownCheck & ({ matchId: bigint } | { channelId: Hex; nonce: number });

/** Result of `verify`. */
export interface Verdict {
  /** The first mismatch; undefined if there is none. */
  mismatch?: LocatedMismatch;
  /** Number of matches that were verified. */
  matches: number;
  /** Number of verified matches whose game does not belong to the deployment, so that they could not be replayed. */
  foreign: number;
  /** Number of verified matches from channels; undefined if there are none. */
  fromChannels?: number;
  /** Results that rest on the signatures of both players of a channel; undefined if there are none. */
  signed?: readonly SignedResult[];
  /** Number of events that were read. */
  events: number;
  /** The last block that was read. */
  block: number;
  /** Number of contracts' answers that were compared. */
  answers: number;
}

/**
 * Verifies an arena: recomputes every result from its events, and compares the results with the chain's state. All
 * events pass in order through the TypeScript engines of the arena and of the games' state beyond matches. Each
 * finished match is replayed by the engine of its game. If single matches are given, only these are replayed and
 * compared, and the events provide their earlier history. Events of finished matches are dropped.
 * @param games Games that can be replayed; matches of other games are foreign.
 * @throws InputError for a match that does not exist.
 * @throws Outage or Refused if the node stops answering.
 * @example
 * ```ts
 * import { askChain, games, locatedMismatchText, Reading, verify } from "duello";
 *
 * const reading = await Reading.open(provider, addresses, 1);
 * const { mismatch, matches } = await verify(reading, games, { ask: askChain(provider, reading.last.number) });
 * console.log(mismatch ? locatedMismatchText(mismatch) : `${matches} matches are right.`);
 * ```
 */
export async function verify(
  source: EventSource,
  games: readonly GameModule[],
  verifying: VerifyOptions = {},
): Promise<Verdict> {
  return new Verification(source, games, verifying).run();
}

class Verification {
  private readonly games: readonly GameModule[];
  private readonly window: Window;
  private readonly referee: Referee;
  /** Address of the arena's channels. */
  private readonly channels: string;
  private readonly emitters: Emitters;
  private readonly audits: { address: string; audit: Audit }[];
  private readonly interfaces: ReadonlyMap<string, Interface>;
  private readonly named: ReadonlySet<bigint>;
  /** Requested matches that no event has created yet. */
  private readonly missing: Set<bigint>;
  private readonly counts = { matches: 0, foreign: 0, events: 0, answers: 0, fromChannels: 0 };
  private readonly course = new ChannelCourse();
  private readonly signed: SignedResult[] = [];
  /** Expected answers of the contracts about finished matches. */
  private readonly over: Expectation[] = [];

  constructor(
    private readonly source: EventSource,
    games: readonly GameModule[],
    private readonly verifying: VerifyOptions,
  ) {
    const { addresses } = source;
    this.window = new Window(source);
    this.referee = new Referee(addresses.Arena, source.chainId);
    this.channels = channelsOf(addresses.Arena);
    this.games = deployedGames(games, addresses);
    const own = this.games.map((game) => ({ ...game, address: addresses[game.contract] }));
    this.emitters = new Emitters(addresses, games, this.referee);
    this.audits = own.flatMap(({ kept, address }) =>
      kept ? [{ address, audit: kept.audit(this.window, address) }] : [],
    );
    const interfaces = own.map(({ abi, address }) => [address, new Interface(abi)] as const);
    this.interfaces = new Map([[addresses.Arena, arenaAbi], [this.channels, channelViews], ...interfaces]);
    const shown = verifying.shown?.map(({ matchId }) => matchId) ?? [];
    this.named = new Set([...(verifying.matches ?? []), ...shown]);
    this.missing = new Set(this.named);
  }

  async run(): Promise<Verdict> {
    const mismatch = await this.findMismatch().catch((error: unknown) => {
      if (isKind(error, MismatchError)) return error.mismatch;
      throw error;
    });
    const { matches, foreign, events, answers, fromChannels } = this.counts;
    const block = this.source.last.number;
    const { signed } = this;
    return {
      ...(mismatch && { mismatch }),
      matches,
      foreign,
      ...(fromChannels > 0 && { fromChannels }),
      ...(signed.length > 0 && { signed }),
      events,
      block,
      answers,
    };
  }

  private async findMismatch(): Promise<LocatedMismatch | undefined> {
    for await (const events of this.source.parts()) {
      const mismatch = (await this.applyAll(events)) ?? (await this.compare(this.over.splice(0)));
      if (mismatch) return mismatch;
    }
    const [missing] = this.missing;
    if (missing !== undefined) throw new InputError("match", `there is no match ${missing}`);
    return this.end();
  }

  private async applyAll(events: readonly AnyEvent[]): Promise<LocatedMismatch | undefined> {
    const { source } = this;
    const timed = events.filter((event) => "matchId" in event.args && this.isMeant(event.args.matchId));
    await source.readTimes(timed.map(({ block }) => block));
    for (const event of events) {
      const mismatch = await this.apply(event, source.timeOf(event.block) ?? 0n);
      if (mismatch && this.isMeant(mismatch.matchId)) return mismatch;
    }
    return undefined;
  }

  /** Applies an event to all engines. @returns The first mismatch. */
  private async apply(event: AnyEvent, time: bigint): Promise<LocatedMismatch | undefined> {
    this.counts.events++;
    const { name, args } = event;
    const stray = this.emitters.mismatchIn(event);
    if (stray) return stray;
    if (name === "Created" && this.isMeant(args.matchId)) {
      this.counts.matches++;
      this.missing.delete(args.matchId);
      this.window.track(args.matchId);
    }
    if ("matchId" in args && isFromChannel(args.matchId) && this.isMeant(args.matchId)) this.window.track(args.matchId);
    if (name === "Played" || name === "Challenged") this.missing.delete(args.matchId);
    this.window.add(event);
    if (name === "Voided") this.window.forget(args.matchId);
    if (name === "Balanced" && this.isWhole) await this.checkBalanced(args);
    if (name !== "Settled" && name !== "Played") return this.applyToEngines(event, time);
    const checked = await this.checkTracked(args.matchId);
    const mismatch =
      checked?.mismatch ?? (await this.applyToEngines(event, time, checked)) ?? (await this.checkShown(args.matchId));
    this.over.push(...this.close(args.matchId, checked));
    return mismatch;
  }

  /** Applies an event to the engines of the arena and of the games' state. @returns The first mismatch. */
  private async applyToEngines(
    event: AnyEvent,
    time: bigint,
    match?: CheckedMatch,
  ): Promise<LocatedMismatch | undefined> {
    const isOfMoney = event.address === this.source.addresses.Arena || event.address === this.channels;
    const steps = [
      ...(isOfMoney ? [() => this.referee.apply(event, time, match?.turnOrder)] : []),
      ...this.course.take(event).flatMap((each) =>
        each.isRefused
          ? [() => this.checkRefused(each, time, match)]
          : this.audits.map(
              ({ audit }) =>
                () =>
                  audit.take(each, time),
            ),
      ),
    ];
    let found: LocatedMismatch | undefined;
    for (const step of steps) {
      try {
        step();
      } catch (error) {
        found ??= isKind(error, MismatchError) ? error.mismatch : await this.mismatchFrom(event, error);
      }
    }
    return found;
  }

  /**
   * Checks that the chain had a reason to refuse an action that the engine accepts.
   * @throws MismatchError if the chain had no reason
   */
  private checkRefused(event: AnyEvent, time: bigint, match?: CheckedMatch): void {
    if (!match?.dependsOnChain) return;
    const isRefused = this.audits.some(({ audit }) => {
      try {
        audit.take(event, time);
        return false;
      } catch {
        return true;
      }
    });
    if (!isRefused)
      throw new MismatchError(mismatchAt({ ...event, name: "Played" } as AnyEvent, "forfeit", false, true));
  }

  /** Compares a balance with the shown matches before it. */
  private async checkBalanced(args: Events["Balanced"]): Promise<void> {
    const facts = this.referee.channels.balanceFacts(args);
    if (!facts) return;
    const moduleAt = (game: string) => findGame(game, this.games, this.source.addresses);
    const check = await checkBalance(facts, moduleAt, this.window, this.verifying.messages ?? (() => []));
    this.signed.push({ channelId: args.channelId, nonce: Number(args.nonce), ...check });
  }

  /** Returns the mismatch of an event that an engine cannot read, preferably as a replay of the match describes it. */
  private async mismatchFrom(event: AnyEvent, error: unknown): Promise<LocatedMismatch> {
    const { args } = event;
    const checked = "matchId" in args ? await this.checkTracked(args.matchId) : undefined;
    return checked?.mismatch ?? { ...placeOf(event), what: explain(error, { games: this.games }) };
  }

  private async checkTracked(matchId: bigint): Promise<CheckedMatch | undefined> {
    return this.window.tracks(matchId) ? this.check(matchId) : undefined;
  }

  private async check(matchId: bigint): Promise<CheckedMatch> {
    return checkMatch(this.window, this.games, matchId, this.verifying.messages);
  }

  /** Compares the states that players show after a match with the match's events. @returns The first mismatch. */
  private async checkShown(matchId: bigint): Promise<LocatedMismatch | undefined> {
    for (const shown of this.verifying.shown?.filter((each) => each.matchId === matchId) ?? []) {
      const { mismatch } = await checkShownState(this.window, this.games, shown, `what ${shown.player} shows`);
      if (mismatch) return mismatch;
    }
    return undefined;
  }

  /**
   * Forgets a match.
   * @param checked Undefined if the match is not verified.
   * @returns The contracts' expected answers about the match, if it is verified.
   */
  private close(matchId: bigint, checked?: CheckedMatch): Expectation[] {
    const closed = this.referee.close(matchId);
    this.window.forget(matchId);
    if (!checked) return [];
    if (isFromChannel(matchId)) {
      this.counts.matches++;
      this.counts.fromChannels++;
    }
    if (checked.shown) this.signed.push({ matchId, ...checked.shown });
    if (!checked.turnOrder) this.counts.foreign++;
    return [...closed, ...checked.expectations];
  }

  /** Checks the matches that are not over, and compares the state. @returns The first mismatch. */
  private async end(): Promise<LocatedMismatch | undefined> {
    const { referee, audits } = this;
    const stray = this.isWhole ? this.emitters.strayLog() : undefined;
    if (stray) return stray;
    const expectations = this.isWhole ? referee.expectedAnswers() : [];
    for (const matchId of referee.openMatches().filter((each) => this.isMeant(each))) {
      const checked = await this.check(matchId);
      if (checked.mismatch) return checked.mismatch;
      // Throws if a shown state belongs to this match, which is not over.
      await this.checkShown(matchId);
      referee.applyActions(matchId, checked.turnOrder);
      expectations.push(...this.close(matchId, checked));
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

  /** Returns whether a mismatch in this match, or outside any match, must be reported. */
  private isMeant(matchId?: bigint): boolean {
    return this.isWhole || (matchId !== undefined && this.named.has(matchId));
  }
}
