import { chainPlay, isPosted, type ChainPlay } from "../../sdk/player/away/chain-play.js";
import { chainView, type ChainState, type ChainView } from "../../sdk/player/away/chain-view.js";
import type { AwayStatus, Settle } from "../../sdk/player/away/due.js";
import { AwaySeat } from "../../sdk/player/away/seat.js";
import type { Archive } from "../../sdk/chain/archive.js";
import type { Clock } from "../../sdk/chain/waiting.js";
import type { AwayPlay, GameModule } from "../../sdk/games/module.js";
import type { OpenTurn } from "../../sdk/games/moves.js";
import { virtualRecord } from "../../sdk/games/virtual-record.js";
import type { AwayMove } from "../../sdk/protocol/away/messages.js";
import type { SignedState } from "../../sdk/protocol/away/table.js";
import { signedState, supportedStates } from "../../sdk/protocol/away/transcript.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { otherSeat, seatOf } from "../../sdk/protocol/sides.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import type { AwayPlan } from "./away-plan.js";
import { addressIn, keyPlaceOf, signerIn, type KeyPlace } from "./match-keys.js";
import type { Player } from "./player.js";
import { Killed, SoakLog } from "./soak-log.js";
import { SoakRelay } from "./soak-relay.js";
import type { World } from "./world.js";

/** Seconds for which a player waits for the other one before it posts. */
const PATIENCE = 120;
/** Turns of either player that a step of the soak has. */
const TURNS = 5;
/** Percent of the turns after which a player's program is started again. */
const RESTARTED = 25;

/** Beginning of the sentence by which a seat refuses to sign before it has read a relay. */
const UNREAD = "Nothing is signed before a relay";

/** A match, as far as its game away from the chain has to know it. */
interface PlayedMatch {
  readonly world: World;
  readonly game: GameModule;
  readonly seats: readonly [Player, Player];
  readonly matchId: bigint;
  readonly terms: Terms;
  readonly state: { readonly turn: bigint };
  /** Sides of the players who have pledged a key. */
  readonly pledged: ReadonlySet<number>;
}

/** Transaction that a player sends in a match which is played away from the chain. */
export type Sending =
  | { method: "act"; by: Player; data: Hex }
  | { method: "pledge"; side: number; key: string }
  | ({ method: "settle" } & Settle);

/** Program of a player, as long as it runs. */
interface Running {
  seat: AwaySeat;
  history: Archive;
}

/** Both players of a match that is played away from the chain, and the relay between them. */
export class AwayGame {
  readonly relay: SoakRelay;
  /** True until a player accepts the table. */
  hasTable = true;
  private readonly logs: [SoakLog, SoakLog];
  private readonly running: [Running?, Running?] = [];
  /** Sides that have lost their logs, and have to be told what they sent. */
  private readonly lost = new Set<number>();
  private isDone = false;

  constructor(
    private readonly match: PlayedMatch,
    private readonly plan: AwayPlan,
  ) {
    const { random } = match.world;
    this.relay = new SoakRelay(random, { ...this.place, game: match.terms.game });
    this.logs = [new SoakLog(random), new SoakLog(random)];
  }

  /** Facts on which the keys of the match depend. */
  get place(): KeyPlace {
    return keyPlaceOf(this.match);
  }

  /** Lets players exchange messages until one has to send a transaction; lets time pass if both wait. */
  async step(): Promise<Sending | undefined> {
    const { chain, random } = this.match.world;
    const before = this.written;
    for (let turn = 0; turn < TURNS; turn++) {
      const sending = await this.turn(random.below(2));
      if (sending) return sending;
    }
    if (this.written === before) await chain.jumpTo(chain.now + PATIENCE + 1);
    return undefined;
  }

  /** Returns an action that the chain takes now, if there is one. */
  async due(): Promise<{ by: Player; data: Hex }> {
    const { seats, state, world } = this.match;
    const play = await this.play();
    const { table, accepted } = play;
    const side = state.turn === Seat.Either ? world.random.below(2) : Number(state.turn) - 1;
    const by = seats[side];
    if (table) return { by, data: isPosted(play) ? this.codec.encodeAccept(table) : this.codec.encodePost(table) };
    for (;;) {
      const data = await this.at(side, async (seat) => {
        const { due } = await seat.sync();
        // Whoever may settle or comes too late has no action that is right.
        if (due.type !== "actOnChain") return this.codec.encodeAccept(accepted!);
        return seat.actOnChain(due.turn && (await this.moveIn(due.turn, by)));
      });
      if (data !== undefined) return { by, data };
    }
  }

