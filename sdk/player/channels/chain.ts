import { AbiCoder, toBeHex, type Provider } from "ethers";
import { Arena__factory, Channels__factory, type Arena, type Channels } from "../../../typechain-types/index.js";
import { OVER } from "../../chain/channels.js";
import { finalBlock } from "../../chain/finality.js";
import { LogReader } from "../../chain/logs.js";
import { isRevert } from "../../chain/revert.js";
import { readTerms } from "../../chain/terms.js";
import { nextTime } from "../../chain/time.js";
import type { SeatAction } from "../../games/channel-match.js";
import { areOfOneOpening, channelMatchIdOf } from "../../protocol/channels/messages.js";
import { decodeActions } from "../../protocol/channels/actions.js";
import type { ChannelPlayerNumber } from "../../protocol/channels/wire.js";
import type { Hex } from "../../protocol/hex.js";
import { Status } from "../../protocol/status.js";

/** Match of a channel that is in play in the arena. */
export interface ArenaState {
  nonce: number;
  /** True while the match waits for its first action in the arena; newer messages can still withdraw it. */
  posted: boolean;
  /** Address of the player in seat One. */
  player1: string;
  /** Number of its messages when it was submitted to the arena. */
  count: number;
  /** True if the match is over, except that one player must still confirm its end. */
  isOver: boolean;
  turn: bigint;
  /** Time until which the player in turn can act, in seconds since 1970. */
  deadline: number;
  position: Hex;
}

/** Amounts of a channel before a match. */
export interface Held {
  /** Number of the next match. */
  nonce: number;
  amount1: bigint;
  amount2: bigint;
}

/**
 * Returns a channel's amounts as one player's own and the opponent's.
 * @param player Number of that player.
 * @example
 * ```ts
 * import { ownFirst } from "duello";
 *
 * ownFirst(2, { amount1: 60n, amount2: 40n }); // => { own: 40n, other: 60n }
 * ```
 */
export function ownFirst(player: ChannelPlayerNumber, { amount1, amount2 }: Pick<Held, "amount1" | "amount2">) {
  return player === 1 ? { own: amount1, other: amount2 } : { own: amount2, other: amount1 };
}

/** State of a channel on chain. */
export interface ChannelOnChain {
  /** Minimum time of the next block, in seconds since 1970. */
  time: number;
  /** Time of the newest final block, in seconds since 1970. */
  finalTime: number;
  /** Number of the first match of the next opening. */
  firstNonce: number;
  /** True if the newest final block shows the channel in the same state, open or closed. */
  isFinal: boolean;
  /** State of the open channel; undefined while the channel is closed. */
  open?: Held & {
    /** Time until which the channel lasts, in seconds since 1970. After it, anybody may close the channel. */
    until: number;
    /** True if no reorganisation will undo the channel's opening. */
    isFinal: boolean;
  };
  /** Matches in play in the arena. */
  matches: ArenaState[];
}

/**
 * Reads the state of a channel on chain from a node.
 * @example
 * ```ts
 * import { ChannelChain, channelIdOf } from "duello";
 *
 * const onChain = new ChannelChain(provider, { arena: addresses.Arena, ...channelsAt }, channelIdOf(channel));
 * const { open, matches } = await onChain.read();
 * console.log(open?.amount1, matches.length);
 * ```
 */
export class ChannelChain {
  readonly channels: Channels;
  readonly arena: Arena;

  /** @param fromBlock First block in which events of the channel are searched. */
  constructor(
    private readonly provider: Provider,
    readonly addresses: { readonly arena: string; readonly channels: string },
    private readonly channelId: Hex,
    private readonly fromBlock = 0,
  ) {
    this.channels = Channels__factory.connect(addresses.channels, provider);
    this.arena = Arena__factory.connect(addresses.arena, provider);
  }

