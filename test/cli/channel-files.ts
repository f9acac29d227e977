import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { computeAddress, toBeHex, type Provider } from "ethers";
import { ChannelFiles, type ChannelPlace } from "../../cli/shared/channels/files.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { LogConflict } from "../../sdk/player/log-place.js";
import { channelIdOf, NO_END, type Channel } from "../../sdk/protocol/channels/messages.js";
import { signedWith, type BalanceMessage } from "../../sdk/protocol/channels/wire.js";
import { COIN } from "../../sdk/protocol/terms.js";
import { FIRST, keyOf } from "../support/channels.js";

const [PLAYER, OTHER, STRANGER, ARENA] = ["player", "other", "stranger", "arena"].map((name) => keyOf(name).address);

describe("The channel files of a player's vault", () => {
  let place: ChannelPlace;
  let files: ChannelFiles;
  let channel: Channel;

  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), "duello-channels-"));
    place = { vault: new Vault(folder), chainId: 1, addresses: { Arena: ARENA }, provider: {} as Provider };
    files = await ChannelFiles.of(place, PLAYER);
    const key2 = computeAddress(await files.sessionKey());
    channel = { player1: OTHER, key1: keyOf("key").address, player2: PLAYER, key2, token: COIN, feeBps: 2000n };
  });
  afterEach(() => rm(place.vault.folder, { recursive: true }));

  /** Returns a balance that the player's key has signed. */
  const balance = async (nonce: number) =>
    signedWith<BalanceMessage>(await files.sessionKey(), files.at, {
      ...{ type: "balance", channel: channelIdOf(channel), nonce, amount1: 1n, amount2: 2n },
      ...{ close: false, until: NO_END, player: 2 },
    });

  const folder = () => join(place.vault.folder, "channels", `1-${files.at.channels}`, PLAYER);

  it("keep one session key per player, in a folder of that player", async () => {
    const again = await ChannelFiles.of(place, PLAYER);
    const other = await ChannelFiles.of(place, OTHER);
    const keys = await Promise.all([files, again, other].map(async (each) => (await each.sessionKey()).privateKey));
    expect(keys[0]).to.equal(keys[1]).and.not.equal(keys[2]);
    expect(await readdir(folder())).to.deep.equal(["key.json"]);
  });

  it("store each channel once with the player's number, and list the oldest first", async () => {
    const id = channelIdOf(channel);
    const later = { ...channel, token: STRANGER };
    await files.keep(later, 9);
    const kept = await files.keep(channel, 7);
    expect(kept).to.deep.equal({ id, channel, player: 2, opponent: OTHER, block: 7 });
    expect(await files.keep(channel, 8)).to.deep.equal(kept);
    expect((await files.all()).map(({ block }) => block)).to.deep.equal([7, 9]);
    expect(await (await ChannelFiles.of(place, OTHER)).all()).to.be.empty;
  });

  it("refuse a channel without the player, and a file that describes another channel", async () => {
    const foreign = { ...channel, player2: STRANGER };
    const refused = await files.keep(foreign, 7).catch(String);
    expect(refused).to.equal(`InputError: channel: its players are ${OTHER} and ${STRANGER}, not ${PLAYER}`);
    await files.keep(channel, 7);
    const [name] = (await readdir(folder())).filter((each) => each !== "key.json");
    const moved = join(folder(), `${toBeHex(1, 32)}.json`);
    await writeFile(moved, await readFile(join(folder(), name)));
    expect(await files.all().catch(String)).to.equal(`InputError: ${moved}.channel: it is ${channelIdOf(channel)}`);
  });

  it("let one process at a time play a channel", async () => {
    const id = channelIdOf(channel);
    const release = await files.hold(id, 0);
    expect(await files.hold(id, 0).catch(String)).to.match(/^Locked: This channel is played already, process \d+ on /);
    release();
    (await files.hold(id, 0))();
  });

  it("keep a log readable after an unfinished line, and refuse to append if another process has appended", async () => {
    const id = channelIdOf(channel);
    const [log, other] = [files.logOf(id), files.logOf(id)];
    await log.append(await balance(FIRST), 0);
    await appendFile(log.path, '{"type":"bal');
    expect(await other.read()).to.deep.equal([await balance(FIRST)]);
    await other.append(await balance(FIRST + 1), 1);
    expect(await log.append(await balance(FIRST + 2), 1).catch((error: unknown) => error)).to.be.instanceOf(
      LogConflict,
    );
    expect(await other.append(await balance(FIRST + 2), 1).catch(String)).to.match(
      /^LogConflict: The log has 2 entries, not 1/,
    );
    expect(await files.logOf(id).read()).to.deep.equal([await balance(FIRST), await balance(FIRST + 1)]);
  });

  it("keep only the given entries of a closed channel's log, and refuse appends based on the old log", async () => {
    const { id } = await files.keep(channel, 7);
    const [log, other] = [files.logOf(id), files.logOf(id)];
    for (const [place, nonce] of [FIRST, FIRST + 1].entries()) await log.append(await balance(nonce), place);
    await other.read();
    await files.retire(id, [await balance(FIRST)]);
    expect(await files.all()).to.deep.equal([]);
    expect(await files.logOf(id).read()).to.deep.equal([await balance(FIRST)]);
    expect(await other.append(await balance(FIRST + 2), 2).catch((error: unknown) => error)).to.be.instanceOf(
      LogConflict,
    );
    expect(await files.keep(channel, 9)).to.include({ id, block: 9 });
    expect(await files.logOf(id).read()).to.have.length(1);
  });

  it("report where a log is damaged, and how to recover", async () => {
    const log = files.logOf(channelIdOf(channel));
    await log.append(await balance(FIRST), 0);
    await appendFile(log.path, '{"type":"balance"}\n');
    expect(await log.read().catch(String)).to.equal(
      `InputError: ${log.path}:3.channel: left out. Move ${log.path} away, and give the command again with a relay that has the channel, from which your messages are read again`,
    );
  });
});
