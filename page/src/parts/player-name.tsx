import { Person } from "../people/person.tsx";

/** Names a player by its mark, its crest and its name; the viewer is "You". */
export function PlayerName({
  player,
  address,
  you,
  isConfirmed,
}: {
  player: 1 | 2;
  /** Undefined for a seat that anyone may take. */
  address?: string;
  /** Address of the viewer. */
  you?: string;
  /** True to show the address beside the name. */
  isConfirmed?: boolean;
}) {
  return (
    <span class="row player-name">
      <PlayerMark player={player} />
      {address === undefined ? "Anyone" : <Person {...{ address, you, isConfirmed }} />}
    </span>
  );
}

/** Draws the mark of a player: a disc for player 1, a diamond for player 2. */
export function PlayerMark({ player }: { player: 1 | 2 }) {
  return <span class={player === 1 ? "mark" : "mark two"} role="img" aria-label={`Player ${player}`} />;
}
