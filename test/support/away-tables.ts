import { network } from "hardhat";
import type { NetworkHelpers } from "@nomicfoundation/hardhat-network-helpers/types";
import { SigningKey, computeAddress, concat, type Signer } from "ethers";
import Duello from "../../ignition/modules/Duello.js";
import { addressesOf } from "../../cli/shared/node/deployment.js";
import { Archive } from "../../sdk/chain/archive.js";
import type { AnyEvent } from "../../sdk/chain/events.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { games, stockGame } from "../../sdk/games/index.js";
import { modeHash } from "../../sdk/games/modes.js";
import { encodeMode, type Mode } from "../../sdk/games/warmancer/mode.js";
import { stateHashIn } from "../../sdk/games/warmancer/state.js";
import type { Random } from "../../sdk/laws/random.js";
import { Client } from "../../sdk/player/client.js";
import type { AwayMove } from "../../sdk/protocol/away/messages.js";
import {
  agreementRequest,
  appointmentRequest,
  digestOf,
  NEVER,
  stateRequest,
  type SigningRequest,
} from "../../sdk/protocol/away/signatures.js";
import { firstTable, tableAfter, type SignedState, type Table } from "../../sdk/protocol/away/table.js";
import { nextRecord, signedState, stateBehind } from "../../sdk/protocol/away/transcript.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import { Seat } from "../../sdk/protocol/status.js";
import { COIN, termsHash, type Terms } from "../../sdk/protocol/terms.js";
import { askChain } from "../../sdk/verify/state.js";
import { verify, type VerifyOptions } from "../../sdk/verify/verify.js";
import { EngineDriver, fierce } from "./warmancer.js";

/** How a player signs away from the chain: itself, by a key that it has pledged, or by a session key. */
export type SignerKind = "player" | "pledged" | "session";

const STAKE = 1000n;
/** Seconds that a player has. */
export const CLOCK = 3600n;
const RISKS = { acceptedRisks: ["short-clock", "foreign-mode", "worse-odds"] } as const;
const warmancer = stockGame("warmancer");
const away = warmancer.away!;

type Connection = Awaited<ReturnType<typeof network.create>>;

/** A deployment on a chain of its own, on which two players play Warmancer away from it. */
export class AwayWorld {
  private readonly modes = new Set<Hex>();

  private constructor(
    readonly connection: Connection,
    private readonly fresh: Awaited<ReturnType<NetworkHelpers["takeSnapshot"]>>,
    readonly addresses: Addresses,
    /** Players of seat 1 and seat 2. */
    public players: readonly [Client, Client],
  ) {}

  static async open(): Promise<AwayWorld> {
    const connection = await network.create();
    const [, treasury] = await connection.ethers.getSigners();
    const contracts = await connection.ignition.deploy(Duello, {
      parameters: { Duello: { treasury: treasury.address } },
    });
    const addresses = await addressesOf(contracts);
    const players = await playersOf(connection, addresses);
    for (const player of players) await player.deposit(COIN, 10n ** 18n);
    return new AwayWorld(connection, await connection.networkHelpers.takeSnapshot(), addresses, players);
  }

  get provider() {
    return this.connection.ethers.provider;
  }

  get game(): string {
    return this.addresses[warmancer.contract];
  }

  /** Creates a match and lets player 2 join it. */
  async join(mode: Mode, random: Random, kinds: readonly SignerKind[] = ["player", "player"]): Promise<AwayTable> {
    const [one, two] = this.players;
    const content = encodeMode(mode);
    if (!this.modes.has(content)) await one.registerMode(this.game, content);
    this.modes.add(content);
    const matchId = (await one.arena.matchCount()) + 1n;
    const players = [one.address, two.address] as const;
    const place = { chainId: one.chainId, game: this.game, matchId, players, isAway: true, rated: !mode.casual };
    const driver = EngineDriver.of(mode, random, fierce(random), place).start();
    const terms = { game: this.game, stake1: STAKE, token: COIN, stake2: STAKE, mode: modeHash(content), clock: CLOCK };
    const challenge = { terms: { ...terms, rated: place.rated }, data: driver.sent[0].data, opponent: two.address };
    const offer = await one.create(challenge, RISKS);
    await two.join(offer, driver.sent[1].data, RISKS);
    return AwayTable.at(this, driver, offer.terms, random, kinds);
  }

