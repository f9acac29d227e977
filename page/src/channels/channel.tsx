import {
  explain,
  InputError,
  modeInTerms,
  modeNamed,
  offererOf,
  ownFirst,
  reasonOf,
  Seat,
  termsHash,
  wishIn,
  type MatchRecord,
  type Terms,
} from "duello";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { viewOfGame } from "../games/game.ts";
import { AccountButton } from "../parts/account-button.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { FeeNote } from "../parts/fee-note.tsx";
import { MovePicker } from "../parts/move-picker.tsx";
import { PlayerName } from "../parts/player-name.tsx";
import { Problem } from "../parts/problem.tsx";
import { Stage } from "../parts/stage.tsx";
import { gameTitle, oneLine, spanText, timeAt } from "../parts/text.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { personText } from "../people/people.ts";
import { Person } from "../people/person.tsx";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { linkTo, route } from "../router.ts";
import { framesOf, toldFrames } from "../store/frames.ts";
import { namesOf } from "../store/open-match.ts";
import { pictureFrom } from "../store/pictures.ts";
import { gameOf, stakeText } from "../store/present.ts";
import { Awaited } from "./awaited.tsx";
import { isOfferable, OfferForm, SIGNED } from "./offer.tsx";
import type { ChannelSeat, SeatState } from "./seat.ts";
import { numberOf, standOf } from "./stand.ts";
import { useChannels } from "./use-channels.ts";
import { useSeeks } from "./use-seeks.ts";

/** Maximum number of characters of a problem that are shown. */
const MAX_LENGTH = 300;

interface Sitting {
  readonly you: Player;
  readonly seat: ChannelSeat;
}

/** A channel: the balances, the match in play, and what the person can do. */
export default function ChannelView() {
  const [id = ""] = route.value.args;
  const you = player.value;
  useTitle("Channel");
  if (you) return <OwnChannel key={`${you.address} ${id}`} you={you} id={id} />;
  return (
    <section class="card stack problem">
      <h1>Channel</h1>
      <p>Connect the wallet of one of its players.</p>
      <div>
        <AccountButton />
      </div>
    </section>
  );
}

function OwnChannel({ you, id }: { you: Player; id: string }) {
  const { channels, error } = useChannels(you);
  if (error !== undefined) return <Problem title="Channels cannot be read">{oneLine(reasonOf(error), 400)}</Problem>;
  if (!channels) return <p class="muted loading">Reading the channel …</p>;
  const seat = channels.seats.value.find((each) => each.id === id);
  if (seat) return <Shown you={you} seat={seat} />;
  return (
    <Problem title="This browser does not have this channel">
      A channel is played in the browser in which its player has signed for it.
    </Problem>
  );
}

function Shown({ you, seat }: Sitting) {
  const state = seat.state.value;
  const { current, previous } = state?.status ?? {};
  /** Number of the match that the person has seen in play, until the person goes on to the next. */
  const [watched, setWatched] = useState<number>();
  const isKept = current !== undefined && previous !== undefined && previous.nonce === watched;
  const match = isKept ? previous : (current ?? previous);
  useEffect(() => {
    if (match === current) setWatched(current?.nonce);
  }, [match?.nonce]);
  // A move that the rules refuse is not drawn.
  const taken = match?.state.refusal === undefined ? match?.actions : match.actions.slice(0, -1);
  const record = (isKept ? undefined : state?.turn?.record) ?? match?.record(taken);
  const key = record && `${record.matchId} ${record.joinData} ${record.actions.length}`;
  const { value: board, error } = useLoaded(record && (async () => boardOf(you, record)), [key, you.keyState.value]);
  const { waitsFor } = standOf(seat);
  const isOffering = waitsFor === "offer";
  /** Initial terms of the form; undefined while the form is closed. */
  const [form, setForm] = useState<{ readonly first?: Terms }>();
  const number = state?.status.held?.nonce;
  useEffect(() => seat.look(), [seat]);
  useEffect(() => setForm(undefined), [waitsFor, number, seat.asksFor]);
  const openForm = (first: Terms | undefined) => {
    setWatched(undefined);
    setForm({ first });
  };
  const goOn = (
    <button type="button" class="primary" onClick={() => setWatched(undefined)}>
      Next match
    </button>
  );
  const before = match?.offer.terms ?? seat.kept.terms;
  /** Content beside the board. @param isTold False while nothing may reveal a match's result. */
  const beside = (isTold = true) => (
    <>
      <Todo you={you} seat={seat}>
        {isKept && isTold && <div>{goOn}</div>}
        {isOffering && match && !form && (
          <button type="button" class="primary" onClick={() => openForm(before)}>
            Offer the next match …
          </button>
        )}
        {waitsFor === "opponent" && !form && (
          <button type="button" onClick={() => openForm(before)}>
            Ask for a match …
          </button>
        )}
        {number !== undefined && !current?.moves.length && (
          <Wishes {...{ you, seat, number }} fill={isOffering ? openForm : undefined} />
        )}
      </Todo>
      {isTold && <Facts you={you} seat={seat} />}
    </>
  );
  const title = (
    <h1>
      Channel with <Person address={seat.opponent} />
    </h1>
  );
  if (state && (form || (isOffering && !match))) {
    return (
      <div class="stack">
        {title}
        <OfferForm
          key={form?.first && termsHash(form.first)}
          {...{ you, seat, state }}
          first={form ? form.first : before}
          isAsking={!isOffering}
        >
          {beside()}
        </OfferForm>
      </div>
    );
  }
  if (!state || !record || !board) {
    return (
      <div class="stack narrow">
        {title}
        {error !== undefined && <p class="notice bad">{oneLine(reasonOf(error), MAX_LENGTH)}</p>}
        {record && !board && error === undefined && <p class="muted">Loading the board …</p>}
        {beside()}
      </div>
    );
  }
  const { module, view, viewer } = board;
  const { terms, player1, player2 } = record;
  const turn = state.turn?.record.matchId === board.matchId ? state.turn : undefined;
  const drawn = {
    ...board,
    players: [player1, player2],
    names: namesOf({ player1, player2 }, viewer),
    pictureOf: pictureFrom(you.chain, module),
  };
  return (
    <div class="stack">
      {title}
      <p class="muted">
        {match && `Match ${numberOf(match.nonce)}: `}
        {matchText(you, terms)}
      </p>
      <Stage
        key={`${seat.id} ${board.matchId}`}
        {...drawn}
        seenKey={`${seat.id} ${board.matchId}`}
        view={view}
        again={isKept && goOn}
        picker={
          turn && (
            <MovePicker
              key={String(board.matchId)}
              {...drawn}
              turn={turn}
              secretStore={you.secretStoreOnDemand(terms.game)}
              plainAction={state.question ? "Take the match" : "Reveal your move"}
              note={
                state.status.due?.type === "act"
                  ? "The match goes on on the chain: your wallet sends the move."
                  : SIGNED
              }
              play={(move) => (state.question ? seat.answer(state, true, move) : seat.play(turn, move))}
            />
          )
        }
      >
        {beside}
      </Stage>
    </div>
  );
}

