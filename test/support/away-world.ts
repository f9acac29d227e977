import { expect } from "chai";
import type { Provider, Signer } from "ethers";
import { network } from "hardhat";
import Duello from "../../ignition/modules/Duello.js";
import { addressesOf } from "../../cli/shared/node/deployment.js";
import { finalBlock } from "../../sdk/chain/finality.js";
import { History } from "../../sdk/chain/history.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { firstTurn, turnOf, type OpenTurn, type SecretStore, type Turn } from "../../sdk/games/moves.js";
import { THRONE } from "../../sdk/games/warmancer/ranks.js";
import type { Random } from "../../sdk/laws/random.js";
import { chainView } from "../../sdk/player/away/chain-view.js";
import type { AwayStatus, Due } from "../../sdk/player/away/due.js";
import { MemoryAwayLog, type AwayEntry, type AwayLog } from "../../sdk/player/away/log.js";
import { AwaySeat, type SeatOptions } from "../../sdk/player/away/seat.js";
import { appoint, awayKey, sessionSigner, walletSigner } from "../../sdk/player/away/signers.js";
import type { AfterAnswer, AfterOptions, Transport } from "../../sdk/player/away/transport.js";
import { Client } from "../../sdk/player/client.js";
import { secretStoreWith } from "../../sdk/player/secrets.js";
import { messageText, type AwayMessage } from "../../sdk/protocol/away/messages.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { COIN } from "../../sdk/protocol/terms.js";
import type { Clock } from "../../sdk/chain/waiting.js";

/** Clock of the matches, in seconds. */
export const CLOCK = 3600n;

const warmancer = stockGame("warmancer");

/** Clock of a machine on which time passes only when a test says so; nothing waits for long. */
export class HandClock implements Clock {
  /** Milliseconds since the test began. */
  time = 0;

  /** @param isQuick True if pauses end at once. */
  constructor(private readonly isQuick = false) {}

  now(): number {
    return this.time;
  }

  async pause(_milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      if (this.isQuick) setTimeout(resolve, 20);
      const abort = () => reject(signal!.reason as Error);
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
    });
  }

  random(): number {
    return 1 / 2;
  }
}

/** Board that both players write to and read, as an honest relay is one. */
export class Board implements Transport {
  name = "the board";
  messages: AwayMessage[] = [];

  async put(message: AwayMessage): Promise<void> {
    const text = messageText(message);
    if (!this.messages.some((each) => messageText(each) === text)) this.messages.push(message);
  }

  async after(seen: number, _?: AfterOptions): Promise<AfterAnswer> {
    return { messages: this.messages.slice(seen), seen: this.messages.length };
  }
}

/** Log that fails before or after an entry, as a program that is killed does. */
export class BrittleLog implements AwayLog {
  /** Entries until the next failure. */
  left = Infinity;
  /** Returns whether the entry before the failure is lost. */
  isLost = false;

  constructor(readonly log: AwayLog = new MemoryAwayLog()) {}

  async read(): Promise<AwayEntry[]> {
    return this.log.read();
  }

  async append(entry: AwayEntry, place: number): Promise<void> {
    if (this.left-- > 0) return this.log.append(entry, place);
    this.left = Infinity;
    if (!this.isLost) await this.log.append(entry, place);
    throw new Killed("killed");
  }

  damage(place: number, problem: string): Error {
    return this.log.damage(place, problem);
  }
}

/** Thrown where a program is killed. */
export class Killed extends Error {}

/** Seat of a test, and what survives its program. */
export interface TestSeat {
  seat: AwaySeat;
  client: Client;
  secretStore: SecretStore;
  options: SeatOptions;
}

/** Choices of `played`. */
interface PlayedOptions {
  board?: Board;
  mode?: string;
  changes?: Partial<SeatOptions>;
}

