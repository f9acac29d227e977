import { Arena__factory, Channels__factory } from "../../typechain-types/index.js";
import { machineClock } from "../../sdk/chain/waiting.js";
import type { GameModule } from "../../sdk/games/module.js";
import { channelMatchIdOf, channelIdOf } from "../../sdk/protocol/channels/messages.js";
import { transcriptOf } from "../../sdk/protocol/channels/transcript.js";
import type { MoveMessage } from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { Declined, Examiner, Silent, type ExaminerOptions } from "./examiner.js";
import { gameRule, Report, RULES, type Rule, type RuleName, type Verdict } from "./rules.js";
import type { Fault } from "./tapped-transport.js";

/** Seconds that each player would have on chain. */
const CLOCK = 3600n;

/** Milliseconds for which a message comes late. */
const LATE = 2_000;

/** Name of a game with several moves of each player, in which the kit can resign. */
const LONG_GAME = "tic-tac-toe";

/** Game that the bot must play. */
export interface ExaminedGame {
  /** Name that the user gave. */
  name: string;
  module: GameModule;
  /** Hash of the mode. */
  mode: Hex;
}

/** Relay of the kit, which can fail. */
export interface FailingRelay {
  /** Stops the relay, and starts it again with its messages. */
  restart(): Promise<void>;
  /** Starts the relay again without its messages. */
  lose(): Promise<void>;
}

/** Options of an examination. */
export interface ExaminationOptions extends Omit<ExaminerOptions, "onBreach"> {
  games: readonly ExaminedGame[];
  /** True if the user has named the games, so that the bot must play all of them. */
  areNamed: boolean;
  /** Rules to check; the report has only these. */
  rules: readonly Rule[];
  /** Milliseconds for which the kit is silent. */
  silence: number;
  relay?: FailingRelay;
}

/** Match of an examination, and the rule that it checks. */
interface Trial {
  rule: string;
  game: ExaminedGame;
  /** Player that must offer the match; either if undefined. */
  offerer?: "bot" | "kit";
  /** Runs before the match. @returns what the bot did wrong */
  before?(terms: Terms): Promise<string | undefined>;
  fault?: Fault;
}

/** Returns all rules for some games. */
export function rulesFor(games: readonly Pick<ExaminedGame, "name">[]): Rule[] {
  return [...RULES, ...games.map(({ name }) => gameRule(name))];
}

/** Plays against a bot, and returns a verdict about each rule. The bot is asked for nothing more once it is stuck. */
export async function examine(options: ExaminationOptions): Promise<Verdict[]> {
  const report = new Report(options.rules);
  const onBreach = (rule: RuleName, reason: string) => report.fail(rule, reason);
  await new Examination(options, new Examiner({ ...options, onBreach }), report).run();
  return report.verdicts;
}

