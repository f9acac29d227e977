import { firstTurn, modeNamed, ownFirst, termsHash, type Terms } from "duello";
import type { CatalogueGame } from "duello/catalogue";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { viewOfGame } from "../games/game.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { AmountInput, Check, SpanSelect } from "../parts/fields.tsx";
import { MovePicker } from "../parts/move-picker.tsx";
import { GameFields, termsIn, type EnteredTerms } from "../parts/terms-fields.tsx";
import { gameTitle } from "../parts/text.ts";
import { useLoaded } from "../parts/use.ts";
import { personText } from "../people/people.ts";
import type { Player } from "../player/player.ts";
import { pictureFrom } from "../store/pictures.ts";
import type { Chain } from "../store/chain.ts";
import { gameOf, stakeText } from "../store/present.ts";
import { unitsText } from "../store/stakes.ts";
import type { ChannelSeat, SeatState } from "./seat.ts";
import "../styles/challenge.css";

/** Clocks to choose from, in seconds. */
const CLOCKS = [900, 3600, 86_400];

interface Offering {
  readonly you: Player;
  readonly seat: ChannelSeat;
  readonly state: SeatState;
}

/**
 * Form that offers a match, with its terms and the first move, or asks the other player to offer one.
 * @param props.first Initial terms of the form.
 * @param props.isAsking True to ask the other player for the offer.
 */
export function OfferForm({
  you,
  seat,
  state,
  first,
  isAsking,
  children,
}: Offering & { first?: Terms; isAsking: boolean; children: ComponentChildren }) {
  const { chain } = you;
  const { channel } = seat.kept;
  const { value: modules } = useLoaded(() => chain.allModules(), [chain]);
  const [entered, setEntered] = useState<Partial<EnteredTerms>>(() => enteredOf(first && gameOf(chain, first), first));
  if (!modules) return <p class="muted loading">Loading …</p>;
  const modesOf = ({ name }: CatalogueGame, rated: boolean) => {
    const { modes, channels } = modules.find((each) => each.name === name)!;
    return Object.keys(modes).filter((mode) => channels && !channels.problem?.(modes[mode].content, rated));
  };
  const games = modules.flatMap((module) => gameOf(chain, { game: chain.deployment.addresses[module.contract] }) ?? []);
  const played = games.filter((each) => modesOf(each, false).length > 0);
  const { game = played[0], stake = "0", clock = CLOCKS[1], rated = false } = entered;
  const modes = modesOf(game, rated);
  const mode = entered.mode !== undefined && modes.includes(entered.mode) ? entered.mode : modes[0];
  const change = (changed: Partial<EnteredTerms>) => setEntered({ ...entered, ...changed });
  const terms = termsIn(chain.deployment.addresses, channel.token, { game, mode, stake, clock, rated });
  const problem = typeof terms === "string" ? terms : lacking({ you, seat, state }, terms, isAsking);
  return (
    <div class="challenge">
      <form class="card stack" onSubmit={(event) => event.preventDefault()}>
        <h2>{isAsking ? "Ask for a match" : "Offer a match"}</h2>
        <GameFields chain={chain} games={played} game={game} mode={mode} modes={modes} onChange={change} />
        <AmountInput label="Stake of each player" value={stake} onChange={(value) => change({ stake: value })} />
        <SpanSelect
          label="Clock of each player, once a match is on the chain"
          value={clock}
          spans={CLOCKS}
          onChange={(seconds) => change({ clock: seconds })}
        />
        <Check
          label="Rated: transactions bring rated matches to the chain, ten at a time or when you get up"
          value={rated}
          onChange={(isRated) => change({ rated: isRated })}
        />
      </form>
      <section class="card stack beside-form">
        <h2>{isAsking ? `${personText(seat.opponent)} offers it` : "Your first move"}</h2>
        {problem !== undefined || typeof terms === "string" ? (
          <p class="notice" role="status">
            {problem}
          </p>
        ) : isAsking ? (
          <>
            <p>The other player sees what you ask for, and offers it or not. You move after it.</p>
            <ActionButton class="primary" run={() => seat.askFor({ ...terms, feeBps: channel.feeBps })}>
              {`Ask for ${gameTitle(game, mode)}`}
            </ActionButton>
          </>
        ) : (
          <FirstMove
            key={`${game.name} ${mode}`}
            {...{ you, seat, game, mode }}
            terms={{ ...terms, feeBps: channel.feeBps }}
          />
        )}
      </section>
      <div class="stack">{children}</div>
    </div>
  );
}

/** Returns the initial values of a form, e.g. the terms of the previous match. */
function enteredOf(game?: CatalogueGame, terms?: Terms): Partial<EnteredTerms> {
  if (!game || !terms) return {};
  const { stake1, stake2, clock, rated, mode } = terms;
  const stake = unitsText(stake1 > stake2 ? stake1 : stake2);
  return { game, mode: modeNamed(game, mode), stake, clock: Number(clock), rated };
}

/** Returns whether the form can offer exactly these terms. */
export function isOfferable(chain: Chain, terms: Terms): boolean {
  const entered = enteredOf(gameOf(chain, terms), terms);
  if (entered.mode === undefined) return false;
  const filled = termsIn(chain.deployment.addresses, terms.token, entered as EnteredTerms);
  return typeof filled !== "string" && termsHash({ ...filled, feeBps: terms.feeBps }) === termsHash(terms);
}

function FirstMove({
  you,
  seat,
  terms,
  game,
  mode,
}: Omit<Offering, "state"> & { terms: Terms; game: CatalogueGame; mode: string }) {
  const { chain } = you;
  const { value } = useLoaded(async () => {
    const [module, view] = await Promise.all([chain.module(game.name), viewOfGame(game.name)]);
    return { module, view, turn: firstTurn(terms, you.address, chain.archive.value!) };
  }, []);
  if (!value) return <p class="muted">Loading …</p>;
  return (
    <MovePicker
      {...value}
      secretStore={you.secretStoreOnDemand(terms.game)}
      frames={[]}
      mode={game.modes[mode].content}
      names={["You", personText(seat.opponent)]}
      pictureOf={pictureFrom(chain, value.module)}
      plainAction={`Offer ${gameTitle(game, mode)}`}
      note={SIGNED}
      play={(move) => seat.offer(terms, move)}
    />
  );
}

/** Note about a move in a channel. */
export const SIGNED = "This browser signs it: your wallet is not asked, and nothing is sent to the chain.";

/** Describes a stake that exceeds its player's balance in the channel; undefined if both stakes are covered. */
function lacking(
  { you, seat, state }: Offering,
  { token, stake1, stake2 }: Pick<Terms, "token" | "stake1" | "stake2">,
  isAsking: boolean,
) {
  const { own, other } = ownFirst(seat.kept.player, state.status.held!);
  const text = (amount: bigint) => (amount === 0n ? "nothing" : stakeText(you.chain, token, amount));
  // The offering player has seat One.
  const [ownStake, otherStake] = isAsking ? [stake2, stake1] : [stake1, stake2];
  if (ownStake > own) return `You hold ${text(own)} in this channel.`;
  return otherStake > other ? `${personText(seat.opponent)} holds ${text(other)} in this channel.` : undefined;
}
