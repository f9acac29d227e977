import type { Call } from "duello";
import type { Player } from "../player/player.ts";
import { feeText } from "./fee.ts";
import { useLoaded } from "./use.ts";

const DECIMALS = 18;

/**
 * Describes what calls will cost, before the wallet is asked; shows nothing if the cost is unknown.
 * @param calls Encodes calls like those that will be sent. Warning: the node sees these calls, so they must not contain
 * a real secret.
 */
export function FeeNote({ you, calls, keys }: { you: Player; calls: () => Promise<Call[]>; keys: readonly unknown[] }) {
  const { value } = useLoaded(async () => you.cost(await calls()), [you, ...keys]);
  if (!value || value.gas === 0n) return null;
  const symbol = you.chain.deployment.coin ?? "COIN";
  return (
    <p class="muted small">
      Fee of the chain: {feeText(value, { symbol, decimals: DECIMALS })} for {value.gas.toLocaleString("en")} gas.
    </p>
  );
}
