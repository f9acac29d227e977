import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SigningKey, type Provider } from "ethers";
import { Channels__factory } from "../../../typechain-types/index.js";
import { channelsOf } from "../../../sdk/chain/channels.js";
import { nextTime } from "../../../sdk/chain/time.js";
import {
  channelEntryText,
  parseChannelEntry,
  type ChannelEntry,
  type ChannelLog,
} from "../../../sdk/player/channels/log.js";
import type { Seeker } from "../../../sdk/player/channels/lobby.js";
import { readStoredKey } from "../../../sdk/player/key-store.js";
import { checkPlace, LogConflict } from "../../../sdk/player/log-place.js";
import { randomKey } from "../../../sdk/player/secrets.js";
import { channelIdOf, type Channel, type ChannelsAt } from "../../../sdk/protocol/channels/messages.js";
import { readChannel, type ChannelPlayerNumber, type OpenMessage } from "../../../sdk/protocol/channels/wire.js";
import { isKind } from "../../../sdk/protocol/error-kind.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError, integer, object } from "../../../sdk/protocol/input.js";
import { withFullStop } from "../../../sdk/protocol/text.js";
import { NewerVersion, readVersioned, versioned } from "../../../sdk/protocol/version.js";
import { readFileAs, writeNew } from "../files/files.js";
import { LineFile, Overtaken } from "../files/line-file.js";
import { removeLock, waitForLock } from "../files/lock.js";
import type { Vault } from "../files/vault.js";
import { chainMarkOf } from "../node/chain-mark.js";

/** Data that a program needs to find a player's channels. */
export interface ChannelPlace {
  readonly vault: Vault;
  readonly chainId: number;
  readonly addresses: { readonly Arena: string };
  readonly provider: Provider;
}

/** Channel of a player, as stored on this machine. */
export interface KeptChannel {
  id: Hex;
  channel: Channel;
  /** The player's number in the channel. */
  player: ChannelPlayerNumber;
  /** Address of the other player. */
  opponent: string;
  /** Block from which events of the channel are searched. */
  block: number;
}

/** Log of a player in a channel, as a file with one entry per line. */
export class FileChannelLog implements ChannelLog {
  private readonly file: LineFile;
  private count = 0;

  constructor(readonly path: string) {
    this.file = new LineFile(path, "the log of a channel");
  }

  /** @throws InputError for a damaged file, or one of another version; the error explains what to do. */
  async read(): Promise<ChannelEntry[]> {
    try {
      const lines = await this.file.read();
      this.count = lines.length;
      return lines.map((line, i) => parseChannelEntry(line, this.file.placeOf(i)));
    } catch (error) {
      if (!isKind(error, InputError) || error instanceof NewerVersion) throw error;
      const wayOut = `Move ${this.path} away, and give the command again with a relay that has the channel, from which your messages are read again`;
      throw new InputError(error.path, `${withFullStop(error.problem)} ${wayOut}`);
    }
  }

  async append(entry: ChannelEntry, place: number): Promise<void> {
    checkPlace(this.count, place);
    try {
      await this.file.append(channelEntryText(entry));
    } catch (error) {
      throw error instanceof Overtaken ? new LogConflict(error.message) : error;
    }
    this.count++;
  }

  /** Replaces the content of the log with these entries. */
  async replace(entries: readonly ChannelEntry[]): Promise<void> {
    await this.file.replace(entries.map(channelEntryText));
    this.count = entries.length;
  }
}

const readKey = readVersioned("the vault", readStoredKey);
const readKept = readVersioned(
  "a channel",
  object({ channel: readChannel, block: integer(0, Number.MAX_SAFE_INTEGER) }),
);

/** Channels of a player at a deployment in the vault of this machine: each with a description, a log and a lock. */
export class ChannelFiles {
  private constructor(
    readonly at: ChannelsAt,
    readonly player: string,
    readonly folder: string,
  ) {}

  static async of({ vault, chainId, addresses, provider }: ChannelPlace, player: string): Promise<ChannelFiles> {
    const channels = channelsOf(addresses.Arena);
    const mark = await chainMarkOf(provider, chainId);
    const chain = mark === undefined ? chainId : `${chainId}-${mark}`;
    const folder = join(vault.folder, "channels", `${chain}-${channels}`, player);
    return new ChannelFiles({ chainId: BigInt(chainId), channels }, player, folder);
  }

