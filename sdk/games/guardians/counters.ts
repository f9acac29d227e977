import { dataLength, toBeHex } from "ethers";
import { topicsOf, type AnyEvent } from "../../chain/events.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { decodeAnswer, decodeReveal } from "../../protocol/commit-reveal.js";
import type { Hex } from "../../protocol/hex.js";
import { seatOf } from "../../protocol/sides.js";
import { winnerBy } from "../../protocol/status.js";
import { added, tally, type AttackCounts, type Fought } from "../counters.js";
import { RecordError } from "../revealed-rounds.js";
import { decodeTurn, type Turn } from "./log.js";
import { decodeTeam } from "./moves.js";
import { fightOf, loggedTurns } from "./replay.js";

const NONE = { kills: 0n, deaths: 0n, dodges: 0n, criticals: 0n, damageDealt: 0n, damageReceived: 0n };

/** Counters of a card in one battle. */
type BattleCounters = typeof NONE;

/** Counters of a card over its life. No contract keeps them: they are derived from events. */
type CardCounters = Readonly<Record<"battles" | "wins", bigint>> & BattleCounters;

/** A battle that was fought. */
interface Battle {
  /** Ids of the cards by side and slot. */
  teams: bigint[][];
  turns: Turn[];
  /** Seat of the winner; None for a draw. */
  winner: bigint;
}

/** Matches whose events are requested at once. */
const AT_ONCE = 500;

/** Returns what a turn adds to the counters of its two cards. */
export function countsOf({ wasKill, wasDodge, wasCritical, damageDealt }: Turn): AttackCounts<BattleCounters> {
  return {
    attacker: { kills: wasKill, criticals: wasCritical, damageDealt },
    defender: { deaths: wasKill, dodges: wasDodge, damageReceived: damageDealt },
  };
}

/** Counts what cards did in all battles up to a block, from the events. */
export async function counters(
  ids: readonly bigint[],
  history: History,
  block: number,
  game: string,
): Promise<CardCounters[]> {
  const totals = new Map(ids.map((id): [bigint, CardCounters] => [id, { battles: 0n, wins: 0n, ...NONE }]));
  for (const { teams, turns, winner } of await battlesUntil(block, history, game)) {
    for (const [side, team] of tally(teams, turns, NONE, countsOf).entries()) {
      for (const { id, counters: inBattle } of team) {
        const total = totals.get(id);
        if (total) totals.set(id, added(total, { ...inBattle, battles: 1, wins: seatOf(side) === winner }));
      }
    }
  }
  return ids.map((id) => totals.get(id)!);
}

/** Counts the actions of a match's cards, by side and slot; empty without a battle. */
export async function fought(record: MatchRecord, history: History): Promise<Fought[][]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  const teams = fight.teams.map((team) => team.map(({ id }) => id));
  return tally(teams, loggedTurns(record, fight), NONE, countsOf);
}

/** Reads all battles up to a block, oldest first. */
async function battlesUntil(block: number, history: History, game: string): Promise<Battle[]> {
  const { Arena } = history.addresses;
  const logs = (await history.told({ address: game, topics: [topicsOf("Log")] }, undefined, block)).flatMap(
    ({ name, args, block: fought }) => (name === "Log" ? [{ ...args, fought }] : []),
  );
  const battles: Battle[] = [];
  for (let i = 0; i < logs.length; i += AT_ONCE) {
    const some = logs.slice(i, i + AT_ONCE);
    const ids = some.map(({ matchId }) => toBeHex(matchId, 32));
    const topics = [topicsOf("Joined", "Acted", "Settled"), ids];
    // A match ends in the block of its battle.
    const events = await history.told({ address: Arena, topics }, undefined, some.at(-1)!.fought);
    for (const { matchId, logEntries } of some) {
      const own = events.filter(({ args }) => "matchId" in args && args.matchId === matchId);
      battles.push({ ...teamsAndWinner(matchId, own), turns: logEntries.map(decodeTurn) });
    }
  }
  return battles;
}

/** Finds the teams and the winner of a match that reached its battle, from its events. */
function teamsAndWinner(matchId: bigint, events: readonly AnyEvent[]): Omit<Battle, "turns"> {
  const found: { answer?: Hex; reveal?: Hex; winner?: bigint } = {};
  for (const { name, args } of events) {
    if (name === "Joined") found.answer = args.data;
    else if (name === "Acted") found.reveal = args.data;
    else if (name === "Settled") found.winner = winnerBy(args.status);
  }
  const { answer, reveal, winner } = found;
  if (answer === undefined || reveal === undefined || winner === undefined) {
    throw new RecordError("the node gives the battle, but not the match", { matchId });
  }
  const { move } = decodeAnswer(answer);
  const length = dataLength(move);
  const teams = [decodeReveal(reveal, length, length).move, move].map(decodeTeam);
  return { teams, winner };
}
