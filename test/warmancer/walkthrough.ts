import { deepStrictEqual } from "node:assert/strict";
import { toBigInt, type BaseContract, type Contract } from "ethers";
import type { RoundLog } from "../../sdk/record.js";
import { encodeMode, type Mode } from "../../sdk/games/warmancer/mode.js";
import { wordOfState, type Match, type Outcome } from "../../sdk/games/warmancer/protocol.js";
import { Refusal } from "../../sdk/games/warmancer/refusal.js";
import { NO_STATE, type Hex } from "../../sdk/seal.js";
import { Seat } from "../../sdk/status.js";
import { Warmancer__factory } from "../../typechain-types/index.js";
import { deployMock, ethers } from "../support.js";
import type { Campaign } from "../warmancer-support.js";

/** What an engine makes of something that a player sends: taken with a step, or refused by an error with its values. */
export interface Verdict {
  error?: string;
  /** Turn, winner and taker of the step, or what explains the error. */
  values: bigint[];
  /** What the game keeps afterwards. */
  word: Hex;
  logs: RoundLog[];
}

/** Something that was sent, right or wrong, and what the twin made of it. */
export interface Tried {
  entry: "create" | "join" | "act";
  seat: bigint;
  data: Hex;
  twin: Verdict;
}

const MOST_GAS = 16_000_000;
/** How many calls fit into a transaction by far, by the bytes they bring. */
const MOST_BYTES = 40_000;
const MOST_CALLS = 60;

/** What the twin says, as it is to be compared; `word` is the one before. */
export function verdictOf(outcome: Outcome | Refusal, word: Hex): Verdict {
  if (outcome instanceof Refusal) {
    return { error: outcome.error, values: Object.values(outcome.values).map(toBigInt), word, logs: [] };
  }
  const { step, state, logs } = outcome;
  return { values: [step.turn, step.winner, step.taker], word: wordOfState(state), logs };
}

/** All that was taken in a match of two honest players. */
export function triedIn({ sent }: Campaign): Tried[] {
  return sent.map(({ seat, data, outcome }, i) => {
    return { entry: (["create", "join"] as const)[i] ?? "act", seat, data, twin: verdictOf(outcome, NO_STATE) };
  });
}

/** The game on the chain behind an arena that plays many actions in a transaction, refused ones too. */
export class Walkthrough {
  private matches = 0n;

  private constructor(
    readonly game: BaseContract,
    readonly address: Hex,
    private readonly arena: Contract,
  ) {}

  static async open(): Promise<Walkthrough> {
    const arena = await deployMock("Walkthrough");
    const [owner] = await ethers.getSigners();
    const deployed = (await ethers.deployContract("Warmancer", [arena])) as unknown as BaseContract;
    const address = await deployed.getAddress();
    return new Walkthrough(Warmancer__factory.connect(address, owner), address, arena);
  }

  /** What a match to be walked through is: a new one of this game. */
  place(): Pick<Match, "game" | "matchId"> {
    return { game: this.address, matchId: ++this.matches };
  }

  async register(mode: Mode): Promise<void> {
    await this.game.getFunction("registerMode")(encodeMode(mode));
  }

  /** Sends to the chain what was tried, and expects it to say all that the twin has said. */
  async expectAlike(match: Match, tried: readonly Tried[]): Promise<void> {
    const chain = await this.play(match, tried);
    for (const [i, { twin }] of tried.entries()) deepStrictEqual(chain[i], twin, `match ${match.matchId}, try ${i}`);
  }

  private async play(match: Match, tried: readonly Tried[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    for (let at = 0; at < tried.length;) {
      let [end, bytes] = [at, 0];
      while (end < tried.length && end - at < MOST_CALLS && bytes < MOST_BYTES) bytes += tried[end++].data.length / 2;
      verdicts.push(...(await this.send(match, tried.slice(at, end))));
      at = end;
    }
    return verdicts;
  }

  private async send(match: Match, tried: readonly Tried[]): Promise<Verdict[]> {
    const { interface: game } = this.game;
    const mode = ethers.keccak256(encodeMode(match.mode));
    const [player1, player2] = match.players;
    const calls = tried.map(({ entry, seat, data }) => {
      const duel = [match.matchId, mode, match.rated, player1, entry === "create" ? ethers.ZeroAddress : player2];
      return game.encodeFunctionData(entry, entry === "act" ? [duel, seat, data] : [duel, data]);
    });
    const play = this.arena.getFunction("play");
    const { hash } = (await play(this.game, match.matchId, calls, { gasLimit: MOST_GAS })) as { hash: Hex };
    return this.verdicts((await ethers.provider.getTransactionReceipt(hash))!.logs);
  }

  /** The events of a transaction: what the game logged, and what came of each call behind its logs. */
  private verdicts(events: readonly { topics: readonly string[]; data: Hex }[]): Verdict[] {
    const verdicts: Verdict[] = [];
    let logs: RoundLog[] = [];
    for (const event of events) {
      const log = this.game.interface.parseLog(event);
      if (log) {
        logs.push({ round: log.args.round as bigint, words: [...(log.args.words as bigint[])] });
        continue;
      }
      const { taken, data, word } = this.arena.interface.parseLog(event)!.args as unknown as Told;
      verdicts.push({ ...(taken ? this.stepIn(data) : this.errorIn(data)), word, logs });
      logs = [];
    }
    return verdicts;
  }

  private stepIn(data: Hex): Pick<Verdict, "values"> {
    const [step] = this.game.interface.decodeFunctionResult("act", data) as unknown as [[bigint, bigint, bigint]];
    return { values: [...step] };
  }

  private errorIn(data: Hex): Pick<Verdict, "error" | "values"> {
    const error = this.game.interface.parseError(data);
    if (!error) throw new Error(`no error of the game: ${data}`);
    return { error: error.name, values: (error.args.toArray() as (bigint | Hex)[]).map(toBigInt) };
  }
}

interface Told {
  taken: boolean;
  data: Hex;
  word: Hex;
}

/** Whether a match is over for the twin. */
export function isOver({ twin }: Tried): boolean {
  return twin.error === undefined && twin.values[0] === Seat.None;
}
