import { useEffect, useRef, useState } from "preact/hooks";

/** Milliseconds for which a step is shown during automatic playback. */
const STEP_TIME = 900;

/** Steps through a match: by buttons, by a slider, and by the arrow keys from anywhere on the page. */
export function Scrubber({ steps, step, onStep }: { steps: number; step: number; onStep: (step: number) => void }) {
  const [isPlaying, setPlaying] = useState(false);
  const last = steps - 1;
  const goTo = (to: number) => onStep(Math.max(0, Math.min(last, to)));
  const stop = (to: number) => {
    setPlaying(false);
    goTo(to);
  };
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (step >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => goTo(step + 1), STEP_TIME);
    return () => clearTimeout(timer);
  }, [isPlaying, step, last]);
  useKeys({
    ArrowLeft: () => stop(step - 1),
    ArrowRight: () => stop(step + 1),
    Home: () => stop(0),
    End: () => stop(last),
  });
  if (steps < 2) return null;
  const play = () => {
    if (!isPlaying && step >= last) goTo(0);
    setPlaying(!isPlaying);
  };
  return (
    <div class="scrubber" role="group" aria-label="Steps of the match">
      <StepButton label="First step" path="M6 5v14M18 5 9 12l9 7z" isOff={step === 0} onClick={() => stop(0)} />
      <StepButton label="Step back" path="M16 5 7 12l9 7z" isOff={step === 0} onClick={() => stop(step - 1)} />
      <StepButton
        label={isPlaying ? "Pause" : "Play"}
        path={isPlaying ? "M8 5v14M16 5v14" : "M7 4v16l13-8z"}
        onClick={play}
      />
      <StepButton label="Step forward" path="M8 5l9 7-9 7z" isOff={step === last} onClick={() => stop(step + 1)} />
      <StepButton label="Last step" path="M18 5v14M6 5l9 7-9 7z" isOff={step === last} onClick={() => stop(last)} />
      <input
        type="range"
        min={0}
        max={last}
        value={step}
        aria-label="Step"
        aria-valuetext={`Step ${step + 1} of ${steps}`}
        onInput={({ currentTarget }) => stop(currentTarget.valueAsNumber)}
      />
      <span class="small muted count">
        {step + 1} / {steps}
      </span>
    </div>
  );
}

function StepButton({
  label,
  path,
  isOff = false,
  onClick,
}: {
  label: string;
  path: string;
  isOff?: boolean;
  onClick: () => void;
}) {
  // Disabling a button while it is pressed would lose the focus.
  return (
    <button type="button" class="quiet icon" aria-label={label} title={label} aria-disabled={isOff} onClick={onClick}>
      <svg
        viewBox="0 0 24 24"
        width="20"
        height="20"
        fill="currentColor"
        stroke="currentColor"
        stroke-width="2"
        aria-hidden="true"
      >
        <path d={path} />
      </svg>
    </button>
  );
}

/** Handles keys that nothing else handles. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      if (
        target.closest("input, textarea, select, dialog, [role=grid], [role=radiogroup], [role=listbox], [role=slider]")
      )
        return;
      const press = current.current[event.key];
      if (!press) return;
      event.preventDefault();
      press();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
