import { Seat } from "duello";
import { useState } from "preact/hooks";
import { ActionButton } from "../parts/action-button.tsx";
import { clockText, oneLine, shortAddress, timeAt } from "../parts/text.ts";
import type { Player } from "../player/player.ts";
import type { OpenMatch } from "../store/open-match.ts";
import type { AwayTable, TableState } from "./table.ts";

/** Describes how a match stands that is played away from the chain. */
export function AwayPanel({
  match,
  state,
  isOwn,
  trouble,
}: {
  match: OpenMatch;
  state?: TableState;
  /** True if this browser plays the match. */
  isOwn: boolean;
  trouble?: string;
}) {
  const { chain, view, summary } = match;
  const { relay } = chain.deployment;
  const status = state?.status;
  const troubles = [...(status?.troubles ?? []), ...(trouble === undefined ? [] : [trouble])];
  const rows: [string, string][] = [["Moves signed", status ? String(status.nonce) : "…"]];
  if (status && summary.settlement === undefined) {
    rows.push(["Turn", status.turn === Seat.None ? "the game is over" : nameOf(match, status.turn)]);
    rows.push(["Waiting for", awaitedIn(match, state)]);
    if (status.phase === "away") rows.push(["Away until", timeAt(Number(view.deadline))]);
  }
  rows.push([
    "Relay",
    relay === undefined ? "none" : troubles.length > 0 ? "trouble" : status ? "connected" : "connecting …",
  ]);
  return (
    <section class="card stack tight" aria-label="Away from the chain">
      <h2>{placeText(status?.phase)}</h2>
      <dl class="facts" aria-live="polite">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {relay === undefined && <p class="small notice">This page names no relay: play on on the chain.</p>}
      {status?.phase === "onChain" && !state?.matchRecord && (
        <p class="small notice">
          The position that was accepted on the chain is not known here: no relay has shown the moves that led to it.
        </p>
      )}
      {troubles.map((each) => (
        <p key={each} class="small notice bad" role="status">
          {oneLine(each, 300)}
        </p>
      ))}
      {status?.logWasLost && isOwn && (
        <p class="small notice">
          This browser had not kept all your moves: they were taken back from the relay. Play the match in one browser.
        </p>
      )}
    </section>
  );
}

function placeText(phase: string | undefined): string {
  if (phase === "posted") return "Posted on the chain";
  if (phase === "onChain") return "Goes on on the chain";
  return phase === "over" ? "Was played away from the chain" : "Away from the chain";
}

/** Names the player of a seat. */
export function nameOf({ view, seat }: OpenMatch, of: bigint): string {
  if (of === seat) return "you";
  const address = of === Seat.One ? view.player1 : view.player2;
  return address === undefined ? `player ${of}` : shortAddress(address);
}

/** Names the player for whom a match waits. */
function awaitedIn(match: OpenMatch, { status }: TableState): string {
  const { due, phase, turn } = status;
  if (phase === "joining") return "the chain";
  if (phase === "posted") return nameOf(match, match.view.turn);
  if (due.type === "wait" && due.for === "relay") return "the relay";
  if (turn !== Seat.None) return nameOf(match, turn);
  if (due.type === "wait") return match.seat === Seat.None ? "both players" : nameOf(match, 3n - match.seat);
  return match.seat === Seat.None ? "both players" : "you";
}

/** Lets a player leave the table: its newest position is posted on the chain, where the other has to answer. */
export function PlayOnChain({ match, table, you }: { match: OpenMatch; table: AwayTable; you: Player }) {
  const [isAsking, setAsking] = useState(false);
  const { view, seat } = match;
  if (!isAsking) {
    return (
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        Play on on the chain …
      </button>
    );
  }
  return (
    <div class="stack tight">
      <p class="small">
        This posts the newest position that you can prove. {nameOf(match, 3n - seat)} must answer within{" "}
        {clockText(Number(view.terms.clock))}, or loses; then each turn is a transaction. It costs some 70,000 gas.
      </p>
      <div class="row">
        <ActionButton
          class="primary"
          run={() =>
            table.post((compose) =>
              you.sendAction(view.matchId, `Post match ${view.matchId} on the chain`, compose, { isOwn: true }),
            )
          }
        >
          Post the position
        </ActionButton>
        <button type="button" class="quiet" onClick={() => setAsking(false)}>
          Stay away from it
        </button>
      </div>
    </div>
  );
}
