import { modeAgainstProgram, type CatalogueGame } from "duello/catalogue";
import { ZeroAddress } from "ethers";
import { useState } from "preact/hooks";
import { catalogue, isOwnGame } from "../catalogue.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { termsIn } from "../parts/terms-fields.tsx";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import { linkTo, open } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { connectGuest } from "../wallet/account.ts";
import { channelsOf } from "./channels.ts";
import { Searching } from "./section.tsx";
import { useChannels } from "./use-channels.ts";

/** Seconds for which a channel with a program may be open. */
const SPAN = 7 * 86_400;
const CLOCK = 3600;

/**
 * Lets the visitor play for nothing at once, as a guest if no wallet is connected: a rated match with the chain's program,
 * or one with anybody who waits.
 */
export function AtOnce({ chain }: { chain: Chain }) {
  const [agent] = chain.deployment.agents ?? [];
  const [name, setName] = useState("mini-games");
  const you = player.value;
  const games = catalogue.filter((each) => !each.characters && !isOwnGame(each));
  const game = games.find((each) => each.name === name)!;
  return (
    <section class="card stack tight" aria-label="Play at once">
      <h2>Play at once</h2>
      <p class="small muted">
        For nothing, at once, without a transaction of yours.
        {agent !== undefined && " The program rates the match, and pays for that."}
        {!you && " You need no wallet: this browser makes a guest's key, and signs with it."}
      </p>
      {you && <Waiting you={you} />}
      <div class="row">
        <label>
          <span class="hidden">Game</span>
          <select value={name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
            {games.map((each) => (
              <option key={each.name} value={each.name}>
                {each.title}
              </option>
            ))}
          </select>
        </label>
        {agent !== undefined && (
          <ActionButton class="primary" run={() => play(chain, game, agent)}>
            {you ? "Play the program" : "Play the program as a guest"}
          </ActionButton>
        )}
        <ActionButton class={agent === undefined ? "primary" : ""} run={() => play(chain, game)}>
          Play whoever waits
        </ActionButton>
      </div>
    </section>
  );
}

function Waiting({ you }: { you: Player }) {
  const { channels } = useChannels(you);
  return channels ? <Searching channels={channels} /> : null;
}

/** Goes to the channel with the program, or looks for it; without a program, for anybody. */
async function play({ deployment }: Chain, game: CatalogueGame, agent?: string): Promise<void> {
  if (!player.peek()) await connectGuest();
  const you = player.peek();
  if (!you) throw new Error("The page has not read the chain yet: try again in a moment.");
  const channels = await channelsOf(you);
  const known = channels.seats.peek().findLast((seat) => seat.opponent === agent && seat.state.peek()?.status.held);
  if (known) return open(linkTo("channel", [known.id]));
  const { FightToken: token } = deployment.addresses;
  const mode = modeAgainstProgram(game);
  const rated = agent !== undefined;
  const terms = termsIn(deployment.addresses, token, { game, mode, stake: "0", clock: CLOCK, rated });
  if (typeof terms === "string") throw new Error(terms);
  await channels.look({ opponent: agent ?? ZeroAddress, token, amount: 0n, otherAmount: 0n, terms }, SPAN);
}