/** A chain that is not a test chain, with everything deployed, on which a test says what is final. */
export async function awayWorld() {
  const connection = await network.create({ override: { chainId: 7777 } });
  const { ethers, networkHelpers } = connection;
  const provider = ethers.provider as unknown as Provider;
  const finality: { block?: number } = {};
  const getBlock = provider.getBlock.bind(provider);
  provider.getBlock = async (tag, full) => getBlock(tag === "finalized" ? (finality.block ?? "latest") : tag, full);

  async function deployed() {
    const [, one, two, other] = await ethers.getSigners();
    const addresses = await addressesOf(await connection.ignition.deploy(Duello));
    const signers = [one, two, other] as unknown as [Signer, Signer, Signer];
    const clients = await Promise.all(signers.map((signer) => Client.connect(addresses, games, signer)));
    return { addresses, signers, clients };
  }
  let world: Awaited<ReturnType<typeof deployed>>;

  const historyNow = () => new History(provider, world.addresses);
  const player = (seat: bigint) => world.clients[Number(seat) - 1];
  const keyOf = (seat: bigint): Hex => `0x${String(seat).padStart(2, "0").repeat(32)}`;
  const storeOf = (seat: bigint) => secretStoreWith(keyOf(seat), player(seat).committer(world.addresses.Warmancer));

  /** Deploys everything again. */
  async function reset(): Promise<void> {
    finality.block = undefined;
    world = await networkHelpers.loadFixture(deployed);
  }

  /** Chooses any legal move of a turn. */
  async function anyMove(turn: OpenTurn, store: SecretStore): Promise<unknown> {
    return warmancer.moves.suggest(turn, store);
  }

  /** Chooses any army, on larger boards than Quick with its Throne behind others, where nobody takes it in a few turns. */
  async function anyArmy(turn: Turn, seat: bigint, mode: string): Promise<readonly number[]> {
    for (;;) {
      const ranks = (await warmancer.moves.suggest(turn, storeOf(seat))) as readonly number[];
      // Ranks are listed from the lowest row to the highest.
      const isLow = ranks.indexOf(THRONE) < ranks.length / 2;
      if (mode === "quick-away" || isLow === (seat === Seat.One)) return ranks;
    }
  }

  /** Creates and joins a match. @returns its number. */
  async function begun(mode = "quick-away"): Promise<bigint> {
    const { Warmancer } = world.addresses;
    const { moves, modes } = warmancer;
    const [alice, bob] = [player(Seat.One), player(Seat.Two)];
    const { content } = modes[mode];
    await alice.registerMode(Warmancer, content);
    const history = historyNow();
    const first = firstTurn({ game: Warmancer, mode: modeHash(content) }, alice.address, history);
    const army = await anyArmy(first, Seat.One, mode);
    const terms = { game: Warmancer, stake1: 0n, stake2: 0n, token: COIN, mode: modeHash(content), clock: CLOCK };
    const data = await moves.create(army, first, storeOf(Seat.One));
    const offer = await alice.create({ terms: { ...terms, rated: false }, data, opponent: bob.address });
    const turn = turnOf(await history.match(offer.matchId), Seat.Two, bob.address, history);
    const others = await anyArmy(turn, Seat.Two, mode);
    await bob.join(offer, await moves.join(others, turn, storeOf(Seat.Two)));
    return offer.matchId;
  }

  /** Opens a seat of a match. */
  async function open(
    matchId: bigint,
    seat: bigint,
    transports: readonly Transport[],
    changes: Partial<SeatOptions> = {},
  ): Promise<TestSeat> {
    const client = player(seat);
    const secretStore = storeOf(seat);
    const history = historyNow();
    const match = { chainId: 7777n, arena: world.addresses.Arena, matchId };
    const key = awayKey(keyOf(seat), match);
    const signer =
      seat === Seat.One ? sessionSigner(key, await appoint(client.signer, match, key)) : walletSigner(client.signer);
    const options: SeatOptions = {
      module: warmancer,
      history,
      chain: chainView(client.arena.connect(provider), history, matchId),
      seat,
      secretStore,
      signer,
      log: new MemoryAwayLog(),
      transports,
      clock: new HandClock(),
      ...changes,
    };
    return { seat: await AwaySeat.open(options), client, secretStore, options };
  }

  /** Opens a seat again, with what survives its program. */
  async function reopened({ client, secretStore, options }: TestSeat): Promise<TestSeat> {
    return { seat: await AwaySeat.open(options), client, secretStore, options };
  }

  /** Does what is due, with any legal moves. @returns true if anything was done. */
  async function carryOut({ seat, client, secretStore }: TestSeat, { due }: AwayStatus): Promise<boolean> {
    const { matchId } = seat.matchRecord!;
    switch (due.type) {
      case "act":
        await seat.act(await anyMove(due.turn, secretStore));
        return true;
      case "agree":
        await seat.agree(due.proposal);
        return true;
      case "settle": {
        const { agreement, signatures } = await seat.settlement(due.agreed);
        await client.settle(agreement, signatures);
        return true;
      }
      case "post":
      case "supersede":
        await client.act(matchId, await seat.post());
        return true;
      case "accept":
        await client.act(matchId, await seat.accept(due.turn && { move: await anyMove(due.turn, secretStore) }));
        return true;
      case "actOnChain":
        await client.act(matchId, await seat.actOnChain(due.turn && (await anyMove(due.turn, secretStore))));
        return true;
      case "timeout":
        await client.timeout(matchId);
        return true;
      case "wait":
      case "over":
        return false;
    }
  }

  /** Opens both seats of a match on a board. */
  async function both(
    matchId: bigint,
    board: Transport = new Board(),
    changes: Partial<SeatOptions> = {},
  ): Promise<[TestSeat, TestSeat]> {
    return [
      await open(matchId, Seat.One, [board], changes),
      await open(matchId, Seat.Two, [board], { ...changes, ...(changes.log && { log: new MemoryAwayLog() }) }),
    ];
  }

  /** Plays some actions at the table of a new match. @returns the seats, the one in turn first. */
  async function played(
    count: number,
    { board = new Board(), mode = "skirmish-away", changes = {} }: PlayedOptions = {},
  ) {
    for (;;) {
      const matchId = await begun(mode);
      board.messages.length = 0;
      const seats = await both(matchId, board, changes);
      const { nonce, winner } = await playOn(seats, (status) => status.nonce >= count || status.winner !== undefined);
      const statuses = [await seats[0].seat.sync(), await seats[1].seat.sync()];
      // A game of chance may be over before.
      if (nonce !== count || winner !== undefined || statuses[0].phase !== "away") continue;
      const inTurn = statuses[0].turn === Seat.One ? 0 : 1;
      return { matchId, board, seats, inTurn: seats[inTurn], waiting: seats[1 - inTurn] };
    }
  }

  /** Acts at the table with any legal move. */
  async function act({ seat, secretStore }: TestSeat): Promise<AwayStatus> {
    const { due } = await seat.sync();
    if (due.type !== "act") throw new Error(`what is due is ${dueName(due)}`);
    return seat.act(await anyMove(due.turn, secretStore));
  }

  /** Sends what is due on chain, and checks what it is. */
  async function send(each: TestSeat, type: Due["type"]): Promise<void> {
    const status = await each.seat.sync();
    if (status.due.type !== type) throw new Error(`what is due is ${dueName(status.due)}, not ${type}`);
    await carryOut(each, status);
  }

  /** Posts what a seat can post. */
  async function post({ seat, client }: TestSeat): Promise<void> {
    await seat.sync();
    await client.act(seat.matchRecord!.matchId, await seat.post());
  }

  /** Lets time pass on chain, in seconds, and a block come. */
  async function pass(seconds: bigint): Promise<void> {
    await networkHelpers.time.increase(seconds);
  }

  /** Lets both seats do what is due until the match is over, or nobody has anything to do. @returns the last status. */
  async function playOn(seats: readonly TestSeat[], until: (status: AwayStatus) => boolean = () => false) {
    for (let idle = 0; ;) {
      for (const each of seats) {
        const status = await each.seat.sync();
        if (status.phase === "over" || until(status)) return status;
        idle = (await carryOut(each, status)) ? 0 : idle + 1;
        if (idle > 2 * seats.length) return status;
      }
    }
  }

  return {
    connection,
    provider,
    networkHelpers,
    finality,
    reset,
    begun,
    open,
    reopened,
    anyMove,
    carryOut,
    playOn,
    both,
    played,
    act,
    send,
    post,
    pass,
    player,
    storeOf,
    historyNow,
    get addresses() {
      return world.addresses;
    },
    get clients() {
      return world.clients;
    },
    /** Reads the status of a match. */
    statusOf: async (matchId: bigint) => player(Seat.One).arena.statusOf(matchId),
    /** Reads the number of the final block. */
    finalNumber: async () => (await finalBlock(provider)).number,
  };
}

