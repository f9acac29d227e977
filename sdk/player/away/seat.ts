import { ZeroHash } from "ethers";
import { isOutage, reasonOf } from "../../chain/trouble.js";
import { machineClock, type Clock } from "../../chain/waiting.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import type { AwayPlay, GameModule } from "../../games/module.js";
import { turnOf, type OpenTurn, type SecretStore } from "../../games/moves.js";
import { actionsOf, virtualRecord } from "../../games/virtual-record.js";
import {
  MAX_MESSAGE_BYTES,
  messageText,
  type AwayAgreement,
  type AwayAsk,
  type AwayMessage,
  type AwayMove,
} from "../../protocol/away/messages.js";
import {
  AGREEMENT_SECONDS,
  AWAY_SECONDS,
  agreementRequest,
  askRequest,
  digestOf,
  isSignedBy,
  NEVER,
  signersOf,
  stateRequest,
  type AwayMatch,
  type SigningRequest,
} from "../../protocol/away/signatures.js";
import { tableHash, type SignedState, type Table } from "../../protocol/away/table.js";
import {
  checkMove,
  checkNote,
  checkStateSignature,
  nextRecord,
  signedState,
  stateBehind,
  type SupportedState,
} from "../../protocol/away/transcript.js";
import { isKind } from "../../protocol/error-kind.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError } from "../../protocol/input.js";
import { otherSeat } from "../../protocol/sides.js";
import { Seat, Status } from "../../protocol/status.js";
import { termsHash } from "../../protocol/terms.js";
import { timeText } from "../../protocol/text.js";
import { Agreements } from "./agreements.js";
import { chainPlay, isPosted, type ChainPlay } from "./chain-play.js";
import type { ChainState, ChainView } from "./chain-view.js";
import { dueIn, dueOnChain, isUrgent, phaseOf, type Position, type Situation } from "./decision.js";
import type { AgreedResult, AwayStatus, Due, Proposal, Settle } from "./due.js";
import { Links } from "./links.js";
import type { AwayLog } from "./log.js";
import { SeatLog, type SignedEntry } from "./seat-log.js";
import type { AwaySigner } from "./signers.js";
import type { AfterOptions, Transport } from "./transport.js";

/** Milliseconds after which a transport that stalls is left alone; and while the own clock runs on chain. */
const LIMIT_MS = 10_000;
const HURRIED_MS = 3_000;

/** Seconds after joining in which an empty log is a new one: later it may have been lost. */
const NEW_SECONDS = 600n;

/** Options of a seat. */
export interface SeatOptions {
  module: GameModule;
  /** History of the deployment, from which modes are read. */
  history: History;
  chain: ChainView;
  /** The own seat, as in `Seat`. */
  seat: bigint;
  /** Secrets of the own player. */
  secretStore: SecretStore;
  /** Left out: the seat signs nothing, and posts only what both players have signed. */
  signer?: AwaySigner;
  log: AwayLog;
  transports: readonly Transport[];
  /** Seconds for which the other player is waited for before `post` is due; without it that is up to the caller. */
  patience?: number;
  /** Source of time for patience and for transports; defaults to that of the machine. */
  clock?: Clock;
}

/** Knowledge of a seat once player 2 has joined. */
interface Begun {
  /** True if joining is final: else it is known for the own clock alone, which is nearly over. */
  isFinal: boolean;
  match: AwayMatch;
  base: Hex;
  /** Seat in turn after joining. */
  turn: bigint;
  play: ChainPlay;
}

/**
 * Seat of a match that is played away from the chain: it receives, checks, keeps and signs messages, falls back to the
 * chain, and says what is due. `sync` brings it up to date; what is due is then done by the method that `Due` names, and
 * calls of the arena are sent by whoever has the wallet.
 *
 * It never signs two states of one nonce, nothing after an agreement until that has ended on chain, and nothing before
 * joining is final. What it signs is in its log before anybody has it. Warning: one log belongs to one program at a time.
 *
 * All methods throw Outage and the like where the chain cannot be read, and the log's error for a log that somebody has
 * changed. Troubles of transports are in the status.
 */
