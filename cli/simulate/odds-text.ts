import { separated } from "../../sdk/protocol/text.js";
import { tableOf } from "../shared/command/table.js";
import type { Average, Expectation, Odds, Share } from "../../sdk/games/calculator.js";

/** Describes odds in lines of text, with their confidence intervals. */
export function oddsText({ runs, seed, confidence, wins, measured, expectations = [] }: Odds): string[] {
  const rows = [
    ["player 1 wins", ...shareCells(wins.player1)],
    ["player 2 wins", ...shareCells(wins.player2)],
    ["draw", ...shareCells(wins.draw)],
    ...Object.entries(measured).map(([name, value]) => [
      labelOf(name),
      ...("share" in value ? shareCells(value) : averageCells(value)),
    ]),
  ];
  return [
    `${runs.toLocaleString("en")} simulated, with intervals of ${100 * confidence} % confidence. Seed: ${seed}`,
    ...tableOf(rows),
    ...(expectations.length > 0 ? ["", ...expectationLines(expectations)] : []),
  ];
}

function expectationLines(expectations: readonly Expectation[]): string[] {
  const heads = ["attacker", "defender", "damage per hit", "dodged", "damage per attack", "attacks to defeat"];
  const rows = expectations.map((each) => [
    `player ${each.side + 1}, slot ${each.attackerSlot}`,
    `slot ${each.defenderSlot}`,
    each.damagePerHit.toFixed(1),
    percent(each.dodgeChance),
    each.damagePerAttack.toFixed(1),
    each.attacksToDefeat === null ? "never" : each.attacksToDefeat.toFixed(1),
  ]);
  return ["Expected of an attack, critical hits included:", ...tableOf([heads, ...rows])];
}

function shareCells({ share, low, high }: Share): string[] {
  return [percent(share), `${percent(low)} to ${percent(high)}`, ""];
}

function averageCells({ mean, low, high, min, max }: Average): string[] {
  return [mean.toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`, `seen: ${min} to ${max}`];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Describes a measure: `takesPot1` is "takes pot, player 1". */
function labelOf(name: string): string {
  return separated(name).replace(/([12])$/, ", player $1");
}
