import { levelOf, pairKey, statsOf, type IndexClient, type IndexRow, type PlayerStats } from "duello";
import { getAddress, isAddress } from "ethers";
import { useEffect, useState } from "preact/hooks";
import { Collections } from "../parts/collection.tsx";
import { MatchList } from "../parts/match-list.tsx";
import { Problem } from "../parts/problem.tsx";
import { RatingChart } from "../parts/rating-chart.tsx";
import { SourceLine } from "../parts/source-line.tsx";
import { Table } from "../parts/table.tsx";
import { gameCalled, shortAddress } from "../parts/text.ts";
import { useRows, useSource } from "../parts/use-source.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { linkTo, route } from "../router.ts";
import { player } from "../player/current.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { listedMatch, type ListedMatch } from "../store/ledger.ts";
import { gameOf, netText, stakeText } from "../store/present.ts";
import { courseOf, headToHead, type RatingPoint } from "../store/rankings.ts";

/** Most rated matches for which the course of a rating is drawn. */
const MAX_COURSE = 200;

/** Record of a player at a game, by the game's name. */
type GameRecord = Pick<PlayerStats["games"][number], "game" | "level" | "wins" | "losses" | "draws"> & {
  readonly rating: bigint | number;
};

/** Sums of a player's stakes in a token. */
type TokenSums = PlayerStats["tokens"][number];

/** Records and stakes of a player, and its rated matches with another one. */
interface PlayerFigures {
  /** Undefined while they are read. */
  readonly records?: readonly GameRecord[];
  readonly stakes?: readonly TokenSums[];
  readonly pairs: readonly IndexRow<"pair">[];
}

/** Player whose page was open before. */
let openedBefore: string | undefined;

/** A player: its records and ratings over time, its matches, and its results against another player. */
export default function PlayerView() {
  const [text = ""] = route.value.args;
  const current = chain.value;
  if (!isAddress(text)) return <Problem title="That is no player">A player is an address of 42 characters.</Problem>;
  if (!current) return <Problem title="There are no players without a chain" />;
  const address = getAddress(text);
  return <Profile key={address} chain={current} address={address} />;
}

/** Returns the player for the comparison: the one in the page's address, the person, or the previous one. */
function useOpponent(address: string): string | undefined {
  const [before] = useState(openedBefore);
  useEffect(() => {
    openedBefore = address;
  }, []);
  const named = route.value.params.get("against") ?? undefined;
  const opponents = [isAddress(named) ? getAddress(named) : undefined, player.value?.address, before];
  return opponents.find((opponent) => opponent !== undefined && opponent !== address);
}

function Profile({ chain: current, address }: { chain: Chain; address: string }) {
  useTitle(shortAddress(address));
  const ledger = current.ledger.value;
  const archive = current.archive.value;
  const opponent = useOpponent(address);
  const { value: stats } = useLoaded(archive && (async () => statsOf(archive, await current.allModules(), address)), [
    archive,
    ledger,
    address,
  ]);
  const figures = useSource<PlayerFigures>(
    current,
    `figures ${address} ${opponent}`,
    (index) => readFigures(index, current, address, opponent),
    () => ({
      records: stats?.games.filter(({ duels }) => duels > 0n),
      stakes: stats?.tokens,
      pairs: opponent === undefined ? [] : headToHead(current, address, opponent),
    }),
  );
  const matches = useRows<ListedMatch>(
    current,
    `matches ${address}`,
    async (index, paging) => {
      const page = await index.matches({ player: address, ...paging });
      return { ...page, rows: page.rows.map(listedMatch) };
    },
    () => ledger.of(address),
  );
  const you = player.value?.address;
  const { records, stakes, pairs = [] } = figures.value ?? {};
  const source = [figures.source, matches.source].find((each) => each?.from === "events") ?? matches.source;
  return (
    <div class="stack">
      <div class="row apart">
        <h1 class="mono">{address === you ? "You" : shortAddress(address)}</h1>
        {address !== you && (
          <div class="row">
            {current.deployment.relay !== undefined && (
              <a class="button" href={linkTo("sit", [], { to: address })}>
                Play in a channel
              </a>
            )}
            <a class="button primary" href={linkTo("play", [], { to: address })}>
              Challenge
            </a>
          </div>
        )}
      </div>
      <p class="mono small muted">{address}</p>
      <SourceLine chain={current} source={source} />
      <section class="card stack tight">
        <h2>Records</h2>
        {records ? (
          <Records chain={current} records={records} stakes={stakes ?? []} stats={stats} />
        ) : (
          <p class="muted">Reading …</p>
        )}
      </section>
      {records && records.length > 0 && <Course chain={current} address={address} records={records} />}
      {opponent !== undefined && pairs.length > 0 && (
        <HeadToHead chain={current} address={address} opponent={opponent} pairs={pairs} />
      )}
      <Collections chain={current} owner={address} />
      <section class="card stack tight">
        <h2>Matches</h2>
        {matches.rows ? (
          <MatchList chain={current} matches={matches.rows} you={you} empty="None yet." more={matches.more} />
        ) : (
          <p class="muted">Reading …</p>
        )}
      </section>
    </div>
  );
}