export class AwaySeat {
  private readonly away: AwayPlay;
  private readonly clock: Clock;
  private readonly links: Links;
  private state?: ChainState;
  private joined?: { key: string; base: Hex; turn: bigint };
  /** Time of the chain when it was read first. */
  private openedAt?: bigint;
  private begun?: Begun;
  private position?: Position;
  /** Position on the table that a player has posted, if it is known. */
  private posted?: Position;
  private readonly agreements: Agreements;
  private readonly log: SeatLog;
  private logWasLost = false;
  private breach?: string;
  /** Moment since which the other player is waited for. */
  private waitingSince: number;
  private work: Promise<unknown> = Promise.resolve();

  private constructor(private readonly options: SeatOptions) {
    const { module, seat, signer, log, transports, clock = machineClock } = options;
    if (!module.away) throw new Error(`${module.title} is not played away from the chain.`);
    this.away = module.away;
    this.clock = clock;
    this.links = new Links(transports, clock);
    this.waitingSince = clock.now();
    this.agreements = new Agreements(seat, signer !== undefined, () => ({
      state: this.state!,
      position: this.position,
    }));
    this.log = new SeatLog(log, seat, this.agreements);
  }

  /** Opens a seat with what its log has, which the first `sync` checks. @throws Error for a log that cannot be read. */
  static async open(options: SeatOptions): Promise<AwaySeat> {
    const seat = new AwaySeat(options);
    await seat.log.open();
    return seat;
  }

  /**
   * Brings the seat up to date: reads the chain and all transports, checks and keeps what is new, hands over what a
   * transport lacks.
   * @param options Milliseconds to wait for news of the other player; a signal that ends the wait.
   */
  async sync(options: AfterOptions = {}): Promise<AwayStatus> {
    return this.inTurn(() => this.update(options));
  }

  /** Returns how the seat stood at the last `sync`. @throws Error before the first. */
  get status(): AwayStatus {
    return this.statusNow();
  }

  /** Actions at the table that both players have been shown, oldest first. */
  get transcript(): readonly AwayMove[] {
    return this.log.moves;
  }

  /**
   * Record of the match in the newest position, as if all actions had been on chain: views, frames and stories work on it.
   * Undefined before joining is final, and where nobody here knows the position that was accepted on chain.
   */
  get matchRecord(): MatchRecord | undefined {
    return this.position?.virtual;
  }

  /**
   * Acts at the table.
   * @param move Move of the turn that is due.
   * @param seen History hash of the position that the caller has seen, as `AwayStatus` has it; defaults to any.
   * @throws Error if it is not the own turn, the position has changed, or nothing may be signed now; InputError or
   *   RecordError for an illegal move.
   */
  async act(move: unknown, seen?: Hex): Promise<AwayStatus> {
    return this.inTurn(async () => {
      await this.update({});
      this.checkSeen(seen, this.statusNow().historyHash);
      const { due } = this.statusNow();
      const turn = due.type === "act" || due.type === "settle" ? due.turn : undefined;
      if (!turn) throw new Error(`There is no turn to take at the table: ${this.dueText(due)}.`);
      this.checkMaySign();
      const position = this.positionNow();
      const action = this.log.actionIn(position.historyHash) ?? (await this.compose(turn, move));
      await this.keep(await this.signedMove(position, action));
      return this.shared();
    });
  }

  /** Proposes a result in the present position, which binds nobody. @param winner Seat of the winner; None for a draw. */
  async ask(winner: bigint): Promise<AwayStatus> {
    return this.inTurn(async () => {
      await this.update({});
      this.checkMaySign();
      const { match } = this.begunNow();
      const { nonce } = this.positionNow();
      const request = askRequest(match.chainId, match.arena, { matchId: match.matchId, winner, nonce });
      const signature = await this.sign(request);
      this.agreements.propose({ type: "ask", seat: this.seat, winner, nonce, signature });
      return this.shared();
    });
  }

  /**
   * Agrees to a result in the position that the caller has seen. One that is the game's own holds for ever, any other for
   * ten minutes, in which the seat makes no move.
   * @throws Error if the position has changed, or nothing may be signed now.
   */
  async agree(proposal: Proposal): Promise<AwayStatus> {
    return this.inTurn(async () => {
      await this.update({});
      await this.agreeTo(proposal);
      return this.shared();
    });
  }

