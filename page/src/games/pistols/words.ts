import {
  ARCHETYPES,
  shotOdds,
  strokeOdds,
  type BladesView,
  type DuelView,
  type Duelist,
  type PointOdds,
  type Prospects,
} from "duello/games/pistols";
import type { Part } from "./parts.tsx";

/** Possible outcomes of a shot, the worst for its target first. */
export const SHOT_PARTS = ["kills at once", "costs 2", "costs 1", "misses"];
/** Possible outcomes of a pair of moves, the best for the player first. */
export const END_PARTS = ["pot yours", "on to blades", "stakes back", "pot theirs"];

/** Returns the possible outcomes of a duelist's shot. @param seat Seat of the duelist, 1 or 2. */
export function shotParts(view: DuelView, seat: number, paces: number): Part[] {
  return namedOdds(shotOdds({ ...view, seat }, paces, "unordered"));
}

function namedOdds(odds: PointOdds): Part[] {
  return SHOT_PARTS.map((name, i) => ({ name, chance: odds[SHOT_PARTS.length - 1 - i] }));
}

/** Describes the effect of a Light, Heavy or Block, or of what a Block stops. */
export function strokeParts(view: BladesView, action: number, isBlock: boolean): Part[] {
  const parts = namedOdds(strokeOdds(view, action));
  return isBlock
    ? parts.map(({ name, chance }) => ({ name: name.replace("costs", "stops").replace("misses", "fails"), chance }))
    : parts;
}

/** Names the parts of a player's prospects. */
export function endParts({ won, goesOn, drawn, lost }: Prospects): Part[] {
  return [won, goesOn, drawn, lost].map((chance, i) => ({ name: END_PARTS[i], chance }));
}

/** Names a duelist's archetype and strength. */
export function duelistText({ archetype, strength }: Duelist): string {
  return archetype === 0 ? "a newcomer" : `${ARCHETYPES[archetype]}, strength ${strength}`;
}

/** Describes the effect of the order of shooting on a duelist's shot; undefined if the order has no effect. */
export function favourText(view: DuelView): string | undefined {
  const [usual, first, second] = (["unordered", "first", "second"] as const).map(
    (order) => shotOdds(view, 1, order)[3],
  );
  if (first > usual) return "Shoot first, and you kill at once more often.";
  return second > usual ? "Shoot second, and you kill at once more often." : undefined;
}
