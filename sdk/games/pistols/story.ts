import { getBytes } from "ethers";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { roundTexts, type PlayedRound } from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import { decodeAnswer } from "../../protocol/commit-reveal.js";
import { Seat } from "../../protocol/status.js";
import type { Paint, Viewer } from "../module.js";
import { otherSide, sideOf } from "../../protocol/sides.js";
import { decodeBlow, decodeResult, isResult, type Blow, type Result } from "./log.js";
import { ACTIONS, BLOCK, HEAVY, LIGHT } from "./legal-moves.js";
import { bladesIn, foresee, lengths, roundsOf } from "./replay.js";
import { FULL_HEALTH } from "./strikes.js";

const VERBS: Record<number, string> = { [LIGHT]: "strikes lightly", [HEAVY]: "strikes heavily", [BLOCK]: "blocks" };

/** Describes a duel as lines of text, one per shot or stroke. */
export function story(record: MatchRecord, _history: History, paint: Paint): Promise<string[]> {
  const names = namesOf(paint);
  const lines = roundsOf(record).flatMap((round, i) => [
    ...(i > 0 ? [""] : []),
    `Round ${round.round}: ${chosen(round, names)}`,
    ...(record.logs[i]?.entries ?? []).flatMap((entry) =>
      isResult(entry) ? ["", ...ending(decodeResult(entry), names)] : [blowLine(decodeBlow(entry), names)],
    ),
  ]);
  return Promise.resolve(lines);
}

/** Shows a duel in play: its revealed rounds or, to player 1 before it reveals round 1, the result of that round. */
export async function view(record: MatchRecord, history: History, paint: Paint, viewer?: Viewer): Promise<string[]> {
  const { joinData, actions, createData } = record;
  if (viewer?.seat !== Seat.One || joinData === undefined || actions.length > 0) return story(record, history, paint);
  const secret = await viewer.secretStore.reveal(createData);
  const names = namesOf(paint);
  const moves = { round: 1, move1: secret.move, move2: decodeAnswer(joinData).move };
  const { entries } = await foresee(record, secret, history);
  const blows = entries.map((entry) => blowLine(decodeBlow(entry), names));
  return [`Round 1, as you will open it: ${chosen(moves, names)}`, ...blows];
}

/** Describes the actions of a match's players: their paces and blades. */
export async function actionTexts(record: MatchRecord): Promise<string[]> {
  const textOf = (move: Hex, round: number) => {
    const [paces] = getBytes(move);
    if (round === 1) return `${paces} ${paces === 1 ? "pace" : "paces"}`;
    const [first, second] = bladesIn(move);
    return first > BLOCK ? ACTIONS[first] : `${ACTIONS[first]} and ${ACTIONS[second]}`;
  };
  return roundTexts(record, lengths, (round) => (round === 1 ? "its paces" : "its blades"), textOf);
}

/** Returns the labels of both players. */
export function namesOf(paint: Paint): string[] {
  return [1, 2].map((player) => paint(`Player ${player}`, player));
}

/** Describes the moves of both players in a round. */
export function chosen(
  { round, move1, move2 }: Pick<PlayedRound, "round" | "move1" | "move2">,
  names: string[],
): string {
  const choices = [move1, move2].map((move) => {
    const [first, second] = getBytes(move);
    if (round === 1) return `walks ${first} paces`;
    return `brings ${ACTIONS[first]}${first > BLOCK ? "" : ` and ${ACTIONS[second]}`}`;
  });
  return choices.map((choice, side) => `${names[side]} ${choice}`).join(", ");
}

/** Describes a blow. @param names Names of both players. */
export function blowText(blow: Blow, names: readonly string[]): string {
  const side = sideOf(blow.player);
  const [own, other] = [names[side], names[otherSide(side)]];
  const verb = VERBS[blow.action] ?? `shoots at ${blow.paces} paces`;
  return `${own} ${verb}${outcome(blow, other)}`;
}

/** Describes a blow, followed by health bars of both players. */
function blowLine(blow: Blow, names: string[]): string {
  const health = blow.health.map((points) => "●".repeat(points).padEnd(FULL_HEALTH, "○"));
  const bars = names.map((name, side) => `${name} ${health[side]}`).join("  ");
  return `  ${blowText(blow, names)}  ${bars}`;
}

function outcome({ action, critical, hit, points }: Blow, other: string): string {
  if (action === BLOCK) return points === 0 ? " in vain" : ` and can stop ${points}`;
  if (!critical && !hit) return " and misses";
  if (points === FULL_HEALTH) return ` and executes ${other}`;
  return ` and hits ${other} for ${points}`;
}

/** Describes a result. */
export function ending({ winner, pot, honour }: Result, names: string[]): string[] {
  const duel = winner === 0 ? "A draw" : `${names[sideOf(winner)]} wins the duel`;
  const money = pot === 0 ? "each has its own stake back" : `${names[sideOf(pot)]} takes the pot`;
  return [`${duel}; ${money}`, names.map((name, side) => `${name}'s honour in it: ${honour[side]}`).join(", ")];
}
