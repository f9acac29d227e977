import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import { otherSide, playerOf, sideOf } from "../../protocol/sides.js";
import { markOf } from "../../protocol/text.js";
import { replayedFrames, type Step } from "../frames.js";
import type { Frame } from "../module.js";
import { valuesOf, type FighterValues } from "./engine.js";
import type { Turn } from "./log.js";
import { fightOf, loggedTurns, replay } from "./replay.js";
import { characterName, nameOf, turnText } from "./story.js";

/** Fighter to draw; its hp are those at the start of the battle. */
export interface FighterCard extends FighterValues {
  /** Id of the token, a decimal number. */
  readonly id: string;
  /** Number of the character, a decimal number. */
  readonly character: string;
  readonly name: string;
  readonly golden: boolean;
  /** Tiers 1 to 3 in the order attack, defense, health, speed, range, combo. */
  readonly tiers: readonly number[];
}

/** Attack to draw. */
export interface AutoBattlerAttack {
  readonly attacker: { readonly player: number; readonly slot: number };
  readonly defender: { readonly player: number; readonly slot: number };
  /** Damage before it is capped at the defender's hp. */
  readonly damage: number;
  readonly dodge: boolean;
  readonly combo: boolean;
  readonly death: boolean;
  /** Slots that the target is beyond the attacker's range, at most 3. */
  readonly rangePenalty: number;
}

/** Frame of a battle: the teams before it, and then each attack. */
export interface AutoBattlerFrame extends Frame {
  /** Round of the battle; 0 before it. */
  readonly round: number;
  /** Fighters by side and slot, the same in each frame. */
  readonly teams: readonly (readonly FighterCard[])[];
  /** Hp by side and slot, after the attack. */
  readonly hp: readonly (readonly number[])[];
  /** Attack that the frame shows; null before the first. */
  readonly attack: AutoBattlerAttack | null;
}

/**
 * Draws the battle of a match; before the reveal there is nothing to draw.
 * @throws RecordError or InputError for data that the game's contract would have refused.
 * @example
 * ```ts
 * import { frames } from "duello/games/auto-battler";
 *
 * const steps = await frames(await history.match(7n), history);
 * console.log(steps.at(-1)?.result?.winner);
 * ```
 */
export const frames = replayedFrames<AutoBattlerFrame>(replay, framesOf);

async function framesOf(record: MatchRecord, history: History): Promise<Step<AutoBattlerFrame>[]> {
  const fight = await fightOf(record, history);
  if (!fight) return [];
  const teams = fight.teams.map((team) =>
    team.map(({ id, character, golden, tiers }): FighterCard => {
      const name = characterName(character);
      return { id: String(id), character: String(character), name, golden, tiers, ...valuesOf(fight.mode, tiers) };
    }),
  );
  const named = fight.teams.map((team, side) =>
    team.map((traits, slot) => ({
      name: markOf(playerOf(side)) + nameOf(traits, slot),
      health: teams[side][slot].hp,
    })),
  );
  let hp = teams.map((team) => team.map((fighter) => fighter.hp));
  const start = { text: "Two teams face each other", round: 0, teams, hp, attack: null };
  const attacks = loggedTurns(record).map((turn): Step<AutoBattlerFrame> => {
    const defending = otherSide(sideOf(turn.attacker));
    hp = hp.with(defending, hp[defending].with(turn.defenderSlot, turn.defenderHpEnd));
    return { text: turnText(turn, named, ", "), round: turn.round, teams, hp, attack: attackOf(turn, defending) };
  });
  return [start, ...attacks];
}

function attackOf(turn: Turn, defending: number): AutoBattlerAttack {
  const { attacker, attackerSlot, defenderSlot, damageDealt, wasDodge, wasCombo, wasKill, rangePenalty } = turn;
  return {
    attacker: { player: attacker, slot: attackerSlot },
    defender: { player: playerOf(defending), slot: defenderSlot },
    damage: damageDealt,
    dodge: wasDodge,
    combo: wasCombo,
    death: wasKill,
    rangePenalty,
  };
}
