import {
  NEVER,
  Seat,
  untilFinal,
  type AgreedResult,
  type AwayStatus,
  type Hex,
  type OpenTurn,
  type SecretStore,
} from "duello";
import { useEffect, useRef } from "preact/hooks";
import { ActionButton } from "../parts/action-button.tsx";
import { Concede, Resign } from "../parts/match-actions.tsx";
import { MovePicker, needsChoice } from "../parts/move-picker.tsx";
import { timeAt } from "../parts/text.ts";
import type { Player } from "../player/player.ts";
import { type OpenMatch, namesOf } from "../store/open-match.ts";
import { pictureFrom } from "../store/pictures.ts";
import { nameOf, PlayOnChain } from "./panel.tsx";
import type { AwayTable, TableState } from "./table.ts";

/** Things that a player needs at the table. */
interface AtTable {
  readonly match: OpenMatch;
  readonly you: Player;
  readonly table: AwayTable;
  readonly state: TableState;
  readonly secretStore: SecretStore;
}

/** Actions of a player in a match that began away from the chain. */
export function TableActions(at: AtTable) {
  const { match, you, table, state } = at;
  const { status } = state;
  useRoutine(at);
  return (
    <>
      <DueAction {...at} />
      <Result {...at} />
      <div class="row">
        {status.phase === "away" && status.turn !== Seat.None && !status.ownAgreed && (
          <>
            {!status.ownAsk && status.asked?.winner !== Seat.None && (
              <ActionButton class="quiet" run={() => table.ask(Seat.None)}>
                Propose a draw
              </ActionButton>
            )}
            {status.ownAsk && <p class="small muted">You have proposed {resultText(match, status.ownAsk.winner)}.</p>}
          </>
        )}
        {status.phase === "away" && (!status.ownAgreed || isOpenDraw(status)) && (
          <PlayOnChain {...{ match, table, you }} />
        )}
        <Resign match={match} you={you} />
      </div>
    </>
  );
}

/** Action that is due now, or the reason to wait. */
function DueAction(at: AtTable) {
  const { match, you, table, state } = at;
  const { status } = state;
  const { due } = status;
  const { matchId } = match.view;
  const other = nameOf(match, 3n - match.seat);
  const answer = `Answer in match ${matchId} on the chain`;
  const picker = state.turn && (
    <Picker
      {...at}
      turn={state.turn}
      note="Signed by this browser, and sent by the relay: your wallet is not asked."
      seen={status.historyHash}
      play={(move) => table.act(move, status.historyHash)}
    />
  );
  switch (due.type) {
    case "act":
      return picker ?? null;
    case "actOnChain":
      return (
        <OnChain
          {...at}
          turn={due.turn}
          seen={status.historyHash}
          title={`Take your turn in match ${matchId}`}
          compose={(move) => table.actOnChain(move, status.historyHash)}
        />
      );
    case "accept":
      return (
        <>
          <p class="notice" role="status">
            {other} plays on on the chain, from{" "}
            {status.troubles.length > 0 ? "a position that may not be the newest" : "the newest position"}. Answer until{" "}
            {timeAt(Number(status.deadline))}, or you lose by the clock.
          </p>
          <OnChain
            {...at}
            turn={due.turn}
            seen={status.posted}
            title={answer}
            compose={(move) => table.accept(move, status.posted)}
          />
        </>
      );
    case "supersede":
      return (
        <>
          <p class="notice" role="status">
            {other} has posted an older position on the chain. Post the newest until {timeAt(Number(status.deadline))},
            or you lose by the clock.
          </p>
          <ActionButton class="primary" run={() => table.post((compose) => you.sendAction(matchId, answer, compose))}>
            Post the newest position
          </ActionButton>
        </>
      );
    case "post":
      return <p role="status">Post the position on the chain: the match goes on there.</p>;
    case "settle":
      return (
        <>
          <div class="stack tight">
            <p role="status">
              {settleText(at, due.agreed)}
              {picker && " You may move instead."}
            </p>
            <ActionButton class="primary" run={() => settle(at, due.agreed)}>
              Settle the match
            </ActionButton>
          </div>
          {picker}
        </>
      );
    case "wait":
      return <p role="status">{waitText(at, due)}</p>;
    default:
      return null;
  }
}

