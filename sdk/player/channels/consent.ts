import { Interface, type Provider } from "ethers";
import { isRevert } from "../../chain/revert.js";
import { channelIdOf, openRequest, type Channel, type ChannelsAt } from "../../protocol/channels/messages.js";
import { parseChannelMessage, type ChannelMessage, type OpenMessage } from "../../protocol/channels/wire.js";
import { signerOf } from "../../protocol/signing.js";
import { digestOf } from "../../protocol/typed-data.js";
import { Channels__factory } from "../../../typechain-types/index.js";
import type { ChannelTransport } from "./transport.js";

const ERC1271 = new Interface(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
const VALID = ERC1271.getFunction("isValidSignature")!.selector;

/**
 * Returns whether the player's wallet has signed a consent to open, by the rule of the channels contract: an account
 * with code must confirm the signature itself, even if its key has signed.
 * @throws like the provider, if the chain cannot be read.
 * @example
 * ```ts
 * import { isConsentSigned } from "duello";
 *
 * if (await isConsentSigned(provider, channelsAt, channel, opening)) console.log("The wallet has signed it.");
 * ```
 */
export async function isConsentSigned(
  provider: Provider,
  at: ChannelsAt,
  channel: Channel,
  consent: OpenMessage,
): Promise<boolean> {
  const wallet = consent.player === 1 ? channel.player1 : channel.player2;
  const digest = digestOf(openRequest(at, consent));
  const { signature } = consent;
  if ((await provider.getCode(wallet)) === "0x") return signerOf(digest, signature) === wallet;
  const data = ERC1271.encodeFunctionData("isValidSignature", [digest, signature]);
  try {
    return (await provider.call({ to: wallet, data })).startsWith(VALID);
  } catch (error) {
    if (isRevert(error)) return false;
    throw error;
  }
}

/** Maximum number of a channel's messages that are searched for a consent. */
const MAX_LINES = 10_000;

/**
 * Finds a consent of player 2 to the next opening of a channel among the messages of a transport.
 * @param isFit Returns whether an opening matches the search.
 * @throws like the provider and the transport
 * @example
 * ```ts
 * import { consentIn, RelayChannelTransport } from "duello";
 *
 * const transport = new RelayChannelTransport(relays, channelsAt, channel);
 * const consent = await consentIn(provider, channelsAt, channel, transport, ({ amount1 }) => amount1 === 10n ** 19n);
 * ```
 */
export async function consentIn(
  provider: Provider,
  at: ChannelsAt,
  channel: Channel,
  transport: Pick<ChannelTransport, "after">,
  isFit: (opening: OpenMessage) => boolean,
): Promise<OpenMessage | undefined> {
  const channels = Channels__factory.connect(at.channels, provider);
  const first = Number(await channels.firstNonceOf(channelIdOf(channel)));
  for (let seen = 0; seen < MAX_LINES;) {
    const { lines, seen: next, isMore } = await transport.after(seen);
    for (const line of lines) {
      const message = readable(line);
      if (message?.type !== "open" || message.player !== 2 || message.nonce !== first || !isFit(message)) continue;
      if (await isConsentSigned(provider, at, channel, message)) return message;
    }
    if (!isMore || lines.length === 0) return undefined;
    seen = next;
  }
  return undefined;
}

/** Parses a message; undefined if it is malformed, so that junk from a relay does not hide the messages after it. */
function readable(line: string): ChannelMessage | undefined {
  try {
    return parseChannelMessage(line, "message");
  } catch {
    return undefined;
  }
}