  /**
   * Verifies all that has happened.
   * @param change Changes what the events say.
   */
  async verify(options: VerifyOptions = {}, change: (events: AnyEvent[]) => void = () => undefined) {
    const { provider, addresses } = this;
    const archive = await Archive.read(provider, addresses);
    const { all, chainId, last } = archive;
    const events = structuredClone([...all]);
    change(events);
    const copy = new Archive(provider, addresses, { chainId, events, last });
    return verify(copy, games, { ask: askChain(provider, last.number), ...options });
  }

  /** Takes the chain back to where it stood before the first match. */
  async restart(): Promise<void> {
    await this.fresh.restore();
    this.modes.clear();
    // Clients refuse to send one answer to two matches.
    this.players = await playersOf(this.connection, this.addresses);
  }

  /** Lets seconds pass. */
  async pass(seconds: bigint): Promise<void> {
    await this.connection.networkHelpers.time.increase(seconds);
  }
}

async function playersOf(connection: Connection, addresses: Addresses): Promise<[Client, Client]> {
  const [, , one, two] = await connection.ethers.getSigners();
  const connect = (signer: unknown) => Client.connect(addresses, games, signer as Signer);
  return [await connect(one), await connect(two)];
}

/** A match of two players at their table, who sign all that they do. */
export class AwayTable {
  readonly moves: AwayMove[] = [];
  /** What stands on chain; undefined once it is accepted. */
  table?: Table;

  private constructor(
    readonly world: AwayWorld,
    readonly driver: EngineDriver,
    readonly terms: Terms,
    readonly base: Hex,
    private readonly sign: readonly ((request: SigningRequest) => Promise<Hex>)[],
  ) {
    this.table = firstTable(base, driver.state.turn);
  }

  static async at(
    world: AwayWorld,
    driver: EngineDriver,
    terms: Terms,
    random: Random,
    kinds: readonly SignerKind[],
  ): Promise<AwayTable> {
    const { matchId } = driver.match;
    const sign = world.players.map(async (player, side) => {
      if (kinds[side] === "player") {
        return ({ domain, types, value }: SigningRequest) => player.signer.signTypedData(domain, types, value);
      }
      const key = new SigningKey(random.word());
      const address = computeAddress(key);
      const signed = (request: SigningRequest) => key.sign(digestOf(request)).serialized;
      if (kinds[side] === "pledged") {
        await player.pledge(matchId, address);
        return async (request: SigningRequest) => signed(request);
      }
      const { domain, types, value } = appointmentRequest(player.chainId, world.addresses.Arena, matchId, address);
      const appointed = await player.signer.signTypedData(domain, types, value);
      return async (request: SigningRequest) => concat([signed(request), appointed]);
    });
    return new AwayTable(world, driver, terms, stateHashIn(driver.state), await Promise.all(sign));
  }

  get matchId(): bigint {
    return this.driver.match.matchId;
  }

  /** Number of actions at the table. */
  get nonce(): number {
    return this.moves.length;
  }

  client(seat: bigint): Client {
    return this.world.players[Number(seat) - 1];
  }

  /** Plays at the table until the game is over, or a number of actions are played. */
  async play(max = Infinity): Promise<this> {
    for (let i = 0; i < max && !this.driver.over; i++) await this.step();
    return this;
  }

  /** Plays an action at the table. */
  async step(): Promise<void> {
    const { driver, moves, base } = this;
    const before = moves.at(-1);
    const { seat, data } = driver.next();
    driver.send(seat, data);
    const move = {
      type: "move" as const,
      nonce: moves.length + 1,
      seat,
      action: data,
      base,
      turn: driver.state.turn,
      word: stateHashIn(driver.state),
      record: nextRecord(before?.record ?? base, seat, data),
      signature: "0x",
    };
    const signature = await this.signed(seat, move);
    const previous = before && before.seat !== seat ? { previous: await this.signed(seat, before) } : {};
    moves.push({ ...move, signature, ...previous });
  }

