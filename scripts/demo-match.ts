import { styleText } from "node:util";
import { formatEther, parseEther, type TransactionReceipt } from "ethers";
import type { Client } from "../sdk/player/client.js";
import { demoOf, modeHash } from "../sdk/games/index.js";
import type { GameModule } from "../sdk/games/module.js";
import type { History } from "../sdk/chain/history.js";
import { turnOf, type Turn } from "../sdk/games/moves.js";
import { mismatchText } from "../sdk/protocol/mismatch.js";
import { replay, type Replay } from "../sdk/verify/replay.js";
import { walletSecretStore } from "../sdk/player/secrets.js";
import { Seat, Status, statusText } from "../sdk/protocol/status.js";
import { DAY } from "../sdk/protocol/terms.js";
import { takeTurn } from "../sdk/player/turn.js";
import { paint } from "../cli/shared/output.js";

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
 * Lets Alice and Bob play a match of a game on the chain, prints its story, and replays it.
 * @throws Error if the replay differs.
 */
export async function showMatch(game: GameModule, alice: Client, bob: Client, history: History): Promise<void> {
  say(heading(`${game.title}: a staked match`));
  const replayed = await replay(history, await play(game, alice, bob, history));
  say(heading("As the chain logged it"));
  for (const line of await game.story(replayed.record, history, paint)) say(line);
  printEnd(replayed);
}

/** Plays a match of suggested moves, and prints the gas of each transaction. @returns the number of the match. */
async function play(game: GameModule, alice: Client, bob: Client, history: History): Promise<bigint> {
  const { [game.contract]: address, FightToken: token } = alice.addresses;
  const { content, odds } = demoOf(game);
  const stakes = { token, stake1: (STAKE * odds[0]) / odds[1], stake2: STAKE };
  await alice.deposit(token, stakes.stake1);
  await bob.deposit(token, stakes.stake2);
  const alicePays = `${formatEther(stakes.stake1)} FIGHT`;
  const bobPays = `${formatEther(stakes.stake2)} FIGHT`;
  say(`Alice ${dim(alice.address)} puts ${alicePays} into her purse, Bob ${dim(bob.address)} ${bobPays} into his.`);
  const [alices, bobs] = await Promise.all([alice, bob].map((player) => walletSecretStore(player, address)));
  const suggested = async (turn: Turn) => {
    const secretStore = turn.seat === Seat.One ? alices : bobs;
    return game.moves.read(await game.moves.suggest(turn, secretStore), turn, secretStore);
  };

  const mode = modeHash(content);
  const firstTurn = { seat: Seat.One, player: alice.address, mode, history };
  const first = await suggested(firstTurn);
  const offer = await alice.create({
    terms: { game: address, mode, clock: DAY, rated: true, ...stakes },
    opponent: bob.address,
    data: await game.moves.create(first, firstTurn, alices),
  });
  printStep(
    1,
    game.moves.pendingCommitments ? "Alice challenges Bob and commits to her move" : "Alice challenges Bob and moves",
    offer.receipt,
  );
  const { matchId } = offer;
  const turn = turnOf(await history.match(matchId), Seat.Two, bob.address, history);
  const joined = await bob.join(offer, await game.moves.join(await suggested(turn), turn, bobs));
  printStep(2, game.moves.pendingCommitments ? "Bob joins and answers in the open" : "Bob joins and moves", joined);
  for (let step = 3; ; step++) {
    const { turn } = await alice.arena.matchOf(matchId);
    if (turn === Seat.None) return matchId;
    const { player, name, secretStore } =
      turn === Seat.One
        ? { player: alice, name: "Alice", secretStore: alices }
        : { player: bob, name: "Bob", secretStore: bobs };
    const acted = await takeTurn(player, history, matchId, { secretStore, move: suggested });
    const shown = turn === Seat.One ? "reveals" : "answers in the open";
    printStep(step, `${name} ${game.moves.pendingCommitments ? shown : "moves"}`, acted);
  }
}

function printStep(step: number, text: string, { gasUsed }: TransactionReceipt): void {
  say(`${step}. ${text.padEnd(40)} ${dim(`${gasUsed.toLocaleString("en")} gas`)}`);
}

function printEnd({ record, mismatch }: Replay): void {
  const { status, paid1, paid2, house, rating1, rating2 } = record.settlement!;
  say(`\n${winnerName(status)} wins: ${statusText[String(status)]}.`);
  say(`Paid: ${formatEther(paid1)} FIGHT to Alice, ${formatEther(paid2)} to Bob, ${formatEther(house)} to the house.`);
  say(`Ratings: Alice ${rating1}, Bob ${rating2}.`);
  if (mismatch !== undefined) throw new Error(`The replay differs: ${mismatchText(mismatch)}`);
  const entries = record.logs.reduce((sum, log) => sum + log.entries.length, 0);
  say(`Match ${record.matchId} was replayed in TypeScript from its events: all ${entries} log entries are identical.`);
}

function winnerName(status: bigint): string {
  if (status === Status.P1Win) return paint("Alice", 1);
  return status === Status.P2Win ? paint("Bob", 2) : "Nobody";
}

function dim(text: string): string {
  return styleText("dim", text);
}
