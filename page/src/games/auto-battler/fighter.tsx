import { CHARACTERS, valuesOf, type FighterValues, type Mode } from "duello/games/auto-battler";
import type { Member } from "../teams/kind.ts";

const LABELS = ["Attack", "Defense", "Health", "Speed", "Range", "Combo"] as const;
const SHORT = ["Atk", "Def", "HP", "Spd", "Rng", "Cmb"] as const;
const VALUES = ["attack", "defense", "hp", "speed", "range", "combo"] as const;
/** Corners of the hexagon of tier 1. */
const CORNERS = [
  [0, -28],
  [24, -14],
  [24, 14],
  [0, 28],
  [-24, 14],
  [-24, -14],
] as const;
/** Degrees between the hues of neighbouring characters, as on the cards that the chain draws. */
const HUE_STEP = 137n;

/** Traits that never change. */
export interface Traits {
  readonly id: string | bigint;
  readonly character: string | bigint;
  readonly tiers: readonly number[];
  readonly golden: boolean;
}

/** Fighter to draw. */
export interface Fighter extends Member {
  readonly tiers: readonly number[];
  readonly golden: boolean;
  readonly hue: number;
}

/** Prepares a fighter of a mode to be drawn. */
export function fighterOf(traits: Traits, mode: Mode): Fighter {
  return fighterWith(traits, valuesOf(mode, traits.tiers));
}

/** Prepares a fighter with known values to be drawn. */
export function fighterWith({ id, character, tiers, golden }: Traits, values: FighterValues): Fighter {
  return {
    id: String(id),
    name: CHARACTERS[Number(character) - 1] ?? `Character ${character}`,
    note: golden ? "Golden: needs no rest" : undefined,
    stats: LABELS.map((label, i) => ({
      label,
      short: SHORT[i],
      text: String(values[VALUES[i]]),
      value: tiers[i],
      tier: tiers[i],
    })),
    tiers,
    golden,
    hue: Number((BigInt(character) * HUE_STEP) % 360n),
  };
}

/** Draws the tiers as a hexagon: a corner for each, clockwise from the top. */
export function FighterEmblem({ member: { tiers, golden, hue } }: { member: Fighter }) {
  const ring = (tier: number) => points(CORNERS.map(() => tier));
  return (
    <svg
      class="teams-emblem"
      viewBox="-96 -96 192 192"
      style={{ color: golden ? "#ffd35c" : `hsl(${hue} 70% 72%)` }}
      aria-hidden="true"
    >
      <rect x="-96" y="-96" width="192" height="192" rx="28" fill="#10131a" />
      <g fill="none" stroke="currentColor" stroke-width="2" opacity=".35">
        <polygon points={ring(1)} />
        <polygon points={ring(2)} />
        <polygon points={ring(3)} />
      </g>
      <polygon
        points={points(tiers)}
        fill="currentColor"
        fill-opacity=".5"
        stroke="currentColor"
        stroke-width="5"
        stroke-linejoin="round"
      />
      {golden && (
        <rect x="-92" y="-92" width="184" height="184" rx="25" fill="none" stroke="currentColor" stroke-width="8" />
      )}
    </svg>
  );
}

function points(tiers: readonly number[]): string {
  return CORNERS.map(([x, y], i) => `${x * tiers[i]},${y * tiers[i]}`).join(" ");
}
