import {
  amountText,
  explain,
  modeNamed,
  nextStep,
  percentText,
  risksOf,
  Seat,
  Status,
  turnOf,
  type NextStep,
  type SecretStore,
} from "duello";
import { useEffect, useMemo, useState } from "preact/hooks";
import { personText } from "../people/people.ts";
import { Person } from "../people/person.tsx";
import { absolute, linkTo } from "../router.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { gameNow } from "../store/clock.ts";
import { pictureFrom } from "../store/pictures.ts";
import { gameOf, stakeText } from "../store/present.ts";
import { namesOf, type OpenMatch } from "../store/open-match.ts";
import { AccountButton } from "./account-button.tsx";
import { ActionButton } from "./action-button.tsx";
import { FeeNote } from "./fee-note.tsx";
import { MovePicker, needsChoice } from "./move-picker.tsx";
import { ShareLink } from "./share.tsx";
import { termsParams } from "./terms-fields.tsx";
import { clockText, oneLine, spanText, timeAt } from "./text.ts";
import { RETRY_PAUSE, useLoaded } from "./use.ts";
import { Warnings, type Warned } from "./warnings.tsx";

/** Actions that the viewer of a match can take now. */
export function MatchActions({ match }: { match: OpenMatch }) {
  const { view, module, summary } = match;
  const you = player.value;
  const now = gameNow.value;
  if (summary.settlement) return <Over match={match} />;
  const step = nextStep(view, module, BigInt(now))!;
  if (step.action === "timeout") return <Late match={match} step={step} />;
  if (view.status === Status.AllJoined) {
    if (you && step.player === you.address) return <OwnTurn match={match} you={you} />;
    return <OthersTurn match={match} step={step} now={now} />;
  }
  if (you && you.address === view.player1) return <OwnOffer match={match} you={you} />;
  return <Offer match={match} you={you} />;
}

function Over({ match }: { match: OpenMatch }) {
  return (
    <div class="stack tight">
      <p>This offer was called off, declined, or has lapsed.</p>
      <div class="row">
        <Again match={match} />
        <a class="button quiet" href={linkTo("lobby")}>
          To the lobby
        </a>
      </div>
    </div>
  );
}

/** Link to a challenge with the same terms: to the other player or, for a spectator, to anyone. */
export function Again({ match: { summary, module, chain } }: { match: OpenMatch }) {
  const you = player.value?.address;
  const { terms, player1, player2 } = summary;
  const other = you === player1 ? player2 : you === player2 ? player1 : undefined;
  const game = gameOf(chain, terms)!;
  const stake = terms.stake1 === terms.stake2 ? terms.stake1 : undefined;
  const what =
    stake === undefined ? "same stakes" : stake === 0n ? "free" : `${stakeText(chain, terms.token, stake)} each`;
  return (
    <a
      class="button primary"
      href={linkTo("play", [module.name, modeNamed(game, terms.mode) ?? ""], {
        ...(other !== undefined && { to: other }),
        ...termsParams(terms, chain.deployment.addresses),
      })}
    >
      {other === undefined ? "Play this yourself" : `Rematch, ${what}`}
    </a>
  );
}

/** A match whose deadline has passed, so that somebody must end it. */
function Late({ match, step }: { match: OpenMatch; step: NextStep }) {
  const { view } = match;
  const you = player.value;
  const isYou = step.player !== undefined && step.player === you?.address;
  const winner = isYou ? "you" : step.player === undefined ? "whoever is owed it" : personText(step.player);
  const [take, get] = isYou ? ["take", "get"] : ["takes", "gets"];
  const gain = view.status === Status.AllJoined ? `${take} the pot` : `${get} the stake back`;
  return (
    <div class="stack tight">
      <p>
        The deadline passed on {timeAt(Number(view.deadline))}. Anyone can end the match now: {winner} {gain}.
      </p>
      {you ? (
        <ActionButton class="primary" run={() => you.timeout(view.matchId)}>
          End the match
        </ActionButton>
      ) : (
        <p class="muted small">Connect a wallet to end it.</p>
      )}
    </div>
  );
}

