import { linkTo } from "../router.ts";
import { shortAddress } from "./text.ts";

/** Names a player by its mark and its address; the viewer is "You". */
export function PlayerName({
  player,
  address,
  you,
}: {
  player: 1 | 2;
  /** Undefined for a seat that anyone may take. */
  address?: string;
  /** Address of the viewer. */
  you?: string;
}) {
  const name = address === undefined ? "Anyone" : address === you ? "You" : shortAddress(address);
  return (
    <span class="row player-name">
      <PlayerMark player={player} />
      {address !== undefined ? (
        <a href={linkTo("player", [address])} title={address}>
          {name}
        </a>
      ) : (
        <span title={address}>{name}</span>
      )}
    </span>
  );
}

/** Draws the mark of a player: a disc for player 1, a diamond for player 2. */
export function PlayerMark({ player }: { player: 1 | 2 }) {
  return <span class={player === 1 ? "mark" : "mark two"} role="img" aria-label={`Player ${player}`} />;
}
