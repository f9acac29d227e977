import { useState } from "preact/hooks";
import { KindId, kinds, modeOfHash, moveName, movesOf, type MiniGameFrame } from "duello/games/mini-games";
import type { PickerProps } from "../game.ts";
import { Pick } from "../shared/pick.tsx";
import { MovePicture } from "./move-picture.tsx";
import { effectText, ruleText } from "./words.ts";

/** Big buttons of all moves, the effect of the chosen move, and a button to play that move. */
export function Picker({ turn, isBusy, onPlay }: PickerProps<MiniGameFrame, number>) {
  const mode = modeOfHash(turn.mode);
  const { kind } = mode;
  const seat = Number(turn.seat);
  const moves = movesOf(mode);
  const [chosen, choose] = useState(moves.length === 1 ? moves[0] : undefined);
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (chosen !== undefined && !isBusy) onPlay(chosen);
  };
  return (
    <form class="stack" onSubmit={send}>
      <p>{ruleText(mode, seat)}</p>
      {moves.length > 1 && (
        <fieldset disabled={isBusy}>
          <legend class="hidden">Your move</legend>
          <div class={`mini-moves mini-of-${moves.length}`}>
            {moves.map((move) => (
              <Pick key={move} name="mini-move" isChosen={chosen === move} onChoose={() => choose(move)}>
                <MovePicture kind={kind} move={move} />
                <b class={kinds[kind].names ? "" : "hidden"}>{moveName(kind, move)}</b>
              </Pick>
            ))}
          </div>
        </fieldset>
      )}
      <p class="mini-effect" aria-live="polite">
        {chosen === undefined ? "Choose a move to see what it beats." : effectText(mode, seat, chosen)}
      </p>
      <div class="row">
        <button class="primary" disabled={isBusy || chosen === undefined}>
          {chosen === undefined ? "Choose a move" : playText(kind, chosen)}
        </button>
        <span class="muted small">
          {seat === 1 ? "Nobody sees it before you reveal it." : "Your opponent has already committed to a move."}
        </span>
      </div>
    </form>
  );
}

function playText(kind: number, move: number): string {
  if (kind === KindId.RolledDice) return "Roll the dice";
  return `${kind === KindId.Coin ? "Call" : "Play"} ${moveName(kind, move)}`;
}