  /** Follows what was done on chain since joining. */
  async play(): Promise<ChainPlay> {
    const { game, matchId, seats } = this.match;
    const { history } = seats[0];
    const record = await history.match(matchId);
    const { turns, position } = await game.replay(virtualRecord(record, []), history);
    return chainPlay(this.codec, position, turns[0]!, record);
  }

  /** Returns the states that both players have signed, the newest first. */
  signedStates(): SignedState[] {
    return supportedStates(this.relay.transcript, Seat.One).flatMap(({ move, signature, own }) =>
      own === undefined ? [] : [signedState(move, Seat.One, own, signature)],
    );
  }

  /** Lets a player lose its log. Warning: what it sent must come back from the relay. */
  lose(side: number): void {
    this.logs[side] = new SoakLog(this.match.world.random);
    this.running[side] = undefined;
    this.lost.add(side);
  }

  /** Codec of the actions on the table. */
  get codec(): AwayPlay {
    return this.match.game.away!;
  }

  /** Address of the game. */
  get address(): string {
    return this.match.terms.game;
  }

  /** Notes that an action was taken by the chain. */
  taken(data: Hex): void {
    if (this.codec.decode(data)?.type === "accept") this.hasTable = false;
  }

  /** Actions at the table, as players show them to a verifier. */
  get transcript(): readonly AwayMove[] {
    return this.relay.transcript;
  }

  private get written(): number {
    return this.logs[0].length + this.logs[1].length + this.relay.count;
  }

  /** Takes a player's turn. @returns the transaction that it sends. */
  private async turn(side: number): Promise<Sending | undefined> {
    const by = this.match.seats[side];
    if (this.plan.ways[side] === "pledged" && !this.match.pledged.has(side)) {
      return { method: "pledge", side, key: addressIn(this.place, by) };
    }
    return this.at(side, async (seat) => {
      const status = await this.synced(side, seat);
      try {
        const data = await this.deedOf(side, seat, status);
        if (data !== undefined) return data === "0x" ? undefined : { method: "act", by, data };
        return await this.follow(by, seat, status);
      } catch (error) {
        // What has come meanwhile may make it wrong, and then something else is due.
        const { nonce, due } = error instanceof Killed ? status : await seat.sync();
        if (nonce === status.nonce && due.type === status.due.type) throw error;
        return undefined;
      }
    });
  }

  /** Brings a seat up to date; one that has lost its log must say so. */
  private async synced(side: number, seat: AwaySeat): Promise<AwayStatus> {
    if (!this.lost.has(side)) return seat.sync();
    // Where its program ends while messages come back, the next one has a log that knows of them.
    const isEmpty = this.logs[side].length === 0;
    this.relay.isHonest = true;
    const status = await seat.sync().finally(() => (this.relay.isHonest = false));
    this.lost.delete(side);
    const hasSent = this.relay.transcript.some((move) => move.seat === seatOf(side));
    if (isEmpty && hasSent && !status.logWasLost)
      throw new Error(`seat ${side + 1} does not tell that its log was lost`);
    return status;
  }

  /**
   * Does what the plan says besides playing on, once its time has come.
   * @returns undefined if the player plays on; `0x` if it does nothing else now; the action that it sends.
   */
  private async deedOf(side: number, seat: AwaySeat, status: AwayStatus): Promise<Hex | undefined> {
    const { plan, relay, match } = this;
    const { world } = match;
    const { phase, nonce, historyHash, winner, due } = status;
    const isOver = winner !== undefined;
    if (plan.deed === "unsigned") return due.type === "agree" ? "0x" : undefined;
    if (nonce < plan.from || isOver || due.type === "settle" || status.ownAgreed) return undefined;
    const isTalking = plan.deed === "draw" || plan.deed === "give up";
    if (phase !== "away" && !(isTalking && phase === "onChain")) return undefined;
    if (plan.deed === "draw" && side !== plan.side) {
      if (status.asked?.winner !== Seat.None) return undefined;
      await seat.agree({ winner: Seat.None, nonce, historyHash });
      return "0x";
    }
    if (side !== plan.side) return undefined;
    if (plan.deed === "draw") {
      if (!status.ownAsk) await seat.ask(Seat.None);
      return "0x";
    }
    if (plan.deed === "give up") {
      await seat.agree({ winner: otherSeat(seatOf(side)), nonce, historyHash });
      return "0x";
    }
    if (this.isDone) return undefined;
    if (plan.deed === "dead relay") {
      this.isDone = relay.isDead = true;
      world.count("a relay dies");
    }
    if (plan.deed === "post") {
      this.isDone = true;
      return seat.post();
    }
    if (plan.deed === "old post") return this.oldPost();
    return undefined;
  }

