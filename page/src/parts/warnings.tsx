/** A risk that the reader must accept. */
export interface Warned {
  readonly risk: string;
  readonly text: string;
}

/** Describes the risks of a seat as a checklist: each must be accepted to continue. */
export function Warnings({
  warnings,
  accepted,
  onAccept,
}: {
  warnings: readonly Warned[];
  /** Names of the accepted risks. */
  accepted: readonly string[];
  onAccept: (accepted: readonly string[]) => void;
}) {
  if (warnings.length === 0) return null;
  return (
    <fieldset class="notice stack tight">
      <legend>Before you go on</legend>
      {warnings.map(({ risk, text }) => (
        <label key={risk} class="check">
          <input
            type="checkbox"
            checked={accepted.includes(risk)}
            onChange={({ currentTarget }) =>
              onAccept(currentTarget.checked ? [...accepted, risk] : accepted.filter((each) => each !== risk))
            }
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
