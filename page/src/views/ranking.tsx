import { catalogue } from "duello/catalogue";
import { Problem } from "../parts/problem.tsx";
import { shortAddress } from "../parts/text.ts";
import { useTitle } from "../parts/use.ts";
import { linkTo, route } from "../router.ts";
import { player } from "../session/current.ts";
import { chain } from "../store/current.ts";

/** Best players of a game, by their ratings. */
export default function Ranking() {
  const current = chain.value;
  const addresses = (current?.deployment.addresses ?? {}) as unknown as Record<string, string>;
  const games = catalogue.filter(({ contract }) => addresses[contract] !== undefined);
  const game = games.find(({ name }) => name === route.value.args[0]) ?? games[0];
  useTitle("Ranking");
  if (!current || !game) return <Problem title="There is no ranking without a chain" />;
  const standings = current.ledger.value.standings(addresses[game.contract]);
  const you = player.value?.address;
  return (
    <div class="stack">
      <h1>Ranking</h1>
      <nav class="row" aria-label="Games">
        {games.map(({ name, title }) => (
          <a
            key={name}
            class={name === game.name ? "button primary" : "button"}
            aria-current={name === game.name ? "page" : undefined}
            href={linkTo("ranking", [name])}
          >
            {title}
          </a>
        ))}
      </nav>
      <section class="card">
        {standings.length === 0 ? (
          <p class="muted">Nobody has played a rated match of {game.title} here yet.</p>
        ) : (
          <table>
            <caption class="hidden">Players of {game.title} by rating</caption>
            <thead>
              <tr>
                {["#", "Player", "Rating", "Won", "Lost", "Drawn"].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {standings.map(({ player: address, rating, wins, losses, draws }, i) => (
                <tr key={address}>
                  <td>{i + 1}</td>
                  <td>
                    <a href={linkTo("player", [address])} title={address}>
                      {shortAddress(address)}
                    </a>
                    {address === you && " (you)"}
                  </td>
                  <td>
                    <strong>{String(rating)}</strong>
                  </td>
                  <td>{wins}</td>
                  <td>{losses}</td>
                  <td>{draws}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  );
}
