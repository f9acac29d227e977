import { modeNamed, COIN, MIN_OPPONENTS, winRateOf, type Winnings } from "duello";
import type { CatalogueGame } from "duello/catalogue";
import type { ComponentChildren } from "preact";
import { catalogue } from "../catalogue.ts";
import { Problem } from "../parts/problem.tsx";
import { SourceLine } from "../parts/source-line.tsx";
import { Table } from "../parts/table.tsx";
import { modeTitle, pointsText, shortAddress } from "../parts/text.ts";
import { useRows, useSource, type SourcedRows } from "../parts/use-source.ts";
import { useTitle } from "../parts/use.ts";
import { Person } from "../people/person.tsx";
import { linkTo, route } from "../router.ts";
import { player } from "../player/current.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { netText, stakeText, tokenName } from "../store/present.ts";
import {
  byNet,
  byRating,
  byWinnings,
  modesOf,
  tokensOf,
  type ModeCounts,
  type RankedPlayer,
} from "../store/rankings.ts";

/** Maximum number of modes of a game, and of tokens, that are read: anybody may add more. */
const MAX_MODES = 1000;
const MAX_TOKENS = 20;
/** Maximum number of modes that are shown, the published ones first. */
const MAX_SHOWN = 30;

const ORDERS = [
  ["rating", "Rating"],
  ["points", "Head-to-head points"],
  ["winnings", "Winnings"],
] as const;

/** Best players of a game by their ratings or head-to-head points, and of a token by their winnings. */
export default function Ranking() {
  useTitle("Ranking");
  const current = chain.value;
  const addresses = (current?.deployment.addresses ?? {}) as unknown as Record<string, string>;
  const games = catalogue.filter(({ contract }) => addresses[contract] !== undefined);
  const game = games.find(({ name }) => name === route.value.args[0]) ?? games[0];
  if (!current || !game) return <Problem title="There is no ranking without a chain" />;
  const by = ORDERS.find(([name]) => name === route.value.params.get("by"))?.[0] ?? "rating";
  const link = (order: string) => linkTo("ranking", [game.name], order === "rating" ? {} : { by: order });
  return (
    <div class="stack">
      <h1>Ranking</h1>
      <Choice label="Order" wanted={by} choices={ORDERS.map(([name, title]) => [name, title, link(name)])} />
      {by === "winnings" ? (
        <Winnings chain={current} game={game} />
      ) : (
        <>
          <Choice
            label="Games"
            wanted={game.name}
            choices={games.map(({ name, title }) => [
              name,
              title,
              linkTo("ranking", [name], by === "rating" ? {} : { by }),
            ])}
          />
          <Players chain={current} game={game} address={addresses[game.contract]} by={by} />
          <WinRates chain={current} game={game} address={addresses[game.contract]} />
        </>
      )}
    </div>
  );
}

