import { expect } from "chai";
import { concat, id, toBeHex, Wallet, type BaseWallet, type Signer } from "ethers";
import { byte } from "../../sdk/laws/bytes.js";
import { commitmentOf, encodeAnswer, encodeReveal, NO_STATE, stateHashOf } from "../../sdk/protocol/commit-reveal.js";
import {
  balanceRequest,
  channelIdOf,
  channelMatchIdOf,
  moveRequest,
  NO_END,
  NO_PLACE,
  offerRequest,
  openRequest,
  type Channel,
  type ChannelsAt,
} from "../../sdk/protocol/channels/messages.js";
import {
  nextMove,
  transcriptOf,
  type ChannelTranscript,
  type MatchMessages,
  type Place,
  type SignedMove,
} from "../../sdk/protocol/channels/transcript.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { COIN, termsHash, type Terms } from "../../sdk/protocol/terms.js";
import type { SigningRequest } from "../../sdk/protocol/typed-data.js";
import { Channels__factory, type Channels } from "../../typechain-types/index.js";
import { DAY, deployed, ethers, now, UNIT, type Player, type World } from "./index.js";
import { expectSolvent } from "./matches.js";

/** Number of the first match of a channel's first opening. */
export const FIRST = 2 ** 14;

/** Returns the key of a name. It is always the same, so that tests send the same bytes in every run. */
export function keyOf(name: string): Wallet {
  return new Wallet(id(name));
}

/** Actions of a match before they are signed. */
export interface Moves {
  /** Position in the offer. */
  position: Hex;
  actions: readonly Hex[];
}

export interface Signing {
  swapped?: boolean;
  until?: number;
  /** Seat of each action; defaults to alternate seats, from seat Two on. */
  seats?: readonly bigint[];
  /** Place of each action; defaults to none. */
  places?: readonly Hex[];
  /** True to add the other seat's signature that it has seen the last action. */
  seen?: boolean;
  /** State from which the transcript starts; defaults to the offer. */
  base?: Place;
  /** Seat that sends the transcript, and so need not sign. */
  sender?: bigint;
}

/** A channel of two players, each with a session key. */
export class Pair {
  readonly channel: Channel;
  readonly id: Hex;
  readonly at: ChannelsAt;

  private constructor(
    readonly contract: Channels,
    at: ChannelsAt,
    readonly players: readonly [Signer, Signer],
    readonly keys: readonly [BaseWallet, BaseWallet],
    addresses: readonly [string, string],
    token: string,
    feeBps: bigint,
  ) {
    const [[player1, player2], [key1, key2]] = [addresses, keys.map(({ address }) => address)];
    this.channel = { player1, key1, player2, key2, token, feeBps };
    this.id = channelIdOf(this.channel);
    this.at = at;
  }

  static async of(
    contract: Channels,
    chainId: bigint | number,
    players: readonly [Signer, Signer],
    options: {
      keys?: readonly [BaseWallet, BaseWallet];
      token?: string;
      feeBps?: bigint;
      /** Address of player 1, if that is a contract for which the first signer signs. */
      player1?: string;
    } = {},
  ): Promise<Pair> {
    const at = { chainId: BigInt(chainId), channels: await contract.getAddress() };
    const [one, two] = await Promise.all(players.map((each) => each.getAddress()));
    const addresses = [options.player1 ?? one, two] as const;
    const { keys = [keyOf(`key of ${addresses[0]}`), keyOf(`key of ${addresses[1]}`)], token = COIN } = options;
    return new Pair(contract, at, players, keys, addresses, token, options.feeBps ?? 2000n);
  }

  /** Returns the addresses of seats One and Two. */
  seats(swapped = false): readonly [string, string] {
    const { player1, player2 } = this.channel;
    return swapped ? [player2, player1] : [player1, player2];
  }

  /** Returns the arena's number of a match. */
  matchIdOf(nonce: number): bigint {
    return channelMatchIdOf(this.id, nonce);
  }

  async state() {
    const { amount1, amount2, nonce, challenged, until } = await this.contract.stateOf(this.id);
    return { amount1, amount2, nonce: Number(nonce), challenged, until: Number(until) };
  }

  /** Returns the arguments of `open`. @param sender Player, 1 or 2, that sends it; 0 for somebody else. */
  async opening(amount1: bigint, amount2: bigint, until: number, sender: 0 | 1 | 2 = 2) {
    const nonce = Number(await this.contract.firstNonceOf(this.id));
    const request = openRequest(this.at, { channel: this.id, nonce, amount1, amount2, until });
    const [one, two] = await Promise.all(
      this.players.map(async (player, side) => (side + 1 === sender ? "0x" : signed(player, request))),
    );
    return [this.channel, amount1, amount2, until, one, two] as const;
  }

  /** Opens the channel; player 2 sends it. */
  async open(amount1: bigint, amount2: bigint, until: number) {
    const args = await this.opening(amount1, amount2, until);
    return this.contract.connect(this.players[1]).open(...args);
  }

