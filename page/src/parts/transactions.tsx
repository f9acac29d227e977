import { player } from "../player/current.ts";
import { useLoaded } from "./use.ts";

/** The list of transactions, which is loaded once an account plays. */
export function Transactions() {
  const isPlaying = player.value !== undefined;
  const { value } = useLoaded(isPlaying ? () => import("./transaction-list.tsx") : undefined, [isPlaying]);
  return value ? <value.TransactionList /> : null;
}
