import {
  COIN,
  explain,
  firstTurn,
  MAX_CLOCK,
  MIN_CLOCK,
  nextTime,
  risksOf,
  Seat,
  type Challenge,
  type GameModule,
  type Terms,
  type Warning,
} from "duello";
import { impliedMode, type CatalogueGame } from "duello/catalogue";
import { getAddress, isAddress } from "ethers";
import { useState } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import { viewOfGame } from "../games/game.ts";
import { AgentForecast } from "../parts/agent-forecast.tsx";
import { AccountButton } from "../parts/account-button.tsx";
import { FeeNote } from "../parts/fee-note.tsx";
import { AddressInput, AmountInput, Check, Select, SpanSelect } from "../parts/fields.tsx";
import { GameIcon } from "../parts/game-icon.tsx";
import { MovePicker } from "../parts/move-picker.tsx";
import { Problem } from "../parts/problem.tsx";
import { GameFields, termsIn } from "../parts/terms-fields.tsx";
import { gameTitle, spanText } from "../parts/text.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { Warnings } from "../parts/warnings.tsx";
import { Crest } from "../people/crest.tsx";
import { personText } from "../people/people.ts";
import { Name, Person } from "../people/person.tsx";
import { linkTo, open, route } from "../router.ts";
import { player } from "../player/current.ts";
import type { Player } from "../player/player.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { pictureFrom } from "../store/pictures.ts";
import { keepTerms, lastTerms } from "../store/last-terms.ts";
import { unitsOf } from "../store/stakes.ts";
import "../styles/challenge.css";

/** Clocks to choose from, in seconds. */
const CLOCKS = [300, 900, 3600, 86_400, 3 * 86_400, 7 * 86_400];
const USUAL_CLOCK = 86_400;

/** Stakes that have a button each, as people write them. */
const STAKES = ["0", "5", "20"];

/** Choices of how long an offer binds its challenger, in seconds; 0 for a soft offer, which can always be cancelled. */
const FIRM = [0, 3600, 86_400, 7 * 86_400];
const USUAL_FIRM = 86_400;

/** A challenge as entered in the form: texts as people write them. */
interface Form {
  game: CatalogueGame;
  /** Mode that the player chose; defaults to the mode that opponent and stake imply. */
  mode?: string;
  opponent: string;
  token: "FIGHT" | "COIN";
  stake: string;
  clock: number;
  rated: boolean;
  /** Seconds for which the offer is firm; defaults to a day for a named opponent, and to a soft offer for anyone. */
  firm?: number;
}

/** A challenge from the form, or the sentence that describes an error in it. */
type Reading = Offered | { problem: string };

/** The offer, without the first move. */
interface Offered {
  terms: Omit<Terms, "feeBps">;
  opponent?: string;
  /** Seconds for which the offer is firm; 0 for a soft offer. */
  firm: number;
}

/** A new challenge: game, opponent, stake, and the first move. */
export default function ChallengeView() {
  useTitle("New challenge");
  const current = chain.value;
  if (!current)
    return (
      <Problem title="There is nobody to challenge without a chain">You can practice against the computer.</Problem>
    );
  const { args, params } = route.value;
  return <NewChallenge key={`${args.join(" ")} ${params}`} chain={current} />;
}