class Examination {
  /** Number of matches that are over. */
  private played = 0;
  private hasRevealed = false;
  /** Message that is still on its way. */
  private lateMessage: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: ExaminationOptions,
    private readonly examiner: Examiner,
    private readonly report: Report,
  ) {}

  async run(): Promise<void> {
    const { examiner, report } = this;
    try {
      await examiner.meet();
    } catch (error) {
      return this.failed("opens", error);
    }
    report.pass("opens");
    const trials = this.trials();
    for (let next = await this.take(trials); next; next = await this.take(trials)) {
      if (!(await this.passes(next))) break;
    }
    if (trials.length === 0) examiner.witness.end();
    this.conclude();
  }

  /** Plays a match. @returns false if the bot is stuck */
  private async passes(trial: Trial): Promise<boolean> {
    const { rule, game, before, fault } = trial;
    const { examiner, report } = this;
    const terms = this.termsOf(game);
    const { heard } = examiner.witness;
    try {
      const wrong = await before?.(terms);
      if (wrong !== undefined) {
        report.fail(rule, wrong);
        return false;
      }
      await examiner.play(terms, fault);
    } catch (error) {
      if (error instanceof Declined && rule.startsWith("game ") && !this.options.areNamed) {
        report.skip(rule, error.message);
        return true;
      }
      const hasAnswered = this.played > 0 || examiner.witness.heard > heard;
      this.failed(rule, error);
      if (hasAnswered && error instanceof Silent) report.fail("clock", error.message);
      return false;
    }
    await this.lateMessage;
    this.played++;
    report.pass("answers");
    return this.settle(trial);
  }

  /** Notes what the bot has done in a match that is over. @returns false if only the chain can settle the match */
  private async settle({ rule, game: { module }, fault }: Trial): Promise<boolean> {
    const { examiner, report } = this;
    const { nonce } = await examiner.held();
    const { isFinal, state } = examiner.player.match(nonce - 1)!;
    if (state.refusal !== undefined) return false;
    this.hasRevealed ||= module.moves.pendingCommitments !== undefined && !examiner.offers(nonce - 1);
    // Once the bot has failed to sign, it is not worth waiting again.
    if (isFinal && !report.hasFailed("balances")) {
      try {
        await examiner.awaitBalance();
        report.pass("balances");
      } catch (error) {
        // After a fault, a bot that does not sign has not finished the match.
        this.failed(fault ? rule : "balances", error);
      }
    }
    report.pass(rule);
    return true;
  }

  private failed(rule: string, error: unknown): void {
    if (!(error instanceof Silent) && !(error instanceof Declined)) throw error;
    this.report.fail(rule, error.message);
  }

  /** Takes the next match whose offerer it is. If only the other player's are left, returns one that checks nothing. */
  private async take(trials: Trial[]): Promise<Trial | undefined> {
    if (trials.length === 0) return undefined;
    const { nonce } = await this.examiner.held();
    const offerer = this.examiner.offers(nonce) ? "kit" : "bot";
    const place = trials.findIndex((trial) => (trial.offerer ?? offerer) === offerer);
    return place < 0 ? { rule: "answers", game: this.options.games[0] } : trials.splice(place, 1)[0];
  }

  private trials(): Trial[] {
    const { games, silence, relay, send } = this.options;
    const [game] = games;
    const all: Trial[] = [
      { rule: "answers", game },
      { rule: "declines", game, offerer: "bot", before: (terms) => this.unknownGame(terms) },
      { rule: "declines", game, offerer: "kit", before: (terms) => this.unpaidOffer(terms) },
      { rule: "late", game, fault: this.late },
      { rule: "silence", game, fault: async (sent) => this.pause(silence).then(sent) },
    ];
    const needsRelay = "it needs the kit's own relay";
    if (relay) {
      all.push({ rule: "restart", game, fault: async (sent) => relay.restart().then(sent) });
      all.push({ rule: "repeated", game, fault: async (sent) => sent().then(() => relay.lose()) });
    } else for (const rule of ["restart", "repeated"]) this.report.skip(rule, needsRelay);
    const long = games.find(({ module }) => module.name === LONG_GAME);
    if (send && long) all.push({ rule: "resigns", game: long, fault: (_, move) => this.resign(move) });
    else this.report.skip("resigns", `it needs --on-chain and the game ${LONG_GAME}`);
    for (const each of games) {
      const { name: rule } = gameRule(each.name);
      all.push({ rule, game: each, offerer: "bot" }, { rule, game: each, offerer: "kit" });
    }
    const wanted = new Set(this.options.rules.map(({ name }) => name));
    return all.filter(({ rule }) => wanted.has(rule));
  }

  /** Asks for a match of a game that does not exist. */
  private async unknownGame(terms: Terms): Promise<string | undefined> {
    const game = this.options.at.channels;
    await this.examiner.wishFor({ ...terms, game }, this.look);
    const { nonce } = await this.examiner.held();
    const offer = this.examiner.witness.book.matches.get(nonce);
    return offer && `it offers match ${nonce} although it does not know the game ${game}`;
  }

  /** Offers a match that the bot cannot pay, and that could never reach the chain. */
  private async unpaidOffer(terms: Terms): Promise<string | undefined> {
    const hasAnswered = await this.examiner.offerExpired({ ...terms, stake2: 1n }, this.look);
    return hasAnswered
      ? "it answers a match with a stake that the channel does not hold, and that has ended"
      : undefined;
  }

  /** Milliseconds within which a bot would answer by mistake. */
  private get look(): number {
    return Math.min(LATE, this.options.patience);
  }

  /** Sends a move only after the message that follows it. */
  private readonly late: Fault = async (sent) => {
    this.lateMessage = this.pause(LATE).then(sent);
    // A failure is thrown once the match is over.
    this.lateMessage.catch(() => undefined);
  };

  /** Brings a match to the chain with the kit's move, and resigns there once the bot has moved. */
  private async resign({ nonce }: MoveMessage): Promise<void> {
    const { examiner } = this;
    const { at, arena, history, send } = this.options;
    const channels = Channels__factory.connect(at.channels, history.provider);
    const game = Arena__factory.connect(arena, history.provider);
    const { channel } = examiner;
    const id = channelIdOf(channel);
    const { offer, messages, base } = examiner.player.match(nonce)!;
    const abi = channels.interface;
    const challenge = [channel, nonce, offer.terms, transcriptOf(messages, base)] as const;
    const calls = [abi.encodeFunctionData("challenge", [...challenge])];
    const [one, two] = examiner.witness.book.opening!;
    if ((await channels.stateOf(id)).until === 0n) {
      const { amount1, amount2, until } = one;
      calls.unshift(abi.encodeFunctionData("open", [channel, amount1, amount2, until, one.signature, two.signature]));
    }
    const data = abi.encodeFunctionData("multicall", [calls]);
    await send!({ to: at.channels, data, what: `challenges with match ${nonce}` });
    const matchId = channelMatchIdOf(id, nonce);
    const seat = examiner.offers(nonce) ? Seat.One : Seat.Two;
    await examiner.until(
      () => `its move in match ${nonce} on chain`,
      async () => ((await game.matchOf(matchId)).turn === seat ? true : undefined),
    );
    const resigns = game.interface.encodeFunctionData("resign", [matchId]);
    await send!({ to: arena, data: resigns, what: `resigns match ${nonce}` });
  }

  private async pause(milliseconds: number): Promise<void> {
    await (this.options.clock ?? machineClock).pause(milliseconds);
  }

  private termsOf({ module, mode }: ExaminedGame): Terms {
    const { token, feeBps, history } = this.options;
    const game = (history.addresses as Readonly<Record<string, string>>)[module.contract];
    return { game, stake1: 0n, token, stake2: 0n, mode, clock: CLOCK, feeBps, rated: false };
  }

  /** Passes the rules about all messages, if there were any. */
  private conclude(): void {
    const { report, played, hasRevealed } = this;
    if (played > 0) for (const rule of ["legal", "turns", "numbers", "clock"]) report.pass(rule);
    if (hasRevealed) report.pass("reveals");
  }
}