  /** Returns the signature of a seat on the state behind a move. */
  async signed(seat: bigint, move: AwayMove): Promise<Hex> {
    const { chainId } = this.client(seat);
    return this.sign[Number(seat) - 1](stateRequest(chainId, this.world.game, stateBehind(this.matchId, move)));
  }

  /** Returns a state with the signatures of both. */
  async stateAt(nonce: number): Promise<SignedState> {
    const move = this.moves[nonce - 1];
    const [one, two] = [await this.signed(Seat.One, move), await this.signed(Seat.Two, move)];
    return signedState(move, Seat.One, one, two);
  }

  /** Returns what both sign in place of a state. */
  async lie(nonce: number, lie: Partial<SignedState>): Promise<SignedState> {
    const move = { ...this.moves[nonce - 1], ...lie };
    return signedState(move, Seat.One, await this.signed(Seat.One, move), await this.signed(Seat.Two, move));
  }

  /** Returns the moves with another state behind one of them, which both have signed. */
  async resigned(nonce: number, lie: Partial<AwayMove>): Promise<AwayMove[]> {
    const moves = this.moves.slice();
    const move = { ...moves[nonce - 1], ...lie };
    moves[nonce - 1] = { ...move, signature: await this.signed(move.seat, move) };
    const next = moves[nonce];
    if (next?.previous !== undefined) moves[nonce] = { ...next, previous: await this.signed(next.seat, move) };
    return moves;
  }

  /** Posts a state; nonce 0 is what stands after joining. */
  async post(seat: bigint, nonce: number): Promise<void> {
    await this.postState(seat, nonce === 0 ? undefined : await this.stateAt(nonce));
  }

  /** Posts any state that was signed. */
  async postState(seat: bigint, state?: SignedState): Promise<void> {
    await this.client(seat).act(this.matchId, away.encodePost(this.table!, state));
    this.table = tableAfter(this.table!, seat, state);
  }

  /**
   * Lets the other than the poster accept what stands on the table, and plays on from there.
   * @param acts True to act at once where it is the own turn.
   * @param max Number of actions on the chain, at most.
   */
  async accept(acts: boolean, max = Infinity): Promise<EngineDriver> {
    const { table, driver, matchId } = this;
    const seat = otherSeat(table!.poster);
    const own = this.backAt(table!.nonce);
    const isOwn = acts && own.state.turn === seat && !own.over;
    const action = isOwn ? own.next() : undefined;
    if (action) own.send(action.seat, action.data);
    await this.client(seat).act(matchId, away.encodeAccept(table!, action?.data));
    this.table = undefined;
    for (let i = 0; i < max && !own.over; i++) {
      const next = own.next();
      own.send(next.seat, next.data);
      await this.client(next.seat).act(driver.match.matchId, next.data);
    }
    return own;
  }

  /** Returns a driver of the same players in the state of a nonce. */
  private backAt(nonce: number): EngineDriver {
    const { driver } = this;
    const back = driver.fork();
    back.state = driver.sent[nonce + 1].outcome.state;
    return back;
  }

  /** Returns what settles the match by an agreement of both. */
  async agreed(winner: bigint, { record = this.moves.at(-1)?.record ?? this.base, until = NEVER } = {}) {
    const agreement = { matchId: this.matchId, termsHash: termsHash(this.terms), winner, until, record };
    const request = agreementRequest(this.world.players[0].chainId, this.world.addresses.Arena, agreement);
    const [signature1, signature2] = await Promise.all(this.sign.map((sign) => sign(request)));
    return { agreement, signatures: { signature1, signature2 } };
  }

  /** Settles the match by an agreement of both. */
  async settle(winner: bigint, options?: { record?: Hex; until?: bigint }): Promise<void> {
    const { agreement, signatures } = await this.agreed(winner, options);
    await this.world.players[0].settle(agreement, signatures);
  }
}