function OwnTurn({ match, you }: { match: OpenMatch; you: Player }) {
  const { chain, record, view, module, gameView, frames, seat, secretStore } = match;
  const archive = chain.archive.value!;
  const [unlocked, setUnlocked] = useState<SecretStore>();
  const turn = useMemo(() => turnOf(record, seat, you.address, archive), [record]);
  const isSessionOpen = you.session.value?.isOpen;
  const { value: exposures = [] } = useLoaded(() => you.exposures(turn), [turn]);
  // A game without commitments needs no secret.
  const onDemand = useMemo(
    () => (module.moves.pendingCommitments ? undefined : you.secretStoreOnDemand(view.terms.game)),
    [you],
  );
  const store = secretStore ?? unlocked ?? onDemand;
  useEffect(() => {
    if (!store || !isSessionOpen) return;
    // With a session key, a turn that only reveals needs no action of the user.
    void needsChoice({ module, turn, secretStore: store }).then((needed) => {
      if (!needed) void you.act(turn, []).catch(() => undefined);
    });
  }, [turn, store, isSessionOpen]);
  if (!store) {
    return (
      <section class="picker stack">
        <p>It is your turn. Your wallet's signature gives the key to your committed moves; it sends nothing.</p>
        <ActionButton class="primary" run={async () => setUnlocked(await you.secretStoreOf(view.terms.game))}>
          Unlock my moves
        </ActionButton>
        <Resign match={match} you={you} />
      </section>
    );
  }
  return (
    <>
      {exposures.length > 0 && <p class="notice">{exposures.join(" ")}</p>}
      <MovePicker
        {...{ module, turn, frames }}
        secretStore={store}
        view={gameView}
        mode={modeContentOf(match)}
        names={namesOf(match.summary, Number(seat) as 1 | 2)}
        pictureOf={pictureFrom(chain, module)}
        plainAction="Reveal your move"
        note={
          isSessionOpen ? undefined : "Your wallet is asked to send it. With a session key (settings) it would not be."
        }
        play={async (move) => {
          await you.act(turn, move);
        }}
      />
      <Resign match={match} you={you} />
    </>
  );
}

function modeContentOf({ mode }: OpenMatch): string {
  return mode?.content ?? "0x";
}

function OthersTurn({ match, step, now }: { match: OpenMatch; step: NextStep; now: number }) {
  const { view, seat } = match;
  const you = player.value;
  const left = Number(view.deadline) - now;
  return (
    <div class="stack tight">
      <p>
        Waiting for {step.player === undefined ? "a player" : personText(step.player)} to{" "}
        {step.action === "reveal" ? "reveal" : "move"}: {clockText(left)} left.
      </p>
      {you && seat !== Seat.None && <Resign match={match} you={you} />}
    </div>
  );
}

/** Lets a player resign by a transaction. */
function Resign({ match: { view }, you }: { match: OpenMatch; you: Player }) {
  return <Concede label="Resign" run={() => you.resign(view.matchId)} />;
}

/** Lets a player lose on purpose, after a second confirmation. @param label Action, as on its button. */
function Concede({ label, run }: { label: string; run: () => Promise<unknown> }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <button type="button" class="quiet" onClick={() => setAsking(true)}>
        {label} …
      </button>
    );
  }
  return (
    <div class="row">
      <span>The other player takes the pot.</span>
      <ActionButton class="danger" run={run}>
        {label}
      </ActionButton>
      <button type="button" class="quiet" onClick={() => setAsking(false)}>
        Play on
      </button>
    </div>
  );
}

/** The viewer's own offer: to share, fund or cancel. */
function OwnOffer({ match, you }: { match: OpenMatch; you: Player }) {
  const { view } = match;
  const { matchId, status, firm, deadline } = view;
  const link = absolute(linkTo("match", [`${matchId}@${match.summary.createdBlock}`]));
  if (status === Status.AllDeposited) {
    return (
      <p>
        {personText(view.player2!)} has paid for its seat and joins next, until {timeAt(Number(deadline))}.
      </p>
    );
  }
  return (
    <section class="card stack">
      <h2>Your challenge stands</h2>
      {status === Status.Created && (
        <div class="stack tight">
          <p class="notice">Your stake is missing: nobody can join before it is in.</p>
          <ActionButton
            class="primary"
            run={() => you.fund(view)}
          >{`Pay ${amountText(view.terms.stake1, view.token)}`}</ActionButton>
        </div>
      )}
      <p>
        {view.player2 === undefined ? "Anyone may take it." : `${personText(view.player2)} may take it.`} It stands
        until {timeAt(Number(deadline))}.
      </p>
      <ShareLink link={link} title={`Duello: match ${matchId}`} />
      {firm ? (
        <p class="muted small">It is a firm offer: it cannot be called off before it lapses.</p>
      ) : (
        <ActionButton run={() => you.cancel(matchId)}>Call it off</ActionButton>
      )}
    </section>
  );
}

