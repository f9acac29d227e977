import { isSame, type FightFrame, type Place } from "../teams/fight.ts";

/** Step of a fight of cards with different speeds. */
interface SpeedFrame extends Pick<FightFrame, "attack"> {
  readonly teams: readonly (readonly { readonly speed: number }[])[];
}

/** Lists the places in the order in which they act: the fastest first, and ties in the order in which they acted. */
export function orderOf(frames: readonly SpeedFrame[]): Place[] {
  const [{ teams }] = frames;
  const places = teams.flatMap((team, side) => team.map((_, slot): Place => ({ player: side + 1, slot })));
  const firstOf = (place: Place) => {
    const at = frames.findIndex(({ attack }) => attack && isSame(attack.attacker, place));
    return at < 0 ? frames.length : at;
  };
  const speedOf = ({ player, slot }: Place) => teams[player - 1][slot].speed;
  return places.sort((one, other) => speedOf(other) - speedOf(one) || firstOf(one) - firstOf(other));
}
