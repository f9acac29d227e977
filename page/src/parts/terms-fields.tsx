import { COIN, modeHash, viewMode, type Addresses, type Terms } from "duello";
import type { CatalogueGame } from "duello/catalogue";
import { isOwnGame } from "../catalogue.ts";
import type { Chain } from "../store/chain.ts";
import { stakesOf, unitsOf, unitsText } from "../store/stakes.ts";
import { Select } from "./fields.tsx";
import { ModeLines } from "./mode-lines.tsx";
import { OwnGameNotice } from "./own-game.tsx";
import { modeTitle } from "./text.ts";
import { useLoaded } from "./use.ts";

/** Terms of a match as entered in a form: the stake as people write it, the clock in seconds. */
export interface EnteredTerms {
  readonly game: CatalogueGame;
  readonly mode: string;
  readonly stake: string;
  readonly clock: number;
  readonly rated: boolean;
}

/** Reads the terms of a form. @returns a sentence if the stake is wrong */
export function termsIn(
  addresses: Addresses,
  token: string,
  { game, mode, stake, clock, rated }: EnteredTerms,
): Omit<Terms, "feeBps"> | string {
  const { odds, content } = game.modes[mode];
  const amount = unitsOf(stake);
  if (amount === undefined) return `The stake ${stake.slice(0, 40)} is not an amount, e.g. 5 or 0.25.`;
  const stakes = stakesOf(odds, amount);
  if (!stakes) return "In this mode the challenger cannot lose, so it is played without a stake.";
  return { game: addresses[game.contract], ...stakes, token, mode: modeHash(content), clock: BigInt(clock), rated };
}

/**
 * Returns the parameters of a link that fills the form for challenges, besides game and mode. Omits a stake in a token that
 * the form does not offer.
 */
export function termsParams({ stake1, token, clock, rated }: Terms, { FightToken }: Addresses): Record<string, string> {
  const isKnown = token === COIN || token === FightToken;
  return {
    ...(stake1 > 0n && isKnown && { stake: unitsText(stake1), token: token === COIN ? "COIN" : "FIGHT" }),
    clock: String(clock),
    ...(!rated && { rated: "no" }),
  };
}

/** Choice of a game and its mode, with the rules of the mode. @param modes Modes that are offered; defaults to all. */
export function GameFields({
  chain,
  games,
  game,
  mode,
  modes = Object.keys(game.modes),
  onChange,
}: {
  chain: Chain;
  games: readonly CatalogueGame[];
  game: CatalogueGame;
  mode: string;
  modes?: readonly string[];
  /** Called with a game but no mode if another game was chosen. */
  onChange: (changed: { game?: CatalogueGame; mode: string | undefined }) => void;
}) {
  return (
    <>
      <Select
        label="Game"
        value={game.name}
        options={games.map((each) => [each.name, isOwnGame(each) ? `${each.title} (not a stock game)` : each.title])}
        onChange={(name) => onChange({ game: games.find((each) => each.name === name), mode: undefined })}
      />
      <OwnGameNotice name={game.name} title={game.title} />
      {modes.length > 1 && (
        <Select
          label="Mode"
          value={mode}
          options={modes.map((name) => [name, modeTitle(name)])}
          onChange={(name) => onChange({ mode: name })}
        />
      )}
      <ModeRules chain={chain} game={game} mode={mode} />
    </>
  );
}

/** Describes the rules of a mode. */
function ModeRules({ chain: current, game, mode }: { chain: Chain; game: CatalogueGame; mode: string }) {
  const { weakness, odds, content } = game.modes[mode];
  const { value: module } = useLoaded(() => current.module(game.name), [game.name]);
  const { rules } = (module?.modeFormat && viewMode(module, content)) ?? {};
  return (
    <div class="stack tight small">
      {odds[0] !== odds[1] && odds[1] !== 0n && (
        <p>
          Fair stakes are {String(odds[0])} : {String(odds[1])}, the challenger's first.
        </p>
      )}
      {weakness !== undefined && <p class="notice">{weakness}</p>}
      {rules !== undefined && (
        <details>
          <summary>What the mode says</summary>
          <ModeLines lines={rules} />
        </details>
      )}
    </div>
  );
}