  /** Returns the player's session key for all its channels on this machine; creates the key the first time. */
  async sessionKey(): Promise<SigningKey> {
    const file = join(this.folder, "key.json");
    const scope = { chainId: Number(this.at.chainId), arena: this.at.channels, player: this.player };
    const kept = await readFileAs(file, readKey);
    if (!kept) await writeNew(file, versioned("the vault", { ...scope, key: randomKey() }));
    const { key } = kept ?? (await readFileAs(file, readKey))!;
    return new SigningKey(key);
  }

  /** Returns the player in the form that signs searches. */
  async seeker(): Promise<Seeker> {
    const { at, player } = this;
    return { at, player, key: await this.sessionKey() };
  }

  /** Reads all channels, oldest first. @throws InputError for a damaged description. */
  async all(): Promise<KeptChannel[]> {
    const names = await readdir(this.folder).catch(() => []);
    const ids = names.flatMap((name) => /^(0x[0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []);
    const kept = (await Promise.all(ids.map((id) => this.find(id)))).filter((each) => each !== undefined);
    return kept.sort((a, b) => a.block - b.block);
  }

  /** Reads the description of a channel; undefined if there is none. @throws InputError for a damaged description. */
  async find(id: Hex): Promise<KeptChannel | undefined> {
    const file = this.fileOf(id, "json");
    const kept = await readFileAs(file, readKept);
    if (!kept) return undefined;
    if (channelIdOf(kept.channel) !== id) throw new InputError(`${file}.channel`, `it is ${channelIdOf(kept.channel)}`);
    return this.described(kept.channel, kept.block, file);
  }

  /** Stores a channel of the player if it is new. @param block Latest block; the channel is opened after it. */
  async keep(channel: Channel, block: number): Promise<KeptChannel> {
    const id = channelIdOf(channel);
    const described = this.described(channel, block, "channel");
    const plain = { ...channel, feeBps: Number(channel.feeBps) };
    await writeNew(this.fileOf(id, "json"), versioned("a channel", { channel: plain, block }));
    return (await this.find(id)) ?? described;
  }

  /** Returns the player's unused and unexpired consent to the next opening of a channel, or undefined. */
  async consentTo({ id, player }: KeptChannel, provider: Provider): Promise<OpenMessage | undefined> {
    const channels = Channels__factory.connect(this.at.channels, provider);
    const [first, now] = await Promise.all([channels.firstNonceOf(id).then(Number), nextTime(provider)]);
    const consents = (await this.logOf(id).read()).filter((entry) => entry.type === "open");
    return consents.find((consent) => consent.player === player && consent.nonce === first && consent.until > now);
  }

  /** Removes a channel in which the player has signed nothing. */
  async forget(id: Hex): Promise<void> {
    for (const end of ["json", "jsonl"]) await rm(this.fileOf(id, end), { force: true });
    removeLock(this.fileOf(id, "lock"));
  }

  /** Reduces a finished channel to the log entries that a later opening needs. The caller must hold the channel. */
  async retire(id: Hex, lasting: readonly ChannelEntry[]): Promise<void> {
    await this.logOf(id).replace(lasting);
    await rm(this.fileOf(id, "json"), { force: true });
  }

  /** Returns the log of a channel. */
  logOf(id: Hex): FileChannelLog {
    return new FileChannelLog(this.fileOf(id, "jsonl"));
  }

  /**
   * Acquires a channel: nothing else on this machine signs in it for the player until the returned function is called.
   * @param patience Milliseconds to wait for another process that holds it.
   * @throws Locked if it takes longer.
   */
  async hold(id: Hex, patience: number): Promise<() => void> {
    return waitForLock(this.fileOf(id, "lock"), "This channel is played", patience);
  }

  private fileOf(id: Hex, end: string): string {
    return join(this.folder, `${id}.${end}`);
  }

  /** @throws InputError if the player is not in the channel. */
  private described(channel: Channel, block: number, path: string): KeptChannel {
    const { player1, player2 } = channel;
    const { player } = this;
    if (player !== player1 && player !== player2) {
      throw new InputError(path, `its players are ${player1} and ${player2}, not ${player}`);
    }
    const isFirst = player === player1;
    return { id: channelIdOf(channel), channel, player: isFirst ? 1 : 2, opponent: isFirst ? player2 : player1, block };
  }
}
