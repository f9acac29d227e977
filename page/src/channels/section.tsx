import { modeNamed, type Seek, type Terms } from "duello";
import { ZeroAddress } from "ethers";
import { ActionButton } from "../parts/action-button.tsx";
import { gameTitle, oneLine, timeAt } from "../parts/text.ts";
import { personText } from "../people/people.ts";
import { Name, Person } from "../people/person.tsx";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { gameOf, stakeText } from "../store/present.ts";
import { channelsOf, type Channels } from "./channels.ts";
import { standOf } from "./stand.ts";
import { useChannels } from "./use-channels.ts";
import { useSeeks } from "./use-seeks.ts";
import "../styles/match-list.css";

/** Searches that are shown, at most. */
const MAX_SHOWN = 20;

/** Channels of the person, and players who look for somebody. */
export function ChannelsSection({ chain }: { chain: Chain }) {
  const you = player.value;
  const seeks = useSeeks(chain, you?.address).filter(({ match }) => match === undefined);
  return (
    <section class="card stack tight">
      <div class="row apart">
        <h2>Channels</h2>
        <a class="button" href={linkTo("sit")}>
          Sit down …
        </a>
      </div>
      <p class="small muted">
        Lock an amount once with an opponent, then play match after match at once, without a transaction for each.
      </p>
      {you && <OwnChannels key={you.address} you={you} />}
      {seeks.length > 0 && (
        <ul class="matches" aria-label="Players who look for an opponent">
          {seeks.slice(0, MAX_SHOWN).map((seek) => (
            <li key={`${seek.key} ${seek.opponent}`} class="match">
              <span>
                <Person address={seek.player} isConfirmed />
                {seek.opponent !== ZeroAddress && " asks you"}
              </span>
              <span class="players">{gameText(chain, seek.terms)}</span>
              <span class="stakes small">{lockedText(chain, seek)}</span>
              {you && <ActionButton run={async () => (await channelsOf(you)).answer(seek)}>Sit down</ActionButton>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Channels of a player. */
function OwnChannels({ you }: { you: Player }) {
  const { channels } = useChannels(you);
  if (!channels) return null;
  const stands = channels.seats.value.map((seat) => ({ seat, ...standOf(seat) }));
  const shown = stands.filter(({ waitsFor }) => waitsFor !== "nothing").toReversed();
  if (shown.length === 0) return null;
  return (
    <ul class="matches" aria-label="Your channels">
      {shown.map(({ seat, waitsFor, text }) => (
        <li key={seat.id} class="match">
          <a class="match-link" href={linkTo("channel", [seat.id])}>
            <strong>
              With <Name address={seat.opponent} />
            </strong>
          </a>
          <span class={["person", "offer"].includes(waitsFor) ? "tag accent" : "tag"}>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Says what the person looks for, and lets it end that. */
export function Searching({ channels }: { channels: Channels }) {
  const search = channels.search.value;
  const trouble = channels.trouble.value;
  const { chain } = channels.you;
  if (!search) return trouble === undefined ? null : <p class="notice bad">{oneLine(trouble, 200)}</p>;
  const { opponent, token, amount, otherAmount, terms } = search;
  return (
    <div class="notice row apart" role="status">
      <span class="grow">
        Waiting for {opponent === ZeroAddress ? "anyone" : personText(opponent)} to sit down: {gameText(chain, terms)},{" "}
        {amountsText(chain, token, amount, otherAmount)}. Keep this page open: your wallet is asked to sign then.
        {trouble !== undefined && ` ${oneLine(trouble, 200)}`}
      </span>
      <ActionButton run={() => channels.stopLooking()}>Stop</ActionButton>
    </div>
  );
}

function gameText(chain: Chain, terms: Terms | undefined): string {
  const game = terms && gameOf(chain, terms);
  return game ? gameTitle(game, modeNamed(game, terms.mode)) : "any game";
}

/** Says what an answer to a search would lock, and until when at most. */
function lockedText(chain: Chain, { token, amount, otherAmount, until }: Seek): string {
  const amounts = amountsText(chain, token, otherAmount, amount);
  return otherAmount === 0n ? amounts : `${amounts}, until ${timeAt(until)} at most`;
}

/** Says what the person and the other player would lock. */
function amountsText(chain: Chain, token: string, own: bigint, others: bigint): string {
  if (own === others) return own === 0n ? "for nothing" : `${stakeText(chain, token, own)} each`;
  const [yours, its] = [own, others].map((amount) => (amount === 0n ? "nothing" : stakeText(chain, token, amount)));
  return `you lock ${yours}, the other ${its}`;
}