/** A row of links, one of which is open. */
function Choice({
  label,
  wanted,
  choices,
}: {
  label: string;
  wanted: string;
  choices: readonly (readonly [name: string, title: string, link: string])[];
}) {
  return (
    <nav class="row" aria-label={label}>
      {choices.map(([name, title, link]) => (
        <a
          key={name}
          class={name === wanted ? "button primary" : "button"}
          aria-current={name === wanted ? "page" : undefined}
          href={link}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

interface OfGame {
  chain: Chain;
  game: CatalogueGame;
  /** Address of the game. */
  address: string;
}

function Players({ chain: current, game, address, by }: OfGame & { by: "rating" | "points" }) {
  const isByRating = by === "rating";
  const ranked = useRows<RankedPlayer>(
    current,
    `${by} ${address}`,
    (index, paging) => (isByRating ? index.byRating(address, paging) : index.byNet(address, paging)),
    () => (isByRating ? byRating : byNet)(current, address),
  );
  return (
    <Ranked
      chain={current}
      ranked={ranked}
      caption={`Players of ${game.title} by ${by}`}
      empty={
        isByRating
          ? `Nobody has played a rated match of ${game.title} here yet.`
          : `No two players of ${game.title} have each met ${MIN_OPPONENTS} different opponents yet.`
      }
      columns={isByRating ? ["Rating", "Won", "Lost", "Drawn"] : ["Points", "Opponents", "Won", "Lost", "Drawn"]}
      cellsOf={({ rating, net, opponents, wins, losses, draws }) => [
        <strong>{isByRating ? rating : pointsText(net)}</strong>,
        ...(isByRating ? [] : [opponents]),
        wins,
        losses,
        draws,
      ]}
    >
      {!isByRating &&
        `Each pair of players counts one point at most, which one gains and the other loses, and only if both have met ${MIN_OPPONENTS} different opponents: to beat the same account again and again gains nothing. `}
    </Ranked>
  );
}

function Winnings({ chain: current, game }: { chain: Chain; game: CatalogueGame }) {
  const own = [current.deployment.addresses.FightToken, COIN];
  const { value } = useSource<{ tokens: readonly string[] }>(
    current,
    "tokens",
    async (index) => {
      const { rows, block } = await index.page("token", { limit: MAX_TOKENS });
      return { tokens: rows.map(({ token }) => token), block };
    },
    () => ({ tokens: tokensOf(current).slice(0, MAX_TOKENS) }),
  );
  const tokens = [...new Set([...own, ...(value?.tokens ?? [])])];
  const token = tokens.find((each) => each === route.value.params.get("token")) ?? tokens[0];
  const ranked = useRows<Winnings>(
    current,
    `winnings ${token}`,
    (index, paging) => index.byWinnings(token, paging),
    () => byWinnings(current, token),
  );
  return (
    <>
      <Choice
        label="Tokens"
        wanted={token}
        choices={tokens.map((each) => [
          each,
          tokenName(current, each),
          linkTo("ranking", [game.name], { by: "winnings", token: each }),
        ])}
      />
      <Ranked
        chain={current}
        ranked={ranked}
        caption={`Players by what they have won of ${tokenName(current, token)}`}
        empty={`Nobody has played a rated match for ${tokenName(current, token)} here yet.`}
        columns={["Net", "Staked", "Paid out"]}
        cellsOf={({ net, staked, won }) => [
          <strong class={net < 0n ? "bad" : "good"}>{netText(current, token, net)}</strong>,
          stakeText(current, token, staked),
          stakeText(current, token, won),
        ]}
      >
        What rated matches of all games have paid out, less the stakes.
      </Ranked>
    </>
  );
}

/** A ranking as a table, with a link to more rows. */
function Ranked<R extends { readonly player: string }>({
  chain: current,
  ranked: { rows, more, source },
  caption,
  empty,
  columns,
  cellsOf,
  children,
}: {
  chain: Chain;
  ranked: SourcedRows<R>;
  caption: string;
  /** Sentence for an empty ranking. */
  empty: string;
  columns: readonly string[];
  cellsOf: (row: R) => readonly (ComponentChildren | bigint)[];
  /** Explanation of the order. */
  children?: ComponentChildren;
}) {
  const you = player.value?.address;
  return (
    <section class="card stack tight">
      {children && <p class="small muted">{children}</p>}
      {!rows && <p class="muted loading">Reading …</p>}
      {rows?.length === 0 && <p class="muted">{empty}</p>}
      {rows && rows.length > 0 && (
        <Table
          caption={caption}
          columns={["#", "Player", ...columns]}
          names={2}
          rows={rows.map((row, i) => ({
            key: row.player,
            cells: [
              i + 1,
              <>
                <Person address={row.player} />
                {row.player === you && " (you)"}
              </>,
              ...cellsOf(row),
            ],
          }))}
        />
      )}
      {more && (
        <button type="button" class="quiet" onClick={more}>
          Show more
        </button>
      )}
      <SourceLine chain={current} source={source} />
    </section>
  );
}

/** Wins of each seat by mode, next to the measured win rates. */
function WinRates({ chain: current, game, address }: OfGame) {
  const { value } = useSource<{ modes: readonly ModeCounts[] }>(
    current,
    `modes ${address}`,
    async (index) => {
      const { rows, block } = await index.modes(address, { limit: MAX_MODES });
      return { modes: rows, block };
    },
    () => ({ modes: modesOf(current, address) }),
  );
  const played = (value?.modes ?? [])
    .map((mode) => ({ ...mode, name: modeNamed(game, mode.hash), matches: matchesOf(mode) }))
    .filter(({ matches }) => matches > 0)
    .sort((a, b) => Number(a.name === undefined) - Number(b.name === undefined) || b.matches - a.matches)
    .slice(0, MAX_SHOWN);
  if (played.length === 0) return null;
  return (
    <section class="card stack tight">
      <h2>Wins by seat</h2>
      <p class="small muted">
        Of the matches played here, and of the random matches with which each published mode was measured.
      </p>
      <Table
        caption={`Wins of each seat in the modes of ${game.title}`}
        columns={["Mode", "Matches", "Challenger", "Opponent", "Drawn", "At random"]}
        rows={played.map(({ hash, name, matches, wins1, wins2, draws }) => ({
          key: hash,
          cells: [
            name === undefined ? `Unpublished ${shortAddress(hash)}` : modeTitle(name),
            matches,
            ...[wins1, wins2, draws].map((count) => percent(count, matches)),
            measuredText(game, name),
          ],
        }))}
      />
    </section>
  );
}

function matchesOf({ wins1, wins2, draws }: ModeCounts): number {
  return wins1 + wins2 + draws;
}

function measuredText({ name: game }: CatalogueGame, mode: string | undefined): string {
  const rate = mode === undefined ? undefined : winRateOf(game, mode);
  if (!rate) return "not measured";
  const { player1, player2, draws } = rate;
  return [player1, player2, draws].map((count) => percent(count, player1 + player2 + draws)).join(" : ");
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}
