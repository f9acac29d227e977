import { channelsOf, type ChannelsAt } from "duello";
import type { Chain } from "../store/chain.ts";

/** Returns the channels of a chain whose deployment names a relay, and the addresses of its relays. */
export function relaysOf({ deployment }: Chain): { at: ChannelsAt; relays: readonly string[] } {
  const { chainId, addresses, relay } = deployment;
  const at = { chainId: BigInt(chainId), channels: channelsOf(addresses.Arena) };
  return { at, relays: [new URL(relay!, location.href).href] };
}
