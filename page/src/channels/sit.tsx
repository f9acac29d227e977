import { COIN } from "duello";
import { getAddress, isAddress, ZeroAddress } from "ethers";
import { useState } from "preact/hooks";
import { AccountButton } from "../parts/account-button.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { AddressInput, AmountInput, Select, SpanSelect } from "../parts/fields.tsx";
import { Problem } from "../parts/problem.tsx";
import { termsIn } from "../parts/terms-fields.tsx";
import { gameCalled } from "../parts/text.ts";
import { useTitle } from "../parts/use.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { route } from "../router.ts";
import { chain } from "../store/current.ts";
import { tokenName } from "../store/present.ts";
import { unitsOf } from "../store/stakes.ts";
import { channelsOf } from "./channels.ts";
import { Searching } from "./searching.tsx";
import { useChannels } from "./use-channels.ts";

/** Lifetimes of a channel to choose from, in seconds. */
const SPANS = [86_400, 7 * 86_400, 30 * 86_400];
const CLOCK = 3600;

/** Form that searches for an opponent for a new channel. */
export default function SitView() {
  useTitle("Sit down");
  const you = player.value;
  if (chain.value?.deployment.relay === undefined) {
    return <Problem title="There are no channels here">The page knows no relay of a chain.</Problem>;
  }
  return (
    <div class="stack narrow">
      <h1>Play in a channel</h1>
      <p class="muted">
        Both players lock an amount once. Then they play match after match by messages that their browsers sign: no
        transaction, and no question of the wallet. When they get up, each is paid what it holds.
      </p>
      {you ? (
        <Search key={you.address} you={you} />
      ) : (
        <section class="card stack">
          <p>Connect a wallet to sit down.</p>
          <div>
            <AccountButton />
          </div>
        </section>
      )}
    </div>
  );
}

function Search({ you }: { you: Player }) {
  const { deployment } = you.chain;
  const { FightToken } = deployment.addresses;
  const { params } = route.value;
  const { channels } = useChannels(you);
  const [opponent, setOpponent] = useState(params.get("to")?.slice(0, 42) ?? "");
  const [token, setToken] = useState(FightToken);
  const [own, setOwn] = useState("0");
  const [others, setOthers] = useState<string>();
  const [span, setSpan] = useState(SPANS[1]);
  if (channels?.search.value) return <Searching channels={channels} />;
  const named = opponent.trim();
  const [amount, otherAmount] = [unitsOf(own), unitsOf(others ?? own)];
  const look = async () => {
    if (named !== "" && !isAddress(named)) throw new Error("The address is not complete, or has a typing error.");
    if (amount === undefined || otherAmount === undefined) throw new Error("An amount is a number, e.g. 5 or 0.25.");
    const game = gameCalled(params.get("game") ?? undefined);
    const mode = params.get("mode") ?? "";
    const isKnown = game !== undefined && Object.hasOwn(game.modes, mode);
    const entered =
      isKnown && termsIn(deployment.addresses, token, { game, mode, stake: "0", clock: CLOCK, rated: false });
    const terms = typeof entered === "object" ? entered : undefined;
    const opponentOrAnybody = named === "" ? ZeroAddress : getAddress(named);
    await (await channelsOf(you)).look({ opponent: opponentOrAnybody, token, amount, otherAmount, terms }, span);
  };
  return (
    <form class="card stack" onSubmit={(event) => event.preventDefault()}>
      {channels && <Searching channels={channels} />}
      <AddressInput label="Opponent (empty: anyone may sit down)" value={opponent} onChange={setOpponent} />
      <div class="pair">
        <AmountInput label="You lock" value={own} onChange={setOwn} />
        <AmountInput label="The other player locks" value={others ?? own} onChange={setOthers} />
      </div>
      <div class="pair">
        <Select
          label="Token"
          value={token}
          options={[FightToken, COIN].map((each) => [each, tokenName(you.chain, each)])}
          onChange={setToken}
        />
        <SpanSelect label="Locked for at most" value={span} spans={SPANS} onChange={setSpan} />
      </div>
      <p class="small muted">
        The amount comes out of your purse once both have signed. With 0 you play for nothing, without any transaction.
      </p>
      <ActionButton class="primary" run={look}>
        {named === "" ? "Wait for anyone" : "Ask to sit down"}
      </ActionButton>
    </form>
  );
}
