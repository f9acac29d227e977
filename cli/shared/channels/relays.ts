import type { Deployment } from "../../../sdk/chain/deployment.js";
import { relayPlace, type MeetingPlace } from "../../../sdk/player/channels/meeting.js";
import { RelayClient, RelayTrouble, relayUrl } from "../../../sdk/player/channels/relay-client.js";
import type { ChannelsAt } from "../../../sdk/protocol/channels/messages.js";
import { InputError, integer, object, oneOf, text } from "../../../sdk/protocol/input.js";
import { deploymentFile } from "../node/deployment.js";

/** Maximum number of relays of a program. */
const MAX_RELAYS = 8;

/** Sources of a program's relays; the first one that is set is used. */
export interface RelaySource {
  readonly options: { readonly relay?: string };
  readonly deployment: Pick<Deployment, "relay">;
  readonly chainId: number;
}

/**
 * Reads addresses of relays, separated by commas.
 * @param path Names the source in errors.
 * @throws InputError for an invalid address, or for too many.
 */
export function readChannelRelays(names: string, path: string): readonly string[] {
  const urls = [...new Set(names.split(",").filter((name) => name !== ""))];
  if (urls.length > MAX_RELAYS) throw new InputError(path, `more than ${MAX_RELAYS} relays`);
  return urls.map((url) => relayUrl(url, path));
}

/** Returns the addresses of a program's relays; empty if none is named. @throws InputError as `readChannelRelays` */
export function channelRelaysOf({ options, deployment, chainId }: RelaySource): readonly string[] {
  if (options.relay !== undefined) return readChannelRelays(options.relay, "--relay");
  const { DUELLO_RELAY: named } = process.env;
  if (named !== undefined) return readChannelRelays(named, "DUELLO_RELAY");
  return readChannelRelays(deployment.relay ?? "", `${deploymentFile(chainId)}: relay`);
}

const readInfo = object({
  type: oneOf("duello relay"),
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  channels: text,
});

/** Checks that a relay works and serves a channels contract. @throws RelayTrouble if not */
export async function checkRelay(url: string, at: ChannelsAt): Promise<void> {
  const relay = new RelayClient(url, at);
  const { chainId, channels } = await relay.ask("/", readInfo);
  if (BigInt(chainId) === at.chainId && channels.toLowerCase() === at.channels.toLowerCase()) return;
  throw new RelayTrouble(relay.url, `is of the channels ${channels} of chain ${chainId}`);
}

/** Returns the meeting place of a program's relays. @throws InputError if none is named */
export function placeOf(source: RelaySource, at: ChannelsAt): MeetingPlace {
  const relays = channelRelaysOf(source);
  if (relays.length === 0) {
    throw new InputError("--relay", "left out: players meet, and send each other their moves, by a relay");
  }
  return relayPlace(relays, at);
}