  /** Returns the arguments of `checkpoint`. @param sender Player, 1 or 2, that sends it; 0 for somebody else. */
  async balance(
    nonce: number,
    amount1: bigint,
    amount2: bigint,
    { close = false, until = NO_END, sender = 0 }: { close?: boolean; until?: number; sender?: 0 | 1 | 2 } = {},
  ) {
    const request = balanceRequest(this.at, { channel: this.id, nonce, amount1, amount2, close, until });
    const [one, two] = await Promise.all(
      this.keys.map(async (key, side) => (side + 1 === sender ? "0x" : signed(key, request))),
    );
    return [this.channel, nonce, amount1, amount2, close, until, one, two] as const;
  }

  /** Signs all messages of a match. */
  async signedMatch(
    nonce: number,
    terms: Terms,
    { position, actions }: Moves,
    how: Signing = {},
  ): Promise<MatchMessages> {
    const { swapped = false, until = NO_END, places, seen = false } = how;
    const seats = how.seats ?? actions.map((_, i) => (i % 2 === 0 ? Seat.Two : Seat.One));
    const offer = { channel: this.id, nonce, terms: termsHash(terms), swapped, position, until };
    const keyOfSeat = (seat: bigint) => this.keys[(seat === Seat.One) === swapped ? 1 : 0];
    const moves: SignedMove[] = [];
    const add = async (action: Hex, place: Hex, seat: bigint) => {
      const request = moveRequest(this.at, nextMove({ offer, moves }, action, place));
      moves.push({ action, place, seat, signature: await signed(keyOfSeat(seat), request) });
    };
    for (const [i, action] of actions.entries()) await add(action, places?.[i] ?? NO_PLACE, seats[i]);
    if (seen) await add("0x", NO_PLACE, otherSeat(seats[actions.length - 1]));
    return { offer, signature: await signed(keyOfSeat(Seat.One), offerRequest(this.at, offer)), moves };
  }

  /** Signs a match, and returns its transcript. */
  async transcript(nonce: number, terms: Terms, moves: Moves, how: Signing = {}): Promise<ChannelTranscript> {
    return transcriptOf(await this.signedMatch(nonce, terms, moves, how), how.base, how.sender);
  }
}

/** Deploys a world with an open channel, in which alice and bob have 100 FIGHT each. */
export async function channelled() {
  const world = await deployed();
  const { arena, alice, bob, owner, fight } = world;
  const channels = Channels__factory.connect(await arena.channels(), owner);
  const token = await fight.getAddress();
  const until = Number(await now()) + 30 * Number(DAY);
  const pairOf = (one: Player, two: Player, keys: readonly [string, string], feeBps?: bigint) =>
    Pair.of(channels, 31337, [one, two], { keys: [keyOf(keys[0]), keyOf(keys[1])], token, feeBps });
  const pair = await pairOf(alice, bob, ["key of alice", "key of bob"]);
  await pair.open(100n * UNIT, 100n * UNIT, until);
  return { ...world, channels, times: { until }, pairOf, pair };
}

export type ChannelWorld = Awaited<ReturnType<typeof channelled>>;

/**
 * Expects, for every token of a channel, that the purse of the channels contract holds exactly the amounts of open
 * channels plus uncollected fees, and that the arena holds exactly what it owes.
 */
export async function expectChannelMoney(world: World): Promise<void> {
  const { arena } = world;
  const channels = Channels__factory.connect(await arena.channels(), ethers.provider);
  const opened = await channels.queryFilter(channels.filters.Opened());
  const started = await arena.queryFilter(arena.filters.Started());
  const tokens = new Map(opened.map(({ args }) => [args.channelId, args.token]));
  for (const token of new Set(tokens.values())) {
    let held = await channels.sharesOf(token);
    for (const [channel, its] of tokens) {
      const { amount1, amount2 } = await channels.stateOf(channel);
      if (its === token) held += amount1 + amount2;
    }
    expect(await arena.purseOf(channels, token), "purse of the channels").to.equal(held);
    for (const matchId of new Set(started.map(({ args }) => args.matchId))) {
      const { status, termsId } = await arena.matchOf(matchId);
      const terms = await arena.termsOf(termsId);
      if (status === Status.AllJoined && terms.token === token) held += terms.stake1 + terms.stake2;
    }
    await expectSolvent(world, token, held);
  }
}

/** Returns the offer's position, the answer and the reveal of a match of one round, with salts derived from `tag`. */
export function oneRound(
  chainId: bigint | number,
  game: string,
  committer: string,
  [move1, move2]: readonly [Hex, Hex],
  tag: string,
): { position: Hex; actions: [Hex, Hex] } {
  const [salt, answerSalt] = [id(`salt 1 of ${tag}`), id(`salt 2 of ${tag}`)];
  const commitment = commitmentOf(chainId, game, committer, move1, salt);
  const head = { round: 1, state: NO_STATE };
  return {
    position: stateHashOf(head, commitment),
    actions: [
      encodeAnswer({ ...head, commitment, move: move2, salt: answerSalt }),
      encodeReveal({ ...head, salt, move: move1, answerMove: move2, answerSalt, next: "0x" }),
    ],
  };
}

/** Returns the moves of a match of tic-tac-toe, starting with X's first mark. */
export function marks([first, ...cells]: readonly number[]): Moves {
  const actions = cells.map((cell, i) => concat([byte(i === 0 ? first : i + 2), byte(cell)]));
  return { position: toBeHex(1 << first, 32), actions };
}

function signed(signer: Pick<Signer, "signTypedData">, { domain, types, value }: SigningRequest): Promise<Hex> {
  return signer.signTypedData(domain, types, value);
}