function NewChallenge({ chain: current }: { chain: Chain }) {
  const { args, params } = route.value;
  const addresses = current.deployment.addresses as unknown as Record<string, string>;
  const games = catalogue.filter(({ contract }) => addresses[contract] !== undefined);
  const [form, setForm] = useState<Form>(() => {
    const before = lastTerms();
    const [game, mode] = args[0] === undefined ? [before.game, before.mode] : args;
    // A link with terms, e.g. to a rematch, means exactly these terms.
    const last = params.has("stake") || params.has("clock") ? {} : before;
    const named = games.find(({ name }) => name === game) ?? games[0];
    const clock = Number(params.get("clock") ?? last.clock);
    return {
      game: named,
      mode: mode !== undefined && Object.hasOwn(named.modes, mode) ? mode : undefined,
      opponent: params.get("to")?.slice(0, 42) ?? "",
      token: (params.get("token") ?? last.token) === "COIN" ? "COIN" : "FIGHT",
      stake: params.get("stake")?.slice(0, 40) ?? last.stake ?? "0",
      clock: clock >= MIN_CLOCK && clock <= MAX_CLOCK ? clock : USUAL_CLOCK,
      rated: params.has("rated") ? params.get("rated") !== "no" : (last.rated ?? true),
    };
  });
  const change = (changed: Partial<Form>) => setForm({ ...form, ...changed });
  const { game } = form;
  const mode = modeOf(form, current);
  const reading = read({ ...form, mode }, current, player.value?.address);
  const symbols = { FIGHT: "FIGHT", COIN: current.deployment.coin ?? "Coin of the chain" };
  return (
    <div class="challenge">
      <h1 class="row">
        <GameIcon name={game.name} size={32} /> New challenge
      </h1>
      <form class="card stack terms" onSubmit={(event) => event.preventDefault()}>
        <GameFields chain={current} games={games} game={game} mode={mode} onChange={change} />
        <Opponent chain={current} value={form.opponent} onChange={(opponent) => change({ opponent })} />
        {isAddress(form.opponent.trim()) && (
          <AgentForecast
            chain={current}
            agent={getAddress(form.opponent.trim())}
            offer={"problem" in reading ? undefined : { terms: reading.terms }}
            you={player.value}
          />
        )}
        <StakeField value={form.stake} symbol={symbols[form.token]} onChange={(stake) => change({ stake })} />
        <div>
          <p class="small muted">
            {`Each player has ${spanText(form.clock)}. The offer is ${firmText(firmOf(form))}. The match is ${form.rated ? "" : "not "}rated.`}
          </p>
          <details>
            <summary>More</summary>
            <div class="stack">
              <Select
                label="Token"
                value={form.token}
                options={Object.entries(symbols)}
                onChange={(token) => change({ token: token as Form["token"] })}
              />
              <SpanSelect
                label="Clock of each player"
                value={form.clock}
                spans={CLOCKS}
                onChange={(clock) => change({ clock })}
              />
              <FirmSelect form={form} onChange={(firm) => change({ firm })} />
              <Check
                label="Rated: it counts for the ranking"
                value={form.rated}
                onChange={(rated) => change({ rated })}
              />
            </div>
          </details>
        </div>
        {current.deployment.relay !== undefined && (
          <p class="small">
            <a href={linkTo("sit", [], { to: form.opponent.trim(), game: game.name, mode })}>Play in a channel</a>:
            match after match at once, without a transaction for each.
          </p>
        )}
      </form>
      <section class="card stack first-move">
        <h2>Your first move</h2>
        {"problem" in reading ? (
          <p class="notice" role="status">
            {reading.problem}
          </p>
        ) : player.value ? (
          <FirstMove
            key={`${game.name} ${mode} ${player.value.address}`}
            {...{ chain: current, game, mode, you: player.value }}
            challenge={reading}
            onSent={() => {
              const { token, stake, clock, rated } = form;
              keepTerms({ game: game.name, mode: form.mode, token, stake, clock, rated });
            }}
          />
        ) : (
          <>
            <p>Connect a wallet to choose your move and to send the challenge.</p>
            <AccountButton />
          </>
        )}
      </section>
    </div>
  );
}

/** Returns the mode of a challenge. */
function modeOf({ game, mode, opponent, stake }: Form, { deployment }: Chain): string {
  const named = opponent.trim();
  const { agents } = deployment;
  const challenged = {
    opponent: isAddress(named) ? getAddress(named) : undefined,
    agents,
    isFree: unitsOf(stake) === 0n,
  };
  return mode ?? impliedMode(game, challenged);
}

/** Reads the form. */
function read(form: Form & { mode: string }, { deployment }: Chain, you: string | undefined): Reading {
  const { game, mode, opponent, token, stake, clock, rated } = form;
  const named = opponent.trim();
  if (named !== "" && !isAddress(named))
    return { problem: "The opponent's address is not complete, or has a typing error." };
  if (named !== "" && getAddress(named) === you) return { problem: "You cannot challenge yourself." };
  const { addresses } = deployment;
  const terms = termsIn(addresses, token === "COIN" ? COIN : addresses.FightToken, { game, mode, stake, clock, rated });
  if (typeof terms === "string") return { problem: terms };
  return { terms, firm: firmOf(form), ...(named !== "" && { opponent: getAddress(named) }) };
}

/** Returns for how long an offer is firm. A firm offer to a named opponent can be joined in one step. */
function firmOf({ firm, opponent }: Form): number {
  return firm ?? (opponent.trim() === "" ? 0 : USUAL_FIRM);
}

function firmText(firm: number): string {
  return firm === 0 ? "soft" : `firm for ${spanText(firm)}`;
}

/** Choice of a stake: one of the usual stakes, or any other. */
function StakeField({ value, symbol, onChange }: { value: string; symbol: string; onChange: (value: string) => void }) {
  const [isOther, setOther] = useState(!STAKES.includes(value));
  const choose = (stake: string) => {
    setOther(false);
    onChange(stake);
  };
  return (
    <fieldset class="stack tight">
      <legend>Stake in {symbol}</legend>
      <div class="row stakes-choice">
        {STAKES.map((stake) => (
          <button key={stake} type="button" aria-pressed={!isOther && value === stake} onClick={() => choose(stake)}>
            {stake === "0" ? "Free" : stake}
          </button>
        ))}
        <button type="button" aria-pressed={isOther} onClick={() => setOther(true)}>
          Other
        </button>
      </div>
      {isOther && <AmountInput label="Stake of each player" value={value} onChange={onChange} />}
    </fieldset>
  );
}

