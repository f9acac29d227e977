import { statsOf, type PlayerStats } from "duello";
import { getAddress, isAddress } from "ethers";
import { Collections } from "../parts/collection.tsx";
import { MatchList } from "../parts/match-list.tsx";
import { Problem } from "../parts/problem.tsx";
import { gameCalled, shortAddress } from "../parts/text.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { linkTo, route } from "../router.ts";
import { player } from "../session/current.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { stakeText } from "../store/present.ts";

/** A player: its records, and its matches. */
export default function PlayerView() {
  const [text = ""] = route.value.args;
  const current = chain.value;
  if (!isAddress(text)) return <Problem title="That is no player">A player is an address of 42 characters.</Problem>;
  if (!current) return <Problem title="There are no players without a chain" />;
  const address = getAddress(text);
  return <Profile key={address} chain={current} address={address} />;
}

function Profile({ chain: current, address }: { chain: Chain; address: string }) {
  useTitle(shortAddress(address));
  const ledger = current.ledger.value;
  const archive = current.archive.value;
  const { value: stats } = useLoaded(archive && (async () => statsOf(archive, await current.allModules(), address)), [
    archive,
    ledger,
    address,
  ]);
  const you = player.value?.address;
  return (
    <div class="stack">
      <div class="row apart">
        <h1 class="mono">{address === you ? "You" : shortAddress(address)}</h1>
        {address !== you && (
          <a class="button primary" href={linkTo("play", [], { to: address })}>
            Challenge
          </a>
        )}
      </div>
      <p class="mono small muted">{address}</p>
      <section class="card stack tight">
        <h2>Records</h2>
        {stats ? <Records chain={current} stats={stats} /> : <p class="muted">Reading …</p>}
      </section>
      <Collections chain={current} owner={address} />
      <section class="card stack tight">
        <h2>Matches</h2>
        <MatchList chain={current} matches={ledger.of(address)} you={you} empty="None yet." />
      </section>
    </div>
  );
}

function Records({ chain: current, stats }: { chain: Chain; stats: PlayerStats }) {
  const played = stats.games.filter(({ duels }) => duels > 0n);
  const tokens = stats.tokens.filter(({ staked, won }) => staked > 0n || won > 0n);
  if (played.length === 0) return <p class="muted">No rated duel yet.</p>;
  return (
    <>
      <div class="wide">
        <table>
          <thead>
            <tr>
              {["Game", "Rating", "Level", "Won", "Lost", "Drawn"].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {played.map(({ game, rating, level, wins, losses, draws, own }) => (
              <tr key={game}>
                <td>
                  {gameCalled(game)?.title ?? game}
                  {own && <span class="small muted"> {own.text}</span>}
                </td>
                {[rating, level, wins, losses, draws].map((value, i) => (
                  <td key={i}>{String(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {tokens.map(({ token, staked, won, net }) => (
        <p key={token} class="small">
          Staked {stakeText(current, token, staked)}, won {stakeText(current, token, won)}:{" "}
          <strong class={net < 0n ? "bad" : "good"}>
            {net < 0n ? "−" : "+"}
            {stakeText(current, token, net < 0n ? -net : net)}
          </strong>
        </p>
      ))}
    </>
  );
}
