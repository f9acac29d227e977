import { firstTurn } from "../../sdk/games/moves.js";
import { setTimeout as pause } from "node:timers/promises";
import { changesIn } from "../../sdk/player/stats.js";
import type { Challenge } from "../../sdk/player/calls.js";
import type { Client } from "../../sdk/player/client.js";
import { customError, Explained } from "../../sdk/player/errors.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { timeText } from "../../sdk/protocol/text.js";
import { finalityLag } from "../../sdk/chain/finality.js";
import { nextTime } from "../../sdk/chain/time.js";
import { COIN, OFFER_LIFE } from "../../sdk/protocol/terms.js";
import { readAddress, readDuration, readMatchId } from "../../sdk/protocol/arguments.js";
import { Stopped, withMove } from "./move-prompt.js";
import { agentWarnings } from "../shared/match/agent-forecast.js";
import { textOf, type Flags, type PlayCommand } from "../shared/command/command.js";
import { createdIn, actionOf } from "../shared/wallet/action.js";
import { changeLines } from "../shared/match/changes.js";
import { eventsOf } from "../../sdk/player/match-events.js";
import { didYouMean, readMove } from "../shared/command/did-you-mean.js";
import { gameAndMode } from "../../sdk/player/modes.js";
import { MIN_REST_FOR_ONE_STEP } from "../../sdk/player/join.js";
import { outcomeText, settledOutcome } from "../../sdk/player/outcome.js";
import { gameText } from "../../sdk/player/match-text.js";
import { isOpen } from "../../sdk/protocol/status.js";
import { isLate, type MatchView } from "../../sdk/player/match-view.js";
import { resumeHint } from "../shared/match/match.js";
import { openProfile, profileFile } from "../shared/command/profile.js";
import { registerOwn } from "../shared/command/modes.js";
import { acceptWarnings, log, paint, type Result } from "../shared/command/output.js";
import { nextOf } from "../shared/match/next-step.js";
import type { CommandContext } from "../shared/command/context.js";
import { acceptOffer, moveChecksOf } from "../shared/match/risks.js";
import { readChallenge } from "../shared/match/challenge-flags.js";
import { challengeAtTable } from "./series.js";
import { stoppable } from "./table.js";
import { takePromptedTurn } from "./turns.js";

/** Shortest time that an offer stays open, in seconds. */
const MIN_WAIT = 60;

/** Seconds that an offer stays open on a chain whose blocks are final immediately. */
const SHORT_WAIT = 120;

/** On other chains, seconds that are left to join in one step once the offer is final. */
const MARGIN = 300;

/** Maximum number of the latest challenges to the same opponent that are compared with a new one. */
const LOOKED_AT = 10;

/** Command that plays a whole match. */
export const challenges: readonly PlayCommand[] = [
  {
    usage: "challenge <game> [move...]",
    description:
      "play a whole match against a program or a person: GAME is a game, the name of a mode, or the number of a challenge of yours to continue; moves that are missing are asked for at a terminal, or chosen for you",
    examples: ["challenge rock-paper-scissors paper --stake 5", "challenge tic-tac-toe"],
    options: [
      ["--stake <amount>", "your stake", "0"],
      ["--token <token>", "COIN, FIGHT or an address", "FIGHT"],
      ["--opponent <address>", "player to challenge; defaults to the agent of the profile or of the deployment"],
      ["--mode <mode>", "name, hash or JSON file of the mode; the game's usual one by default"],
      ["--clock <time>", "thinking time of each player", "24h"],
      ["--wait <time>", "how long the offer stands before it lapses; by default long enough to be joined in one step"],
      ["--unrated", "leave ratings alone"],
      ["--patience <time>", "at a table: how long you wait for the opponent until you go on on the chain", "2m"],
      ["--on-chain", "play on the chain, also if you sit with the opponent"],
    ],
    async run(context, [name, ...moveArgs], flags) {
      if (!/^\d+$/.test(name) && flags.onChain !== true) {
        const result = await challengeAtTable(context, [name, ...moveArgs], flags);
        if (result) return result;
      }
      const begin = /^\d+$/.test(name)
        ? () => ownOffer(context, name)
        : await challenge(context, name, moveArgs, flags);
      return stoppable(async (signal) => {
        const options = { yes: flags.yes, signal };
        return resultOf(context, await playOn(context, await begin(), options));
      });
    },
  },
];