/** Asks an index for the figures of a player. */
async function readFigures(index: IndexClient, current: Chain, address: string, opponent: string | undefined) {
  const addresses = Object.values(current.deployment.addresses);
  // An index orders its rows by address; events yield them in the order of the games.
  const byGame = (one: { game: string }, other: { game: string }) =>
    addresses.indexOf(one.game) - addresses.indexOf(other.game);
  const [records, stakes, pairs] = await Promise.all([
    index.recordsOf(address, addresses),
    index.stakesOf(address),
    opponent === undefined ? undefined : index.page("pair", { where: pairKey(address, opponent) }),
  ]);
  return {
    block: Math.min(records.block, stakes.block),
    records: records.rows.toSorted(byGame).flatMap(({ game: at, experience, ...record }) => {
      const game = gameOf(current, { game: at });
      return game ? [{ ...record, game: game.name, level: levelOf(experience) }] : [];
    }),
    stakes: stakes.rows,
    pairs: pairs?.rows.toSorted(byGame) ?? [],
  };
}

function Records({
  chain: current,
  records,
  stakes,
  stats,
}: {
  chain: Chain;
  records: readonly GameRecord[];
  stakes: readonly TokenSums[];
  /** Statistics from the chain itself, once they are read: they include those that only a game keeps. */
  stats?: PlayerStats;
}) {
  const tokens = stakes.filter(({ staked, won }) => staked > 0n || won > 0n);
  if (records.length === 0) return <p class="muted">No rated duel yet.</p>;
  return (
    <>
      <Table
        caption="Rated matches by game"
        columns={["Game", "Rating", "Level", "Won", "Lost", "Drawn"]}
        rows={records.map(({ game, rating, level, wins, losses, draws }) => {
          const own = stats?.games.find((each) => each.game === game)?.own;
          const title = (
            <>
              {titleOf(game)}
              {own && <span class="small muted"> {own.text}</span>}
            </>
          );
          return { key: game, cells: [title, rating, level, wins, losses, draws] };
        })}
      />
      {tokens.map(({ token, staked, won, net }) => (
        <p key={token} class="small">
          Staked {stakeText(current, token, staked)}, won {stakeText(current, token, won)}:{" "}
          <strong class={net < 0n ? "bad" : "good"}>{netText(current, token, net)}</strong>
        </p>
      ))}
    </>
  );
}

/** Course of a player's rating at one of its games. */
function Course({
  chain: current,
  address,
  records,
}: {
  chain: Chain;
  address: string;
  records: readonly GameRecord[];
}) {
  const [wanted, setWanted] = useState<string>();
  const played = [...records].sort((a, b) => duelsOf(b) - duelsOf(a));
  const { game } = played.find((record) => record.game === wanted) ?? played[0];
  const addresses = current.deployment.addresses as unknown as Readonly<Record<string, string>>;
  const at = addresses[gameCalled(game)!.contract];
  const { value } = useSource<{ points: readonly RatingPoint[] }>(
    current,
    `course ${address} ${game}`,
    async (index) => {
      const { rows, block } = await index.ratings(address, at, { limit: MAX_COURSE });
      return { points: rows, block };
    },
    () => ({ points: courseOf(current, address, at).slice(0, MAX_COURSE) }),
  );
  return (
    <section class="card stack tight">
      <h2>Rating</h2>
      {records.length > 1 && (
        <div class="row" role="group" aria-label="Game">
          {records.map((record) => (
            <button
              key={record.game}
              type="button"
              aria-pressed={record.game === game}
              onClick={() => setWanted(record.game)}
            >
              {titleOf(record.game)}
            </button>
          ))}
        </div>
      )}
      {value ? <RatingChart title={titleOf(game)} points={value.points} /> : <p class="muted">Reading …</p>}
    </section>
  );
}

/** Rated matches between a player and another one. */
function HeadToHead({
  chain: current,
  address,
  opponent,
  pairs,
}: {
  chain: Chain;
  address: string;
  opponent: string;
  pairs: readonly IndexRow<"pair">[];
}) {
  const you = player.value?.address;
  const named = (each: string) => (each === you ? "You" : shortAddress(each));
  return (
    <section class="card stack tight">
      <h2>Head to head</h2>
      <Table
        caption="Rated matches of both players with each other"
        columns={[
          "Game",
          `${named(address)} won`,
          <>
            <a href={linkTo("player", [opponent])} title={opponent}>
              {named(opponent)}
            </a>{" "}
            won
          </>,
          "Drawn",
        ]}
        rows={pairs.map(({ game, low, winsLow, winsHigh, draws }) => {
          const wins = low === address ? [winsLow, winsHigh] : [winsHigh, winsLow];
          return { key: game, cells: [gameOf(current, { game })?.title ?? "Unknown game", ...wins, draws] };
        })}
      />
    </section>
  );
}

function titleOf(game: string): string {
  return gameCalled(game)?.title ?? game;
}

function duelsOf({ wins, losses, draws }: GameRecord): number {
  return Number(wins + losses + draws);
}