/** An action on the chain, with a move if the turn asks for one. */
function OnChain({
  turn,
  seen,
  title,
  compose,
  ...at
}: AtTable & { turn?: OpenTurn; seen?: Hex; title: string; compose: (move: unknown) => Promise<Hex> }) {
  const { you, match } = at;
  const { matchId } = match.view;
  const send = (move: unknown) =>
    you.sendAction(
      matchId,
      title,
      async () => {
        // Nobody shows a secret to what may still be undone.
        await untilFinal((await you.client()).arena, matchId);
        return compose(move);
      },
      { seen },
    );
  if (turn)
    return (
      <Picker
        {...at}
        turn={turn}
        seen={seen}
        play={async (move) => {
          await send(move);
        }}
      />
    );
  return (
    <ActionButton class="primary" run={() => send(undefined)}>
      Answer on the chain
    </ActionButton>
  );
}

/** Results that a player is asked to agree to, and that it has agreed to. */
function Result({ match, you, table, state: { status } }: AtTable) {
  const { due, asked, ownAgreed } = status;
  const other = nameOf(match, 3n - match.seat);
  const result = (winner: bigint) => resultText(match, winner);
  const agreedText = ({ winner, until }: AgreedResult) =>
    `${winner === Seat.None ? "to " : ""}${result(winner)} until ${until === NEVER ? "the match ends" : timeAt(Number(until))}`;
  const agreeing = (winner: bigint, label: string, run: () => Promise<unknown>) =>
    winner === 3n - match.seat ? (
      // What was asked once is asked again in another position.
      <Concede key={`${label} ${status.historyHash}`} label={label} run={run} />
    ) : (
      <ActionButton run={run}>{label}</ActionButton>
    );
  if (ownAgreed && status.turn !== Seat.None) {
    return (
      <p class="notice" role="status">
        You have agreed {agreedText(ownAgreed)}: you make no move until then, or until the match is settled.
      </p>
    );
  }
  if (due.type === "agree") {
    const { proposal } = due;
    return (
      <div class="notice stack tight" role="status">
        <p>
          {status.turn === Seat.None
            ? `The game is over. Sign ${result(proposal.winner)}.`
            : `${other} proposes ${result(proposal.winner)}.`}
        </p>
        <ActionButton class="primary" run={() => table.agree(proposal)}>
          {proposal.winner === Seat.None ? "Agree to a draw" : "Sign the result"}
        </ActionButton>
      </div>
    );
  }
  const { agreed } = status;
  if (agreed && due.type !== "settle") {
    return (
      <div class="notice stack tight" role="status">
        <p>
          {other} agrees {agreedText(agreed)}.
        </p>
        {agreeing(agreed.winner, "Agree, and settle the match", () => settle({ you, table }, agreed))}
      </div>
    );
  }
  if (!asked || status.turn === Seat.None) return null;
  const { winner, nonce } = asked;
  return (
    <div class="notice stack tight" role="status">
      <p>
        {other} proposes {result(winner)}.
      </p>
      {agreeing(winner, winner === Seat.None ? "Agree to a draw" : "Agree", () =>
        table.agree({ winner, nonce, historyHash: status.historyHash }),
      )}
    </div>
  );
}

/** Picker of a move. @param seen History hash of the position that it is of: in another one the choice begins again. */
function Picker({
  match,
  secretStore,
  turn,
  seen,
  note,
  play,
}: AtTable & { turn: OpenTurn; seen?: Hex; note?: string; play: (move: unknown) => Promise<void> }) {
  const { chain, module, gameView, mode, summary, seat, frames } = match;
  return (
    <MovePicker
      key={seen}
      {...{ module, turn, secretStore, frames, note, play }}
      view={gameView}
      mode={mode?.content ?? "0x"}
      names={namesOf(summary, Number(seat) as 1 | 2)}
      pictureOf={pictureFrom(chain, module)}
      plainAction="Reveal your move"
    />
  );
}

