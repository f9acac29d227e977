import { signal, type ReadonlySignal } from "@preact/signals";
import {
  AwaySeat,
  chainView,
  Client,
  isOutage,
  isUnsent,
  LogConflict,
  MemoryAwayLog,
  reasonOf,
  RelayTransport,
  Seat,
  type AgreedResult,
  type AwayLog,
  type AwayMove,
  type AwaySigner,
  type AwayStatus,
  type GameModule,
  type Hex,
  type MatchRecord,
  type OpenTurn,
  type Proposal,
  type SecretStore,
  type Settle,
} from "duello";
import { VoidSigner, ZeroAddress } from "ethers";
import { withLock } from "../player/transactions.ts";
import type { Chain } from "../store/chain.ts";

/** State of a match, as far as this page knows it. */
export interface TableState {
  readonly status: AwayStatus;
  /** Moves that were played away from the chain, oldest first. */
  readonly transcript: readonly AwayMove[];
  /** Record as if all moves had been on the chain; undefined before joining is final, or where nobody knows the moves. */
  readonly matchRecord?: MatchRecord;
  /** Turn that the player may take now, if there is one. */
  readonly turn?: OpenTurn;
}

/** Options of a table. */
export interface TableOptions {
  readonly chain: Chain;
  readonly matchId: bigint;
  readonly module: GameModule;
  /** The person's seat; None for a spectator. */
  readonly seat: bigint;
  /** Player who signs and keeps what is read; without it nothing is signed or kept. */
  readonly player?: TablePlayer;
}

/** Things that a player brings to the table. */
export interface TablePlayer {
  readonly secretStore: SecretStore;
  readonly signer: AwaySigner;
  readonly log: AwayLog;
  /** Name of the match and the player, for the lock that all tabs share. */
  readonly name: string;
}

/** Milliseconds for which a relay is asked to wait for news, of the pause after trouble, and between looks for trouble. */
const WAIT = 10_000;
const PAUSE = 2000;
const LOOK = 500;

/** Store of somebody who knows no secret. */
const NO_SECRETS: SecretStore = {
  commit: () => Promise.reject(new Error("A spectator commits to nothing.")),
  reveal: () => Promise.reject(new Error("A spectator knows no secret.")),
};

/**
 * Match that is played away from the chain, as the page follows it. While it runs it reads relay and chain, and everything
 * that a player signs is kept before anybody has it. A player has it in one tab at a time.
 */
