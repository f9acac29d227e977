import { listedSeeks, RelayClient, type Seek } from "duello";
import { ZeroAddress } from "ethers";
import { useMemo } from "preact/hooks";
import type { Chain } from "../store/chain.ts";
import { polled } from "../store/polled.ts";
import { relaysOf } from "./relays.ts";

/** Milliseconds between two reads of the lobby. */
const PAUSE = 3_000;

/** Keeps reading the searches that a player may answer. @param address The player; defaults to anybody. */
export function useSeeks(chain: Chain, address = ZeroAddress): readonly Seek[] {
  return useMemo(() => {
    const read = seeksOf(chain, address);
    return polled<Seek[]>([], read, () => new Promise((resolve) => setTimeout(resolve, PAUSE)));
  }, [chain, address]).value;
}

/** Returns a reader of searches. The code that checks their signatures is loaded once there are any. */
function seeksOf(chain: Chain, address: string): () => Promise<Seek[]> {
  const { at, relays } = relaysOf(chain);
  const clients = relays.map((url) => new RelayClient(url, at));
  let hasAny = false;
  return async () => {
    hasAny ||= (await listedSeeks(clients, address)).length > 0;
    return hasAny ? (await (await import("./channels.ts")).placeOf(chain)).lobby.seeks(address) : [];
  };
}
