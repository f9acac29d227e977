import { Interface } from "ethers";
import { Arena__factory } from "../../typechain-types/index.js";
import type { Archive } from "../archive.js";
import { bytesOf, hexOf } from "../bytes.js";
import type { EventName } from "../events.js";
import { explain } from "../errors.js";
import { findGame, games } from "../games/index.js";
import { keccak } from "../hash.js";
import { InputError } from "../input.js";
import { replay } from "../replay.js";
import { Different, type Difference } from "./difference.js";
import { differs } from "./owners.js";
import { Referee } from "./referee.js";
import { seenCourse, type Course } from "./standing.js";
import { compareState, type Ask, type Expectation } from "./state.js";

/** What is to be verified, and how. */
export interface Verifying {
  /** The matches; left out: all of them, and what the arena and the games keep beside: purses, ladder, fighters, honour. */
  matches?: readonly bigint[];
  /** Answers for the chain's state; left out: all is verified but that. */
  ask?: Ask;
  /** Told how far it has come. */
  onProgress?: (what: Stage, done: number, wanted: number) => void;
}

export type Stage = "Reading times" | "Replaying matches" | "Comparing with the chain";

/** What came of it. */
export interface Verdict {
  /** The first difference; left out: there is none. */
  difference?: Difference;
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

/** Events of which the time counts. */
const TIMED: readonly EventName[] = ["Created", "Funded", "Joined", "Acted", "Settled"];

/**
 * Derives every result of an arena anew from its events: each match by itself through its game's twin, then all events in
 * their order through twins of the arena and of what games keep; and compares what comes out with the chain's state.
 * Of single matches, those alone are played again and compared: what came before them is taken from the events.
 * @throws InputError for a match that there is not.
 */
export async function verify(archive: Archive, verifying: Verifying = {}): Promise<Verdict> {
  return new Verification(archive, verifying).run();
}

class Verification {
  private readonly named: ReadonlySet<bigint>;
  private readonly courses = new Map<bigint, Course>();
  private readonly expectations: Expectation[] = [];
  private foreign = 0;
  private answers = 0;

  constructor(
    private readonly archive: Archive,
    private readonly verifying: Verifying,
  ) {
    const there = new Set(archive.find(archive.addresses.Arena, "Created").map(({ args }) => args.matchId));
    const missing = verifying.matches?.find((each) => !there.has(each));
    if (missing !== undefined) throw new InputError("match", `there is no match ${missing}`);
    this.named = new Set(verifying.matches ?? there);
  }

  async run(): Promise<Verdict> {
    const { archive, named, verifying } = this;
    const isWhole = verifying.matches === undefined;
    const difference =
      (await this.replayMatches()) ??
      (await this.followArena()) ??
      (isWhole ? this.auditGames() : undefined) ??
      (await this.compare());
    const { foreign, answers } = this;
    return {
      ...(difference && { difference }),
      ...{ matches: named.size, foreign, events: archive.all.length, block: archive.last.number, answers },
    };
  }

  /** Every match by itself. */
  private async replayMatches(): Promise<Difference | undefined> {
    let done = 0;
    for (const matchId of this.named) {
      const difference = await this.replayMatch(matchId);
      if (difference) return difference;
      this.verifying.onProgress?.("Replaying matches", ++done, this.named.size);
    }
    return undefined;
  }

  private async replayMatch(matchId: bigint): Promise<Difference | undefined> {
    const { archive, courses } = this;
    const { addresses } = archive;
    try {
      const { terms } = await archive.match(matchId);
      if (!findGame(terms.game, addresses)) {
        this.foreign++;
        return undefined;
      }
      const { rerun, finding } = await replay(archive, matchId);
      courses.set(matchId, { turns: rerun.turns, result: rerun.result, isKnown: true });
      this.expectations.push({ address: terms.game, matchId, ...rerun.kept });
      if (!finding) return undefined;
      const { event, index, ...deviation } = finding;
      const address = event === "Log" ? terms.game : addresses.Arena;
      const block = archive.find(address, event, { matchId }).at(index)?.block;
      return { matchId, at: event, ...(block !== undefined && { block }), ...deviation };
    } catch (error) {
      return { matchId, at: "what was sent", what: explain(error).replace(/^match \d+[,:] /, "") };
    }
  }

  /** All events of the arena in their order. */
  private async followArena(): Promise<Difference | undefined> {
    const { archive, named, verifying } = this;
    const { Arena } = archive.addresses;
    const isWhole = verifying.matches === undefined;
    const events = archive.all.filter(({ address }) => address === Arena);
    const timed = events.filter(
      ({ name, args }) => TIMED.includes(name) && "matchId" in args && named.has(args.matchId),
    );
    await archive.readTimes(
      timed.map(({ block }) => block),
      (done, wanted) => verifying.onProgress?.("Reading times", done, wanted),
    );
    const referee = new Referee(Arena, (matchId) => this.courseOf(matchId));
    for (const event of events) {
      const difference = referee.take(event, archive.timeOf(event.block));
      if (difference && (isWhole || (difference.matchId !== undefined && named.has(difference.matchId))))
        return difference;
    }
    this.expectations.unshift(...referee.kept());
    return isWhole ? referee.end() : undefined;
  }

  private courseOf(matchId: bigint): Course {
    const { archive, courses } = this;
    const known = courses.get(matchId) ?? seenCourse(archive, matchId);
    courses.set(matchId, known);
    return known;
  }

  /** What games keep beyond single matches. */
  private auditGames(): Difference | undefined {
    try {
      for (const { audit, contract } of games) {
        this.checkModes(this.archive.addresses[contract]);
        const kept = audit?.(this.archive) ?? [];
        this.expectations.push(...kept.map((each) => ({ address: this.archive.addresses[contract], ...each })));
      }
      return undefined;
    } catch (error) {
      if (error instanceof Different) return error.difference;
      throw error;
    }
  }

  /** A game tells of a mode once, by the hash of its content. @throws Different for what it tells otherwise. */
  private checkModes(game: string): void {
    const told = new Set<string>();
    for (const event of this.archive.find(game, "ModeRegistered")) {
      const { mode, content } = event.args;
      const expected = hexOf(keccak(bytesOf(content)));
      if (mode !== expected) throw differs(event, "the mode", expected, mode);
      if (told.has(mode)) throw differs(event, "the mode", "a new one", mode);
      told.add(mode);
    }
  }

  private async compare(): Promise<Difference | undefined> {
    const { archive, named, verifying } = this;
    if (!verifying.ask) return undefined;
    const { addresses } = archive;
    const isMeant = ({ matchId }: Expectation) =>
      verifying.matches === undefined || (matchId !== undefined && named.has(matchId));
    const expectations = this.expectations.filter(isMeant);
    const interfaces = new Map<string, Interface>([[addresses.Arena, Arena__factory.createInterface()]]);
    for (const { abi, contract } of games) interfaces.set(addresses[contract], new Interface(abi));
    this.answers = expectations.length;
    return compareState(expectations, interfaces, verifying.ask, (done, wanted) =>
      verifying.onProgress?.("Comparing with the chain", done, wanted),
    );
  }
}