export class AwayTable {
  private readonly current = signal<TableState | undefined>(undefined);
  private readonly waiting = signal(false);
  private readonly failure = signal<string | undefined>(undefined);
  private readonly stopping = new AbortController();
  private interruption = new AbortController();
  /** True if the chain has changed, which is read before anything is waited for. */
  private isUrgent = false;
  private opening?: Promise<AwaySeat>;
  /** Seat that the page shows: what a person decides is decided on what it says. */
  private shown?: AwaySeat;
  /** Action at the table that is under way; nothing is read meanwhile. */
  private busy: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: TableOptions) {}

  /** State of the match; undefined until relay and chain were read once. */
  get state(): ReadonlySignal<TableState | undefined> {
    return this.current;
  }

  /** Reports that another tab of this browser plays the match. */
  get isElsewhere(): ReadonlySignal<boolean> {
    return this.waiting;
  }

  /** Sentence about why the match cannot be followed now. */
  get trouble(): ReadonlySignal<string | undefined> {
    return this.failure;
  }

  /** Begins to follow the match. @returns a function that ends it */
  start(): () => void {
    void this.hold();
    return () => {
      this.stopping.abort();
      this.interruption.abort();
    };
  }

  /** Looks again at once, e.g. as the chain has changed. */
  look(): void {
    this.isUrgent = true;
    this.interruption.abort();
  }

  /**
   * Takes the person's turn at the table.
   * @param seen History hash of the position for which it was chosen.
   */
  async act(move: unknown, seen: Hex): Promise<void> {
    await this.exclusive(async (seat) => {
      if (!turnOf(seat)) throw new Error("It is not your turn any more.");
      await seat.act(move, seen);
    });
  }

  /** Proposes a result. @param winner Seat of the winner; None for a draw. */
  async ask(winner: bigint): Promise<void> {
    await this.exclusive((seat) => seat.ask(winner));
  }

  /** Agrees to a result in the position that the person has seen. */
  async agree(proposal: Proposal): Promise<void> {
    await this.exclusive((seat) => seat.agree(proposal));
  }

  /** Returns what settles the match by an agreement that the person has seen. */
  async settlement(agreed: AgreedResult): Promise<Settle> {
    return this.exclusive((seat) => seat.settlement(agreed));
  }

  /**
   * Posts the newest position that both players have signed.
   * @param send Sends the data of an action.
   */
  async post(send: (compose: () => Promise<Hex>) => Promise<unknown>): Promise<void> {
    let isComposed = false;
    const compose = async () => {
      const data = await this.exclusive((seat) => seat.post());
      isComposed = true;
      return data;
    };
    try {
      await send(compose);
    } catch (error) {
      // An earlier post may be on its way.
      if (isComposed && isUnsent(error)) await this.exclusive((seat) => seat.dropPost());
      throw error;
    }
  }

  /**
   * Composes the acceptance of what the other player has posted.
   * @param move The move with it, if the turn asks for one.
   * @param seen History hash of the posted position that the person has seen; undefined if it is not known.
   */
  async accept(move: unknown, seen: Hex | undefined): Promise<Hex> {
    return this.exclusive((seat) => seat.accept({ move }, seen));
  }

  /**
   * Composes the person's action on the chain, after a position was accepted.
   * @param move The move, if the turn asks for one.
   * @param seen History hash of the position for which it was chosen.
   */
  async actOnChain(move: unknown, seen: Hex): Promise<Hex> {
    return this.exclusive(async (seat) => {
      const { due } = seat.status;
      if (due.type !== "actOnChain") throw new Error("It is not your turn any more.");
      return seat.actOnChain(move, seen);
    });
  }

  /** Does something at the table, for which the page stops waiting for news. */
  private async exclusive<T>(action: (seat: AwaySeat) => Promise<T>): Promise<T> {
    const { opening } = this;
    if (!opening) throw new Error("The match is not open yet: try again in a moment.");
    const seat = await opening;
    const done = this.busy
      .catch(() => undefined)
      .then(async () => {
        if (this.shown !== seat) await seat.sync();
        return action(seat);
      });
    this.busy = done.catch((error: unknown) => {
      if (error instanceof LogConflict) this.opening = undefined;
    });
    this.interruption.abort();
    try {
      return await done;
    } finally {
      if (this.opening === opening) this.show(seat);
    }
  }

  /** Follows the match while no other tab of the browser plays it. */
  private async hold(): Promise<void> {
    const { player } = this.options;
    if (!player) return this.run();
    const name = `away/${player.name}`;
    const isOurs = await withLock(name, { ifAvailable: true }, async (isFree) => {
      if (isFree) await this.run();
      return isFree;
    });
    if (isOurs || this.stopping.signal.aborted) return;
    this.waiting.value = true;
    await withLock(name, {}, async () => {
      this.waiting.value = false;
      await this.run();
    });
  }

  private async run(): Promise<void> {
    const { signal: stopped } = this.stopping;
    while (!stopped.aborted) {
      this.interruption = new AbortController();
      try {
        this.opening ??= openSeat(this.options);
        const seat = await this.opening;
        await this.busy;
        const waitMs = this.isUrgent || this.shown !== seat ? 0 : WAIT;
        this.isUrgent = false;
        const looking = setInterval(() => this.tell(seat), LOOK);
        await seat
          .sync({ waitMs, signal: AbortSignal.any([stopped, this.interruption.signal]) })
          .finally(() => clearInterval(looking));
        this.failure.value = undefined;
        this.show(seat);
        // While a clock runs on the chain nobody waits for the relay: the chain tells what is new.
        if (seat.status.phase === "posted" || seat.status.phase === "onChain") await this.pause();
      } catch (error) {
        if (this.interruption.signal.aborted) continue;
        // What the seat has in mind may not be true any more, e.g. as the chain has undone something.
        if (!isOutage(error)) this.opening = undefined;
        this.failure.value = reasonOf(error);
        await this.pause();
      }
    }
    // What was begun is kept before the next tab takes over.
    await this.busy;
  }

  /** Waits for a moment, or until there is something to look at. */
  private pause(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
      this.interruption.signal.addEventListener("abort", () => resolve());
    });
  }

  /** Shows at once that a relay has failed, or is back, while the page waits for news. */
  private tell(seat: AwaySeat): void {
    if (this.shown !== seat) return;
    const shown = this.current.value!;
    if (shown.status.troubles.join() !== seat.status.troubles.join()) this.show(seat);
  }

  private show(seat: AwaySeat): void {
    const { status, transcript, matchRecord } = seat;
    this.shown = seat;
    this.current.value = {
      status,
      transcript: [...transcript],
      ...(matchRecord && { matchRecord }),
      turn: turnOf(seat),
    };
  }
}

/** Finds the turn that the player may take now: also in place of settling a result that it has not signed itself. */
function turnOf({ status: { due } }: AwaySeat): OpenTurn | undefined {
  return "turn" in due ? due.turn : undefined;
}

/** Opens the seat of a player, or that of player 1 for a spectator, who signs nothing. */
export async function openSeat({ chain, matchId, module, seat, player }: TableOptions): Promise<AwaySeat> {
  const { deployment, provider, archive } = chain;
  const { arena } = await Client.connect(deployment.addresses, [], new VoidSigner(ZeroAddress, provider));
  const history = archive.value!;
  const { relay } = deployment;
  const place = { chainId: BigInt(deployment.chainId), arena: deployment.addresses.Arena, matchId };
  const transports = relay === undefined ? [] : [new RelayTransport(new URL(relay, location.href).href, place)];
  return AwaySeat.open({
    module,
    history,
    chain: { read: () => chainView(arena, archive.value ?? history, matchId).read() },
    seat: seat === Seat.None ? Seat.One : seat,
    secretStore: player?.secretStore ?? NO_SECRETS,
    signer: player?.signer,
    log: player?.log ?? new MemoryAwayLog(),
    transports,
  });
}