export type AwayWorld = Awaited<ReturnType<typeof awayWorld>>;

/** Names what is due, and for what one waits. */
export function dueName(due: Due): string {
  return due.type === "wait" ? `wait for ${due.for}` : due.type;
}

/** Returns whether a match was won or drawn in play, and not by the clock. */
export function isFinished(status: bigint): boolean {
  return status === Status.P1Win || status === Status.P2Win || status === Status.Draw;
}

/** Relay that loses, repeats and reorders what it is given, and sends nonsense in between. */
export class WildTransport implements Transport {
  readonly name = "a wild relay";

  constructor(
    private readonly board: Board,
    private readonly random: Random,
  ) {}

  async put(message: AwayMessage): Promise<void> {
    const luck = this.random.below(4);
    if (luck === 0) throw new Error("no relay");
    if (luck === 1) return;
    await this.board.put(message);
    if (luck === 2) throw new Error("connection lost");
  }

  async after(seen: number): Promise<AfterAnswer> {
    const { messages } = this.board;
    const luck = this.random.below(4);
    if (luck === 0) throw new Error("no relay");
    if (luck === 1) return { messages: [], seen };
    // What is repeated counts to the bytes of a match, after which a relay is read no more.
    const from = luck === 2 ? Math.max(0, seen - this.random.below(20)) : seen;
    const some = this.random.shuffled(messages.slice(from));
    const spoiled = some.flatMap((message) =>
      this.random.below(20) === 0 ? [{ ...message, nonce: message.nonce + 1 }, message] : [message],
    );
    return { messages: [...spoiled, ...some], seen: messages.length };
  }
}

/** Expects that something is refused by a sentence. @param text Part of the sentence, or its form. */
export async function expectError(action: Promise<unknown>, text: string | RegExp): Promise<void> {
  const error = await action.then(
    () => "no error",
    (thrown: unknown) => (thrown as Error).message,
  );
  if (typeof text === "string") expect(error).to.include(text);
  else expect(error).to.match(text);
}
