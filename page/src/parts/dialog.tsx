import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import "../styles/dialog.css";

/** A dialog that is open while it is rendered. The browser keeps the focus in it, and restores the focus afterwards. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  /** Called when the person closes the dialog with the button, the escape key, or a click outside it. */
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = dialog;
    current!.showModal();
    return () => current!.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="stack dialog-content">
        <div class="row apart">
          <h2 id={id} class="grow">
            {title}
          </h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