/** Does without the person what takes no choice and no wallet, once each. */
function useRoutine({ match, you, table, state: { status }, secretStore }: AtTable): void {
  const tried = useRef("");
  const isSessionOpen = you.session.value?.isOpen;
  useEffect(() => {
    const { due, nonce, historyHash, turn, winner } = status;
    const key = `${due.type} ${nonce} ${historyHash}`;
    if (tried.current === key) return;
    const once = (run: () => Promise<unknown>) => {
      tried.current = key;
      // What fails is left to the person, to whom the buttons tell why.
      void run().catch(() => undefined);
    };
    if (due.type === "act") {
      void needsChoice({ module: match.module, turn: due.turn, secretStore }).then((needed) => {
        if (!needed) once(() => table.act(undefined, historyHash));
      });
    }
    // The rules have decided: the person has no choice but to sign.
    if (due.type === "agree" && turn === Seat.None && due.proposal.winner === winner)
      once(() => table.agree(due.proposal));
    if (due.type === "settle" && isSessionOpen && due.agreed.winner === match.seat)
      once(() => settle({ you, table }, due.agreed));
    if (due.type === "supersede" && isSessionOpen) {
      const { matchId } = match.view;
      const title = `Answer in match ${matchId} on the chain`;
      once(() => table.post((compose) => you.sendAction(matchId, title, compose)));
    }
  }, [status, isSessionOpen]);
}

async function settle({ you, table }: Pick<AtTable, "you" | "table">, agreed: AgreedResult): Promise<void> {
  const { agreement, signatures } = await table.settlement(agreed);
  await you.settle(agreement, signatures);
}

/** Returns whether a player has agreed to a draw for good that the other one has not signed, who could keep it waiting for ever. */
function isOpenDraw({ due, ownAgreed }: AwayStatus): boolean {
  return ownAgreed?.winner === Seat.None && ownAgreed.until === NEVER && due.type !== "settle";
}

/** Names a result as a player of the match sees it. */
function resultText({ seat }: OpenMatch, winner: bigint): string {
  if (winner === Seat.None) return "a draw";
  return winner === seat ? "that you have won" : "that you have lost";
}

function settleText({ match, state: { status } }: AtTable, { winner }: AgreedResult): string {
  if (status.ownAgreed) return "Both players have signed the result.";
  const proposed = status.ownAsk?.winner === winner ? "what you proposed: " : "";
  return `The other player has signed ${proposed}${resultText(match, winner)}.`;
}

function waitText({ match, state: { status } }: AtTable, due: Extract<AwayStatus["due"], { type: "wait" }>): string {
  const other = nameOf(match, 3n - match.seat);
  switch (due.for) {
    case "finality":
      return "The match begins once nothing before it can be undone on the chain.";
    case "opponent":
      return `Waiting for ${other}.`;
    case "agreement":
      return `The game is over. Waiting for ${other} to sign the result.`;
    case "settlement":
      if (isOpenDraw(status)) {
        return `You have signed a draw for good. Waiting for ${other} to sign it too: if it does not, play on on the chain.`;
      }
      return "You have signed the result. It is settled by one transaction, which anybody may send.";
    case "relay":
      if (due.until === undefined) {
        return "No relay has told yet what was sent before: nothing is signed until one has. You can also play on on the chain, from what this browser has kept: if that was lost, from the beginning.";
      }
      return `${other} plays on on the chain, from a position that may not be the newest, as no relay was read. This browser waits for the relay until ${timeAt(Number(due.until))}: then answer until ${timeAt(Number(status.deadline))}, or you lose by the clock.`;
    case "transcript":
      return "The position that was accepted on the chain is not known to this browser: the relay may still bring it.";
  }
}
