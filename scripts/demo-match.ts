import { styleText } from "node:util";
import { formatEther, parseEther, type TransactionReceipt } from "ethers";
import type { Client } from "../sdk/player/client.js";
import { demoOf, modeHash } from "../sdk/games/modes.js";
import type { GameModule } from "../sdk/games/module.js";
import type { History } from "../sdk/chain/history.js";
import { firstTurn, turnOf, type Turn } from "../sdk/games/moves.js";
import { mismatchText } from "../sdk/protocol/mismatch.js";
import type { Replay } from "../sdk/verify/compared-replay.js";
import { replay } from "../sdk/verify/replay.js";
import { walletSecretStore } from "../sdk/player/secrets.js";
import { Seat, statusText, winnerBy } from "../sdk/protocol/status.js";
import { changesIn } from "../sdk/player/stats.js";
import { DAY } from "../sdk/protocol/terms.js";
import { takeTurn } from "../sdk/player/turn.js";
import { changeLines } from "../cli/shared/match/changes.js";
import { paint } from "../cli/shared/command/output.js";

const STAKE = parseEther("100");

/** Prints a line. */
export function say(text: string): void {
  console.log(text);
}

/** Formats a heading between empty lines. */
export function heading(text: string): string {
  return `\n${styleText("bold", text)}\n`;
}

/**
 * Plays a match of a game between Alice and Bob on the chain, prints its story, and replays it.
 * @throws Error if the replay differs.
 */
export async function showMatch(game: GameModule, alice: Client, bob: Client, history: History): Promise<void> {
  say(heading(`${game.title}: a staked match`));
  const { matchId } = await playMatch(game, alice, bob, history, say);
  const replayed = await replay(history, [game], matchId);
  say(heading("As the chain logged it"));
  for (const line of await game.story(replayed.record, history, paint)) say(line);
  const [winner, paid, , verdict] = endOf(replayed);
  const changes = changeLines(await changesIn(replayed.record, history, [game]), [game], ["Alice", "Bob"]);
  for (const line of ["", winner, paid, ...changes, verdict]) say(line);
}

/**
 * Plays a match of a game between Alice and Bob on the chain, replays it, and prints three lines about it.
 * @throws Error if the replay differs.
 */
export async function summarizeMatch(game: GameModule, alice: Client, bob: Client, history: History): Promise<void> {
  const { matchId, transactions, gas } = await playMatch(game, alice, bob, history);
  const [winner, paid, ratings, verdict] = endOf(await replay(history, [game], matchId));
  say(`\n${styleText("bold", game.title)}  ${winner} ${dim(`${transactions} transactions, ${inDigits(gas)} gas`)}`);
  say(`${paid} ${ratings}`);
  say(verdict);
}

/** Result of a match that was played: its number, and the cost of its transactions. */
export interface Played {
  matchId: bigint;
  transactions: number;
  gas: bigint;
}

/** Plays a match of suggested moves, and passes a line about each step to `tell`. */
export async function playMatch(
  game: GameModule,
  alice: Client,
  bob: Client,
  history: History,
  tell: (line: string) => void = () => undefined,
): Promise<Played> {
  const { [game.contract]: address, FightToken: token } = alice.addresses;
  const { content, odds } = demoOf(game);
  const stakes = { token, stake1: (STAKE * odds[0]) / odds[1], stake2: STAKE };
  await alice.deposit(token, stakes.stake1);
  await bob.deposit(token, stakes.stake2);
  const alicePays = `${formatEther(stakes.stake1)} FIGHT`;
  const bobPays = `${formatEther(stakes.stake2)} FIGHT`;
  tell(`Alice ${dim(alice.address)} puts ${alicePays} into her purse, Bob ${dim(bob.address)} ${bobPays} into his.`);
  const [alices, bobs] = await Promise.all([alice, bob].map((player) => walletSecretStore(player, address)));
  const suggested = (turn: Turn) => game.moves.suggest(turn, turn.seat === Seat.One ? alices : bobs);

  let transactions = 0;
  let gas = 0n;
  const step = (text: string, { gasUsed }: TransactionReceipt) => {
    gas += gasUsed;
    tell(`${++transactions}. ${text.padEnd(40)} ${dim(`${inDigits(gasUsed)} gas`)}`);
  };

  const commits = game.moves.pendingCommitments !== undefined;
  const mode = modeHash(content);
  const opening = firstTurn({ game: address, mode }, alice.address, history);
  const first = await suggested(opening);
  const offer = await alice.create({
    terms: { game: address, mode, clock: DAY, rated: true, ...stakes },
    opponent: bob.address,
    data: await game.moves.create(first, opening, alices),
  });
  step(commits ? "Alice challenges Bob and commits to her move" : "Alice challenges Bob and moves", offer.receipt);
  const { matchId } = offer;
  const turn = turnOf(await history.match(matchId), Seat.Two, bob.address, history);
  const joined = await bob.join(offer, await game.moves.join(await suggested(turn), turn, bobs));
  step(commits ? "Bob joins and answers in the open" : "Bob joins and moves", joined);
  for (;;) {
    const { turn } = await alice.arena.matchOf(matchId);
    if (turn === Seat.None) return { matchId, transactions, gas };
    const { player, name, secretStore } =
      turn === Seat.One
        ? { player: alice, name: "Alice", secretStore: alices }
        : { player: bob, name: "Bob", secretStore: bobs };
    const acted = await takeTurn(player, history, matchId, { secretStore, move: suggested });
    const shown = turn === Seat.One ? "reveals" : "answers in the open";
    step(`${name} ${commits ? shown : "moves"}`, acted);
  }
}

/** Returns the lines that end a match: winner, payments, ratings, replay. @throws Error if the replay differs. */
function endOf({ record, mismatch }: Replay): [winner: string, paid: string, ratings: string, verdict: string] {
  const { status, paid1, paid2, house, rating1, rating2 } = record.settlement!;
  if (mismatch !== undefined) throw new Error(`The replay differs: ${mismatchText(mismatch)}`);
  const entries = record.logs.reduce((sum, log) => sum + log.entries.length, 0);
  return [
    `${winnerName(status)} wins: ${statusText[String(status)]}.`,
    `Paid: ${formatEther(paid1)} FIGHT to Alice, ${formatEther(paid2)} to Bob, ${formatEther(house)} to the house.`,
    `Ratings: Alice ${rating1}, Bob ${rating2}.`,
    `Match ${record.matchId} was replayed in TypeScript from its events: all ${entries} log entries are identical.`,
  ];
}

function inDigits(gas: bigint): string {
  return gas.toLocaleString("en");
}

function winnerName(status: bigint): string {
  return ["Nobody", paint("Alice", 1), paint("Bob", 2)][Number(winnerBy(status))];
}

function dim(text: string): string {
  return styleText("dim", text);
}