function FirmSelect({ form, onChange }: { form: Form; onChange: (firm: number) => void }) {
  const firm = firmOf(form);
  return (
    <div>
      <Select
        label="Offer"
        value={String(firm)}
        options={FIRM.map((seconds) => [String(seconds), firmText(seconds)])}
        onChange={(seconds) => onChange(Number(seconds))}
      />
      <p class="small muted">
        {firm === 0
          ? "You can call it off until somebody has paid for the other seat. It is joined in two steps."
          : "You cannot call it off before it lapses; a named opponent joins in one step."}
      </p>
    </div>
  );
}

function Opponent({
  chain: current,
  value,
  onChange,
}: {
  chain: Chain;
  value: string;
  onChange: (value: string) => void;
}) {
  const { agents = [] } = current.deployment;
  return (
    <div class="stack tight">
      <AddressInput label="Opponent (empty: anyone may take the offer)" value={value} onChange={onChange} />
      {agents.length > 0 && (
        <div class="row">
          {agents.map((agent) => (
            <button
              key={agent}
              type="button"
              aria-pressed={value === agent}
              onClick={() => onChange(value === agent ? "" : agent)}
            >
              <Crest address={agent} /> Program <Name address={agent} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Chooses the first move, shows the risks, and sends the challenge. */
function FirstMove({
  chain: current,
  game,
  mode,
  you,
  challenge,
  onSent,
}: {
  chain: Chain;
  game: CatalogueGame;
  mode: string;
  you: Player;
  challenge: Offered;
  /** Called once the challenge is on the chain. */
  onSent: () => void;
}) {
  const { terms, opponent, firm } = challenge;
  const archive = current.archive.value;
  const { value, error } = useLoaded(
    archive &&
      (async () => {
        const [module, view] = await Promise.all([current.module(game.name), viewOfGame(game.name)]);
        const secretStore = you.secretStoreOnDemand(terms.game);
        return { module, view, secretStore, turn: firstTurn(terms, you.address, archive) };
      }),
    [archive, game.name, mode],
  );
  const { value: warnings } = useLoaded(value && (() => warningsOf(current, value.module, challenge)), [
    value,
    terms.stake1,
    terms.stake2,
    terms.token,
    terms.clock,
    opponent,
  ]);
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  if (error !== undefined) {
    return (
      <p class="notice bad" role="alert">
        {explain(error)}
      </p>
    );
  }
  if (!value || !warnings) return <p class="muted">Loading …</p>;
  const { module, view, turn, secretStore } = value;
  const isAccepted = warnings.every(({ risk }) => accepted.includes(risk));
  const acceptedRisks = warnings.map(({ risk }) => risk);
  const offeredWith = async (move: unknown): Promise<Challenge> => {
    const data = await module.moves.create(move, turn, secretStore);
    const firmUntil = firm === 0 ? 0 : (await nextTime(current.provider)) + firm;
    return { terms, data, firmUntil, ...(opponent !== undefined && { opponent }) };
  };
  const play = async (move: unknown) => {
    const matchId = await you.offer(await offeredWith(move), { acceptedRisks });
    onSent();
    open(linkTo("match", [String(matchId)]));
  };
  return (
    <>
      {opponent !== undefined && (
        <p>
          Against <Person address={opponent} isConfirmed />
        </p>
      )}
      <Warnings warnings={warnings} accepted={accepted} onAccept={setAccepted} />
      {you.keyState.value !== undefined && (
        <FeeNote
          you={you}
          keys={[value, terms.token, opponent]}
          calls={async () => {
            // Any other move costs as much gas as the secret move.
            const offered = await offeredWith(await module.moves.suggest(turn, secretStore));
            return [await (await you.client()).calls.create(offered, { acceptedRisks })];
          }}
        />
      )}
      {isAccepted && (
        <MovePicker
          {...{ module, view, turn, secretStore, play }}
          frames={[]}
          mode={game.modes[mode].content}
          names={["You", opponent === undefined ? "Anyone" : personText(opponent)]}
          pictureOf={pictureFrom(current, module)}
          plainAction={`Challenge to ${gameTitle(game, mode)}`}
          note={
            terms.stake1 > 0n
              ? "Your wallet is asked once more before anything is sent; the stake is taken then."
              : "Your wallet is asked before anything is sent."
          }
        />
      )}
    </>
  );
}

async function warningsOf(
  { deployment, provider }: Chain,
  module: GameModule,
  { terms, opponent }: Offered,
): Promise<Warning[]> {
  const seatToTake = { terms: { ...terms, feeBps: 0n }, seat: Seat.One, open: opponent === undefined };
  return risksOf(seatToTake, { games: [module], addresses: deployment.addresses }, provider);
}
