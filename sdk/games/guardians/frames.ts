import type { CardStats } from "./cards.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { otherSide, playerOf, sideOf } from "../../protocol/sides.js";
import { replayedFrames, type Step } from "../frames.js";
import type { Frame } from "../module.js";
import { TYPES } from "./characters.js";
import type { Turn } from "./log.js";
import { fightOf, loggedTurns, replay } from "./replay.js";
import { nameOf, turnText } from "./story.js";

/** Card to draw; its hp are those at the start of the battle. */
export interface GuardianCard extends Omit<CardStats, "type"> {
  /** Id of the token, a decimal number. */
  readonly id: string;
  /** Name of the card's type. */
  readonly type: string;
}

/** Attack to draw. */
export interface GuardiansAttack {
  readonly attacker: { readonly player: number; readonly slot: number };
  readonly defender: { readonly player: number; readonly slot: number };
  /** Damage before it is capped at the defender's hp. */
  readonly damage: number;
  readonly dodge: boolean;
  readonly critical: boolean;
  readonly death: boolean;
  /** Side whose type beats the type of the other side, if any. */
  readonly strongType: "attacker" | "defender" | null;
}

/** Frame of a battle: the teams before it, and then each attack. */
export interface GuardiansFrame extends Frame {
  /** Number of the attack; 0 before the first. */
  readonly turn: number;
  /** Cards by side and slot, the same in each frame. */
  readonly teams: readonly (readonly GuardianCard[])[];
  /** Hp by side and slot, after the attack. */
  readonly hp: readonly (readonly number[])[];
  /** Attack that the frame shows; null before the first. */
  readonly attack: GuardiansAttack | null;
}

const STRONG_TYPES = [null, "attacker", "defender"] as const;

/**
 * Draws the battle of a match; before the reveal there is nothing to draw.
 * @throws RecordError or InputError for data that the game's contract would have refused.
 * @example
 * ```ts
 * import { frames } from "duello/games/guardians";
 *
 * const steps = await frames(await history.match(7n), history);
 * console.log(steps.at(-1)?.result?.winner);
 * ```
 */
export const frames = replayedFrames<GuardiansFrame>(replay, framesOf);

async function framesOf(record: MatchRecord, history: History): Promise<Step<GuardiansFrame>[]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  const teams = fight.teams.map((team) =>
    team.map((card): GuardianCard => ({ ...card, id: String(card.id), type: TYPES[card.type] })),
  );
  const named = fight.teams.map((team, side) =>
    team.map((card) => ({ hp: card.hp, name: nameOf(card, playerOf(side)) })),
  );
  let hp = teams.map((team) => team.map((card) => card.hp));
  const start = { text: "Two teams face each other", turn: 0, teams, hp, attack: null };
  const attacks = loggedTurns(record, fight).map((turn): Step<GuardiansFrame> => {
    const defending = otherSide(sideOf(turn.attacker));
    hp = hp.with(defending, hp[defending].with(turn.defenderSlot, turn.defenderHpEnd));
    return { text: turnText(turn, named, ", "), turn: turn.turn, teams, hp, attack: attackOf(turn, defending) };
  });
  return [start, ...attacks];
}

function attackOf(turn: Turn, defending: number): GuardiansAttack {
  const { attacker, attackerSlot, defenderSlot, damageDealt, wasDodge, wasCritical, wasKill, typeRelation } = turn;
  return {
    attacker: { player: attacker, slot: attackerSlot },
    defender: { player: playerOf(defending), slot: defenderSlot },
    damage: damageDealt,
    dodge: wasDodge,
    critical: wasCritical,
    death: wasKill,
    strongType: STRONG_TYPES[typeRelation],
  };
}