  /**
   * Reads the state of the channel. Amounts include the stakes of a match that waits for its first action.
   * @param earlier Numbers of earlier matches that may be in play in the arena.
   */
  async read(earlier: readonly number[] = []): Promise<ChannelOnChain> {
    const { channels, provider, channelId } = this;
    const final = await finalBlock(provider);
    const [state, before, firstNonce, time] = await Promise.all([
      channels.stateOf(channelId),
      channels.stateOf(channelId, { blockTag: final.number }).catch(() => undefined),
      channels.firstNonceOf(channelId).then(Number),
      nextTime(provider),
    ]);
    const isFinal = before?.until === state.until && before.nonce === state.nonce;
    const times = { time, finalTime: final.timestamp, firstNonce, isFinal };
    const [nonce, until] = [Number(state.nonce), Number(state.until)];
    const numbers = new Set([...earlier, ...(state.challenged ? [nonce - 1] : [])]);
    const found = await Promise.all([...numbers].map((each) => this.match(each)));
    const matches = found.filter((match) => match !== undefined);
    if (until === 0) return { ...times, matches };
    const open = {
      nonce,
      amount1: state.amount1,
      amount2: state.amount2,
      until,
      isFinal: before?.until === state.until && areOfOneOpening(Number(before.nonce), nonce),
    };
    const posted = matches.find((match) => match.posted);
    if (posted) {
      open.nonce = posted.nonce;
      open.amount1 += posted.stakes[0];
      open.amount2 += posted.stakes[1];
    }
    return { ...times, open, matches };
  }

  /**
   * Reads the actions of a match that is in play in the arena.
   * @returns `brought`: the actions of the submitted transcript; `acted`: the actions in the arena after it.
   */
  async actions({ nonce }: ArenaState): Promise<{ brought: Hex[]; acted: SeatAction[] }> {
    const { channels, arena } = this;
    const matchId = toBeHex(channelMatchIdOf(this.channelId, nonce), 32);
    const [challenged, acted] = [channels.getEvent("Challenged"), arena.getEvent("Acted")].map(
      ({ fragment }) => fragment.topicHash,
    );
    const last = await this.provider.getBlockNumber();
    const filters = [
      { address: this.addresses.channels, topics: [challenged, this.channelId, matchId] },
      { address: this.addresses.arena, topics: [acted, matchId] },
    ];
    const [broughtLogs, actedLogs] = await Promise.all(filters.map((filter) => this.logs(filter, last)));
    const [, , actions] = AbiCoder.defaultAbiCoder().decode(["uint256", "bytes32", "bytes"], broughtLogs.at(-1)!.data);
    return {
      brought: decodeActions(actions as Hex),
      acted: actedLogs.map(({ data }) => {
        const [seat, action] = AbiCoder.defaultAbiCoder().decode(["uint8", "bytes"], data) as unknown as [bigint, Hex];
        return { seat, data: action };
      }),
    };
  }

  /** Reads the places of the messages, and the last signature, of a match that is over and waits in the arena. */
  async shownEnd({ nonce }: ArenaState): Promise<{ places: Hex[]; signature: Hex }> {
    const { channels } = this;
    const { topicHash } = channels.getEvent("EndShown").fragment;
    const last = await this.provider.getBlockNumber();
    const found = await this.logs({ address: this.addresses.channels, topics: [topicHash, this.channelId] }, last);
    const ends = found.map(({ data }) => {
      const end = AbiCoder.defaultAbiCoder().decode(["uint256", "bytes32[]", "bytes"], data);
      return end as unknown as [nonce: bigint, places: Hex[], signature: Hex];
    });
    const end = ends.findLast(([number]) => number === BigInt(nonce));
    if (!end) throw new Error(`The node has not said how match ${nonce} was ended.`);
    const [, places, signature] = end;
    return { places: [...places], signature };
  }

  private async logs(filter: { address: string; topics: string[] }, last: number) {
    const found = [];
    const reader = LogReader.of(this.provider);
    for await (const { logs } of reader.forward(filter, this.fromBlock, last)) found.push(...logs);
    return found;
  }

  private async match(nonce: number) {
    const matchId = channelMatchIdOf(this.channelId, nonce);
    // The arena reverts for a match that was never submitted.
    const match = await this.arena.matchOf(matchId).catch((error: unknown) => {
      if (!isRevert(error)) throw error;
    });
    if (match?.status !== Status.AllJoined) return undefined;
    const [position, terms] = await Promise.all([this.arena.positionOf(matchId), readTerms(this.arena, match.termsId)]);
    const code = BigInt(match.fingerprint);
    const stakes = [terms.stake1, terms.stake2] as const;
    return {
      nonce,
      player1: match.player1,
      posted: match.posted,
      count: Number(code >> 2n),
      isOver: position === OVER,
      turn: match.turn,
      deadline: Number(match.deadline),
      position,
      // The lowest bit is set if player 2 has seat One.
      stakes: code & 1n ? ([stakes[1], stakes[0]] as const) : stakes,
    };
  }
}
