import type { Frame, GameModule, SecretStore, Turn } from "duello";
import { useMemo, useState } from "preact/hooks";
import type { GameView, PickerProps } from "../games/game.ts";
import { play as playSound } from "../store/sound.ts";
import { ErrorNotice } from "./error-notice.tsx";
import { useLoaded } from "./use.ts";

/** Maximum number of moves that are offered as buttons. */
const MAX_BUTTONS = 30;

/** A turn of the viewer. */
export interface MoveRequest {
  module: GameModule;
  turn: Turn;
  secretStore: SecretStore;
  view: GameView;
  frames: readonly Frame[];
  mode: string;
  names: readonly [string, string];
  pictureOf: (id: bigint) => Promise<string | undefined>;
  /** Label of the button for a turn without a choice. */
  plainAction: string;
  /** Describes the consequences of playing, e.g. that the wallet will ask. */
  note?: string;
  /** Plays a move. @throws rejections by the rules, the wallet or the node */
  play: (move: unknown) => Promise<void>;
}

/** Lets the person in turn choose a move, and shows a rejection. */
export function MovePicker(request: MoveRequest) {
  const { module, turn, secretStore, view, frames, mode, names, pictureOf, plainAction, note, play } = request;
  const position = usePosition(turn);
  /** Position in which a move was chosen: the page shows this position until it has read the result of the move. */
  const [taken, setTaken] = useState<object>();
  const isBusy = taken === position;
  const [refusal, setRefusal] = useState<unknown>();
  const { value: needsMove } = useLoaded(() => needsChoice(request), [turn]);
  const onPlay = (move: unknown) => {
    if (isBusy) return;
    setTaken(position);
    setRefusal(undefined);
    playSound("tap");
    // Finding a move takes a moment, in which nothing else can be chosen.
    Promise.resolve(move)
      .then(play)
      .catch((error: unknown) => {
        setTaken((now) => (now === position ? undefined : now));
        setRefusal(error);
      });
  };
  // A picker that draws the match itself also draws a turn without a choice.
  const isPicked = needsMove === true || view.isPickedInScene === true;
  if (needsMove === undefined && !isPicked) return <p class="muted">Your turn …</p>;
  const Picker = view.Picker ?? PlainPicker;
  return (
    <section class="picker stack" aria-label="Your move">
      <ErrorNotice error={refusal} onFixed={() => setRefusal(undefined)} />
      {isPicked ? (
        <Picker {...{ module, turn, secretStore, frames, mode, names, isBusy, pictureOf, onPlay }} />
      ) : (
        <button type="button" class="primary" disabled={isBusy} onClick={() => onPlay(undefined)}>
          {plainAction}
        </button>
      )}
      {(note !== undefined || needsMove) && (
        <div class="row picker-foot">
          {needsMove && <span class="muted small">Undecided?</span>}
          {needsMove && (
            <button
              type="button"
              class="small"
              disabled={isBusy}
              onClick={() => onPlay(module.moves.suggest(turn, secretStore))}
            >
              Any legal move
            </button>
          )}
          {note !== undefined && <p class="muted small grow">{note}</p>}
        </div>
      )}
    </section>
  );
}

/**
 * Returns an object that stays the same until somebody moves. The turn itself is reread for other reasons, e.g. when a
 * stake is paid, or the wallet has given the key to the player's secrets. After a reorganisation the history is a
 * different object.
 */
function usePosition({ history, record }: Turn): object {
  return useMemo(() => ({}), [history, record?.joinData, record?.actions.length]);
}

/** Returns whether a turn needs a choice: a turn that only reveals needs none. */
export async function needsChoice({
  module,
  turn,
  secretStore,
}: Pick<MoveRequest, "module" | "turn" | "secretStore">): Promise<boolean> {
  try {
    return (await module.moves.suggest(turn, secretStore)) !== undefined;
  } catch {
    // Without fighters there is nothing to suggest; the picker explains that.
    return true;
  }
}

/** Parses a move in a field, for games without a picker. */
function PlainPicker({ module, turn, secretStore, isBusy, onPlay }: PickerProps) {
  const [text, setText] = useState("");
  const { value: choices = [] } = useLoaded(async () => module.moves.choices?.(turn, secretStore), [turn]);
  const usage = turn.record ? (module.moves.later ?? module.moves.usage[Number(turn.seat) - 1]) : module.moves.usage[0];
  const playText = (typed: string) =>
    onPlay(module.moves.parse(typed.trim().split(/\s+/).filter(Boolean), turn, secretStore));
  const submit = (event: Event) => {
    event.preventDefault();
    playText(text);
  };
  return (
    <form class="stack tight" onSubmit={submit}>
      {choices.length > 0 && choices.length <= MAX_BUTTONS && (
        <div class="row" role="group" aria-label="Moves">
          {choices.map((choice) => (
            <button key={choice} type="button" disabled={isBusy} onClick={() => playText(choice)}>
              {choice}
            </button>
          ))}
        </div>
      )}
      <label>
        <span>Your move: {usage}</span>
        <input
          value={text}
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={isBusy || text.trim() === ""}>
        Play it
      </button>
    </form>
  );
}
