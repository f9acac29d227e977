import { amountText, COIN, type Call } from "duello";
import type { Player } from "../session/player.ts";
import { useLoaded } from "./use.ts";

const DECIMALS = 18;
/** Digits of a fee that people read. */
const DIGITS = 2;

/**
 * Tells what calls will cost, before the wallet is asked; nothing where that cannot be told.
 * @param calls Encodes calls like those that will be sent. Warning: the node sees them, so they hold no real secret.
 */
export function FeeNote({ you, calls, keys }: { you: Player; calls: () => Promise<Call[]>; keys: readonly unknown[] }) {
  const { value } = useLoaded(async () => you.cost(await calls()), [you, ...keys]);
  if (!value || value.gas === 0n) return null;
  const symbol = you.chain.deployment.coin ?? "COIN";
  const text = amountText(rounded(value.fee), { address: COIN, symbol, decimals: DECIMALS });
  return (
    <p class="muted small">
      Fee of the chain: about {text} for {value.gas.toLocaleString("en")} gas
      {value.isWhole ? "" : ", and a little more"}.
    </p>
  );
}

/** Rounds an amount up to a few digits. */
function rounded(amount: bigint): bigint {
  const unit = 10n ** BigInt(Math.max(0, String(amount).length - DIGITS));
  return ((amount + unit - 1n) / unit) * unit;
}
