/** Field of a form, whose value is text. */
interface FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** Choice among options, each a value and its text. */
export function Select({
  label,
  value,
  options,
  onChange,
}: FieldProps & { options: readonly (readonly [string, string])[] }) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Input of an address. */
export function AddressInput({ label, value, onChange }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        class="mono"
        placeholder="0x…"
        autoComplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