/** Shows which next match each player asks for or declines. @param props.fill Fills the form of an offer. */
function Wishes({ you, seat, number, fill }: Sitting & { number: number; fill: ((terms: Terms) => void) | undefined }) {
  const wish = wishIn(useSeeks(you.chain, you.address), { ...seat.kept, held: { nonce: number } });
  const { asksFor } = seat;
  // The person's open offer.
  const offer = offererOf(number) === seat.kept.player ? seat.state.value!.status.current?.offer : undefined;
  const other = personText(seat.opponent);
  const isOffered = wish?.terms && isOfferable(you.chain, wish.terms);
  return (
    <div class="stack tight" role="status">
      {asksFor && <p>You ask for {matchText(you, asksFor)}.</p>}
      {wish && !wish.terms && (offer ?? asksFor) && (
        <p class="notice">
          {other} declines.{offer && ` Your offer stands until ${timeAt(offer.until)}.`}
        </p>
      )}
      {wish?.terms && fill && (
        <p class="notice">
          {other} asks for {isOffered ? matchText(you, wish.terms) : "a match that this page cannot offer"}.
        </p>
      )}
      {isOffered && fill && (
        <button type="button" onClick={() => fill(wish.terms!)}>
          Fill in the offer
        </button>
      )}
    </div>
  );
}

/** Describes a match: its game and its stakes. */
function matchText(you: Player, terms: Terms): string {
  const game = gameOf(you.chain, terms);
  const title = gameTitle(game, game && modeNamed(game, terms.mode));
  return `${title}, ${stakesText(you, terms)}${terms.rated ? ", rated" : ""}`;
}

/** Loads the data to draw a match. */
async function boardOf(you: Player, record: MatchRecord) {
  const { matchId, terms, player1, joinData } = record;
  const { chain } = you;
  const history = chain.archive.value!;
  const module = await chain.module(gameOf(chain, terms)!.name);
  const view = await viewOfGame(module.name);
  const mode = await modeInTerms({ games: [module], history }, terms);
  const secretStore = await you.knownSecretStoreOf(terms.game);
  const seat = player1 === you.address ? Seat.One : Seat.Two;
  const own = secretStore && { seat, secretStore };
  const viewer = Number(seat) as 1 | 2;
  const drawn = joinData === undefined ? [] : await framesOf(module, view, record, history, own);
  const frames = toldFrames(drawn, view, viewer, namesOf(record, viewer));
  return { matchId, module, view, frames, mode: mode?.content ?? "0x", viewer };
}

