import type { ComponentChildren } from "preact";
import type { PickerProps } from "../game";

/** Button for a turn that needs no move: what was committed is revealed. */
export function Reveal(props: Pick<PickerProps, "isBusy" | "onPlay"> & { readonly children: ComponentChildren }) {
  const { isBusy, onPlay, children } = props;
  return (
    <div class="stack tight">
      <p>{children}</p>
      <div>
        <button type="button" class="primary" disabled={isBusy} onClick={() => onPlay([])}>
          Reveal
        </button>
      </div>
    </div>
  );
}
