import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { KeysHelp } from "./keys-help.tsx";

interface ScrubberProps {
  steps: number;
  step: number;
  isPlaying: boolean;
  /** Speed of the playback. */
  rate: number;
  /** False while the result is still to come. */
  isTold: boolean;
  /** Course of the match, drawn behind the slider. */
  course?: ComponentChildren;
  onStep: (step: number) => void;
  onToggle: () => void;
  onRate: () => void;
  /** Goes to the end, and shows the result. */
  onEnd: () => void;
  onEscape?: () => void;
}

/** Steps through a match with buttons, with a slider, and with keys from anywhere on the page. */
export function Scrubber(props: ScrubberProps) {
  const { steps, step, isPlaying, rate, isTold, course, onStep, onToggle, onRate, onEnd, onEscape } = props;
  const [isHelpOpen, setHelpOpen] = useState(false);
  const last = steps - 1;
  const goTo = (to: number) => onStep(Math.max(0, Math.min(last, to)));
  useKeys({
    ArrowLeft: () => goTo(step - 1),
    ArrowRight: () => goTo(step + 1),
    Home: () => goTo(0),
    End: onEnd,
    "?": () => setHelpOpen(true),
    ...(steps > 1 && { " ": onToggle }),
    ...(onEscape && { Escape: onEscape }),
  });
  const help = isHelpOpen && <KeysHelp onClose={() => setHelpOpen(false)} />;
  if (steps < 2) return help;
  const track = (
    <div class={course ? "track has-course" : "track"}>
      {course}
      <input
        type="range"
        min={0}
        max={last}
        value={step}
        aria-label="Step"
        aria-valuetext={`Step ${step + 1} of ${steps}`}
        onInput={({ currentTarget }) => goTo(currentTarget.valueAsNumber)}
      />
    </div>
  );
  return (
    <>
      <div class="scrubber" role="group" aria-label="Steps of the match">
        {course && track}
        <StepButton label="First step" path="M6 5v14M18 5 9 12l9 7z" isOff={step === 0} onClick={() => goTo(0)} />
        <StepButton label="Step back" path="M16 5 7 12l9 7z" isOff={step === 0} onClick={() => goTo(step - 1)} />
        <StepButton
          label={isPlaying ? "Pause" : "Play"}
          path={isPlaying ? "M8 5v14M16 5v14" : "M7 4v16l13-8z"}
          onClick={onToggle}
        />
        <StepButton label="Step forward" path="M8 5l9 7-9 7z" isOff={step === last} onClick={() => goTo(step + 1)} />
        {!course && track}
        <span class="small muted count">
          {step + 1} / {steps}
        </span>
        <button type="button" class="quiet" aria-label={`Speed: ${rate} times`} title="Speed" onClick={onRate}>
          {rate}×
        </button>
        {isTold ? (
          <StepButton label="Last step" path="M18 5v14M6 5l9 7-9 7z" isOff={step === last} onClick={onEnd} />
        ) : (
          <button type="button" onClick={onEnd}>
            Skip
          </button>
        )}
      </div>
      {help}
    </>
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
      // Space activates the focused control.
      if (event.key === " " && target.closest("a, button, summary, [tabindex='0']")) return;
      const press = current.current[event.key];
      if (!press) return;
      event.preventDefault();
      press();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
