import type { Turn } from "duello";
import { honourRecordNow, standingOf, withDuel } from "duello/games/pistols";
import { useLoaded } from "../../parts/use.ts";
import { Honour } from "./parts.tsx";

/** Shows the player's honour after a duel with a given score; nothing for a match that is not rated. */
export function HonourToCome({ turn, honour }: { readonly turn: Turn; readonly honour: number }) {
  const { player, game, history, record } = turn;
  const { value: honours } = useLoaded(
    () => honourRecordNow(player, game, history.provider),
    [player, game, record?.matchId],
  );
  if (honours === undefined || record?.terms.rated === false) return null;
  return (
    <Honour
      label={`Your honour after a rated duel that counts ${honour}`}
      honour={standingOf(withDuel(honours, honour)).honour}
      was={honours.duels === 0 ? undefined : standingOf(honours).honour}
    />
  );
}