/** Reads the number of the caller's own challenge. @throws InputError */
async function ownOffer(context: CommandContext, id: string): Promise<bigint> {
  const { matchId, player1, game } = await context.view(readMatchId(id));
  if (player1 !== (await context.client()).address) {
    throw new InputError(`match ${id}`, `its challenger is ${player1}`);
  }
  if (game === undefined) throw new InputError(`match ${id}`, "its game is not a stock one");
  return matchId;
}

/** Returns the agent that is challenged by default: the agent in the profile, or in the deployment. */
async function usualAgent({ deployment }: CommandContext): Promise<string | undefined> {
  const { agent, players } = await openProfile();
  if (agent === undefined) return deployment.agents?.at(0);
  return players.get(agent) ?? readAddress(agent, `${profileFile()}.agent`);
}

/**
 * Asks for everything that a new challenge needs.
 * @returns a function that creates the challenge, or returns the caller's unfinished match with the same terms.
 */
async function challenge(
  context: CommandContext,
  name: string,
  moveArgs: readonly string[],
  flags: Flags,
): Promise<() => Promise<bigint>> {
  const { game, mode } = gameAndMode(name, context.games, didYouMean);
  const waitText = textOf(flags, "wait");
  const wait = waitText === undefined ? waitFor(await finalityLag(context.provider)) : readWait(waitText);
  const opponent = textOf(flags, "opponent") ?? (await usualAgent(context));
  if (opponent === undefined) throw new InputError("--opponent", "this deployment knows of no agent: name somebody");
  const { challenge: offer, ownMode } = await readChallenge(context, game, { ...flags, opponent }, mode);
  const action = { call: "create", what: `challenge ${name}`, content: [offer.terms, opponent] };
  await context.finish(action);
  const { unfinished, lapsed } = await earlierMatches(context, offer);
  if (unfinished !== undefined) {
    log(`Match ${unfinished} stands already: going on with it.`);
    return () => Promise.resolve(unfinished);
  }
  await acceptWarnings(await agentWarnings(context, offer), flags.yes);
  const { terms } = offer;
  const client = await context.client();
  const turn = firstTurn(terms, client.address, context.history);
  const secretStore = context.keys.secretStoreOf(terms.game, client.address);
  const read = (given: readonly string[]) => readMove(game, given, turn);
  const move =
    moveArgs.length > 0 ? await read(moveArgs) : await withMove({ game, turn, secretStore }, read, flags.yes);
  const checks = await moveChecksOf(context, game, terms.game, move);
  const extras = await acceptOffer(context, offer, ownMode, checks, flags.yes);
  return async () => {
    const receipt = await context.once(action, async () => {
      for (const matchId of lapsed) {
        await client.timeout(matchId);
        log(`Match ${matchId} had lapsed: its stake is back in your purse.`);
      }
      await payIn(client, terms.token, terms.stake1);
      await registerOwn(context, game, terms.game, ownMode);
      const data = await game.moves.create(move, turn, secretStore);
      // A firm offer expires even if this process stops.
      const firmUntil = (await nextTime(context.provider)) + wait;
      return (await client.create({ ...offer, data, firmUntil }, extras)).receipt;
    });
    const view = await context.view(createdIn(receipt)!);
    const until = timeText(view.deadline);
    log(`Match ${view.matchId}: you challenge ${opponent} to ${gameText(view)}. The offer stands until ${until}.`);
    await context.markReported();
    return view.matchId;
  };
}

/**
 * Returns the seconds that an offer must stay open, so that the opponent can still join in one step after the offer is
 * final.
 * @param lag Seconds after which a block is final.
 */
export function waitFor(lag: number): number {
  return lag === 0 ? SHORT_WAIT : MIN_REST_FOR_ONE_STEP + 2 * lag + MARGIN;
}

function readWait(text: string): number {
  const seconds = readDuration(text, "--wait");
  if (seconds < MIN_WAIT || seconds > OFFER_LIFE) throw new InputError("--wait", `${text} is not between 1m and 30d`);
  return seconds;
}

/**
 * Finds the caller's unfinished match with the same terms, and the caller's lapsed offers. Logs how to continue other
 * matches.
 */
