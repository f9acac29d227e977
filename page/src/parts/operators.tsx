import { getAddress, isAddress } from "ethers";
import { useState } from "preact/hooks";
import type { Player } from "../player/player.ts";
import { gameNow } from "../store/clock.ts";
import { ActionButton } from "./action-button.tsx";
import { AddressInput, Select } from "./fields.tsx";
import { timeAt } from "./text.ts";

/** Seconds for which an operator may be allowed. */
const SPANS = [
  [String(86_400), "1 day"],
  [String(7 * 86_400), "7 days"],
  [String(30 * 86_400), "30 days"],
] as const;

/** Lists the operators who may act for the player in its matches, and lets the player approve and revoke them. */
export function Operators({ you }: { you: Player }) {
  const { archive, ledger } = you.chain;
  const now = BigInt(gameNow.value);
  const { Arena } = you.chain.deployment.addresses;
  const until = new Map<string, bigint>();
  // The archive changes in place; the ledger signals that.
  const events = ledger.value && archive.value?.find(Arena, "OperatorAllowed", { player: you.address });
  for (const { args } of events ?? []) {
    until.set(args.operator, args.until);
  }
  const session = you.session.value.address;
  const open = [...until].filter(([operator, end]) => end >= now && operator !== session);
  return (
    <section class="card stack" aria-labelledby="operators">
      <h2 id="operators">Operators</h2>
      <p>
        An operator may move and reveal in all your open matches until its permission expires: a program of yours, or
        somebody you trust. It can lose them by bad moves, and take no coin or token.
      </p>
      {open.length === 0 && <p class="muted">Nobody but you{session === undefined ? "" : " and your session"}.</p>}
      <ul class="stack tight">
        {open.map(([operator, end]) => (
          <li key={operator} class="row apart">
            <span>
              <span class="mono small">{operator}</span> <span class="muted small">until {timeAt(Number(end))}</span>
            </span>
            <ActionButton run={() => allow(you, operator, 0)}>Revoke</ActionButton>
          </li>
        ))}
      </ul>
      <NewOperator you={you} />
    </section>
  );
}

function NewOperator({ you }: { you: Player }) {
  const [address, setAddress] = useState("");
  const [span, setSpan] = useState(SPANS[0][0]);
  const isValid = isAddress(address.trim()) && getAddress(address.trim()) !== you.address;
  return (
    <details>
      <summary>Allow somebody</summary>
      <div class="stack tight">
        <AddressInput label="Address of the operator" value={address} onChange={setAddress} />
        <Select label="For how long" value={span} options={SPANS} onChange={setSpan} />
        <ActionButton isDisabled={!isValid} run={() => allow(you, getAddress(address.trim()), Number(span))}>
          Allow it
        </ActionButton>
      </div>
    </details>
  );
}

/** Allows an operator for some seconds from now on; 0 revokes the operator. */
async function allow(you: Player, operator: string, seconds: number): Promise<void> {
  const title = seconds === 0 ? "Revoke an operator" : "Allow an operator";
  await you.perform({ call: "allow", what: title, content: [operator, seconds] }, async (client) =>
    client.allow(operator, seconds === 0 ? 0 : (await client.now()) + seconds),
  );
}