  /**
   * Returns the call that settles the match by an agreement that the other player has signed, and signs the own half.
   * @param seen Agreement that the caller has seen, as `Due` or `AwayStatus` has it.
   * @throws Error if the other player has signed no such agreement that still holds, or the own seat may not.
   */
  async settlement(seen: AgreedResult): Promise<Settle> {
    return this.inTurn(async () => {
      await this.update({});
      const half = this.agreements.seen(seen);
      if (!half) throw new Error("The other player has not agreed to this result, or not for so long.");
      const own = this.agreements.ownHalf(half) ?? (await this.agreeWith(half));
      const { matchId, termsHash } = this.begunNow().match;
      const { winner, until, record } = half;
      const [signature1, signature2] =
        this.seat === Seat.One ? [own.signature, half.signature] : [half.signature, own.signature];
      return { agreement: { matchId, termsHash, winner, until, record }, signatures: { signature1, signature2 } };
    });
  }

  /**
   * Returns the data of the action that posts the newest state which the other player has signed, or what stands on the
   * table while it has signed none. From then on the seat goes on at the chain only: the other player could hold an
   * action back until the post is mined, and so see what it answers before it moves. `dropPost` takes that back.
   * @throws Error if there is nothing newer to post.
   */
  async post(): Promise<Hex> {
    return this.inTurn(async () => {
      await this.update({});
      const { play } = this.begunNow();
      const { table } = play;
      if (!table) throw new Error("There is no table to post on.");
      if (this.state!.turn === otherSeat(this.seat)) throw new Error("The other player has to answer the table first.");
      if (this.state!.turn === this.seat && dueOnChain(this.situation).type === "wait") {
        throw new Error("Nothing is posted before a relay has told what was sent before.");
      }
      const newest = this.postable;
      const state = newest && newest.move.nonce > table.nonce ? await this.stateToPost(newest) : undefined;
      if (!state && isPosted(play)) {
        throw new Error(`There is no newer state than that of nonce ${table.nonce} to post.`);
      }
      await this.log.addPost(state?.nonce ?? table.nonce);
      return this.away.encodePost(table, state);
    });
  }

  /** Takes the last post back, which was certainly never sent: unless an earlier one was, the seat goes on at the table. */
  async dropPost(): Promise<AwayStatus> {
    return this.inTurn(async () => {
      // What keeps the post from being sent may last: meanwhile the match goes on at the table.
      if (await this.log.dropPost()) this.waitingSince = this.clock.now();
      return this.statusNow();
    });
  }

  /**
   * Returns the data of the action that accepts the posted table.
   * @param act Move to act with at once, if the posted table has this seat in turn; defaults to the action that was shown
   * before, if any.
   * @param seen History hash of the posted position that the caller has seen, as `AwayStatus` has it; defaults to any.
   * @throws Error unless the other player has posted a table, or if it is another one than the caller has seen.
   */
  async accept(act?: { move: unknown }, seen?: Hex): Promise<Hex> {
    return this.inTurn(async () => {
      await this.update({});
      this.checkSeen(seen, this.posted?.historyHash);
      const { play } = this.begunNow();
      const { table } = play;
      if (!table || table.poster !== otherSeat(this.seat)) {
        throw new Error("The other player has not posted a table to accept.");
      }
      const { posted } = this;
      const due = dueOnChain(this.situation);
      if (due.type === "supersede") {
        throw new Error(`A newer state than that of nonce ${table.nonce} is signed: post it in its place.`);
      }
      if (due.type === "wait") throw new Error("Nothing is accepted before a relay has told what was sent before.");
      const action = posted?.turn === this.seat ? await this.actionFor(posted, act) : undefined;
      return this.away.encodeAccept(table, action);
    });
  }