async function earlierMatches(context: CommandContext, { terms, opponent }: Omit<Challenge, "data">) {
  const { history, deployment } = context;
  const { address } = await context.client();
  const created = await history.events(deployment.addresses.Arena, "Created", { player1: address });
  const latest = created.filter(({ args }) => args.opponent === opponent).slice(-LOOKED_AT);
  const time = BigInt(await nextTime(context.provider));
  const lapsed: bigint[] = [];
  for (const { args } of latest.toReversed()) {
    const view = await context.view(args.matchId);
    const isSame = Object.entries(terms).every(([field, value]) => view.terms[field as keyof typeof terms] === value);
    if (!isOpen(view)) continue;
    if (view.status < Status.AllDeposited && isLate(view, time)) lapsed.push(view.matchId);
    else if (isSame) return { unfinished: view.matchId, lapsed };
    else log(resumeHint(view, Seat.One, "challenge"));
  }
  return { lapsed };
}

async function payIn(client: Client, token: string, stake: bigint): Promise<void> {
  const lacking = token === COIN ? 0n : stake - (await client.arena.purseOf(client.address, token));
  if (lacking > 0n) await client.deposit(token, lacking);
}

/** Plays a match until it is over. @throws Error that describes the state of the match if it is interrupted. */
async function playOn(
  context: CommandContext,
  matchId: bigint,
  { yes, signal }: { yes?: boolean; signal: AbortSignal },
) {
  let view: MatchView | undefined;
  try {
    const client = await context.client();
    for (;;) {
      view = await context.view(matchId);
      if (!isOpen(view)) return view;
      if (signal.aborted) throw new Stopped();
      if (view.turn !== Seat.One) await waitForOpponent(context, client, view, signal);
      else {
        const due = view;
        await context.once(actionOf("act", matchId), () => takePromptedTurn(context, due, yes, signal));
        await context.markReported();
      }
    }
  } catch (error) {
    const now = (await context.view(matchId).catch(() => undefined)) ?? view;
    const hint = now ? resumeHint(now, Seat.One, "challenge") : `challenge ${matchId} continues match ${matchId}.`;
    throw new Explained(`${context.tokens.explain(error)} ${hint}`, { cause: error });
  }
}

/** Waits during the opponent's turn, and ends the match if its deadline passes. */
async function waitForOpponent(
  context: CommandContext,
  client: Client,
  view: MatchView,
  signal: AbortSignal,
): Promise<void> {
  const isOverdue = isLate(view, BigInt(await nextTime(context.provider)));
  if (isOverdue && (await tryTimeout(context, client, view.matchId))) return;
  await pause(context.provider.pollingInterval, undefined, { signal }).catch(() => undefined);
}

/** Returns whether a timeout was refused because the block lags behind the node's clock, or the opponent has moved. */
function isTooSoon(error: unknown): boolean {
  return ["TooEarly", "WrongStatus"].includes(customError(error)?.name ?? "");
}

/** Ends a match whose deadline has passed. @returns false if that is too early, or the opponent has just moved. */
async function tryTimeout(context: CommandContext, client: Client, matchId: bigint): Promise<boolean> {
  try {
    await context.once(actionOf("timeout", matchId), () => client.timeout(matchId));
    return true;
  } catch (error) {
    if (!isTooSoon(error)) throw error;
    return false;
  }
}

/** Describes the result of a match. @throws Error if nobody joined. */
async function resultOf(context: CommandContext, view: MatchView): Promise<Result> {
  const { matchId, status, token, terms } = view;
  const record = await context.history.match(matchId, { read: view });
  if (status === Status.P1Canceled) {
    const { declinedBy } = record;
    const what = declinedBy === undefined ? `Nobody took match ${matchId}` : `${declinedBy} declined match ${matchId}`;
    throw new Error(`${what}: your stake is back in your purse. If the opponent is a program, its log says why.`);
  }
  const story = await context.gameAt(terms.game).story(record, context.history, paint);
  const result = outcomeText(settledOutcome(record.settlement!, terms, Seat.One));
  const changes = await changesIn(record, context.history, context.games);
  const next = await nextOf(context, view);
  const data = { matchId, status, settlement: record.settlement, changes, next: next.command };
  const last = [...changeLines(changes, context.games), ...next.lines];
  return { data, text: [...story, eventsOf(record, token).at(-1)!.text, result, ...last] };
}