  /** Encodes the post of a state that is not the newest; undefined if there is none. */
  private async oldPost(): Promise<Hex | undefined> {
    const [, ...old] = this.signedStates();
    if (old.length === 0) return undefined;
    this.isDone = true;
    this.match.world.count("an old state is posted");
    return this.codec.encodePost((await this.play()).table!, this.match.world.random.pick(old));
  }

  /** Does what is due. @returns the transaction that the player sends. */
  private async follow(by: Player, seat: AwaySeat, { due }: AwayStatus): Promise<Sending | undefined> {
    const { world } = this.match;
    switch (due.type) {
      case "act":
        await seat.act(await this.moveIn(due.turn, by));
        return undefined;
      case "agree":
        await seat.agree(due.proposal);
        return undefined;
      case "settle":
        return { method: "settle", ...(await seat.settlement(due.agreed)) };
      case "supersede":
        world.count("a post is superseded");
        return { method: "act", by, data: await seat.post() };
      case "post":
        world.count("patience ends");
        return { method: "act", by, data: await seat.post() };
      case "accept": {
        const act = due.turn && world.random.likely(50) ? { move: await this.moveIn(due.turn, by) } : undefined;
        return { method: "act", by, data: await seat.accept(act) };
      }
      case "actOnChain":
        return { method: "act", by, data: await seat.actOnChain(due.turn && (await this.moveIn(due.turn, by))) };
      default:
        return undefined;
    }
  }

  /** Chooses a legal move. */
  private async moveIn(turn: OpenTurn, by: Player): Promise<unknown> {
    return this.match.game.moves.suggest(turn, await by.secretStoreAt(turn.game));
  }

  /** Does something with the seat of a side, whose program may end at any write. @returns undefined if it has. */
  private async at<T>(side: number, action: (seat: AwaySeat) => Promise<T>): Promise<T | undefined> {
    const { world } = this.match;
    try {
      const { history } = this.match.seats[side];
      if (this.running[side]?.history !== history) this.running[side] = { seat: await this.open(side), history };
      const result = await action(this.running[side].seat);
      if (this.relay.breach !== undefined) throw new Error(this.relay.breach);
      if (world.random.likely(RESTARTED)) this.running[side] = undefined;
      return result;
    } catch (error) {
      // A program that was started while the relay gives no answer waits for it.
      if (error instanceof Error && error.message.startsWith(UNREAD)) return undefined;
      if (!(error instanceof Killed)) throw error;
      world.count("a seat is killed around a write");
      this.running[side] = undefined;
      return undefined;
    }
  }

  private async open(side: number): Promise<AwaySeat> {
    const { match, place, plan, relay, logs } = this;
    const { game, seats, terms, world } = match;
    const player = seats[side];
    return AwaySeat.open({
      module: game,
      history: player.history,
      chain: new CachedView(match, player),
      seat: seatOf(side),
      secretStore: await player.secretStoreAt(terms.game),
      signer: await signerIn(place, player, plan.ways[side]),
      log: logs[side],
      transports: [relay],
      patience: PATIENCE,
      clock: new ChainClock(world),
    });
  }
}

/** Clock that goes by the chain. What is paused on it ends by its signal only. */
class ChainClock implements Clock {
  constructor(private readonly world: World) {}

  now(): number {
    return this.world.chain.now * 1000;
  }

  async pause(_: number, signal?: AbortSignal): Promise<void> {
    return new Promise((_, reject) => {
      const abort = () => reject(signal!.reason as Error);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort);
    });
  }

  random(): number {
    return 0;
  }
}

/** View of a match by a player, which is read again only when there is a new block. */
class CachedView implements ChainView {
  private state?: ChainState;
  private time?: number;

  constructor(
    private readonly match: PlayedMatch,
    private readonly player: Player,
  ) {}

  async read(): Promise<ChainState> {
    const { matchId, world } = this.match;
    if (this.state === undefined || this.time !== world.chain.now) {
      this.time = world.chain.now;
      this.state = await chainView(world.arena, await this.player.snapshot(), matchId).read();
    }
    return this.state;
  }
}
