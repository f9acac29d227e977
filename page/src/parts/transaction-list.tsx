import { unsteadyQuestion } from "../player/keys.ts";
import { player } from "../player/current.ts";
import { dismiss, dropped, transactions, type Transaction, type TransactionState } from "../player/transactions.ts";
import { linkTo } from "../router.ts";
import { KeyDialog } from "./key-dialog.tsx";
import { shortAddress } from "./text.ts";
import "../styles/transactions.css";

const STATES: Readonly<Record<TransactionState, string>> = {
  waiting: "Waiting",
  asking: "Confirm it in your wallet",
  uncertain: "Your wallet was asked for this before the page was loaded. Answer it there, or forget it",
  sending: "Sending",
  sent: "Sent: waiting until it is in a block",
  mined: "Done",
  replaced: "Another transaction was sent in its place",
  failed: "Failed",
};

/** Names of the steps of actions with several transactions, by the called function. */
const STEPS: Readonly<Record<string, string>> = {
  approve: "let the arena take the tokens",
  deposit: "pay in",
  depositWithPermit: "pay in",
  transferAndCall: "pay in",
  registerMode: "register the mode",
  create: "make the offer",
  fund: "pay the stake",
  join: "answer",
  allow: "let this browser take your turns",
  coin: "give this browser coin for gas",
};

/** Shows pending transactions in a corner, and their outcomes; asks for a key if a wallet gives none. */
export function TransactionList() {
  const question = unsteadyQuestion.value;
  return (
    <>
      {question && <KeyDialog question={question} />}
      <section
        class="transactions"
        aria-label="Transactions"
        role="log"
        aria-live="polite"
        aria-relevant="additions text"
      >
        {dropped.value > 0 && (
          <div class="card transaction bad">
            <p class="grow small">
              The chain was restarted: {dropped.value === 1 ? "a transaction" : `${dropped.value} transactions`} of the
              old one will never be in a block.
            </p>
            <Dismiss onClick={() => (dropped.value = 0)} />
          </div>
        )}
        {transactions.value.map((each) => (
          <Line key={each.id} transaction={each} />
        ))}
      </section>
    </>
  );
}

function Line({ transaction }: { transaction: Transaction }) {
  const { id, title, matchId, method = "coin", state, hash, text } = transaction;
  const step = state === "asking" && STEPS[method];
  const isOver = state === "mined" || state === "failed" || state === "replaced";
  const kind = state === "mined" ? "good" : state === "failed" || state === "replaced" ? "bad" : "";
  return (
    <div class={`card transaction ${kind}`}>
      {!isOver && state !== "uncertain" && <span class="spinner" aria-hidden="true" />}
      <div class="grow">
        <p>{matchId === undefined ? title : <a href={linkTo("match", [String(matchId)])}>{title}</a>}</p>
        <p class="muted small">
          {text ?? `${STATES[state]}${step ? `: ${step}` : ""}.`}
          {hash !== undefined && (
            <>
              {" "}
              <span class="mono" title={hash}>
                {shortAddress(hash)}
              </span>
            </>
          )}
        </p>
      </div>
      {isOver && <Dismiss onClick={() => dismiss(id)} />}
      {state === "uncertain" && (
        <button type="button" onClick={() => void player.value?.forget(id)}>
          Forget
        </button>
      )}
    </div>
  );
}

function Dismiss({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" class="quiet" aria-label="Dismiss" onClick={onClick}>
      ✕
    </button>
  );
}