  /**
   * Returns the data of the own action on chain, after a table was accepted.
   * @param move Move of the turn that is due; not used where an action was shown in this position before.
   * @param seen History hash of the position that the caller has seen, as `AwayStatus` has it; defaults to any.
   * @throws Error if it is not the own turn, or the position has changed.
   */
  async actOnChain(move?: unknown, seen?: Hex): Promise<Hex> {
    return this.inTurn(async () => {
      await this.update({});
      this.checkSeen(seen, this.statusNow().historyHash);
      const { due } = this.statusNow();
      if (due.type !== "actOnChain") throw new Error(`There is no turn to take on chain: ${this.dueText(due)}.`);
      return (await this.actionFor(this.positionNow(), { move }))!;
    });
  }

  private get seat(): bigint {
    return this.options.seat;
  }

  /** @throws Error for a position that is not the present one any more. */
  private checkSeen(seen: Hex | undefined, now: Hex | undefined): void {
    if (seen === undefined || seen === now) return;
    throw new Error("The position is not the one that you have seen: look again before you move.");
  }

  /** Does things one after the other, so that nothing is signed twice. */
  private async inTurn<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.work.then(action);
    this.work = turn.catch(() => undefined);
    return turn;
  }

  private async update({ waitMs = 0, signal }: AfterOptions): Promise<AwayStatus> {
    if (!this.state) await this.readChain();
    const isHurried = this.state!.turn === this.seat;
    await this.links.read(isHurried ? 0 : waitMs, isHurried ? HURRIED_MS : LIMIT_MS, signal);
    const pledged = this.begun?.match.keys.length;
    await this.readChain();
    // What was signed by a key that was not known then may count now.
    if (this.begun && pledged !== undefined && this.begun.match.keys.length !== pledged) {
      this.links.restart();
      await this.links.read(0, HURRIED_MS, signal);
    }
    await this.adopt();
    await this.locate();
    return this.shared();
  }

  /** Hands over what transports lack, and returns how the seat stands. */
  private async shared(): Promise<AwayStatus> {
    if (this.begun && this.state!.status === Status.AllJoined) {
      await this.links.spread(
        [...this.log.moves, ...this.agreements.toSpread],
        this.state!.turn === this.seat ? HURRIED_MS : LIMIT_MS,
      );
    }
    return this.statusNow();
  }

  private async readChain(): Promise<void> {
    this.state = await this.options.chain.read();
    this.openedAt ??= this.state.time;
    await this.begin(this.state);
  }

  /** Takes the base from the final block, once joining is final, and follows what was done on chain. */
  private async begin({ record, final, status, position }: ChainState): Promise<void> {
    const isFinal = final !== undefined || this.begun?.isFinal === true;
    if (!isFinal && !isUrgent(this.seat, this.state!)) {
      this.begun = undefined;
      return;
    }
    if (record.joinData === undefined) return;
    const keys = final?.keys ?? this.begun?.match.keys ?? [];
    const { base, turn } = await this.baseOf(record);
    const play = chainPlay(this.away, base, turn, record);
    if (status === Status.AllJoined && play.table) {
      if (tableHash(play.table) !== position) throw new Error("The answers of the node do not fit together.");
      if (final && !this.begun && !play.hashes.includes(final.position)) return;
    }
    if (this.begun?.isFinal && this.begun.base !== base)
      throw new Error("The node tells of another match than before.");
    if (this.log.moves.length > 0 && this.log.moves[0].base !== base) {
      throw new Error(`The log is of another match ${record.matchId}.`);
    }
    const { chainId, matchId, terms, player1, player2 } = record;
    const players = [player1, player2!] as const;
    const { Arena: arena } = this.options.history.addresses;
    const match = { chainId, arena, game: terms.game, matchId, termsHash: termsHash(terms), players, keys };
    // Nobody could sign anything before.
    if (isFinal && !this.begun?.isFinal) this.waitingSince = this.clock.now();
    this.begun = { isFinal, match, base, turn, play };
    // What a program has kept it has checked by keys that were final then, also where this node does not know that yet.
    await this.log.check((entry) => this.problemIn(entry, { ...match, keys: record.keys }));
  }

  /** Replays joining, once. */
  private async baseOf(record: MatchRecord): Promise<{ base: Hex; turn: bigint }> {
    const { player1, player2, createData, joinData, terms } = record;
    const key = [player1, player2, createData, joinData, termsHash(terms)].join(" ");
    if (this.joined?.key !== key) {
      const content = terms.mode === ZeroHash ? "0x" : await this.options.history.mode(terms.game, terms.mode);
      if (!this.away.isAway(content)) throw new Error(`Match ${record.matchId} is not played away from the chain.`);
      const { word, turn } = await this.replayed([], record);
      this.joined = { key, base: word, turn };
    }
    return this.joined;
  }

  /** Checks and keeps the messages that came. */
  private async adopt(): Promise<void> {
    if (!this.begun?.isFinal) return;
    for (let found = true; found;) {
      found = false;
      const waiting = this.links.waiting;
      const moves = waiting.filter(({ type }) => type === "move").sort((a, b) => a.nonce - b.nonce);
      const notes = waiting.filter(({ type }) => type !== "move");
      for (const message of [...moves, ...notes]) found = (await this.adopted(message)) || found;
    }
  }

  /** Checks and keeps a message. @returns true if it is a new move. */
  private async adopted(message: AwayMessage): Promise<boolean> {
    if (message.type !== "move") {
      // To check a signature takes time, and nobody asks for anything in an earlier position any more.
      if (message.type === "ask" && message.nonce !== this.log.moves.length) {
        if (message.nonce < this.log.moves.length) this.links.done(message);
        return false;
      }
      if (this.links.isWaiting(message)) await this.takeNote(message);
      return false;
    }
    const expected = this.log.moves.length + 1;
    if (message.nonce < expected) this.links.done(message);
    const { accepted } = this.begunNow().play;
    if (message.nonce !== expected || (accepted && expected > accepted.nonce)) return false;
    if (!this.links.isWaiting(message)) return false;
    const problem = await this.problemOf(message);
    if (problem !== undefined) {
      this.links.refuse(message);
      // A stranger's message says nothing of the other player.
      if (!problem.isSigned) return false;
      this.breach = `Message ${message.nonce} of the other player is against the rules: ${problem.text}.`;
      return false;
    }
    this.noteLoss(message);
    await this.keep(message);
    this.links.done(message);
    return true;
  }

  /** Finds what is wrong with an entry of the log. @returns undefined if nothing is. */
  private async problemIn(entry: SignedEntry, match: AwayMatch): Promise<string | undefined> {
    try {
      if (entry.type === "signature") {
        checkStateSignature(match, this.seat, this.moveOf(entry.nonce), entry.signature);
      } else if (entry.message.type === "move") {
        return (await this.problemOf(entry.message, match))?.text;
      } else checkNote(match, entry.message);
    } catch (error) {
      if (isKind(error, InputError)) return error.message;
      throw error;
    }
    return undefined;
  }

  /** Returns the move of a nonce. @throws InputError if there is none. */
  private moveOf(nonce: number): AwayMove {
    const move = this.log.moves[nonce - 1];
    if (!move) throw new InputError("nonce", `there is no move ${nonce}`);
    return move;
  }

  /** Finds what is wrong with the next move. @returns undefined if nothing is. */
  private async problemOf(
    move: AwayMove,
    match = this.begunNow().match,
  ): Promise<{ isSigned: boolean; text: string } | undefined> {
    const { base, turn } = this.begunNow();
    const before = this.log.moves.at(-1);
    try {
      if (!before && move.base !== base) throw new InputError("move.base", `${move.base} instead of ${base}`);
      if (!before && move.seat !== turn) throw new InputError("move.seat", `${move.seat} instead of ${turn}`);
      checkMove(match, before, move);
    } catch (error) {
      if (isKind(error, InputError)) return { isSigned: false, text: error.message };
      throw error;
    }
    const size = messageText(move).length;
    if (size > MAX_MESSAGE_BYTES)
      return { isSigned: true, text: `it takes ${size} bytes, and a relay ${MAX_MESSAGE_BYTES}` };
    try {
      const position = await this.replayed([...actionsOf(this.log.moves), { seat: move.seat, data: move.action }]);
      if (position.word === move.word && position.turn === move.turn) return undefined;
      return { isSigned: true, text: "it does not lead to the state that it says" };
    } catch (error) {
      if (isOutage(error)) throw error;
      // Whatever else an engine throws comes of the action, and must not stop the seat.
      return { isSigned: true, text: reasonOf(error) };
    }
  }

  /** Notes that the log was lost, if an own message came that it does not have: one that signs nothing has nothing to lose. */
  private noteLoss({ seat }: AwayMessage): void {
    if (seat === this.seat && this.options.signer) this.logWasLost = true;
  }

  /** Checks a proposal or an agreement. */
  private async takeNote(note: AwayAsk | AwayAgreement): Promise<void> {
    if (this.agreements.isFull(note, this.log.moves.length)) {
      this.links.done(note);
      return;
    }
    try {
      checkNote(this.begunNow().match, note);
    } catch (error) {
      if (!isKind(error, InputError)) throw error;
      this.links.refuse(note);
      return;
    }
    this.links.done(note);
    // Who has signed the own victory for good has lost, also where no relay has that any more.
    const isVictory = note.type === "agreement" && note.seat !== this.seat && this.agreements.isVictory(note);
    const isKept = isVictory && !this.agreements.isWon;
    const isLost = this.agreements.adopt(note);
    if (isLost) this.noteLoss(note);
    if (isLost || isKept) await this.keep(note);
  }

  /** Finds the newest position: that on chain once a table was accepted, else that at the table. */
  private async locate(): Promise<void> {
    if (!this.begun) return;
    const { accepted, actions } = this.begun.play;
    const before = accepted ? this.actionsUpTo(accepted) : actionsOf(this.log.moves);
    const { table } = this.begun.play;
    this.posted = table && isPosted(this.begun.play) ? await this.positionOf(table) : undefined;
    this.position = before && (await this.replayed([...before, ...actions]));
  }

  /** Returns the actions that have led to a table; undefined if they are not known. */
  private actionsUpTo({ nonce, word, turn }: Table): MatchRecord["actions"] | undefined {
    if (nonce === 0) return [];
    const move = this.log.moves.at(nonce - 1);
    if (move?.word !== word || move.turn !== turn) return undefined;
    return actionsOf(this.log.moves.slice(0, nonce));
  }

  private async positionOf(table: Table): Promise<Position | undefined> {
    const actions = this.actionsUpTo(table);
    return actions && this.replayed(actions);
  }

  /** Replays actions from joining on. @throws InputError, RecordError for actions that are against the rules. */
  private async replayed(
    actions: MatchRecord["actions"],
    onChain: MatchRecord = this.state!.record,
  ): Promise<Position> {
    const virtual = virtualRecord(onChain, actions);
    const { turns, result, position: word } = await this.options.module.replay(virtual, this.options.history);
    let record = actions.length === 0 ? word : this.begunNow().base;
    for (const { seat, data } of actions) record = nextRecord(record, seat, data);
    return {
      virtual,
      nonce: actions.length,
      historyHash: record,
      turn: turns.at(-1) ?? Seat.None,
      word,
      ...(result && { winner: result.winner }),
    };
  }

  /** Keeps a message of either player. */
  private async keep(message: AwayMessage): Promise<void> {
    await this.log.add({ type: "message", message });
    if (message.type !== "move") return;
    this.waitingSince = this.clock.now();
    await this.locate();
  }

  /** @throws Error if the seat may sign nothing now. @param isSafe True if it signs what cannot contradict anything. */
  private checkMaySign(isSafe = false): void {
    const { ownAgreed, due } = this.statusNow();
    if (!this.begun?.isFinal) throw new Error(`Nothing is signed before joining is final: ${this.dueText(due)}.`);
    if (!this.options.signer) throw new Error("This seat has no key to sign with.");
    if (ownAgreed) {
      const until = ownAgreed.until === NEVER ? "" : ` until ${timeText(ownAgreed.until)}`;
      throw new Error(`You have agreed to a result: nothing else is signed${until}.`);
    }
    // A log that was lost must not let two states of one nonce be signed.
    if (!isSafe && !this.links.isRead)
      throw new Error("Nothing is signed before a relay has told what was sent before.");
  }

  private async sign(request: SigningRequest): Promise<Hex> {
    const signature = await this.options.signer!.sign(request);
    if (isSignedBy(digestOf(request), signature, signersOf(this.begunNow().match, this.seat))) return signature;
    throw new Error("This key does not sign for the seat: it is not the player's, or its pledge is not final.");
  }

  private async signState(move: Omit<AwayMove, "signature">): Promise<Hex> {
    const { match } = this.begunNow();
    return this.sign(stateRequest(match.chainId, match.game, stateBehind(match.matchId, move)));
  }

  /** Makes the message of an action in a position. @throws InputError, RecordError for one that is against the rules. */
  private async signedMove(position: Position, action: Hex): Promise<AwayMove> {
    const { base } = this.begunNow();
    const { seat } = this;
    const before = this.log.moves.at(-1);
    const { nonce, historyHash, turn, word } = await this.replayed([
      ...actionsOf(this.log.moves),
      { seat, data: action },
    ]);
    if (nonce !== position.nonce + 1) throw new Error("The position has changed.");
    const unsigned = { type: "move", nonce, seat, action, base, turn, word, record: historyHash } as const;
    const previous =
      before && before.seat !== seat
        ? (this.log.signatureOf(before.nonce) ?? (await this.signState(before)))
        : undefined;
    const move = {
      ...unsigned,
      signature: await this.signState(unsigned),
      ...(previous !== undefined && { previous }),
    };
    const size = messageText(move).length;
    if (size > MAX_MESSAGE_BYTES) throw new Error(`The action takes a message of ${size} bytes: play it on chain.`);
    return move;
  }

  private async compose(turn: OpenTurn, move: unknown): Promise<Hex> {
    return this.options.module.moves.act(move, turn, this.options.secretStore);
  }

  /** Returns the own action on chain in a position, which is kept before anybody sees it. */
  private async actionFor(position: Position, act?: { move: unknown }): Promise<Hex | undefined> {
    const { historyHash } = position;
    const known = this.log.actionIn(historyHash);
    if (known !== undefined || act === undefined) return known;
    const action = await this.compose(this.turnIn(position), act.move);
    const { virtual } = position;
    await this.replayed([...virtual.actions, { seat: this.seat, data: action }]);
    await this.log.add({ type: "action", record: historyHash, action });
    return action;
  }

  private turnIn({ virtual }: Position): OpenTurn {
    const player = this.begunNow().match.players[Number(this.seat) - 1];
    return turnOf(virtual, this.seat, player, this.options.history);
  }

  /** Newest state that the seat can post now. */
  private get postable(): SupportedState | undefined {
    return this.log.postable(this.options.signer !== undefined && this.agreements.ownNow === undefined);
  }

  /** Signs the own side of a state, unless that was done before, and keeps the signature. */
  private async stateToPost({ move, signature, own }: SupportedState): Promise<SignedState> {
    return signedState(move, this.seat, own ?? (await this.ownSignature(move)), signature);
  }

  private async ownSignature(move: AwayMove): Promise<Hex> {
    const known = this.log.signatureOf(move.nonce);
    if (known !== undefined) return known;
    const signature = await this.signState(move);
    await this.log.add({ type: "signature", nonce: move.nonce, signature });
    return signature;
  }

  private async agreeTo({ winner, nonce, historyHash }: Proposal): Promise<void> {
    this.checkMaySign();
    const position = this.positionNow();
    if (position.nonce !== nonce || position.historyHash !== historyHash) {
      throw new Error("The position is not the one that you have seen: look again before you agree.");
    }
    if (winner !== Seat.None && winner !== Seat.One && winner !== Seat.Two) {
      throw new InputError("winner", `${winner} is not 0, 1 or 2`);
    }
    const half = this.agreements.offered(winner, historyHash);
    const { time, turn, deadline } = this.state!;
    const until = half?.until ?? (position.winner === winner ? NEVER : time + AGREEMENT_SECONDS);
    if (until !== NEVER && turn === this.seat && deadline < until) {
      throw new Error(`Your clock on chain ends at ${timeText(deadline)}, before the agreement would.`);
    }
    if (half) await this.agreeWith(half);
    else await this.signAgreement({ winner, until, record: historyHash, nonce });
  }

  /** Signs the own half of an agreement of the other player, which is kept with it: whoever has both can settle. */
  private async agreeWith(half: AwayAgreement): Promise<AwayAgreement> {
    this.checkMaySign(this.agreements.isVictory(half));
    const { winner, until, record } = half;
    if (this.agreements.isTooLong(half)) {
      throw new Error(
        "The other player would keep this result in reserve for more than ten minutes: propose it again.",
      );
    }
    await this.keep(half);
    return this.signAgreement({ winner, until, record, nonce: this.positionNow().nonce });
  }

  private async signAgreement(agreed: Omit<AwayAgreement, "type" | "seat" | "signature">): Promise<AwayAgreement> {
    const { winner, until, record, nonce } = agreed;
    // Nothing is signed after an agreement, so what an answer to an old post would take is signed before it: but not with
    // the own victory, which whoever has both signatures can settle at any time.
    const [newest] = this.log.supported;
    if (newest && newest.own === undefined && !this.agreements.isVictory(agreed)) await this.ownSignature(newest.move);
    const { chainId, arena, matchId, termsHash } = this.begunNow().match;
    const request = agreementRequest(chainId, arena, { matchId, termsHash, winner, until, record });
    const signature = await this.sign(request);
    const half: AwayAgreement = { type: "agreement", seat: this.seat, winner, until, record, nonce, signature };
    await this.keep(half);
    return half;
  }

  private begunNow(): Begun {
    if (!this.begun) throw new Error("Joining is not final yet.");
    return this.begun;
  }

  private positionNow(): Position {
    if (!this.position) throw new Error("The position is not known here.");
    return this.position;
  }

  private statusNow(): AwayStatus {
    const { state, position, begun } = this;
    if (!state) throw new Error("The seat was not brought up to date yet.");
    const nonce = position?.nonce ?? begun?.play.accepted?.nonce ?? 0;
    return {
      phase: phaseOf(state, begun?.play),
      due: dueIn(this.situation),
      nonce,
      historyHash: position?.historyHash ?? begun?.base ?? ZeroHash,
      // Whose clock runs is in turn also in a position that nobody here knows.
      turn: position?.turn ?? (state.turn === Seat.Either ? Seat.None : state.turn),
      ...(position?.winner !== undefined && { winner: position.winner }),
      ...(begun && isPosted(begun.play) && { poster: begun.play.table!.poster }),
      ...(this.posted && { posted: this.posted.historyHash }),
      deadline: state.deadline,
      time: state.time,
      ...this.agreements.statusIn(nonce),
      logWasLost: this.logWasLost,
      troubles: [...this.links.troubles, ...(this.breach === undefined ? [] : [this.breach])],
    };
  }

  /** Knowledge of the seat, from which follows what is due. */
  private get situation(): Situation {
    const { seat, position, posted, agreements, log } = this;
    const { isRead } = this.links;
    return {
      seat,
      state: this.state!,
      play: this.begun?.play,
      position,
      posted,
      agreements,
      isRead,
      isLogWhole: this.options.signer !== undefined && !log.wasEmpty,
      isPosting: log.isPosting,
      isOutOfPatience: this.isOutOfPatience(),
      postable: this.postable?.move.nonce,
      isOpen: ({ historyHash }) => log.actionIn(historyHash) === undefined,
      turnIn: (each) => this.turnIn(each),
    };
  }

  private isOutOfPatience(): boolean {
    const { patience = Infinity } = this.options;
    return !this.isPerhapsLost() && this.clock.now() - this.waitingSince >= patience * 1000;
  }

  /**
   * Returns whether the log may have been lost, and no relay has told what was in it: what the seat could post then may be older
   * than what the other player has seen, who could accept it in place of a game that it is losing.
   */
  private isPerhapsLost(): boolean {
    if (!this.log.wasEmpty || this.links.isRead) return false;
    return this.openedAt! - (this.state!.deadline - AWAY_SECONDS) > NEW_SECONDS;
  }

  private dueText(due: Due): string {
    return due.type === "wait" ? `one waits for ${due.for}` : `what is due is to ${due.type}`;
  }
}
