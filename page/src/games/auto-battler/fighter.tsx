import { CHARACTERS, valuesOf, type FighterValues, type Mode } from "duello/games/auto-battler";
import { Emblem } from "../teams/emblem.tsx";
import type { Member } from "../teams/kind.ts";
import { fighterFace, tileHue, type FaceTraits } from "./face.ts";

const LABELS = ["Attack", "Defense", "Health", "Speed", "Range", "Combo"] as const;
const SHORT = ["Atk", "Def", "HP", "Spd", "Rng", "Cmb"] as const;
const VALUES = ["attack", "defense", "hp", "speed", "range", "combo"] as const;
/** Traits that never change. */
export interface Traits {
  readonly id: string | bigint;
  readonly character: string | bigint;
  readonly tiers: readonly number[];
  readonly golden: boolean;
}

/** Fighter to draw. */
export interface Fighter extends Member {
  readonly face: FaceTraits;
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
    face: { id, character: Number(character), tiers, golden },
  };
}

/** Draws a fighter: cut out, or on a tile, which has a golden frame if the fighter is golden. */
export function FighterEmblem({ member: { face }, isCut }: { member: Fighter; isCut?: boolean }) {
  return (
    <Emblem hue={tileHue(face.character)} isGolden={face.golden} isCut={isCut}>
      {fighterFace(face)}
    </Emblem>
  );
}
