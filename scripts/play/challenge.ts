import { setTimeout as pause } from "node:timers/promises";
import { styleText } from "node:util";
import { COIN, type Client } from "../../sdk/client.js";
import { gameNamed, games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError } from "../../sdk/input.js";
import type { Turn } from "../../sdk/moves.js";
import { Seat, Status } from "../../sdk/status.js";
import { readDuration } from "./arguments.js";
import { textOf, type Flags, type PlayCommand } from "./command.js";
import { eventsOf } from "./events.js";
import { keeperOf } from "./keys.js";
import { isOpen, viewMatch, type MatchView } from "./match.js";
import { askMove, isAttended, log, type Result } from "./output.js";
import type { Session } from "./session.js";
import { acceptRisks, concernsOf, readChallenge } from "./stakes.js";
import { act } from "./turns.js";

const paint = (text: string, player: number) => styleText(player === 1 ? "cyan" : "yellow", text);

/** A whole match in one command. */
export const challenges: readonly PlayCommand[] = [
  {
    usage: "challenge <game> [move...]",
    description:
      "play a whole match against a program, or whoever is at its keyboard: GAME is a game or the name of a mode; moves you do not give you are asked for, or they are chosen for you",
    options: [
      ["--stake <amount>", "your stake", "0"],
      ["--token <token>", "COIN, FIGHT or an address", "FIGHT"],
      ["--opponent <address>", "who is challenged; the deployment's own agent if left out"],
      ["--mode <mode>", "name or hash of the mode; the game's usual one if left out"],
      ["--clock <time>", "thinking time of each player", "24h"],
      ["--wait <time>", "how long the offer stands before it is withdrawn", "2m"],
      ["--unrated", "leave ratings alone"],
    ],
    async run(session, [name, ...words], flags) {
      const patience = readDuration(textOf(flags, "wait")!, "--wait");
      const matchId = await offer(session, name, words, flags);
      const client = await session.client();
      if (!(await isTaken(session, client, matchId, patience))) {
        const text = `Nobody took match ${matchId} within ${patience} s, so it was withdrawn. A program says why where it runs.`;
        return { data: { matchId, status: Status.P1Canceled }, text };
      }
      for (;;) {
        const view = await viewMatch(session, matchId);
        if (!isOpen(view)) return endOf(session, view);
        if (view.turn === Seat.One) await act(session, [String(matchId), ...(await nextMove(session, view))]);
        else await whileWaiting(session, client, view);
      }
    },
  },
];

/** The game that a word names, and its mode: a game's usual one, or the mode itself. @throws InputError */
export function gameAndMode(name: string): { game: GameModule; mode: string } {
  const game = games.find((each) => each.name === name);
  if (game) return { game, mode: Object.keys(game.modes)[0] };
  const having = games.filter(({ modes }) => name in modes);
  if (having.length === 1) return { game: having[0], mode: name };
  const modes = games.flatMap((each) => Object.keys(each.modes)).filter((mode) => mode !== "default");
  const why = having.length > 1 ? "several games have such a mode" : "no such game or mode";
  throw new InputError(name, `${why}; there are ${[...games.map((each) => each.name), ...modes].join(", ")}`);
}

/** Makes the offer, soft so that it can be withdrawn, and pays in what the purse lacks. @returns the match. */
async function offer(session: Session, name: string, words: readonly string[], flags: Flags): Promise<bigint> {
  const { game, mode } = gameAndMode(name);
  const opponent = textOf(flags, "opponent") ?? session.deployment.agents?.at(0);
  if (opponent === undefined) throw new InputError("--opponent", "this deployment knows of no agent: name somebody");
  const challenge = await readChallenge(session, game, { mode, ...flags, opponent, soft: true });
  const { terms } = challenge;
  const client = await session.client();
  const turn = { seat: Seat.One, player: client.address, mode: terms.mode, history: session.history };
  const keeper = keeperOf(session, terms.game, client.address);
  const move = await game.moves.read(words.length > 0 ? words : await chosen(session, game, turn, flags.yes), turn);
  const stand = { terms: { ...terms, share: await client.arena.share() }, seat: Seat.One };
  const extras = await acceptRisks(session, stand, await concernsOf(session, game, move), flags.yes);
  await payIn(client, terms.token, terms.stake1);
  const { matchId } = await client.create(
    { ...challenge, opening: await game.moves.create(move, turn, keeper) },
    extras,
  );
  log(`Match ${matchId}: you challenge ${opponent}.`);
  return matchId;
}

async function payIn(client: Client, token: string, stake: bigint): Promise<void> {
  const lacking = token === COIN ? 0n : stake - (await client.arena.purseOf(client.address, token));
  if (lacking > 0n) await client.deposit(token, lacking);
}

/** Waits until somebody has taken the other seat. @returns false if nobody has in time, and the offer is withdrawn. */
async function isTaken({ provider }: Session, client: Client, matchId: bigint, patience: number): Promise<boolean> {
  const end = Date.now() + patience * 1000;
  while ((await client.arena.statusOf(matchId)) < Status.AllDeposited) {
    if (Date.now() < end) await pause(provider.pollingInterval);
    // It may be taken in this very moment.
    else if (await client.cancel(matchId).catch(() => undefined)) return false;
  }
  return true;
}

/** The caller's next move, if one is needed. */
async function nextMove(session: Session, { matchId, game: name, player1, terms }: MatchView): Promise<string[]> {
  const game = gameNamed(name!);
  const { history } = session;
  const record = await history.match(matchId);
  const turn = { seat: Seat.One, player: player1, mode: terms.mode, record, history };
  const seen = await game.view?.(turn, keeperOf(session, terms.game, player1), paint);
  if (isAttended()) (seen ?? (await game.story(record, history, paint))).forEach((line) => console.log(line));
  return chosen(session, game, turn);
}

/** A move that the game suggests, or what somebody at the terminal makes of it. */
async function chosen(session: Session, game: GameModule, turn: Turn, yes?: boolean): Promise<string[]> {
  const address = session.deployment.addresses[game.contract];
  const suggested = await game.moves.suggest(turn, keeperOf(session, address, turn.player));
  if (suggested.length === 0 || yes === true || !isAttended()) return suggested;
  return askMove(`Your move: ${game.moves.usage[0]}`, suggested);
}

/** Lets time pass while it is the other's turn. Who does not move in time is timed out. */
async function whileWaiting({ provider }: Session, client: Client, { matchId, deadline }: MatchView): Promise<void> {
  if (BigInt(await client.now()) > deadline) await client.timeout(matchId);
  else await pause(provider.pollingInterval);
}

async function endOf(session: Session, view: MatchView): Promise<Result> {
  const { matchId, status, token } = view;
  const record = await session.history.match(matchId);
  const story = await gameNamed(view.game!).story(record, session.history, paint);
  const won = status === Status.P1Win || status === Status.P1WinInactive;
  const result = status === Status.Draw ? "It is a draw." : won ? "You have won." : "You have lost.";
  const data = { matchId, status, settlement: record.settlement };
  return { data, text: [...story, eventsOf(record, token).at(-1)!.text, result] };
}
