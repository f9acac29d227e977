import { KindId, kinds, type MiniGameFrame } from "duello/games/mini-games";
import type { SceneProps } from "../game.ts";
import { MovePicture } from "./move-picture.tsx";
import { kindTitled, reasonText } from "./words.ts";

/** Both hands, turned at the same time, and the reason for the result. */
export function Scene({ frame, step, isMoving, viewer, names }: SceneProps<MiniGameFrame>) {
  const { values, coin, winner, game } = frame;
  const kind = kindTitled(game);
  const sides = viewer === 2 ? [1, 0] : [0, 1];
  const isRolled = kind === KindId.RolledDice;
  return (
    <div key={step} class={isMoving ? "mini-table mini-moving" : "mini-table"}>
      {sides.map((side) => (
        <figure
          key={side}
          class={`mini-hand ${side === 0 ? "one" : "two"} ${winner === side + 1 ? "mini-won" : winner === 0 ? "" : "mini-lost"}`}
        >
          <figcaption>
            <span class={side === 0 ? "mark" : "mark two"} /> <span>{names[side]}</span>
          </figcaption>
          <div class="mini-turning">
            <div class="mini-face">
              <MovePicture kind={kind} move={values[side]} />
              <b>{isRolled ? `rolls ${values[side]}` : frame.moves[side]}</b>
            </div>
            <div class="mini-back" aria-hidden="true">
              ?
            </div>
          </div>
          <span class={winner === side + 1 ? "tag accent" : "tag mini-none"}>
            {winner === side + 1 ? "Wins" : "\u00a0"}
          </span>
        </figure>
      ))}
      <div class="mini-middle">
        {coin !== null && (
          <div class="mini-coin">
            <MovePicture kind={kind} move={kinds[kind].names!.indexOf(coin)} />
          </div>
        )}
        <p>{reasonText(frame, viewer, names)}</p>
      </div>
    </div>
  );
}