/** Somebody else's offer: to join or to decline. */
function Offer({ match, you }: { match: OpenMatch; you: Player | undefined }) {
  const { chain, view, module, gameView, record } = match;
  const { matchId, terms, token, player1, player2, deadline } = view;
  const isFree = player2 === undefined || player2 === you?.address;
  const archive = chain.archive.value!;
  const { value, error } = useLoaded(
    you && isFree
      ? async () => {
          const turn = turnOf(record, Seat.Two, you.address, archive);
          const known = { games: [module], addresses: chain.deployment.addresses };
          const [risks, exposures] = await Promise.all([
            risksOf({ terms, seat: Seat.Two }, known, chain.provider, (amount) => amountText(amount, token)),
            you.exposures(turn),
          ]);
          const warnings: Warned[] = [...risks, ...exposures.map((text, i) => ({ risk: `exposure ${i}`, text }))];
          const secretStore = you.secretStoreOnDemand(terms.game);
          return { risks: risks.map(({ risk }) => risk), warnings, secretStore, turn };
        }
      : undefined,
    [you, isFree, match.summary.events],
    RETRY_PAUSE,
  );
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const isAccepted = value?.warnings.every(({ risk }) => accepted.includes(risk)) ?? false;
  return (
    <section class="card stack">
      <h2>
        {personText(player1)} dares{" "}
        {player2 === undefined ? "anyone" : player2 === you?.address ? "you" : personText(player2)}
      </h2>
      <p>
        <Person address={player1} isConfirmed />
      </p>
      <p>
        Your stake: <strong>{terms.stake2 === 0n ? "none" : amountText(terms.stake2, token)}</strong>
        {terms.stake1 + terms.stake2 > 0n &&
          ` for a pot of ${amountText(terms.stake1 + terms.stake2, token)}, house fee ${percentText(terms.feeBps)}`}
        . Clock: {spanText(Number(terms.clock))}, {terms.rated ? "rated" : "not rated"}. It stands until{" "}
        {timeAt(Number(deadline))}.
      </p>
      {!isFree && <p class="notice">This offer is to another player.</p>}
      {!you && isFree && (
        <div class="stack tight">
          <p>Connect a wallet to take it.</p>
          <AccountButton />
        </div>
      )}
      {error !== undefined && (
        <p class="notice bad" role="alert">
          {oneLine(explain(error, { games: [module] }), 400)}
        </p>
      )}
      {you && value && (
        <>
          <Warnings warnings={value.warnings} accepted={accepted} onAccept={setAccepted} />
          {view.status === Status.P1Deposited && (
            <FeeNote
              you={you}
              keys={[matchId]}
              calls={async () => {
                const acceptedRisks = value.risks;
                return [await (await you.client()).calls.fund(view, { acceptedRisks })];
              }}
            />
          )}
          {isAccepted && (
            <MovePicker
              {...{ module, turn: value.turn, secretStore: value.secretStore }}
              view={gameView}
              frames={[]}
              mode={modeContentOf(match)}
              names={namesOf(match.summary, 2)}
              pictureOf={pictureFrom(chain, module)}
              plainAction="Join"
              note={
                player2 === undefined
                  ? "An open offer is joined in two steps: first your stake binds the other player, then your move is shown."
                  : undefined
              }
              play={async (move) => {
                await you.join(view, move, { acceptedRisks: value.risks });
              }}
            />
          )}
          {player2 === you.address && (
            <ActionButton class="quiet" run={() => you.decline(matchId)}>
              Decline
            </ActionButton>
          )}
        </>
      )}
    </section>
  );
}
