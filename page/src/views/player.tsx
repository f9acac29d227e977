import { levelOf, pairKey, statsOf, type IndexClient, type IndexRow, type PlayerStats } from "duello";
import { getAddress, isAddress } from "ethers";
import { useEffect, useState } from "preact/hooks";
import { Collections } from "../parts/collection.tsx";
import { MatchList } from "../parts/match-list.tsx";
import { Problem } from "../parts/problem.tsx";
import { RatingChart } from "../parts/rating-chart.tsx";
import { SourceLine } from "../parts/source-line.tsx";
import { Table } from "../parts/table.tsx";
import { Tally } from "../parts/tally.tsx";
import { gameCalled } from "../parts/text.ts";
import { useRows, useSource } from "../parts/use-source.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { Crest } from "../people/crest.tsx";
import { NameForm } from "../people/name-form.tsx";
import { personText } from "../people/people.ts";
import { Name, Person } from "../people/person.tsx";
import { linkTo, route } from "../router.ts";
import "../styles/profile.css";
import { player } from "../player/current.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { listedMatch, type ListedMatch } from "../store/ledger.ts";
import { gameOf, netText, stakeText } from "../store/present.ts";
import { noteTimes } from "../store/times.ts";
import { courseOf, headToHead, type RatingPoint } from "../store/rankings.ts";

/** Maximum number of rated matches for which the course of a rating is drawn. */
const MAX_COURSE = 200;
/** Maximum number of matches with the other player that are shown. */
const MAX_LATEST = 4;

/** Record of a player in a game, by the game's name. */
type GameRecord = Pick<PlayerStats["games"][number], "game" | "level" | "wins" | "losses" | "draws"> & {
  readonly rating: bigint | number;
};

/** Sums of a player's stakes in a token. */
type TokenSums = PlayerStats["tokens"][number];

/** Records and stakes of a player, and its rated matches with another player. */
interface PlayerFigures {
  /** Undefined while the records are read. */
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

/** Returns the player for the comparison: the player in the page's address, the person, or the player shown before. */
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
  useTitle(personText(address));
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
      for (const row of page.rows) noteTimes(current, row);
      return { ...page, rows: page.rows.map(listedMatch) };
    },
    () => ledger.of(address),
  );
  const you = player.value?.address;
  const { records, stakes, pairs = [] } = figures.value ?? {};
  const source = [figures.source, matches.source].find((each) => each?.from === "events") ?? matches.source;
  return (
    <div class="stack">
      <div class="card row apart">
        <div class="row profile">
          <Crest address={address} size={96} />
          <div class="grow">
            <h1>
              <Name address={address} />
              {address === you && <span class="muted"> (you)</span>}
            </h1>
            <p class="mono small muted">{address}</p>
          </div>
        </div>
        {address !== you && (
          <div class="row">
            <NameForm address={address} />
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
      <SourceLine chain={current} source={source} />
      <div class="profile-columns">
        <div class="stack">
          {records && records.length > 0 && <Course chain={current} address={address} records={records} />}
          <section class="card stack tight">
            <h2>Record by game</h2>
            {records ? (
              <Records chain={current} records={records} stakes={stakes ?? []} stats={stats} />
            ) : (
              <p class="muted">Reading …</p>
            )}
          </section>
        </div>
        {opponent !== undefined && pairs.length > 0 && (
          <HeadToHead
            chain={current}
            address={address}
            opponent={opponent}
            pairs={pairs}
            matches={(matches.rows ?? []).filter(({ player1, player2 }) => [player1, player2].includes(opponent))}
          />
        )}
      </div>
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
  /** Statistics from the chain itself, once they are read; they include statistics that only a game keeps. */
  stats?: PlayerStats;
}) {
  const tokens = stakes.filter(({ staked, won }) => staked > 0n || won > 0n);
  if (records.length === 0) return <p class="muted">No rated duel yet.</p>;
  return (
    <>
      <Table
        caption="Rated matches by game"
        columns={["Game", "Won", "Drawn", "Lost", <span class="hidden">As a bar</span>, "Level", "Rating"]}
        rows={records.map(({ game, rating, level, wins, losses, draws }) => {
          const own = stats?.games.find((each) => each.game === game)?.own;
          const title = (
            <>
              {titleOf(game)}
              {own && <span class="small muted"> {own.text}</span>}
            </>
          );
          const bar = <Tally wins={Number(wins)} draws={Number(draws)} losses={Number(losses)} />;
          return { key: game, cells: [title, wins, draws, losses, bar, level, <strong>{String(rating)}</strong>] };
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

/** Course of a player's rating in one of its games. */
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

/** Rated matches between two players: the sums, each game, and the latest matches. */
function HeadToHead({
  chain: current,
  address,
  opponent,
  pairs,
  matches,
}: {
  chain: Chain;
  address: string;
  opponent: string;
  pairs: readonly IndexRow<"pair">[];
  /** Matches of both players with each other, newest first. */
  matches: readonly ListedMatch[];
}) {
  const you = player.value?.address;
  const named = (each: string) => (each === you ? "You" : personText(each));
  // The page is about `address`, so that player's opponent comes first: the person, otherwise the other player.
  const games = pairs.map(({ game, low, winsLow, winsHigh, draws }) => {
    const [wins, losses] = low === opponent ? [winsLow, winsHigh] : [winsHigh, winsLow];
    return { game, wins, losses, draws };
  });
  const sum = (of: "wins" | "losses" | "draws") => games.reduce((all, game) => all + game[of], 0);
  const [wins, losses, draws] = [sum("wins"), sum("losses"), sum("draws")];
  return (
    <section class="card stack tight">
      <h2>
        {named(opponent)} and {named(address)}
      </h2>
      <div class="row apart">
        <Person address={opponent} you={you} />
        <Person address={address} you={you} />
      </div>
      <Tally wins={wins} draws={draws} losses={losses} />
      <p class="row apart">
        <strong>{wins} won</strong>
        <span class="muted">{draws} drawn</span>
        <strong>{losses} won</strong>
      </p>
      <Table
        caption="Rated matches of both players with each other"
        columns={["Game", `${named(opponent)} won`, "Drawn", `${named(address)} won`]}
        rows={games.map(({ game, ...counts }) => ({
          key: game,
          cells: [gameOf(current, { game })?.title ?? "Unknown game", counts.wins, counts.draws, counts.losses],
        }))}
      />
      {matches.length > 0 && (
        <>
          <h3>Latest matches</h3>
          <MatchList chain={current} matches={matches.slice(0, MAX_LATEST)} you={you} empty="" />
        </>
      )}
    </section>
  );
}

function titleOf(game: string): string {
  return gameCalled(game)?.title ?? game;
}

function duelsOf({ wins, losses, draws }: GameRecord): number {
  return Number(wins + losses + draws);
}
