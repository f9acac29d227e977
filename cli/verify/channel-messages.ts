import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { RelayChannelTransport } from "../../sdk/player/channels/relay-transport.js";
import { channelIdOf, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { parseChannelMessage, type ChannelMessage } from "../../sdk/protocol/channels/wire.js";
import { InputError } from "../../sdk/protocol/input.js";
import type { ShownMessages } from "../../sdk/verify/shown-messages.js";
import { FileChannelLog } from "../shared/channels/files.js";

/** Maximum depth of searched folders: the folder of all players contains one folder per deployment and player. */
const MAX_DEPTH = 3;
/** Maximum bytes of a file. */
const MAX_BYTES = 100_000_000;
/** Maximum number of messages per channel that are read from a relay. */
const MAX_MESSAGES = 50_000;

/**
 * Opens the messages of channels, from the logs of players or from a relay.
 * @param source Log of a channel, folder with logs, or address of a relay.
 * @throws InputError for a path that does not exist, or an invalid address of a relay.
 */
export async function openChannelMessages(source: string, at: ChannelsAt): Promise<ShownMessages> {
  if (/^https?:/.test(source)) return async (channel) => askedOf(new RelayChannelTransport([source], at, channel));
  const files = await filesIn(source, 0);
  if (!files) throw new InputError("--messages", `there is no ${source}`);
  return async (channel) => {
    const own = files.filter((file) => file.endsWith(`${channelIdOf(channel)}.jsonl`));
    return (await Promise.all(own.map(messagesIn))).flat();
  };
}

/** Lists the files in a folder, or a single file; undefined for a path that does not exist. */
async function filesIn(path: string, depth: number): Promise<string[] | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found && [path];
  if (depth > MAX_DEPTH) return [];
  const inside = await Promise.all((await readdir(path)).map((name) => filesIn(join(path, name), depth + 1)));
  return inside.flatMap((files) => files ?? []);
}

async function messagesIn(file: string): Promise<ChannelMessage[]> {
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new InputError(file, `${size} bytes are more than ${MAX_BYTES}`);
  const entries = await new FileChannelLog(file).read();
  return entries.flatMap((entry) => ("signature" in entry ? [entry] : []));
}

async function askedOf(relay: RelayChannelTransport): Promise<ChannelMessage[]> {
  const found: ChannelMessage[] = [];
  for (let from = 0; found.length < MAX_MESSAGES;) {
    const { lines, seen, isMore } = await relay.after(from);
    found.push(...lines.map((line) => parseChannelMessage(line, "message")));
    if (!isMore || seen <= from) break;
    from = seen;
  }
  return found;
}
