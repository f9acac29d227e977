import { deepStrictEqual } from "node:assert/strict";
import { dataLength, toBigInt, type BaseContract, type Contract, type ErrorFragment } from "ethers";
import type { RoundLog } from "../../../sdk/chain/record.js";
import { encodeMode, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { stateHashIn, type Match, type Outcome } from "../../../sdk/games/warmancer/state.js";
import { ContractError } from "../../../sdk/games/warmancer/contract-error.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { hexWord } from "../../../sdk/protocol/word.js";
import { Warmancer__factory, WarmancerPreview__factory } from "../../../typechain-types/index.js";
import { deployMock, ethers } from "../index.js";
import type { EngineDriver } from "../warmancer.js";
import { words, wordsIn } from "../words.js";

/** The name of an error, and the values that explain it. */
export interface Refused {
  error: string;
  values: bigint[];
}

/** The engine's answer to data of a player: accepted with a step, or rejected with an error and its values. */
export interface Verdict {
  error?: string;
  /** Turn, winner and taker of the step, or the values that explain the error. */
  values: bigint[];
  /** The position of the match afterwards. */
  position: Hex;
  logs: RoundLog[];
}

/** Data that was sent, valid or not, and the engine's answer. */
export interface Tried {
  entry: "create" | "join" | "act";
  seat: bigint;
  data: Hex;
  engine: Verdict;
}

/** Maximum number of calls in a transaction, and of bytes of their data. */
const MAX_CALLS = 60;
const MAX_BYTES = 40_000;

/** Returns a rejection in comparable form. */
export function refusedBy({ error, values }: ContractError): Refused {
  return { error, values: Object.values(values).map(toBigInt) };
}

/** Returns the engine's answer in comparable form; `position` is the previous one. */
export function verdictOf(outcome: Outcome | ContractError, position: Hex): Verdict {
  if (outcome instanceof ContractError) return { ...refusedBy(outcome), position, logs: [] };
  const { step, state, logs } = outcome;
  return { values: [step.turn, step.winner, step.taker], position: stateHashIn(state), logs };
}

/** Returns all accepted actions in a match of two honest players. */
export function triedIn({ sent }: EngineDriver): Tried[] {
  return sent.map(({ seat, data, outcome }, i) => {
    return { entry: (["create", "join"] as const)[i] ?? "act", seat, data, engine: verdictOf(outcome, NO_STATE) };
  });
}

/** Encodes the length of bytes and the bytes, padded to whole words. */
function sizedBytes(data: Hex): string {
  const digits = data.slice(2);
  return words(digits.length / 2) + digits + "0".repeat(-digits.length & 63);
}

/** Returns the bytes whose length is at an offset in data. */
function bytesIn(data: Hex, at: number): Hex {
  const [length] = wordsIn(data, at, 1);
  return `0x${data.slice(2 + 2 * (at + 32), 2 + 2 * (at + 32 + Number(length)))}`;
}

/** The game on chain, with an arena that plays many actions in one transaction, even rejected ones. */
export class Walkthrough {
  private matches = 0n;
  private readonly logTopic: Hex;
  /** Errors of the game by their selectors; all their values are single words. */
  private readonly errors = new Map<Hex, ErrorFragment>();

  private constructor(
    readonly game: BaseContract,
    /** Contract that plays moves without a match. */
    readonly preview: BaseContract,
    readonly address: Hex,
    private readonly arena: Contract,
    private readonly sender: Hex,
  ) {
    this.logTopic = game.interface.getEvent("Log")!.topicHash;
    game.interface.forEachError((error) => this.errors.set(error.selector, error));
  }

  static async open(): Promise<Walkthrough> {
    const arena = await deployMock("Walkthrough");
    const [owner] = await ethers.getSigners();
    const deployed = (await ethers.deployContract("Warmancer", [arena])) as unknown as BaseContract;
    const address = await deployed.getAddress();
    const preview = (await ethers.deployContract("WarmancerPreview")) as unknown as BaseContract;
    const previewAddress = await preview.getAddress();
    const own = WarmancerPreview__factory.connect(previewAddress, owner);
    return new Walkthrough(Warmancer__factory.connect(address, owner), own, address, arena, owner.address);
  }

  /** Returns the game and the number of a new match. */
  place(): Pick<Match, "game" | "matchId"> {
    return { game: this.address, matchId: ++this.matches };
  }

  async register(mode: Mode): Promise<void> {
    await this.game.getFunction("registerMode")(encodeMode(mode));
  }

  /** Returns the chain's errors for modes; undefined for those that it accepts. */
  async refusalsOfModes(contents: readonly Hex[]): Promise<(Refused | undefined)[]> {
    const calls = contents.map((content) => this.game.interface.encodeFunctionData("registerMode", [content]));
    const told = await this.play(0n, calls);
    return told.map(({ taken, data }) => (taken ? undefined : this.errorIn(data)));
  }

  /** Sends the tried data to the chain, and expects the same answers as from the engine. */
  async expectAlike(match: Match, tried: readonly Tried[]): Promise<void> {
    const mode = ethers.keccak256(encodeMode(match.mode));
    const [player1, player2] = match.players;
    const calls = tried.map(({ entry, seat, data }) => {
      const others = entry === "create" ? 0 : player2;
      // The arena replaces the sixth word with the position.
      const duel = words(match.matchId, mode, Number(match.rated), player1, others, 0);
      const head = entry === "act" ? words(seat, 8 * 32) : words(7 * 32);
      return this.game.interface.getFunction(entry)!.selector + duel + head + sizedBytes(data);
    });
    for (const [i, { taken, data, position, logs }] of (await this.play(match.matchId, calls)).entries()) {
      const verdict = { ...(taken ? this.stepIn(data) : this.errorIn(data)), position, logs };
      deepStrictEqual(verdict, tried[i].engine, `match ${match.matchId}, try ${i}`);
    }
  }

  /** Makes calls, with as many per transaction as fit. */
  private async play(matchId: bigint, calls: readonly Hex[]): Promise<Told[]> {
    const told: Told[] = [];
    const { provider } = ethers;
    const { selector } = this.arena.interface.getFunction("play")!;
    const [from, to] = [this.sender, this.arena.target];
    for (let at = 0; at < calls.length;) {
      let [end, bytes] = [at, 0];
      while (end < calls.length && end - at < MAX_CALLS && bytes < MAX_BYTES) bytes += dataLength(calls[end++]);
      const items = calls.slice(at, end).map(sizedBytes);
      let place = 32 * items.length;
      const places = items.map((item) => (place += item.length / 2) - item.length / 2);
      const data = `${selector}${words(this.address, matchId, 3 * 32, items.length, ...places)}${items.join("")}`;
      const hash = (await provider.send("eth_sendTransaction", [{ from, to, data }])) as Hex;
      told.push(...this.toldIn(((await provider.send("eth_getTransactionReceipt", [hash])) as { logs: Event[] }).logs));
      at = end;
    }
    return told;
  }

  /** Parses the events of a transaction: the game's logs of each call, followed by the result of the call. */
  private toldIn(events: readonly Event[]): Told[] {
    const told: Told[] = [];
    const { topicHash } = this.arena.interface.getEvent("Told")!;
    let logs: RoundLog[] = [];
    for (const { topics, data } of events) {
      if (topics[0] === topicHash) {
        const [taken, at, position] = wordsIn(data, 0, 3);
        told.push({ taken: taken === 1n, data: bytesIn(data, Number(at)), position: hexWord(position), logs });
        logs = [];
      } else if (topics[0] === this.logTopic) {
        const [round, , , ...entries] = wordsIn(data);
        logs.push({ round, entries });
      }
    }
    return told;
  }

  private stepIn(data: Hex): Pick<Verdict, "values"> {
    return { values: wordsIn(data, 0, 3) };
  }

  private errorIn(data: Hex): Refused {
    const error = this.errors.get(data.slice(0, 10));
    if (!error) throw new Error(`no error of the game: ${data}`);
    return { error: error.name, values: wordsIn(data, 4) };
  }
}

/** An event as returned by a node. */
interface Event {
  topics: readonly Hex[];
  data: Hex;
}

/** The result of a call. */
interface Told {
  taken: boolean;
  /** The bytes that it returned or reverted with. */
  data: Hex;
  position: Hex;
  logs: RoundLog[];
}
