import type { Seek } from "duello";
import { ZeroAddress } from "ethers";
import { useMemo } from "preact/hooks";
import type { Chain } from "../store/chain.ts";
import { polled } from "../store/polled.ts";
import { placeOf } from "./channels.ts";

/** Milliseconds between two reads of the lobby. */
const PAUSE = 3_000;

/** Reads the searches in the lobby that a player may answer again and again. @param address Defaults to anybody's. */
export function useSeeks(chain: Chain, address = ZeroAddress): readonly Seek[] {
  return useMemo(() => {
    const read = async () => (await placeOf(chain)).lobby.seeks(address);
    return polled<Seek[]>([], read, () => new Promise((resolve) => setTimeout(resolve, PAUSE)));
  }, [chain, address]).value;
}
