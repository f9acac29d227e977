import { ZeroAddress } from "ethers";
import { ActionButton } from "../parts/action-button.tsx";
import { Person } from "../people/person.tsx";
import { player } from "../player/current.ts";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { gameText, lockedText } from "./search-text.ts";
import { useOwn } from "./use-own.ts";
import { useSeeks } from "./use-seeks.ts";
import "../styles/match-list.css";

/** Maximum number of searches that are shown. */
const MAX_SHOWN = 20;

/** Channels of the person, and players who look for somebody. */
export function ChannelsSection({ chain }: { chain: Chain }) {
  const you = player.value;
  const own = useOwn(you);
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
      {you && own && <own.OwnChannels key={you.address} you={you} />}
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
              {you && own && <ActionButton run={() => own.answerSeek(you, seek)}>Sit down</ActionButton>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
