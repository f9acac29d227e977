import { ZeroAddress } from "ethers";
import { ActionButton } from "../parts/action-button.tsx";
import { oneLine } from "../parts/text.ts";
import { personText } from "../people/people.ts";
import type { Channels } from "./channels.ts";
import { amountsText, gameText } from "./search-text.ts";

/** Shows what the person looks for, with a button to stop the search. */
export function Searching({ channels }: { channels: Channels }) {
  const search = channels.search.value;
  const trouble = channels.trouble.value;
  const { chain } = channels.you;
  if (!search) return trouble === undefined ? null : <p class="notice bad">{oneLine(trouble, 200)}</p>;
  const { opponent, token, amount, otherAmount, terms } = search;
  return (
    <div class="notice row apart" role="status">
      <span class="grow">
        Waiting for {opponent === ZeroAddress ? "anyone" : personText(opponent)} to sit down: {gameText(chain, terms)},{" "}
        {amountsText(chain, token, amount, otherAmount)}. Keep this page open: your wallet is asked to sign then.
        {trouble !== undefined && ` ${oneLine(trouble, 200)}`}
      </span>
      <ActionButton run={() => channels.stopLooking()}>Stop</ActionButton>
    </div>
  );
}