/** Shows what the channel waits for, and what the person can do besides moving. */
function Todo({ you, seat, children }: Sitting & { children?: ComponentChildren }) {
  const state = seat.state.value;
  const { waitsFor, text } = standOf(seat);
  const { question, call, status } = state ?? {};
  const refusal = (status?.current ?? status?.previous)?.state.refusal;
  const other = personText(seat.opponent);
  const agree = (label: string) => (
    <ActionButton class="primary" run={() => seat.answer(state!, true)}>
      {label}
    </ActionButton>
  );
  return (
    <section class="card stack tight" aria-label="To do">
      <div role="status">
        <h2>{`${text[0].toUpperCase()}${text.slice(1)}.`}</h2>
        {state && <Awaited {...{ you, state, other }} />}
        {refusal !== undefined && <p class="small">The rules refuse the last action: {oneLine(refusal, MAX_LENGTH)}</p>}
      </div>
      {children}
      {question?.type === "open" && (
        <>
          <p>
            {sharesText(you, seat, question.opening, "lock")}, until {timeAt(question.opening.until)} at the latest.
            Your wallet signs that; {other} sends it.
          </p>
          <p>
            You sit down with <Person address={seat.opponent} isConfirmed />
          </p>
          {agree("Sign, and sit down")}
        </>
      )}
      {question?.type === "offer" && (
        <ActionButton class="quiet" run={() => seat.decline(state!)}>
          Decline
        </ActionButton>
      )}
      {question?.type === "close" && (
        <>
          <p>{sharesText(you, seat, question.balance, "get")}.</p>
          {agree("Get up too")}
        </>
      )}
      {call && (
        <>
          <p>Your wallet sends it, and pays the fee of the chain.</p>
          <FeeNote you={you} keys={[call.data]} calls={async () => [call]} />
          <ActionButton class="primary" run={() => seat.send()}>
            Send
          </ActionButton>
        </>
      )}
      {status?.chain.open && !status.isClosing && question?.type !== "close" && (
        <ActionButton run={() => seat.getUp()}>Get up</ActionButton>
      )}
      {waitsFor === "nothing" && (
        <>
          <p>
            What each player held is in its <a href={linkTo("purse")}>purse</a>.
          </p>
          <a class="button" href={linkTo("sit", [], { to: seat.opponent })}>
            Sit down again
          </a>
        </>
      )}
    </section>
  );
}

/** Writes a score, e.g. `2 : 1, 1 draw`. */
function scoreText({ won, lost, draw }: SeatState["score"]): string {
  const draws = draw === 0 ? "" : `, ${draw} ${draw === 1 ? "draw" : "draws"}`;
  return `${won} : ${lost}${draws}`;
}

/** Shows both balances, the end of the channel, and problems. */
function Facts({ you, seat }: Sitting) {
  const { status, score } = seat.state.value ?? {};
  const { channel } = seat.kept;
  const trouble = seat.trouble.value ?? (status?.troubles[0] && troubleText(status.troubles[0]));
  const { held, chain, current, previous } = status ?? {};
  const clock = (current ?? previous)?.offer.terms.clock;
  return (
    <section class="card stack tight" aria-label="Channel">
      <dl class="facts" aria-live="polite">
        {([1, 2] as const).map((each) => (
          <div key={each}>
            <dt>
              <PlayerName player={each} address={each === 1 ? channel.player1 : channel.player2} you={you.address} />
            </dt>
            <dd>{held ? amountText(you, channel.token, each === 1 ? held.amount1 : held.amount2) : "–"}</dd>
          </div>
        ))}
        {score && score.won + score.lost + score.draw > 0 && (
          <div>
            <dt class="muted">Score</dt>
            <dd>{scoreText(score)}</dd>
          </div>
        )}
        {chain?.open && (
          <div>
            <dt class="muted">Open until</dt>
            <dd>{timeAt(chain.open.until)}</dd>
          </div>
        )}
      </dl>
      {trouble !== undefined && (
        <p class="small notice bad" role="status">
          {oneLine(trouble, MAX_LENGTH)}
        </p>
      )}
      {chain?.open && (
        <p class="small muted">
          Open the page at least once {clock === undefined ? "per clock of a match" : `in ${spanText(Number(clock))}`}:
          {" the other player can bring an old match to the chain, and this browser answers with the newest messages."}
        </p>
      )}
    </section>
  );
}

function troubleText(error: Error): string {
  return error instanceof InputError ? `A message is refused: ${error.message}` : explain(error);
}

function sharesText(
  you: Player,
  { kept, opponent }: ChannelSeat,
  amounts: { readonly amount1: bigint; readonly amount2: bigint },
  verb: string,
): string {
  const { own, other } = ownFirst(kept.player, amounts);
  const text = (amount: bigint) => amountText(you, kept.channel.token, amount);
  return `You ${verb} ${text(own)}, ${personText(opponent)} ${verb}s ${text(other)}`;
}

function amountText({ chain }: Player, token: string, amount: bigint): string {
  return amount === 0n ? "nothing" : stakeText(chain, token, amount);
}

function stakesText(you: Player, { token, stake1, stake2 }: Terms): string {
  if (stake1 + stake2 === 0n) return "without a stake";
  const stakes = [stake1, stake2].map((stake) => amountText(you, token, stake));
  return stakes[0] === stakes[1] ? `${stakes[0]} each` : stakes.join(" : ");
}
