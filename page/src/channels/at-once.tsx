import type { CatalogueGame } from "duello/catalogue";
import { useState } from "preact/hooks";
import { catalogue, isOwnGame } from "../catalogue.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { player } from "../player/current.ts";
import type { Chain } from "../store/chain.ts";
import { hasMatches } from "../store/settings.ts";
import { useOwn } from "./use-own.ts";

/**
 * Lets the visitor play immediately without money, as a guest if no wallet is connected: a rated match with the
 * deployment's agent, or with anybody who waits.
 */
export function AtOnce({ chain }: { chain: Chain }) {
  const [agent] = chain.deployment.agents ?? [];
  const [name, setName] = useState("mini-games");
  const you = player.value;
  const own = useOwn(you);
  const games = catalogue.filter((each) => !each.characters && !isOwnGame(each));
  const game = games.find((each) => each.name === name)!;
  // For a newcomer, only the button at the top of the lobby is filled.
  const filled = hasMatches.value ? "primary" : "";
  const play = async (...against: [CatalogueGame, string?]) =>
    (await import("./play.ts")).playAtOnce(chain, ...against);
  return (
    <section class="card stack tight" aria-label="Play at once">
      <h2>Play at once</h2>
      <p class="small muted">
        For nothing, at once, without a transaction of yours.
        {agent !== undefined && " The program rates the match, and pays for that."}
        {!you && " You need no wallet: this browser makes a guest's key, and signs with it."}
      </p>
      {you && own && <own.Waiting you={you} />}
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
          <ActionButton class={filled} run={() => play(game, agent)}>
            {you ? "Play the program" : "Play the program as a guest"}
          </ActionButton>
        )}
        <ActionButton class={agent === undefined ? filled : ""} run={() => play(game)}>
          Play whoever waits
        </ActionButton>
      </div>
    </section>
  );
}
