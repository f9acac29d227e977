import { reasonOf, Seat, type Frame, type MatchRecord } from "duello";
import { useEffect, useState } from "preact/hooks";
import { AccountButton } from "../parts/account-button.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { MatchActions } from "../parts/match-actions.tsx";
import { Problem } from "../parts/problem.tsx";
import { ShownMatch } from "../parts/shown-match.tsx";
import { oneLine } from "../parts/text.ts";
import { useLoaded } from "../parts/use.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { framesOf } from "../store/frames.ts";
import type { OpenMatch } from "../store/open-match.ts";
import { TableActions } from "./actions.tsx";
import { KeptLog } from "./log.ts";
import { AwayPanel } from "./panel.tsx";
import { appointKey, knownSigner, matchKeyAddress, nameOf, NoOrdinaryWallet } from "./signing.ts";
import { AwayTable, type TablePlayer } from "./table.ts";
import { Checked } from "./verdict.tsx";

/** A match that is played away from the chain: for its players, and for spectators with what the relay has of it. */
export default function AwayMatch({
  match,
  title,
  wantedStep,
}: {
  match: OpenMatch;
  title: string;
  wantedStep?: number;
}) {
  const you = match.seat === Seat.None || match.summary.settlement ? undefined : player.value;
  const [looks, setLooks] = useState(0);
  const lookAgain = () => setLooks((count) => count + 1);
  const { value, error } = useLoaded(
    async () => ({ you, at: you && (await playerAt(you, match)) }),
    [you, you?.keyState.value, match.record.keys.length, looks],
  );
  const own = value?.you === you ? value : undefined;
  // A table that is open stays open.
  if (error !== undefined && !own?.at) {
    return (
      <Problem title="This match cannot be opened" action={["Try again", lookAgain]}>
        {oneLine(reasonOf(error), 400)}
      </Problem>
    );
  }
  if (!own) return <p class="muted loading">Opening {title} …</p>;
  return (
    <OpenTable
      // A table is of one player, or of none.
      key={own.at?.name ?? ""}
      {...{ match, title, wantedStep, you }}
      at={own.at}
      onAppointed={lookAgain}
    />
  );
}

/** Finds what a player brings to the table; undefined if its wallet has to be asked. */
async function playerAt(you: Player, { record, view }: OpenMatch): Promise<TablePlayer | undefined> {
  const signer = await knownSigner(you, record);
  if (!signer) return undefined;
  const name = await nameOf(you, record.matchId);
  return { signer, name, log: new KeptLog(name), secretStore: await you.secretStoreOf(view.terms.game) };
}

function OpenTable({
  match,
  title,
  wantedStep,
  you,
  at,
  onAppointed,
}: {
  match: OpenMatch;
  title: string;
  wantedStep?: number;
  you?: Player;
  at?: TablePlayer;
  onAppointed: () => void;
}) {
  const { chain, summary, module, seat, secretStore } = match;
  const { matchId } = summary;
  const [table] = useState(() => new AwayTable({ chain, matchId, module, seat, player: at }));
  useEffect(() => table.start(), []);
  useEffect(() => table.look(), [summary.events]);
  const state = table.state.value;
  const { value: frames = match.frames } = useLoaded(
    state?.matchRecord && (() => framesBehind(match, state.matchRecord!)),
    [state?.matchRecord, secretStore],
  );
  const shown = { ...match, frames };
  const status = state?.status;
  const isOver = summary.settlement !== undefined;
  const isLate = !isOver && status?.due.type === "timeout";
  return (
    <ShownMatch
      match={shown}
      title={title}
      wantedStep={wantedStep}
      away={{
        frames,
        // A post is to be answered by the player whose clock runs, whoever is in turn in its position.
        turn: status?.phase === "posted" ? match.view.turn : status?.turn,
        isPicking: at !== undefined && state?.turn !== undefined && !isOver,
        panel: <AwayPanel match={match} state={state} isOwn={at !== undefined} trouble={table.trouble.value} />,
        verdict: <Checked match={match} transcript={state?.transcript} />,
        actions:
          isOver || isLate ? (
            <MatchActions match={shown} />
          ) : !you ? (
            <Watching />
          ) : !at ? (
            <Appointing match={match} you={you} onAppointed={onAppointed} />
          ) : table.isElsewhere.value ? (
            <p role="status">This match is open in another tab of this browser: play it there, or close that tab.</p>
          ) : state ? (
            <TableActions match={shown} you={you} table={table} state={state} secretStore={at.secretStore} />
          ) : (
            <p class="muted">Reading the relay …</p>
          ),
      }}
    />
  );
}

async function framesBehind(
  { chain, module, gameView, seat, secretStore }: OpenMatch,
  record: MatchRecord,
): Promise<readonly Frame[]> {
  const viewer = seat !== Seat.None && secretStore ? { seat, secretStore } : undefined;
  return framesOf(module, gameView, record, chain.archive.value!, viewer);
}

function Watching() {
  return (
    <div class="stack tight">
      <p role="status">You watch what the players have signed, as far as the relay tells it.</p>
      {!player.value && <AccountButton />}
    </div>
  );
}

/** Asks for the one signature of a match. */
function Appointing({ match, you, onAppointed }: { match: OpenMatch; you: Player; onAppointed: () => void }) {
  const { matchId } = match.view;
  const [needsPledge, setPledge] = useState(false);
  const sign = async () => {
    try {
      await appointKey(you, matchId);
      onAppointed();
    } catch (error) {
      if (error instanceof NoOrdinaryWallet) setPledge(true);
      throw error;
    }
  };
  return (
    <section class="stack tight">
      <p>
        This match is played away from the chain. Your wallet signs once that this browser may sign your moves in it,
        and in no other match; nothing is sent. Then you play without being asked, and one transaction settles the
        match.
      </p>
      <ActionButton class="primary" run={sign}>
        Sign once, and play
      </ActionButton>
      {needsPledge && (
        <>
          <p class="small">A wallet that is a contract names the key by a transaction, which costs some 52,000 gas.</p>
          <ActionButton run={async () => you.pledge(matchId, await matchKeyAddress(you, matchId))}>
            Pledge the key by a transaction
          </ActionButton>
        </>
      )}
    </section>
  );
}
