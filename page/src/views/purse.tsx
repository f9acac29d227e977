import { amountText, COIN, InputError, readAddress, readAmount, Tokens, type Token } from "duello";
import { formatUnits } from "ethers";
import { useMemo, useState } from "preact/hooks";
import { AccountButton } from "../parts/account-button.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { feeText } from "../parts/fee.ts";
import { Select } from "../parts/fields.tsx";
import { useLoaded, useTitle } from "../parts/use.ts";
import { addedTokens, holdingsOf, keepTokens, type Holding } from "../player/holdings.ts";
import type { DepositWay } from "../player/deposits.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { transactions } from "../player/transactions.ts";
import "../styles/purse.css";

const WAYS: Readonly<Record<DepositWay, string>> = {
  coin: "One transaction.",
  transfer: "One transaction: the token is sent straight into the purse.",
  deposit: "One transaction: the arena may take the amount already.",
  permit: "A signature, which costs nothing, and one transaction.",
  approve: "Two transactions: you let the arena take the amount, and it does.",
};

/** Maximum decimals of an amount in the list. */
const DECIMALS = 6;

/** Wallet and purse of the person: their balances, and transfers between them. */
export default function Purse() {
  useTitle("Purse");
  const you = player.value;
  return (
    <div class="stack purse">
      <div>
        <h1>Purse</h1>
        <p class="muted">
          Stakes come out of your purse in the arena's contract, and prizes go into it. Only you can pay it out, at any
          time.
        </p>
      </div>
      {you ? (
        <Holdings key={`${you.address} ${you.chain.deployment.chainId}`} you={you} />
      ) : (
        <section class="card stack">
          <p>Connect a wallet to see your purse.</p>
          <div>
            <AccountButton />
          </div>
        </section>
      )}
    </div>
  );
}

