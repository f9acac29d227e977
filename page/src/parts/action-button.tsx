import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ErrorNotice } from "./error-notice.tsx";

/** Button that runs an action, is busy meanwhile, and shows an error below. */
export function ActionButton({
  children,
  class: className = "",
  isDisabled = false,
  run,
}: {
  children: ComponentChildren;
  class?: string;
  isDisabled?: boolean;
  run: () => Promise<unknown>;
}) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const start = () => {
    setBusy(true);
    setError(undefined);
    run()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return (
    <div class="stack tight">
      <button type="button" class={className} disabled={isBusy || isDisabled} aria-busy={isBusy} onClick={start}>
        {children}
      </button>
      <ErrorNotice error={error} onFixed={() => setError(undefined)} />
    </div>
  );
}