function Holdings({ you }: { you: Player }) {
  const { chain } = you;
  const { chainId, addresses } = chain.deployment;
  const tokens = useMemo(() => new Tokens(chain.provider, addresses), [chain]);
  const [added, setAdded] = useState(() => addedTokens(chainId));
  const [reads, setReads] = useState(0);
  const { value: holdings, error } = useLoaded(
    () => holdingsOf(you, tokens, [...new Set([COIN, addresses.FightToken, ...added])]),
    [added, reads, chain.ledger.value, transactions.value.filter(({ state }) => state === "mined").length],
  );
  const add = async (written: string) => {
    const { address } = await tokens.read(readAddress(written.trim(), "token"));
    const next = [...new Set([...added, address])];
    keepTokens(chainId, next);
    setAdded(next);
  };
  const remove = (address: string) => {
    const next = added.filter((each) => each !== address);
    keepTokens(chainId, next);
    setAdded(next);
  };
  if (!holdings) return error === undefined ? <p class="muted loading">Reading …</p> : <ErrorNotice error={error} />;
  const onDone = () => setReads(reads + 1);
  return (
    <>
      <section class="card stack" aria-labelledby="balances">
        <h2 id="balances">What you have</h2>
        <ErrorNotice error={error} />
        <div class="balances" role="table" aria-labelledby="balances">
          <div role="row" class="balance muted small">
            <span role="columnheader">Token</span>
            <span role="columnheader">Wallet</span>
            <span role="columnheader">Purse</span>
          </div>
          {holdings.map(({ token, wallet, purse }) => (
            <div role="row" class="balance" key={token.address}>
              <span role="cell" class="row">
                {token.symbol}
                {added.includes(token.address) && (
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Remove ${token.symbol} from the list`}
                    onClick={() => remove(token.address)}
                  >
                    ✕
                  </button>
                )}
              </span>
              <span role="cell">
                {wallet === undefined ? "It does not say" : <Amount amount={wallet} token={token} />}
              </span>
              <span role="cell">
                <Amount amount={purse} token={token} />
              </span>
            </div>
          ))}
        </div>
        <AddToken onAdd={add} />
      </section>
      <div class="transfers">
        <Transfer kind="deposit" {...{ you, holdings, onDone }} />
        <Transfer kind="withdraw" {...{ you, holdings, onDone }} />
      </div>
    </>
  );
}

function AddToken({ onAdd }: { onAdd: (written: string) => Promise<void> }) {
  const [written, setWritten] = useState("");
  return (
    <details>
      <summary>Another token</summary>
      <div class="stack tight">
        <label>
          <span>Address of the token's contract</span>
          <input
            autoComplete="off"
            spellcheck={false}
            class="mono"
            value={written}
            onInput={({ currentTarget }) => setWritten(currentTarget.value)}
          />
        </label>
        <p class="muted small">
          Anybody may write a token and name it as they like: know the address before you trust it.
        </p>
        <ActionButton
          isDisabled={written.trim() === ""}
          run={async () => {
            await onAdd(written);
            setWritten("");
          }}
        >
          Show it
        </ActionButton>
      </div>
    </details>
  );
}

/** Form that pays in or out. */
function Transfer({
  kind,
  you,
  holdings,
  onDone,
}: {
  kind: "deposit" | "withdraw";
  you: Player;
  holdings: readonly Holding[];
  onDone: () => void;
}) {
  const isDeposit = kind === "deposit";
  const fight = you.chain.deployment.addresses.FightToken;
  const [address, setAddress] = useState(fight);
  const [written, setWritten] = useState("");
  const holding = holdings.find(({ token }) => token.address === address) ?? holdings[0];
  const { token } = holding;
  const source = (isDeposit ? holding.wallet : holding.purse) ?? 0n;
  const reading = read(written, token, source, isDeposit ? "wallet" : "purse");
  const { amount } = reading;
  const { value: plan } = useLoaded(amount === undefined ? undefined : () => planOf(you, kind, token.address, amount), [
    kind,
    token.address,
    amount,
  ]);
  const coin = holdings.find((each) => each.token.address === COIN)!;
  const fillAll = async () => {
    if (!isDeposit || token.address !== COIN) return setWritten(formatUnits(source, token.decimals));
    // Coin that pays for the transaction itself must remain.
    const { cost } = await planOf(you, kind, COIN, 1n);
    const rest = source - 3n * cost.fee;
    setWritten(formatUnits(rest > 0n ? rest : 0n, token.decimals));
  };
  const id = `${kind}-title`;
  return (
    <section class="card stack" aria-labelledby={id}>
      <h2 id={id}>{isDeposit ? "Pay in" : "Pay out"}</h2>
      <Select
        label="Token"
        value={token.address}
        options={holdings.map((each) => [each.token.address, each.token.symbol])}
        onChange={setAddress}
      />
      <div class="amount">
        <label class="grow">
          <span>Amount</span>
          <input
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            value={written}
            aria-describedby={`${kind}-told`}
            aria-invalid={reading.problem !== undefined}
            onInput={({ currentTarget }) => setWritten(currentTarget.value)}
          />
        </label>
        <button
          type="button"
          aria-label={`Max: all that is in the ${isDeposit ? "wallet" : "purse"}`}
          onClick={() => void fillAll()}
        >
          Max
        </button>
      </div>
      <p id={`${kind}-told`} class={reading.problem === undefined ? "muted small" : "bad small"} aria-live="polite">
        {reading.problem ??
          (amount === undefined || !plan
            ? `There are ${shown(source, token)} in your ${isDeposit ? "wallet" : "purse"}.`
            : `${plan.way} Fee: ${feeText(plan.cost, coin.token)}.`)}
      </p>
      <ActionButton
        class="primary"
        isDisabled={amount === undefined}
        run={async () => {
          await (isDeposit ? you.deposit(token.address, amount!) : you.withdraw(token.address, amount!));
          setWritten("");
          onDone();
        }}
      >
        {amount === undefined
          ? isDeposit
            ? "Pay in"
            : "Pay out"
          : `${isDeposit ? "Pay in" : "Pay out"} ${shown(amount, token)}`}
      </ActionButton>
    </section>
  );
}

/** Describes how an amount is paid in or out, and the cost. */
async function planOf(you: Player, kind: "deposit" | "withdraw", token: string, amount: bigint) {
  if (kind === "deposit") {
    const { way, cost } = await you.depositPlan(token, amount);
    return { way: WAYS[way], cost };
  }
  const { calls } = await you.client();
  return { way: "One transaction.", cost: await you.cost([await calls.withdraw(token, amount)]) };
}

/** Parses an amount as typed by a person. */
function read(written: string, token: Token, source: bigint, place: string): { amount?: bigint; problem?: string } {
  const text = written.trim();
  if (text === "") return {};
  try {
    const amount = readAmount(text.startsWith(".") ? `0${text}` : text, token.decimals, "amount");
    if (amount === 0n) return { problem: "Nothing would move." };
    if (amount > source) return { problem: `There are only ${shown(source, token)} in your ${place}.` };
    return { amount };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { problem: `Write a number like 12.5, with at most ${token.decimals} decimals.` };
  }
}

/** Formats an amount, without the whole address after an unknown token's name, which is for the list only. */
function shown(amount: bigint, { symbol, decimals }: Token): string {
  return amountText(amount, { symbol: symbol.split(" ")[0], decimals, address: "" });
}

/** Formats an amount in few digits, with all digits on hover. */
function Amount({ amount, token }: { amount: bigint; token: Token }) {
  const whole = shown(amount, token);
  const [units, decimals = ""] = formatUnits(amount, token.decimals).split(".");
  if (decimals.length <= DECIMALS) return <>{whole}</>;
  const symbol = whole.slice(whole.indexOf(" ") + 1);
  return <span title={whole}>{`${units}.${decimals.slice(0, DECIMALS)}… ${symbol}`}</span>;
}
